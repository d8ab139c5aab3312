//! The functions that show an output: `format` to a model, `explain` to a person.

use pyo3::prelude::*;
use toolwire::{ExplainOptions, FormatOptions};
use toolwire_ffi::readers;

use crate::error::raise;
use crate::functions::document_in;
use crate::input::{Keyword, detached, options_json, read_limits};

/// What a model or a person gets.
pub fn format(
    data: &Bound<'_, PyAny>,
    limits: Keyword<'_, '_>,
    options: &[(&str, Keyword<'_, '_>)],
) -> PyResult<String> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let options = match options_json(options)? {
        None => FormatOptions::default(),
        Some(json) => readers::format_options(&json).map_err(|error| raise(py, &error))?,
    };
    let document = document_in(data, limits)?;
    let core = document.parsed();
    detached(py, core.document().len(), || {
        toolwire::format(core, &options)
    })
    .map_err(|error| raise(py, &error))
}

/// Why an output was read as it was.
pub fn explain(
    data: &Bound<'_, PyAny>,
    limits: Keyword<'_, '_>,
    options: &[(&str, Keyword<'_, '_>)],
) -> PyResult<String> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let options = match options_json(options)? {
        None => ExplainOptions::default(),
        Some(json) => readers::explain_options(&json).map_err(|error| raise(py, &error))?,
    };
    let document = document_in(data, limits)?;
    let core = document.parsed();
    Ok(detached(py, core.raw().len(), || {
        toolwire::explain(core, &options)
    }))
}
