//! Where profiles lie, and how they are written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use toolwire::nearest;
use toolwire_contract::launch::parse_profile_word;
use toolwire_contract::profile::{Profile, is_device, read_profile_files, write_profile};
use toolwire_host::clients::{Scope, Surroundings, System};
use toolwire_host::{manifest, store};

use crate::{Places, SourceError, SourceErrorKind};

type Result<T> = std::result::Result<T, SourceError>;

/// The folder of profiles in a project.
const IN_PROJECT: &str = ".toolwire/profiles/mcp";

/// The folder of profiles in JN's home.
const IN_JN: &str = "profiles/mcp";

/// The file that says how the server is reached.
pub(crate) const META: &str = "_meta.json";

/// The most bytes of a file of a profile.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Where a profile lies, or is to lie.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfilePlace {
    /// Its name, without the `@`.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Whose it is: the user's, or that of a project.
    pub scope: Scope,
    /// Whether it lies where JN keeps its profiles.
    pub of_jn: bool,
}

/// A profile that was read, and the texts that it was read from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StoredProfile {
    /// What its files say.
    pub profile: Profile,
    /// Its files, by their names.
    pub files: BTreeMap<String, String>,
}

impl ProfilePlace {
    /// The profile with this name, with or without `@`: that of the nearest project that has it, or else the user's
    ///, or else that of JN.
    ///
    /// # Errors
    ///
    /// `BadWord` for what is no name; `Unknown` if there is none.
    ///
    /// ```no_run
    /// use toolwire_source::{Places, ProfilePlace};
    ///
    /// let place = ProfilePlace::find("@biomcp", &Places::default())?;
    /// println!("{}", place.read()?.profile.to_json());
    /// # Ok::<(), toolwire_source::SourceError>(())
    /// ```
    pub fn find(name: &str, places: &Places) -> Result<ProfilePlace> {
        ProfilePlace::find_near(&named(name)?, places, &Surroundings::current())
    }

    pub(crate) fn find_near(
        name: &str,
        places: &Places,
        surroundings: &Surroundings,
    ) -> Result<ProfilePlace> {
        let all = folders(places, surroundings);
        let mut all = all.into_iter().map(|folder| folder.place(name));
        all.find(ProfilePlace::is_there).ok_or_else(|| {
            let known = ProfilePlace::all(places);
            let known = known.iter().map(|place| place.name.as_str());
            let hint = match nearest(name, known) {
                Some(near) => format!("did you mean `@{near}`?"),
                None => format!(
                    "`toolwire profile list` lists those that are found here, and `toolwire profile create {name}` \
                     makes one"
                ),
            };
            let message = format!("there is no profile `{name}`; {hint}");
            SourceError::new(SourceErrorKind::Unknown, message)
        })
    }

    /// All profiles that a name can mean here, by their names: one that another of its name hides is left out.
    ///
    /// ```no_run
    /// use toolwire_source::{Places, ProfilePlace};
    ///
    /// for place in ProfilePlace::all(&Places::default()) {
    ///     println!("{} in {}", place.name, place.folder.display());
    /// }
    /// ```
    #[must_use]
    pub fn all(places: &Places) -> Vec<ProfilePlace> {
        let mut all: BTreeMap<String, ProfilePlace> = BTreeMap::new();
        for folder in folders(places, &Surroundings::current()) {
            // A folder that can't be read has none that could be used.
            for item in fs::read_dir(&folder.folder).into_iter().flatten().flatten() {
                let Some(name) = item.file_name().to_str().map(str::to_owned) else {
                    continue;
                };
                let place = folder.place(&name);
                if place.is_there() && named(&name).is_ok() {
                    all.entry(name).or_insert(place);
                }
            }
        }
        all.into_values().collect()
    }

    /// Where a new profile of this name goes: the user's data folder, or the nearest project that has profiles; if
    /// there is none, the current folder becomes one.
    ///
    /// # Errors
    ///
    /// `BadWord` for what is no name, and if there is no data folder.
    ///
    /// ```no_run
    /// let place = toolwire_source::ProfilePlace::new("biomcp", true)?;
    /// assert!(place.folder.ends_with(".toolwire/profiles/mcp/biomcp"));
    /// # Ok::<(), toolwire_source::SourceError>(())
    /// ```
    pub fn new(name: &str, in_project: bool) -> Result<ProfilePlace> {
        let name = named(name)?;
        let surroundings = Surroundings::current();
        let scope = match in_project {
            true => Scope::Workspace,
            false => Scope::User,
        };
        let folders = folders(&Places::default(), &surroundings);
        let mut ours = folders
            .into_iter()
            .filter(|folder| folder.scope == scope && !folder.of_jn);
        let folder = match in_project {
            false => ours.next(),
            true => {
                let here = Some(surroundings.folder.join(IN_PROJECT));
                let here =
                    here.filter(|_| surroundings.home.as_ref() != Some(&surroundings.folder));
                let here = here.map(|folder| ProfilePlace {
                    name: String::new(),
                    folder,
                    scope,
                    of_jn: false,
                });
                ours.find(|folder| folder.folder.is_dir()).or(here)
            }
        };
        match folder {
            Some(folder) => {
                can_be_a_folder(&name, &folder.folder)?;
                Ok(folder.place(&name))
            }
            None => {
                let message = match in_project {
                    true => "the home folder is no project; leave `--project` out",
                    false => "there is no data folder: set `XDG_DATA_HOME`, or use `--project`",
                };
                Err(SourceError::new(SourceErrorKind::BadWord, message))
            }
        }
    }

    /// The profile of this name, where this is a folder in which profiles are looked for.
    fn place(&self, name: &str) -> ProfilePlace {
        ProfilePlace {
            name: name.to_owned(),
            folder: self.folder.join(name),
            ..*self
        }
    }

    fn is_there(&self) -> bool {
        self.folder.join(META).is_file()
    }

    /// Reads it. One of a project is used only if nobody else could have written it.
    ///
    /// # Errors
    ///
    /// `BadFile` for a mistake in it, `Untrusted`, and those of the system.
    pub fn read(&self) -> Result<StoredProfile> {
        read_files(&self.folder, self.scope)
    }

    /// Puts a profile where there is none: after a crash, all of it is there or nothing.
    ///
    /// # Errors
    ///
    /// `Ambiguous` if there is one; `BadFile` if it can't be files; those of the system.
    pub fn create(&self, profile: &Profile) -> Result<()> {
        let files = write_profile(profile, &BTreeMap::new()).map_err(|error| self.bad(&error))?;
        let folder = self.above();
        self.stays()?;
        fs::create_dir_all(folder).map_err(|error| self.failed("write", &error))?;
        let _held = self.lock()?;
        if self.is_there() {
            let message = format!(
                "there is a profile `{}` already, in `{}`; change it with `toolwire profile update`, or remove it first",
                self.name,
                self.folder.display()
            );
            return Err(SourceError::new(SourceErrorKind::Ambiguous, message));
        }
        let put = || -> io::Result<()> {
            let new = tempfile::Builder::new()
                .prefix(".new-")
                .tempdir_in(folder)?;
            for (name, text) in &files {
                store::write(&new.path().join(name), text)?;
            }
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                fs::set_permissions(new.path(), fs::Permissions::from_mode(0o755))?;
            }
            fs::rename(new.path(), &self.folder)?;
            // It has another name now, so that nothing is removed.
            drop(new);
            store::sync_folder(folder)
        };
        put().map_err(|error| self.failed("write", &error))
    }

    /// Replaces what was read by something else, file by file: those of tools before the one that says how the
    /// server is reached. What did not change keeps its text, comments and all.
    ///
    /// # Errors
    ///
    /// `Ambiguous` if somebody else has changed it meanwhile; `BadFile` if it can't be files; those of the system.
    pub fn replace(&self, before: &StoredProfile, profile: &Profile) -> Result<()> {
        let files = write_profile(profile, &before.files).map_err(|error| self.bad(&error))?;
        self.stays()?;
        let _held = self.lock()?;
        if self.read()?.files != before.files {
            let message = format!(
                "the profile `{}` was changed in the meantime; try again",
                self.name
            );
            return Err(SourceError::new(SourceErrorKind::Ambiguous, message));
        }
        let put = || -> io::Result<()> {
            let is_meta = |name: &&String| *name == META;
            let names = files.keys().filter(|name| !is_meta(name));
            for name in names.chain(files.keys().filter(is_meta)) {
                if before.files.get(name) != files.get(name) {
                    store::write(&self.folder.join(name), &files[name])?;
                }
            }
            for name in before.files.keys() {
                if !files.contains_key(name) {
                    fs::remove_file(self.folder.join(name))?;
                }
            }
            store::sync_folder(&self.folder)
        };
        put().map_err(|error| self.failed("write", &error))
    }

    /// Removes it: after a crash, all of it is there or nothing.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn remove(&self) -> Result<()> {
        self.stays()?;
        let _held = self.lock()?;
        let folder = self.above();
        let gone = || -> io::Result<()> {
            let away = tempfile::Builder::new()
                .prefix(".gone-")
                .tempdir_in(folder)?;
            fs::rename(&self.folder, away.path().join(&self.name))?;
            store::sync_folder(folder)?;
            away.close()
        };
        gone().map_err(|error| self.failed("remove", &error))
    }

    /// Refuses to write through a link that leads out of the project.
    fn stays(&self) -> Result<()> {
        let there = |path: &&Path| path.symlink_metadata().is_ok();
        let there = self.folder.ancestors().find(there);
        let project = project_of(&self.folder);
        let leaves = |path| manifest::leaves(project, path);
        match there.filter(|_| self.scope == Scope::Workspace).map(leaves) {
            Some(Ok(true)) => {
                let message = format!(
                    "`{}` is not written: a link leads out of its project; remove the link",
                    self.folder.display()
                );
                Err(SourceError::new(SourceErrorKind::Untrusted, message))
            }
            Some(Err(error)) => Err(self.failed("write", &error)),
            _ => Ok(()),
        }
    }

    fn above(&self) -> &Path {
        self.folder.parent().unwrap_or(&self.folder)
    }

    fn lock(&self) -> Result<store::Lock> {
        store::lock(&self.folder).map_err(|error| self.failed("write", &error))
    }

    fn failed(&self, what: &str, error: &io::Error) -> SourceError {
        let message = format!("cannot {what} `{}`: {error}", self.folder.display());
        SourceError::new(SourceErrorKind::System, message)
    }

    fn bad(&self, error: &toolwire::Error) -> SourceError {
        let message = format!(
            "the profile `{}`: {}: {}",
            self.name,
            error.pointer(),
            error.message()
        );
        SourceError::new(SourceErrorKind::BadFile, message)
    }
}

/// Refuses a name that no folder can have on some system, or that some can't tell from another one there.
fn can_be_a_folder(name: &str, folder: &Path) -> Result<()> {
    let bad = |why: String| {
        let message = format!("`{name}` is no name for a new profile: {why}");
        Err(SourceError::new(SourceErrorKind::BadWord, message))
    };
    if is_device(name) || name.ends_with('.') {
        return bad("Windows has no folder of that name".to_owned());
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let other = entry.file_name();
        let other = other.to_string_lossy();
        if other != name && other.eq_ignore_ascii_case(name) {
            return bad(format!("there is `@{other}`, which differs only in case"));
        }
    }
    Ok(())
}

/// The name of a profile, which may be written with `@`, and names nothing else.
fn named(name: &str) -> Result<String> {
    let bare = name.strip_prefix('@').unwrap_or(name);
    let bad = |why: &str| {
        let message = format!("`{name}` is no name of a profile: {why}");
        SourceError::new(SourceErrorKind::BadWord, message)
    };
    let word = parse_profile_word(&format!("@{bare}")).map_err(|error| bad(error.message()))?;
    match (word.request, word.profile.starts_with('.')) {
        (Some(_), _) => Err(bad("it asks for something; give the name alone")),
        (None, true) => Err(bad("it begins with a point")),
        (None, false) => Ok(word.profile),
    }
}

/// The folders in which profiles are looked for: those of projects, the nearest first, the user's, and JN's.
fn folders(places: &Places, surroundings: &Surroundings) -> Vec<ProfilePlace> {
    let is_home = |folder: &&Path| Some(*folder) != surroundings.home.as_deref();
    let projects = surroundings.folder.ancestors().filter(is_home);
    let projects = projects.map(|folder| (folder.join(IN_PROJECT), Scope::Workspace, false));
    let user = data_folder(surroundings);
    let user = user.map(|folder| (folder.join("toolwire/profiles/mcp"), Scope::User, false));
    let jn = jn_home(places, surroundings);
    let jn = jn.map(|folder| (folder.join(IN_JN), Scope::User, true));
    let all = projects.chain(user).chain(jn);
    let place = |(folder, scope, of_jn)| ProfilePlace {
        name: String::new(),
        folder,
        scope,
        of_jn,
    };
    all.map(place).collect()
}

/// Where JN keeps what it knows.
fn jn_home(places: &Places, surroundings: &Surroundings) -> Option<PathBuf> {
    if let Some(named) = &places.jn_home {
        return Some(surroundings.folder.join(named));
    }
    let set = surroundings.variables.get("JN_HOME").map(PathBuf::from);
    let set = set.filter(|folder| folder.is_absolute());
    set.or_else(|| Some(surroundings.home.as_ref()?.join(".local/jn")))
}

/// Where programs keep the user's data.
fn data_folder(surroundings: &Surroundings) -> Option<PathBuf> {
    let (variable, usual) = match surroundings.system {
        System::Windows => ("APPDATA", "AppData/Roaming"),
        _ => ("XDG_DATA_HOME", ".local/share"),
    };
    let set = surroundings.variables.get(variable).map(PathBuf::from);
    let set = set.filter(|folder| folder.is_absolute());
    set.or_else(|| Some(surroundings.home.as_ref()?.join(usual)))
}

/// The project in which the folder of a profile lies: `.toolwire/profiles/mcp/NAME` below it.
pub(crate) fn project_of(folder: &Path) -> &Path {
    folder.ancestors().nth(4).unwrap_or(folder)
}

/// Reads the files of a profile. One of a project is used only if nobody else could have written it.
pub(crate) fn read_files(folder: &Path, scope: Scope) -> Result<StoredProfile> {
    let failed = |path: &Path, error: &dyn std::fmt::Display| {
        let message = format!("cannot read `{}`: {error}", path.display());
        SourceError::new(SourceErrorKind::System, message)
    };
    let mut files = BTreeMap::new();
    for item in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
        let path = item.map_err(|error| failed(folder, &error))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(name) = name.filter(|name| name.ends_with(".json")) else {
            continue;
        };
        // What is no regular file could be waited for without an end.
        if !path.is_file() {
            continue;
        }
        let file = File::open(&path).map_err(|error| failed(&path, &error))?;
        if scope == Scope::Workspace {
            let why = || -> io::Result<Option<String>> {
                let leaves = manifest::leaves(project_of(folder), &path)?;
                let link = leaves.then(|| "it is a link out of its project".to_owned());
                Ok(manifest::others(&path, &file)?.or(link))
            };
            if let Some(why) = why().map_err(|error| failed(&path, &error))? {
                let message = format!("`{}` is not used: {why}", path.display());
                return Err(SourceError::new(SourceErrorKind::Untrusted, message));
            }
        }
        let text = store::read_regular(file, MAX_BYTES)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
            .map_err(|error| failed(&path, &error))?;
        files.insert(name.to_owned(), text);
    }
    let profile = read_profile_files(&files).map_err(|error| {
        let message = format!(
            "{}: {}: {}",
            folder.display(),
            error.pointer(),
            error.message()
        );
        SourceError::new(SourceErrorKind::BadFile, message)
    })?;
    Ok(StoredProfile { profile, files })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_where_the_system_keeps_data() {
        let mut surroundings = Surroundings::current();
        surroundings.home = Some("/home/me".into());
        surroundings.folder = "/project/deep".into();
        let mut found = |system, variables: &[(&str, &str)]| -> Vec<String> {
            surroundings.system = system;
            let set = variables
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()));
            surroundings.variables = set.collect();
            let all = folders(&Places::default(), &surroundings);
            all.iter()
                .map(|one| one.folder.display().to_string())
                .collect()
        };
        let projects =
            ["/project/deep", "/project", "/"].map(|folder| Path::new(folder).join(IN_PROJECT));
        let usual = found(System::Linux, &[]);
        assert_eq!(
            usual[..3],
            projects.map(|folder| folder.display().to_string())
        );
        let mcp = |folder: &str| format!("{folder}/toolwire/profiles/mcp");
        assert_eq!(usual[3], mcp("/home/me/.local/share"));
        assert_eq!(usual[4], "/home/me/.local/jn/profiles/mcp");
        let both = [
            ("XDG_DATA_HOME", "/data"),
            ("APPDATA", "/roaming"),
            ("JN_HOME", "/jn"),
        ];
        for (system, variables, user, jn) in [
            (System::Linux, &both[..], "/data", "/jn"),
            (System::MacOs, &both, "/data", "/jn"),
            (System::Windows, &both, "/roaming", "/jn"),
            (
                System::Windows,
                &[],
                "/home/me/AppData/Roaming",
                "/home/me/.local/jn",
            ),
            (
                System::Linux,
                &[("XDG_DATA_HOME", "data"), ("JN_HOME", "jn")],
                "/home/me/.local/share",
                "/home/me/.local/jn",
            ),
        ] {
            let found = found(system, variables);
            assert_eq!(found[3..], [mcp(user), format!("{jn}/profiles/mcp")]);
        }
    }
}
