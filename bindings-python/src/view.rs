//! What the classes of views have in common; `members.rs` makes methods of Python of it.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use toolwire::{Code, Parsed};

use crate::document::canonical;
use crate::error::refuse;
use crate::input::text_of;
use crate::to_python::json_to_python;

/// A view of what was read or made.
pub trait View: Sized {
    /// The JSON text.
    fn text(&self) -> Cow<'_, str>;

    /// What `repr` shows.
    fn shown(&self, py: Python<'_>) -> PyResult<String>;

    /// What `str` gives.
    fn printed(&self) -> String {
        self.text().into_owned()
    }

    /// What equal views have in common.
    fn key(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        canonical(py, self.text().as_bytes())
    }

    fn equals(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.text() == other.text() || self.key(py)? == other.key(py)?)
    }

    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, &self.text())
    }
}

/// A view that can be pickled: as its JSON text, unless there is more to it.
pub trait Pickle: View {
    fn pickled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, [self.text()])
    }

    /// The view of what [`Pickle::pickled`] gave.
    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self>;
}

/// The JSON text that was pickled.
pub fn pickled_text(state: &Bound<'_, PyTuple>) -> PyResult<String> {
    state.get_item(0)?.extract()
}

/// Enough of a text to tell it from others.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The blocks that are not delivered.
pub fn skipped<'py>(py: Python<'py>, parsed: &Parsed<'_>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (index, node) in parsed.skipped() {
        let entry = PyDict::new(py);
        entry.set_item("index", index)?;
        entry.set_item("json", node.raw())?;
        list.append(entry)?;
    }
    Ok(list)
}

/// The name of a member.
pub fn member_name<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    text_of(name, "name", Code::BadArgument)
}

/// The error for a member that has no JSON text of its own.
pub fn no_member(py: Python<'_>, name: &str) -> PyErr {
    let message = format!("no member `{name}` has a JSON text of its own here");
    refuse(py, Code::BadArgument, "/name", &message)
}
