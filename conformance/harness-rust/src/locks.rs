//! The operations of chapters 30 and 33.

use serde_json::{Value, json};
use toolwire::json::array;
use toolwire::{Diagnostic, Error, Json};
use toolwire_contract::hidden::{self, Hidden};
use toolwire_contract::lock::{CheckOptions, check_lock, read_lock, update_lock, write_lock};

use crate::integers::{text_of, value_of};

/// What a text hides, and the text with it made visible.
pub fn find_hidden(text: &str) -> Value {
    let findings = hidden::find_hidden(text);
    let findings = array(findings.iter().map(Hidden::to_json));
    json!({"findings": value_of(&findings), "text": hidden::show(text)})
}

/// A lock as it is written again, after an update if one is asked for.
pub fn read(text: &str, options: &Value) -> Result<Value, Error> {
    let mut read = read_lock(text)?;
    if let Some(update) = options.get("update") {
        let name = update["name"].as_str().unwrap_or_default();
        update_lock(&mut read.lock, name, &Json::new(text_of(&update["now"]))?)?;
    }
    let diagnostics = read.diagnostics.iter().map(Diagnostic::to_json);
    Ok(json!({"text": write_lock(&read.lock)?, "diagnostics": value_of(&array(diagnostics))}))
}

/// What has changed, without the wording of changes.
pub fn check(text: &str, options: &Value) -> Result<Value, Error> {
    let mut how = CheckOptions::default();
    how.offline = options["offline"].as_bool().unwrap_or_default();
    let now = Json::new(text_of(&options["now"]))?;
    let report = check_lock(&read_lock(text)?.lock, &now, &how)?;
    let mut report = value_of(&report.to_json());
    let sources = report["sources"].as_array_mut().into_iter().flatten();
    for tool in sources
        .filter_map(|source| source["tools"].as_array_mut())
        .flatten()
    {
        for change in tool["changes"].as_array_mut().into_iter().flatten() {
            let kept =
                ["tool", "place", "what", "verdict"].map(|name| (name, change[name].clone()));
            *change = kept.into_iter().collect();
        }
    }
    Ok(json!({"report": report}))
}
