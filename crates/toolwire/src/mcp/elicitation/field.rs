//! The fields of a form: which schema becomes which of the few that MCP knows, and how a value is
//! written into one and read out of it (ELI-12 to ELI-17, ELI-32).

use std::collections::HashMap;

use super::super::Revision;
use crate::Json;
use crate::json::{Document, Kind as JsonKind, Node, array, string};
use crate::question::{Choice, choices, resolve};

/// A chain of references that is longer than this goes round in circles.
const MOST_STEPS: usize = 16;

/// One field of a form.
pub(super) struct Field<'a> {
    pub name: String,
    /// The schema as it stands in the question, and where that is.
    pub outer: Part<'a>,
    /// The schema behind references, and what is left of it without `null`.
    pub inner: Part<'a>,
    /// Whether the question wants a value.
    pub required: bool,
    /// Whether `null` is a value; leaving the field out stands for it.
    pub nullable: bool,
    pub kind: Kind,
}

/// A schema with its place in the question.
#[derive(Clone)]
pub(super) struct Part<'a> {
    pub node: Node<'a>,
    pub pointer: String,
}

/// What kind of field a schema becomes.
pub(super) enum Kind {
    Boolean,
    Number {
        integer: bool,
    },
    Text,
    Choice(Options),
    Several(Options),
    /// A text that holds JSON, or the parts of a list between commas.
    Written {
        list: bool,
    },
}

/// The choices of a field, each as the text that stands for it.
pub(super) struct Options {
    pub all: Vec<(String, Choice)>,
    by_text: HashMap<String, usize>,
    /// Whether each text is the value itself.
    pub plain: bool,
    /// Whether a person sees other texts than these.
    pub titled: bool,
}

impl Options {
    fn new(choices: Vec<Choice>) -> Self {
        let texts: Option<Vec<String>> = choices.iter().map(|one| one.value.to_text()).collect();
        let plain = texts.is_some();
        let raw = || choices.iter().map(|one| one.value.to_string()).collect();
        let texts = texts.unwrap_or_else(raw);
        let mut options = Options {
            all: Vec::with_capacity(choices.len()),
            by_text: HashMap::with_capacity(choices.len()),
            plain,
            titled: false,
        };
        for (text, choice) in texts.into_iter().zip(choices) {
            let place = options.all.len();
            if *options.by_text.entry(text.clone()).or_insert(place) == place {
                options.titled |= text != choice.label;
                options.all.push((text, choice));
            }
        }
        options
    }

    /// The texts that stand for these values, if each value is a choice.
    fn texts<'n>(&self, values: impl Iterator<Item = Node<'n>>) -> Option<Vec<String>> {
        let exact = |value: &Json| value.exact().to_string();
        let known = self.all.iter();
        let known: HashMap<String, &str> = known
            .map(|(text, choice)| (exact(&choice.value), text.as_str()))
            .collect();
        values
            .map(|value| {
                known
                    .get(&exact(&Json::from(value)))
                    .map(|text| string(text))
            })
            .collect()
    }

    /// The value that a text stands for; any other text is itself.
    fn value(&self, text: &str) -> String {
        let found = self
            .by_text
            .get(text)
            .and_then(|place| self.all.get(*place));
        found.map_or_else(|| string(text), |(_, choice)| choice.value.to_string())
    }
}

impl<'a> Field<'a> {
    pub(super) fn new(
        name: String,
        outer: Part<'a>,
        root: Node<'a>,
        required: bool,
        revision: Revision,
    ) -> Self {
        let inner = follow(outer.clone(), root);
        let (inner, nullable, kind) = classify(inner, root, revision);
        Field {
            name,
            outer,
            inner,
            required,
            nullable,
            kind,
        }
    }

    /// A keyword that says something to a person: the one beside a reference goes before.
    pub(super) fn said(&self, keyword: &str) -> Option<Part<'a>> {
        [&self.outer, &self.inner].into_iter().find_map(|part| {
            let node = part.node.get(keyword)?;
            Some(Part {
                node,
                pointer: format!("{}/{keyword}", part.pointer),
            })
        })
    }

    /// A value as the field holds it, if the field can.
    pub(super) fn written(&self, value: Node<'_>) -> Option<String> {
        let raw = || Some(value.raw().to_owned());
        match &self.kind {
            Kind::Boolean if value.kind() == JsonKind::Bool => raw(),
            Kind::Text if value.kind() == JsonKind::String => raw(),
            // A peer reads an integer into 64 bits or refuses the whole request.
            Kind::Number { integer: true } => value.as_i64().and_then(|_| raw()),
            Kind::Number { integer: false } if value.kind() == JsonKind::Number => raw(),
            Kind::Choice(options) => options.texts(std::iter::once(value))?.pop(),
            Kind::Several(options) if value.kind() == JsonKind::Array => {
                options.texts(value.elements()).map(array)
            }
            Kind::Written { .. } => Some(string(value.raw())),
            _ => None,
        }
    }

    /// The value that a field holds, as JSON text; nothing if it is left out.
    pub(super) fn read(&self, given: Option<Node<'_>>) -> Option<String> {
        let given = given.filter(|node| node.kind() != JsonKind::Null);
        let value = given.and_then(|node| self.value(node));
        value.or_else(|| (self.nullable && self.required).then(|| "null".to_owned()))
    }

    fn value(&self, node: Node<'_>) -> Option<String> {
        let text = node.as_str();
        match (&self.kind, text) {
            (Kind::Choice(options), Some(text)) => Some(options.value(&text)),
            (Kind::Several(options), _) if node.kind() == JsonKind::Array => {
                Some(array(node.elements().map(|one| match one.as_str() {
                    Some(text) => options.value(&text),
                    None => one.raw().to_owned(),
                })))
            }
            (Kind::Written { list }, Some(text)) => match text.trim() {
                "" => None,
                text => Some(json_in(text, *list)),
            },
            _ => Some(node.raw().to_owned()),
        }
    }
}

/// The JSON in a text. What is no JSON is a list of parts, if a list is wanted, or the text itself.
fn json_in(text: &str, list: bool) -> String {
    if let Ok(document) = Document::new(text) {
        let root = document.root();
        if !list || root.kind() == JsonKind::Array {
            return root.raw().to_owned();
        }
    }
    if list {
        let parts = text.split([',', '\n']).map(str::trim);
        return array(parts.filter(|part| !part.is_empty()).map(string));
    }
    string(text)
}

/// The schema behind references.
pub(super) fn follow<'a>(mut part: Part<'a>, root: Node<'a>) -> Part<'a> {
    for _ in 0..MOST_STEPS {
        let reference = part
            .node
            .get("$ref")
            .and_then(|reference| reference.as_str());
        let Some(reference) = reference else { break };
        let Some(node) = resolve(root, &reference) else {
            break;
        };
        let pointer = format!("/schema{}", reference.trim_start_matches('#'));
        part = Part { node, pointer };
    }
    part
}

/// The kind of a schema, and whether `null` fits beside it.
fn classify<'a>(part: Part<'a>, root: Node<'a>, revision: Revision) -> (Part<'a>, bool, Kind) {
    if let Some(mut all) = choices(part.node) {
        let is_null = |choice: &Choice| choice.value.as_str() == "null";
        let nullable = all.iter().any(is_null) && !all.iter().all(is_null);
        if nullable {
            all.retain(|choice| !is_null(choice));
        }
        return (part, nullable, Kind::Choice(Options::new(all)));
    }
    if let Some(other) = beside_null(&part, root) {
        let (part, _, kind) = match choices(other.node) {
            Some(all) => (other, true, Kind::Choice(Options::new(all))),
            None => {
                let kind = of_type(&other, root, revision);
                (other, true, kind.0)
            }
        };
        return (part, true, kind);
    }
    let (kind, nullable) = of_type(&part, root, revision);
    (part, nullable, kind)
}

/// The other one of two alternatives, if one is `null`.
fn beside_null<'a>(part: &Part<'a>, root: Node<'a>) -> Option<Part<'a>> {
    let keyword = ["anyOf", "oneOf"]
        .into_iter()
        .find(|keyword| part.node.get(keyword).is_some())?;
    let all: Vec<Node<'a>> = part.node.get(keyword)?.elements().take(3).collect();
    let [first, second] = all[..] else {
        return None;
    };
    let is_null = |node: Node<'_>| node.get("type").is_some_and(|kind| kind.is_str("null"));
    let (index, node) = match (is_null(first), is_null(second)) {
        (true, false) => (1, second),
        (false, true) => (0, first),
        _ => return None,
    };
    // Further constraints beside the alternatives would be lost on the way.
    if part.node.get("type").is_some() {
        return None;
    }
    let pointer = format!("{}/{keyword}/{index}", part.pointer);
    Some(follow(Part { node, pointer }, root))
}

fn of_type(part: &Part<'_>, root: Node<'_>, revision: Revision) -> (Kind, bool) {
    let names = part.node.get("type");
    let one = names.and_then(|name| name.as_str());
    let mut names: Vec<_> = match (names, one) {
        (_, Some(name)) => vec![name],
        (Some(names), None) => names.elements().filter_map(|name| name.as_str()).collect(),
        (None, None) => Vec::new(),
    };
    let nullable = names.len() == 2 && names.iter().any(|name| name == "null");
    if nullable {
        names.retain(|name| name != "null");
    }
    let [name] = &names[..] else {
        return (Kind::Written { list: false }, false);
    };
    let kind = match name.as_ref() {
        "boolean" => Kind::Boolean,
        "string" => Kind::Text,
        "number" => Kind::Number { integer: false },
        "integer" => Kind::Number { integer: true },
        "array" => of_items(part, root, revision),
        _ => Kind::Written { list: false },
    };
    (kind, nullable)
}

fn of_items(part: &Part<'_>, root: Node<'_>, revision: Revision) -> Kind {
    let Some(items) = part.node.get("items") else {
        return Kind::Written { list: false };
    };
    let items = crate::question::target(items, root);
    let options = choices(items).map(Options::new);
    match options {
        Some(options) if revision > Revision::V2025_06_18 => Kind::Several(options),
        Some(options) => Kind::Written {
            list: options.plain,
        },
        None => Kind::Written {
            list: items.get("type").is_some_and(|kind| kind.is_str("string")),
        },
    }
}
