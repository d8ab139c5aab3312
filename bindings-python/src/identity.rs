//! `Identity`, and the functions that make one.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyType};
use toolwire::{Code, IdentifyOptions, Identity, Json};
use toolwire_ffi::readers;

use crate::error::raise;
use crate::functions::document_in;
use crate::input::{Keyword, detached, fspath, options_json, read_limits, text_of};

/// The identity of a resource: its URI and the digest of its content.
///
/// >>> import toolwire
/// >>> answer = toolwire.envelope(toolwire.resource('file:///a.txt', text='hello'))
/// >>> [found] = toolwire.identify(answer)
/// >>> found
/// <toolwire.Identity new file:///a.txt sha256:2cf24dba5fb0…>
/// >>> found.pointer, found.size, found.normalized
/// ('/content/0', 5, True)
#[pyclass(frozen, eq, module = "toolwire", name = "Identity")]
#[derive(PartialEq)]
pub struct PyIdentity {
    inner: Identity,
}

#[pymethods]
impl PyIdentity {
    /// The block, as a JSON Pointer such as `'/content/3'`.
    #[getter]
    fn pointer(&self) -> &str {
        &self.inner.pointer
    }

    /// The canonical URI; if there is none, the URI as the tool wrote it.
    #[getter]
    pub fn uri(&self) -> &str {
        &self.inner.uri
    }

    /// Whether `uri` is canonical.
    #[getter]
    fn normalized(&self) -> bool {
        self.inner.normalized
    }

    /// The digest of the raw content: `'sha256:…'`, the same for a text and a blob of the same bytes.
    #[getter]
    pub fn digest(&self) -> &str {
        &self.inner.digest
    }

    /// The length of the raw content in bytes.
    #[getter]
    fn size(&self) -> u64 {
        self.inner.size
    }

    /// The MIME type, as the tool wrote it, or None.
    #[getter]
    fn mime_type(&self) -> Option<&str> {
        self.inner.mime_type.as_deref()
    }

    /// How it compares with what is known: `'new'`, `'repeat'` or `'changed'`.
    #[getter]
    fn status(&self) -> &'static str {
        self.inner.status.as_str()
    }

    /// The digest that was known, if the status is `'changed'`.
    #[getter]
    fn previous(&self) -> Option<&str> {
        self.inner.previous.as_deref()
    }

    /// The identity as a JSON object.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    fn __repr__(&self) -> String {
        let Identity {
            uri,
            digest,
            status,
            ..
        } = &self.inner;
        let digest = digest.get(..19).unwrap_or(digest);
        format!("<toolwire.Identity {} {uri} {digest}…>", status.as_str())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.inner.to_json().into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        Ok((restore, (self.inner.to_json(),)))
    }

    #[classmethod]
    fn _restore(class: &Bound<'_, PyType>, json: &str) -> PyResult<Self> {
        Json::new(json)
            .and_then(|json| json.to_value())
            .map(|inner| PyIdentity { inner })
            .map_err(|error| raise(class.py(), &error))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// The identity of each resource: its canonical URI and the digest of its raw content.
///
/// `root` is the workspace against which relative URIs are resolved: an absolute path or a `file:` URI.
/// `known` holds what the reader already has: identities from an earlier call, or pairs of a URI and a
/// digest. The limits are those of `parse`, for an output that was not read before.
///
/// >>> import toolwire
/// >>> answer = toolwire.envelope(toolwire.resource('file:///a/../b.txt', text='x'))
/// >>> [found] = toolwire.identify(answer)
/// >>> found.uri, found.size, found.status
/// ('file:///b.txt', 1, 'new')
/// >>> toolwire.identify(answer, known=[found])[0].status
/// 'repeat'
#[pyfunction]
#[pyo3(signature = (data, *, root=None, known=None, limits=None))]
pub fn identify<'py>(
    data: &Bound<'py, PyAny>,
    root: Keyword<'_, 'py>,
    known: Keyword<'_, 'py>,
    limits: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyList>> {
    let py = data.py();
    let limits = read_limits(limits)?;
    let root = root.map(fspath).transpose()?;
    let known = known.map(receipts).transpose()?;
    let given = options_json(&[("root", root.as_ref()), ("known", known.as_ref())])?;
    let options = match given {
        None => IdentifyOptions::default(),
        Some(json) => readers::identify_options(&json).map_err(|error| raise(py, &error))?,
    };
    let document = document_in(data, limits)?;
    let core = document.parsed();
    let found = detached(py, core.document().len(), || {
        toolwire::identify(core, &options)
    })
    .map_err(|error| raise(py, &error))?;
    PyList::new(
        py,
        found
            .into_iter()
            .map(|inner| PyIdentity { inner })
            .collect::<Vec<_>>(),
    )
}

/// The canonical form of a URI, or of a path: the same for every spelling of the same file.
///
/// A relative one is resolved against `root`: an absolute path or a `file:` URI.
///
/// >>> import toolwire
/// >>> toolwire.normalize_uri('FILE://localhost/a/./b/../%7Ec')
/// 'file:///a/~c'
/// >>> toolwire.normalize_uri('src/main.rs', root='file:///project')
/// 'file:///project/src/main.rs'
#[pyfunction]
#[pyo3(signature = (uri, *, root=None))]
pub fn normalize_uri<'py>(uri: &Bound<'py, PyAny>, root: Keyword<'_, 'py>) -> PyResult<String> {
    let uri_text = text_of(uri, "uri", Code::BadArgument)?;
    let root = root.map(fspath).transpose()?;
    let root = root
        .as_ref()
        .map(|root| text_of(root, "root", Code::BadOption));
    toolwire::normalize_uri(&uri_text, root.transpose()?.as_deref())
        .map_err(|error| raise(uri.py(), &error))
}

/// The JSON shape of what a reader has already. What has none passes as it is: the core refuses it.
fn receipts<'py>(known: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let text_or_object = known.is_instance_of::<PyString>() || known.is_instance_of::<PyDict>();
    let Some(items) = known.try_iter().ok().filter(|_| !text_or_object) else {
        return Ok(known.clone());
    };
    let list = PyList::empty(known.py());
    for item in items {
        let item = item?;
        let receipt = PyDict::new(known.py());
        if let Ok(identity) = item.cast::<PyIdentity>() {
            receipt.set_item("uri", identity.get().uri())?;
            receipt.set_item("digest", identity.get().digest())?;
        } else if let Ok((uri, digest)) = item.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>() {
            receipt.set_item("uri", uri)?;
            receipt.set_item("digest", digest)?;
        } else {
            list.append(item)?;
            continue;
        }
        list.append(receipt)?;
    }
    Ok(list.into_any())
}
