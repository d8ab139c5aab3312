//! The one error that the library's functions return.

use std::fmt;

use crate::{Code, Diagnostic};

/// Why a call failed: a diagnostic, with a code from the registry.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Limits, canonicalize};
///
/// let error = canonicalize(br#"{"a":1,"a":2}"#, &Limits::default()).unwrap_err();
/// assert_eq!(error.code(), Code::DuplicateName);
/// assert_eq!(error.offset(), Some(7));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    // Boxed, so that a result stays as small as what it usually holds.
    inner: Box<Inner>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    first: Diagnostic,
    all: Vec<Diagnostic>,
}

impl Error {
    /// An error with a code, the pointer and offset of its place, and a message for a person: lower
    /// case, without a full stop, input in backticks.
    ///
    /// ```
    /// use toolwire::{Code, Error};
    ///
    /// let error = Error::new(Code::BadOption, "/style", None, "`style` is `fence` or `xml`");
    /// assert_eq!(error.pointer(), "/style");
    /// ```
    #[must_use]
    pub fn new(
        code: Code,
        pointer: impl Into<String>,
        offset: Option<u64>,
        message: impl Into<String>,
    ) -> Self {
        Error::from_diagnostic(Diagnostic {
            code,
            severity: code.severity(),
            pointer: pointer.into(),
            offset,
            message: message.into(),
            raw: None,
        })
    }

    pub(crate) fn from_diagnostic(first: Diagnostic) -> Self {
        let all = vec![first.clone()];
        Error {
            inner: Box::new(Inner { first, all }),
        }
    }

    /// The same error without its offset and other findings: about a value that is in no text of the caller's.
    ///
    /// ```
    /// use toolwire::{Limits, canonicalize};
    ///
    /// let error = canonicalize(b"[1,]", &Limits::default()).unwrap_err();
    /// assert_eq!(error.placeless().offset(), None);
    /// ```
    #[must_use]
    pub fn placeless(self) -> Self {
        let first = self.inner.first;
        Error::new(first.code, first.pointer, None, first.message)
    }

    pub(crate) fn with_all(first: Diagnostic, all: Vec<Diagnostic>) -> Self {
        Error {
            inner: Box::new(Inner { first, all }),
        }
    }

    /// The code from the registry.
    ///
    /// ```
    /// use toolwire::{Code, Limits, canonicalize};
    ///
    /// let error = canonicalize(b"[1,]", &Limits::default()).unwrap_err();
    /// assert_eq!(error.code(), Code::JsonSyntax);
    /// ```
    #[must_use]
    pub fn code(&self) -> Code {
        self.inner.first.code
    }

    /// The place as a JSON Pointer; empty for the whole.
    ///
    /// ```
    /// use toolwire::Limits;
    ///
    /// let error = Limits { max_depth: 5_000, ..Limits::default() }.check().unwrap_err();
    /// assert_eq!(error.pointer(), "/maxDepth");
    /// ```
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.inner.first.pointer
    }

    /// The place as a byte offset into the input, where there is one.
    ///
    /// ```
    /// use toolwire::{Limits, canonicalize};
    ///
    /// let error = canonicalize(b"[1,]", &Limits::default()).unwrap_err();
    /// assert_eq!(error.offset(), Some(3));
    /// ```
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.inner.first.offset
    }

    /// A sentence for a person; its wording is not contract.
    ///
    /// ```
    /// let error = toolwire::file_uri("").unwrap_err();
    /// assert_eq!(error.message(), error.to_string());
    /// ```
    #[must_use]
    pub fn message(&self) -> &str {
        &self.inner.first.message
    }

    /// Everything that was found; the error itself is one of them.
    ///
    /// ```
    /// use toolwire::{Limits, validate};
    ///
    /// let output = br#"{"content":[{"type":"a"},{"type":"b"}]}"#;
    /// let error = validate(output, &Limits::default()).unwrap_err();
    /// assert_eq!(error.diagnostics().len(), 2);
    /// assert_eq!(error.diagnostics()[0].code, error.code());
    /// ```
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.all
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Error {}
