//! What an exception says, and the chain of its causes. Exceptions come from anywhere, and telling
//! of one must not fail because of what is in it.

use pyo3::exceptions::{PyBaseException, PyKeyError};
use pyo3::prelude::*;

/// The message of an exception; None for other objects.
pub fn message_of(exception: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if !exception.is_instance_of::<PyBaseException>() {
        return Ok(None);
    }
    // The message of a KeyError is nothing but the key.
    if exception.is_instance_of::<PyKeyError>() {
        return named(exception).map(Some);
    }
    match said(exception) {
        Some(text) => Ok(Some(text)),
        None => Ok(Some(exception.get_type().name()?.to_string())),
    }
}

/// The causes of an exception, from the nearest to the farthest, each with its class as a traceback
/// has it (API-14). The chain is the one that a traceback follows.
pub fn causes(exception: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let mut seen = vec![exception.clone()];
    let mut lines = Vec::new();
    let mut next = cause_of(exception)?;
    while let Some(cause) = next {
        if seen.iter().any(|earlier| earlier.is(&cause)) {
            break;
        }
        lines.push(named(&cause)?);
        next = cause_of(&cause)?;
        seen.push(cause);
    }
    Ok(lines)
}

fn cause_of<'py>(exception: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let cause = exception.getattr("__cause__")?;
    if !cause.is_none() {
        return Ok(Some(cause));
    }
    if exception.getattr("__suppress_context__")?.is_truthy()? {
        return Ok(None);
    }
    let context = exception.getattr("__context__")?;
    Ok((!context.is_none()).then_some(context))
}

fn named(exception: &Bound<'_, PyAny>) -> PyResult<String> {
    let class = exception.get_type().name()?.to_string();
    Ok(match said(exception) {
        Some(text) => format!("{class}: {text}"),
        None => class,
    })
}

/// The text of an exception, if it has one that can be had.
fn said(exception: &Bound<'_, PyAny>) -> Option<String> {
    let text = exception.str().ok()?.to_string_lossy().into_owned();
    (!text.is_empty()).then_some(text)
}
