//! Where the manifest is, and whether it is one to use.

use std::path::{Path, PathBuf};

use super::file::{read_regular, reading};
use super::owner::others;
use super::{Manifest, Result, trust};
use crate::{HostError, HostErrorKind, store};

/// The name of the file.
pub const NAME: &str = "toolwire.toml";

/// The nearest manifest from this folder upwards, if there is one and it is one to use.
pub fn find() -> Result<Option<Manifest>> {
    let Some(path) = nearest()? else {
        return Ok(None);
    };
    let file = store::open_at_once(&path).map_err(|error| reading(&path, error))?;
    // What is judged is what is read, whatever stands there a moment later.
    let why = others(&path, &file).map_err(|error| reading(&path, error))?;
    let bytes = read_regular(&path, file)?;
    if let Some(why) = why {
        let (is_trusted, note) = trust::judge(&path, &bytes)?;
        if !is_trusted {
            return Err(refused(&path, &why, note.as_deref()));
        }
        // What is trusted is the file, in its own folder; the link may be a stranger's.
        let path = std::fs::canonicalize(&path).map_err(|error| reading(&path, error))?;
        return Manifest::parse(&path, bytes).map(Some);
    }
    Manifest::parse(&path, bytes).map(Some)
}

/// The path of the nearest manifest from the current folder upwards, whoever wrote it; nothing if there
/// is none.
///
/// # Errors
///
/// `system_error` if there is no current folder.
pub fn nearest() -> Result<Option<PathBuf>> {
    let here = std::env::current_dir()
        .map_err(|error| HostError::system("cannot tell the current folder", error))?;
    let candidates = here.ancestors().map(|folder| folder.join(NAME));
    Ok(candidates.into_iter().find(|file| file.is_file()))
}

fn refused(path: &Path, why: &str, note: Option<&str>) -> HostError {
    let text = path.display().to_string();
    let quoted = shlex::try_quote(&text).map_or_else(|_| NAME.into(), |quoted| quoted.into_owned());
    let mut message = format!(
        "`{text}` is not used: {why}; read it, then trust it as it is with `toolwire trust {quoted}`, \
         or name it or its folder in `{}`",
        trust::VARIABLE
    );
    if let Some(note) = note {
        message = format!("{message} ({note})");
    }
    HostError::new(HostErrorKind::UntrustedManifest, message)
}
