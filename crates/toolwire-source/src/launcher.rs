//! Where and with which variables a command starts that nobody typed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::TempDir;
use toolwire_host::Command;

use crate::{SourceError, SourceErrorKind};

/// In which folder a program starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folder {
    /// In that of the process which starts it.
    Current,
    /// In this one.
    Named(PathBuf),
    /// In an empty one that is made for it, so that nothing which lies around decides what a launcher runs.
    Empty,
}

/// A folder in which a program can start. An empty one is removed when this is dropped, so it is held until the
/// program has ended.
#[derive(Debug)]
pub struct OpenFolder {
    path: Option<PathBuf>,
    _made: Option<TempDir>,
}

impl OpenFolder {
    /// Its path; nothing for that of the process.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

impl Folder {
    /// Makes the folder, if it is one that is made.
    ///
    /// # Errors
    ///
    /// `System` if it can't be made.
    ///
    /// ```
    /// use toolwire_source::Folder;
    ///
    /// let open = Folder::Empty.open()?;
    /// let path = open.path().unwrap().to_owned();
    /// assert_eq!(path.read_dir().unwrap().count(), 0);
    /// drop(open);
    /// assert!(!path.exists());
    /// # Ok::<(), toolwire_source::SourceError>(())
    /// ```
    pub fn open(&self) -> Result<OpenFolder, SourceError> {
        let (path, made) = match self {
            Folder::Current => (None, None),
            Folder::Named(path) => (Some(path.clone()), None),
            Folder::Empty => {
                let (path, made) = empty_folder().map_err(|error| {
                    let message = format!("cannot make an empty folder to start in: {error}");
                    SourceError::new(SourceErrorKind::System, message)
                })?;
                (Some(path), Some(made))
            }
        };
        Ok(OpenFolder { path, _made: made })
    }
}

/// An empty folder within one that nobody else can write to. The outer one has the folder `node_modules`, where npm
/// ends its search for packages upwards. Others look further up, so that it lies below the home folder, and not in
/// one for temporary files, where anybody can put settings.
fn empty_folder() -> io::Result<(PathBuf, TempDir)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("toolwire-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let set = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let set = set.filter(|folder| folder.is_absolute());
    let cache = set.or_else(|| Some(std::env::home_dir()?.join(".cache")));
    let made = match cache.map(|cache| cache.join("toolwire")) {
        Some(cache) if fs::create_dir_all(&cache).is_ok() => builder.tempdir_in(cache)?,
        _ => builder.tempdir()?,
    };
    fs::create_dir(made.path().join("node_modules"))?;
    let path = made.path().join("empty");
    fs::create_dir(&path)?;
    Ok((path, made))
}

/// The `PATH` without what is not absolute, which would have the current folder choose what is started; nothing if it
/// has nothing of the kind.
fn absolute_path_variable() -> Option<String> {
    let path = std::env::var_os("PATH")?;
    let (absolute, relative): (Vec<_>, Vec<_>) =
        std::env::split_paths(&path).partition(|folder| folder.is_absolute());
    if relative.is_empty() {
        return None;
    }
    std::env::join_paths(absolute).ok()?.into_string().ok()
}

/// Programs that fetch what they start, and the variables of their caches, registries and certificates.
const LAUNCHERS: [(&[&str], &[&str]); 4] = [
    (
        &["uvx", "uv"],
        &[
            "UV_CACHE_DIR",
            "UV_CONFIG_FILE",
            "UV_DEFAULT_INDEX",
            "UV_EXTRA_INDEX_URL",
            "UV_FIND_LINKS",
            "UV_HTTP_TIMEOUT",
            "UV_INDEX",
            "UV_INDEX_STRATEGY",
            "UV_INDEX_URL",
            "UV_LINK_MODE",
            "UV_NATIVE_TLS",
            "UV_NO_CACHE",
            "UV_NO_INDEX",
            "UV_OFFLINE",
            "UV_PYTHON",
            "UV_PYTHON_DOWNLOADS",
            "UV_PYTHON_INSTALL_DIR",
            "UV_PYTHON_INSTALL_MIRROR",
            "UV_PYTHON_PREFERENCE",
            "UV_SYSTEM_CERTS",
            "UV_TOOL_DIR",
        ],
    ),
    (
        &["npx", "npm", "pnpx", "pnpm"],
        &[
            "npm_config_ca",
            "npm_config_cache",
            "npm_config_cafile",
            "npm_config_globalconfig",
            "npm_config_https_proxy",
            "npm_config_offline",
            "npm_config_prefer_offline",
            "npm_config_prefix",
            "npm_config_proxy",
            "npm_config_registry",
            "npm_config_strict_ssl",
            "npm_config_userconfig",
            "PNPM_HOME",
        ],
    ),
    (
        &["bunx", "bun"],
        &[
            "BUN_CONFIG_REGISTRY",
            "BUN_INSTALL",
            "BUN_INSTALL_CACHE_DIR",
        ],
    ),
    (
        &["docker", "podman"],
        &[
            "CONTAINER_HOST",
            "DOCKER_CERT_PATH",
            "DOCKER_CONFIG",
            "DOCKER_CONTEXT",
            "DOCKER_HOST",
            "DOCKER_TLS_VERIFY",
        ],
    ),
];

/// The variables of this process that a launcher gets beside the standard ones; none for any other program. One
/// whose value holds credentials is left out. Both get another `PATH`, if there are entries in it that are not absolute
///.
///
/// ```
/// use toolwire_host::Command;
/// use toolwire_source::launcher_variables;
///
/// assert!(launcher_variables(&Command::new("git")).is_empty());
/// ```
#[must_use]
pub fn launcher_variables(command: &Command) -> BTreeMap<String, String> {
    let mut variables = variables_of(command, |name| std::env::var(name).ok());
    variables.extend(absolute_path_variable().map(|path| ("PATH".to_owned(), path)));
    variables
}

fn variables_of(
    command: &Command,
    value: impl Fn(&str) -> Option<String>,
) -> BTreeMap<String, String> {
    let Some(names) = names_of(command) else {
        return BTreeMap::new();
    };
    // npm takes its own in capitals too.
    let both = |name: &&str| [(*name).to_owned(), name.to_uppercase()];
    let names = names.iter().flat_map(both);
    let set = names.filter_map(|name| {
        let value = value(&name).filter(|value| !has_credentials(value))?;
        Some((name, value))
    });
    set.collect()
}

/// Whether a program fetches what it starts.
pub(crate) fn is_launcher(command: &Command) -> bool {
    names_of(command).is_some()
}

/// The name of a program without its folder, or the extension that it has on Windows.
fn name_of(program: &Path) -> String {
    let stem = program.file_stem().unwrap_or_default();
    stem.to_string_lossy().to_lowercase()
}

/// The variables of a launcher; nothing for any other program.
fn names_of(command: &Command) -> Option<&'static [&'static str]> {
    let program = name_of(Path::new(command.program()));
    let mut all = LAUNCHERS.iter();
    let known = all.find(|(programs, _)| programs.contains(&program.as_str()));
    known.map(|(_, names)| *names)
}

/// Whether a value may have a URL with credentials in it: a user's name and password, or a token in its query.
/// Where the user information ends is not asked, since a password can hold a `/`.
fn has_credentials(value: &str) -> bool {
    let behind = value.split_once("//").map(|(_, behind)| behind);
    behind.is_some_and(|behind| behind.contains(['@', '?']))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Npm, which looks upwards, ends within what is the user's own.
    #[cfg(unix)]
    #[test]
    fn nothing_above_the_empty_folder_decides() {
        use std::os::unix::fs::PermissionsExt as _;

        let open = Folder::Empty.open().unwrap();
        let above = open.path().unwrap().parent().unwrap();
        assert!(above.join("node_modules").is_dir());
        let mode = fs::metadata(above).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        // Nobody else puts settings above it, as anybody can in a folder for temporary files.
        let others = above
            .ancestors()
            .skip(1)
            .filter(|folder| fs::metadata(folder).unwrap().permissions().mode() & 0o002 != 0);
        assert_eq!(others.count(), 0);
    }

    #[test]
    fn the_lists_are_those_of_the_reference() {
        let chapter = include_str!("../../../docs/reference/sources.md");
        let rows = chapter
            .lines()
            .skip_while(|line| !line.contains("| program | variables |"))
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        let words = |cell: &str| -> Vec<String> {
            let words = cell.split('`').skip(1).step_by(2);
            words.map(str::to_owned).collect()
        };
        let written: Vec<_> = rows
            .map(|row| {
                let cells: Vec<&str> = row.split('|').collect();
                (words(cells[1]), words(cells[2]))
            })
            .collect();
        let own = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect();
        let known: Vec<(Vec<String>, Vec<String>)> = LAUNCHERS
            .iter()
            .map(|(programs, names)| (own(programs), own(names)))
            .collect();
        assert_eq!(written, known);
    }

    #[test]
    fn a_launcher_gets_its_own_variables_without_credentials() {
        let value = |name: &str| {
            Some(match name {
                "UV_INDEX_URL" => "https://me:secret@example.org/simple".to_owned(),
                "UV_INDEX" => "one=https://example.org/ two=https://t@example.org/".to_owned(),
                "UV_EXTRA_INDEX_URL" => "https://me:sec/ret@example.org".to_owned(),
                "UV_FIND_LINKS" => "https://example.org/simple?token=secret".to_owned(),
                "UV_DEFAULT_INDEX" => "https://example.org/simple".to_owned(),
                "UV_PYTHON" => "cpython@3.12".to_owned(),
                "UV_CACHE_DIR" | "NPM_CONFIG_CACHE" => "/cache".to_owned(),
                "GITHUB_TOKEN" | "npm_config__auth" | "UV_PUBLISH_TOKEN" => "secret".to_owned(),
                _ => return None,
            })
        };
        for (program, names) in [
            (
                "/usr/bin/uvx",
                &["UV_CACHE_DIR", "UV_DEFAULT_INDEX", "UV_PYTHON"][..],
            ),
            ("npx", &["NPM_CONFIG_CACHE"]),
            ("git", &[]),
        ] {
            let found = variables_of(&Command::new(program), value);
            let found: Vec<&str> = found.keys().map(String::as_str).collect();
            assert_eq!(found, names, "{program}");
        }
    }
}
