//! The lock of this place, and how it is compared.

use std::fs;
use std::path::{Component, Path, PathBuf};

use toolwire::json::ObjectWriter;
use toolwire::{Error, Json};
use toolwire_contract::lock::{CheckOptions, Lock, LockReport, check_lock};
use toolwire_host::manifest;
use toolwire_source::{LOCK_NAME, LockFile};

use crate::args::ManifestArg;
use crate::exit::{Failure, Result};

/// The lock that nobody has named.
pub fn usual(named: &ManifestArg) -> Result<LockFile> {
    let manifest = match &named.manifest {
        Some(path) => Some(path.clone()),
        None => manifest::nearest()?,
    };
    if let Some(path) = manifest {
        return Ok(LockFile::new(absolute(&path.with_file_name(LOCK_NAME))?));
    }
    let here = std::env::current_dir().map_err(|error| {
        Failure::Io(format!(
            "cannot tell the current folder: {}",
            crate::exit::reason(&error)
        ))
    })?;
    let mut above = here.ancestors().map(|folder| folder.join(LOCK_NAME));
    let found = above.find(|file| file.is_file());
    Ok(LockFile::found(
        found.unwrap_or_else(|| here.join(LOCK_NAME)),
    ))
}

/// The absolute path of a lock. Its folder is what the paths in it are relative to, and where `..` leads is known to the
/// system alone.
pub fn absolute(path: &Path) -> Result<PathBuf> {
    let failed = |error| Failure::reading(path, &error);
    let path = std::path::absolute(path).map_err(failed)?;
    let leads_up = path.components().any(|part| part == Component::ParentDir);
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if leads_up => {
            Ok(fs::canonicalize(folder).map_err(failed)?.join(name))
        }
        _ => Ok(path),
    }
}

/// Compares a lock with what its sources are now, each as [`to_json`](super::to_json) gives it, or nothing if it is
/// gone.
pub fn compare(
    lock: &Lock,
    now: &[(String, Option<Json>)],
    offline: bool,
) -> std::result::Result<LockReport, Error> {
    let mut sources = ObjectWriter::new();
    for (name, now) in now {
        sources.json(name, now.as_ref().map_or("null", Json::as_str));
    }
    let now = ObjectWriter::new().json("sources", sources.end()).end();
    let mut options = CheckOptions::default();
    options.offline = offline;
    check_lock(lock, &Json::new(now)?, &options)
}
