//! The Rust implementation behind the conformance protocol (spec/08-conformance.md).

mod author;
mod called;
mod exchange;
mod host;
mod integers;
mod operations;
mod provider;
mod reading;
mod session;
mod tool;

use serde_json::{Value, json};
use std::io::{BufRead, Write};

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("a request");
        let mut answer = match request["cmd"].as_str() {
            Some("start") => json!({
                "protocol": 1,
                "implementation":
                    {"name": "toolwire", "language": "rust", "version": env!("CARGO_PKG_VERSION")},
                "ops": operations::NAMES.iter().copied().chain(called::names()).collect::<Vec<_>>(),
                "program": [tool::program()],
            }),
            Some("run") => match operations::run(&request) {
                Ok(result) => json!({"result": shorten(result)}),
                Err(error) => json!({"error": {"code": error.code().as_str(),
                    "pointer": error.pointer(), "offset": error.offset()}}),
            },
            _ => return,
        };
        answer["seq"] = request["seq"].clone();
        writeln!(out, "{answer}")
            .and_then(|()| out.flush())
            .expect("an open pipe");
    }
}

/// Long strings and arrays as CONF-6 says.
fn shorten(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() > 4096 => {
            json!({"sha256": toolwire::digest_bytes(text.as_bytes())[7..], "bytes": text.len()})
        }
        Value::Array(all) if all.len() > 1000 => json!({"items": all.len()}),
        Value::Array(all) => all.into_iter().map(shorten).collect(),
        Value::Object(all) => all
            .into_iter()
            .map(|(name, v)| (name, shorten(v)))
            .collect(),
        other => other,
    }
}
