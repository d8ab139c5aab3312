//! The functions that read, judge and canonicalize an output.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use toolwire::Limits;

use crate::envelope::{PyEnvelope, WIDE};
use crate::error::raise;
use crate::input::{DETACH_FROM, Keyword, bytes_of, limits};
use crate::parsed::PyParsed;
use crate::reading::Reading;

/// Read what a tool wrote. Never fails because of it: what is not an envelope is raw text.
///
/// `data` is bytes, another bytes-like object, or str, which stands for its UTF-8 bytes. `bytes`
/// are not copied, and nothing is decoded before it is asked for. The limits have the defaults of
/// the specification: 64 MiB, 128 levels, 10,000,000 values, 100,000 blocks, 100 diagnostics.
///
/// >>> import toolwire
/// >>> parsed = toolwire.parse(b'{"content": [{"type": "text", "text": "hello"}]}')
/// >>> parsed
/// <toolwire.Parsed valid: 1 block>
/// >>> toolwire.parse(b'\xff\xfe').diagnostics
/// [<toolwire.Diagnostic error invalid_utf8 byte 0>]
/// >>> toolwire.parse(b'{"content": []}', max_bytes=5).verdict
/// 'raw'
#[pyfunction]
#[pyo3(signature = (data, *, max_bytes=None, max_depth=None, max_values=None, max_blocks=None,
    max_diagnostics=None))]
pub fn parse(
    data: &Bound<'_, PyAny>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<PyParsed> {
    let py = data.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    Ok(PyParsed::new(
        Reading::new(py, bytes_of(data)?, &limits),
        limits,
    ))
}

/// Check that an output is a valid envelope. Returns None, or raises `ToolwireError` for the first
/// diagnostic that is not a note; its `diagnostics` has all of them.
///
/// >>> import toolwire
/// >>> toolwire.validate(b'{"content": []}')
/// >>> toolwire.validate(b'{"content": [{"type": "chart"}]}')
/// Traceback (most recent call last):
///     ...
/// toolwire.ToolwireError: ...
#[pyfunction]
#[pyo3(signature = (data, *, max_bytes=None, max_depth=None, max_values=None, max_blocks=None,
    max_diagnostics=None))]
pub fn validate(
    data: &Bound<'_, PyAny>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<()> {
    let py = data.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let bytes = written(data)?;
    let bytes = bytes.as_bytes();
    detached(py, bytes.len(), || toolwire::validate(bytes, &limits))
        .map_err(|error| raise(py, &error))
}

/// The canonical bytes (RFC 8785) of any strict JSON text, or of an `Envelope`.
///
/// >>> import toolwire
/// >>> toolwire.canonicalize('{"b": 1.0, "a": "\\u00e9"}')
/// b'{"a":"\xc3\xa9","b":1}'
#[pyfunction]
#[pyo3(signature = (data, *, max_bytes=None, max_depth=None, max_values=None, max_blocks=None,
    max_diagnostics=None))]
pub fn canonicalize<'py>(
    data: &Bound<'py, PyAny>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = data.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let limits = if data.is_instance_of::<PyEnvelope>() {
        WIDE
    } else {
        limits
    };
    let bytes = written(data)?;
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
#[pyo3(signature = (data, *, max_bytes=None, max_depth=None, max_values=None, max_blocks=None,
    max_diagnostics=None))]
pub fn digest(
    data: &Bound<'_, PyAny>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<String> {
    let py = data.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let limits = if data.is_instance_of::<PyEnvelope>() {
        WIDE
    } else {
        limits
    };
    let bytes = written(data)?;
    let bytes = bytes.as_bytes();
    detached(py, bytes.len(), || toolwire::digest(bytes, &limits))
        .map_err(|error| raise(py, &error))
}

/// What was read of the argument: as it is, or of an output that is read now.
pub fn parsed_of(data: &Bound<'_, PyAny>) -> PyResult<Py<PyParsed>> {
    if let Ok(parsed) = data.cast::<PyParsed>() {
        return Ok(parsed.clone().unbind());
    }
    let py = data.py();
    if let Ok(envelope) = data.cast::<PyEnvelope>() {
        return Ok(envelope.get().parsed().clone_ref(py));
    }
    let limits = Limits::default();
    Py::new(
        py,
        PyParsed::new(Reading::new(py, bytes_of(data)?, &limits), limits),
    )
}

/// The bytes of an output, or of an envelope as it is written.
fn written<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    match data.cast::<PyEnvelope>() {
        Ok(envelope) => Ok(PyBytes::new(data.py(), envelope.get().core().document())),
        Err(_) => bytes_of(data),
    }
}

/// Runs work of the core, and lets other threads run meanwhile if the input is long.
pub fn detached<T: Send>(py: Python<'_>, length: usize, work: impl FnOnce() -> T + Send) -> T {
    if length < DETACH_FROM {
        work()
    } else {
        py.detach(work)
    }
}
