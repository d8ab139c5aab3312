//! Which manifests are trusted though others may have written them (MAN-32, MAN-33).

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use toolwire::digest_bytes;

use super::Manifest;
use super::owner::others;
use crate::exit::{Failure, Result};
use crate::input::open_at_once;
use crate::terminal;

/// Paths of manifests, or of folders of manifests, that are trusted whatever they say.
pub const VARIABLE: &str = "TOOLWIRE_TRUSTED_MANIFESTS";

/// A manifest as it is now.
pub struct Trusted {
    /// Absolute, and free of links.
    pub path: PathBuf,
    pub digest: String,
}

/// Whether somebody trusts a manifest that says this.
pub fn is_trusted(path: &Path, bytes: &[u8]) -> Result<bool> {
    // One that can't be resolved is not there any more.
    let Ok(path) = fs::canonicalize(path) else {
        return Ok(false);
    };
    Ok(in_variable(&path)? || in_list(&path, bytes)?)
}

fn in_variable(manifest: &Path) -> Result<bool> {
    let Some(paths) = std::env::var_os(VARIABLE) else {
        return Ok(false);
    };
    for path in std::env::split_paths(&paths) {
        if path.as_os_str().is_empty() {
            continue;
        }
        if !path.is_absolute() {
            return Err(Failure::Wrong(vec![format!(
                "`{}` in `{VARIABLE}` is not an absolute path",
                path.display()
            )]));
        }
        // What is not there trusts nothing.
        if fs::canonicalize(&path).is_ok_and(|path| manifest.starts_with(path)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn in_list(manifest: &Path, bytes: &[u8]) -> Result<bool> {
    let Some(path) = manifest.to_str() else {
        return Ok(false);
    };
    let line = format!("{} {path}", digest_bytes(bytes));
    Ok(lines()?.contains(&line))
}

/// Trusts a manifest as it is: one that says something else tomorrow is not the one that was read.
pub fn trust(path: &Path) -> Result<Trusted> {
    let bytes = Manifest::bytes(path)?;
    Manifest::parse(path, bytes.clone())?;
    let trusted = Trusted {
        path: fs::canonicalize(path).map_err(|error| Failure::reading(path, &error))?,
        digest: digest_bytes(&bytes),
    };
    write(&trusted.path, Some(&trusted.digest))?;
    Ok(trusted)
}

/// Takes the trust in a manifest back, also in one that is not there any more.
pub fn distrust(path: &Path) -> Result<PathBuf> {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = fs::canonicalize(path).unwrap_or_else(|_| absolute());
    write(&path, None)?;
    Ok(path)
}

/// The file with a line for each manifest that is trusted.
fn list() -> Result<PathBuf> {
    let set = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = set.filter(|folder| folder.is_absolute());
    let usual = || Some(std::env::home_dir()?.join(".config"));
    let folder = folder.or_else(usual).ok_or_else(|| {
        Failure::Io(
            "there is no folder for what is trusted: set `HOME` or `XDG_CONFIG_HOME`".into(),
        )
    })?;
    Ok(folder.join("toolwire").join("trusted"))
}

/// The lines of that file, if nobody else can have written it.
fn lines() -> Result<Vec<String>> {
    let path = list()?;
    let Ok(file) = open_at_once(&path, File::options().read(true)) else {
        return Ok(Vec::new());
    };
    let why = others(&path, &file).map_err(|error| Failure::reading(&path, &error))?;
    if let Some(why) = why {
        terminal::complain(&format!("`{}` is not used: {why}", path.display()));
        return Ok(Vec::new());
    }
    // What was judged is what is read.
    let bytes = Manifest::bytes_of(&path, file)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().map(str::to_owned).collect())
}

/// Writes the file with another line for a manifest, or without one.
fn write(manifest: &Path, digest: Option<&str>) -> Result<()> {
    let path = list()?;
    let failed = |error: &std::io::Error| {
        let reason = crate::exit::reason(error);
        Failure::Io(format!("cannot write `{}`: {reason}", path.display()))
    };
    let name = manifest
        .to_str()
        .filter(|name| !name.contains(char::is_control));
    let Some(name) = name else {
        return Err(Failure::Wrong(vec![format!(
            "`{}` can't stand in a list of paths: its path has control characters or is not \
             Unicode; name it with `--manifest`",
            manifest.display()
        )]));
    };
    let mut lines = lines()?;
    lines.retain(|line| line.split_once(' ').is_none_or(|(_, other)| other != name));
    lines.extend(digest.map(|digest| format!("{digest} {name}")));
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| {
        // Whoever reads it meanwhile finds the one list or the other, and nobody else can write it.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        for line in &lines {
            writeln!(file, "{line}")?;
        }
        file.as_file().sync_all()?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    });
    written.map_err(|error| failed(&error))
}
