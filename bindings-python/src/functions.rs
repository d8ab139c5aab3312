//! The functions that read, judge and canonicalize an output.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use toolwire::{Code, Limits};

use crate::block::PyBlock;
use crate::document::Document;
use crate::envelope::PyEnvelope;
use crate::error::raise;
use crate::input::{Keyword, bytes_of, detached, read_limits};
use crate::parsed::PyParsed;

/// Read the output of a tool. Never fails because of what the tool wrote: if it is not an envelope, it is
/// raw text.
///
/// `data` is bytes, another bytes-like object, or a str, which is read as its UTF-8 bytes. `bytes` are not
/// copied, and values are decoded only when they are accessed. `limits` is a
/// dict with any of `max_bytes` (64 MiB), `max_depth` (128), `max_values` (10,000,000), `max_blocks` (100,000) and
/// `max_diagnostics` (100).
///
/// >>> import toolwire
/// >>> parsed = toolwire.parse(b'{"content": [{"type": "text", "text": "hello"}]}')
/// >>> parsed
/// <toolwire.Parsed valid: 1 block>
/// >>> toolwire.parse(b'\xff\xfe').diagnostics
/// [<toolwire.Diagnostic error invalid_utf8 byte 0>]
/// >>> toolwire.parse(b'{"content": []}', limits={'max_bytes': 5}).verdict
/// 'raw'
#[pyfunction]
#[pyo3(signature = (data, *, limits=None))]
pub fn parse(data: &Bound<'_, PyAny>, limits: Keyword<'_, '_>) -> PyResult<PyParsed> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let bytes = bytes_of(data, "data", Code::BadArgument)?;
    Ok(PyParsed::new(Document::read(py, bytes, limits)))
}

/// Check that an output, or a `Parsed`, is a valid envelope. Returns None, or raises `ToolwireError` for the
/// first diagnostic that is not a note; its `diagnostics` holds all of them.
///
/// >>> import toolwire
/// >>> toolwire.validate(b'{"content": []}')
/// >>> toolwire.validate(b'{"content": [{"type": "chart"}]}')
/// Traceback (most recent call last):
///     ...
/// toolwire.ToolwireError: ...
#[pyfunction]
#[pyo3(signature = (data, *, limits=None))]
pub fn validate(data: &Bound<'_, PyAny>, limits: Keyword<'_, '_>) -> PyResult<()> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let bytes = match written(data) {
        Some(bytes) => bytes,
        None => bytes_of(data, "data", Code::BadArgument)?,
    };
    let bytes = bytes.as_bytes();
    detached(py, bytes.len(), || toolwire::validate(bytes, &limits))
        .map_err(|error| raise(py, &error))
}

/// The canonical bytes (RFC 8785) of any strict JSON text, or of a `Parsed`, `Envelope` or `Block`.
///
/// >>> import toolwire
/// >>> toolwire.canonicalize('{"b": 1.0, "a": "\\u00e9"}')
/// b'{"a":"\xc3\xa9","b":1}'
#[pyfunction]
#[pyo3(signature = (data, *, limits=None))]
pub fn canonicalize<'py>(
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let (bytes, limits) = match written(data) {
        Some(bytes) => (bytes, Limits::WIDEST),
        None => (bytes_of(data, "data", Code::BadArgument)?, limits),
    };
    let bytes = bytes.as_bytes();
    let canonical = detached(py, bytes.len(), || toolwire::canonicalize(bytes, &limits))
        .map_err(|error| raise(py, &error))?;
    Ok(PyBytes::new(py, &canonical))
}

/// The digest of the canonical bytes: `'sha256:…'`.
///
/// >>> import toolwire
/// >>> toolwire.digest('{"a":1.0}') == toolwire.digest(b'{ "a": 1 }')
/// True
#[pyfunction]
#[pyo3(signature = (data, *, limits=None))]
pub fn digest(data: &Bound<'_, PyAny>, limits: Keyword<'_, '_>) -> PyResult<String> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let (bytes, limits) = match written(data) {
        Some(bytes) => (bytes, Limits::WIDEST),
        None => (bytes_of(data, "data", Code::BadArgument)?, limits),
    };
    let bytes = bytes.as_bytes();
    detached(py, bytes.len(), || toolwire::digest(bytes, &limits))
        .map_err(|error| raise(py, &error))
}

/// What was read of the argument: as it is, or of an output that is read now.
pub fn document_in(data: &Bound<'_, PyAny>, limits: Limits) -> PyResult<Arc<Document>> {
    if let Ok(parsed) = data.cast::<PyParsed>() {
        return Ok(Arc::clone(parsed.get().document()));
    }
    if let Ok(envelope) = data.cast::<PyEnvelope>() {
        return Ok(Arc::clone(envelope.get().document()));
    }
    let bytes = bytes_of(data, "data", Code::BadArgument)?;
    Ok(Document::read(data.py(), bytes, limits))
}

/// The bytes that an object of this package stands for; None for other objects.
fn written<'py>(data: &Bound<'py, PyAny>) -> Option<Bound<'py, PyBytes>> {
    let py = data.py();
    if let Ok(envelope) = data.cast::<PyEnvelope>() {
        return Some(PyBytes::new(py, envelope.get().core().document()));
    }
    if let Ok(parsed) = data.cast::<PyParsed>() {
        return Some(parsed.get().document().raw(py));
    }
    let block = data.cast::<PyBlock>().ok()?;
    Some(PyBytes::new(py, block.get().json().as_bytes()))
}
