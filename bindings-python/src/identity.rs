//! The identities of resources.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use toolwire::{Code, IdentifyOptions, Identity};
use toolwire_ffi::readers;

use crate::error::raise;
use crate::functions::document_in;
use crate::input::{Keyword, detached, fspath, options_json, read_limits, text_of};
use crate::to_python::json_to_python;

/// The identities of the resources.
pub fn identify<'py>(
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, '_>,
    options: &[(&str, Keyword<'_, 'py>)],
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let mut given = Vec::new();
    for (name, value) in options {
        let Some(value) = value else { continue };
        let value = match *name {
            "known" => receipts(value)?,
            _ => fspath(value)?,
        };
        given.push((*name, value));
    }
    let given: Vec<_> = given
        .iter()
        .map(|(name, value)| (*name, Some(value)))
        .collect();
    let options = match options_json(&given)? {
        None => IdentifyOptions::default(),
        Some(json) => readers::identify_options(&json).map_err(|error| raise(py, &error))?,
    };
    let document = document_in(data, limits)?;
    let core = document.parsed();
    let found = detached(py, core.document().len(), || {
        toolwire::identify(core, &options)
    })
    .map_err(|error| raise(py, &error))?;
    let found = found.iter().map(Identity::to_json);
    json_to_python(py, &toolwire::json::array(found))
}

/// The canonical form of a URI.
pub fn normalize_uri<'py>(uri: &Bound<'py, PyAny>, root: Keyword<'_, 'py>) -> PyResult<String> {
    let uri_text = text_of(uri, "uri", Code::BadArgument)?;
    let root = root.map(fspath).transpose()?;
    let root = root
        .as_ref()
        .map(|root| text_of(root, "root", Code::BadOption));
    toolwire::normalize_uri(&uri_text, root.transpose()?.as_deref())
        .map_err(|error| raise(uri.py(), &error))
}

/// What a reader has already: pairs of a URI and a digest become objects. What is neither is refused by the core.
fn receipts<'py>(known: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let text_or_object = known.is_instance_of::<PyString>() || known.is_instance_of::<PyDict>();
    let Some(items) = known.try_iter().ok().filter(|_| !text_or_object) else {
        return Ok(known.clone());
    };
    let list = PyList::empty(known.py());
    for item in items {
        let item = item?;
        let pair = item.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>();
        match pair.ok().filter(|_| item.is_instance_of::<PyTuple>()) {
            Some((uri, digest)) => {
                let receipt = PyDict::new(known.py());
                receipt.set_item("uri", uri)?;
                receipt.set_item("digest", digest)?;
                list.append(receipt)?;
            }
            None => list.append(item)?,
        }
    }
    Ok(list.into_any())
}
