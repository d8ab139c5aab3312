//! What a reader has to say about an output: data, never just prose (DIAG rules).

// The generator lays it out, so that no installed tool can change it.
#[rustfmt::skip]
mod code;
mod error;

use std::fmt;

pub use code::{Code, UnknownCode};
pub use error::Error;

use crate::json::write_string;

/// How serious a diagnostic is.
///
/// ```
/// use toolwire::{Code, Severity};
///
/// assert_eq!(Code::PlainText.severity(), Severity::Note);
/// assert!(Severity::Error < Severity::Note);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The output began like a JSON document, but is not a strict one; or a call was refused.
    Error,
    /// Something was skipped or ignored, or will not travel well.
    Warning,
    /// Worth knowing; nothing is wrong.
    Note,
}

impl Severity {
    /// The word that stands in JSON: `error`, `warning` or `note`.
    ///
    /// ```
    /// assert_eq!(toolwire::Severity::Note.as_str(), "note");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding about an output. `code` and `pointer` are contract, `message` is not.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Limits, parse};
///
/// let parsed = parse(&br#"{"content":[{"type":"text"}]}"#[..], &Limits::default());
/// let finding = &parsed.diagnostics()[0];
/// assert_eq!(finding.code, Code::MissingField);
/// assert_eq!(finding.pointer, "/content/0/text");
/// assert_eq!(finding.offset, Some(12));
/// assert_eq!(finding.raw.as_deref(), Some(r#"{"type":"text"}"#));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What was found, from the closed registry.
    pub code: Code,
    /// How serious it is; the registry fixes it for each code.
    pub severity: Severity,
    /// The place as a JSON Pointer (RFC 6901) into the document; empty for the whole.
    pub pointer: String,
    /// The place as a byte offset into the output, where there is one.
    pub offset: Option<u64>,
    /// A sentence for a person; its wording is not contract.
    pub message: String,
    /// The JSON text of a block that was skipped, to the letter.
    pub raw: Option<String>,
}

impl Diagnostic {
    /// The diagnostic as a JSON object; absent members are left out.
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&b"hello"[..], &Limits::default());
    /// assert!(parsed.diagnostics()[0].to_json().starts_with(r#"{"code":"plain_text","#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(128);
        out.push_str("{\"code\":\"");
        out.push_str(self.code.as_str());
        out.push_str("\",\"severity\":\"");
        out.push_str(self.severity.as_str());
        out.push_str("\",\"pointer\":");
        write_string(&mut out, &self.pointer);
        if let Some(offset) = self.offset {
            out.push_str(",\"offset\":");
            out.push_str(&offset.to_string());
        }
        out.push_str(",\"message\":");
        write_string(&mut out, &self.message);
        if let Some(raw) = &self.raw {
            out.push_str(",\"raw\":");
            write_string(&mut out, raw);
        }
        out.push('}');
        out
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
