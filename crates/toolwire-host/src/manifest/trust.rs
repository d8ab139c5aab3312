//! Which manifests are trusted though others may have written them.

use std::fs;
use std::path::{Path, PathBuf};

use toolwire::digest_bytes;

use super::file::{read, read_regular, reading};
use super::owner::others;
use super::{Manifest, Result};
use crate::{HostError, HostErrorKind, store};

/// Paths of manifests, or of folders of manifests, that are trusted whatever they say.
pub const VARIABLE: &str = "TOOLWIRE_TRUSTED_MANIFESTS";

/// The list of manifests that are trusted.
const LIST: &str = "trusted";

/// A manifest that is trusted from now on, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trusted {
    /// Absolute, and free of symbolic links.
    pub path: PathBuf,
    /// That of its bytes.
    pub digest: String,
    /// What was wrong with the list of what is trusted, which was begun anew.
    pub note: Option<String>,
}

/// Whether somebody trusts a manifest that says this, and what is wrong with the list of what is trusted.
pub fn judge(path: &Path, bytes: &[u8]) -> Result<(bool, Option<String>)> {
    // One that can't be resolved is not there any more.
    let Ok(path) = fs::canonicalize(path) else {
        return Ok((false, None));
    };
    if is_named_trusted(&path)? {
        return Ok((true, None));
    }
    let Some(path) = path.to_str() else {
        return Ok((false, None));
    };
    let (lines, note) = lines(LIST)?;
    let line = format!("{} {path}", digest_bytes(bytes));
    Ok((lines.contains(&line), note))
}

/// Whether this user trusts a manifest that says what it says now. Nobody has to trust one of their
/// own to use it; but what happens before they ask for anything, as in completions, is for trusted ones alone.
///
/// # Errors
///
/// Those of [`Manifest::read`].
pub fn is_trusted(path: &Path) -> Result<bool> {
    judge(path, &read(path)?).map(|(is_trusted, _)| is_trusted)
}

/// Whether `TOOLWIRE_TRUSTED_MANIFESTS` names this file or a folder above it; the path has no symbolic links.
///
/// # Errors
///
/// `untrusted_manifest` for a path in the variable that is not absolute.
///
/// ```
/// use std::path::Path;
/// use toolwire_host::manifest::is_named_trusted;
///
/// assert!(!is_named_trusted(Path::new("/no/toolwire.lock"))?);
/// # Ok::<(), toolwire_host::HostError>(())
/// ```
pub fn is_named_trusted(file: &Path) -> Result<bool> {
    let Some(paths) = std::env::var_os(VARIABLE) else {
        return Ok(false);
    };
    for path in std::env::split_paths(&paths) {
        if path.as_os_str().is_empty() {
            continue;
        }
        if !path.is_absolute() {
            let message = format!(
                "`{}` in `{VARIABLE}` is not an absolute path",
                path.display()
            );
            return Err(HostError::new(HostErrorKind::UntrustedManifest, message));
        }
        // What is not there trusts nothing.
        if fs::canonicalize(&path).is_ok_and(|path| file.starts_with(path)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Trusts a manifest as it is: one that says something else tomorrow is not the one that was read
///.
///
/// # Errors
///
/// Those of [`Manifest::read`]; `system_error` if the list of what is trusted can't be written.
pub fn trust(path: &Path) -> Result<Trusted> {
    let bytes = read(path)?;
    Manifest::parse(path, bytes.clone())?;
    let path = fs::canonicalize(path).map_err(|error| reading(path, error))?;
    let digest = digest_bytes(&bytes);
    let note = record(LIST, &path, Some(&digest))?;
    Ok(Trusted { path, digest, note })
}

/// Stops trusting a manifest, also one that is not there any more, and gives its absolute path.
///
/// # Errors
///
/// `system_error` if the list of what is trusted can't be written.
pub fn distrust(path: &Path) -> Result<PathBuf> {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = fs::canonicalize(path).unwrap_or_else(|_| absolute());
    record(LIST, &path, None)?;
    Ok(path)
}

/// Whether a line of a list has this digest and this path, so that somebody trusts it as it is.
pub fn is_listed(list: &str, path: &Path, digest: &str) -> Result<bool> {
    let line = path.to_str().map(|path| format!("{digest} {path}"));
    let Some(line) = line else {
        return Ok(false);
    };
    Ok(lines(list)?.0.contains(&line))
}

/// The file with a line for each thing that is trusted.
fn path_of(list: &str) -> Result<PathBuf> {
    let set = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = set.filter(|folder| folder.is_absolute());
    let usual = || Some(std::env::home_dir()?.join(".config"));
    let folder = folder.or_else(usual).ok_or_else(|| {
        HostError::new(
            HostErrorKind::System,
            "there is no folder for what is trusted: set `HOME` or `XDG_CONFIG_HOME`".to_owned(),
        )
    })?;
    Ok(folder.join("toolwire").join(list))
}

/// The lines of that file, if nobody else can have written it.
fn lines(list: &str) -> Result<(Vec<String>, Option<String>)> {
    let path = path_of(list)?;
    let Ok(file) = store::open_at_once(&path) else {
        return Ok(Default::default());
    };
    let why = others(&path, &file).map_err(|error| reading(&path, error))?;
    if let Some(why) = why {
        let note = Some(format!("`{}` is not used: {why}", path.display()));
        return Ok((Vec::new(), note));
    }
    // What was judged is what is read.
    let bytes = read_regular(&path, file)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok((text.lines().map(str::to_owned).collect(), None))
}

/// Writes a list with another line for a path, or without one; tells what was wrong with the list.
pub fn record(list: &str, trusted: &Path, digest: Option<&str>) -> Result<Option<String>> {
    let path = path_of(list)?;
    let name = trusted
        .to_str()
        .filter(|name| !name.contains(char::is_control));
    let Some(name) = name else {
        let message = format!(
            "`{}` can't stand in a list of paths: its path has control characters or is not \
             Unicode; name it with `--manifest`",
            trusted.display()
        );
        return Err(HostError::new(HostErrorKind::UntrustedManifest, message));
    };
    let failed = |error| HostError::system(&format!("cannot write `{}`", path.display()), error);
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
    // What others record meanwhile is not lost.
    let _held = store::lock(&path).map_err(failed)?;
    let (mut lines, note) = lines(list)?;
    lines.retain(|line| line.split_once(' ').is_none_or(|(_, other)| other != name));
    lines.extend(digest.map(|digest| format!("{digest} {name}")));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    // Nobody else can write it.
    store::put(&path, &text, 0o600, store::Place::Any).map_err(failed)?;
    Ok(note)
}
