//! What a reader has to say about an output: data, never just prose (DIAG rules).

// The generator lays it out, so that no installed tool can change it.
#[rustfmt::skip]
mod code;
mod error;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use code::Code;
pub use error::Error;

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

closed_words!(Severity, "a severity", {
    Error => "error",
    Warning => "warning",
    Note => "note",
});

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What was found, from the closed registry.
    pub code: Code,
    /// How serious it is; the registry fixes it for each code.
    pub severity: Severity,
    /// The place as a JSON Pointer (RFC 6901) into the document; empty for the whole.
    pub pointer: String,
    /// The place as a byte offset into the output, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// A sentence for a person; its wording is not contract.
    pub message: String,
    /// The JSON text of a block that was skipped, verbatim.
    #[serde(skip_serializing_if = "Option::is_none")]
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
        // Strings and numbers are always written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
