//! Fingerprints of a large tool.

use crate::corpus::{Input, prose};
use crate::measure::{Contender, Effort, Sample, race};
use fastrand::Rng;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use toolwire::Json;
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint};

/// A tool of 100 KB, as one that is made from the description of an API: records that refer to each other,
/// some of them in cycles, each member with a description.
pub fn tool() -> Input {
    let rng = &mut Rng::with_seed(58);
    let mut definitions = Map::new();
    let mut size = 0;
    while size < 99_000 {
        let count = definitions.len();
        let record = record(rng, count);
        size += record.to_string().len() + 16;
        definitions.insert(format!("Record{count}"), record);
    }
    let tool = json!({
        "name": "store",
        "description": prose(rng, 400),
        "inputSchema": {
            "type": "object",
            "properties": {
                "record": {"anyOf": references(definitions.len())},
                "dry": {"type": "boolean", "default": false},
            },
            "required": ["record"],
            "$defs": definitions,
        },
    });
    Input {
        name: "tool-100k",
        about: "a tool of 100 KB",
        bytes: tool.to_string().into_bytes(),
    }
}

fn references(count: usize) -> Vec<Value> {
    (0..count).map(reference).collect()
}

fn reference(number: usize) -> Value {
    json!({ "$ref": format!("#/$defs/Record{number}") })
}

fn record(rng: &mut Rng, number: usize) -> Value {
    let mut properties = Map::new();
    for at in 0..12 {
        let mut member = match rng.u8(..6) {
            0 => json!({"type": "string", "maxLength": rng.u16(1..500)}),
            1 => json!({"type": ["integer", "null"], "minimum": 0, "default": rng.u8(..)}),
            2 => json!({"enum": ["new", "open", "closed", rng.u8(..)]}),
            3 => json!({"type": "array", "items": reference(rng.usize(..=number))}),
            4 => reference(rng.usize(..=number)),
            _ => {
                json!({"type": "object", "additionalProperties": {"type": "number", "multipleOf": 0.01}})
            }
        };
        member["description"] = prose(rng, 60).into();
        properties.insert(format!("member_{at}"), member);
    }
    json!({
        "type": "object",
        "title": format!("Record {number}"),
        "properties": properties,
        "required": ["member_0", "member_7"],
        "additionalProperties": false,
    })
}

/// Measures the fingerprints, and beside them one digest of the tool as it is.
///
/// # Errors
///
/// When somebody refuses the tool.
pub fn measure(tool: &Input, effort: Effort, mut done: impl FnMut(&Sample)) -> Result<(), String> {
    let options = FingerprintOptions::default();
    let ours = |text: &[u8]| {
        let text = std::str::from_utf8(text).unwrap_or_default();
        Json::new(text).is_ok_and(|tool| fingerprint(&tool, &options).is_ok())
    };
    let mut contenders = [
        Contender::new("toolwire", ours),
        Contender::new("serde_json_canonicalizer + sha2", |text| {
            one_digest(text).is_some()
        }),
    ];
    let documents = tool.documents();
    let results = race(&documents, &mut contenders, effort);
    for (contender, (micros, all)) in contenders.iter().zip(results) {
        if !all {
            return Err(format!("{} refuses {}", contender.peer, tool.about));
        }
        done(&Sample {
            language: "Rust".to_string(),
            task: "fingerprint".to_string(),
            input: tool.name.to_string(),
            peer: contender.peer.to_string(),
            micros,
        });
    }
    Ok(())
}

/// The digest of the canonical bytes of all of it.
fn one_digest(text: &[u8]) -> Option<[u8; 32]> {
    let value: Value = serde_json::from_slice(text).ok()?;
    let bytes = serde_json_canonicalizer::to_vec(&value).ok()?;
    Some(Sha256::digest(bytes).into())
}
