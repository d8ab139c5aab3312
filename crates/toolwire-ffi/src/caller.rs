//! Who begins something that runs, and why it does not begin.

use std::path::PathBuf;

use toolwire::Error;
use toolwire_host::HostError;

use crate::servers::ServerError;

pub use crate::options::{FUNCTION, Unit};

/// Why something does not begin: an option or argument is wrong, or it can't be done.
#[derive(Debug)]
pub enum Failure {
    /// An option or an argument is wrong.
    Refused(Error),
    /// It can't be done.
    Failed(ServerError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Refused(error)
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        Failure::Failed(error)
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Failure::Failed(error.into())
    }
}

/// Who begins it.
#[derive(Debug)]
pub struct Caller {
    /// In what it gives times.
    pub unit: Unit,
    /// The signals, by their numbers, that end the tools before they end the process: those that nobody handles.
    pub signals: Vec<i32>,
    /// What runs files with some extensions.
    pub interpreters: Vec<(&'static str, PathBuf)>,
}

impl From<HostError> for ServerError {
    fn from(error: HostError) -> Self {
        ServerError::new(error.kind().as_str(), error.to_string())
    }
}
