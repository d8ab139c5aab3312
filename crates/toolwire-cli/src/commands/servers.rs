//! `toolwire servers`: what the MCP clients on this machine have configured, and a server in another form.

use toolwire::json::{ObjectWriter, array, string};
use toolwire::mcp::{Fate, LossReport, Mapped};
use toolwire_contract::convert::{ConvertOptions, Form, convert_server, write_server};
use toolwire_host::clients::{Client, Entry, Scope, Surroundings, Target, discover};
use toolwire_source::{Places, read_command, read_word};

use super::surplus_word;
use crate::args::{ServersArgs, parted};
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::terminal::on_one_line;
use crate::{run, table};

pub fn run(args: &ServersArgs, out: &mut Out) -> Result<Outcome> {
    let (word, rest) = parted(&args.words, &args.command);
    if let Some(surplus) = rest.first() {
        return Err(surplus_word("servers", "one server", surplus));
    }
    let name = args.name.as_deref();
    let (entry, mut report) = match word {
        Some(word) => {
            let places = Places {
                config: args.config.clone(),
                verb: Some("toolwire servers".to_owned()),
                ..args.jn.places()
            };
            read_word(word, name, &places)?
        }
        None if args.command.is_empty() => {
            if args.to.is_some() || args.name.is_some() {
                let message =
                    "name the server to write in another form, or leave `--to` and `--name` out";
                return Err(Failure::usage(message));
            }
            return list(args.json, out);
        }
        None => {
            let words = args.command.iter().map(|word| run::text(word));
            read_command(&words.collect::<Result<Vec<String>>>()?, name)?
        }
    };
    let form = args.to.unwrap_or(Form::LaunchUri);
    let mut written = write_server(&entry, form).map_err(|error| Failure::refused(&error))?;
    report.entries.append(&mut written.report.entries);
    written.report = report.finished();
    if args.json {
        out.json(written.to_json().as_str())?;
        return Ok(Outcome::Success);
    }
    out.text(&written.text)?;
    tell_losses(&written.report, out);
    Ok(Outcome::Success)
}

/// Says what did not come along as it was, apart from the name, by which nothing is started.
pub fn tell_losses(report: &LossReport, out: &mut Out) {
    for one in report.entries.iter().filter(|one| one.pointer != "/name") {
        let what = match one.fate {
            Fate::Kept | Fate::Moved => continue,
            Fate::Approximated => "is only nearly the same",
            Fate::Dropped => "is left out",
        };
        out.complain(&format!(
            "warning: `{}` {what}: {}",
            one.pointer, one.reason
        ));
    }
}

/// Lists what the clients have.
fn list(json: bool, out: &mut Out) -> Result<Outcome> {
    let found = discover(&Surroundings::current());
    if json {
        let servers = array(found.entries.iter().map(to_json));
        let warnings = array(found.notes.iter().map(|note| string(note)));
        let json = ObjectWriter::new()
            .json("servers", servers)
            .json("warnings", warnings)
            .end();
        out.json(&json)?;
        return Ok(Outcome::Success);
    }
    for of_file in found.entries.chunk_by(|one, other| one.path == other.path) {
        let client = of_file[0].client.map_or("", Client::title);
        let path = on_one_line(&of_file[0].path.to_string_lossy());
        out.line(&format!("{}  {path}", out.paint(BOLD, client)))?;
        let rows = of_file.iter().map(|entry| {
            vec![
                on_one_line(&entry.name),
                transport(entry).to_owned(),
                on_one_line(&uri(entry).unwrap_or_default()),
            ]
        });
        table::write(&rows.collect::<Vec<_>>(), 2, out)?;
    }
    for note in &found.notes {
        out.complain(&format!("warning: {note}"));
    }
    if found.entries.is_empty() {
        out.complain("no file of an MCP client that was found names a server");
    }
    Ok(Outcome::Success)
}

fn to_json(entry: &Entry) -> String {
    let scope = match entry.scope {
        Some(Scope::Workspace) => "workspace",
        _ => "user",
    };
    ObjectWriter::new()
        .optional("client", entry.client.map(Client::as_str))
        .text("file", entry.path.to_string_lossy())
        .number("line", entry.line)
        .text("scope", scope)
        .text("name", &entry.name)
        .text("transport", transport(entry))
        .optional("uri", uri(entry).as_deref())
        .end()
}

fn transport(entry: &Entry) -> &'static str {
    match &entry.target {
        Target::Program { .. } => "stdio",
        Target::Url { sse: true, .. } => "sse",
        Target::Url { .. } => "http",
    }
}

/// Its launch URI, if one starts or reaches the same.
fn uri(entry: &Entry) -> Option<String> {
    let written = entry.written();
    let options = ConvertOptions::default();
    let converted =
        convert_server(&written.members, written.form, Form::LaunchUri, &options).ok()?;
    let matters = |place: &str| {
        let first = place.split('/').nth(1).unwrap_or_default();
        matches!(first, "command" | "args" | "url" | "cwd")
    };
    let mut lost = converted.report.entries.iter();
    let is_lost = |one: &Mapped| one.fate != Fate::Kept && matters(&one.pointer);
    (!lost.any(is_lost)).then_some(converted.text)
}
