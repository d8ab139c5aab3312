//! `toolwire discover`: what the MCP clients on this machine have configured.

use toolwire::json::{ObjectWriter, array, string};
use toolwire::mcp::{Fate, Mapped};
use toolwire_contract::convert::{ConvertOptions, Form, convert_server};
use toolwire_host::clients::{Client, Entry, Scope, Surroundings, Target, discover};

use super::tools::on_one_line;
use crate::args::DiscoverArgs;
use crate::exit::{Outcome, Result};
use crate::output::{BOLD, Out};
use crate::{table, terminal};

pub fn run(args: &DiscoverArgs, out: &mut Out) -> Result<Outcome> {
    let found = discover(&Surroundings::current());
    if args.json {
        let servers = array(found.entries.iter().map(to_json));
        let warnings = array(found.notes.iter().map(|note| string(note)));
        let json = ObjectWriter::new()
            .json("servers", servers)
            .json("warnings", warnings)
            .end();
        out.json(&json)?;
        return Ok(Outcome::Success);
    }
    let width = terminal::width();
    for of_file in found.entries.chunk_by(|one, other| one.path == other.path) {
        let client = of_file[0].client.map_or("", Client::title);
        let path = on_one_line(&of_file[0].path.to_string_lossy());
        out.line(&format!("{}  {path}", out.paint(BOLD, client)))?;
        let rows = of_file.iter().map(|entry| {
            let how = uri(entry).unwrap_or_default();
            vec![
                on_one_line(&entry.name),
                transport(entry).to_owned(),
                on_one_line(&how),
            ]
        });
        for line in table::rows(&rows.collect::<Vec<_>>(), 2, width) {
            out.line(&line)?;
        }
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
    let mut json = ObjectWriter::new();
    json.optional("client", entry.client.map(Client::as_str))
        .text("file", entry.path.to_string_lossy())
        .number("line", entry.line)
        .text("scope", scope)
        .text("name", &entry.name)
        .text("transport", transport(entry))
        .optional("uri", uri(entry).as_deref());
    json.end()
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
