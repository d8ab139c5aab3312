//! Where the manifest is (MAN-1), and whether it is one to use (MAN-30, MAN-31).

use std::fs::File;
use std::path::{Path, PathBuf};

use super::owner::others;
use super::{Manifest, trust};
use crate::exit::{Failure, Result};
use crate::input::open_at_once;

/// The name of the file.
pub const NAME: &str = "toolwire.toml";

/// The manifest that was named, or the nearest one from this folder upwards, if there is one.
///
/// One that was found and that others may have written ends it, unless somebody trusts it.
pub fn find(named: Option<&Path>) -> Result<Option<Manifest>> {
    if let Some(path) = named {
        return Manifest::read(path).map(Some);
    }
    let Some(path) = nearest()? else {
        return Ok(None);
    };
    let file = open_at_once(&path, File::options().read(true))
        .map_err(|error| Failure::reading(&path, &error))?;
    // What is judged is what is read, whatever stands there a moment later.
    let why = others(&path, &file).map_err(|error| Failure::reading(&path, &error))?;
    let bytes = Manifest::bytes_of(&path, file)?;
    match why {
        Some(why) if !trust::is_trusted(&path, &bytes)? => Err(refused(&path, &why)),
        _ => Manifest::parse(&path, bytes).map(Some),
    }
}

/// The nearest manifest, whoever wrote it.
pub fn nearest() -> Result<Option<PathBuf>> {
    let here = std::env::current_dir().map_err(|error| {
        let reason = crate::exit::reason(&error);
        Failure::Io(format!("cannot tell the current folder: {reason}"))
    })?;
    let candidates = here.ancestors().map(|folder| folder.join(NAME));
    Ok(candidates.into_iter().find(|file| file.is_file()))
}

fn refused(path: &Path, why: &str) -> Failure {
    let text = path.display().to_string();
    let quoted = shlex::try_quote(&text).map_or_else(|_| NAME.into(), |quoted| quoted.into_owned());
    Failure::Wrong(vec![format!(
        "`{text}` is not used: {why}; read it, then trust it as it is with `toolwire trust {quoted}`, \
         or name it or its folder in `{}`",
        trust::VARIABLE
    )])
}
