//! The manifest, `toolwire.toml`: tools by name, and how each is run (`docs/reference/toolwire-toml.md`).

mod advice;
mod check;
mod entry;
pub(crate) mod file;
mod find;
mod owner;
mod policy;
mod server;
mod session;
mod source;
mod template;
mod tool;
mod transport;
pub(crate) mod trust;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use advice::unknown;
pub use find::nearest;
pub use owner::{leaves, others};
pub use policy::{LockPolicy, TaskPolicy};
pub use server::ManifestServer;
pub use session::SessionKind;
pub use tool::ManifestTool;
pub use transport::{ManifestLister, ManifestTransport};
pub use trust::{Trusted, distrust, is_named_trusted, is_trusted, trust};

use crate::{HostError, HostErrorKind};
use source::Source;

type Result<T, E = HostError> = std::result::Result<T, E>;

/// A program and its arguments; there is at least the program.
pub type Words = Arc<[String]>;

/// A manifest that was read and checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Manifest {
    /// The file, as an absolute path.
    pub path: PathBuf,
    /// What happens to a tool that is not as the lock beside it says, if it says so.
    pub locked: Option<LockPolicy>,
    /// Its tools by name.
    pub tools: BTreeMap<String, ManifestTool>,
    /// Its MCP servers by name.
    pub servers: BTreeMap<String, ManifestServer>,
}

impl Manifest {
    /// The manifest of a host: the one with this path, whoever wrote it, or else the nearest.
    ///
    /// # Errors
    ///
    /// Those of [`Manifest::read`] and [`Manifest::find`]; `manifest_not_found` if there is none.
    ///
    /// ```
    /// use std::path::Path;
    /// use toolwire_host::{HostErrorKind, manifest::Manifest};
    ///
    /// let error = Manifest::load(Some(Path::new("./no/toolwire.toml"))).unwrap_err();
    /// assert_eq!(error.kind(), HostErrorKind::ManifestNotFound);
    /// ```
    pub fn load(path: Option<&Path>) -> Result<Manifest> {
        match path {
            Some(path) => Manifest::read(path),
            None => Manifest::find()?.ok_or_else(|| {
                let message = "there is no `toolwire.toml` in this folder or one above it; write one, or \
                               give its path";
                HostError::new(HostErrorKind::ManifestNotFound, message.to_owned())
            }),
        }
    }

    /// The nearest manifest, in the current folder or the nearest one above it that has one, if there is
    /// one.
    ///
    /// # Errors
    ///
    /// `untrusted_manifest` if others may have written it and nobody trusts it; otherwise those
    /// of [`Manifest::read`].
    pub fn find() -> Result<Option<Manifest>> {
        find::find()
    }

    /// Reads the manifest with this path, whoever wrote it.
    ///
    /// # Errors
    ///
    /// `manifest_not_found` if there is no such file; `bad_manifest` for a mistake in it, with the file,
    /// the line, the column and the keys that lead there; `system_error` if it can't be read.
    pub fn read(path: &Path) -> Result<Manifest> {
        Manifest::parse(path, file::read(path)?)
    }

    /// Reads what a manifest with this path would say, without looking at the file.
    ///
    /// # Errors
    ///
    /// `bad_manifest` for a mistake in it, as [`Manifest::read`] reports it.
    pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Manifest> {
        let source = Source::read(path, bytes)?;
        let file = check::file(&source)?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut tools = file.tools;
        for (name, tool) in &mut tools {
            tool.complete_in(folder, name);
            tool.assistant = tool.assistant.take().or_else(|| file.assistant.clone());
        }
        let servers = file.servers.into_iter().map(|(name, entry)| {
            let server = ManifestServer::new(folder, name.clone(), entry);
            (name, server)
        });
        let servers = servers.collect();
        Ok(Manifest {
            path,
            locked: file.locked,
            tools,
            servers,
        })
    }

    /// The tool with this name.
    ///
    /// # Errors
    ///
    /// `unknown_tool` if there is none, with the name that was probably meant.
    pub fn tool(&self, name: &str) -> Result<&ManifestTool> {
        self.tools.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.tools.keys().map(String::as_str).collect();
            let (path, message) = (self.path.display(), unknown("tool", name, &names));
            HostError::new(HostErrorKind::UnknownTool, format!("{path}: {message}"))
        })
    }

    /// What all tools take, as each is described by the manifest or else by its program: to be
    /// given to [`list_tools`](crate::list_tools).
    ///
    /// A program that can't be asked, or does not say what it takes, is an error of the whole list, with
    /// the name of the tool.
    ///
    /// ```
    /// use toolwire_host::manifest::Manifest;
    /// use toolwire_host::{block_on, list_tools};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("toolwire.toml");
    /// # std::fs::write(&path, "[tools.today]\ncommand = 'date'\nplain = true\n")?;
    /// let list = block_on(list_tools(&Manifest::read(&path)?.lister()))?;
    /// assert_eq!(list.tools.unwrap()[0].name, "today");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lister(&self) -> ManifestLister {
        ManifestLister(self.clone())
    }

    /// The folder to which relative paths in it are relative.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }
}

#[cfg(test)]
mod tests;
