//! The builders: keyword arguments become the core's arguments; the core checks and writes.

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyString, PyTuple};
use toolwire::mime::from_path;
use toolwire::{Code, Limits};
use toolwire_ffi::build::from_json;

use crate::block::PyBlock;
use crate::envelope::PyEnvelope;
use crate::error::{raise, refuse};
use crate::exception::{causes, message_of};
use crate::file::{absolute, path_buf, read};
use crate::input::{Given, Keyword, content_of, detached, fspath, kind_of, text_of, wrong_type};
use crate::parsed::PyParsed;
use crate::to_json::{append, quote};

/// The arguments of one call, in the core's JSON form.
struct Arguments {
    kind: &'static str,
    json: String,
}

impl Arguments {
    fn new(kind: &'static str) -> Self {
        Arguments {
            kind,
            json: String::from("{"),
        }
    }

    fn name(&mut self, name: &str) {
        if self.json.len() > 1 {
            self.json.push(',');
        }
        self.json.push_str(&format!("\"{name}\":"));
    }

    fn text(&mut self, name: &str, value: Keyword<'_, '_>) -> PyResult<()> {
        if let Some(value) = value {
            self.str(name, &text_of(value, name, Code::BadArgument)?);
        }
        Ok(())
    }

    fn str(&mut self, name: &str, value: &str) {
        self.name(name);
        quote(value, &mut self.json);
    }

    fn value(&mut self, name: &str, value: Keyword<'_, '_>) -> PyResult<()> {
        let Some(value) = value else { return Ok(()) };
        self.name(name);
        append(
            value,
            &format!("/{name}"),
            Code::BadArgument,
            &mut self.json,
        )
    }

    fn maybe_null(&mut self, name: &str, value: &Given<'_>) -> PyResult<()> {
        match value {
            Given::Absent => Ok(()),
            Given::Value(value) => self.value(name, Some(value)),
        }
    }

    /// The core's text of what is built.
    fn build(mut self, py: Python<'_>, bytes: Option<&[u8]>) -> PyResult<String> {
        self.json.push('}');
        let Arguments { kind, json } = self;
        let length = json.len() + bytes.map_or(0, <[u8]>::len);
        detached(py, length, || from_json(kind, &json, bytes)).map_err(|error| raise(py, &error))
    }

    fn block(self, py: Python<'_>, bytes: Option<&[u8]>) -> PyResult<PyBlock> {
        PyBlock::from_json(py, &self.build(py, bytes)?)
    }

    fn envelope(self, py: Python<'_>) -> PyResult<PyEnvelope> {
        let document = self.build(py, None)?;
        Ok(PyEnvelope::from_document(
            py,
            document.as_bytes(),
            &Limits::WIDEST,
        ))
    }
}

/// A block of text, which a model gets unchanged.
///
/// >>> import toolwire
/// >>> toolwire.text('3 files checked')
/// <toolwire.Block text '3 files checked'>
/// >>> toolwire.text('only for people', annotations={'audience': ['user']}).audience
/// ['user']
#[pyfunction]
#[pyo3(signature = (text, *, annotations=None, meta=None))]
pub fn text(
    text: &Bound<'_, PyAny>,
    annotations: Keyword<'_, '_>,
    meta: Keyword<'_, '_>,
) -> PyResult<PyBlock> {
    let mut arguments = Arguments::new("text");
    arguments.text("text", Some(text))?;
    arguments.value("annotations", annotations)?;
    arguments.value("meta", meta)?;
    arguments.block(text.py(), None)
}

/// Content with a URI: `text`, or bytes as `blob`. Its MIME type decides how it is shown to a model, unless
/// `formatted` is given.
///
/// >>> import toolwire
/// >>> toolwire.resource('file:///src/main.rs', text='fn main() {}', mime_type='text/rust')
/// <toolwire.Block resource file:///src/main.rs text/rust 12 bytes>
/// >>> toolwire.resource('file:///logo.png', blob=b'\x89PNG').bytes
/// b'\x89PNG'
#[pyfunction]
#[pyo3(signature = (uri, *, text=None, blob=None, mime_type=None, name=None, title=None,
    description=None, formatted=None, annotations=None, meta=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn resource<'py>(
    uri: &Bound<'py, PyAny>,
    text: Keyword<'_, 'py>,
    blob: Keyword<'_, 'py>,
    mime_type: Keyword<'_, 'py>,
    name: Keyword<'_, 'py>,
    title: Keyword<'_, 'py>,
    description: Keyword<'_, 'py>,
    formatted: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyBlock> {
    let mut arguments = Arguments::new("resource");
    arguments.text("uri", Some(uri))?;
    arguments.text("text", text)?;
    arguments.text("mimeType", mime_type)?;
    arguments.text("name", name)?;
    arguments.text("title", title)?;
    arguments.text("description", description)?;
    arguments.text("formatted", formatted)?;
    arguments.value("annotations", annotations)?;
    arguments.value("meta", meta)?;
    let blob = blob.map(|blob| content_of(blob, "blob")).transpose()?;
    arguments.block(uri.py(), blob.as_ref().map(|blob| blob.as_bytes()))
}

/// A resource from the bytes of a file: text if they are UTF-8 without NUL, otherwise a blob. The name of
/// the file decides the MIME type. `path` is an absolute path (a `str` or an `os.PathLike`) or a URI.
///
/// >>> import toolwire
/// >>> block = toolwire.resource_from_bytes('/src/main.rs', b'fn main() {}')
/// >>> block.uri, block.mime_type, block.text
/// ('file:///src/main.rs', 'text/rust', 'fn main() {}')
#[pyfunction]
#[pyo3(signature = (path, bytes, *, mime_type=None, name=None, title=None, description=None,
    formatted=None, annotations=None, meta=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn resource_from_bytes<'py>(
    path: &Bound<'py, PyAny>,
    bytes: &Bound<'py, PyAny>,
    mime_type: Keyword<'_, 'py>,
    name: Keyword<'_, 'py>,
    title: Keyword<'_, 'py>,
    description: Keyword<'_, 'py>,
    formatted: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyBlock> {
    let mut arguments = Arguments::new("resource_from_bytes");
    arguments.text("path", Some(&fspath(path)?))?;
    arguments.text("mimeType", mime_type)?;
    arguments.text("name", name)?;
    arguments.text("title", title)?;
    arguments.text("description", description)?;
    arguments.text("formatted", formatted)?;
    arguments.value("annotations", annotations)?;
    arguments.value("meta", meta)?;
    let bytes = content_of(bytes, "bytes")?;
    arguments.block(path.py(), Some(bytes.as_bytes()))
}

/// A resource from a file, with its content, its `file:` URI and the MIME type of its name. Raises
/// `OSError` if the file cannot be read.
///
/// >>> import toolwire, tempfile, pathlib
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = pathlib.Path(folder, 'main.rs')
/// ...     _ = path.write_text('fn main() {}')
/// ...     block = toolwire.resource_from_file(path)
/// >>> block.uri.endswith('/main.rs'), block.mime_type, block.text
/// (True, 'text/rust', 'fn main() {}')
#[pyfunction]
#[pyo3(signature = (path, *, uri=None, mime_type=None, name=None, title=None, description=None,
    formatted=None, annotations=None, meta=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn resource_from_file<'py>(
    path: &Bound<'py, PyAny>,
    uri: Keyword<'_, 'py>,
    mime_type: Keyword<'_, 'py>,
    name: Keyword<'_, 'py>,
    title: Keyword<'_, 'py>,
    description: Keyword<'_, 'py>,
    formatted: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyBlock> {
    let py = path.py();
    let path = path_buf(path)?;
    let mut arguments = Arguments::new("resource_from_bytes");
    match uri {
        None => arguments.str("path", &absolute(py, &path)?),
        Some(uri) => arguments.text("path", Some(uri))?,
    }
    match (mime_type, path.to_str().and_then(from_path)) {
        // The MIME type is that of the file's name, also under another URI.
        (None, Some(known)) if uri.is_some() => arguments.str("mimeType", known),
        (mime_type, _) => arguments.text("mimeType", mime_type)?,
    }
    arguments.text("name", name)?;
    arguments.text("title", title)?;
    arguments.text("description", description)?;
    arguments.text("formatted", formatted)?;
    arguments.value("annotations", annotations)?;
    arguments.value("meta", meta)?;
    arguments.block(py, Some(&read(py, &path)?))
}

/// An image from its bytes.
///
/// >>> import toolwire
/// >>> toolwire.image(b'\x89PNG', 'image/png')
/// <toolwire.Block image image/png 4 bytes>
#[pyfunction]
#[pyo3(signature = (data, mime_type, *, annotations=None, meta=None))]
pub fn image<'py>(
    data: &Bound<'py, PyAny>,
    mime_type: &Bound<'py, PyAny>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyBlock> {
    media("image", data, mime_type, annotations, meta)
}

/// A sound from its bytes.
///
/// >>> import toolwire
/// >>> toolwire.audio(b'RIFF', 'audio/wav').bytes
/// b'RIFF'
#[pyfunction]
#[pyo3(signature = (data, mime_type, *, annotations=None, meta=None))]
pub fn audio<'py>(
    data: &Bound<'py, PyAny>,
    mime_type: &Bound<'py, PyAny>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyBlock> {
    media("audio", data, mime_type, annotations, meta)
}

fn media<'py>(
    kind: &'static str,
    data: &Bound<'py, PyAny>,
    mime_type: &Bound<'py, PyAny>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyBlock> {
    let mut arguments = Arguments::new(kind);
    arguments.text("mimeType", Some(mime_type))?;
    arguments.value("annotations", annotations)?;
    arguments.value("meta", meta)?;
    let data = content_of(data, "data")?;
    arguments.block(data.py(), Some(data.as_bytes()))
}

/// A link to content elsewhere, without the content.
///
/// >>> import toolwire
/// >>> toolwire.resource_link('https://example.org/log', 'the log', size=1024).size
/// 1024
#[pyfunction]
#[pyo3(signature = (uri, name, *, title=None, description=None, mime_type=None, size=None,
    annotations=None, meta=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn resource_link<'py>(
    uri: &Bound<'py, PyAny>,
    name: &Bound<'py, PyAny>,
    title: Keyword<'_, 'py>,
    description: Keyword<'_, 'py>,
    mime_type: Keyword<'_, 'py>,
    size: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyBlock> {
    let mut arguments = Arguments::new("resource_link");
    arguments.text("uri", Some(uri))?;
    arguments.text("name", Some(name))?;
    arguments.text("title", title)?;
    arguments.text("description", description)?;
    arguments.text("mimeType", mime_type)?;
    arguments.value("size", size)?;
    arguments.value("annotations", annotations)?;
    arguments.value("meta", meta)?;
    arguments.block(uri.py(), None)
}

/// A question to a person or a model. `schema` is a JSON Schema for the answer. `default` is the suggested
/// answer; None is a value, so leave the argument out if there is no default. With `url`, the person answers
/// on that page and no value answers the question, so `schema` is `{}`.
///
/// >>> import toolwire
/// >>> branches = {'type': 'string', 'enum': ['main', 'develop']}
/// >>> toolwire.question('branch', 'Merge into which branch?', branches, default='main')
/// <toolwire.Block question 'Merge into which branch?'>
#[pyfunction]
#[pyo3(signature = (id, text, schema, *, default=Given::Absent, url=None, annotations=None, meta=None))]
pub fn question<'py>(
    id: &Bound<'py, PyAny>,
    text: &Bound<'py, PyAny>,
    schema: &Bound<'py, PyAny>,
    default: Given<'py>,
    url: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyBlock> {
    let mut arguments = Arguments::new("question");
    arguments.text("id", Some(id))?;
    arguments.text("text", Some(text))?;
    arguments.value("schema", Some(schema))?;
    arguments.maybe_null("default", &default)?;
    arguments.text("url", url)?;
    arguments.value("annotations", annotations)?;
    arguments.value("meta", meta)?;
    arguments.block(id.py(), None)
}

/// A tool's answer, ready to be printed.
///
/// The blocks are arguments, or one iterable of them. A dict in the JSON form is a block too.
/// `structured_content` is the result for programs; None is a value, so leave the argument out if there is
/// none. `status` is for tools that keep running: `'running'`, `'waiting'` or `'stopped'`. `error` is
/// `{'transient': bool, 'trace': [str]}`. `meta` holds other members of `_meta`.
///
/// >>> import toolwire
/// >>> print(toolwire.envelope(toolwire.text('done'), structured_content={'b': 1.0, 'a': None}))
/// {"content":[{"text":"done","type":"text"}],"structuredContent":{"b":1,"a":null}}
/// >>> toolwire.envelope([toolwire.text('one'), {'type': 'text', 'text': 'two'}, 'three'])
/// <toolwire.Envelope 3 blocks: text, text, text>
#[pyfunction]
#[pyo3(signature = (*blocks, structured_content=Given::Absent, is_error=None, status=None,
    error=None, meta=None))]
pub fn envelope<'py>(
    blocks: &Bound<'py, PyTuple>,
    structured_content: Given<'py>,
    is_error: Keyword<'_, 'py>,
    status: Keyword<'_, 'py>,
    error: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyEnvelope> {
    let mut arguments = Arguments::new("envelope");
    arguments.name("content");
    arguments.json.push('[');
    for (index, block) in blocks_of(blocks)?.iter().enumerate() {
        if index > 0 {
            arguments.json.push(',');
        }
        append_block(block, &format!("/content/{index}"), &mut arguments.json)?;
    }
    arguments.json.push(']');
    arguments.maybe_null("structuredContent", &structured_content)?;
    arguments.value("isError", is_error)?;
    arguments.text("status", status)?;
    arguments.value("error", error)?;
    arguments.value("meta", meta)?;
    arguments.envelope(blocks.py())
}

/// The blocks that were given, be it as the items of one iterable.
fn blocks_of<'py>(blocks: &Bound<'py, PyTuple>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if blocks.len() == 1 {
        let only = blocks.get_item(0)?;
        if is_iterable_of_blocks(&only)? {
            // `collect` would ask for their number, for which Python imports a module.
            let mut all = Vec::new();
            for block in only.try_iter()? {
                all.push(block?);
            }
            return Ok(all);
        }
    }
    Ok(blocks.iter().collect())
}

/// Whether a value is neither a block nor text. The kinds that are common come first, since telling
/// a mapping makes Python import its module for that.
fn is_iterable_of_blocks(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return Ok(true);
    }
    let alone = value.is_instance_of::<PyBlock>()
        || value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyBytes>();
    Ok(!alone && value.get_type().hasattr("__iter__")? && !is_mapping(value))
}

fn is_mapping(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyDict>() || value.cast::<PyMapping>().is_ok()
}

/// Appends the JSON text of a block that was built, that is a dict, or that a str stands for.
pub fn append_block(block: &Bound<'_, PyAny>, pointer: &str, out: &mut String) -> PyResult<()> {
    if let Ok(block) = block.cast::<PyBlock>() {
        out.push_str(block.get().json());
        return Ok(());
    }
    if is_mapping(block) {
        return append(block, pointer, Code::BadArgument, out);
    }
    if block.is_instance_of::<PyString>() {
        let name = pointer.trim_start_matches('/');
        out.push_str("{\"type\":\"text\",\"text\":");
        quote(&text_of(block, name, Code::BadArgument)?, out);
        out.push('}');
        return Ok(());
    }
    let hint = match block {
        _ if block.is_instance_of::<PyEnvelope>() => "; its blocks are `*value.content`",
        _ if block.is_instance_of::<PyParsed>() => "; its blocks are `*value.envelope.content`",
        _ if block.is_instance_of::<PyList>() || block.is_instance_of::<PyTuple>() => {
            "; unpack it with `*`"
        }
        _ => "",
    };
    let message = format!(
        "an envelope is made of blocks, such as `text(…)` makes, not of {}{hint}",
        kind_of(block)
    );
    Err(refuse(block.py(), Code::BadArgument, pointer, &message))
}

/// An error as an answer, from a message or from an exception. From an exception it takes the message
/// with its notes and, as the trace, the messages of its causes and of the exceptions in a group.
/// `transient` says that a retry may help.
///
/// >>> import toolwire
/// >>> try:
/// ...     try:
/// ...         int('3o')
/// ...     except ValueError as cause:
/// ...         raise RuntimeError('the settings are wrong') from cause
/// ... except RuntimeError as problem:
/// ...     answer = toolwire.error(problem)
/// >>> answer.content[0].text, answer.trace
/// ('the settings are wrong', ["invalid literal for int() with base 10: '3o'"])
/// >>> print(toolwire.error('busy', transient=True))
/// {"_meta":{"computer.jp/error":{"transient":true}},"content":[{"text":"busy","type":"text"}],"isError":true}
#[pyfunction]
#[pyo3(signature = (message, *, transient=None, trace=None, meta=None))]
pub fn error<'py>(
    message: &Bound<'py, PyAny>,
    transient: Keyword<'_, 'py>,
    trace: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<PyEnvelope> {
    let py = message.py();
    let mut arguments = Arguments::new("error");
    if message.is_instance_of::<PyBaseException>() {
        arguments.str("message", &message_of(message)?);
        if trace.is_none() {
            let causes = PyTuple::new(py, causes(message)?)?;
            arguments.value("trace", Some(&causes))?;
        }
    } else if message.is_instance_of::<PyString>() {
        arguments.text("message", Some(message))?;
    } else {
        let expected = "a str or an exception";
        return Err(wrong_type(
            message,
            "message",
            Code::BadArgument,
            expected,
            "",
        ));
    }
    arguments.value("transient", transient)?;
    arguments.value("trace", trace)?;
    arguments.value("meta", meta)?;
    arguments.envelope(py)
}
