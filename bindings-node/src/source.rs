//! What a function reads: bytes, and how they are to be read.

use std::sync::Arc;

use napi::Either;
use napi::bindgen_prelude::ClassInstance;
use napi_derive::napi;
use serde::Deserialize;
use serde_json::value::RawValue;
use toolwire::{Exit, Limits, Output, Parsed};
use toolwire_ffi::readers;

use crate::fault::{Result, told};

/// How bytes are to be read: as is told in JSON, or as they have been read already.
pub type How<'env> = Option<Either<String, ClassInstance<'env, Reading>>>;

/// What was read, with bytes of its own. JavaScript has it where bytes alone do not tell how they were
/// read: a host's result is more than what the tool wrote.
#[napi]
pub struct Reading {
    inner: Arc<Parsed<'static>>,
}

impl Reading {
    pub fn new(inner: Arc<Parsed<'static>>) -> Self {
        Reading { inner }
    }
}

/// How bytes are to be read, as JavaScript tells it in JSON; without it, as an output with the usual
/// limits.
#[derive(Deserialize)]
struct Told<'a> {
    #[serde(borrow)]
    limits: Option<&'a RawValue>,
    process: Option<Process>,
}

/// What a process left behind. The bytes are those of its stdout, its stderr and the result channel,
/// one behind the other; these are their lengths.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Process {
    exit_code: Option<f64>,
    signal: Option<f64>,
    stdout: usize,
    stderr: usize,
    has_result: bool,
}

/// The limits, from the text that tells how to read.
pub fn limits(how: Option<&str>) -> Result<Limits> {
    how.map_or_else(|| Ok(Limits::default()), |how| limits_of(&told_how(how)?))
}

/// Reads the bytes.
pub fn read<'a>(data: &'a [u8], how: &'a How<'_>) -> Result<Parsed<'a>> {
    let how = match how {
        None => return Ok(toolwire::parse(data, &Limits::default())),
        Some(Either::A(text)) => told_how(text)?,
        Some(Either::B(reading)) => return Ok(reading.inner.lend()),
    };
    let limits = limits_of(&how)?;
    let Some(process) = how.process else {
        return Ok(toolwire::parse(data, &limits));
    };
    let (stdout, rest) = data.split_at_checked(process.stdout).unwrap_or((data, &[]));
    let (stderr, result) = rest.split_at_checked(process.stderr).unwrap_or((rest, &[]));
    let output = Output {
        stdout,
        stderr,
        result: process.has_result.then_some(result),
        exit: match process.signal {
            // JavaScript has made sure that they are whole; what is too large stays too large.
            Some(signal) => Exit::from_signal(signal as i64).map_err(told)?,
            None => Exit::from_code(process.exit_code.unwrap_or(0.0) as i64).map_err(told)?,
        },
    };
    Ok(toolwire::receive(&output, &limits))
}

fn told_how(text: &str) -> Result<Told<'_>> {
    serde_json::from_str(text).map_err(|error| napi::Error::from_reason(error.to_string()))
}

fn limits_of(how: &Told<'_>) -> Result<Limits> {
    how.limits.map_or_else(
        || Ok(Limits::default()),
        |limits| readers::limits(limits.get()).map_err(told),
    )
}

/// For what the core has already read or written: it was within the limits that counted.
const NO_LIMITS: Limits = Limits {
    max_diagnostics: 0,
    ..Limits::WIDEST
};

/// Reads a block by itself, from its JSON text.
pub fn read_block(json: &[u8]) -> Parsed<'static> {
    let mut document = Vec::with_capacity(json.len() + 14);
    document.extend_from_slice(b"{\"content\":[");
    document.extend_from_slice(json);
    document.extend_from_slice(b"]}");
    toolwire::parse(document, &NO_LIMITS)
}

/// Reads a value by itself, from its JSON text, as the structured content of an envelope.
pub fn read_value(json: &str) -> Parsed<'static> {
    let document = format!("{{\"content\":[],\"structuredContent\":{json}}}");
    let limits = Limits {
        max_depth: NO_LIMITS.max_depth + 1,
        ..NO_LIMITS
    };
    toolwire::parse(document.into_bytes(), &limits)
}

/// The strings of a JSON array, as JavaScript writes one.
pub fn list(text: &str) -> Result<Vec<String>> {
    serde_json::from_str(text).map_err(|error| napi::Error::from_reason(error.to_string()))
}

/// The canonical text of JSON that the core has already read or written.
pub fn canonical(json: &[u8]) -> Result<String> {
    text(toolwire::canonicalize(json, &NO_LIMITS).map_err(told)?)
}

/// JSON text that the core wrote, as a string.
pub fn text(json: Vec<u8>) -> Result<String> {
    String::from_utf8(json)
        .map_err(|_| napi::Error::from_reason("the core wrote JSON that is not UTF-8"))
}
