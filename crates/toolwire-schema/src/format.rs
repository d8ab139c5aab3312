//! The formats that are checked, each as the validator checks it that most of Rust uses.

use std::sync::OnceLock;

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use crate::budget::{Allowance, Stop};

/// Those that are checked, and whether that may take longer with each character.
const FORMATS: [(&str, bool); 17] = [
    ("date", false),
    ("date-time", false),
    ("duration", false),
    ("email", true),
    ("hostname", true),
    ("ipv4", false),
    ("ipv6", false),
    ("iri", true),
    ("iri-reference", true),
    ("json-pointer", false),
    ("regex", true),
    ("relative-json-pointer", false),
    ("time", false),
    ("uri", false),
    ("uri-reference", false),
    ("uri-template", false),
    ("uuid", false),
];

/// Whether a string is in a format. Any other format says nothing.
pub(crate) fn holds(format: &str, value: &Value, allowance: &mut Allowance) -> Result<bool, Stop> {
    static VALIDATORS: [OnceLock<Option<Validator>>; FORMATS.len()] =
        [const { OnceLock::new() }; FORMATS.len()];
    let Some(text) = value.as_str() else {
        return Ok(true);
    };
    let Some(index) = FORMATS.iter().position(|(name, _)| *name == format) else {
        return Ok(true);
    };
    let length = text.len() as u64;
    allowance.step(20 + length)?;
    if FORMATS[index].1 {
        allowance.step(length.saturating_mul(length) / 64)?;
    }
    // The schema of a validator is one keyword here, so that what it does is known beforehand.
    let make = || {
        let options = jsonschema::options().with_draft(Draft::Draft202012);
        options
            .should_validate_formats(true)
            .build(&json!({ "format": format }))
            .ok()
    };
    let validator = VALIDATORS[index].get_or_init(make);
    Ok(validator
        .as_ref()
        .is_none_or(|validator| validator.is_valid(value)))
}
