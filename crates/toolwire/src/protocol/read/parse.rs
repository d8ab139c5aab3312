//! Reading an output: an envelope, or raw text and why (READ rules).

use std::borrow::Cow;

use crate::protocol::read::read;
use crate::{Error, Limits, Parsed};

/// How an output was read.
///
/// ```
/// use toolwire::{Limits, Verdict, parse};
///
/// let parsed = parse(&br#"{"content":[{"type":"chart"}]}"#[..], &Limits::default());
/// assert_eq!(parsed.verdict(), Verdict::Warnings);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// An envelope without any warning.
    Valid,
    /// An envelope, and something about it is worth a warning.
    Warnings,
    /// Not an envelope: the whole output is one text.
    Raw,
}

closed_words!(Verdict, "a verdict", {
    Valid => "valid",
    Warnings => "warnings",
    Raw => "raw",
});

/// Where a long-running tool stands (`computer.jp/status`, ENV-30).
///
/// ```
/// use toolwire::{Limits, Status, parse};
///
/// let parsed = parse(&br#"{"content":[],"_meta":{"computer.jp/status":"running"}}"#[..], &Limits::default());
/// assert_eq!(parsed.status(), Status::Running);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The tool is active; there may be partial output.
    Running,
    /// The tool needs an answer.
    Waiting,
    /// The tool has finished. That is what an envelope without a status says.
    Stopped,
}

closed_words!(Status, "a status", {
    Running => "running",
    Waiting => "waiting",
    Stopped => "stopped",
});

/// Reads a tool's output. It never fails: what is not an envelope is raw text, with a diagnostic
/// that says why and at which byte.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Limits, parse};
///
/// let parsed = parse(&br#"{"content":[],"content":[]}"#[..], &Limits::default());
/// assert!(parsed.is_raw());
/// assert_eq!(parsed.diagnostics()[0].code, Code::DuplicateName);
/// assert_eq!(parsed.diagnostics()[0].offset, Some(14));
/// ```
#[must_use]
pub fn parse<'a>(input: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Parsed<'a> {
    let input = input.into();
    let reading = read(&input, limits);
    Parsed::new(input, reading)
}

/// Checks that an output is an envelope without any warning.
///
/// # Errors
///
/// The first diagnostic that is not a note, or the reason why the output is raw text; all of them
/// are in [`Error::diagnostics`].
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Limits, validate};
///
/// validate(br#"{"content":[{"type":"text","text":"ok"}]}"#, &Limits::default())?;
/// let error = validate(br#"{"content":[{"type":"txt"}]}"#, &Limits::default()).unwrap_err();
/// assert_eq!(error.code(), Code::UnknownBlockType);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn validate(input: &[u8], limits: &Limits) -> Result<(), Error> {
    let reading = read(input, limits);
    reading.check()
}
