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

/// Reads an output.
pub fn parse(data: &Bound<'_, PyAny>, limits: Keyword<'_, '_>) -> PyResult<PyParsed> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let bytes = bytes_of(data, "data", Code::BadArgument)?;
    Ok(PyParsed::new(Document::read(py, bytes, limits)))
}

/// Refuses what is not a valid envelope.
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

/// The canonical bytes of a strict JSON text.
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

/// The digest of the canonical bytes.
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
