//! The Toolwire core for Node.
//!
//! What crosses is a number, a string or a buffer; never an object, since objects are slow to build
//! here and their numbers are doubles. Options come in and results go out as JSON text, and an
//! error goes out as the JSON text of its finding. `lib/*.cjs` gives it all its shape.
//!
//! Nothing is kept on this side. The frequent call is `check`, which answers with a number; whoever
//! asks for more has the bytes read again, which takes about as long as finding out what to free.

mod api;
mod author;
mod calls;
mod command;
mod connection;
mod conversation;
mod event;
mod exchange;
mod fault;
mod invocation;
mod json;
mod lines;
mod manifest;
mod question;
mod result;
mod serving;
mod session;
mod sessions;
mod source;
mod spec;
mod tools;

use std::borrow::Cow;

use napi::Either;
use napi::bindgen_prelude::{Buffer, BufferSlice, Float64Array};
use napi_derive::napi;
use toolwire::{
    Diagnostic, ExplainOptions, FormatOptions, IdentifyOptions, Identity, Limits, Parsed, Status,
    Verdict,
};
use toolwire_ffi::readers;

use crate::fault::{Result, told};
use crate::json::Object;
use crate::source::{How, limits, read, read_block};

/// The short answer: verdict (bits 0 and 1), error (2), status (3 and 4), transient (5), and whether
/// there is any diagnostic (6). Zero is a valid envelope with nothing to tell.
fn facts(parsed: &Parsed<'_>) -> u32 {
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

/// Reads and gives the short answer.
#[napi(catch_unwind)]
pub fn check(data: &[u8], how: How<'_>) -> Result<u32> {
    Ok(facts(&read(data, &how)?))
}

/// A part of what was read, as JSON text: `findings` are the diagnostics, the trace and the skipped blocks; `report`,
/// the whole reading; `document`, the envelope, verbatim or standing for raw text; `members`, what an envelope has beside
/// its blocks, with places in the bytes, which must not be raw text; `content` and `blocks`, the delivered blocks as they
/// were written, and as they are read.
#[napi(catch_unwind)]
pub fn view(part: String, data: &[u8], how: How<'_>) -> Result<String> {
    let parsed = read(data, &how)?;
    Ok(match part.as_str() {
        "findings" => findings(&parsed),
        "report" => parsed.report_json(),
        "document" => return source::text(parsed.document().to_vec()),
        "members" => members(&parsed),
        "content" => json::array(parsed.blocks().map(|block| block.node().raw())),
        _ => json::array(parsed.blocks().map(json::block)),
    })
}

fn findings(parsed: &Parsed<'_>) -> String {
    let skipped = parsed.skipped().map(|(index, node)| {
        Object::new()
            .number("index", index as f64)
            .text("json", node.raw())
            .end()
    });
    let diagnostics = parsed.diagnostics().iter().map(Diagnostic::to_json);
    Object::new()
        .raw("diagnostics", &json::array(diagnostics))
        .raw("trace", &trace(parsed))
        .raw("skipped", &json::array(skipped))
        .end()
}

fn members(parsed: &Parsed<'_>) -> String {
    let content = parsed.structured_content().map(json::place);
    Object::new()
        .number("facts", f64::from(facts(parsed)))
        .raw("trace", &trace(parsed))
        .raw("document", &json::place(parsed.root()))
        .optional_raw("structuredContent", content)
        .optional_raw("meta", parsed.meta().map(json::place))
        .end()
}

fn trace(parsed: &Parsed<'_>) -> String {
    json::array(parsed.trace().iter().map(|line| json::string(line)))
}

/// The bytes that count as the output of a process: its stdout or its result channel.
#[napi(catch_unwind)]
pub fn answer(data: &[u8], how: How<'_>) -> Result<Buffer> {
    Ok(read(data, &how)?.raw().into())
}

/// A block as it is read, from its own JSON text.
#[napi(catch_unwind)]
pub fn block(json_text: &[u8]) -> Option<String> {
    read_block(json_text).block(0).map(json::block)
}

/// The text of a block, if it is text.
#[napi(catch_unwind)]
pub fn block_text(json_text: &[u8]) -> Option<String> {
    let parsed = read_block(json_text);
    parsed.block(0)?.text().map(Cow::into_owned)
}

/// The decoded bytes of a block, if its content is base64.
#[napi(catch_unwind)]
pub fn block_bytes(json_text: &[u8]) -> Option<Buffer> {
    let parsed = read_block(json_text);
    parsed.block(0)?.bytes().map(Buffer::from)
}

/// The raw content of a block: its text in UTF-8, or its decoded bytes.
#[napi(catch_unwind)]
pub fn block_content(json_text: &[u8]) -> Option<Buffer> {
    let parsed = read_block(json_text);
    Some(parsed.block(0)?.content_bytes().into_owned().into())
}

/// Refuses everything whose verdict is not valid.
#[napi(catch_unwind)]
pub fn validate(data: &[u8], how: Option<String>) -> Result<()> {
    toolwire::validate(data, &limits(how.as_deref())?).map_err(told)
}

/// Refuses everything that is not an envelope, with or without warnings.
#[napi(catch_unwind)]
pub fn require_envelope(data: &[u8]) -> Result<()> {
    match std::str::from_utf8(data) {
        Ok(text) => toolwire::Envelope::from_json(text).map(drop).map_err(told),
        Err(_) => toolwire::validate(data, &Limits::default()).map_err(told),
    }
}

/// The canonical bytes: in `pool` behind `used` if they fit there, then the answer is their number;
/// else in a buffer of their own. Making a buffer takes longer than canonicalizing a short text.
#[napi(catch_unwind)]
pub fn canonicalize(
    data: &[u8],
    how: Option<String>,
    mut pool: BufferSlice<'_>,
    used: u32,
) -> Result<Either<u32, Buffer>> {
    let canonical = toolwire::canonicalize(data, &limits(how.as_deref())?).map_err(told)?;
    let used = used as usize;
    Ok(match pool.get_mut(used..used + canonical.len()) {
        Some(room) => {
            room.copy_from_slice(&canonical);
            Either::A(canonical.len() as u32)
        }
        None => Either::B(canonical.into()),
    })
}

/// The canonical form, as text, of what the core has read or written itself.
#[napi(catch_unwind)]
pub fn canonical_text(json_text: &[u8]) -> Result<String> {
    source::canonical(json_text)
}

/// The integers in a JSON text that a number of JavaScript would round, in a JSON array.
#[napi(catch_unwind)]
pub fn big_integers(json_text: String) -> Result<String> {
    let parsed = source::read_value(&json_text);
    let value = parsed.structured_content();
    Ok(value.map_or_else(|| "[]".to_owned(), json::big_integers))
}

/// The digest of the canonical bytes.
#[napi(catch_unwind)]
pub fn digest(data: &[u8], how: Option<String>) -> Result<String> {
    toolwire::digest(data, &limits(how.as_deref())?).map_err(told)
}

/// What a model or a person gets.
#[napi(catch_unwind)]
pub fn format(data: &[u8], how: How<'_>, options: Option<String>) -> Result<String> {
    let options = match options {
        Some(text) => readers::format_options(&text).map_err(told)?,
        None => FormatOptions::default(),
    };
    toolwire::format(&read(data, &how)?, &options).map_err(told)
}

/// Why an output was read as it was.
#[napi(catch_unwind)]
pub fn explain(data: &[u8], how: How<'_>, color: bool) -> Result<String> {
    let parsed = read(data, &how)?;
    Ok(toolwire::explain(&parsed, &ExplainOptions { color }))
}

/// The identities of the resources, in a JSON array.
#[napi(catch_unwind)]
pub fn identify(data: &[u8], how: How<'_>, options: Option<String>) -> Result<String> {
    let options = match options {
        Some(text) => readers::identify_options(&text).map_err(told)?,
        None => IdentifyOptions::default(),
    };
    let parsed = read(data, &how)?;
    let identities = toolwire::identify(&parsed, &options).map_err(told)?;
    Ok(json::array(identities.iter().map(Identity::to_json)))
}

/// The canonical form of a URI.
#[napi(catch_unwind)]
pub fn normalize_uri(uri: String, root: Option<String>) -> Result<String> {
    toolwire::normalize_uri(&uri, root.as_deref()).map_err(told)
}

/// The URI of a path, which is taken literally.
#[napi(catch_unwind)]
pub fn file_uri(path: String) -> Result<String> {
    toolwire::file_uri(&path).map_err(told)
}

/// Reads every line: its number, where it starts and ends, and the short answer, four numbers each.
#[napi(catch_unwind)]
pub fn lines(data: &[u8], how: Option<String>) -> Result<Float64Array> {
    let mut table = Vec::new();
    let limits = limits(how.as_deref())?;
    let lines = toolwire::map_lines(data, &limits, toolwire::all_threads(), |parsed| {
        (parsed.raw().len(), facts(&parsed))
    });
    for (number, offset, (length, facts)) in lines {
        let end = offset as usize + length;
        table.extend([number as f64, offset as f64, end as f64, f64::from(facts)]);
    }
    Ok(table.into())
}

/// How many lines have which verdict and which diagnostics.
#[napi(catch_unwind)]
pub fn summarize(data: &[u8], how: Option<String>) -> Result<String> {
    Ok(toolwire::summarize(data, &limits(how.as_deref())?).to_json())
}

/// Any builder: its name, its arguments as a JSON object, and bytes that are content. It gives the
/// canonical text of the block or the envelope.
#[napi(catch_unwind)]
pub fn build(kind: String, arguments: String, bytes: Option<&[u8]>) -> Result<String> {
    toolwire_ffi::build::from_json(&kind, &arguments, bytes).map_err(told)
}

/// The media type that the core takes from a file's name.
#[napi(catch_unwind)]
pub fn mime_of_path(path: String) -> Option<&'static str> {
    toolwire::mime::from_path(&path)
}
