//! JSON nodes to Python values, by hand: whole numbers stay whole, of any size.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use toolwire::json::{Kind, Node};
use toolwire::{Limits, parse};

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

/// The Python value of a node that may be absent; absent is None.
pub fn to_python_or_none<'py>(
    py: Python<'py>,
    node: Option<Node<'_>>,
) -> PyResult<Bound<'py, PyAny>> {
    node.map_or_else(|| Ok(py.None().into_bound(py)), |node| to_python(py, node))
}

/// The Python value of a JSON text that the core wrote or accepted.
pub fn json_to_python<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    // The core's reader gives views of envelopes only.
    let document = format!("{{\"content\":[],\"structuredContent\":{json}}}");
    let parsed = parse(document.as_bytes(), &Limits::WIDEST);
    to_python_or_none(py, parsed.structured_content())
}
