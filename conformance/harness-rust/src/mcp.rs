//! The operations of chapter 15.

use serde_json::{Value, json};
use toolwire::mcp::{LossReport, ResultOptions, from_result, to_result, to_tool};
use toolwire::{Error, Json, Limits, parse};
use toolwire_ffi::mcp;

use crate::integers::text_of;

pub const NAMES: [&str; 6] = [
    "to_result",
    "from_result",
    "to_tool",
    "from_tool",
    "call_to_meta",
    "call_from_meta",
];

/// Runs one of them.
pub fn run(name: &str, input: &[u8], options: &Value, limits: &Limits) -> Result<Value, Error> {
    let text = String::from_utf8_lossy(input);
    Ok(match name {
        "to_result" => {
            let options: ResultOptions = mcp::result_options(&options.to_string())?;
            let mapped = to_result(&parse(input, limits), &options);
            json!({"text": mapped.json.as_str(), "report": entries(&mapped.report)})
        }
        "from_result" => {
            let read = from_result(input, limits);
            json!({
                "verdict": read.parsed.verdict().as_str(),
                "document": String::from_utf8_lossy(read.parsed.document()),
                "report": entries(&read.report),
            })
        }
        "to_tool" => {
            let revision = mcp::result_options(&options.to_string())?.revision;
            let tool = toolwire::call::ToolDescription::from_json(&text)?;
            let mapped = to_tool(&tool, revision);
            json!({"text": mapped.json.as_str(), "wrapped": mapped.wrapped, "report": entries(&mapped.report)})
        }
        "from_tool" => {
            let read = toolwire::mcp::from_tool(&Json::new(&text)?)?;
            json!({"text": read.tool.to_json(), "name": read.name, "wrapped": read.wrapped, "report": entries(&read.report)})
        }
        "call_to_meta" => json!({"text": mcp::call_to_meta(input)?}),
        _ => {
            let name = options["name"].as_str().unwrap_or_default();
            let meta = (!text.is_empty()).then_some(&*text);
            let call = mcp::call_from_meta(name, &text_of(&options["arguments"]), meta)?;
            json!({"text": call.to_json()})
        }
    })
}

/// A report without its reasons, which are wording.
fn entries(report: &LossReport) -> Vec<Value> {
    let entries = report.entries.iter();
    entries
        .map(|entry| json!({"pointer": entry.pointer, "fate": entry.fate.as_str()}))
        .collect()
}
