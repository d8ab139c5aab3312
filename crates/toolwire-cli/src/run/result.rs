//! How a result is written for its reader.

use toolwire::json::{Document, Kind, Node, ObjectWriter, array, string};
use toolwire::{BlockKind, Code, FormatOptions, Limits, Parsed, Status, Target, parse};
use toolwire_host::RunReport;

use crate::args::ResultFormat;
use crate::exit::{Failure, Result};
use crate::output::Out;
use crate::{structured, terminal};

/// The format that options ask for.
pub fn asked(format: Option<ResultFormat>, json: bool) -> Option<ResultFormat> {
    format.or(json.then_some(ResultFormat::Json))
}

pub fn write(
    parsed: &Parsed<'_>,
    report: &RunReport,
    asked: Option<ResultFormat>,
    out: &mut Out,
) -> Result<()> {
    let value = data(parsed);
    let target = match (asked, value) {
        (Some(ResultFormat::Json), _) => {
            return out.json(&String::from_utf8_lossy(parsed.document()));
        }
        (Some(ResultFormat::Terminal), Some(value)) => return write_pretty(value, out),
        (None, Some(value)) if out.terminal => return write_pretty(value, out),
        (None, Some(value)) => return out.line(&structured::compact(value.raw())),
        (Some(ResultFormat::Terminal), None) => Target::Terminal,
        (None, None) if out.terminal => Target::Terminal,
        (Some(ResultFormat::Model) | None, _) => Target::Model,
    };
    let options = FormatOptions {
        target,
        color: out.color,
        ..FormatOptions::default()
    };
    let seen = target == Target::Terminal && terminal::are_terminals() == (true, true);
    let rest = seen.then(|| without_stderr(parsed, report)).flatten();
    let parsed = rest.as_ref().unwrap_or(parsed);
    let text = toolwire::format(parsed, &options).map_err(|error| Failure::refused(&error))?;
    out.text(&text)
}

/// An error that the host composed, without what it took from stderr, for whoever has read that while
/// the tool ran. Nothing where there is no such error.
fn without_stderr(parsed: &Parsed<'_>, report: &RunReport) -> Option<Parsed<'static>> {
    let stopped = report.stopped.is_some();
    let composed = parsed.is_error() && (parsed.is_raw() || stopped);
    if !composed || report.stderr.trim_ascii().is_empty() {
        return None;
    }
    let sentence = string(parsed.trace().first()?);
    let diagnostics = parsed.diagnostics();
    let is_empty = diagnostics.iter().any(|one| one.code == Code::EmptyOutput);
    // Where there was no output, the text is the headline of stderr.
    let content = match is_empty && !stopped {
        true => {
            let mut block = ObjectWriter::new();
            block.json("text", &sentence).text("type", "text");
            array([block.end()])
        }
        false => parsed.root().get("content")?.raw().to_owned(),
    };
    let error = ObjectWriter::new()
        .json("trace", array([sentence]))
        .flag("transient", parsed.transient())
        .end();
    let meta = ObjectWriter::new().json("computer.jp/error", error).end();
    let document = ObjectWriter::new()
        .json("_meta", meta)
        .json("content", content)
        .flag("isError", true)
        .end();
    Some(parse(document.into_bytes(), &Limits::WIDEST))
}

fn write_pretty(value: Node<'_>, out: &mut Out) -> Result<()> {
    for line in structured::lines(value, terminal::width(), out.color) {
        out.line(&line)?;
    }
    Ok(())
}

/// The structured content, if it is all that the result says: there is no block, or one that holds the
/// same as text, as MCP asks servers to send it.
fn data<'p>(parsed: &'p Parsed<'_>) -> Option<Node<'p>> {
    let value = parsed.structured_content()?;
    let plain = !parsed.is_error() && parsed.status() == Status::Stopped;
    let mut blocks = parsed.blocks();
    let says_all = match (blocks.next(), blocks.next()) {
        (None, _) => true,
        (Some(block), None) if block.kind() == BlockKind::Text => {
            let text = block.text().unwrap_or_default();
            Document::new(&text).is_ok_and(|text| is_same(text.root(), value))
        }
        _ => false,
    };
    (plain && says_all).then_some(value)
}

/// Whether two texts stand for the same value. Numbers must be spelt the same.
fn is_same(one: Node<'_>, other: Node<'_>) -> bool {
    if one.kind() != other.kind() || one.len() != other.len() {
        return false;
    }
    match one.kind() {
        Kind::Object => one
            .members()
            .all(|(name, value)| other.get(&name).is_some_and(|other| is_same(value, other))),
        Kind::Array => one
            .elements()
            .zip(other.elements())
            .all(|(one, other)| is_same(one, other)),
        Kind::String => one.as_str() == other.as_str(),
        _ => one.raw() == other.raw(),
    }
}
