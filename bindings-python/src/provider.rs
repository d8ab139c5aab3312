//! Messages of the providers of models, for the module `providers`.

use pyo3::prelude::*;
use toolwire::Limits;
use toolwire_ffi::provider;

use crate::error::raise;
use crate::functions::document_in;
use crate::to_python::json_to_python;

/// A tool's result as a provider's message.
#[pyfunction]
pub fn provider_message<'py>(
    data: &Bound<'py, PyAny>,
    options: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let document = document_in(data, Limits::default())?;
    let message = py.detach(|| provider::to_message(document.parsed(), options));
    json_to_python(py, &message.map_err(|error| raise(py, &error))?)
}

/// Another of the functions, by its name.
#[pyfunction]
pub fn provider_call<'py>(
    py: Python<'py>,
    name: &str,
    input: &str,
    options: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let made = py.detach(|| provider::call(name, input, options));
    json_to_python(py, &made.map_err(|error| raise(py, &error))?)
}
