//! Profiles (CONV-30).

use toolwire::json::{ObjectWriter, array, pointer, string};
use toolwire::mcp::{Fate, LossReport};
use toolwire::{Error, Json};

use super::words::Words;
use super::{ConvertOptions, Entry, Server, Spelled, Variables, written};
use crate::pretty::indented;
use crate::profile::{LAUNCHER, Profile, read_profile};

/// Reads a profile that is one document.
pub(super) fn read(input: &str, options: &ConvertOptions) -> Result<(Entry, LossReport), Error> {
    of(&read_profile(input)?, options)
}

/// The server of a profile.
fn of(profile: &Profile, options: &ConvertOptions) -> Result<(Entry, LossReport), Error> {
    let spelled = Spelled::read(&profile.launcher(), None)?;
    let name = options.name.clone().or_else(|| profile.server());
    let (entry, mut report) = spelled.carry(name.as_deref(), Variables::Default);
    let document = profile.to_json();
    let members = document.to_value::<std::collections::BTreeMap<String, Json>>()?;
    for name in members.keys() {
        let place = pointer::join("", name);
        match name.as_str() {
            name if name == "launcher" || LAUNCHER.contains(&name) => {}
            "server" => report.add(place, Fate::Kept, ""),
            "tools" => report.add(
                place,
                Fate::Dropped,
                "what is known of its tools stays in the profile",
            ),
            _ => report.add(place, Fate::Dropped, "only a profile has it"),
        }
    }
    Ok((entry, report.finished()))
}

/// A minimal profile.
pub(super) fn write(entry: &Entry, report: &mut LossReport) -> Result<(String, Json), Error> {
    let mut words = Words {
        form: "a profile",
        variables: Variables::Default,
        report,
    };
    let mut out = ObjectWriter::new();
    out.optional("server", entry.name.as_deref());
    match &entry.server {
        Server::Program {
            command,
            args,
            env,
            cwd,
        } => {
            out.text("command", words.needed("/command", command)?);
            let args = words.arguments(args);
            out.json("args", array(args.iter().map(|arg| string(arg))));
            out.text("transport", "stdio");
            out.optional_json("env", words.environment(env));
            if let Some(cwd) = cwd {
                out.optional("cwd", words.optional("/cwd", cwd));
            }
        }
        Server::Url { url, headers, sse } => {
            out.text("url", words.needed("/url", url)?);
            out.text("transport", if *sse { "sse" } else { "http" });
            out.optional_json("headers", words.headers(headers));
        }
    }
    let members = written(out.end());
    Ok((indented(members.as_str()), members))
}
