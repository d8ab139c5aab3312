//! The manifest that is made or extended. What stands in it stays, byte by byte.

use std::path::{Path, PathBuf};

use toolwire_host::clients::{Scope, current_text, install_text};
use toolwire_host::manifest::Manifest;

use super::entry::Entry;
use crate::args::ManifestArg;
use crate::exit::{Failure, Result};
use crate::run;

/// The name of a manifest.
const NAME: &str = "toolwire.toml";
/// The most bytes of a manifest.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

pub struct ManifestFile {
    pub path: PathBuf,
    /// What it says; nothing if there is none yet.
    before: Option<String>,
    /// The names that are taken.
    names: Vec<String>,
}

impl ManifestFile {
    /// The manifest that is named, or else the nearest, or else a new one in the current folder.
    pub fn find(named: &ManifestArg) -> Result<ManifestFile> {
        let is_new = named.manifest.as_ref().is_some_and(|path| !path.exists());
        let manifest = match is_new {
            true => None,
            false => run::manifest(named)?,
        };
        let path = match (&manifest, &named.manifest) {
            (Some(manifest), _) => manifest.path.clone(),
            (None, Some(path)) => absolute(path)?,
            (None, None) => absolute(Path::new(NAME))?,
        };
        let names = manifest
            .iter()
            .flat_map(|all| all.tools.keys().chain(all.servers.keys()));
        Ok(ManifestFile {
            names: names.cloned().collect(),
            before: current_text(&path, MAX_BYTES)?.map(|file| file.raw),
            path,
        })
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// The path of a program as the manifest names it: from its folder on, if it is below that. A name is looked up on
    /// the `PATH`.
    pub fn program(&self, program: &str) -> Result<String> {
        if !program.contains(std::path::is_separator) {
            return Ok(program.to_owned());
        }
        let path = absolute(Path::new(program))?;
        let path: PathBuf = path.components().collect();
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let below = path
            .strip_prefix(folder)
            .ok()
            .map(|rest| Path::new(".").join(rest));
        let path = below.as_deref().unwrap_or(&path);
        path.to_str().map(str::to_owned).ok_or_else(|| {
            Failure::Wrong(vec![format!(
                "`{}` is not valid Unicode, so it can't stand in a manifest",
                path.display()
            )])
        })
    }

    /// The name for a tool that was asked for or proposed.
    ///
    /// # Errors
    ///
    /// Why it can't be one.
    pub fn check_name(&self, name: &str) -> std::result::Result<(), String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || name.len() > 128 || !name.chars().all(fits) {
            return Err(format!(
                "`{name}` is no name for a tool: give one of up to 128 letters, digits, `_`, `-` and `.` with `--name`"
            ));
        }
        match self.has(name) {
            true => Err(format!(
                "`{}` has a `{name}` already; give another name with `--name`",
                self.path.display()
            )),
            false => Ok(()),
        }
    }

    /// What it says with these tables behind everything else, if that can be a manifest.
    pub fn with(&self, entries: &[Entry]) -> Result<String> {
        let mut text = self.before.clone().unwrap_or_default();
        for entry in entries {
            if !text.is_empty() {
                text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
            }
            text.push_str(&entry.text);
        }
        Manifest::parse(&self.path, text.clone().into_bytes())?;
        Ok(text)
    }

    /// Writes it, unless it was changed meanwhile.
    pub fn write(&self, text: &str) -> Result<()> {
        let before = self.before.as_deref();
        install_text(&self.path, before, text, Scope::Workspace, MAX_BYTES)?;
        Ok(())
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| Failure::reading(path, &error))
}
