//! What must hold of every reading, whatever the case expects (CONF-8).

use crate::compare::{Difference, sha256_hex, shorten};
use crate::registry::Registry;
use serde_json::{Value, json};

/// The rules that no single case shows, and where the runner or another test checks them in every case.
pub const SHOWN: [(&str, &str); 11] = [
    (
        "API-24",
        "every value of a response: integers are compared by all their digits",
    ),
    ("CONF-1", "every response"),
    ("CONF-2", "every response"),
    ("CONF-4", "every handshake"),
    ("CONF-5", "every response"),
    ("CONF-8", "every reading"),
    ("CONF-12", "every value of a response"),
    ("DIAG-50", "every diagnostic"),
    ("DIAG-51", "every expected diagnostic and error"),
    (
        "DIFF-30",
        "every witness of the pairs of schemas that `cargo xtask fuzz` judges by two validators",
    ),
    ("FMT-1", "every case of `format`, which is asked twice"),
];

/// Whether cases of an operation are asked twice, and have to have the same result (FMT-1).
pub fn repeats(op: &str) -> bool {
    op == "format"
}

/// Checks the laws on the response to `parse` or `receive`.
pub fn check(op: &str, input: &[u8], response: &Value, registry: &Registry) -> Vec<Difference> {
    let mut out = Vec::new();
    let Some(reading) = response.get("result") else {
        return out;
    };
    if !matches!(op, "parse" | "receive") {
        return out;
    }
    // More than fit into a response are only counted (CONF-6); then there is nothing to check.
    if let Some(diagnostics) = reading["diagnostics"].as_array() {
        check_diagnostics(diagnostics, registry, &mut out);
        if op == "parse" {
            check_verdict(reading, diagnostics, registry, &mut out);
        }
    } else if reading["diagnostics"]["items"].is_null() {
        out.push(Difference::new(
            "/result/diagnostics",
            "an array",
            "nothing",
        ));
    }
    if op == "parse" {
        check_nothing_lost(reading, input, &mut out);
    }
    out
}

fn check_diagnostics(diagnostics: &[Value], registry: &Registry, out: &mut Vec<Difference>) {
    let mut last = 0;
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        let at = format!("/result/diagnostics/{index}");
        let code = diagnostic["code"].as_str().unwrap_or_default();
        match registry.get(code) {
            None => out.push(Difference::new(
                format!("{at}/code"),
                "a code of the registry",
                json!(code).to_string(),
            )),
            Some(entry) if diagnostic["severity"] != json!(entry.severity) => {
                out.push(Difference::new(
                    format!("{at}/severity"),
                    json!(entry.severity).to_string(),
                    diagnostic["severity"].to_string(),
                ));
            }
            Some(_) => {}
        }
        if let Some(offset) = diagnostic["offset"].as_u64() {
            if offset < last {
                out.push(Difference::new(
                    format!("{at}/offset"),
                    format!("at least {last}, the offset before it"),
                    offset.to_string(),
                ));
            }
            last = offset;
        }
    }
}

/// The verdict follows from the diagnostics, if all of them are there.
fn check_verdict(
    reading: &Value,
    diagnostics: &[Value],
    registry: &Registry,
    out: &mut Vec<Difference>,
) {
    let entries: Vec<_> = diagnostics
        .iter()
        .filter_map(|d| registry.get(d["code"].as_str()?))
        .collect();
    if entries
        .iter()
        .any(|entry| entry.code == "diagnostics_truncated")
    {
        return;
    }
    let verdict = if entries.iter().any(|entry| entry.effect == "raw") {
        "raw"
    } else if entries.iter().any(|entry| entry.severity != "note") {
        "warnings"
    } else {
        "valid"
    };
    if reading["verdict"] != json!(verdict) {
        out.push(Difference::new(
            "/result/verdict",
            format!("\"{verdict}\", by the diagnostics"),
            reading["verdict"].to_string(),
        ));
    }
}

/// Either the document is the input's own text, or the raw bytes are the input.
fn check_nothing_lost(reading: &Value, input: &[u8], out: &mut Vec<Difference>) {
    if reading["verdict"] == json!("raw") {
        let digest = json!(sha256_hex(input));
        if reading["rawSha256"] != digest {
            out.push(Difference::new(
                "/result/rawSha256",
                format!("{digest}, the digest of the input"),
                reading["rawSha256"].to_string(),
            ));
        }
        return;
    }
    let text = String::from_utf8_lossy(input);
    let trimmed = text
        .trim_start_matches('\u{feff}')
        .trim_matches(['\t', '\n', '\r', ' ']);
    let document = shorten(trimmed.to_owned());
    if reading["document"] != document {
        out.push(Difference::new(
            "/result/document",
            format!("{document}, the input's own text"),
            reading["document"].to_string(),
        ));
    }
}
