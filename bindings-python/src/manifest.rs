//! `Manifest`: the tools of a folder, as the host reads them.

use std::path::PathBuf;

use pyo3::prelude::*;
use toolwire::Code;
use toolwire_host::manifest::Manifest;

use crate::error::raise_host;
use crate::input::wrong_type;

/// A manifest that was read. `toolwire.load_manifest` gives it its methods.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Manifest")]
pub struct PyManifest {
    pub inner: Manifest,
}

#[pymethods]
impl PyManifest {
    /// Read the manifest with this path; without one, the nearest.
    #[new]
    #[pyo3(signature = (path=None))]
    fn load(py: Python<'_>, path: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let path = match path {
            Some(path) => Some(path.extract::<PathBuf>().map_err(|_| {
                let expected = "a str or an os.PathLike of str";
                wrong_type(path, "path", Code::BadArgument, expected, "")
            })?),
            None => None,
        };
        let inner = py.detach(|| Manifest::load(path.as_deref()));
        let inner = inner.map_err(|error| raise_host(py, &error))?;
        Ok(PyManifest { inner })
    }

    /// The file, as an absolute path.
    #[getter]
    fn path(&self) -> PathBuf {
        self.inner.path.clone()
    }

    /// The names of its tools, in alphabetical order.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.inner.tools.keys().map(String::as_str).collect()
    }
}
