//! The functions of the API by their names: Python values become what crosses, and replies become Python values.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyMemoryView, PyString, PyTuple};
use toolwire::event::ToolEvent;
use toolwire::{Code, Limits};
use toolwire_ffi::{Arg, Args, Kind, Reply};

use crate::answer::{PyAnswer, answer_of};
use crate::block::PyQuestion;
use crate::call::PyCall;
use crate::diagnostic::PyDiagnostic;
use crate::document::Document;
use crate::envelope::PyEnvelope;
use crate::error::raise;
use crate::event::{PyMessage, PyProgress};
use crate::exchange::alternatives;
use crate::functions::document_in;
use crate::input::{bytes_of, detached, document_of, limits_in, options_json, text_of, wrong_type};
use crate::parsed::PyParsed;
use crate::reading::Reading;
use crate::to_json::alone;
use crate::to_python::json_to_python;

/// Call a function of the API by its name. The modules of the package do so.
///
/// >>> from toolwire._toolwire import call
/// >>> call('show_hidden', ('a',))
/// 'a'
#[pyfunction]
#[pyo3(signature = (name, args, options=None))]
pub fn call<'py>(
    py: Python<'py>,
    name: &str,
    args: &Bound<'py, PyTuple>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let unknown = || PyKeyError::new_err(name.to_owned());
    let parameters = toolwire_ffi::parameters(name).ok_or_else(unknown)?;
    let mut held = Vec::new();
    for ((name, kind, optional), value) in parameters.iter().zip(args) {
        held.push(match *optional && value.is_none() {
            true => Held::Absent,
            false => crossing(&value, name, *kind)?,
        });
    }
    let options = options_text(options)?;
    let args = Args(held.iter().map(Held::arg).collect());
    let length = held.iter().map(Held::length).sum();
    let reply = detached(py, length, || toolwire_ffi::call(name, &args, &options));
    to_python(py, reply.map_err(|error| raise(py, &error))?)
}

/// An argument while the function works on it.
enum Held<'py> {
    Absent,
    Text(String),
    Bytes(Bound<'py, PyBytes>),
    Document(Arc<Document>),
}

impl Held<'_> {
    fn arg(&self) -> Arg<'_> {
        match self {
            Held::Absent => Arg::Absent,
            Held::Text(text) => Arg::Text(Cow::Borrowed(text)),
            Held::Bytes(bytes) => Arg::Bytes(bytes.as_bytes()),
            Held::Document(document) => Arg::Parsed(document.parsed()),
        }
    }

    fn length(&self) -> usize {
        match self {
            Held::Absent => 0,
            Held::Text(text) => text.len(),
            Held::Bytes(bytes) => bytes.as_bytes().len(),
            Held::Document(document) => document.parsed().document().len(),
        }
    }
}

fn crossing<'py>(value: &Bound<'py, PyAny>, name: &str, kind: Kind) -> PyResult<Held<'py>> {
    let code = Code::BadArgument;
    Ok(match kind {
        Kind::Output => Held::Bytes(bytes_of(value, name, code)?),
        Kind::Document => document(value, name)?,
        Kind::Json => Held::Text(alone(value, &format!("/{name}"), code)?),
        Kind::Text => Held::Text(text_of(value, name, code)?.into_owned()),
        Kind::Readable
            if value.is_instance_of::<PyParsed>() || value.is_instance_of::<PyEnvelope>() =>
        {
            Held::Document(document_in(value, Limits::default())?)
        }
        Kind::Readable => Held::Bytes(bytes_of(value, name, code)?),
        Kind::Question => match value.cast::<PyQuestion>() {
            Ok(question) => Held::Text(question.get().json().to_owned()),
            Err(_) => Held::Bytes(document_of(value, name)?),
        },
        Kind::Call => match value.cast::<PyCall>() {
            Ok(call) => Held::Text(call.get().core().to_json()),
            Err(_) => Held::Bytes(document_of(value, name)?),
        },
        Kind::Answer => Held::Text(answer_of(value)?.to_json()),
        Kind::Result => Held::Text(result(value, name)?),
        Kind::Results => list(value, name, Kind::Result)?,
        Kind::Texts => list(value, name, Kind::Text)?,
        Kind::Documents => list(value, name, Kind::Json)?,
        Kind::Questions => list(value, name, Kind::Question)?,
    })
}

/// A mapping, a list, or the JSON text of one.
fn document<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Held<'py>> {
    let is_list = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    Ok(match is_list {
        true => Held::Text(alone(value, &format!("/{name}"), Code::BadArgument)?),
        false => Held::Bytes(document_of(value, name)?),
    })
}

/// What a tool answered with, as an element of a list: null, an output as a JSON string, or an envelope.
fn result(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    if value.is_none() || value.cast::<PyMapping>().is_ok() {
        return alone(value, &format!("/{name}"), Code::BadArgument);
    }
    let held = crossing(value, name, Kind::Readable)?;
    let output = match held.arg() {
        Arg::Parsed(parsed) if !parsed.is_raw() => parsed.document(),
        Arg::Parsed(parsed) => parsed.raw(),
        Arg::Bytes(bytes) => bytes,
        Arg::Text(_) | Arg::Absent => &[],
    };
    Ok(toolwire::json::string(&String::from_utf8_lossy(output)))
}

/// The JSON array of what an iterable has. One text or one object is not meant as a list of what it holds.
fn list<'py>(value: &Bound<'py, PyAny>, name: &str, kind: Kind) -> PyResult<Held<'py>> {
    let is_one = value.is_instance_of::<PyString>()
        || value.cast::<PyMapping>().is_ok()
        || PyMemoryView::from(value).is_ok();
    let Some(items) = value.try_iter().ok().filter(|_| !is_one) else {
        let hint = if is_one { "; put it into a list" } else { "" };
        return Err(wrong_type(value, name, Code::BadArgument, "a list", hint));
    };
    let mut texts = Vec::new();
    for (index, item) in items.enumerate() {
        let held = crossing(&item?, &format!("{name}/{index}"), kind)?;
        texts.push(match (held, kind) {
            (Held::Text(text), Kind::Text) => toolwire::json::string(&text),
            (Held::Text(text), _) => text,
            (Held::Bytes(bytes), _) => {
                crate::call::text_in(value.py(), bytes.as_bytes())?.into_owned()
            }
            (Held::Absent | Held::Document(_), _) => continue,
        });
    }
    Ok(Held::Text(toolwire::json::array(texts)))
}

/// The JSON text of the options that were given.
fn options_text(options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
    let mut given = Vec::new();
    for (name, value) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        let value = match name.as_str() {
            _ if value.is_none() => continue,
            "limits" => limits_in(&value)?,
            "refusals" => alternatives(&value)?,
            // Any iterable of texts; one text is not a list of its letters.
            "context" if !value.is_instance_of::<PyString>() => {
                let texts = value.try_iter()?.collect::<PyResult<Vec<_>>>()?;
                PyList::new(value.py(), texts)?.into_any()
            }
            _ => value,
        };
        given.push((name, value));
    }
    let given: Vec<_> = given
        .iter()
        .map(|(name, value)| (&**name, Some(value)))
        .collect();
    Ok(options_json(&given)?.unwrap_or_else(|| "{}".to_owned()))
}

fn to_python(py: Python<'_>, reply: Reply) -> PyResult<Bound<'_, PyAny>> {
    match reply {
        Reply::Null => Ok(py.None().into_bound(py)),
        Reply::Flag(flag) => flag.into_bound_py_any(py),
        Reply::Text(text) => text.into_bound_py_any(py),
        Reply::Json(json) => json_to_python(py, &json),
        Reply::Answer(answer) => PyAnswer::new(&answer).into_bound_py_any(py),
        Reply::Call(call) => PyCall::new(*call).into_bound_py_any(py),
        Reply::Diagnostics(found) => {
            let found: Vec<_> = found.into_iter().map(PyDiagnostic::new).collect();
            found.into_bound_py_any(py)
        }
        Reply::Envelope(text) => {
            PyEnvelope::from_document(py, text.as_bytes(), &Limits::WIDEST).into_bound_py_any(py)
        }
        Reply::Event(ToolEvent::Progress(progress)) => PyProgress(progress).into_bound_py_any(py),
        Reply::Event(ToolEvent::Message(message)) => PyMessage(message).into_bound_py_any(py),
        Reply::Event(_) => Ok(py.None().into_bound(py)),
        Reply::Parsed(parsed) => {
            let reading = Reading::owned(PyBytes::new(py, parsed.raw()), *parsed);
            PyParsed::new(Document::new(reading, Limits::WIDEST)).into_bound_py_any(py)
        }
        Reply::Question(question) => PyQuestion::from_core(py, &question)?.into_bound_py_any(py),
        Reply::Record(members) => {
            let record = PyDict::new(py);
            for (name, member) in members {
                record.set_item(name, to_python(py, member)?)?;
            }
            Ok(record.into_any())
        }
    }
}
