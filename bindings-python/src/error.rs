//! `ToolwireError`, the one exception that this package raises on purpose.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use toolwire::{Code, Error};

use crate::diagnostic::PyDiagnostic;

create_exception!(
    toolwire,
    ToolwireError,
    PyValueError,
    "A call was refused. `code` says why and is contract; the wording of the message is not.

`pointer` is a JSON Pointer to the place, `offset` the byte in the input (or None), `message` the
plain sentence, and `diagnostics` is everything that was found.

>>> import toolwire
>>> try:
...     toolwire.canonicalize(b'{\"a\": 1, \"a\": 2}')
... except toolwire.ToolwireError as error:
...     print(error.code, error.pointer or '/', error.offset)
duplicate_name / 9
"
);

/// Adds the class to the module, with values for instances that were not raised by this package.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let class = py.get_type::<ToolwireError>();
    class.setattr("code", Code::BadArgument.as_str())?;
    class.setattr("pointer", "")?;
    class.setattr("offset", py.None())?;
    class.setattr("message", "")?;
    class.setattr("diagnostics", PyTuple::empty(py))?;
    module.add("ToolwireError", class)
}

/// The exception for an error of the core.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    build(py, error).unwrap_or_else(|failure| failure)
}

/// The exception for an argument that never reached the core.
pub fn refuse(py: Python<'_>, code: Code, pointer: &str, message: &str) -> PyErr {
    raise(py, &Error::new(code, pointer, None, message))
}

fn build(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let code = error.code().as_str();
    // A traceback shows nothing but this text, so it names the code and the place too.
    let mut text = format!("{} ({code}", error.message());
    if let Some(offset) = error.offset() {
        text.push_str(&format!(" at byte {offset}"));
    }
    if !error.pointer().is_empty() {
        text.push_str(&format!(" at {}", error.pointer()));
    }
    text.push(')');
    let exception = ToolwireError::new_err(text);
    let value = exception.value(py);
    value.setattr("code", code)?;
    value.setattr("pointer", error.pointer())?;
    value.setattr("offset", error.offset())?;
    value.setattr("message", error.message())?;
    let all = error.diagnostics().iter().cloned().map(PyDiagnostic::new);
    value.setattr("diagnostics", PyList::new(py, all.collect::<Vec<_>>())?)?;
    Ok(exception)
}
