//! The command `toolwire`, as the package brings it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Run the command with these arguments, the first of which is its own name; gives the exit code.
/// It uses the stdin, stdout and stderr of this process, and handles its signals.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| toolwire_cli::main(&arguments))
}
