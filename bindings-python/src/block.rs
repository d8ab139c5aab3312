//! `Block` and `Question`: views into an envelope's document.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use self_cell::self_cell;
use toolwire::{BlockKind, BlockView, Code, Limits, QuestionView};

use crate::document::Document;
use crate::error::refuse;
use crate::to_json::quote;
use crate::to_python::to_python;
use crate::view::{Pickle, View, pickled_text, shorten};

self_cell!(
    /// A view of a block, together with the document that it views.
    struct Held {
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
    held: Held,
    nth: usize,
}

impl PyBlock {
    /// The block that is the `nth` to be delivered.
    pub fn new(py: Python<'_>, document: &Arc<Document>, nth: usize) -> PyResult<Self> {
        let held = Held::try_new(Arc::clone(document), |document| {
            document
                .parsed()
                .block(nth)
                .ok_or_else(|| refuse(py, Code::BadArgument, "", "there is no such block"))
        })?;
        Ok(PyBlock { held, nth })
    }

    /// A block that stands alone, from its JSON text. The one diagnostic that it may have is raised.
    pub fn from_json(py: Python<'_>, json: &str) -> PyResult<Self> {
        let document = format!("{{\"content\":[{json}]}}");
        let bytes = PyBytes::new(py, document.as_bytes());
        PyBlock::new(py, &Document::read(py, bytes, Limits::WIDEST), 0)
    }

    pub fn core(&self) -> &BlockView<'_> {
        self.held.borrow_dependent()
    }

    /// The block's JSON text, verbatim.
    pub fn json(&self) -> &str {
        self.core().node().raw()
    }

    /// The same block, in another object.
    fn again(&self, py: Python<'_>) -> PyResult<Self> {
        PyBlock::new(py, self.held.borrow_owner(), self.nth)
    }

    /// The question, if it is one.
    pub fn get_question(&self, py: Python<'_>) -> PyResult<Option<PyQuestion>> {
        let question = self.core().question();
        let question = question.map(|_| self.again(py).map(|block| PyQuestion { block }));
        question.transpose()
    }
}

impl View for PyBlock {
    fn text(&self) -> Cow<'_, str> {
        self.json().into()
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.core();
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

    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.core().node())
    }
}

/// A block is pickled alone, without the envelope around it.
impl Pickle for PyBlock {
    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        PyBlock::from_json(state.py(), &pickled_text(state)?)
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
    block: PyBlock,
}

impl PyQuestion {
    /// A question that stands alone, from its JSON text, which was read as a question before.
    pub fn from_json(py: Python<'_>, json: &str) -> PyResult<Self> {
        let block = format!("{{\"type\":\"question\",\"question\":{json}}}");
        let block = PyBlock::from_json(py, &block)?;
        Ok(PyQuestion { block })
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
    pub fn again(&self, py: Python<'_>) -> PyResult<Self> {
        let block = self.block.again(py)?;
        Ok(PyQuestion { block })
    }

    /// The question's JSON text, verbatim.
    pub fn json(&self) -> &str {
        let question = self.block.core().node().get("question");
        question.map(|question| question.raw()).unwrap_or_default()
    }

    /// What was read as a question when this was made.
    pub fn core(&self) -> QuestionView<'_> {
        let question = self.block.core().question();
        question.expect("the block is a question")
    }
}

impl View for PyQuestion {
    fn text(&self) -> Cow<'_, str> {
        self.json().into()
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let question = self.core();
        let id = PyString::new(py, &shorten(&question.id)).repr()?;
        let text = PyString::new(py, &shorten(&question.text)).repr()?;
        Ok(format!("<toolwire.Question {id} {text}>"))
    }
}

impl Pickle for PyQuestion {
    fn restore(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        PyQuestion::from_json(state.py(), &pickled_text(state)?)
    }
}
