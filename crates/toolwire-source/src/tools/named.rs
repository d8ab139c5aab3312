//! What a word names: one source, or all those of a folder or a manifest.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use toolwire_host::manifest::Manifest;
use toolwire_host::{Command, is_marked};

use super::ToolsError;
use crate::{MARK, Places, Source, SourceError, SourceErrorKind, resolve, tool};

/// The file in a folder that names its tools.
const MANIFEST_NAME: &str = "toolwire.toml";

/// The sources that a word names: the tools and servers of a manifest (a path that ends in `.toml`), those of a folder
/// (its manifest, or else its marked programs), or what [`resolve`] gives.
///
/// # Errors
///
/// Those of [`resolve`] and of [`Manifest::read`], and `bad_option` for a folder without tools.
///
/// ```
/// use toolwire_source::{Places, sources};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("toolwire.toml");
/// std::fs::write(&path, "[tools.today]\ncommand = 'date'\nplain = true\n")?;
/// for word in [path.as_path(), folder.path()] {
///     assert_eq!(sources(word.as_os_str(), &Places::default())?[0].label, "today");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sources(word: &OsStr, places: &Places) -> Result<Vec<Source>, ToolsError> {
    let path = Path::new(word);
    if path.is_dir() {
        let manifest = path.join(MANIFEST_NAME);
        return match manifest.is_file() {
            true => of_manifest(&manifest, places),
            false => of_folder(path, places),
        };
    }
    if path
        .extension()
        .is_some_and(|extension| extension == "toml")
        && path.is_file()
    {
        return of_manifest(path, places);
    }
    Ok(vec![resolve(word, places)?])
}

fn of_manifest(path: &Path, places: &Places) -> Result<Vec<Source>, ToolsError> {
    let manifest = Manifest::read(path)?;
    let mut all: Vec<Source> = manifest.tools.values().map(tool).collect();
    let within = Places {
        manifest: Some(path.to_owned()),
        config: None,
        ..places.clone()
    };
    for name in manifest.servers.keys() {
        all.push(resolve(format!("manifest:{name}").as_ref(), &within)?);
    }
    Ok(all)
}

/// The programs of a folder that are marked as tools, in alphabetical order.
fn of_folder(folder: &Path, places: &Places) -> Result<Vec<Source>, ToolsError> {
    let unread = |error: std::io::Error| {
        let message = format!("cannot read the folder `{}`: {error}", folder.display());
        SourceError::new(SourceErrorKind::System, message)
    };
    let entries = fs::read_dir(folder).map_err(unread)?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    // What can't be read is no tool either.
    files.retain(|file| is_marked(&Command::new(file), &Default::default()).unwrap_or(false));
    if files.is_empty() {
        let message = format!(
            "the folder `{}` has neither a `{MANIFEST_NAME}` nor a program with the line `{MARK}`",
            folder.display()
        );
        return Err(ToolsError::new("bad_option", message));
    }
    let sources = files.iter().map(|file| resolve(file.as_os_str(), places));
    Ok(sources.collect::<Result<_, _>>()?)
}
