//! A law of schemas and values: the check agrees with another validator.

use crate::rng::Rng;
use jsonschema::{Draft, PatternOptions};
use serde_json::Value;
use toolwire::Json;
use toolwire_schema::{Allowance, Budget, CheckError};

/// What the other one does can't be counted, so it sees only what takes a few steps.
const STEPS: u64 = 20_000;

pub(super) const VALUES: [&str; 40] = [
    "null",
    "true",
    "0",
    "1",
    "1.0",
    "2.5",
    "-1",
    "1e300",
    "9007199254740993",
    "0.3",
    "\"\"",
    "\"a\"",
    "\"ab\"",
    "\"abc\"",
    "\"é\"",
    "\"2025-01-31\"",
    "\"a@b.c\"",
    "[]",
    "[1]",
    "[1,1.0]",
    "[\"a\",1]",
    "[1,2,3]",
    "[null,[null]]",
    "[{\"a\":1},{\"a\":1.0}]",
    "{}",
    "{\"a\":1}",
    "{\"a\":\"a\"}",
    "{\"b\":null}",
    "{\"a\":1,\"b\":\"x\"}",
    "{\"a\":{\"a\":{\"b\":1}}}",
    "{\"a\":[1,2],\"x y\":true}",
    "{\"title\":\"t\",\"max_items\":1}",
    "{\"a/b\":1}",
    "{\"A\":1,\"a\":null}",
    "[[1],[1]]",
    "[1,\"a\",null,true]",
    "{\"a\":null,\"b\":[],\"c\":{}}",
    "\"aaaaaaaaab\"",
    "[\"a\",\"b\",\"a\"]",
    "-0.0",
];

pub(super) fn agrees(input: &[u8], salt: u64) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    let Ok(given) = Json::new(text) else {
        return Ok(());
    };
    let mut rng = Rng::with_seed(salt);
    // Half of the schemas get keywords that generators of schemas seldom write.
    let text = match rng.bool() {
        true => spiced(text, &mut rng),
        false => text.to_owned(),
    };
    let schema = Json::new(&*text).unwrap_or(given);
    let Ok(mut other) = serde_json::from_str::<Value>(schema.as_str()) else {
        return Ok(());
    };
    // Which of two schemas with one anchor is meant, nobody says.
    if other.to_string().matches("Anchor").count() + other.to_string().matches("$anchor").count()
        > 1
    {
        return Ok(());
    }
    if let Value::Object(members) = &mut other {
        members.remove("$schema");
        members.remove("$id");
    }
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(100_000)
        .size_limit(1 << 20);
    let validator = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(patterns)
        .should_validate_formats(true);
    let validator = validator.build(&other);
    for _ in 0..4 {
        let value = VALUES[rng.usize(..VALUES.len())];
        let value = Json::new(value).map_err(|error| error.to_string())?;
        let mut allowance = Allowance::new(Budget {
            steps: STEPS,
            ..Budget::default()
        });
        let own = toolwire_schema::check_value_within(&schema, &value, &mut allowance);
        let read: Value = serde_json::from_str(value.as_str()).map_err(|e| e.to_string())?;
        match (own, &validator) {
            (Err(CheckError::OverBudget(_)), _) => {}
            // What refers out of itself, or to itself for ever, only one of them refuses.
            (Err(CheckError::BadSchema(_)), Err(_)) => {}
            (Err(CheckError::BadSchema(error)), Ok(_)) => {
                let known = [
                    "leads",
                    "URI reference",
                    "`$id`",
                    "too long",
                    "`$recursiveRef`",
                    "regular expression",
                ];
                if !known.iter().any(|known| error.message().contains(known)) {
                    return Err(format!("only we refuse {text}: {error}"));
                }
            }
            (own, Ok(validator)) => {
                if own.is_ok() != validator.is_valid(&read) {
                    return Err(format!("{text} and {}: {own:?}", value.as_str()));
                }
            }
            // A `$schema` below the root is only a string to us.
            (_, Err(error)) if error.to_string().contains("Invalid URI") => {}
            (Ok(()) | Err(_), Err(error)) => {
                return Err(format!("only the other refuses {text}: {error}"));
            }
        }
    }
    Ok(())
}

/// A schema with one more keyword at its root.
fn spiced(text: &str, rng: &mut Rng) -> String {
    const MORE: [&str; 36] = [
        r#""unevaluatedProperties":false"#,
        r#""unevaluatedItems":false"#,
        r#""unevaluatedItems":{"type":"string"}"#,
        r#""unevaluatedProperties":{"type":"integer"}"#,
        r#""if":{"required":["a"]},"then":{"properties":{"b":{}}},"unevaluatedProperties":false"#,
        r#""dependentSchemas":{"a":{"required":["b"]}}"#,
        r#""dependentRequired":{"a":["b"]}"#,
        r#""dependencies":{"a":["b"],"b":{"type":"array"}}"#,
        r#""propertyNames":{"pattern":"^[a-z]$"}"#,
        r#""patternProperties":{"^a":{"type":"integer"}},"additionalProperties":false"#,
        r#""contains":{"type":"integer"},"minContains":2"#,
        r#""contains":{"const":1},"maxContains":1,"unevaluatedItems":false"#,
        r#""minContains":0,"contains":false"#,
        r#""uniqueItems":true"#,
        r#""multipleOf":0.1"#,
        r#""multipleOf":2"#,
        r#""exclusiveMinimum":0"#,
        r#""exclusiveMaximum":1.0"#,
        r#""maximum":9007199254740992"#,
        r#""pattern":"^(?=a)(a|ab)*$""#,
        r#""pattern":"\\bé?""#,
        r#""format":"date""#,
        r#""format":"email""#,
        r#""prefixItems":[{"type":"integer"}],"items":false"#,
        r#""prefixItems":[{},{}],"unevaluatedItems":false"#,
        r#""oneOf":[{"type":"integer"},{"type":"number"}]"#,
        r#""anyOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}],"unevaluatedProperties":false"#,
        r#""not":{"required":["a"]}"#,
        r#""enum":[1,"a",[1],{"a":1.0}]"#,
        r#""const":{"a":1.0}"#,
        r#""minProperties":1,"maxProperties":1"#,
        r#""allOf":[{"unevaluatedProperties":true}],"unevaluatedProperties":false"#,
        r#""minLength":1,"maxLength":2.0"#,
        r##""$ref":"#/$defs/z","$defs":{"z":{"prefixItems":[{}],"properties":{"a":{}}}},"unevaluatedItems":false,"unevaluatedProperties":false"##,
        r##""$dynamicRef":"#z","$defs":{"z":{"$dynamicAnchor":"z","type":["object","array","string"]}}"##,
        r#""if":{"type":"object"},"else":{"type":"integer"}"#,
    ];
    let more = MORE[rng.usize(..MORE.len())];
    match text.trim_start().strip_prefix('{') {
        Some(rest) if rest.trim_start().starts_with('}') => format!("{{{more}{rest}"),
        Some(rest) => format!("{{{more},{rest}"),
        None => text.to_owned(),
    }
}
