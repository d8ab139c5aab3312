//! The Rust implementation behind the conformance protocol (spec/08-conformance.md).

mod reading;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use toolwire::{Error, ExplainOptions, Exit, Limits, Output, digest_bytes, parse, receive};

const OPS: &[&str] =
    &["parse", "receive", "validate", "canonicalize", "digest", "explain", "summarize"];

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("a request");
        let mut answer = match request["cmd"].as_str() {
            Some("start") => json!({
                "protocol": 1,
                "implementation": {"name": "toolwire", "language": "rust", "version": env!("CARGO_PKG_VERSION")},
                "ops": OPS,
            }),
            Some("run") => match run(&request) {
                Ok(result) => json!({"result": shorten(result)}),
                Err(error) => json!({"error": {"code": error.code().as_str(),
                    "pointer": error.pointer(), "offset": error.offset()}}),
            },
            _ => return,
        };
        answer["seq"] = request["seq"].clone();
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("an open pipe");
    }
}

fn run(request: &Value) -> Result<Value, Error> {
    let input = bytes(&request["input"]).unwrap_or_default();
    let mut options = request["options"].clone();
    let limits = match options.as_object_mut().and_then(|options| options.remove("limits")) {
        Some(limits) => Limits::from_json(&limits.to_string())?,
        None => Limits::default(),
    };
    Ok(match request["op"].as_str().unwrap_or_default() {
        "parse" => reading::reading(&parse(input, &limits)),
        "receive" => {
            let exit = match options["signal"].as_i64() {
                Some(signal) => Exit::Signal(signal as i32),
                None => Exit::Code(options["exitCode"].as_i64().unwrap_or(0) as i32),
            };
            let (stderr, result) = (bytes(&options["stderr"]), bytes(&options["result"]));
            let output = Output {
                stdout: &input,
                result: result.as_deref(),
                exit,
                stderr: stderr.as_deref().unwrap_or_default(),
            };
            reading::reading(&receive(&output, &limits))
        }
        "validate" => toolwire::validate(&input, &limits).map(|()| json!({}))?,
        "canonicalize" => {
            json!({"text": String::from_utf8_lossy(&toolwire::canonicalize(&input, &limits)?)})
        }
        "digest" => json!({"digest": toolwire::digest(&input, &limits)?}),
        "explain" => {
            json!({"text": toolwire::explain(&parse(input, &limits), &ExplainOptions::default())})
        }
        "summarize" => json_text(&toolwire::summarize(&input, &limits).to_json()),
        other => json!({"errored": format!("no operation `{other}`")}),
    })
}

fn bytes(base64: &Value) -> Option<Vec<u8>> {
    base64.as_str().and_then(|text| BASE64_STANDARD.decode(text).ok())
}

fn json_text(text: &str) -> Value {
    serde_json::from_str(text).expect("the core writes JSON")
}

/// Long strings and arrays as CONF-6 says.
fn shorten(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() > 4096 => {
            json!({"sha256": digest_bytes(text.as_bytes())[7..], "bytes": text.len()})
        }
        Value::Array(all) if all.len() > 1000 => json!({"items": all.len()}),
        Value::Array(all) => all.into_iter().map(shorten).collect(),
        Value::Object(all) => all.into_iter().map(|(name, v)| (name, shorten(v))).collect(),
        other => other,
    }
}
