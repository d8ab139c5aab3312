//! What a host sends and reads that runs programs in its own way.

use pyo3::prelude::*;
use toolwire::{Code, Limits};

use crate::error::raise;
use crate::input::{bytes_of, text_of};
use crate::to_json::alone;
use crate::to_python::json_to_python;

/// Find the marker of a program in the bytes of its file: `'comment'`, `'import'` or `'binary'`, or None. One that has
/// a marker takes calls.
///
/// >>> import toolwire
/// >>> toolwire.find_marker('#!/bin/sh\n# toolwire-tool: 1\n')
/// 'comment'
#[pyfunction]
pub fn find_marker(file: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    let file = bytes_of(file, "file", Code::BadArgument)?;
    Ok(toolwire_ffi::wire::marker(file.as_bytes()))
}

/// Read a line of the line transport, which the `'host'` or the `'tool'` wrote: its JSON text as Toolwire writes it, with
/// nothing in it that is not known here. None if it is of a type that is not known. A line that is wrong raises
/// ToolwireError.
///
/// >>> import toolwire
/// >>> toolwire.read_line('{"call": 1, "type": "end", "reason": "aborted", "new": 1}', 'host')
/// '{"type":"end","call":1,"reason":"aborted"}'
#[pyfunction]
pub fn read_line(line: &Bound<'_, PyAny>, source: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let source = text_of(source, "source", Code::BadArgument)?;
    let bytes = bytes_of(line, "line", Code::BadArgument)?;
    let read = toolwire_ffi::wire::line(bytes.as_bytes(), &source, &Limits::default());
    read.map_err(|error| raise(line.py(), &error))
}

/// Say what a terminal sends for an input, and what is written to a program on pipes: a dict with `typed` and, unless it
/// is for a terminal alone, `piped` and `eof`; or with `size`. `input` is a str, which is typed as it is, or a dict with
/// `text`, `key`, `keys` or `size`.
///
/// >>> import toolwire
/// >>> toolwire.terminal_input({'text': 'y', 'enter': True})
/// {'typed': 'y\r', 'piped': 'y\n', 'eof': False}
/// >>> toolwire.terminal_input({'key': 'up'}, application_cursor=True)['typed']
/// '\x1bOA'
#[pyfunction]
#[pyo3(signature = (input, *, application_cursor=false, bracketed_paste=false))]
pub fn terminal_input<'py>(
    input: &Bound<'py, PyAny>,
    application_cursor: bool,
    bracketed_paste: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let text = alone(input, "/input", Code::BadArgument)?;
    let sent = toolwire_ffi::wire::terminal_input(&text, application_cursor, bracketed_paste);
    json_to_python(
        input.py(),
        &sent.map_err(|error| raise(input.py(), &error))?,
    )
}
