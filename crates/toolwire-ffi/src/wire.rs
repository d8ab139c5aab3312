//! What a host sends and reads that runs programs in its own way, as text.

use toolwire::call::{Marker, find_marker};
use toolwire::json::{ObjectWriter, array};
use toolwire::lines::{HostLine, ToolLine};
use toolwire::session::{TerminalInput, TerminalModes};
use toolwire::{Code, Error, Json, Limits};

/// The marker of a program, from the bytes of its file.
#[must_use]
pub fn marker(file: &[u8]) -> Option<&'static str> {
    // Bytes can be read.
    find_marker(file).ok().flatten().map(Marker::as_str)
}

/// A line of the line transport as Toolwire writes it; nothing if it says nothing that is known (LINE-10). `source` is who
/// wrote it: `host` or `tool`.
///
/// # Errors
///
/// `bad_line` and those of reading; `bad_argument` at `/source`.
pub fn line(line: &[u8], source: &str, limits: &Limits) -> Result<Option<String>, Error> {
    Ok(match source {
        "host" => HostLine::from_json(line, limits)?.map(|line| line.to_json()),
        "tool" => ToolLine::from_json(line, limits)?.map(|line| line.to_json()),
        other => {
            let message = format!("`source` is `host` or `tool`, not `{other}`");
            return Err(Error::new(Code::BadArgument, "/source", None, message));
        }
    })
}

/// What a terminal is sent for an input, JSON text, and what is written to a program on pipes: a JSON object with
/// `typed` and, unless it is for a terminal alone, `piped` and `eof`; or with `size` (TERM-2 to TERM-7).
///
/// # Errors
///
/// `bad_argument` at the first place that is wrong.
pub fn terminal_input(
    input: &str,
    application_cursor: bool,
    bracketed_paste: bool,
) -> Result<String, Error> {
    let input = TerminalInput::read(&Json::new(input)?)?;
    let mut out = ObjectWriter::new();
    if let TerminalInput::Size { columns, rows } = input {
        return Ok(out
            .json("size", array([columns.to_string(), rows.to_string()]))
            .end());
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let modes = TerminalModes::new(application_cursor, bracketed_paste);
    out.text("typed", text(input.typed(modes)));
    if let Ok((bytes, eof)) = input.piped() {
        out.text("piped", text(bytes)).flag("eof", eof);
    }
    Ok(out.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_speak_text() {
        assert_eq!(marker(b"#!/bin/sh\n# toolwire-tool: 1\n"), Some("comment"));
        assert_eq!(marker(b"echo\n"), None);
        let hello = br#"{"type":"hello","toolwire":1,"version":1,"new":1}"#;
        let read = line(hello, "tool", &Limits::default()).unwrap();
        assert!(read.is_some_and(|read| read.starts_with(r#"{"type":"hello","toolwire":1"#)));
        assert_eq!(
            line(hello, "me", &Limits::default()).unwrap_err().pointer(),
            "/source"
        );
        assert_eq!(
            terminal_input(r#"{"text":"a\nb"}"#, false, true).unwrap(),
            r#"{"typed":"\u001b[200~a\rb\u001b[201~","piped":"a\nb","eof":false}"#
        );
        assert_eq!(
            terminal_input(r#"{"size":[80,24]}"#, false, false).unwrap(),
            r#"{"size":[80,24]}"#
        );
    }
}
