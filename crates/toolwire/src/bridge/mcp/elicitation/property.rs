//! How a field stands in `requestedSchema` (ELI-12 to ELI-18).

use super::super::{Fate, Revision};
use super::field::{Field, Kind, Options, Parts};
use crate::base::json::{Kind as JsonKind, Node, ObjectWriter, array, string};

/// The formats that MCP knows (ELI-15).
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];
/// Maximum length of a keyword's value in a description, in bytes (ELI-16).
const MAX_HINT: usize = 200;
/// Maximum length of a schema or of a list of choices in a description, in bytes (ELI-16).
const MAX_SCHEMA: usize = 1000;

/// What the form is for.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub revision: Revision,
    /// Whether defaults may be sent.
    pub defaults: bool,
}

/// The property of a field, and what became of the question's default for it.
pub(super) fn property(
    field: &Field<'_>,
    given: Option<Node<'_>>,
    target: Target,
) -> (String, Option<Fate>) {
    let mut out = ObjectWriter::new();
    out.text("type", type_name(&field.kind));
    out.optional("title", field.text("title"));
    let mut hints = Vec::new();
    match &field.kind {
        Kind::Choice(options) => write_choices(&mut out, field.schema, options, target.revision),
        Kind::Several(options) => {
            let mut items = ObjectWriter::new();
            match options.titled {
                true => items.json("anyOf", titled(options)),
                false => items.text("type", "string").json("enum", texts(options)),
            };
            out.json("items", items.end());
        }
        Kind::Listed(parts) => hints.push(several(parts)),
        Kind::Written => hints.push(match field.schema.raw() {
            raw if raw.len() <= MAX_SCHEMA && !field.schema.is_empty() => {
                format!("JSON that fits {raw}")
            }
            _ => "JSON".to_owned(),
        }),
        _ => {}
    }
    for (keyword, value) in field.schema.members() {
        if is_sent(&field.kind, &keyword, value) {
            out.json(&keyword, value.raw());
        } else if let Some(words) = hint_of(&field.kind, &keyword) {
            hint(&mut hints, words, value);
        }
    }
    let own = || [field.own, field.schema].into_iter();
    let default = given.or_else(|| own().find_map(|schema| schema.get("default")));
    let (default, fate) = match default {
        Some(value) if target.defaults => written_default(field, value, target, &mut hints),
        _ => (None, Fate::Dropped),
    };
    let hints = hints.join("; ");
    let description = match field.text("description") {
        Some(text) if hints.is_empty() => Some(text.into_owned()),
        Some(text) if !text.is_empty() => Some(format!("{text} ({hints})")),
        _ => Some(hints).filter(|hints| !hints.is_empty()),
    };
    out.optional("description", description);
    out.optional_json("default", default);
    (out.end(), given.map(|_| fate))
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

/// Whether MCP has a keyword for this kind of field, with such a value.
fn is_sent(kind: &Kind, keyword: &str, value: Node<'_>) -> bool {
    // Peers read lengths into 32 bits and integers into 64, and refuse the whole request for a larger one.
    match (kind, keyword) {
        (Kind::Text, "minLength" | "maxLength") | (Kind::Several(_), "minItems" | "maxItems") => {
            value.as_u64().is_some_and(|n| u32::try_from(n).is_ok())
        }
        (Kind::Text, "format") => FORMATS.iter().any(|known| value.is_str(known)),
        (Kind::Number { integer: true }, "minimum" | "maximum") => value.as_i64().is_some(),
        (Kind::Number { .. }, "minimum" | "maximum") => value.kind() == JsonKind::Number,
        _ => false,
    }
}

/// The words for a keyword in a description (ELI-16).
fn hint_of(kind: &Kind, keyword: &str) -> Option<&'static str> {
    Some(match (kind, keyword) {
        (Kind::Text, "pattern") => "pattern",
        (Kind::Text, "format") => "format",
        (Kind::Number { .. }, "minimum") | (Kind::Listed(_), "minItems") => "at least",
        (Kind::Number { .. }, "maximum") | (Kind::Listed(_), "maxItems") => "at most",
        (Kind::Number { .. }, "exclusiveMinimum") => "more than",
        (Kind::Number { .. }, "exclusiveMaximum") => "less than",
        (Kind::Number { .. }, "multipleOf") => "a multiple of",
        _ => return None,
    })
}

/// Adds a hint, and returns whether it is short enough.
fn hint(hints: &mut Vec<String>, words: &str, value: Node<'_>) -> bool {
    let value = value.as_str().unwrap_or_else(|| value.raw().into());
    let fits = value.len() <= MAX_HINT;
    hints.extend(fits.then(|| format!("{words} {value}")));
    fits
}

/// A default as the property has it (ELI-17), and what became of it.
fn written_default(
    field: &Field<'_>,
    value: Node<'_>,
    target: Target,
    hints: &mut Vec<String>,
) -> (Option<String>, Fate) {
    if value.kind() == JsonKind::Null && field.nullable {
        return (None, Fate::Approximated);
    }
    let is_sent = target.revision > Revision::V2025_06_18 || matches!(field.kind, Kind::Boolean);
    match field.written(value) {
        Some(written) if is_sent && written == value.raw() => (Some(written), Fate::Kept),
        Some(written) if is_sent => (Some(written), Fate::Approximated),
        Some(_) if hint(hints, "default", value) => (None, Fate::Approximated),
        _ => (None, Fate::Dropped),
    }
}

/// The choices of a field (ELI-14).
fn write_choices(out: &mut ObjectWriter, schema: Node<'_>, options: &Options, revision: Revision) {
    // The older form of titles is legal in every revision: an author who wrote it gets it.
    let is_older = revision == Revision::V2025_06_18 || schema.get("enumNames").is_some();
    if options.titled && !is_older {
        out.json("oneOf", titled(options));
        return;
    }
    out.json("enum", texts(options));
    if options.titled {
        let labels = options.all.iter().map(|(_, choice)| string(&choice.label));
        out.json("enumNames", array(labels));
    }
}

fn texts(options: &Options) -> String {
    array(options.all.iter().map(|(text, _)| string(text)))
}

fn titled(options: &Options) -> String {
    array(options.all.iter().map(|(text, choice)| {
        let mut one = ObjectWriter::new();
        one.text("const", text).text("title", &choice.label).end()
    }))
}

/// How a list is written.
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
