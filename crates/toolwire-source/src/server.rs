//! The server that a word means, without any secret, as it is converted.

use std::ffi::OsStr;
use std::path::Path;

use toolwire::json::{ObjectWriter, array, string};
use toolwire::mcp::LossReport;
use toolwire_contract::convert::{ConvertOptions, Entry, Form as Written, read_server};
use toolwire_contract::profile::read_profile;
use toolwire_host::clients::{self, ClientErrorKind, Surroundings, read_text};

use crate::find::{Meaning, meaning};
use crate::profiles::ProfilePlace;
use crate::{Places, SourceError, SourceErrorKind};

type Result<T> = std::result::Result<T, SourceError>;

/// The server that a word means, with names in the place of all secrets, and what of it could not be said so
///. Nothing is started. `name` is what it is called; without it, as where it stands.
///
/// # Errors
///
/// Those of [`crate::resolve`]; `BadFile` for a file that has no such server, or one that can't be meant like that;
/// `Unsupported` for a tool of a manifest, which is no server.
///
/// ```
/// use toolwire_source::{Places, read_word};
///
/// let (server, report) = read_word("mcp+uvx://mcp-server-time".as_ref(), None, &Places::default())?;
/// assert_eq!(server.words().unwrap(), ["uvx", "mcp-server-time"]);
/// assert!(report.is_lossless());
/// # Ok::<(), toolwire_source::SourceError>(())
/// ```
pub fn read_word(word: &OsStr, name: Option<&str>, places: &Places) -> Result<(Entry, LossReport)> {
    let surroundings = Surroundings::current();
    let options = |usual: Option<&str>| ConvertOptions {
        name: name.or(usual).map(str::to_owned),
        folder: Some(surroundings.folder.to_string_lossy().into_owned()),
    };
    let Some(text) = word.to_str() else {
        let message = format!(
            "`{}` is no text, so it can't be written anywhere",
            word.display()
        );
        return Err(SourceError::new(SourceErrorKind::BadWord, message));
    };
    if let Some((file, server)) = of_file(text) {
        return read_file(file, server, name, &surroundings, &options(None));
    }
    match meaning(text, places)? {
        Meaning::Url => {
            let members = ObjectWriter::new().text("url", text).end();
            read(&members, Written::McpServers, &options(None), None)
        }
        Meaning::Launch => read(text, Written::LaunchUri, &options(None), None),
        Meaning::Profile => {
            let place = ProfilePlace::find(text, places)?;
            let profile = place.read()?.profile;
            let called = options(Some(&place.name));
            let place = place.folder.display().to_string();
            let json = profile.to_json();
            read(json.as_str(), Written::Profile, &called, Some(&place))
        }
        Meaning::Path => {
            let path = std::path::absolute(text).unwrap_or_else(|_| text.into());
            read_command(&[path.to_string_lossy().into_owned()], name)
        }
        Meaning::Manifest(manifest, server) if manifest.tools.contains_key(server) => {
            let message = format!("`{server}` is a tool of a manifest and no MCP server");
            Err(SourceError::new(SourceErrorKind::Unsupported, message))
        }
        Meaning::Manifest(manifest, server) => {
            let (file, options) = (&manifest.path, options(None));
            read_file(file, Some(server), name, &surroundings, &options)
        }
        Meaning::Entry(entry, _) => {
            let written = entry.written();
            let (called, place) = (options(Some(&written.name)), entry.place());
            read(&written.members, written.form, &called, Some(&place))
        }
    }
}

/// The server that a command starts, as [`read_word`] gives it; the program of a path is made absolute.
///
/// # Errors
///
/// `BadFile` if it has no words.
///
/// ```
/// let words = ["npx".to_owned(), "-y".to_owned(), "my-server".to_owned()];
/// let (server, _) = toolwire_source::read_command(&words, Some("mine"))?;
/// assert_eq!(server.name.as_deref(), Some("mine"));
/// # Ok::<(), toolwire_source::SourceError>(())
/// ```
pub fn read_command(words: &[String], name: Option<&str>) -> Result<(Entry, LossReport)> {
    let program = words.first().map(String::as_str).unwrap_or_default();
    let is_path = program.chars().any(std::path::is_separator);
    let absolute = std::path::absolute(program).ok().filter(|_| is_path);
    let absolute = absolute.map(|path| path.to_string_lossy().into_owned());
    let arguments = words.iter().skip(1).map(|word| string(word));
    let members = ObjectWriter::new()
        .text("command", absolute.as_deref().unwrap_or(program))
        .json("args", array(arguments))
        .end();
    let options = ConvertOptions {
        name: name.map(str::to_owned),
        folder: None,
    };
    // What was typed has no variables.
    read(
        &members,
        Written::Client(clients::Client::Claude),
        &options,
        None,
    )
}

/// The file and the server in it that `FILE#NAME` or `FILE` names, if it is one.
fn of_file(word: &str) -> Option<(&Path, Option<&str>)> {
    let is_file = |path: &str| {
        let path = Path::new(path);
        let kind = path.extension().and_then(OsStr::to_str);
        matches!(kind, Some("json" | "jsonc" | "toml")) && path.is_file()
    };
    if is_file(word) {
        return Some((Path::new(word), None));
    }
    let (file, name) = word.rsplit_once('#')?;
    (is_file(file) && !name.is_empty()).then_some((Path::new(file), Some(name)))
}

/// A server of a client's file, of a manifest, or of a profile that is one document.
fn read_file(
    file: &Path,
    server: Option<&str>,
    name: Option<&str>,
    surroundings: &Surroundings,
    options: &ConvertOptions,
) -> Result<(Entry, LossReport)> {
    let place = file.display().to_string();
    let written = match clients::read_written(file, server, surroundings) {
        Ok(written) => written,
        Err(error) => {
            let text = match (server, error.kind()) {
                (None, ClientErrorKind::BadFile) => read_text(file, surroundings.max_bytes).ok(),
                _ => None,
            };
            return match text.filter(|text| read_profile(&text.text).is_ok()) {
                Some(text) => read(&text.text, Written::Profile, options, Some(&place)),
                None => Err(error.into()),
            };
        }
    };
    let options = ConvertOptions {
        name: Some(name.unwrap_or(&written.name).to_owned()),
        ..options.clone()
    };
    read(&written.members, written.form, &options, Some(&place))
}

fn read(
    text: &str,
    form: Written,
    options: &ConvertOptions,
    place: Option<&str>,
) -> Result<(Entry, LossReport)> {
    read_server(text, form, options).map_err(|error| match place {
        None => SourceError::new(SourceErrorKind::BadWord, error.message().to_owned()),
        Some(place) => {
            let message = format!("{place}: {}: {}", error.pointer(), error.message());
            SourceError::new(SourceErrorKind::BadFile, message.replace(": : ", ": "))
        }
    })
}
