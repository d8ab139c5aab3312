//! A law of the formats of JSON Schema: a text is in one exactly if another validator says so.

use std::sync::LazyLock;

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use toolwire::Json;
use toolwire_schema::{Allowance, CheckError};

/// The formats that are checked (Q-43).
const FORMATS: [&str; 17] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// A mistake of the other validator, or something that only it judges.
struct Exception {
    /// Our verdict.
    holds: bool,
    /// Whether a format and a text are such.
    is_met: fn(&str, &str) -> bool,
}

/// All of them.
const EXCEPTIONS: [Exception; 3] = [
    // What a label of Punycode stands for is not judged.
    Exception {
        holds: true,
        is_met: |format, text| matches!(format, "hostname" | "email") && text.contains("xn--"),
    },
    // Behind a name, too, the local part may be an empty quoted string (RFC 5321, section 4.1.2).
    Exception {
        holds: true,
        is_met: |format, text| {
            let address = text.rsplit_once(" <").map(|(_, address)| address.trim());
            format == "email" && address.is_some_and(|address| address.starts_with("\"\"@"))
        },
    },
    // None of `*+,-./` is a digit (RFC 3339, section 5.6).
    Exception {
        holds: false,
        is_met: |format, text| match format {
            "date" => has_no_digit(text, &[0, 1, 2, 3, 5, 6, 8, 9]),
            "time" => is_no_time(text),
            "date-time" => text.split_once(['T', 't']).is_some_and(|(date, time)| {
                has_no_digit(date, &[0, 1, 2, 3, 5, 6, 8, 9]) || is_no_time(time)
            }),
            _ => false,
        },
    },
];

/// Whether a time or its offset has one of `*+,-./` for a digit.
fn is_no_time(text: &str) -> bool {
    let offset = text.len().checked_sub(6).and_then(|at| text.get(at..));
    has_no_digit(text, &[0, 1, 3, 4, 6, 7])
        || offset.is_some_and(|offset| {
            offset.starts_with(['+', '-']) && has_no_digit(offset, &[1, 2, 4, 5])
        })
}

fn has_no_digit(text: &str, places: &[usize]) -> bool {
    let byte = |&at: &usize| text.as_bytes().get(at);
    places
        .iter()
        .any(|at| byte(at).is_some_and(|byte| b"*+,-./".contains(byte)))
}

/// The other validator of each format.
static OTHERS: LazyLock<Vec<Validator>> = LazyLock::new(|| {
    let options = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true);
    let validator = |format| options.build(&json!({ "format": format }));
    FORMATS.iter().filter_map(|f| validator(f).ok()).collect()
});

pub(super) fn agrees(input: &[u8], _salt: u64) -> Result<(), String> {
    let value = Value::from(String::from_utf8_lossy(input));
    let text = value.as_str().unwrap_or_default();
    let own = Json::new(value.to_string()).map_err(|error| error.to_string())?;
    for (format, other) in FORMATS.iter().zip(OTHERS.iter()) {
        let schema = format!(r#"{{"format":"{format}"}}"#);
        let schema = Json::new(schema).map_err(|error| error.to_string())?;
        let checked = toolwire_schema::check_value_within(&schema, &own, &mut Allowance::default());
        let holds = match checked {
            Err(CheckError::OverBudget(_)) => continue,
            checked => checked.is_ok(),
        };
        let excepted =
            |exception: &Exception| exception.holds == holds && (exception.is_met)(format, text);
        if holds != other.is_valid(&value) && !EXCEPTIONS.iter().any(excepted) {
            return Err(format!("{own} is a {format} for one of us: we say {holds}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::rng::Rng;

    #[test]
    fn the_exceptions_are_needed() {
        let examples = [
            ("hostname", "xn--X"),
            ("email", "Me <\"\"@x>"),
            ("date", "2024-01-0."),
        ];
        for (exception, (format, text)) in EXCEPTIONS.iter().zip(examples) {
            let index = FORMATS.iter().position(|name| *name == format);
            let other = &OTHERS[index.expect("a format")];
            assert!((exception.is_met)(format, text), "{text}");
            assert_ne!(other.is_valid(&json!(text)), exception.holds, "{text}");
        }
    }

    #[test]
    fn the_texts_reach_both_verdicts_of_each_format() {
        let texts: Vec<Value> = (0..20_000)
            .map(|seed| Value::from(generate::format(&mut Rng::with_seed(seed))))
            .collect();
        assert_eq!(OTHERS.len(), FORMATS.len());
        for (format, other) in FORMATS.iter().zip(OTHERS.iter()) {
            let right = texts.iter().filter(|text| other.is_valid(text)).count();
            let wrong = texts.len() - right;
            assert!(right > 100 && wrong > 100, "{format}: {right} and {wrong}");
        }
    }
}
