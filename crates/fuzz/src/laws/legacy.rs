//! A law of the formats that came before envelopes.

use toolwire::{Json, Limits};

use crate::subject::Subject;

pub(super) fn becomes_an_envelope(
    subject: &dyn Subject,
    input: &[u8],
    _salt: u64,
) -> Result<(), String> {
    let Ok(Some((document, pointers))) = subject.read_legacy(input, &Limits::default()) else {
        return Ok(());
    };
    if subject.validate(&document, &Limits::WIDEST).is_err() {
        let document = String::from_utf8_lossy(&document);
        return Err(format!("this is not an envelope: `{document}`"));
    }
    let text = String::from_utf8_lossy(input);
    let legacy = Json::new(&text).map_err(|error| format!("it was no JSON text: {error}"))?;
    // `metadata` in a string is told as the string.
    if let Some(nowhere) = pointers.iter().find(|place| legacy.at(place).is_none()) {
        return Err(format!(
            "the report tells of `{nowhere}`, where there is nothing"
        ));
    }
    let members: std::collections::BTreeMap<String, serde_json::Value> = legacy
        .to_value()
        .map_err(|error| format!("it was no object: {error}"))?;
    let silent = members.iter().find(|(name, value)| {
        let place = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        let told = |pointer: &String| {
            let rest = pointer.strip_prefix(&place);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        !pointers.iter().any(told) && !value.as_array().is_some_and(Vec::is_empty)
    });
    match silent {
        Some((name, _)) => Err(format!("the report does not tell of `{name}`")),
        None => Ok(()),
    }
}
