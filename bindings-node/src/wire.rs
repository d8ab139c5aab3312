//! What a host sends and reads that runs programs in its own way.

use napi_derive::napi;
use toolwire::Limits;

use crate::fault::{Result, told};

/// The marker of a program.
#[napi(catch_unwind)]
pub fn find_marker(file: &[u8]) -> Option<String> {
    toolwire_ffi::wire::marker(file).map(str::to_owned)
}

/// A line of the line transport as Toolwire writes it.
#[napi(catch_unwind)]
pub fn read_line(line: &[u8], source: String) -> Result<Option<String>> {
    toolwire_ffi::wire::line(line, &source, &Limits::default()).map_err(told)
}

/// What a terminal is sent for an input, which is JSON text.
#[napi(catch_unwind)]
pub fn terminal_input(
    input: String,
    application_cursor: bool,
    bracketed_paste: bool,
) -> Result<String> {
    toolwire_ffi::wire::terminal_input(&input, application_cursor, bracketed_paste).map_err(told)
}
