//! The tools of a folder, as the host reads them.

use std::path::PathBuf;

use napi_derive::napi;
use toolwire_host::manifest::Manifest as Read;

use crate::fault::{self, Result};

/// A manifest that was read.
#[napi]
pub struct Manifest {
    pub(crate) inner: Read,
}

#[napi]
impl Manifest {
    /// Reads the manifest with this path; without one, the nearest.
    #[napi(constructor, catch_unwind)]
    pub fn new(path: Option<String>) -> Result<Self> {
        let path = path.map(PathBuf::from);
        let inner = Read::load(path.as_deref()).map_err(|error| fault::host(&error))?;
        Ok(Manifest { inner })
    }

    /// The file, as an absolute path.
    #[napi(catch_unwind)]
    pub fn path(&self) -> String {
        self.inner.path.to_string_lossy().into_owned()
    }

    /// The names of its tools, in alphabetical order.
    #[napi(catch_unwind)]
    pub fn names(&self) -> Vec<String> {
        self.inner.tools.keys().cloned().collect()
    }
}
