//! How a result is written for its reader (CLI-51, CLI-125).

use toolwire::json::{Document, Kind, Node};
use toolwire::{BlockKind, FormatOptions, Parsed, Status, Target};

use crate::args::{ResultFormat, RunArgs};
use crate::exit::{Failure, Result};
use crate::output::Out;
use crate::{structured, terminal};

pub fn write(parsed: &Parsed<'_>, args: &RunArgs, out: &mut Out) -> Result<()> {
    let asked = args.format.or(args.json.then_some(ResultFormat::Json));
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
    let text = toolwire::format(parsed, &options).map_err(|error| Failure::refused(&error))?;
    out.text(&text)
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
