//! Presents an answer to a model or on a terminal (chapter 5, the FMT rules).

mod blocks;
mod budget;
mod fence;
pub(crate) mod hidden;
mod marker;
pub mod mime;
// The generator lays it out, so that no installed tool can change it.
#[rustfmt::skip]
mod mime_table;
mod options;
mod part;
mod sgr;
mod terminal;
#[rustfmt::skip]
mod text_table;
mod xml;

use crate::{BlockView, Code, Error, Parsed, Status};
use blocks::Writer;
use budget::Layout;
pub(crate) use budget::push_part;
pub(crate) use marker::Marker;
pub use options::{FormatOptions, MIN_BUDGET, Style, Target};
pub(crate) use part::Part;
pub(crate) use terminal::{push_picture, push_visible};
pub use terminal::{terminal_safe, terminal_safe_json};

/// Presents an answer as text: for a model by default, or for a terminal. The same answer and options
/// always give the same text.
///
/// # Errors
///
/// - `bad_option`: the budget is outside of its range, or the nonce is malformed.
/// - `nonce_collision`: the nonce occurs in what it should fence off; draw another one (FMT-30). The
///   pointer names the block.
///
/// # Examples
///
/// ```
/// use toolwire::{FormatOptions, Limits, format, parse};
///
/// let output = br#"{"content":[
///   {"type":"text","text":"One file:"},
///   {"type":"resource","resource":{"uri":"file:///a.rs","mimeType":"text/rust","text":"fn main() {}"}}
/// ]}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// let text = format(&parsed, &FormatOptions::default())?;
/// assert_eq!(text, "One file:\n\n```rs\nfn main() {}\n```");
///
/// let options = FormatOptions { header: true, ..FormatOptions::default() };
/// let text = format(&parsed, &options)?;
/// assert_eq!(
///     text,
///     "One file:\n\n[resource uri=file:///a.rs type=text/rust]\n```rs\nfn main() {}\n```",
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn format(parsed: &Parsed<'_>, options: &FormatOptions) -> Result<String, Error> {
    options.check()?;
    let parts = blocks::parts(parsed, options);
    if let Some(nonce) = &options.nonce {
        check_nonce(nonce, &parts)?;
    }
    Ok(
        Layout::new(head(parsed, options.style, false), options)
            .assemble(&parts, options.max_bytes),
    )
}

/// The part that a block is written as.
pub(crate) fn part_of<'a>(block: &BlockView<'a>, options: &FormatOptions) -> Part<'a> {
    Writer { options }.block(block)
}

/// The part that the trace of an error is written as.
pub(crate) fn trace_of<'a>(parsed: &Parsed<'_>, options: &FormatOptions) -> Option<Part<'a>> {
    Writer { options }.trace(parsed)
}

pub(crate) use blocks::parts as other_parts;

/// FMT-3: what is said of the answer as a whole, before anything that the tool wrote. Where a flag says that it is
/// an error, only what the flag does not say is said.
pub(crate) fn head(parsed: &Parsed<'_>, style: Style, is_flagged: bool) -> String {
    let mut lines = Vec::new();
    if parsed.is_error() && (!is_flagged || parsed.transient()) {
        let transient = parsed.transient().then_some("true");
        lines.push(
            Marker::new("error")
                .with_some("transient", transient)
                .line(style),
        );
    }
    if parsed.status() != Status::Stopped {
        lines.push(
            Marker::new("status")
                .with("value", parsed.status().as_str())
                .line(style),
        );
    }
    lines.join("\n")
}

/// FMT-30. No nonce holds a line feed, so it can't stand across two parts.
fn check_nonce(nonce: &str, parts: &[Part<'_>]) -> Result<(), Error> {
    match parts.iter().find(|part| part.render().contains(nonce)) {
        None => Ok(()),
        Some(part) => Err(Error::new(
            Code::NonceCollision,
            part.pointer.clone(),
            None,
            format!("the nonce `{nonce}` occurs in the content; draw another one at random"),
        )),
    }
}
