//! What a fault of the scan is to a caller: a diagnostic, or the error of a call.

use super::Fault;
use crate::{Diagnostic, Error};

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
