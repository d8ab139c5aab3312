//! Sources by their names, and the tools of those of which they are known without starting anything.

use toolwire_contract::lock::Lock;
use toolwire_host::clients::{self, Surroundings};
use toolwire_source::{LockFile, Places, ProfilePlace};

use super::candidates::Candidates;
use super::tool;
use crate::args::{LockArg, ManifestArg, ServerArgs};
use crate::baseline::usual;

/// What a word can begin with that names a source.
pub fn begins(manifest: &ManifestArg, current: &str, to: &mut Candidates) {
    tool::named(manifest, to);
    servers(current, to);
    to.files("");
}

/// The profiles that there are.
pub fn profiles(before: &str, to: &mut Candidates) {
    for place in ProfilePlace::all(&Places::default()) {
        to.name("", &format!("{before}{}", place.name), "", "");
    }
}

/// The profiles, and the servers that files of clients name; behind a `/`, the tools of a profile.
pub fn servers(current: &str, to: &mut Candidates) {
    match current.split_once('/').filter(|_| current.starts_with('@')) {
        Some((profile, _)) => {
            for (name, _, about) in of_profile(profile) {
                to.name("", &format!("{profile}/{name}"), "", &about);
            }
        }
        None => waiting("", to),
    }
}

/// What may have to be agreed to, behind a part of the word that stays: profiles, and the servers that files of
/// clients name. A name that several of them have may be refused alone.
pub fn waiting(behind: &str, to: &mut Candidates) {
    profiles(&format!("{behind}@"), to);
    let all = clients::list(&Surroundings::current());
    for (index, (client, name)) in all.iter().enumerate() {
        if !all[..index].iter().any(|(_, earlier)| earlier == name) {
            to.name(behind, name, "", "");
        }
        let mut others = all.iter().filter(|(other, _)| other != client);
        if others.any(|(_, other)| other == name) {
            to.name(behind, &format!("{client}:{name}"), "", "");
        }
    }
}

/// The tools of a source: those that are known without it, or those of a program that may be asked.
pub fn tools(word: &str, server: &ServerArgs, to: &mut Candidates) {
    tools_of_server(word, server, to);
    if to.is_empty() {
        tool::of_program(word.as_ref(), &server.source, &server.process, "", to);
    }
}

/// The tools that a profile describes or the lock has.
pub fn tools_of_server(word: &str, server: &ServerArgs, to: &mut Candidates) {
    if word.starts_with('@') {
        for (_, name, about) in of_profile(word) {
            to.name("", &name, "", &about);
        }
        return;
    }
    let lock = usual(&server.source.manifest).ok();
    let lock = lock.and_then(|file| read(&file)).unwrap_or_default();
    for name in lock
        .sources
        .get(word)
        .into_iter()
        .flat_map(|source| source.tools.keys())
    {
        to.name("", name, "", "");
    }
}

/// The tools that a profile describes: their names in it and those of the server, and what they do.
fn of_profile(word: &str) -> Vec<(String, String, String)> {
    let place = ProfilePlace::find(word, &Places::default());
    let Ok(stored) = place.and_then(|place| place.read()) else {
        return Vec::new();
    };
    let tools = stored.profile.tools().iter().map(|tool| {
        let about = tool.description().unwrap_or_default();
        (tool.name().to_owned(), tool.tool().to_owned(), about)
    });
    tools.collect()
}

/// What is locked.
pub fn locked(place: &LockArg, manifest: &ManifestArg, to: &mut Candidates) {
    let named = place.lock.as_deref().map(LockFile::new);
    let file = named.or_else(|| usual(manifest).ok());
    let lock = file.and_then(|file| read(&file)).unwrap_or_default();
    for name in lock.sources.keys() {
        to.name("", name, "", "what is locked");
    }
}

/// The entries of a lock, once its file is named and a `#` stands behind.
pub fn entries(current: &str, to: &mut Candidates) {
    let Some((file, _)) = current.split_once('#') else {
        return;
    };
    let lock = read(&LockFile::new(file)).unwrap_or_default();
    for name in lock.sources.keys() {
        to.value(&format!("{file}#"), name, "");
    }
}

/// What a lock says that can be used.
fn read(file: &LockFile) -> Option<Lock> {
    Some(file.read().ok()??.lock)
}
