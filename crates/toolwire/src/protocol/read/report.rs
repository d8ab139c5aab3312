//! The report on a reading, written piece by piece: beside what was read there is never a copy of it.

use std::fmt::{self, Write};

use crate::Parsed;
use crate::base::json::{ObjectWriter, write_string};

/// How much of a text is escaped at a time.
const PIECE: usize = 4096;

pub(super) fn write(parsed: &Parsed<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let head = ObjectWriter::new()
        .text("verdict", parsed.verdict().as_str())
        .flag("isError", parsed.is_error())
        .text("status", parsed.status().as_str())
        .number("blocks", parsed.count() as u64)
        .end();
    f.write_str(head.trim_end_matches('}'))?;
    f.write_str(r#","diagnostics":["#)?;
    for (index, found) in parsed.diagnostics().iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        f.write_str(&found.to_json())?;
    }
    f.write_str(r#"],"envelope":"#)?;
    match parsed.written() {
        Some(root) => f.write_str(root.raw())?,
        None => raw(parsed.raw(), f)?,
    }
    f.write_char('}')
}

/// The envelope that stands for raw text (READ-2).
fn raw(input: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if input.is_empty() {
        return f.write_str(r#"{"content":[]}"#);
    }
    f.write_str(r#"{"content":[{"text":""#)?;
    for chunk in input.utf8_chunks() {
        escaped(chunk.valid(), f)?;
        if !chunk.invalid().is_empty() {
            f.write_char(char::REPLACEMENT_CHARACTER)?;
        }
    }
    f.write_str(r#"","type":"text"}]}"#)
}

/// The inside of a string.
fn escaped(mut text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut piece = String::new();
    while !text.is_empty() {
        let mut end = PIECE.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (now, later) = text.split_at(end);
        text = later;
        piece.clear();
        write_string(&mut piece, now);
        f.write_str(&piece[1..piece.len() - 1])?;
    }
    Ok(())
}
