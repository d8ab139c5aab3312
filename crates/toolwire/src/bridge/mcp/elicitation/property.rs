//! How a field stands in `requestedSchema`, and what became of each keyword of its schema (ELI-12 to
//! ELI-18).

use super::super::{Fate, LossReport, Revision};
use super::field::{Field, Kind, Options, Parts};
use crate::Json;
use crate::base::json::{Kind as JsonKind, Node, ObjectWriter, Place, array, string};

/// The formats that a form knows.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];
/// Maximum length of a value of a keyword that the description says, and of a schema, in bytes.
const MAX_SAID: usize = 200;
const MAX_SCHEMA: usize = 1000;

pub(super) const LATER: &str = "the form does not say it, and the answer is checked against it";
const LEFT_OUT: &str = "leaving the field out stands for `null`";
pub(super) const REFERENCE: &str = "what it refers to stands in its place";
const AS_JSON: &str = "a text that holds JSON";
const NAMED: &str = "the choices stand in `enum`, their titles in `enumNames`";

/// For whom a property is written.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub revision: Revision,
    /// Whether defaults may be shown: a secret has none (ELI-4).
    pub defaults: bool,
}

/// The property of a field, as JSON text. `given` is a default that the question itself has for it.
pub(super) fn property(
    field: &Field<'_>,
    given: Option<Place<'_>>,
    target: Target,
    report: &mut LossReport,
) -> String {
    let mut writer = Writer {
        field,
        target,
        report,
        members: ObjectWriter::new(),
        kept: Vec::new(),
        hints: Vec::new(),
    };
    writer.members.text("type", type_name(&field.kind));
    writer.keywords();
    let default = writer.default(given);
    let hints = std::mem::take(&mut writer.hints).join("; ");
    let said = field.said("description");
    let text = said.as_ref().and_then(|said| said.node.as_str());
    if let (Some(_), Some(said), false) = (&text, &said, hints.is_empty()) {
        writer.add(said, Fate::Approximated, "it says more than it did");
    }
    let text = match text {
        Some(text) if hints.is_empty() => Some(text.into_owned()),
        Some(text) if !text.is_empty() => Some(format!("{text} ({hints})")),
        _ => Some(hints).filter(|hints| !hints.is_empty()),
    };
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
    /// The lists of choices that are written as the schema has them.
    kept: Vec<&'static str>,
    /// What the description says besides.
    hints: Vec<String>,
}

impl Writer<'_, '_> {
    /// Writes each keyword of the field's schema.
    fn keywords(&mut self) {
        let field = self.field;
        let (outer, inner) = (&field.outer, &field.inner);
        let is_behind = outer.pointer() != inner.pointer();
        for (name, place) in outer.members().filter(|_| is_behind) {
            let (fate, why) = match name.as_ref() {
                "title" | "description" => {
                    self.said(&name, &place);
                    continue;
                }
                "$ref" => (Fate::Approximated, REFERENCE),
                "anyOf" | "oneOf" => (Fate::Approximated, LEFT_OUT),
                "default" | "$defs" | "definitions" => continue,
                _ => (Fate::Dropped, LATER),
            };
            self.add(&place, fate, why);
        }
        match &field.kind {
            Kind::Listed(_) | Kind::Written => return self.written(),
            Kind::Choice(options) => self.choices(options),
            Kind::Several(options) => self.items(options),
            _ => {}
        }
        for (name, place) in inner.members() {
            let is_list = place.node.kind() == JsonKind::Array;
            let (fate, why) = match name.as_ref() {
                "title" | "description" if is_behind && outer.node.get(&name).is_some() => {
                    (Fate::Dropped, "another stands beside the reference")
                }
                "title" | "description" => {
                    self.said(&name, &place);
                    continue;
                }
                "type" if field.nullable && is_list => (Fate::Approximated, LEFT_OUT),
                "type" if is_list => (Fate::Approximated, "a list of one type is that type"),
                "type" if !place.node.is_str(type_name(&field.kind)) => {
                    (Fate::Approximated, "the choices are given as texts")
                }
                "type" => (Fate::Kept, ""),
                "default" | "$defs" | "definitions" => continue,
                _ => {
                    self.keyword(&name, &place);
                    continue;
                }
            };
            self.add(&place, fate, why);
        }
    }

    fn keyword(&mut self, name: &str, place: &Place<'_>) {
        let (node, field) = (place.node, self.field);
        // What peers read into 32 bits.
        let is_short = || {
            node.as_u64()
                .is_some_and(|length| u32::try_from(length).is_ok())
        };
        // And into 64.
        let is_number = |integer: bool| match integer {
            true => node.as_i64().is_some(),
            false => node.kind() == JsonKind::Number,
        };
        match (&field.kind, name) {
            (Kind::Text, "minLength" | "maxLength")
            | (Kind::Several(_), "minItems" | "maxItems")
                if is_short() =>
            {
                self.keep(name, place);
            }
            (Kind::Text, "format") if FORMATS.iter().any(|known| node.is_str(known)) => {
                self.keep(name, place);
            }
            (Kind::Number { integer }, "minimum" | "maximum") if is_number(*integer) => {
                self.keep(name, place);
            }
            (Kind::Text, "pattern" | "format") => self.hint(name, place),
            (Kind::Number { .. }, "minimum" | "maximum" | "multipleOf")
            | (Kind::Number { .. }, "exclusiveMinimum" | "exclusiveMaximum") => {
                self.hint(name, place);
            }
            (Kind::Several(_), "uniqueItems") => {
                self.add(
                    place,
                    Fate::Approximated,
                    "a choice is made once or not at all",
                );
            }
            (Kind::Several(options), "items") => self.listed(name, place, options),
            (Kind::Choice(options), _) if lists(field.inner.node, name, options) => {
                self.listed(name, place, options);
            }
            _ => self.add(place, Fate::Dropped, LATER),
        }
    }

    /// Writes the choices of one.
    fn choices(&mut self, options: &Options) {
        let own = self.field.inner.node;
        let texts = array(options.all.iter().map(|(text, _)| string(text)));
        let labels = array(options.all.iter().map(|(_, choice)| string(&choice.label)));
        let is_titled = options.titled;
        let is_named = says(own, "enumNames", &labels);
        let is_kept = says(own, "enum", &texts) && (is_named || !is_titled);
        // The older form of titles is legal in every revision: who wrote it gets it.
        if is_titled && self.target.revision > Revision::V2025_06_18 && !is_kept {
            let json = titled(options);
            let is_kept = says(own, "oneOf", &json);
            return self.list("oneOf", json, is_kept);
        }
        self.list("enum", texts, is_kept);
        if is_titled {
            self.list("enumNames", labels, is_kept);
        }
    }

    /// Writes the choices of several.
    fn items(&mut self, options: &Options) {
        let mut items = ObjectWriter::new();
        if options.titled {
            items.json("anyOf", titled(options));
        } else {
            let texts = options.all.iter().map(|(text, _)| string(text));
            items.text("type", "string").json("enum", array(texts));
        }
        let json = items.end();
        let is_kept = says(self.field.inner.node, "items", &json);
        self.list("items", json, is_kept);
    }

    /// Writes a list of choices. What says the same in the schema keeps its spelling.
    fn list(&mut self, name: &'static str, json: String, is_kept: bool) {
        let own = self.field.inner.node.get(name).filter(|_| is_kept);
        self.kept.extend(own.map(|_| name));
        self.members
            .json(name, own.map_or(json.as_str(), |own| own.raw()));
    }

    /// Reports a keyword that lists the choices.
    fn listed(&mut self, name: &str, place: &Place<'_>, options: &Options) {
        let (fate, why) = match (options.titled, self.target.revision) {
            _ if self.kept.contains(&name) => (Fate::Kept, ""),
            (false, _) => (Fate::Approximated, "the choices stand in `enum`"),
            (true, Revision::V2025_06_18) => (Fate::Approximated, NAMED),
            (true, _) => (
                Fate::Approximated,
                "the choices and their titles stand in `oneOf`",
            ),
        };
        self.add(place, fate, why);
    }

    /// A schema that no field expresses.
    fn written(&mut self) {
        let field = self.field;
        let inner = &field.inner;
        let is_behind = field.outer.pointer() != inner.pointer();
        for name in ["title", "description"] {
            let hidden = is_behind && field.outer.node.get(name).is_some();
            if let (Some(place), false) = (inner.member(name), hidden) {
                self.said(name, &place);
            }
        }
        let raw = inner.node.raw();
        let (why, hint) = match &field.kind {
            Kind::Listed(parts) => ("a text that holds the parts of the list", several(parts)),
            _ if raw.len() <= MAX_SCHEMA && !inner.node.is_empty() => {
                (AS_JSON, format!("JSON that fits {raw}"))
            }
            _ => (AS_JSON, "JSON".to_owned()),
        };
        self.add(inner, Fate::Approximated, why);
        self.hints.push(hint);
        if matches!(field.kind, Kind::Listed(_)) {
            for name in ["minItems", "maxItems"] {
                if let Some(place) = inner.member(name) {
                    self.hint(name, &place);
                }
            }
        }
    }

    /// A text for a person.
    fn said(&mut self, name: &str, place: &Place<'_>) {
        if place.node.as_str().is_none() {
            return self.add(place, Fate::Dropped, "it is no string");
        }
        if name == "title" {
            self.members.json(name, place.node.raw());
        }
        self.add(place, Fate::Kept, "");
    }

    fn keep(&mut self, name: &str, place: &Place<'_>) {
        self.members.json(name, place.node.raw());
        self.add(place, Fate::Kept, "");
    }

    /// Lets the description say what no keyword can.
    fn hint(&mut self, name: &str, place: &Place<'_>) {
        let value = place
            .node
            .as_str()
            .unwrap_or_else(|| place.node.raw().into());
        if value.len() > MAX_SAID {
            return self.add(place, Fate::Dropped, LATER);
        }
        let words = words_of(name).unwrap_or(name);
        self.hints.push(format!("{words} {value}"));
        self.add(place, Fate::Approximated, "the description says it");
    }

    /// The value that the field begins with, as it stands in the property.
    fn default(&mut self, given: Option<Place<'_>>) -> Option<String> {
        let own = self.field.said("default");
        if let (Some(_), Some(own)) = (&given, &own) {
            self.add(own, Fate::Dropped, "the question has a default of its own");
        }
        let given = given.or(own)?;
        let value = given.node;
        let written = self.field.written(value);
        let (fate, why) = if !self.target.defaults {
            (Fate::Dropped, "a secret has no default")
        } else if value.kind() == JsonKind::Null && self.field.nullable {
            (Fate::Approximated, LEFT_OUT)
        } else if written.is_none() {
            (Fate::Dropped, "the field cannot have it")
        } else if self.target.revision == Revision::V2025_06_18
            && !matches!(self.field.kind, Kind::Boolean)
        {
            self.hint("default", &given);
            return None;
        } else {
            match written.as_deref() == Some(value.raw()) {
                true => self.add(&given, Fate::Kept, ""),
                false => self.add(&given, Fate::Approximated, "it is given as a text"),
            }
            return written;
        };
        self.add(&given, fate, why);
        None
    }

    fn add(&mut self, place: &Place<'_>, fate: Fate, reason: &str) {
        self.report.add(place.pointer(), fate, reason);
    }
}

/// How a description names a bound.
fn words_of(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "exclusiveMinimum" => "more than",
        "exclusiveMaximum" => "less than",
        "minimum" | "minItems" => "at least",
        "maximum" | "maxItems" => "at most",
        "multipleOf" => "a multiple of",
        _ => return None,
    })
}

/// Whether a keyword lists the choices of a schema, or their titles.
fn lists(schema: Node<'_>, keyword: &str, options: &Options) -> bool {
    let known = ["enum", "const", "oneOf", "anyOf"];
    let source = known.into_iter().find(|name| schema.get(name).is_some());
    let names_titles = keyword == "enumNames" && options.titled && source == Some("enum");
    names_titles || source == Some(keyword)
}

/// Whether a member of a schema means this JSON.
fn says(schema: Node<'_>, name: &str, json: &str) -> bool {
    let own = schema.get(name).map(Json::from);
    own.is_some_and(|own| own.exact() == Json::written(json.to_owned()).exact())
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
        let all = options.all.iter();
        let all = all.map(|(text, choice)| match options.titled {
            true => format!("{text} ({})", choice.label),
            false => text.clone(),
        });
        let all = all.collect::<Vec<_>>().join(", ");
        if all.len() <= MAX_SCHEMA {
            return format!("several of {all}, {how}");
        }
    }
    format!("several, {how}")
}
