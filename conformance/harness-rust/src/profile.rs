//! Profiles (chapter 31).

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolwire::{Error, Json};
use toolwire_contract::fingerprint::FingerprintOptions;
use toolwire_contract::profile::{
    Profile, ProfileTool, read_profile, read_profile_files, write_profile,
};

pub const NAMES: &[&str] = &["read_profile", "write_profile", "compare_profile"];

pub fn run(name: &str, input: &str, options: &Value) -> Result<Value, Error> {
    match name {
        "read_profile" => read(input, options),
        "write_profile" => {
            let before = Json::new(text_of_files(&options["before"]))?.to_value()?;
            let files = write_profile(&read_profile(input)?, &before)?;
            Ok(json!({"files": files}))
        }
        _ => {
            let tools = Json::new(crate::integers::text_of(&options["tools"]))?;
            let given = FingerprintOptions::default();
            let changed = read_profile(input)?.compare(&tools, &given)?.into_iter();
            let changed = changed.map(|one| json!({"tool": one.tool, "what": one.what.as_str()}));
            Ok(json!({"changed": changed.collect::<Vec<_>>()}))
        }
    }
}

fn text_of_files(files: &Value) -> String {
    match files {
        Value::Object(_) => files.to_string(),
        _ => "{}".to_owned(),
    }
}

fn read(input: &str, options: &Value) -> Result<Value, Error> {
    let profile = match options["files"].as_bool() {
        Some(true) => {
            let files: BTreeMap<String, String> = Json::new(input)?.to_value()?;
            read_profile_files(&files)?
        }
        _ => read_profile(input)?,
    };
    let tools = profile.tools().iter().map(tool);
    Ok(json!({
        "text": profile.to_json().as_str(),
        "launcher": profile.launcher().as_str(),
        "schemaValidation": profile.schema_validation().as_str(),
        "tools": tools.collect::<Result<Vec<_>, _>>()?,
        "testedWith": tested_with(&profile),
    }))
}

fn tool(tool: &ProfileTool) -> Result<Value, Error> {
    let schema = tool.input_schema()?;
    Ok(json!({
        "name": tool.name(),
        "tool": tool.tool(),
        "inputSchema": schema.as_ref().map(Json::as_str),
    }))
}

/// How many trials there are of each tool.
fn tested_with(profile: &Profile) -> Value {
    let tools = profile.tools().iter();
    let counts = tools.map(|tool| {
        let count = profile.tested_with(tool.name()).len();
        (tool.name().to_owned(), json!(count))
    });
    Value::Object(counts.filter(|(_, count)| *count != json!(0)).collect())
}
