//! The fields of a form: which schema becomes which of the few that MCP knows, and how a value is
//! written into one and read out of it (ELI-12 to ELI-17, ELI-32).

use std::collections::HashMap;

use super::super::Revision;
use crate::base::json::{Document, Kind as JsonKind, Node, Place, array, string};
use crate::protocol::question::{Choice, choices, resolve};
use crate::{Code, Json};

/// A chain of references that is longer than this goes round in circles.
const MAX_STEPS: usize = 16;

/// One field of a form.
pub(super) struct Field<'a> {
    pub name: String,
    /// The schema as it stands in the question, and where that is.
    pub outer: Place<'a>,
    /// The schema behind references, and what is left of it without `null`.
    pub inner: Place<'a>,
    /// Whether the question wants a value.
    pub required: bool,
    /// Whether `null` is a value; leaving the field out stands for it.
    pub nullable: bool,
    pub kind: Kind,
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
    /// A text that holds a list: its parts between commas, or a JSON array.
    Listed(Parts),
    /// A text that holds JSON.
    Written,
}

/// What the parts of a list are.
pub(super) enum Parts {
    Texts,
    Numbers,
    Choices(Options),
}

/// The choices of a field, each as the text that stands for it.
pub(super) struct Options {
    pub all: Vec<(String, Choice)>,
    by_text: HashMap<String, usize>,
    /// Whether a person sees other texts than these.
    pub titled: bool,
}

impl Options {
    fn new(choices: Vec<Choice>) -> Self {
        let texts: Option<Vec<String>> = choices.iter().map(|one| one.value.to_text()).collect();
        let raw = || choices.iter().map(|one| one.value.to_string()).collect();
        let texts = texts.unwrap_or_else(raw);
        let mut options = Options {
            all: Vec::with_capacity(choices.len()),
            by_text: HashMap::with_capacity(choices.len()),
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
        let exact = |value: &Json| value.sorted().to_string();
        let known = self.all.iter();
        let known = known.map(|(text, choice)| (exact(&choice.value), string(text)));
        let known: HashMap<String, String> = known.collect();
        let text = |value| known.get(&exact(&Json::from(value))).cloned();
        values.map(text).collect()
    }

    /// The value that a text stands for; any other text is itself.
    fn value(&self, text: &str) -> String {
        let found = self.by_text.get(text).map(|place| &self.all[*place].1);
        found.map_or_else(|| string(text), |choice| choice.value.to_string())
    }
}

impl<'a> Field<'a> {
    pub(super) fn new(
        name: String,
        outer: Place<'a>,
        root: Node<'a>,
        required: bool,
        revision: Revision,
    ) -> Self {
        let (inner, nullable, kind) = classify(follow(outer.clone(), root), root, revision);
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
    pub(super) fn said(&self, keyword: &str) -> Option<Place<'a>> {
        let outer = self.outer.member(keyword);
        outer.or_else(|| self.inner.member(keyword))
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
            Kind::Listed(_) | Kind::Written => Some(string(value.raw())),
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
            (Kind::Listed(_) | Kind::Written, Some(text)) if text.trim().is_empty() => None,
            (Kind::Listed(parts), Some(text)) => Some(listed(&text, parts)),
            (Kind::Written, Some(text)) => Some(match Document::new(&text) {
                Ok(document) => document.root().raw().to_owned(),
                Err(_) => string(&text),
            }),
            _ => Some(node.raw().to_owned()),
        }
    }
}

/// The list in a text.
fn listed(text: &str, parts: &Parts) -> String {
    let document = Document::new(text);
    let root = document.as_ref().map(Document::root);
    if let Ok(root) = root
        && root.kind() == JsonKind::Array
    {
        return root.raw().to_owned();
    }
    let all = text.split([',', '\n']).map(str::trim);
    let all = all.filter(|part| !part.is_empty());
    array(all.map(|part| match parts {
        Parts::Choices(options) => options.value(part),
        Parts::Numbers if is_number(part) => part.to_owned(),
        Parts::Numbers | Parts::Texts => string(part),
    }))
}

fn is_number(text: &str) -> bool {
    Document::new(text).is_ok_and(|document| document.root().kind() == JsonKind::Number)
}

/// The schema behind references.
pub(super) fn follow<'a>(mut part: Place<'a>, root: Node<'a>) -> Place<'a> {
    for _ in 0..MAX_STEPS {
        let reference = part
            .node
            .get("$ref")
            .and_then(|reference| reference.as_str());
        let reference = reference.unwrap_or_default();
        let Some(node) = resolve(root, &reference) else {
            break;
        };
        let pointer = format!("/schema{}", reference.trim_start_matches('#'));
        part = Place::new(node, &pointer, Code::BadArgument);
    }
    part
}

/// The kind of a schema, and whether `null` fits beside it.
fn classify<'a>(part: Place<'a>, root: Node<'a>, revision: Revision) -> (Place<'a>, bool, Kind) {
    if let Some(mut all) = choices(part.node) {
        let is_null = |choice: &Choice| choice.value.as_str() == "null";
        let nullable = all.iter().any(is_null) && !all.iter().all(is_null);
        all.retain(|choice| !nullable || !is_null(choice));
        return (part, nullable, Kind::Choice(Options::new(all)));
    }
    if let Some(other) = beside_null(&part, root) {
        let kind = match choices(other.node) {
            Some(all) => Kind::Choice(Options::new(all)),
            None => of_type(other.node, root, revision).0,
        };
        return (other, true, kind);
    }
    let (kind, nullable) = of_type(part.node, root, revision);
    (part, nullable, kind)
}

/// The other one of two alternatives, if one is `null`.
fn beside_null<'a>(part: &Place<'a>, root: Node<'a>) -> Option<Place<'a>> {
    // Further constraints beside the alternatives would be lost on the way.
    if part.node.get("type").is_some() {
        return None;
    }
    let alternatives = part.member("anyOf").or_else(|| part.member("oneOf"))?;
    let all: Vec<_> = alternatives.elements().take(3).collect();
    let is_null = |part: &Place<'_>| {
        part.node
            .get("type")
            .is_some_and(|kind| kind.is_str("null"))
    };
    match &all[..] {
        [null, other] | [other, null] if is_null(null) && !is_null(other) => {
            Some(follow(other.clone(), root))
        }
        _ => None,
    }
}

fn of_type(schema: Node<'_>, root: Node<'_>, revision: Revision) -> (Kind, bool) {
    let types = schema.get("type");
    let mut names: Vec<_> = types
        .into_iter()
        .flat_map(|types| types.elements().chain([types]))
        .filter_map(|name| name.as_str())
        .collect();
    let nullable = names.len() == 2 && names.iter().any(|name| name == "null");
    names.retain(|name| !nullable || name != "null");
    let [name] = &names[..] else {
        return (Kind::Written, false);
    };
    let kind = match name.as_ref() {
        "boolean" => Kind::Boolean,
        "string" => Kind::Text,
        "number" => Kind::Number { integer: false },
        "integer" => Kind::Number { integer: true },
        "array" => of_items(schema, root, revision),
        _ => Kind::Written,
    };
    (kind, nullable)
}

fn of_items(schema: Node<'_>, root: Node<'_>, revision: Revision) -> Kind {
    let Some(items) = schema.get("items") else {
        return Kind::Written;
    };
    let items = crate::protocol::question::target(items, root);
    if let Some(all) = choices(items) {
        let options = Options::new(all);
        return match revision {
            Revision::V2025_06_18 => Kind::Listed(Parts::Choices(options)),
            _ => Kind::Several(options),
        };
    }
    let kind = items.get("type").and_then(|kind| kind.as_str());
    match kind.as_deref() {
        Some("string") => Kind::Listed(Parts::Texts),
        Some("number" | "integer") => Kind::Listed(Parts::Numbers),
        _ => Kind::Written,
    }
}
