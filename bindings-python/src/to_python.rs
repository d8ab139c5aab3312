//! JSON nodes to Python values, by hand: whole numbers stay whole, of any size.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use toolwire::json::{Kind, Node};
use toolwire::{Json, Limits, parse};

/// The Python value of a node. The reader's limit of depth, at most 1,024, bounds the recursion.
pub fn to_python<'py>(py: Python<'py>, node: Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    match node.kind() {
        Kind::Null => Ok(py.None().into_bound(py)),
        Kind::Bool => Ok(PyBool::new(py, node.as_bool() == Some(true))
            .to_owned()
            .into_any()),
        Kind::Number => number(py, node),
        Kind::String => Ok(PyString::new(py, &node.as_str().unwrap_or_default()).into_any()),
        Kind::Array => {
            let list = PyList::empty(py);
            for element in node.elements() {
                list.append(to_python(py, element)?)?;
            }
            Ok(list.into_any())
        }
        Kind::Object => {
            let dict = PyDict::new(py);
            for (name, value) in node.members() {
                dict.set_item(PyString::new(py, &name), to_python(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}

fn number<'py>(py: Python<'py>, node: Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    if let Some(small) = node.as_i64() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    let text = node.raw();
    if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return Ok(PyFloat::new(py, node.as_f64().unwrap_or_default()).into_any());
    }
    // Past 64 bits; the reader has made sure that it is at most some 310 digits.
    py.get_type::<PyInt>().call1((text,))
}

/// A member that is JSON, or absent, which is None in Python.
pub trait JsonMember {
    fn member_text(&self) -> Option<&str>;

    fn member_value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.member_text() {
            Some(text) => json_to_python(py, text),
            None => Ok(py.None().into_bound(py)),
        }
    }
}

impl JsonMember for Node<'_> {
    fn member_text(&self) -> Option<&str> {
        Some(self.raw())
    }

    fn member_value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, *self)
    }
}

impl JsonMember for Json {
    fn member_text(&self) -> Option<&str> {
        Some(self.as_str())
    }
}

impl JsonMember for String {
    fn member_text(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: JsonMember> JsonMember for &T {
    fn member_text(&self) -> Option<&str> {
        (**self).member_text()
    }
}

impl<T: JsonMember> JsonMember for Option<T> {
    fn member_text(&self) -> Option<&str> {
        self.as_ref()?.member_text()
    }

    fn member_value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Some(member) => member.member_value(py),
            None => Ok(py.None().into_bound(py)),
        }
    }
}

/// The Python value of a JSON text that the core wrote or accepted.
pub fn json_to_python<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    // The core's reader gives views of envelopes only.
    let document = format!("{{\"content\":[],\"structuredContent\":{json}}}");
    let parsed = parse(document.as_bytes(), &Limits::WIDEST);
    parsed.structured_content().member_value(py)
}
