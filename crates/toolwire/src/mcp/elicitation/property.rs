//! How a field stands in `requestedSchema`, and what became of each keyword of its schema (ELI-12 to
//! ELI-19).

use super::super::{Fate, LossReport, Revision};
use super::field::{Field, Kind, Options, Part, Parts};
use crate::json::{Kind as JsonKind, Node, ObjectWriter, array, pointer, string};

/// The formats that a form knows.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];
/// The longest value of a keyword that the description says, and the longest schema, in bytes.
const MOST_SAID: usize = 200;
const MOST_SCHEMA: usize = 1000;

pub(super) const LATER: &str = "the form does not say it, and the answer is checked against it";
const SAID: &str = "the description says it";
const LEFT_OUT: &str = "leaving the field out stands for `null`";
pub(super) const REFERENCE: &str = "what it refers to stands in its place";
const AS_JSON: &str = "a text that holds JSON";
const AS_LIST: &str = "a text that holds the parts of the list";
const TITLED: &str = "the choices and their titles stand in `oneOf`";
const NAMED: &str = "the choices stand in `enum`, their titles in `enumNames`";
const LISTED: &str = "the choices stand in `enum`";

/// A default that the question itself has for a field.
pub(super) struct Given<'a> {
    pub value: Node<'a>,
    pub pointer: String,
}

/// For whom a property is written.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub revision: Revision,
    /// Whether defaults may be shown: a secret has none (ELI-4).
    pub defaults: bool,
}

/// The property of a field, as JSON text.
pub(super) fn property(
    field: &Field<'_>,
    given: Option<Given<'_>>,
    target: Target,
    report: &mut LossReport,
) -> String {
    let mut writer = Writer {
        field,
        target,
        report,
        members: ObjectWriter::new(),
        hints: Vec::new(),
    };
    writer.members.text("type", type_name(&field.kind));
    let description = field.said("description").map(|said| said.node.as_str());
    writer.keywords();
    let default = writer.default(given);
    let hints = std::mem::take(&mut writer.hints).join("; ");
    let text = match description.flatten() {
        Some(text) if hints.is_empty() => Some(text.into_owned()),
        Some(text) if !text.is_empty() => Some(format!("{text} ({hints})")),
        _ => Some(hints.clone()).filter(|hints| !hints.is_empty()),
    };
    if let Some(said) = field.said("description").filter(|_| !hints.is_empty())
        && said.node.kind() == JsonKind::String
    {
        writer.add(said.pointer, Fate::Approximated, "it says more than it did");
    }
    writer.members.optional("description", text);
    writer.members.optional_json("default", default);
    writer.members.end()
}

fn type_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Boolean => "boolean",
        Kind::Number { integer: true } => "integer",
        Kind::Number { integer: false } => "number",
        Kind::Several(_) => "array",
        Kind::Text | Kind::Choice(_) | Kind::Listed(_) | Kind::Written => "string",
    }
}

struct Writer<'w, 'a> {
    field: &'w Field<'a>,
    target: Target,
    report: &'w mut LossReport,
    members: ObjectWriter,
    /// What the description says besides.
    hints: Vec<String>,
}

impl Writer<'_, '_> {
    /// Writes each keyword of the field's schema.
    fn keywords(&mut self) {
        let (outer, inner) = (&self.field.outer, &self.field.inner);
        if outer.pointer != inner.pointer {
            for (name, node) in outer.node.members() {
                let place = pointer::join(&outer.pointer, &name);
                match name.as_ref() {
                    "title" | "description" => self.said(&name, node, place),
                    "$ref" => self.add(place, Fate::Approximated, REFERENCE),
                    "anyOf" | "oneOf" => self.add(place, Fate::Approximated, LEFT_OUT),
                    "default" | "$defs" | "definitions" => {}
                    _ => self.add(place, Fate::Dropped, LATER),
                }
            }
        }
        if matches!(self.field.kind, Kind::Listed(_) | Kind::Written) {
            return self.written(inner);
        }
        match &self.field.kind {
            Kind::Choice(options) => self.choices(options),
            Kind::Several(options) => self.items(options),
            _ => {}
        }
        for (name, node) in inner.node.members() {
            let place = pointer::join(&inner.pointer, &name);
            match name.as_ref() {
                "title" | "description" => {
                    let beside = outer.pointer != inner.pointer && outer.node.get(&name).is_some();
                    match beside {
                        true => {
                            self.add(place, Fate::Dropped, "another stands beside the reference")
                        }
                        false => self.said(&name, node, place),
                    }
                }
                "type" if self.field.nullable && node.kind() == JsonKind::Array => {
                    self.add(place, Fate::Approximated, LEFT_OUT);
                }
                "type" if node.kind() == JsonKind::Array => {
                    self.add(place, Fate::Approximated, "a list of one type is that type");
                }
                "type" if !node.is_str(type_name(&self.field.kind)) => {
                    self.add(place, Fate::Approximated, "the choices are given as texts");
                }
                "type" => self.add(place, Fate::Kept, ""),
                "default" | "$defs" | "definitions" => {}
                _ => self.keyword(&name, node, place),
            }
        }
    }

    fn keyword(&mut self, name: &str, node: Node<'_>, place: String) {
        let integer = matches!(self.field.kind, Kind::Number { integer: true });
        match (&self.field.kind, name) {
            (Kind::Text, "minLength" | "maxLength") if node.as_u64().is_some_and(is_short) => {
                self.keep(name, node, place);
            }
            (Kind::Text, "format") if FORMATS.iter().any(|known| node.is_str(known)) => {
                self.keep(name, node, place);
            }
            (Kind::Number { .. }, "minimum" | "maximum")
                if node.kind() == JsonKind::Number && (!integer || node.as_i64().is_some()) =>
            {
                self.keep(name, node, place);
            }
            (Kind::Several(_), "minItems" | "maxItems") if node.as_u64().is_some_and(is_short) => {
                self.keep(name, node, place);
            }
            (Kind::Several(_), "uniqueItems") => {
                self.add(
                    place,
                    Fate::Approximated,
                    "a choice is made once or not at all",
                );
            }
            (Kind::Text, "pattern" | "format") => self.hint(name, node, place),
            (
                Kind::Number { .. },
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
            ) => {
                self.hint(name, node, place);
            }
            (Kind::Several(options), "items") => {
                let kept = is_kept(node, options, self.target.revision, true);
                self.listed(place, kept);
            }
            (Kind::Choice(options), "enum" | "const" | "oneOf" | "anyOf")
                if name == source(self.field.inner.node) =>
            {
                let kept = is_kept(self.field.inner.node, options, self.target.revision, false);
                self.listed(place, kept);
            }
            (Kind::Choice(options), "enumNames")
                if options.titled && source(self.field.inner.node) == "enum" =>
            {
                let kept = is_kept(self.field.inner.node, options, self.target.revision, false);
                self.listed(place, kept);
            }
            _ => self.add(place, Fate::Dropped, LATER),
        }
    }

    /// Writes the choices of one.
    fn choices(&mut self, options: &Options) {
        let revision = self.target.revision;
        let own = self.field.inner.node;
        let own = is_kept(own, options, revision, false).then_some(own);
        // What is kept keeps its spelling too.
        let raw = |name: &str| Some(own?.get(name)?.raw().to_owned());
        let texts = || array(options.all.iter().map(|(text, _)| string(text)));
        // The older form of titles is legal in every revision: who wrote it gets it.
        let named = source(self.field.inner.node) == "enum" && raw("enumNames").is_some();
        if options.titled && revision > Revision::V2025_06_18 && !named {
            let all = raw("oneOf").unwrap_or_else(|| titled(options));
            self.members.json("oneOf", all);
            return;
        }
        self.members.json("enum", raw("enum").unwrap_or_else(texts));
        if options.titled {
            let labels = || options.all.iter().map(|(_, choice)| string(&choice.label));
            let names = raw("enumNames").unwrap_or_else(|| array(labels()));
            self.members.json("enumNames", names);
        }
    }

    /// Writes the choices of several.
    fn items(&mut self, options: &Options) {
        let own = self.field.inner.node.get("items");
        if let Some(own) = own.filter(|own| is_kept(*own, options, self.target.revision, true)) {
            self.members.json("items", own.raw());
            return;
        }
        let mut items = ObjectWriter::new();
        if options.titled {
            items.json("anyOf", titled(options));
        } else {
            let texts = options.all.iter().map(|(text, _)| string(text));
            items.text("type", "string").json("enum", array(texts));
        }
        self.members.json("items", items.end());
    }

    /// Reports a keyword that lists the choices.
    fn listed(&mut self, place: String, kept: bool) {
        let titled = match &self.field.kind {
            Kind::Choice(options) | Kind::Several(options) => options.titled,
            _ => false,
        };
        let how = match (titled, self.target.revision) {
            (false, _) => LISTED,
            (true, Revision::V2025_06_18) => NAMED,
            (true, _) => TITLED,
        };
        match kept {
            true => self.add(place, Fate::Kept, ""),
            false => self.add(place, Fate::Approximated, how),
        }
    }

    /// A schema that no field expresses.
    fn written(&mut self, inner: &Part<'_>) {
        for name in ["title", "description"] {
            let own = format!("{}/{name}", inner.pointer);
            if let Some(part) = self.field.said(name).filter(|part| part.pointer == own) {
                self.said(name, part.node, part.pointer);
            }
        }
        let raw = inner.node.raw();
        let (why, hint) = match &self.field.kind {
            Kind::Listed(parts) => (AS_LIST, several(parts)),
            _ if raw.len() <= MOST_SCHEMA && !inner.node.is_empty() => {
                (AS_JSON, format!("JSON that fits {raw}"))
            }
            _ => (AS_JSON, "JSON".to_owned()),
        };
        self.add(inner.pointer.clone(), Fate::Approximated, why);
        self.hints.push(hint);
        if matches!(self.field.kind, Kind::Listed(_)) {
            for name in ["minItems", "maxItems"] {
                let place = format!("{}/{name}", inner.pointer);
                if let Some(node) = inner.node.get(name) {
                    self.hint(name, node, place);
                }
            }
        }
    }

    /// A text for a person.
    fn said(&mut self, name: &str, node: Node<'_>, place: String) {
        if node.as_str().is_none() {
            return self.add(place, Fate::Dropped, "it is no string");
        }
        if name == "title" {
            self.members.json(name, node.raw());
        }
        self.add(place, Fate::Kept, "");
    }

    fn keep(&mut self, name: &str, node: Node<'_>, place: String) {
        self.members.json(name, node.raw());
        self.add(place, Fate::Kept, "");
    }

    /// Lets the description say what no keyword can.
    fn hint(&mut self, name: &str, node: Node<'_>, place: String) {
        let value = node.as_str().unwrap_or_else(|| node.raw().into());
        if value.len() > MOST_SAID {
            return self.add(place, Fate::Dropped, LATER);
        }
        let words = match name {
            "exclusiveMinimum" => "more than",
            "exclusiveMaximum" => "less than",
            "minimum" | "minItems" => "at least",
            "maximum" | "maxItems" => "at most",
            "multipleOf" => "a multiple of",
            other => other,
        };
        self.hints.push(format!("{words} {value}"));
        self.add(place, Fate::Approximated, SAID);
    }

    /// The value that the field begins with, as it stands in the property.
    fn default(&mut self, given: Option<Given<'_>>) -> Option<String> {
        let own = self.field.said("default");
        let (value, place) = match (given, own) {
            (Some(given), own) => {
                if let Some(own) = own {
                    let why = "the question has a default of its own";
                    self.add(own.pointer, Fate::Dropped, why);
                }
                (given.value, given.pointer)
            }
            (None, Some(own)) => (own.node, own.pointer),
            (None, None) => return None,
        };
        if !self.target.defaults {
            self.add(place, Fate::Dropped, "a secret has no default");
            return None;
        }
        if value.kind() == JsonKind::Null && self.field.nullable {
            self.add(place, Fate::Approximated, LEFT_OUT);
            return None;
        }
        let Some(written) = self.field.written(value) else {
            self.add(place, Fate::Dropped, "the field cannot have it");
            return None;
        };
        let boolean = matches!(self.field.kind, Kind::Boolean);
        if self.target.revision == Revision::V2025_06_18 && !boolean {
            self.hint("default", value, place);
            return None;
        }
        match written == value.raw() {
            true => self.add(place, Fate::Kept, ""),
            false => self.add(place, Fate::Approximated, "it is given as a text"),
        }
        Some(written)
    }

    fn add(&mut self, place: String, fate: Fate, reason: &str) {
        self.report.add(place, fate, reason);
    }
}

/// The keyword that lists the choices of a schema.
fn source(holder: Node<'_>) -> &'static str {
    let known = ["enum", "const", "oneOf", "anyOf"];
    let found = known.into_iter().find(|name| holder.get(name).is_some());
    found.unwrap_or_default()
}

/// Whether a form can have the choices as they are listed. Beside those of several nothing else may stand.
fn is_kept(holder: Node<'_>, options: &Options, revision: Revision, several: bool) -> bool {
    if !options.plain {
        return false;
    }
    let all = |list: Node<'_>, is: &dyn Fn(Node<'_>) -> bool| {
        list.len() == options.all.len() && list.elements().all(is)
    };
    let text = |node: Node<'_>| node.kind() == JsonKind::String;
    let titled = |one: Node<'_>| one.len() == 2 && one.get("title").is_some_and(text);
    let names = || {
        holder
            .get("enumNames")
            .is_some_and(|names| all(names, &text))
    };
    let typed = || holder.get("type").is_some_and(|kind| kind.is_str("string"));
    match (source(holder), several) {
        ("enum", false) => {
            let listed = holder.get("enum").is_some_and(|list| all(list, &text));
            listed && (!options.titled || names())
        }
        ("oneOf", false) => {
            let listed = holder.get("oneOf").is_some_and(|list| all(list, &titled));
            listed && options.titled && revision > Revision::V2025_06_18
        }
        ("enum", true) => {
            let listed = holder.get("enum").is_some_and(|list| all(list, &text));
            listed && !options.titled && typed() && holder.len() == 2
        }
        ("anyOf", true) => {
            let listed = holder.get("anyOf").is_some_and(|list| all(list, &titled));
            listed && options.titled && holder.len() == 1
        }
        _ => false,
    }
}

/// What peers read into 32 bits.
fn is_short(length: u64) -> bool {
    u32::try_from(length).is_ok()
}

fn titled(options: &Options) -> String {
    array(options.all.iter().map(|(text, choice)| {
        let mut one = ObjectWriter::new();
        one.text("const", text).text("title", &choice.label);
        one.end()
    }))
}

/// How a list is written, and of what.
fn several(parts: &Parts) -> String {
    let how = "separated by commas, or as a JSON array";
    if let Parts::Choices(options) = parts {
        let all = options
            .all
            .iter()
            .map(|(text, choice)| match options.titled {
                true => format!("{text} ({})", choice.label),
                false => text.clone(),
            });
        let all = all.collect::<Vec<_>>().join(", ");
        if all.len() <= MOST_SCHEMA {
            return format!("several of {all}, {how}");
        }
    }
    format!("several, {how}")
}
