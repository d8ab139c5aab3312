//! Where the host of a workspace is to be found.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use toolwire::digest_bytes;
use toolwire_host::store::Lock;

use crate::error::{Result, system};

/// Number of hex digits of the digest of a workspace's path in the name of its host.
const DIGITS: usize = 16;

/// Client and host are of this version: those of others have hosts of their own.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The host of one workspace: its folder and the names of its files.
///
/// ```
/// use toolwire_session_host::Place;
///
/// let here = Place::of(std::path::Path::new("."))?;
/// assert!(here.root().is_absolute());
/// # Ok::<(), toolwire_host::handles::HandlesError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    root: PathBuf,
    folder: PathBuf,
    name: String,
}

impl Place {
    /// The place of the host of a workspace. On Unix, the folder of the sockets is made, if it is not there.
    ///
    /// # Errors
    ///
    /// `Unreached` if the folder is not the user's alone, or can't be made.
    pub fn of(root: &Path) -> Result<Self> {
        // The same workspace has one path, whichever links lead to it.
        let root = std::fs::canonicalize(root)
            .or_else(|_| std::path::absolute(root))
            .map_err(|error| {
                let what = format!("`{}` has no absolute path", root.display());
                system(&what, &error)
            })?;
        let digest = digest_bytes(root.as_os_str().as_encoded_bytes());
        let digits = digest.strip_prefix("sha256:").unwrap_or(&digest);
        Ok(Place {
            name: format!("{}-{VERSION}", &digits[..DIGITS]),
            folder: folder::private()?,
            root,
        })
    }

    /// A place that was found by [`of`](Place::of) before, by another process.
    #[must_use]
    pub fn found(root: PathBuf, folder: PathBuf, name: String) -> Self {
        Place { root, folder, name }
    }

    /// The root of the workspace, free of links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the user's sockets.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name of the host, which its files and its socket begin with.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The socket at which clients connect.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.file("sock")
    }

    /// The other versions of this software that have a host for the workspace now. Its handles are not those of this
    /// version's host.
    #[must_use]
    pub fn other_versions(&self) -> Vec<String> {
        let Some((digits, own)) = self.name.split_once('-') else {
            return Vec::new();
        };
        let version = |file: std::io::Result<std::fs::DirEntry>| {
            let name = file.ok()?.file_name().into_string().ok()?;
            let rest = name.strip_suffix(".life")?.strip_prefix(digits)?;
            let version = rest.strip_prefix('-')?.to_owned();
            let life = self.folder.join(&name);
            // A host holds it as long as it lives.
            let lives = version != own && matches!(Lock::take(&life), Ok(None));
            lives.then_some(version)
        };
        let files = std::fs::read_dir(&self.folder);
        files.into_iter().flatten().filter_map(version).collect()
    }

    /// Held by whoever starts the host, or ends it for want of handles.
    pub(crate) fn door(&self) -> PathBuf {
        self.file("door")
    }

    /// Held by the host as long as it lives.
    pub(crate) fn life(&self) -> PathBuf {
        self.file("life")
    }

    fn file(&self, extension: &str) -> PathBuf {
        let mut name = OsString::from(&self.name);
        name.push(".");
        name.push(extension);
        self.folder.join(name)
    }
}

#[cfg(unix)]
mod folder {
    use std::ffi::OsString;
    use std::fs::{self, DirBuilder, Metadata};
    use std::io::ErrorKind;
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
    use std::path::{Path, PathBuf};

    use super::{DIGITS, VERSION};
    use crate::error::{Result, system, unreached};

    /// The longest path of a socket, without the zero behind it. Linux has 4 more.
    const LONGEST: usize = 103;

    /// The folder of this user's sockets, which nobody else can enter.
    pub fn private() -> Result<PathBuf> {
        let user = rustix::process::geteuid().as_raw();
        let own = format!("toolwire-{user}");
        let runtime = runtime(std::env::var_os("XDG_RUNTIME_DIR"), user);
        let runtime = Some(runtime).filter(|folder| is_own(folder, user));
        let folders = [
            runtime.map(|folder| folder.join("toolwire")),
            Some(std::env::temp_dir().join(&own)).filter(|folder| folder.is_absolute()),
        ];
        let name = "/-.sock".len() + DIGITS + VERSION.len();
        let short = |folder: &PathBuf| folder.as_os_str().len() + name <= LONGEST;
        let folder = folders.into_iter().flatten().find(short);
        // Every Unix has this one, and its name is short.
        let folder = folder.unwrap_or_else(|| Path::new("/tmp").join(own));
        make(&folder, user)?;
        Ok(folder)
    }

    /// The folder for sockets of this user. Many MCP clients start their servers without the variable, and where it
    /// is set elsewhere, this is its value.
    pub fn runtime(variable: Option<OsString>, user: u32) -> PathBuf {
        let set = variable.filter(|folder| !folder.is_empty());
        set.map_or_else(|| format!("/run/user/{user}").into(), PathBuf::from)
    }

    /// Whether a folder is this user's, and nobody else can put anything into it.
    fn is_own(folder: &Path, user: u32) -> bool {
        let Ok(found) = fs::metadata(folder) else {
            return false;
        };
        folder.is_absolute() && found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0
    }

    fn make(folder: &Path, user: u32) -> Result<()> {
        let shown = folder.display();
        let refuse = |why: &str| {
            let message = format!(
                "`{shown}` is not used for sessions: {why}; remove it, or set `XDG_RUNTIME_DIR` to a folder \
                 that only you can write"
            );
            Err(unreached(message))
        };
        // In a folder that others can write they could put their own in place of ours.
        let above = folder.parent().unwrap_or(folder);
        match fs::metadata(above) {
            Ok(above) if others_can_replace(&above, user) => {
                return refuse("others can replace it in the folder above it");
            }
            Ok(_) => {}
            Err(error) => {
                let what = format!("cannot look at `{}`", above.display());
                return Err(system(&what, &error));
            }
        }
        match DirBuilder::new().mode(0o700).create(folder) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                let what = format!("cannot make the folder `{shown}` for sessions");
                return Err(system(&what, &error));
            }
        }
        let found = fs::symlink_metadata(folder)
            .map_err(|error| system(&format!("cannot look at `{shown}`"), &error))?;
        if found.is_symlink() {
            refuse("it is a link")
        } else if !found.is_dir() {
            refuse("it is no folder")
        } else if found.uid() != user {
            refuse(&format!("it belongs to the user {}", found.uid()))
        } else if found.mode() & 0o077 != 0 {
            refuse(&format!(
                "others can enter it (its mode is {:03o}, not 700)",
                found.mode() & 0o777
            ))
        } else {
            Ok(())
        }
    }

    fn others_can_replace(above: &Metadata, user: u32) -> bool {
        let stranger = above.uid() != user && above.uid() != 0;
        let open = above.mode() & 0o022 != 0 && above.mode() & 0o1000 == 0;
        stranger || open
    }
}

#[cfg(not(unix))]
mod folder {
    use std::path::PathBuf;

    use crate::error::{Result, system};

    /// The folder of temporary files is the user's own there.
    pub fn private() -> Result<PathBuf> {
        let folder = std::env::temp_dir().join("toolwire");
        std::fs::create_dir_all(&folder).map_err(|error| {
            let what = format!("cannot make the folder `{}`", folder.display());
            system(&what, &error)
        })?;
        Ok(folder)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::folder::runtime;

    #[test]
    fn a_server_without_the_variable_finds_the_folder_of_a_shell_that_has_it() {
        let usual = Path::new("/run/user/1000");
        assert_eq!(runtime(None, 1000), usual);
        assert_eq!(runtime(Some("".into()), 1000), usual);
        assert_eq!(
            runtime(Some("/elsewhere".into()), 1000),
            Path::new("/elsewhere")
        );
    }
}
