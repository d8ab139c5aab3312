//! A mismatch in plain words, without ever quoting a huge value.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::types::JsonType;
use jsonschema::{ValidationError, paths::LocationSegment};
use serde_json::Value;

use crate::{Mismatch, meant};
use toolwire::json::pointer::push;

/// The most characters of a value that are quoted.
const QUOTED: usize = 40;
/// Of more values than this only the number is told.
const LISTED: usize = 10;

/// Tells an error of the validator: usually one mismatch, more where it is about several places.
pub(crate) fn tell(root: &Value, error: &ValidationError<'_>, found: &mut Vec<Mismatch>) {
    let pointer = error.instance_path().as_str();
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let message = format!("{} is missing", subject(error, Some(name)));
            found.push(Mismatch {
                pointer: below(pointer, name),
                message,
            });
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                let predicate = match found.len() < meant::SUGGESTED {
                    true => not_expected(root, error, name),
                    false => "is not expected".to_owned(),
                };
                let message = format!("{} {predicate}", subject(error, Some(name)));
                found.push(Mismatch {
                    pointer: below(pointer, name),
                    message,
                });
            }
        }
        Kind::PropertyNames { error: inner } => {
            let name = inner.instance().as_str().unwrap_or_default();
            let message = format!(
                "{} has a name that is not allowed",
                subject(error, Some(name))
            );
            found.push(Mismatch {
                pointer: below(pointer, name),
                message,
            });
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => match meant(error, context) {
            Some(branch) => branch.iter().for_each(|error| tell(root, error, found)),
            None => found.push(here(error, "fits none of the alternatives")),
        },
        _ => found.push(here(error, &predicate(error))),
    }
}

/// The alternative that the value is most likely meant for: the only one that is not wrong about the
/// value as a whole.
fn meant<'e>(
    error: &ValidationError<'_>,
    branches: &'e [Vec<ValidationError<'static>>],
) -> Option<&'e [ValidationError<'static>]> {
    let about_whole = |inner: &ValidationError<'_>| {
        inner.instance_path() == error.instance_path()
            && matches!(
                inner.kind(),
                Kind::Type { .. } | Kind::Enum { .. } | Kind::Constant { .. }
            )
    };
    let tag_differs = |inner: &ValidationError<'_>| matches!(inner.kind(), Kind::Constant { .. });
    let mut close = branches.iter().filter(|branch| {
        !branch
            .iter()
            .any(|inner| about_whole(inner) || tag_differs(inner))
    });
    match (close.next(), close.next()) {
        (Some(branch), None) if !branch.is_empty() => Some(branch),
        _ => None,
    }
}

/// What is wrong with a member that is too much.
fn not_expected(root: &Value, error: &ValidationError<'_>, name: &str) -> String {
    let keyword = error.schema_path().as_str();
    let (schema, _) = keyword.rsplit_once('/').unwrap_or_default();
    match root.pointer(schema).and_then(Value::as_object) {
        Some(schema) => meant::not_expected(root, schema, error.instance(), name),
        None => "is not expected".to_owned(),
    }
}

fn here(error: &ValidationError<'_>, predicate: &str) -> Mismatch {
    Mismatch {
        pointer: error.instance_path().as_str().to_owned(),
        message: format!("{} {predicate}", subject(error, None)),
    }
}

fn below(pointer: &str, name: &str) -> String {
    let mut pointer = pointer.to_owned();
    push(&mut pointer, name);
    pointer
}

/// What the mismatch is about, such as `` `author.tags[0]` ``.
fn subject(error: &ValidationError<'_>, member: Option<&str>) -> String {
    let mut path = String::new();
    let add = |path: &mut String, name: &str| {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(name);
    };
    for segment in error.instance_path().segments() {
        match segment {
            LocationSegment::Index(index) => path.push_str(&format!("[{index}]")),
            LocationSegment::Property(name) => add(&mut path, &name),
        }
    }
    if let Some(name) = member {
        add(&mut path, name);
    }
    match path.as_str() {
        "" => "the value".to_owned(),
        path => format!("`{}`", brief(path, 80)),
    }
}

/// What is wrong with the value.
fn predicate(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    let not = || format!("not {}", quoted(value));
    match error.kind() {
        Kind::Type { kind } => {
            let names: Vec<&str> = match kind {
                TypeKind::Single(kind) => vec![type_name(*kind)],
                TypeKind::Multiple(kinds) => kinds.iter().map(type_name).collect(),
            };
            format!("must be {}, {}", names.join(" or "), not())
        }
        Kind::Enum { options } => match options.as_array().map(Vec::as_slice) {
            Some(options) if options.len() <= LISTED => {
                let options: Vec<String> = options.iter().map(quoted).collect();
                format!("must be {}, {}", options.join(" or "), not())
            }
            options => {
                let count = options.map_or(0, <[Value]>::len);
                format!("must be one of the {count} values that are allowed")
            }
        },
        Kind::Constant { expected_value } => {
            format!("must be {}, {}", quoted(expected_value), not())
        }
        Kind::Minimum { limit } => format!("must be at least {limit}, {}", not()),
        Kind::Maximum { limit } => format!("must be at most {limit}, {}", not()),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}, {}", not()),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}, {}", not()),
        Kind::MultipleOf { multiple_of } => {
            format!("must be a multiple of {multiple_of}, {}", not())
        }
        Kind::MinLength { limit } => counted("at least", *limit, "character", value),
        Kind::MaxLength { limit } => counted("at most", *limit, "character", value),
        Kind::MinItems { limit } => counted("at least", *limit, "element", value),
        Kind::MaxItems { limit } => counted("at most", *limit, "element", value),
        Kind::MinProperties { limit } => counted("at least", *limit, "member", value),
        Kind::MaxProperties { limit } => counted("at most", *limit, "member", value),
        Kind::Pattern { pattern } => {
            format!(
                "does not match the pattern `{}`, as {} should",
                brief(pattern, 80),
                quoted(value)
            )
        }
        Kind::Format { format } => format!("must be {}, {}", format_name(format), not()),
        Kind::UniqueItems => "has an element twice".to_owned(),
        Kind::Contains => "has too few or too many of the elements that it must contain".to_owned(),
        Kind::FalseSchema => "is not expected".to_owned(),
        Kind::Not { .. } => "is what it must not be".to_owned(),
        Kind::AdditionalItems { .. } | Kind::UnevaluatedItems { .. } => {
            "has more elements than are expected".to_owned()
        }
        Kind::OneOfMultipleValid { .. } => "fits more than one of the alternatives".to_owned(),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "takes too long to be matched with its pattern".to_owned()
        }
        _ => "does not fit".to_owned(),
    }
}

fn counted(bound: &str, limit: u64, what: &str, value: &Value) -> String {
    let count = match value {
        Value::String(text) => text.chars().count(),
        Value::Array(elements) => elements.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    let plural = if limit == 1 { "" } else { "s" };
    format!("must have {bound} {limit} {what}{plural}, not {count}")
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn format_name(format: &str) -> String {
    match format {
        "date" => "a date such as `2025-01-31`".to_owned(),
        "date-time" => "a date and time such as `2025-01-31T12:00:00Z`".to_owned(),
        "time" => "a time such as `12:00:00Z`".to_owned(),
        "email" => "an e-mail address".to_owned(),
        "uri" => "a URI such as `https://example.org/`".to_owned(),
        "uuid" => "a UUID".to_owned(),
        "regex" => "a regular expression".to_owned(),
        other => format!("in the format `{}`", brief(other, QUOTED)),
    }
}

/// A value in backticks, or what it is if it is no simple one.
fn quoted(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        simple => format!("`{}`", brief(&simple.to_string(), QUOTED)),
    }
}

/// A text of at most so many characters.
pub(crate) fn brief(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
