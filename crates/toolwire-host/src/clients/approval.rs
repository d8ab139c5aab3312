//! What a person has agreed to before it is started.

use std::path::{Path, PathBuf};

use toolwire::digest_bytes;
use toolwire::json::{array, string};

use super::Result;
use super::entry::{Entry, Target};
use super::places::Scope;
use crate::manifest::trust;

/// The list beside that of trusted manifests.
const LIST: &str = "servers";

/// What a person agrees to: something under a name, as it is. Agreements are lines of a file of the user.
///
/// ```
/// use toolwire_host::clients::Consent;
///
/// let one = Consent::new("mcp+uvx://a", ["uvx", "a"]);
/// assert_ne!(one, Consent::new("mcp+uvx://a", ["uvx", "a", "--more"]));
/// assert_ne!(one, Consent::new("mcp+uvx://a", ["uvxa"]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    key: PathBuf,
    digest: String,
}

impl Consent {
    /// An agreement to what these parts say, under a name that only one agreement has. The order of the parts
    /// and where each of them ends makes a difference.
    #[must_use]
    pub fn new<'p>(name: impl Into<PathBuf>, parts: impl IntoIterator<Item = &'p str>) -> Consent {
        let content = array(parts.into_iter().map(string));
        Consent {
            key: name.into(),
            digest: digest_bytes(content.as_bytes()),
        }
    }

    /// The same for what starts in this folder alone.
    #[must_use]
    pub fn within(self, folder: &Path) -> Consent {
        let folder = folder.to_string_lossy();
        let mut key = self.key.into_os_string();
        key.push("#");
        key.push(&*folder);
        Consent::new(key, [self.digest.as_str(), &folder])
    }

    /// The same for the program that this name stands for on the `PATH`; as it is for a path, and for a name that is
    /// not found.
    #[must_use]
    pub fn for_program(self, program: &str) -> Consent {
        let is_name = !program.contains(std::path::is_separator);
        let Some(found) = which::which(program).ok().filter(|_| is_name) else {
            return self;
        };
        let parts = [self.digest.as_str(), &found.to_string_lossy()];
        Consent::new(self.key.clone(), parts)
    }

    /// Whether somebody has agreed to it as it is.
    ///
    /// # Errors
    ///
    /// `System` if the list of agreements can't be read.
    pub fn is_given(&self) -> Result<bool> {
        Ok(trust::is_listed(LIST, &self.key, &self.digest)?)
    }

    /// Remembers that a person has agreed to it as it is, in the place of what was agreed to under its name.
    ///
    /// # Errors
    ///
    /// `System` if the list of agreements can't be written; `Untrusted` if the name can't stand in it.
    pub fn give(&self) -> Result<()> {
        trust::record(LIST, &self.key, Some(&self.digest))?;
        Ok(())
    }

    /// Takes back what was agreed to under its name.
    ///
    /// # Errors
    ///
    /// Those of [`Consent::give`].
    pub fn take_back(&self) -> Result<()> {
        trust::record(LIST, &self.key, None)?;
        Ok(())
    }
}

impl Entry {
    /// What a person has to agree to before it is used: a program that it starts, whoever wrote the file
    ///, and also a URL that only a file of a workspace names. It covers all that the file
    /// says of it.
    #[must_use]
    pub fn consent(&self) -> Option<Consent> {
        let starts = matches!(self.target, Target::Program { .. });
        (starts || self.scope == Some(Scope::Workspace)).then(|| self.identity())
    }

    /// What it is listed under, and the digest of all that the file says of it.
    fn identity(&self) -> Consent {
        let path = std::fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let mut key = path.clone().into_os_string();
        key.push("#");
        key.push(&self.name);
        let said = self.node.fingerprint();
        Consent::new(key, [&*path.to_string_lossy(), &self.name, &said])
    }
}
