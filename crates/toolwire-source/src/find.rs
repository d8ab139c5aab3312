//! From a word to a source.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use toolwire_host::clients::{self, Entry, Scope, Surroundings, Target};
use toolwire_host::manifest::{self, Manifest, ManifestServer, ManifestTool};
use toolwire_host::{Command, Environment};

use crate::launch;
use crate::launcher::is_launcher;
use crate::pending::quoted;
use crate::profile;
use crate::source::{Origin, Program, UsedProfile};
use crate::word::{CLIENTS, Form, MANIFEST};
use crate::{
    Folder, Pending, Places, Reached, Source, SourceError, SourceErrorKind, launcher_variables,
};

type Result<T> = std::result::Result<T, SourceError>;

/// The source of a command that was typed.
///
/// ```
/// use toolwire_host::Command;
///
/// let source = toolwire_source::command(Command::new("npx").args(["-y", "@scope/files"]));
/// assert_eq!(source.label, "@scope/files");
/// ```
#[must_use]
pub fn command(command: Command) -> Source {
    Source::program(command, Origin::Command)
}

/// The source of a tool of a manifest.
///
/// ```
/// use toolwire_host::manifest::Manifest;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("toolwire.toml");
/// # std::fs::write(&path, "[tools.today]\ncommand = 'date'\nplain = true\n")?;
/// let manifest = Manifest::read(&path)?;
/// let source = toolwire_source::tool(manifest.tool("today")?);
/// assert_eq!(source.kind(None), toolwire_source::Kind::Tool);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn tool(tool: &ManifestTool) -> Source {
    let reached = Reached::Tool(Box::new(tool.clone()));
    Source {
        in_manifest: true,
        ..Source::new(tool.name.clone(), reached)
    }
}

/// The source that a word means.
///
/// # Errors
///
/// `Unknown` and `Ambiguous` for a name that is nowhere, or in several places; `BadWord` for a word that can't be
/// meant like that; and those of a manifest or a client's file that can't be used.
///
/// ```
/// use toolwire_source::{Places, SourceErrorKind, resolve};
///
/// let error = resolve("localhost:8080".as_ref(), &Places::default()).unwrap_err();
/// assert_eq!(error.kind(), SourceErrorKind::BadWord);
/// assert!(error.to_string().ends_with("write `http://localhost:8080/mcp`"));
/// ```
pub fn resolve(word: &OsStr, places: &Places) -> Result<Source> {
    if places.manifest.is_some() && places.config.is_some() {
        let message = "name a manifest or the file of a client, not both";
        return Err(SourceError::new(SourceErrorKind::BadWord, message));
    }
    let Some(text) = word.to_str() else {
        // Only a path can be no text.
        return Ok(Source::program(Command::new(word), Origin::Path));
    };
    Ok(Source {
        word: Some(text.to_owned()),
        ..read(text, places)?
    })
}

fn read(text: &str, places: &Places) -> Result<Source> {
    match meaning(text, places)? {
        Meaning::Url => Ok(Source::url(text)),
        Meaning::Launch => launch::source(text, &Surroundings::current().folder),
        Meaning::Profile => of_profile(text, places),
        Meaning::Path => Ok(Source::program(Command::new(text), Origin::Path)),
        Meaning::Manifest(manifest, name) => {
            in_manifest(&manifest, name)?.ok_or_else(|| no_tool(name, Some(&manifest), places))
        }
        Meaning::Entry(entry, word) => of_entry(&entry, &word, false),
    }
}

/// What a word means, before it is known how it is reached.
pub(crate) enum Meaning<'w> {
    Url,
    Launch,
    Profile,
    Path,
    /// A name in a manifest, if that has it.
    Manifest(Box<Manifest>, &'w str),
    /// A server of a client's file, and the word that finds it again.
    Entry(Box<Entry>, String),
}

pub(crate) fn meaning<'w>(text: &'w str, places: &Places) -> Result<Meaning<'w>> {
    Ok(match Form::of(text) {
        Form::Url => Meaning::Url,
        Form::Launch => Meaning::Launch,
        Form::Profile => Meaning::Profile,
        Form::Path => Meaning::Path,
        Form::Manifest(name) => {
            let manifest = found_manifest(places)?.ok_or_else(|| no_tool(name, None, places))?;
            Meaning::Manifest(Box::new(manifest), name)
        }
        Form::Clients(name) => Meaning::Entry(Box::new(find_entry(name, places)?), text.to_owned()),
        Form::Name => return name(text, places),
        Form::Almost(url) => {
            let message = format!("`{text}` is no URL of a server; write {url}");
            return Err(SourceError::new(SourceErrorKind::BadWord, message));
        }
    })
}

/// Whether a word is the path of a program, which needs nothing to be looked up.
///
/// ```
/// use toolwire_source::is_path;
///
/// assert!(is_path("./tool.py".as_ref()));
/// assert!(!is_path("https://example.org/mcp".as_ref()));
/// ```
#[must_use]
pub fn is_path(word: &OsStr) -> bool {
    word.to_str()
        .is_none_or(|word| Form::of(word) == Form::Path)
}

/// How a source is reached that a lock in the folder `base` has under a name; nothing if there is none any
/// more. The names of the manifest are those of `manifest`.
///
/// # Errors
///
/// `Unknown` for a name of the manifest where there is none; those of [`resolve`] otherwise, but `Unknown`.
///
/// A program or URL that only the lock names is one that nobody typed, so somebody has to agree to it.
///
/// ```
/// use std::path::Path;
/// use toolwire_source::{Places, locked};
///
/// let source = locked("mcp+npx://clock", Path::new("/project"), None, &Places::default())?;
/// assert!(source.is_some());
/// let source = locked("./no-such-tool.py", Path::new("/project"), None, &Places::default())?;
/// assert!(source.is_none());
/// # Ok::<(), toolwire_source::SourceError>(())
/// ```
pub fn locked(
    name: &str,
    base: &Path,
    manifest: Option<&Manifest>,
    places: &Places,
) -> Result<Option<Source>> {
    match Form::of(name) {
        Form::Name | Form::Almost(_) => {
            // Without a manifest nothing is known of its names, not even that they are gone.
            let manifest = manifest.ok_or_else(|| {
                let message = format!(
                    "`{name}` was locked as a name of a manifest, and there is none; name it with `--manifest`"
                );
                SourceError::new(SourceErrorKind::Unknown, message)
            })?;
            in_manifest(manifest, name)
        }
        Form::Path => {
            let path: PathBuf = base.join(name).components().collect();
            let source = |path| Source::program(Command::new(path), Origin::Command);
            Ok(path.exists().then(|| source(path).named_by(name)))
        }
        _ => match resolve(name.as_ref(), places) {
            Ok(source) => {
                // What is relative is so to the folder of the lock.
                source.lock_name(base)?;
                Ok(Some(source.named_by(name)))
            }
            Err(error) if error.kind() == SourceErrorKind::Unknown => Ok(None),
            Err(error) => Err(error),
        },
    }
}

/// A word that is nothing but a name.
fn name<'w>(name: &'w str, places: &Places) -> Result<Meaning<'w>> {
    if name.contains('=') {
        let message = format!("`{name}` is an argument; name the program or the server before it");
        return Err(SourceError::new(SourceErrorKind::BadWord, message));
    }
    let manifest = match places.config {
        Some(_) => None,
        None => found_manifest(places)?,
    };
    let of_client = |entry| Meaning::Entry(Box::new(entry), format!("{CLIENTS}{name}"));
    let Some(manifest) = manifest else {
        return match find_entry(name, places) {
            Ok(entry) => Ok(of_client(entry)),
            Err(error) if error.kind() == SourceErrorKind::Unknown && places.config.is_none() => {
                Err(nowhere(name, None, &error, places))
            }
            Err(error) => Err(error),
        };
    };
    let is_tool = manifest.tools.contains_key(name).then_some("tool");
    let is_server = || manifest.servers.contains_key(name).then_some("server");
    let what = is_tool.or_else(is_server);
    if places.manifest.is_some() {
        return Ok(Meaning::Manifest(Box::new(manifest), name));
    }
    match (what, find_entry(name, places)) {
        (Some(_), Ok(entry)) => {
            let message = format!(
                "`{name}` stands in several places; write `{MANIFEST}{name}` ({}) or `{CLIENTS}{name}` ({})",
                manifest.path.display(),
                entry.place()
            );
            Err(SourceError::new(SourceErrorKind::Ambiguous, message))
        }
        (Some(what), Err(error)) if error.kind() == SourceErrorKind::Ambiguous => Err(error.with(
            format!("the manifest has a {what} of that name too: write `{MANIFEST}{name}` for it"),
        )),
        // What is wrong with an entry of that name is no matter to who means that of the manifest.
        (Some(_), Err(_)) => Ok(Meaning::Manifest(Box::new(manifest), name)),
        (None, Ok(entry)) => Ok(of_client(entry)),
        (None, Err(error)) if error.kind() != SourceErrorKind::Unknown => Err(error),
        (None, Err(error)) => Err(nowhere(name, Some(&manifest), &error, places)),
    }
}

/// The manifest that was named, or the nearest one, if there is one.
pub(crate) fn found_manifest(places: &Places) -> Result<Option<Manifest>> {
    Ok(match &places.manifest {
        Some(path) => Some(Manifest::read(path)?),
        None => Manifest::find()?,
    })
}

pub(crate) fn find_entry(name: &str, places: &Places) -> Result<Entry> {
    let surroundings = Surroundings::current();
    Ok(match &places.config {
        Some(file) => clients::read_file(file, Some(name), &surroundings)?,
        None => clients::find(name, &surroundings)?.entry,
    })
}

/// What a name stands for in a manifest. Who trusts that has agreed to the commands in it.
fn in_manifest(manifest: &Manifest, name: &str) -> Result<Option<Source>> {
    match (manifest.tools.get(name), manifest.servers.get(name)) {
        (Some(named), _) => Ok(Some(tool(named))),
        (None, Some(server)) => of_manifest_server(manifest, server).map(Some),
        (None, None) => Ok(None),
    }
}

/// A server of a manifest.
fn of_manifest_server(manifest: &Manifest, server: &ManifestServer) -> Result<Source> {
    let (path, folder) = (&manifest.path, manifest.folder());
    let text = server.launcher.as_str();
    let entry = clients::read_entry(&server.name, text, path, Scope::Workspace, folder)?;
    let word = format!("{MANIFEST}{}", server.name);
    let mut source = of_entry(&entry, &word, !server.names_folder)?;
    source.consent = None;
    source.in_manifest = true;
    if let (Reached::Program(program), Some(_)) = (&mut source.reached, &server.inherit) {
        program.inherits = server.inherit.clone();
    }
    Ok(source)
}

/// A profile, and what its word asks for.
fn of_profile(word: &str, places: &Places) -> Result<Source> {
    let found = profile::find(word, places, &Surroundings::current())?;
    let name = format!("@{}", found.entry.name);
    let mut source = of_entry(&found.entry, &name, !found.names_folder)?;
    if let Reached::Program(program) = &mut source.reached {
        launch::interpret(&mut program.command);
    }
    if let (Some(home), Some(pending)) = (&places.jn_home, &mut source.consent)
        && found.of_jn
    {
        let home = quoted([&home.display().to_string()]);
        pending.word.push_str(&format!(" --jn-home {home}"));
    }
    source.request = found.request;
    source.profile = Some(UsedProfile {
        name: found.entry.name,
        profile: found.profile,
    });
    Ok(source)
}

/// A server of a client's file, or of one like it; `word` finds it again. A launcher starts in an empty folder if
/// `apart` says so.
fn of_entry(entry: &Entry, word: &str, apart: bool) -> Result<Source> {
    let resolved = entry.resolve(&Surroundings::current())?;
    let word = match entry.scope {
        Some(_) => quoted([&word.to_owned()]),
        // The file was named.
        None => {
            let path = entry.path.display().to_string();
            format!("{} --config {}", quoted([&entry.name]), quoted([&path]))
        }
    };
    let folder = match &resolved.target {
        Target::Program { command, .. } if apart && is_launcher(&Command::new(command)) => {
            Folder::Empty
        }
        Target::Program { cwd: Some(cwd), .. } => Folder::Named(cwd.clone()),
        _ => Folder::Current,
    };
    let consent = Pending::of_entry(entry, &resolved, &folder, word);
    let reached = match resolved.target {
        Target::Program {
            command,
            arguments,
            env,
            ..
        } => {
            // The program that a person was shown is the one in the folder that they were shown.
            let is_path = command.contains(std::path::is_separator);
            let command = match &folder {
                Folder::Named(folder) if is_path => folder.join(command).into_os_string(),
                _ => command.into(),
            };
            let command = Command::new(command).args(arguments);
            let named = env.keys().cloned().collect();
            let written = match &entry.target {
                Target::Program {
                    command, arguments, ..
                } => Some([std::slice::from_ref(command), &arguments[..]].concat()),
                Target::Url { .. } => None,
            };
            let mut all = launcher_variables(&command);
            all.extend(env);
            Reached::Program(Box::new(Program {
                command,
                env: all,
                named,
                written,
                inherits: Some(Environment::standard()),
                folder,
                names_folder: matches!(&entry.target, Target::Program { cwd: Some(_), .. }),
                origin: Origin::Entry,
            }))
        }
        Target::Url { sse: true, .. } => {
            let message = format!(
                "the server `{}` speaks the HTTP+SSE transport of 2024-11-05, which Toolwire does not; use the URL \
                 of its Streamable HTTP",
                entry.name
            );
            return Err(SourceError::new(SourceErrorKind::Unsupported, message));
        }
        Target::Url { url, headers, .. } => Reached::Http { url, headers },
    };
    Ok(Source {
        consent,
        legacy: resolved.legacy,
        context: resolved.context,
        ..Source::new(entry.name.clone(), reached)
    })
}

/// That the manifest does not have a tool.
fn no_tool(name: &str, manifest: Option<&Manifest>, places: &Places) -> SourceError {
    unknown(name, [missing(name, manifest)], places)
}

fn missing(name: &str, manifest: Option<&Manifest>) -> String {
    match manifest {
        Some(manifest) => {
            let names = manifest.tools.keys().chain(manifest.servers.keys());
            let names: Vec<&str> = names.map(String::as_str).collect();
            let what = if manifest.servers.is_empty() {
                "tool"
            } else {
                "tool or server"
            };
            let message = manifest::unknown(what, name, &names);
            format!("{}: {message}", manifest.path.display())
        }
        None => format!(
            "there is no tool `{name}`: neither this folder nor one above it has a `toolwire.toml`"
        ),
    }
}

/// That nothing has a name.
fn nowhere(
    name: &str,
    manifest: Option<&Manifest>,
    entry: &SourceError,
    places: &Places,
) -> SourceError {
    unknown(name, [missing(name, manifest), entry.to_string()], places)
}

/// That a name is unknown. A file or a program of that name is most likely what was meant.
fn unknown<const N: usize>(name: &str, reasons: [String; N], places: &Places) -> SourceError {
    let error = |message: String| SourceError::new(SourceErrorKind::Unknown, message);
    if Path::new(name).is_file() {
        let how = match &places.verb {
            Some(verb) => format!("run `{verb} ./{name}`"),
            None => format!("write `./{name}`"),
        };
        return error(format!(
            "no tool or server is named `{name}`; for the file in this folder, {how}"
        ));
    }
    let mut lines = reasons.into_iter().chain(as_program(name, places));
    let first = error(lines.next().unwrap_or_default());
    lines.fold(first, SourceError::with)
}

/// The commands that take no command behind `--`, since what they read is a word.
const TAKE_NO_COMMAND: [&str; 2] = ["toolwire check", "toolwire trust --server"];

/// How a program of that name is given, if there is one.
fn as_program(name: &str, places: &Places) -> Option<String> {
    which::which(name).ok()?;
    Some(match &places.verb {
        Some(verb) if TAKE_NO_COMMAND.contains(&&**verb) => {
            format!("for the program `{name}` on the PATH, run `{verb} mcp+exec://{name}`")
        }
        Some(verb) => {
            let verb = verb.trim_end_matches(" --from");
            format!("for the program `{name}` on the PATH, run `{verb} -- {name}`")
        }
        None => format!("for the program `{name}` on the PATH, give a list"),
    })
}
