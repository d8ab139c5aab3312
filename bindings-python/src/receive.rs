//! `receive`: the whole of what a process left behind, read as one result.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString};
use toolwire::{Code, Error, Exit};

use crate::document::Document;
use crate::error::{raise, refuse};
use crate::input::{Keyword, bytes_of, in_python, read_limits, wrong_type};
use crate::parsed::PyParsed;
use crate::received::Received;

/// Reads what a process left behind.
pub fn receive(
    stdout: &Bound<'_, PyAny>,
    exit_code: Keyword<'_, '_>,
    signal: Keyword<'_, '_>,
    stderr: Keyword<'_, '_>,
    result: Keyword<'_, '_>,
    limits: Keyword<'_, '_>,
) -> PyResult<PyParsed> {
    let py = stdout.py();
    let limits = read_limits(limits)?;
    if exit_code.is_some() && signal.is_some() {
        let message = "a process ends with an `exit_code` or by a `signal`, not by both";
        return Err(refuse(py, Code::BadOption, "/signal", message));
    }
    let exit = match (exit_code, signal) {
        (_, Some(signal)) => Exit::from_signal(signal_number(signal)?),
        (Some(code), None) => exit_of(code)?,
        (None, None) => Ok(Exit::Code(0)),
    };
    let exit = exit.map_err(|error| raise(py, &error))?;
    let bytes =
        |value: &Bound<'_, PyAny>, name| bytes_of(value, name, Code::BadOption).map(Bound::unbind);
    let received = Received {
        stdout: bytes_of(stdout, "stdout", Code::BadArgument)?.unbind(),
        stderr: match stderr {
            Some(stderr) => bytes(stderr, "stderr")?,
            None => PyBytes::new(py, b"").unbind(),
        },
        result: result.map(|result| bytes(result, "result")).transpose()?,
        exit,
    };
    Ok(PyParsed::new(Document::receive(py, received, limits)))
}

/// How a process ended, as `subprocess` tells it: a negative status is a signal.
fn exit_of(code: &Bound<'_, PyAny>) -> PyResult<Result<Exit, Error>> {
    let code = whole_number::<i64>(code)
        .ok_or_else(|| no_such_end(code, "exitCode", "a whole number of at most 64 bits"))?;
    Ok(match Exit::from_signal(code.saturating_neg()) {
        Ok(signal) => Ok(signal),
        Err(_) => Exit::from_code(code),
    })
}

/// An `int` that fits; a bool is not meant as a number.
fn whole_number<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> Option<T> {
    if value.is_instance_of::<PyBool>() {
        return None;
    }
    value.extract().ok()
}

/// The number of a signal, or of the name that this system knows it by.
fn signal_number(signal: &Bound<'_, PyAny>) -> PyResult<i64> {
    let number = match signal.cast::<PyString>() {
        Ok(name) => {
            let signals = signal.py().import("signal")?.getattr("Signals")?;
            signals.get_item(name).ok().and_then(|it| it.extract().ok())
        }
        Err(_) => whole_number(signal),
    };
    let expected = "the number or the name of a signal, such as `SIGTERM`";
    number
        .filter(|number| Exit::from_signal(*number).is_ok())
        .ok_or_else(|| no_such_end(signal, "signal", expected))
}

/// Refuses what no process ends with; of a number or a name the value says more than its class.
fn no_such_end(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyErr {
    let is_value = value.is_instance_of::<PyInt>() || value.is_instance_of::<PyString>();
    match value.repr() {
        Ok(text) if is_value => {
            let shown: String = text.to_string_lossy().chars().take(40).collect();
            let message = format!("`{}` must be {expected}, not `{shown}`", in_python(name));
            refuse(value.py(), Code::BadOption, &format!("/{name}"), &message)
        }
        _ => wrong_type(value, name, Code::BadOption, expected, ""),
    }
}
