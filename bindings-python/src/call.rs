//! `Call`: the document that tells a tool what to do, and the words that a person gives as arguments.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use toolwire::call::Call;
use toolwire::{Code, Json, Limits};

use crate::answer::PyAnswer;
use crate::error::{raise, refuse};
use crate::input::{Keyword, detached, document_of, limits, text_of, wrong_type};
use crate::to_python::json_to_python;

/// A call of a tool. Made by `read_call`.
///
/// >>> import toolwire
/// >>> call = toolwire.read_call({
/// ...     'tool': {'name': 'rename', 'arguments': {'path': 'a'}, 'answers': {'confirm': True}},
/// ...     'context': {'action': 'run', 'root': '/project'},
/// ... })
/// >>> call
/// <toolwire.Call run rename>
/// >>> call.arguments, call.answers['confirm'].value, call.options
/// ({'path': 'a'}, True, {})
#[pyclass(frozen, eq, module = "toolwire", name = "Call")]
#[derive(PartialEq)]
pub struct PyCall {
    inner: Call,
}

impl PyCall {
    pub fn new(inner: Call) -> Self {
        PyCall { inner }
    }

    pub fn core(&self) -> &Call {
        &self.inner
    }
}

#[pymethods]
impl PyCall {
    /// The tool; None if a program is asked to describe all of its tools.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.inner.name.as_deref()
    }

    /// `'run'`, `'format_arguments'` or `'describe'`.
    #[getter]
    fn action(&self) -> &'static str {
        self.inner.action.as_str()
    }

    /// The root of the workspace, an absolute path or a `file:` URI, or None.
    #[getter]
    fn root(&self) -> Option<&str> {
        self.inner.root.as_deref()
    }

    /// The arguments, as a dict.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.inner.arguments.as_str())
    }

    /// The JSON text of the arguments, unchanged.
    #[getter]
    fn arguments_json(&self) -> &str {
        self.inner.arguments.as_str()
    }

    /// The settings that the host passes to this tool, as a dict.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.inner.options.as_str())
    }

    /// The answers to questions so far, by id.
    #[getter]
    fn answers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let answers = PyDict::new(py);
        for (id, answer) in &self.inner.answers {
            answers.set_item(id, Py::new(py, PyAnswer::new(answer))?)?;
        }
        Ok(answers)
    }

    /// The call document in exact form, in which numbers keep all their digits; the same as `str(call)`.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The JSON text of the two members of `_meta` that hold the call in an MCP request.
    fn to_meta_json(&self) -> String {
        self.inner.to_meta()
    }

    fn __str__(&self) -> String {
        self.inner.to_json()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.to_json().as_bytes())
    }

    fn __repr__(&self) -> String {
        let name: Vec<&str> = self.inner.name.as_deref().into_iter().collect();
        let name: String = name.concat().chars().take(60).collect();
        let space = if name.is_empty() { "" } else { " " };
        format!("<toolwire.Call {}{space}{name}>", self.action())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.inner.to_json()).hash()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let state = (self.inner.to_json(),).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }

    #[classmethod]
    fn _restore(class: &Bound<'_, PyType>, document: &str) -> PyResult<Self> {
        let inner = Call::from_json(document.as_bytes(), &Limits::WIDEST)
            .map_err(|error| raise(class.py(), &error))?;
        Ok(PyCall { inner })
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// Read a call document, which a tool gets on stdin, strictly.
///
/// `data` is its text, or a dict as `json.loads` returns it. With `carrier='meta'`, it is the `_meta` of an
/// MCP request, which holds the same two objects. Raises `bad_call` if it is not a call, and
/// `unknown_action` if the action is unknown.
///
/// >>> import toolwire
/// >>> toolwire.read_call('{"tool": {"name": "now"}, "context": {"action": "run"}}').name
/// 'now'
/// >>> meta = {'computer.jp/tool': {'name': 'now'}, 'computer.jp/context': {'action': 'describe'}}
/// >>> toolwire.read_call(meta, carrier='meta').action
/// 'describe'
#[pyfunction]
#[pyo3(signature = (data, *, carrier="document", max_bytes=None, max_depth=None, max_values=None,
    max_blocks=None, max_diagnostics=None))]
pub fn read_call(
    data: &Bound<'_, PyAny>,
    carrier: &str,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<PyCall> {
    let py = data.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let read = match carrier {
        "document" => Call::from_json,
        "meta" => Call::from_meta,
        _ => {
            let message = "`carrier` is `document` or `meta`";
            return Err(refuse(py, Code::BadOption, "/carrier", message));
        }
    };
    let bytes = document_of(data, "data")?;
    let bytes = bytes.as_bytes();
    let call = detached(py, bytes.len(), || read(bytes, &limits));
    call.map(|inner| PyCall { inner })
        .map_err(|error| raise(py, &error))
}

/// Parse arguments such as `'limit=3'` or `'author.name=Ada'` into values, with the types of the input
/// schema. If one does not fit, raises `bad_argument` with the pointer of the argument and a message for
/// the person who wrote it.
///
/// >>> import toolwire
/// >>> schema = {'type': 'object', 'properties': {'path': {'type': 'string'}, 'limit': {'type': 'integer'}}}
/// >>> toolwire.parse_arguments(['path=1', 'limit=3'], schema)
/// {'limit': 3, 'path': '1'}
#[pyfunction]
pub fn parse_arguments<'py>(
    words: &Bound<'py, PyAny>,
    schema: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = words.py();
    let one = words.is_instance_of::<PyString>() || words.is_instance_of::<PyBytes>();
    let Some(items) = words.try_iter().ok().filter(|_| !one) else {
        let hint = if one { "; put it into a list" } else { "" };
        let expected = "a list of str, such as `path=a`";
        return Err(wrong_type(
            words,
            "words",
            Code::BadArgument,
            expected,
            hint,
        ));
    };
    let mut all = Vec::new();
    for (index, word) in items.enumerate() {
        let name = format!("words/{index}");
        all.push(text_of(&word?, &name, Code::BadArgument)?.into_owned());
    }
    let schema = schema_of(schema, "schema")?;
    let given = toolwire::parse_arguments(&all, &schema).map_err(|error| raise(py, &error))?;
    json_to_python(py, given.as_str())
}

/// A JSON Schema that is given as a dict or as its JSON text.
pub fn schema_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Json> {
    let bytes = document_of(value, name)?;
    json_of(value.py(), bytes.as_bytes())
}

/// A value from bytes that somebody says are JSON.
pub fn json_of(py: Python<'_>, bytes: &[u8]) -> PyResult<Json> {
    Json::new(text_in(py, bytes)?).map_err(|error| raise(py, &error))
}

/// The text that bytes hold; where they hold none, the core says at which byte.
pub fn text_in<'a>(py: Python<'_>, bytes: &'a [u8]) -> PyResult<Cow<'a, str>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => match toolwire::canonicalize(bytes, &Limits::WIDEST) {
            Ok(canonical) => Ok(Cow::Owned(String::from_utf8_lossy(&canonical).into_owned())),
            Err(error) => Err(raise(py, &error)),
        },
    }
}
