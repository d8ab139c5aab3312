//! Files for `resource_from_file`. The core does no I/O, so this is here.

use std::path::Path;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use toolwire::Code;

use crate::error::refuse;

/// The absolute form of a path, without asking the disk about links.
pub fn absolute(py: Python<'_>, path: &Path) -> PyResult<String> {
    let whole = std::path::absolute(path).map_err(|error| os_error(py, path, &error))?;
    whole.into_os_string().into_string().map_err(|_| {
        let message = "the path is not Unicode text; give a `uri` and use `resource_from_bytes`";
        refuse(py, Code::BadArgument, "/path", message)
    })
}

/// The content of a file; other threads may run meanwhile.
pub fn read(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    py.detach(|| std::fs::read(path))
        .map_err(|error| os_error(py, path, &error))
}

/// The exception that `open` would raise: of the right class, and with the file's name.
fn os_error(py: Python<'_>, path: &Path, error: &std::io::Error) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return PyOSError::new_err(error.to_string());
    };
    let name = path.as_os_str().to_owned();
    if cfg!(windows) {
        // The fourth argument is Windows's own number, from which Python finds the class.
        return PyOSError::new_err((0, error.to_string(), name, number));
    }
    let text = py
        .import("os")
        .and_then(|os| os.call_method1("strerror", (number,)));
    match text.and_then(|text| text.extract::<String>()) {
        Ok(text) => PyOSError::new_err((number, text, name)),
        Err(failure) => failure,
    }
}
