//! Where the manifest is (MAN-1).

use std::path::{Path, PathBuf};

use super::Manifest;
use crate::exit::{Failure, Result};

/// The name of the file.
pub const NAME: &str = "toolwire.toml";

/// The manifest that was named, or the nearest one from this folder upwards, if there is one.
pub fn find(named: Option<&Path>) -> Result<Option<Manifest>> {
    let nearest = || -> Result<Option<PathBuf>> {
        let here = std::env::current_dir().map_err(|error| {
            let reason = crate::exit::reason(&error);
            Failure::Io(format!("cannot tell the current folder: {reason}"))
        })?;
        let candidates = here.ancestors().map(|folder| folder.join(NAME));
        Ok(candidates.into_iter().find(|file| file.is_file()))
    };
    let path = match named {
        Some(path) => Some(path.to_owned()),
        None => nearest()?,
    };
    path.map(|path| Manifest::read(&path)).transpose()
}
