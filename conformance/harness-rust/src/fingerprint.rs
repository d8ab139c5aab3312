//! The operations of chapter 27.

use serde_json::{Value, json};
use toolwire::{Error, Json};
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint, jn_hash, project};

use crate::integers::text_of;

pub const NAMES: [&str; 3] = ["fingerprint", "project_tool", "jn_hash"];

/// Runs one of them.
pub fn run(name: &str, input: &[u8], options: &Value) -> Result<Value, Error> {
    let text = String::from_utf8_lossy(input);
    if name == "jn_hash" {
        return Ok(json!({"hash": jn_hash(&Json::new(text)?)?}));
    }
    let mut given = FingerprintOptions::default();
    if let Some(launch) = options.get("launch") {
        given.launch = Some(Json::new(text_of(launch))?);
    }
    if let Some(most) = options["maxSchemas"].as_u64() {
        given.max_schemas = usize::try_from(most).unwrap_or(usize::MAX);
    }
    let tool = Json::new(text)?;
    if name == "fingerprint" {
        let digests = fingerprint(&tool, &given)?;
        return Ok(json!({
            "contract": digests.contract, "text": digests.text, "safety": digests.safety,
        }));
    }
    let found = project(&tool, &given)?;
    Ok(json!({
        "contract": found.contract.as_str(), "text": found.text.as_str(), "safety": found.safety.as_str(),
    }))
}
