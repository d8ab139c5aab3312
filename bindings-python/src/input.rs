//! What the functions take: bytes without a copy, text as its UTF-8 bytes, and options.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use toolwire::{Code, Limits};

use crate::error::{raise, refuse};
use crate::to_json::append;

/// From this size on a call lets other threads run; below, that would cost more than it gives.
pub const DETACH_FROM: usize = 32 * 1024;

/// The bytes of an output. `bytes` are used as they are; other bytes-like objects can change under
/// our hands, so they are copied (API-1, API-2).
pub fn bytes_of<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    if let Ok(text) = data.cast::<PyString>() {
        // Half of a surrogate pair has no UTF-8; written out it is found as `invalid_utf8`.
        return text.encode_utf8().or_else(|_| {
            let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            Ok(bytes.cast_into::<PyBytes>()?)
        });
    }
    let Ok(view) = PyMemoryView::from(data) else {
        let kind = data.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a tool's output is bytes, another bytes-like object or str, not `{kind}`"
        )));
    };
    Ok(view.call_method0("tobytes")?.cast_into::<PyBytes>()?)
}

/// The text of an argument; `pointer` and `code` are for where it is refused.
pub fn str_of<'a>(
    text: &'a Bound<'_, PyString>,
    pointer: &str,
    code: Code,
) -> PyResult<Cow<'a, str>> {
    text.to_cow()
        .map_err(|_| refuse(text.py(), code, pointer, LONE_SURROGATE))
}

/// What to say of a `str` that can't be written as UTF-8.
pub const LONE_SURROGATE: &str = "a string holds half of a surrogate pair; \
    decode the bytes that it came from with the right encoding";

/// A keyword argument that may be missing; None counts as missing.
pub type Keyword<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The JSON form of the options that were given, so that the core alone judges them; None if there
/// are none. Names are in the JSON spelling.
pub fn options_json(options: &[(&str, Keyword<'_, '_>)]) -> PyResult<Option<String>> {
    let mut json = String::new();
    for (name, value) in options {
        let Some(value) = value else { continue };
        json.push(if json.is_empty() { '{' } else { ',' });
        json.push_str(&format!("\"{name}\":"));
        append(value, &format!("/{name}"), Code::BadOption, &mut json)?;
    }
    if json.is_empty() {
        return Ok(None);
    }
    json.push('}');
    Ok(Some(json))
}

/// Reads the five limits that every reading function takes.
pub fn limits(
    py: Python<'_>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<Limits> {
    let given = options_json(&[
        ("maxBytes", max_bytes),
        ("maxDepth", max_depth),
        ("maxValues", max_values),
        ("maxBlocks", max_blocks),
        ("maxDiagnostics", max_diagnostics),
    ])?;
    match given {
        None => Ok(Limits::default()),
        Some(json) => Limits::from_json(&json).map_err(|error| raise(py, &error)),
    }
}
