//! Differences of tools (chapter 28).

use serde_json::{Value, json};
use toolwire::{Error, Json};
use toolwire_contract::diff::{DiffOptions, diff_tools};

use crate::integers::value_of;

/// The verdict and the changes, without what is not contract: wording, and which witness was found.
pub fn diff(input: &str, options: &Value) -> Result<Value, Error> {
    let both = Json::new(input)?;
    let side = |name| both.at(name).expect("an old and a new side");
    let mut chosen = DiffOptions::default();
    chosen.open = options["open"] == true;
    chosen.budget = options["budget"].as_u64().unwrap_or(chosen.budget);
    let diff = diff_tools(&side("/old"), &side("/new"), &chosen)?;
    let changes = diff.changes.iter().map(|change| {
        let mut told = value_of(change.to_json().as_str());
        let members = told.as_object_mut().expect("an object");
        members.remove("message");
        members.remove("advice");
        if let Some(Value::Object(witness)) = members.remove("witness") {
            let kind = witness.keys().next().expect("one member").clone();
            members.insert("witness".to_owned(), Value::String(kind));
        }
        told
    });
    Ok(json!({"verdict": diff.verdict.as_str(), "changes": changes.collect::<Vec<_>>()}))
}
