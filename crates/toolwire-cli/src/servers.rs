//! A server that a file of an MCP client names (chapter 20).

use std::path::Path;

use toolwire_host::clients::{self, Entry, Resolved, Surroundings};

use crate::exit::{Failure, Result};
use crate::terminal;

/// The server of this name, ready to be started: from the file that was named, or from the usual files of
/// the usual clients. One that only a file of the workspace names is approved first (CFG-20).
pub fn named(name: Option<&str>, config: Option<&Path>) -> Result<Resolved> {
    let surroundings = Surroundings::current();
    let entry = match (name, config) {
        (name, Some(file)) => clients::read_file(file, name, &surroundings)?,
        (Some(name), None) => clients::find(name, &surroundings)?.entry,
        (None, None) => return Err(Failure::usage("name a server")),
    };
    approve(&entry)?;
    Ok(entry.resolve(&surroundings)?)
}

fn approve(entry: &Entry) -> Result<()> {
    if entry.is_approved()? {
        return Ok(());
    }
    let mut text = String::from("A file of this workspace wants this server to be used:\n");
    for line in entry.shown() {
        text.push_str(&format!("  {}\n", terminal::safe(&line)));
    }
    terminal::tell(&text, false);
    let question = format!("Approve `{}` as it is, now and from now on?", entry.name);
    let answer = terminal::confirm(&question).map_err(|error| Failure::Io(error.to_string()))?;
    match answer {
        Some(true) => Ok(entry.approve()?),
        Some(false) => Err(Failure::Refused(format!(
            "`{}` was not approved, so it was not started",
            entry.name
        ))),
        None => Err(Failure::Wrong(vec![format!(
            "the server `{}` is named only by a file of this workspace, {}, and nobody is there to approve \
             it; run `toolwire trust --server {0}`",
            entry.name,
            entry.place()
        )])),
    }
}
