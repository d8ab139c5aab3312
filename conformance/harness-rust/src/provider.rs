//! The operations of the companion on messages of providers.

use serde_json::{Value, json};
use toolwire::{Error, Limits, parse};
use toolwire_ffi::provider;

use crate::integers::{text_of, value_of};

pub const NAMES: [&str; 4] = ["to_message", "to_turn", "to_tools", "from_call"];

/// Runs one of them.
pub fn run(name: &str, input: &[u8], options: &Value, limits: &Limits) -> Result<Value, Error> {
    let (text, options) = (String::from_utf8_lossy(input), text_of(options));
    let mut result = value_of(&match name {
        "to_message" => provider::to_message(&parse(input, limits), &options)?,
        "to_turn" => provider::to_turn(&text, &options)?,
        "to_tools" => provider::to_tools(&text, &options)?,
        _ => provider::from_call(&text, &options)?,
    });
    without_reasons(&mut result["report"]);
    for report in result["reports"].as_array_mut().into_iter().flatten() {
        without_reasons(report);
    }
    // What a refusal says is wording.
    if let Some(refusal) = result.get_mut("refusal") {
        *refusal = json!(!refusal.is_null());
    }
    Ok(result)
}

/// A report without its reasons, which are wording.
fn without_reasons(report: &mut Value) {
    for entry in report.as_array_mut().into_iter().flatten() {
        entry.as_object_mut().expect("an entry").remove("reason");
    }
}
