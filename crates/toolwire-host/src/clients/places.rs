//! Where the files of clients are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toolwire_contract::server::Client;

/// Claude Code keeps more than settings in its file, so that it grows.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The systems that have files in different places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum System {
    /// Linux and other systems with a home folder.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The user's own, for all folders.
    User,
    /// That of a workspace, which may have come with a checkout.
    Workspace,
}

/// What the places of files depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surroundings {
    /// The system.
    pub system: System,
    /// The home folder, if there is one.
    pub home: Option<PathBuf>,
    /// The current folder.
    pub folder: PathBuf,
    /// The environment.
    pub variables: BTreeMap<String, String>,
    /// How many bytes a file may have; 64 MiB unless changed.
    pub max_bytes: u64,
}

/// A file of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The client that reads it.
    pub client: Client,
    /// Whose it is.
    pub scope: Scope,
    /// Where it is.
    pub path: PathBuf,
    /// The folder of the workspace; for a file of the user the current one.
    pub folder: PathBuf,
}

impl Surroundings {
    /// Those of this process.
    #[must_use]
    pub fn current() -> Surroundings {
        let system = match () {
            () if cfg!(windows) => System::Windows,
            () if cfg!(target_os = "macos") => System::MacOs,
            () => System::Linux,
        };
        let variables = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Surroundings {
            system,
            home: std::env::home_dir(),
            folder: std::env::current_dir().unwrap_or_default(),
            variables: variables.collect(),
            max_bytes: MAX_BYTES,
        }
    }

    /// Some that depend on nothing else, to look elsewhere or for a test.
    #[must_use]
    pub fn new(system: System, home: &Path, folder: &Path) -> Surroundings {
        Surroundings {
            system,
            home: Some(home.to_owned()),
            folder: folder.to_owned(),
            variables: BTreeMap::new(),
            max_bytes: MAX_BYTES,
        }
    }

    /// The user's file of a client; nothing without a home folder.
    #[must_use]
    pub fn user_file(&self, client: Client) -> Option<Place> {
        let template = client.user_files()[self.system as usize];
        let moved = client
            .folder_variable()
            .and_then(|name| self.folder_in(name));
        let path = match (moved, template.rsplit_once('/')) {
            (Some(folder), Some((_, name))) => folder.join(name),
            _ => self.expand(template)?,
        };
        Some(Place {
            client,
            scope: Scope::User,
            path,
            folder: self.folder.clone(),
        })
    }

    /// The file of a client in a workspace: in the current folder or the nearest one above it that has
    /// one, the home folder excepted, whose files are the user's; in the current folder if there is none.
    /// Nothing for a client that has no such file.
    #[must_use]
    pub fn workspace_file(&self, client: Client) -> Option<Place> {
        let name = client.workspace_file()?;
        let is_home = |folder: &Path| Some(folder) == self.home.as_deref();
        let folders = self.folder.ancestors().filter(|folder| !is_home(folder));
        let mut having = folders.filter(|folder| join(folder, name).is_file());
        let folder = having.next().unwrap_or(&self.folder);
        Some(Place {
            client,
            scope: Scope::Workspace,
            path: join(folder, name),
            folder: folder.to_owned(),
        })
    }

    /// All files that there are, the user's before those of a workspace.
    #[must_use]
    pub fn files(&self) -> Vec<Place> {
        let user = Client::ALL.iter().filter_map(|one| self.user_file(*one));
        let here = Client::ALL
            .iter()
            .filter_map(|one| self.workspace_file(*one));
        let places = user.chain(here);
        places.filter(|place| place.path.exists()).collect()
    }

    fn expand(&self, template: &str) -> Option<PathBuf> {
        let home = || self.home.clone();
        let (root, rest) = template.split_once('/')?;
        let root = match root {
            "~" => home()?,
            "$XDG_CONFIG_HOME" => match self.folder_in("XDG_CONFIG_HOME") {
                Some(folder) => folder,
                None => home()?.join(".config"),
            },
            _ => match self.folder_in("APPDATA") {
                Some(folder) => folder,
                None => home()?.join("AppData").join("Roaming"),
            },
        };
        Some(join(&root, rest))
    }

    /// The absolute path in a variable.
    fn folder_in(&self, name: &str) -> Option<PathBuf> {
        let folder = PathBuf::from(self.variables.get(name)?);
        (folder.is_absolute() || self.system == System::Windows).then_some(folder)
    }
}

fn join(folder: &Path, path: &str) -> PathBuf {
    let mut joined = folder.to_owned();
    joined.extend(path.split('/'));
    joined
}
