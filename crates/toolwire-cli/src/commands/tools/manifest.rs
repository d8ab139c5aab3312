//! The tools and servers of the nearest manifest.

use serde_json::Value;
use toolwire::call::ToolDescription;
use toolwire::json::{Document, ObjectWriter, array, string};
use toolwire_host::manifest::{Manifest, ManifestServer, ManifestTool, SessionKind};

use super::complain_of_unmatched;
use crate::args::{ProcessArgs, ToolsArgs};
use crate::commands::no_manifest;
use crate::commands::observe::described;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::terminal::on_one_line;
use crate::{run, table};

pub fn write(args: &ToolsArgs, out: &mut Out) -> Result<Outcome> {
    let found = run::manifest(&args.server.source.manifest)?;
    let mut manifest = found.ok_or_else(no_manifest)?;
    let selection = args.chosen.selection();
    let names = manifest.tools.keys().chain(manifest.servers.keys());
    complain_of_unmatched(
        &selection,
        &names.map(String::as_str).collect::<Vec<_>>(),
        out,
    )?;
    manifest.tools.retain(|name, _| selection.takes(name));
    manifest.servers.retain(|name, _| selection.takes(name));
    if args.json {
        out.json(&to_json(&manifest, &args.server.process, out)?)?;
        return Ok(Outcome::Success);
    }
    if manifest.tools.is_empty() && manifest.servers.is_empty() {
        out.complain(&format!("`{}` names no tools", manifest.path.display()));
    }
    let tools = manifest
        .tools
        .iter()
        .map(|(name, tool)| (name, about(tool)));
    let servers = manifest.servers.iter().map(|(name, server)| {
        let reached = match reached(server) {
            Reached::Command(words) => words.join(" "),
            Reached::Url(url) => url,
        };
        (name, format!("MCP server: {reached}"))
    });
    let rows = tools.chain(servers);
    let rows = rows.map(|(name, about)| vec![on_one_line(name), on_one_line(&about)]);
    table::write_named(&rows.collect::<Vec<_>>(), out)?;
    Ok(Outcome::Success)
}

/// What a tool is for, as the manifest says, and whether it keeps running.
fn about(tool: &ManifestTool) -> String {
    let about = tool.description.as_ref().or(tool.title.as_ref());
    let about = about.map(|about| about.trim().split("\n\n").next().unwrap_or_default());
    let about = about.map_or_else(|| tool.words.join(" "), str::to_owned);
    let hint = tool.session.map_or("", |_| " (keeps running)");
    format!("{about}{hint}")
}

/// How a server is reached, as the manifest says, with the names of variables.
enum Reached {
    Command(Vec<String>),
    Url(String),
}

fn reached(server: &ManifestServer) -> Reached {
    let launcher: Value = server.launcher.to_value().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match launcher.get("url") {
        Some(url) => Reached::Url(text(url)),
        None => {
            let arguments = launcher["args"].as_array();
            let arguments = arguments.into_iter().flatten().map(text);
            let words = std::iter::once(text(&launcher["command"]));
            Reached::Command(words.chain(arguments).collect())
        }
    }
}

/// The tools as MCP lists them, with the words of their commands, and why others are not described; the programs that
/// may be asked are asked.
fn to_json(manifest: &Manifest, process: &ProcessArgs, out: &Out) -> Result<String> {
    let (mut tools, mut problems) = (Vec::new(), Vec::new());
    for entry in manifest.tools.values() {
        let mut json = ObjectWriter::new();
        json.text("name", &entry.name);
        let problem = match described(toolwire_source::tool(entry), process, out) {
            Ok(tools) => match &tools[..] {
                [tool] => {
                    write_members(tool, &mut json)?;
                    None
                }
                _ => {
                    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
                    let names = names.join("`, `");
                    Some(format!(
                        "its program has several tools; set `tool` in the manifest to one of `{names}`"
                    ))
                }
            },
            Err(failure @ (Failure::Ended(_) | Failure::Closed)) => return Err(failure),
            Err(failure) => Some(failure.message()),
        };
        if let Some(problem) = problem {
            json.optional("title", entry.title.as_ref())
                .optional("description", entry.description.as_ref());
            let mut one = ObjectWriter::new();
            problems.push(one.text("name", &entry.name).text("problem", problem).end());
        }
        let words = entry.words.iter().map(|word| string(word));
        json.json("command", array(words))
            .optional("tool", entry.tool.as_ref())
            .optional("session", entry.session.map(SessionKind::as_str));
        tools.push(json.end());
    }
    let servers = manifest.servers.iter().map(|(name, server)| {
        let mut json = ObjectWriter::new();
        json.text("name", name);
        match reached(server) {
            Reached::Command(words) => {
                json.json("command", array(words.iter().map(|word| string(word))))
            }
            Reached::Url(url) => json.text("url", url),
        };
        json.end()
    });
    let some = |list: Vec<String>| (!list.is_empty()).then(|| array(list));
    Ok(ObjectWriter::new()
        .text("manifest", manifest.path.to_string_lossy())
        .json("tools", array(tools))
        .optional_json("problems", some(problems))
        .optional_json("servers", some(servers.collect()))
        .end())
}

/// Adds the members of a description, but for its name, in their order.
fn write_members(tool: &ToolDescription, json: &mut ObjectWriter) -> Result<()> {
    let text = tool.to_json();
    let document = Document::new(&text).map_err(|error| Failure::refused(&error))?;
    for (name, value) in document.root().members() {
        if name != "name" {
            json.json(&name, value.raw());
        }
    }
    Ok(())
}
