//! A server that only a file of the workspace names is approved before its first start (CFG-20, CFG-21).

use std::path::{Path, PathBuf};

use toolwire::digest_bytes;

use super::Result;
use super::entry::Entry;
use super::places::Scope;
use super::tree::Node;
use crate::manifest::trust;

/// The list beside that of trusted manifests.
const LIST: &str = "servers";

impl Entry {
    /// Whether a person has to approve it before its first start: if a file of a workspace names it, and
    /// none of the user's says the same (CFG-20).
    #[must_use]
    pub fn needs_approval(&self) -> bool {
        self.scope == Some(Scope::Workspace)
    }

    /// Whether it needs no approval, or was approved as it is (CFG-21).
    ///
    /// # Errors
    ///
    /// `System` if the list of what is approved can't be read.
    pub fn is_approved(&self) -> Result<bool> {
        if !self.needs_approval() {
            return Ok(true);
        }
        let (key, digest) = self.identity();
        Ok(trust::is_listed(LIST, &key, &digest)?)
    }

    /// Remembers that a person has approved it as it is.
    ///
    /// # Errors
    ///
    /// `System` if the list of what is approved can't be written; `Untrusted` if the path or the name
    /// can't stand in it.
    pub fn approve(&self) -> Result<()> {
        let (key, digest) = self.identity();
        trust::record(LIST, &key, Some(&digest))?;
        Ok(())
    }

    /// Takes an approval back.
    ///
    /// # Errors
    ///
    /// Those of [`Entry::approve`].
    pub fn disapprove(&self) -> Result<()> {
        let (key, _) = self.identity();
        trust::record(LIST, &key, None)?;
        Ok(())
    }

    /// What it is listed under, and the digest of all that the file says of it.
    fn identity(&self) -> (PathBuf, String) {
        let path = std::fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let mut key = path.clone().into_os_string();
        key.push("#");
        key.push(&self.name);
        let mut content = String::new();
        Node::text(&path.to_string_lossy()).fingerprint(&mut content);
        Node::text(&self.name).fingerprint(&mut content);
        self.node.fingerprint(&mut content);
        (Path::new(&key).to_owned(), digest_bytes(content.as_bytes()))
    }
}
