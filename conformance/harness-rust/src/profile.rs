//! Profiles, and servers in other forms (chapter 31).

use std::collections::BTreeMap;

use crate::integers::value_of;
use serde_json::{Value, json};
use toolwire::{Error, Json};
use toolwire_contract::convert::{ConvertOptions, convert_server};
use toolwire_contract::fingerprint::FingerprintOptions;
use toolwire_contract::profile::{
    Profile, ProfileTool, read_profile, read_profile_files, write_profile,
};

pub const NAMES: &[&str] = &[
    "read_profile",
    "write_profile",
    "compare_profile",
    "convert_server",
];

pub fn run(name: &str, input: &str, options: &Value) -> Result<Value, Error> {
    match name {
        "read_profile" => read(input, options),
        "write_profile" => {
            let before = Json::new(text_of_files(&options["before"]))?.to_value()?;
            let files = write_profile(&read_profile(input)?, &before)?;
            Ok(json!({"files": files}))
        }
        "compare_profile" => {
            let tools = Json::new(crate::integers::text_of(&options["tools"]))?;
            let given = FingerprintOptions::default();
            let changed = read_profile(input)?.compare(&tools, &given)?.into_iter();
            let changed = changed.map(|one| json!({"tool": one.tool, "what": one.what.as_str()}));
            Ok(json!({"changed": changed.collect::<Vec<_>>()}))
        }
        _ => convert(input, options),
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

fn convert(input: &str, options: &Value) -> Result<Value, Error> {
    let word = |name: &str| options[name].as_str().unwrap_or_default();
    let text = |name: &str| options[name].as_str().map(str::to_owned);
    let given = ConvertOptions {
        name: text("name"),
        folder: text("folder"),
    };
    let form = |name: &str| {
        let form = word(name).parse();
        form.map_err(|error: Error| {
            Error::new(error.code(), format!("/{name}"), None, error.message())
        })
    };
    let converted = convert_server(input, form("from")?, form("to")?, &given)?;
    let report = converted.report.entries.iter();
    let report = report.map(|one| json!({"pointer": one.pointer, "fate": one.fate.as_str()}));
    Ok(json!({
        "entry": value_of(converted.entry.to_json().as_str()),
        "text": converted.text,
        "members": converted.members.as_str(),
        "report": report.collect::<Vec<_>>(),
    }))
}
