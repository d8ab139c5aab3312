//! The builders: fields become the core's arguments; the core checks and writes.

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
use crate::input::{Keyword, content_of, detached, fspath, kind_of, text_of, wrong_type};
use crate::parsed::PyParsed;
use crate::to_json::{append, quote};

/// How a field of a builder is given.
#[derive(Clone, Copy)]
pub enum Part {
    Text,
    Json,
    Path,
    Content,
}

/// A field of a builder: its name in the JSON spelling, and its value, if it is given.
pub type Field<'a, 'py> = (&'static str, Part, Keyword<'a, 'py>);

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

    fn text(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.str(name, &text_of(value, name, Code::BadArgument)?);
        Ok(())
    }

    fn str(&mut self, name: &str, value: &str) {
        self.name(name);
        quote(value, &mut self.json);
    }

    /// Appends the fields that are given; what is content goes beside them.
    fn fields<'py>(&mut self, fields: &[Field<'_, 'py>]) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let mut content = None;
        for (name, part, value) in fields {
            let Some(value) = value else { continue };
            match part {
                Part::Text => self.text(name, value)?,
                Part::Path => self.text(name, &fspath(value)?)?,
                Part::Content => content = Some(content_of(value, name)?),
                Part::Json => {
                    self.name(name);
                    let pointer = format!("/{name}");
                    append(value, &pointer, Code::BadArgument, &mut self.json)?;
                }
            }
        }
        Ok(content)
    }

    /// The core's text of what is built.
    fn build(mut self, py: Python<'_>, bytes: Option<&[u8]>) -> PyResult<String> {
        self.json.push('}');
        let Arguments { kind, json } = self;
        let length = json.len() + bytes.map_or(0, <[u8]>::len);
        detached(py, length, || from_json(kind, &json, bytes)).map_err(|error| raise(py, &error))
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

/// A block from its fields.
pub fn block(py: Python<'_>, kind: &'static str, fields: &[Field<'_, '_>]) -> PyResult<PyBlock> {
    let mut arguments = Arguments::new(kind);
    let content = arguments.fields(fields)?;
    let content = content.as_ref().map(|content| content.as_bytes());
    PyBlock::from_json(py, &arguments.build(py, content)?)
}

/// A resource from a file.
pub fn resource_from_file<'py>(
    path: &Bound<'py, PyAny>,
    fields: &[Field<'_, 'py>],
) -> PyResult<PyBlock> {
    let py = path.py();
    let path = path_buf(path)?;
    let given = |name| fields.iter().find(|field| field.0 == name)?.2;
    let mut arguments = Arguments::new("resource_from_bytes");
    match given("uri") {
        None => arguments.str("path", &absolute(py, &path)?),
        Some(uri) => {
            arguments.text("path", uri)?;
            // The MIME type is that of the file's name, also under another URI.
            let known = path.to_str().and_then(from_path);
            if let (None, Some(known)) = (given("mimeType"), known) {
                arguments.str("mimeType", known);
            }
        }
    }
    let others = fields.iter().filter(|field| field.0 != "uri");
    let others: Vec<_> = others.copied().collect();
    arguments.fields(&others)?;
    let content = read(py, &path)?;
    PyBlock::from_json(py, &arguments.build(py, Some(&content))?)
}

/// An envelope of blocks.
pub fn envelope<'py>(
    blocks: &Bound<'py, PyTuple>,
    fields: &[Field<'_, 'py>],
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
    arguments.fields(fields)?;
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

/// An error from a message or from an exception, with the messages of its causes.
pub fn error<'py>(message: &Bound<'py, PyAny>, fields: &[Field<'_, 'py>]) -> PyResult<PyEnvelope> {
    let py = message.py();
    let mut arguments = Arguments::new("error");
    if message.is_instance_of::<PyBaseException>() {
        arguments.str("message", &message_of(message)?);
        let is_given = |field: &Field<'_, '_>| field.0 == "trace" && field.2.is_some();
        if !fields.iter().any(is_given) {
            let causes = PyTuple::new(py, causes(message)?)?;
            arguments.fields(&[("trace", Part::Json, Some(causes.as_any()))])?;
        }
    } else if message.is_instance_of::<PyString>() {
        arguments.text("message", message)?;
    } else {
        let expected = "a str or an exception";
        let code = Code::BadArgument;
        return Err(wrong_type(message, "message", code, expected, ""));
    }
    arguments.fields(fields)?;
    arguments.envelope(py)
}
