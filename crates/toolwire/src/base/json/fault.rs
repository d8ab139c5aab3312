//! What a fault of the scan is to a caller: a diagnostic, or the error of a call.

use std::fmt;

use crate::{Code, Diagnostic, Error};

/// Why a text is not a strict JSON document, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub code: Code,
    pub offset: usize,
}

impl Fault {
    /// The byte at `at` can't stand there, or the text ends there.
    #[cold]
    pub(super) fn unexpected(text: &[u8], at: usize) -> Self {
        let code = if at < text.len() {
            Code::JsonSyntax
        } else {
            Code::JsonTruncated
        };
        Fault { code, offset: at }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.code.summary(), self.offset)
    }
}

impl Fault {
    pub(crate) fn into_diagnostic(self) -> Diagnostic {
        Diagnostic {
            code: self.code,
            severity: self.code.severity(),
            pointer: String::new(),
            offset: Some(self.offset as u64),
            message: self.code.summary().to_owned(),
            raw: None,
        }
    }

    pub(crate) fn into_error(self) -> Error {
        Error::from_diagnostic(self.into_diagnostic())
    }
}
