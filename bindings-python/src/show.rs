//! The functions that show an output: `format` to a model, `explain` to a person.

use pyo3::prelude::*;
use toolwire::{ExplainOptions, FormatOptions};
use toolwire_ffi::readers;

use crate::error::raise;
use crate::functions::document_in;
use crate::input::{Keyword, detached, options_json, read_limits};

/// The text for a model, or with `target='terminal'` for a person.
///
/// `data` is a `Parsed`, an `Envelope` or an output. `style` is `'fence'` or `'xml'`. `header` puts a line
/// with the URI above each resource. `max_bytes` limits the text, which is cut at a character boundary and
/// says so. `audience` (`'user'` or `'assistant'`) leaves out blocks for others. `nonce` wraps the text in a
/// fence that its content cannot close. `color` keeps colours at a terminal. The other limits are those of
/// `parse`, for an output that was not read before.
///
/// >>> import toolwire
/// >>> block = toolwire.resource('file:///a.rs', text='fn main() {}', mime_type='text/rust')
/// >>> print(toolwire.format(toolwire.envelope(block)))
/// ```rs
/// fn main() {}
/// ```
#[pyfunction]
#[pyo3(signature = (data, *, target=None, style=None, header=None, max_bytes=None, audience=None,
    nonce=None, color=None, limits=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn format(
    data: &Bound<'_, PyAny>,
    target: Keyword<'_, '_>,
    style: Keyword<'_, '_>,
    header: Keyword<'_, '_>,
    max_bytes: Keyword<'_, '_>,
    audience: Keyword<'_, '_>,
    nonce: Keyword<'_, '_>,
    color: Keyword<'_, '_>,
    limits: Keyword<'_, '_>,
) -> PyResult<String> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let given = options_json(&[
        ("target", target),
        ("style", style),
        ("header", header),
        ("maxBytes", max_bytes),
        ("audience", audience),
        ("nonce", nonce),
        ("color", color),
    ])?;
    let options = match given {
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

/// A text for a person that explains why an output was read as it was: which rule, where, and what to do.
/// The limits are those of `parse`, for an output that was not read before.
///
/// >>> import toolwire
/// >>> 'NaN' in toolwire.explain('{"content": [], "n": NaN}')
/// True
#[pyfunction]
#[pyo3(signature = (data, *, color=None, limits=None))]
pub fn explain(
    data: &Bound<'_, PyAny>,
    color: Keyword<'_, '_>,
    limits: Keyword<'_, '_>,
) -> PyResult<String> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let options = match options_json(&[("color", color)])? {
        None => ExplainOptions::default(),
        Some(json) => readers::explain_options(&json).map_err(|error| raise(py, &error))?,
    };
    let document = document_in(data, limits)?;
    let core = document.parsed();
    Ok(detached(py, core.raw().len(), || {
        toolwire::explain(core, &options)
    }))
}
