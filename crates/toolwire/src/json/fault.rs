//! What a fault of the scan is to a caller: a diagnostic, or the error of a call.

use super::Fault;
use crate::{Diagnostic, Error};

impl From<Fault> for Diagnostic {
    fn from(fault: Fault) -> Self {
        Diagnostic {
            code: fault.code,
            severity: fault.code.severity(),
            pointer: String::new(),
            offset: Some(fault.offset as u64),
            message: fault.code.summary().to_owned(),
            raw: None,
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Error::from_diagnostic(fault.into())
    }
}
