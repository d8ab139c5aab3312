//! Paths and files of this machine. The core does no I/O, so this is here.

use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyOSError, PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use toolwire::Code;

use crate::error::{raise, refuse};
use crate::input::wrong_type;
use crate::to_json::LONE_SURROGATE;

/// The URI of a path.
pub fn file_uri(path: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = path.py();
    let path = path_buf(path)?;
    let uri = |path: &str| toolwire::file_uri(path).map_err(|error| raise(py, &error));
    // A path that is absolute on another system stands as it is.
    match path.to_str().map(uri).transpose()? {
        Some(uri) if uri.starts_with("file:") => Ok(uri),
        _ => uri(&absolute(py, &path)?),
    }
}

/// The path that an argument names.
pub fn path_buf(path: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    path.extract::<PathBuf>().map_err(|error| {
        if error.is_instance_of::<PyUnicodeEncodeError>(path.py()) {
            return refuse(path.py(), Code::BadArgument, "/path", LONE_SURROGATE);
        }
        if !error.is_instance_of::<PyTypeError>(path.py()) {
            return error;
        }
        let hint = match path.is_instance_of::<PyBytes>() {
            true => "; give `os.fsdecode(path)`",
            false => "",
        };
        let expected = "a str or an os.PathLike of str";
        wrong_type(path, "path", Code::BadArgument, expected, hint)
    })
}

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
