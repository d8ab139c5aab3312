//! A law of the formats that came before envelopes.

use toolwire::mcp::Mapped;
use toolwire::{Json, Limits};

use super::told::is_well_told_of;
use crate::calls;

pub(super) fn becomes_an_envelope(input: &[u8], _salt: u64) -> Result<(), String> {
    let Ok(Some((document, report))) = calls::read_legacy(input, &Limits::default()) else {
        return Ok(());
    };
    // A block beside a question can be one that a reader skips.
    if calls::parse(&document, &Limits::WIDEST).verdict == "raw" {
        let document = String::from_utf8_lossy(&document);
        return Err(format!("this is not an envelope: `{document}`"));
    }
    let text = String::from_utf8_lossy(input);
    let legacy = Json::new(&text).map_err(|error| format!("it was no JSON text: {error}"))?;
    let nowhere = |entry: &&Mapped| legacy.at(&entry.pointer).is_none();
    if let Some(nowhere) = report.entries.iter().find(nowhere) {
        return Err(format!(
            "the report tells of `{}`, where there is nothing",
            nowhere.pointer
        ));
    }
    is_well_told_of(&report, legacy.as_str())
}
