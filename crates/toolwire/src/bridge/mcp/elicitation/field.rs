//! The fields of a form: which schema becomes which of the few that MCP knows, and how a value is
//! written into one and read out of it (ELI-12 to ELI-17, ELI-32).

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::Revision;
use crate::Json;
use crate::base::json::{Document, Kind as JsonKind, Node, array, string};
use crate::protocol::question::{Choice, choices, target};

/// One field of a form.
pub(super) struct Field<'a> {
    pub name: String,
    /// The schema as the question has it.
    pub own: Node<'a>,
    /// The schema behind references and without `null`.
    pub schema: Node<'a>,
    /// Whether the question requires a value.
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
        own: Node<'a>,
        root: Node<'a>,
        required: bool,
        revision: Revision,
    ) -> Self {
        let (schema, nullable, kind) = classify(target(own, root), root, revision);
        Field {
            name,
            own,
            schema,
            required,
            nullable,
            kind,
        }
    }

    /// A text about the field; one beside a reference takes precedence.
    pub(super) fn text(&self, keyword: &str) -> Option<Cow<'a, str>> {
        let mut schemas = [self.own, self.schema].into_iter();
        schemas.find_map(|schema| schema.get(keyword)?.as_str())
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

    /// The value that a field holds, as JSON text; `None` if it is left out.
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

/// The kind of a schema, and whether `null` fits beside it.
fn classify<'a>(schema: Node<'a>, root: Node<'a>, revision: Revision) -> (Node<'a>, bool, Kind) {
    if let Some(mut all) = choices(schema) {
        let is_null = |choice: &Choice| choice.value.as_str() == "null";
        let nullable = all.iter().any(is_null) && !all.iter().all(is_null);
        all.retain(|choice| !nullable || !is_null(choice));
        return (schema, nullable, Kind::Choice(Options::new(all)));
    }
    if let Some(other) = beside_null(schema, root) {
        let kind = match choices(other) {
            Some(all) => Kind::Choice(Options::new(all)),
            None => of_type(other, root, revision).0,
        };
        return (other, true, kind);
    }
    let (kind, nullable) = of_type(schema, root, revision);
    (schema, nullable, kind)
}

/// The other one of two alternatives, if one is `null`.
fn beside_null<'a>(schema: Node<'a>, root: Node<'a>) -> Option<Node<'a>> {
    // Further constraints beside the alternatives would be lost on the way.
    if schema.get("type").is_some() {
        return None;
    }
    let alternatives = schema.get("anyOf").or_else(|| schema.get("oneOf"))?;
    let all: Vec<_> = alternatives.elements().take(3).collect();
    let is_null = |one: &Node<'_>| one.get("type").is_some_and(|kind| kind.is_str("null"));
    match &all[..] {
        [null, other] | [other, null] if is_null(null) && !is_null(other) => {
            Some(target(*other, root))
        }
        _ => None,
    }
}

/// The kind of a schema by its type, and whether `null` is another type.
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
    let items = target(items, root);
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
