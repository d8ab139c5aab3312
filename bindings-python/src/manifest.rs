//! `Manifest`: the tools of a folder, as the host reads them.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use toolwire::call::Call;
use toolwire::{Code, Limits};
use toolwire_host::manifest::{Manifest, ManifestTool};
use toolwire_host::{ExchangeOptions, HostError, ProcessOptions, Transport};

use crate::error::raise_host;
use crate::input::wrong_type;
use crate::program::Arguments;

/// A call that is ready to begin.
pub struct Prepared {
    pub transport: Arc<dyn Transport>,
    pub call: Call,
    pub exchange: ExchangeOptions,
    pub limits: Limits,
}

/// A manifest that was read. `toolwire.load_manifest` gives it its methods.
#[pyclass(frozen, module = "toolwire._toolwire", name = "Manifest")]
pub struct PyManifest {
    inner: Manifest,
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

impl PyManifest {
    /// Its tools, each with how its program is run: as these arguments of `Sessions.add` say, then as it says itself.
    pub fn with_options(
        &self,
        arguments: &Arguments<'_, '_>,
    ) -> PyResult<Vec<(ManifestTool, ProcessOptions)>> {
        let tools = self.inner.tools.values();
        tools
            .map(|tool| Ok((tool.clone(), arguments.process_options(Some(tool))?)))
            .collect()
    }

    /// The call that these arguments of `run` mean, with what the manifest says of the tool; without a
    /// tool, the question what all of them take.
    pub fn prepare(
        &self,
        arguments: &Arguments<'_, '_>,
        exchange: ExchangeOptions,
    ) -> PyResult<Prepared> {
        let py = arguments.0.py();
        let Some(name) = arguments.get("tool")? else {
            return Ok(Prepared {
                transport: Arc::new(self.inner.lister()),
                call: Call::describe(),
                exchange,
                limits: Limits::WIDEST,
            });
        };
        let name: String = name
            .extract()
            .map_err(|_| wrong_type(&name, "tool", Code::BadArgument, "a str", ""))?;
        let raised = |error: HostError| raise_host(py, &error);
        let tool = self.inner.tool(&name).map_err(raised)?;
        let options = arguments.process_options(Some(tool))?;
        let asked = arguments.call(&tool.command)?;
        Ok(Prepared {
            limits: options.limits,
            call: tool.complete(asked).map_err(raised)?,
            transport: Arc::new(tool.transport(options)),
            exchange: tool.exchange_options(exchange),
        })
    }
}
