//! Reading profiles, tables of a manifest and entries of clients' files.

use std::collections::BTreeMap;

use toolwire::json::{Document, Kind, ObjectWriter, array, pointer};
use toolwire::mcp::{Fate, LossReport};
use toolwire::{Code, Error, Json};

use super::{Client, ConvertOptions, Entry, Spelled, Variables, written};
use crate::profile::{LAUNCHER, read_profile};

/// Reads the members of an entry in a client's file.
pub(super) fn entry(
    input: &str,
    client: Option<Client>,
    options: &ConvertOptions,
) -> Result<(Entry, LossReport), Error> {
    let variables = client.map_or(Variables::Default, Client::variables);
    let spelled = Spelled::read(&Json::new(input)?, client)?;
    Ok(spelled.carry(options.name.as_deref(), variables))
}

/// Reads a profile that is one document.
pub(super) fn profile(input: &str, options: &ConvertOptions) -> Result<(Entry, LossReport), Error> {
    let profile = read_profile(input)?;
    let spelled = Spelled::read(&profile.launcher(), None)?;
    let name = options.name.clone().or_else(|| profile.server());
    let (entry, mut report) = spelled.carry(name.as_deref(), Variables::Default);
    let members: BTreeMap<String, Json> = profile.to_json().to_value()?;
    for name in members.keys() {
        let place = pointer::join("", name);
        match name.as_str() {
            name if name == "launcher" || LAUNCHER.contains(&name) => {}
            "server" => report.add(place, Fate::Kept, ""),
            "tools" => {
                let reason = "what is known of its tools stays in the profile";
                report.add(place, Fate::Dropped, reason);
            }
            _ => report.add(place, Fate::Dropped, "only a profile has it"),
        }
    }
    Ok((entry, report.finished()))
}

/// Reads the members of a table `[servers.NAME]`, given as a JSON object.
pub(super) fn manifest(
    input: &str,
    options: &ConvertOptions,
) -> Result<(Entry, LossReport), Error> {
    let document = Document::new(input)?;
    let mut out = ObjectWriter::new();
    for (member, value) in document.root().members() {
        match (member.as_ref(), value.kind()) {
            ("command", Kind::Array) => {
                let mut words = value.elements().map(|word| word.raw());
                out.json("command", words.next().unwrap_or("\"\""));
                out.json("args", array(words));
            }
            ("inherit", Kind::Array) => {
                let names = value.elements().filter(|name| !name.is_str("standard"));
                out.json("env_vars", array(names.map(|name| name.raw())));
            }
            ("args" | "env_vars", _) => {
                let place = pointer::join("", &member);
                let message = format!(
                    "there is no key `{member}`; a manifest has the program and its arguments in `command`, and \
                     names of variables in `inherit`"
                );
                return Err(Error::new(Code::BadServerEntry, place, None, message));
            }
            _ => {
                out.json(&member, value.raw());
            }
        }
    }
    match document.root().kind() {
        Kind::Object => entry(written(out.end()).as_str(), None, options),
        _ => entry(input, None, options),
    }
}
