//! What an exception says, and the causes behind it (API-14). Exceptions come from anywhere, and
//! telling of one must not fail because of what is in it.

use pyo3::exceptions::{PyBaseException, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

/// Maximum number of reported causes, and of notes of one exception.
const MOST: usize = 100;

/// The message of an exception, with the notes that were added to it a line each. Where it alone
/// says nothing, there is the class: the message of a KeyError is nothing but the key.
pub fn message_of(exception: &Bound<'_, PyAny>) -> PyResult<String> {
    let class = exception.get_type().name()?;
    let mut message = match said(exception) {
        None => class.to_string(),
        Some(text) if exception.is_instance_of::<PyKeyError>() => format!("{class}: {text}"),
        Some(text) => text,
    };
    for note in members(exception, "__notes__") {
        if let Ok(note) = note.cast::<PyString>() {
            message.push('\n');
            message.push_str(&note.to_string_lossy());
        }
    }
    Ok(message)
}

/// The messages of the causes, depth first: the exceptions that a group holds, then the one that a
/// traceback shows above it, each followed by its own causes. One that occurs again is left out.
pub fn causes(exception: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let mut seen = vec![exception.clone()];
    let mut messages = Vec::new();
    let mut next = behind(exception);
    while let Some(cause) = next.pop().filter(|_| messages.len() < MOST) {
        if seen.iter().any(|earlier| earlier.is(&cause)) {
            continue;
        }
        messages.push(message_of(&cause)?);
        next.append(&mut behind(&cause));
        seen.push(cause);
    }
    Ok(messages)
}

/// The direct causes of an exception, the nearest last.
fn behind<'py>(exception: &Bound<'py, PyAny>) -> Vec<Bound<'py, PyAny>> {
    // By its attribute, since groups older than Python's own have it too.
    let mut all = members(exception, "exceptions");
    all.extend(cause_of(exception));
    all.retain(|cause| cause.is_instance_of::<PyBaseException>());
    all.reverse();
    all
}

/// The cause that a traceback follows.
fn cause_of<'py>(exception: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let get = |name| exception.getattr(name).ok();
    let cause = get("__cause__").filter(|cause| !cause.is_none());
    let hidden = get("__suppress_context__").is_some_and(|flag| flag.is_truthy().unwrap_or(true));
    cause.or_else(|| get("__context__").filter(|_| !hidden))
}

/// The first items of an attribute that is a list or a tuple.
fn members<'py>(exception: &Bound<'py, PyAny>, name: &str) -> Vec<Bound<'py, PyAny>> {
    let Ok(value) = exception.getattr(name) else {
        return Vec::new();
    };
    if let Ok(list) = value.cast::<PyList>() {
        return list.iter().take(MOST).collect();
    }
    let tuple = value.cast::<PyTuple>();
    tuple.map_or_else(|_| Vec::new(), |tuple| tuple.iter().take(MOST).collect())
}

/// The text of an exception, if it has one that can be had.
fn said(exception: &Bound<'_, PyAny>) -> Option<String> {
    let text = exception.str().ok()?.to_string_lossy().into_owned();
    (!text.is_empty()).then_some(text)
}
