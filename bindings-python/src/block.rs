//! `Block` and `Question`: views into an envelope's document.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple, PyType};
use self_cell::self_cell;
use toolwire::{BlockKind, BlockView, Code, Limits};

use crate::document::{Document, canonical};
use crate::error::refuse;
use crate::to_json::quote;
use crate::to_python::{to_python, to_python_or_none};

self_cell!(
    /// A view of a block, together with the document that it views.
    struct View {
        owner: Arc<Document>,
        #[covariant]
        dependent: BlockView,
    }
);

/// One block of an envelope: text, resource, question, image, audio or resource_link.
///
/// Blocks are immutable. Two are equal if their canonical bytes are equal. A field that the block
/// does not have is None.
///
/// >>> import toolwire
/// >>> block = toolwire.resource('file:///src/main.rs', text='fn main() {}', mime_type='text/rust')
/// >>> block.type, block.uri, block.mime_type, block.text
/// ('resource', 'file:///src/main.rs', 'text/rust', 'fn main() {}')
/// >>> block.size is None, block.content_bytes
/// (True, b'fn main() {}')
#[pyclass(frozen, module = "toolwire", name = "Block")]
pub struct PyBlock {
    view: View,
}

impl PyBlock {
    /// The block that is the `nth` to be delivered.
    pub fn new(py: Python<'_>, document: &Arc<Document>, nth: usize) -> PyResult<Self> {
        let view = View::try_new(Arc::clone(document), |document| {
            document
                .parsed()
                .block(nth)
                .ok_or_else(|| refuse(py, Code::BadArgument, "", "there is no such block"))
        })?;
        Ok(PyBlock { view })
    }

    /// A block that stands alone, from its JSON text. The one diagnostic that it may have is raised.
    pub fn from_json(py: Python<'_>, json: &str) -> PyResult<Self> {
        let document = format!("{{\"content\":[{json}]}}");
        let bytes = PyBytes::new(py, document.as_bytes());
        PyBlock::new(py, &Document::read(py, bytes, Limits::WIDEST), 0)
    }

    pub fn view(&self) -> &BlockView<'_> {
        self.view.borrow_dependent()
    }

    /// The block's JSON text, to the letter.
    pub fn json(&self) -> &str {
        self.view().node().raw()
    }
}

#[pymethods]
impl PyBlock {
    /// `'text'`, `'resource'`, `'question'`, `'image'`, `'audio'` or `'resource_link'`.
    #[getter]
    fn r#type(&self) -> &'static str {
        self.view().kind().as_str()
    }

    /// Its index in the `content` of the envelope, counting skipped blocks; 0 for a block that was built.
    #[getter]
    fn index(&self) -> usize {
        self.view().index()
    }

    /// Its place as a JSON Pointer.
    #[getter]
    fn pointer(&self) -> String {
        self.view().pointer()
    }

    /// The text of a text block, or of a resource with text. A question has its own `text`.
    #[getter]
    fn text(&self) -> Option<Cow<'_, str>> {
        self.view().text()
    }

    /// The URI of a resource or resource link.
    #[getter]
    fn uri(&self) -> Option<Cow<'_, str>> {
        self.view().uri()
    }

    /// The MIME type.
    #[getter]
    fn mime_type(&self) -> Option<Cow<'_, str>> {
        self.view().mime_type()
    }

    /// The name of a resource or resource link.
    #[getter]
    fn name(&self) -> Option<Cow<'_, str>> {
        self.view().name()
    }

    /// The title of a resource or resource link.
    #[getter]
    fn title(&self) -> Option<Cow<'_, str>> {
        self.view().title()
    }

    /// The description of a resource or resource link.
    #[getter]
    fn description(&self) -> Option<Cow<'_, str>> {
        self.view().description()
    }

    /// How the tool wants a resource to be shown; never part of its identity.
    #[getter]
    fn formatted(&self) -> Option<Cow<'_, str>> {
        self.view().formatted()
    }

    /// The size in bytes, as given by a resource link.
    #[getter]
    fn size(&self) -> Option<u64> {
        self.view().size()
    }

    /// The decoded bytes of an image, an audio or a resource with a blob.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.view().bytes().map(|bytes| PyBytes::new(py, &bytes))
    }

    /// The content as bytes, for text and binary blocks. Digests are computed from it.
    #[getter]
    fn content_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.view().content_bytes())
    }

    /// The intended readers: a list of `'user'` and `'assistant'`.
    #[getter]
    fn audience<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        let audience = self.view().audience();
        audience
            .map(|roles| PyList::new(py, roles.iter().map(|role| role.as_str())))
            .transpose()
    }

    /// The priority, from 0 to 1.
    #[getter]
    fn priority(&self) -> Option<f64> {
        self.view().priority()
    }

    /// When it was last changed, as an RFC 3339 date and time.
    #[getter]
    fn last_modified(&self) -> Option<Cow<'_, str>> {
        self.view().last_modified()
    }

    /// The question of a question block.
    #[getter]
    fn question(slf: Py<Self>) -> Option<PyQuestion> {
        slf.get()
            .view()
            .question()
            .is_some()
            .then(|| PyQuestion { block: slf })
    }

    /// The member `_meta` as a dict.
    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python_or_none(py, self.view().meta())
    }

    /// The JSON text of the block: in exact form if it was built here, unchanged if it was read.
    fn to_json(&self) -> &str {
        self.json()
    }

    /// The whole block as a dict, including unknown members.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.view().node())
    }

    fn __str__(&self) -> &str {
        self.json()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.view();
        let mut parts = vec![view.kind().as_str().to_owned()];
        parts.extend(view.uri().map(|uri| shorten(&uri)));
        parts.extend(view.mime_type().map(|kind| shorten(&kind)));
        let text = match view.kind() {
            BlockKind::Text => view.text(),
            BlockKind::Question => view.question().map(|question| question.text),
            _ => None,
        };
        match text {
            Some(text) => parts.push(PyString::new(py, &shorten(&text)).repr()?.to_string()),
            None if view.kind() == BlockKind::ResourceLink => {}
            None => parts.push(format!("{} bytes", view.content_bytes().len())),
        }
        Ok(format!("<toolwire.Block {}>", parts.join(" ")))
    }

    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        let (one, two) = (self.json().as_bytes(), other.json().as_bytes());
        Ok(one == two || canonical(py, one)? == canonical(py, two)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &canonical(py, self.json().as_bytes())?).hash()
    }

    /// A block is pickled alone, without the envelope around it.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((
            py.get_type::<Self>().getattr("_restore")?,
            (self.json(),).into_pyobject(py)?,
        ))
    }

    #[classmethod]
    fn _restore(class: &Bound<'_, PyType>, json: &str) -> PyResult<Self> {
        PyBlock::from_json(class.py(), json)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// Enough of a text to tell it from others.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The question in a question block.
///
/// >>> import toolwire
/// >>> block = toolwire.question('sure', 'Delete it?', {'type': 'boolean'}, default=False)
/// >>> block.question.id, block.question.schema, block.question.default
/// ('sure', {'type': 'boolean'}, False)
#[pyclass(frozen, module = "toolwire", name = "Question")]
pub struct PyQuestion {
    block: Py<PyBlock>,
}

impl PyQuestion {
    /// A question that stands alone, from its JSON text, which was read as a question before.
    pub fn from_json(py: Python<'_>, json: &str) -> PyResult<Self> {
        let block = format!("{{\"type\":\"question\",\"question\":{json}}}");
        Ok(PyQuestion {
            block: Py::new(py, PyBlock::from_json(py, &block)?)?,
        })
    }

    /// The core's question.
    pub fn from_core(py: Python<'_>, question: &toolwire::block::Question) -> PyResult<Self> {
        let mut json = String::from("{\"id\":");
        quote(&question.id, &mut json);
        json.push_str(",\"text\":");
        quote(&question.text, &mut json);
        json.push_str(&format!(",\"schema\":{}", question.schema));
        if let Some(default) = &question.default {
            json.push_str(&format!(",\"default\":{default}"));
        }
        if let Some(url) = &question.url {
            json.push_str(",\"url\":");
            quote(url, &mut json);
        }
        json.push('}');
        PyQuestion::from_json(py, &json)
    }

    /// The same question, in another object.
    pub fn again(&self, py: Python<'_>) -> Self {
        PyQuestion {
            block: self.block.clone_ref(py),
        }
    }

    /// The question's JSON text, to the letter.
    pub fn json(&self) -> &str {
        let question = self.block.get().view().node().get("question");
        question.map(|question| question.raw()).unwrap_or_default()
    }
}

#[pymethods]
impl PyQuestion {
    /// The id, which its answer refers to.
    #[getter]
    fn id(&self) -> Cow<'_, str> {
        self.block
            .get()
            .view()
            .question()
            .map(|question| question.id)
            .unwrap_or_default()
    }

    /// The short text to show.
    #[getter]
    fn text(&self) -> Cow<'_, str> {
        self.block
            .get()
            .view()
            .question()
            .map(|question| question.text)
            .unwrap_or_default()
    }

    /// The JSON Schema of the answer, as a dict.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let question = self.block.get().view().question();
        to_python_or_none(py, question.map(|question| question.schema))
    }

    /// The JSON text of the schema, unchanged.
    #[getter]
    fn schema_json(&self) -> &str {
        self.block
            .get()
            .view()
            .question()
            .map(|question| question.schema.raw())
            .unwrap_or_default()
    }

    /// The default answer; None if it is null or absent.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let question = self.block.get().view().question();
        to_python_or_none(py, question.and_then(|question| question.default))
    }

    /// Whether there is a default; it may be null.
    #[getter]
    fn has_default(&self) -> bool {
        self.block
            .get()
            .view()
            .question()
            .is_some_and(|question| question.default.is_some())
    }

    /// The JSON text of the default, unchanged, or None.
    #[getter]
    fn default_json(&self) -> Option<&str> {
        Some(self.block.get().view().question()?.default?.raw())
    }

    /// The page where the person answers, if not in a form; otherwise None.
    #[getter]
    fn url(&self) -> Option<Cow<'_, str>> {
        self.block.get().view().question()?.url
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let id = PyString::new(py, &shorten(&self.id())).repr()?.to_string();
        let text = PyString::new(py, &shorten(&self.text()))
            .repr()?
            .to_string();
        Ok(format!("<toolwire.Question {id} {text}>"))
    }

    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        self.block.get().__eq__(py, other.block.bind(py).borrow())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.block.get().__hash__(py)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        Ok((restore, (self.block.clone_ref(py),).into_pyobject(py)?))
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, block: Py<PyBlock>) -> Self {
        PyQuestion { block }
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}
