//! The Toolwire core for Node.
//!
//! What crosses is a number, a string or a buffer; never an object, since objects are slow to build
//! here and their numbers are doubles. Options come in and results go out as JSON text, and an
//! error goes out as the JSON text of its finding. `lib/*.cjs` gives it all its shape.
//!
//! The frequent call is `check`, which answers with a number and keeps nothing. The first question
//! that the number can't answer makes a reading, which stays on this side behind a handle.

mod fault;
mod json;

use std::borrow::Cow;

use napi::Either;
use napi::bindgen_prelude::{Buffer, BufferSlice, External, Float64Array};
use napi_derive::napi;
use toolwire::{
    BlockView, Exit, ExplainOptions, FormatOptions, IdentifyOptions, Limits, Output, Parsed,
    Status, Verdict,
};

use crate::fault::{Result, told};
use crate::json::Object;

/// A reading that JavaScript holds a handle of.
type Reading = External<Parsed<'static>>;

/// For what the core has already read or written: it was within the limits that counted.
const NO_LIMITS: Limits = Limits {
    max_bytes: toolwire::MAX_BYTES,
    max_depth: toolwire::MAX_DEPTH,
    max_values: usize::MAX,
    max_blocks: usize::MAX,
    max_diagnostics: 0,
};

/// A handle whose size the garbage collector knows.
fn held(parsed: Parsed<'static>) -> Reading {
    let size = parsed.raw().len() * 2;
    External::new_with_size_hint(parsed, size)
}

fn limits(text: Option<String>) -> Result<Limits> {
    text.map_or_else(
        || Ok(Limits::default()),
        |text| Limits::from_json(&text).map_err(told),
    )
}

/// The short answer: verdict (bits 0 and 1), error (2), status (3 and 4), transient (5), and whether
/// there is any diagnostic (6). Zero is a valid envelope with nothing to tell.
fn facts_of(parsed: &Parsed<'_>) -> u32 {
    let verdict = match parsed.verdict() {
        Verdict::Valid => 0,
        Verdict::Warnings => 1,
        Verdict::Raw => 2,
    };
    let status = match parsed.status() {
        Status::Stopped => 0,
        Status::Running => 1,
        Status::Waiting => 2,
    };
    verdict
        | u32::from(parsed.is_error()) << 2
        | status << 3
        | u32::from(parsed.transient()) << 5
        | u32::from(!parsed.diagnostics().is_empty()) << 6
}

/// Reads an output and keeps nothing but the short answer.
#[napi(catch_unwind)]
pub fn check(data: &[u8], limits_text: Option<String>) -> Result<u32> {
    Ok(facts_of(&toolwire::parse(data, &limits(limits_text)?)))
}

/// Reads an output and keeps the reading, with its own copy of the bytes.
#[napi(catch_unwind)]
pub fn read(data: &[u8], limits_text: Option<String>) -> Result<Reading> {
    Ok(held(toolwire::parse(data.to_vec(), &limits(limits_text)?)))
}

/// Reads what a process left behind.
#[napi(catch_unwind)]
pub fn receive(
    stdout: &[u8],
    exit_code: Option<i32>,
    signal: Option<i32>,
    stderr: &[u8],
    result: Option<&[u8]>,
    limits_text: Option<String>,
) -> Result<Reading> {
    let exit = signal.map_or_else(|| Exit::Code(exit_code.unwrap_or(0)), Exit::Signal);
    let output = Output {
        stdout,
        result,
        exit,
        stderr,
    };
    Ok(held(toolwire::receive(&output, &limits(limits_text)?)))
}

/// The short answer about a reading.
#[napi(catch_unwind)]
pub fn facts(reading: &Reading) -> u32 {
    facts_of(reading)
}

/// The bytes that were read.
#[napi(catch_unwind)]
pub fn raw(reading: &Reading) -> Buffer {
    reading.raw().into()
}

/// The envelope's JSON text, verbatim.
#[napi(catch_unwind)]
pub fn document(reading: &Reading) -> Result<String> {
    fault::text(reading.document().to_vec())
}

/// The whole reading in its JSON form.
#[napi(catch_unwind)]
pub fn report(reading: &Reading) -> String {
    reading.report_json()
}

/// Diagnostics, trace and skipped blocks as one JSON text.
#[napi(catch_unwind)]
pub fn findings(reading: &Reading) -> String {
    let diagnostics = reading
        .diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.to_json());
    let trace = reading.trace();
    let skipped = reading.skipped().map(|(index, node)| {
        Object::new()
            .number("index", index as f64)
            .text("json", node.raw())
            .end()
    });
    Object::new()
        .raw("diagnostics", &json::array(diagnostics))
        .raw(
            "trace",
            &json::array(trace.iter().map(|line| json::string(line))),
        )
        .raw("skipped", &json::array(skipped))
        .end()
}

/// The delivered blocks as they were written, in a JSON array.
#[napi(catch_unwind)]
pub fn content(reading: &Reading) -> String {
    json::array(reading.blocks().map(|block| block.node().raw()))
}

/// The delivered blocks as they are read, in a JSON array.
#[napi(catch_unwind)]
pub fn blocks(reading: &Reading) -> String {
    json::array(reading.blocks().map(json::block))
}

/// The block that was the `nth` to be delivered; JavaScript got that place from `blocks`.
fn block_at<'a>(reading: &'a Parsed<'static>, nth: u32) -> Result<BlockView<'a>> {
    reading
        .block(nth as usize)
        .ok_or_else(|| napi::Error::from_reason(format!("there is no delivered block {nth}")))
}

/// One block as it was written.
#[napi(catch_unwind)]
pub fn block_json(reading: &Reading, nth: u32) -> Result<String> {
    Ok(block_at(reading, nth)?.node().raw().to_owned())
}

/// One block's text, if it is text; it is not among the facts, since it may be long.
#[napi(catch_unwind)]
pub fn text(reading: &Reading, nth: u32) -> Result<Option<String>> {
    Ok(block_at(reading, nth)?.text().map(Cow::into_owned))
}

/// One block's decoded bytes, if its content is base64.
#[napi(catch_unwind)]
pub fn bytes(reading: &Reading, nth: u32) -> Result<Option<Buffer>> {
    Ok(block_at(reading, nth)?.bytes().map(Buffer::from))
}

/// One block's raw content: its text in UTF-8, or its decoded bytes.
#[napi(catch_unwind)]
pub fn content_bytes(reading: &Reading, nth: u32) -> Result<Buffer> {
    Ok(block_at(reading, nth)?.content_bytes().into_owned().into())
}

/// The structured content's JSON text, verbatim.
#[napi(catch_unwind)]
pub fn structured_content(reading: &Reading) -> Option<String> {
    reading
        .structured_content()
        .map(|node| node.raw().to_owned())
}

/// The JSON text of `_meta`, verbatim.
#[napi(catch_unwind)]
pub fn meta(reading: &Reading) -> Option<String> {
    reading.meta().map(|node| node.raw().to_owned())
}

/// Refuses everything whose verdict is not valid.
#[napi(catch_unwind)]
pub fn validate(data: &[u8], limits_text: Option<String>) -> Result<()> {
    toolwire::validate(data, &limits(limits_text)?).map_err(told)
}

/// The canonical bytes: in `room` if they fit there, then the answer is their number; else in a
/// buffer of their own. Making a buffer takes longer than canonicalizing a short text.
#[napi(catch_unwind)]
pub fn canonicalize(
    data: &[u8],
    limits_text: Option<String>,
    mut room: BufferSlice<'_>,
) -> Result<Either<u32, Buffer>> {
    let canonical = toolwire::canonicalize(data, &limits(limits_text)?).map_err(told)?;
    Ok(match room.get_mut(..canonical.len()) {
        Some(room) => {
            room.copy_from_slice(&canonical);
            Either::A(canonical.len() as u32)
        }
        None => Either::B(canonical.into()),
    })
}

/// The canonical form, as text, of what the core has read or written itself.
#[napi(catch_unwind)]
pub fn canonical_text(json: String) -> Result<String> {
    fault::text(toolwire::canonicalize(json.as_bytes(), &NO_LIMITS).map_err(told)?)
}

/// Reads an envelope that a builder wrote.
#[napi(catch_unwind)]
pub fn read_own(json: String) -> Reading {
    held(toolwire::parse(json.into_bytes(), &NO_LIMITS))
}

/// The digest of the canonical bytes.
#[napi(catch_unwind)]
pub fn digest(data: &[u8], limits_text: Option<String>) -> Result<String> {
    toolwire::digest(data, &limits(limits_text)?).map_err(told)
}

/// What a model or a person gets.
#[napi(catch_unwind)]
pub fn format(reading: &Reading, options: Option<String>) -> Result<String> {
    let options = match options {
        Some(text) => FormatOptions::from_json(&text).map_err(told)?,
        None => FormatOptions::default(),
    };
    toolwire::format(reading, &options).map_err(told)
}

/// Why an output was read as it was.
#[napi(catch_unwind)]
pub fn explain(reading: &Reading, color: bool) -> String {
    toolwire::explain(reading, &ExplainOptions { color })
}

/// The identities of the resources, in a JSON array.
#[napi(catch_unwind)]
pub fn identify(reading: &Reading, options: Option<String>) -> Result<String> {
    let options = match options {
        Some(text) => IdentifyOptions::from_json(&text).map_err(told)?,
        None => IdentifyOptions::default(),
    };
    let identities = toolwire::identify(reading, &options).map_err(told)?;
    Ok(toolwire::identities_json(&identities))
}

/// The canonical form of a URI.
#[napi(catch_unwind)]
pub fn normalize_uri(uri: String, root: Option<String>) -> Result<String> {
    toolwire::normalize_uri(&uri, root.as_deref()).map_err(told)
}

/// Reads every line: its number, where it starts and ends, and the short answer, four numbers each.
#[napi(catch_unwind)]
pub fn lines(data: &[u8], limits_text: Option<String>) -> Result<Float64Array> {
    let mut table = Vec::new();
    for line in toolwire::parse_lines(data, &limits(limits_text)?) {
        let end = line.offset as usize + line.parsed.raw().len();
        table.extend([
            line.number as f64,
            line.offset as f64,
            end as f64,
            f64::from(facts_of(&line.parsed)),
        ]);
    }
    Ok(table.into())
}

/// How many lines have which verdict and which diagnostics.
#[napi(catch_unwind)]
pub fn summarize(data: &[u8], limits_text: Option<String>) -> Result<String> {
    Ok(toolwire::summarize(data, &limits(limits_text)?).to_json())
}

/// Any builder: its name, its arguments as a JSON object, and bytes that are content. It gives the
/// canonical text of the block or the envelope.
#[napi(catch_unwind)]
pub fn build(kind: String, arguments: String, bytes: Option<&[u8]>) -> Result<String> {
    toolwire::build::from_json(&kind, &arguments, bytes).map_err(told)
}

/// The media type that the core takes from a file's name.
#[napi(catch_unwind)]
pub fn mime_of_path(path: String) -> Option<&'static str> {
    toolwire::mime::from_path(&path)
}
