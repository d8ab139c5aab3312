//! What the classes of views have in common; `members.rs` makes methods of Python of it.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use toolwire::Limits;

use crate::to_python::json_to_python;

/// A view of what was read or made.
pub trait View: Sized {
    /// The JSON text.
    fn text(&self) -> Cow<'_, str>;

    /// What `repr` shows.
    fn shown(&self, py: Python<'_>) -> PyResult<String>;

    /// What `str` gives.
    fn printed(&self) -> Cow<'_, str> {
        self.text()
    }

    /// What equal views have in common.
    fn key(&self, _py: Python<'_>) -> PyResult<Vec<u8>> {
        let text = self.text();
        let canonical = toolwire::canonicalize(text.as_bytes(), &Limits::WIDEST);
        Ok(canonical.unwrap_or_else(|_| text.as_bytes().to_vec()))
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
