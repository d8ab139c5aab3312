//! Files are read within bounds and replaced whole.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::Result;
use super::error::ClientError;
use super::places::Scope;
use super::tree::mistake;
use crate::store;

/// The text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileText {
    /// What stands there, without a byte order mark.
    pub text: String,
    /// The same as it is in the file.
    pub raw: String,
}

/// Reads a regular file of at most so many bytes.
///
/// # Errors
///
/// `System` if it can't be read; `BadFile` if it is longer or not UTF-8.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<FileText> {
    let file =
        store::open_at_once(path).map_err(|error| ClientError::system("read", path, &error))?;
    read_open(path, file, max_bytes)
}

/// The same of a file that is open.
pub(super) fn read_open(path: &Path, file: File, max_bytes: u64) -> Result<FileText> {
    let bytes = store::read_regular(file, max_bytes);
    let bytes = bytes.map_err(|error| ClientError::system("read", path, &error))?;
    let raw = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        mistake(&path.display().to_string(), &text, at, "it is not UTF-8")
    })?;
    let text = raw.strip_prefix('\u{feff}').unwrap_or(&raw).to_owned();
    Ok(FileText { text, raw })
}

/// The text of a file that is to be edited; nothing if there is none yet.
///
/// # Errors
///
/// Those of [`read_text`]; `System` for a link that leads nowhere.
pub fn current_text(path: &Path, max_bytes: u64) -> Result<Option<FileText>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ClientError::system("read", path, &error)),
        Ok(place) if place.is_symlink() && !path.exists() => {
            let error = io::Error::other("it is a link to a file that does not exist");
            Err(ClientError::system("write", path, &error))
        }
        Ok(_) => read_text(path, max_bytes).map(Some),
    }
}

/// Replaces a file by one with this text, at once and only if it still says what was read: whoever reads
/// it meanwhile finds the one text or the other. It keeps its permissions, and a link stays one.
/// `before` is nothing if there was no file; its folders are then made, too.
///
/// # Errors
///
/// `System` if it can't be written, or was changed in the meantime.
pub fn write_text(
    path: &Path,
    before: Option<&str>,
    text: &str,
    scope: Scope,
    max_bytes: u64,
) -> Result<()> {
    let target = place_of(path, before, scope, max_bytes)?;
    // Everybody with the workspace reads its files; those of the user may hold secrets.
    let mode = match scope {
        Scope::Workspace => store::EVERYBODY,
        Scope::User => 0o600,
    };
    let place = match before {
        Some(_) => store::Place::Taken,
        None => store::Place::Free,
    };
    store::put(&target, text, mode, place)
        .map_err(|error| ClientError::system("write", path, &error))
}

/// The same while others who install something there wait, so that what they write between the last look at the
/// file and its change is not lost.
///
/// # Errors
///
/// Those of [`write_text`]; `System` if another process has been writing the file for too long.
pub fn install_text(
    path: &Path,
    before: Option<&str>,
    text: &str,
    scope: Scope,
    max_bytes: u64,
) -> Result<()> {
    let target = place_of(path, before, scope, max_bytes)?;
    let _held = store::lock(&target).map_err(|error| ClientError::system("write", path, &error))?;
    write_text(path, before, text, scope, max_bytes)
}

/// The file that is replaced, or the place of a new one, whose folders are made.
fn place_of(path: &Path, before: Option<&str>, scope: Scope, max_bytes: u64) -> Result<PathBuf> {
    let failed = |error: io::Error| ClientError::system("write", path, &error);
    let now = current_text(path, max_bytes)?.map(|file| file.raw);
    if now.as_deref() != before {
        let error = io::Error::other("it was changed in the meantime; try again");
        return Err(failed(error));
    }
    let target = match now {
        Some(_) => fs::canonicalize(path).map_err(failed)?,
        None => path.to_owned(),
    };
    if scope == Scope::Workspace && leads_out(path, &target).map_err(failed)? {
        let error = io::Error::other(format!(
            "it is a link out of its folder, to `{}`; name that file to the client itself, or remove the link",
            target.display()
        ));
        return Err(failed(error));
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(target)
}

/// Whether a link of a checkout leads to a file that the checkout does not have.
fn leads_out(path: &Path, target: &Path) -> io::Result<bool> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => fs::canonicalize(folder),
        _ => fs::canonicalize("."),
    };
    match folder {
        Ok(folder) => Ok(target.is_absolute() && !target.starts_with(folder)),
        // There is no folder yet, and so no link in it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
