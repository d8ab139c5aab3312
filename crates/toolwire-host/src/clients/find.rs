//! A server by its name, in the files of all clients.

use super::Result;
use super::entry::Entry;
use super::error::{ClientError, ClientErrorKind};
use super::file::ClientFile;
use super::places::{Place, Scope, Surroundings};
use super::write::read_open;
use crate::manifest::{leaves, others};
use crate::store;
use toolwire_contract::server::Client;

/// A server that was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found {
    /// What its file says of it.
    pub entry: Entry,
    /// Why other files were not looked at.
    pub notes: Vec<String>,
}

/// What the files of clients name.
#[derive(Debug)]
#[non_exhaustive]
pub struct Discovered {
    /// Every server, by file, in the order of the search.
    pub entries: Vec<Entry>,
    /// Why other files, or servers in them, can't be used.
    pub notes: Vec<String>,
}

/// The files that could be read, and why others could not.
struct Files {
    files: Vec<ClientFile>,
    notes: Vec<String>,
}

/// Finds the server with this name, or `CLIENT:NAME` in the files of one client, in the usual files of
/// all clients.
///
/// # Errors
///
/// `UnknownServer` if no file names it; `AmbiguousServer` if files name different servers so, with the
/// unambiguous forms; `BadFile` if what the file says of it can't be meant like that.
pub fn find(name: &str, surroundings: &Surroundings) -> Result<Found> {
    let Files { files, notes } = read_all(surroundings);
    let qualified = name.split_once(':');
    let qualified = qualified.and_then(|(client, name)| Some((client.parse().ok()?, name)));
    let exact = files.iter().any(|file| file.names().any(|one| one == name));
    let (client, name): (Option<Client>, &str) = match qualified {
        Some((client, rest)) if !exact => (Some(client), rest),
        _ => (None, name),
    };
    let files = files
        .iter()
        .filter(|file| client.is_none_or(|client| file.client == Some(client)));
    let having = files
        .clone()
        .filter(|file| file.names().any(|one| one == name));
    let mut entries: Vec<Entry> = Vec::new();
    for file in having {
        let entry = file.entry(name)?;
        // Files of the user come first: what they say as well needs no approval.
        if !entries.iter().any(|other| is_same(other, &entry)) {
            entries.push(entry);
        }
    }
    match entries.len() {
        1 => Ok(Found {
            entry: entries.remove(0),
            notes,
        }),
        0 => {
            let mut names: Vec<&str> = Vec::new();
            for other in files.flat_map(ClientFile::names) {
                // Files of several clients may name the same.
                if !names.contains(&other) {
                    names.push(other);
                }
            }
            let whose = client.map_or("an MCP client", Client::title);
            let mut message = match names.is_empty() {
                true => format!(
                    "there is no server `{name}`: no configuration file of {whose} that was found names \
                     any; give a URL, a command after `--`, or a file with `--config`"
                ),
                false => crate::manifest::unknown("server", name, &names),
            };
            for note in &notes {
                message.push_str(&format!(" ({note})"));
            }
            Err(ClientError::new(ClientErrorKind::UnknownServer, message))
        }
        _ => Err(ambiguous(name, &entries)),
    }
}

/// All servers that the usual files of all clients name, and what is wrong with the others. The same
/// server in several files is there as often.
#[must_use]
pub fn discover(surroundings: &Surroundings) -> Discovered {
    let Files { files, mut notes } = read_all(surroundings);
    let mut entries = Vec::new();
    for file in &files {
        for name in file.names() {
            match file.entry(name) {
                Ok(entry) => entries.push(entry),
                Err(error) => notes.push(error.to_string()),
            }
        }
    }
    Discovered { entries, notes }
}

/// All servers that the usual files name, for completion: by file, in the order of the search. What can't
/// be read is left out.
#[must_use]
pub fn list(surroundings: &Surroundings) -> Vec<(Client, String)> {
    let files = read_all(surroundings).files;
    let names = files.iter().flat_map(|file| {
        let client = file.client;
        file.names()
            .filter_map(move |name| Some((client?, name.to_owned())))
    });
    names.collect()
}

fn read_all(surroundings: &Surroundings) -> Files {
    let (mut files, mut notes) = (Vec::new(), Vec::new());
    for place in surroundings.files() {
        match read(&place, surroundings) {
            Ok(file) => files.push(file),
            Err(error) => notes.push(error.to_string()),
        }
    }
    Files { files, notes }
}

/// Reads a file that was found, if nobody else could have written it.
fn read(place: &Place, surroundings: &Surroundings) -> Result<ClientFile> {
    let path = &place.path;
    let failed = |error| ClientError::system("read", path, &error);
    let file = store::open_at_once(path).map_err(failed)?;
    if place.scope == Scope::Workspace
        && let Some(why) = others(path, &file).map_err(failed)?
    {
        let message = format!(
            "`{}` is not used: {why}; read it, and name it with `--config` if you trust it",
            path.display()
        );
        return Err(ClientError::new(ClientErrorKind::Untrusted, message));
    }
    if place.scope == Scope::Workspace && leaves(&place.folder, path).map_err(failed)? {
        let message = format!(
            "`{}` is not used: it is a link out of its workspace; name the file itself with `--config`",
            path.display()
        );
        return Err(ClientError::new(ClientErrorKind::Untrusted, message));
    }
    // What was judged is what is read.
    let text = read_open(path, file, surroundings.max_bytes)?;
    ClientFile::read(place, text, surroundings)
}

/// Whether both start or reach the same.
fn is_same(one: &Entry, other: &Entry) -> bool {
    one.target == other.target
}

fn ambiguous(name: &str, entries: &[Entry]) -> ClientError {
    let forms = entries.iter().map(|entry| {
        let of_client = entries.iter().filter(|other| other.client == entry.client);
        match entry.client {
            Some(client) if of_client.count() == 1 => {
                format!("`{client}:{name}` ({})", entry.place())
            }
            _ => {
                let path = entry.path.display().to_string();
                let path = shlex::try_quote(&path).map_or(path.clone(), |path| path.into_owned());
                format!("`--config {path} {name}`")
            }
        }
    });
    let message = format!(
        "`{name}` is not the same server everywhere; write {}",
        forms.collect::<Vec<_>>().join(" or ")
    );
    ClientError::new(ClientErrorKind::AmbiguousServer, message)
}
