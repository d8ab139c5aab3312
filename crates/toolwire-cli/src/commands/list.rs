//! `toolwire list`: the tools and servers of the nearest manifest.

use serde_json::Value;
use toolwire::call::ToolDescription;
use toolwire::json::{Document, ObjectWriter, array, string};
use toolwire_host::manifest::{Manifest, ManifestServer, SessionKind};

use super::describe::{Described, described};
use crate::args::{ListArgs, ProcessArgs};
use crate::exit::{Failure, Outcome, Result};
use crate::guard::reason;
use crate::output::{BOLD, Out};
use crate::run;
use crate::{table, terminal};

/// Behind what a tool is for, if `session` of the manifest says how it is driven.
const KEEPS_RUNNING: &str = " (keeps running)";

pub fn run(args: &ListArgs, out: &mut Out) -> Result<Outcome> {
    let found = run::manifest(&args.manifest)?;
    let manifest = found.ok_or_else(none)?;
    if args.json {
        return match to_json(&manifest, out)? {
            Ok(json) => out.json(&json).map(|()| Outcome::Success),
            Err(outcome) => Ok(outcome),
        };
    }
    if manifest.tools.is_empty() && manifest.servers.is_empty() {
        out.complain(&format!("`{}` names no tools", manifest.path.display()));
    }
    let mut rows: Vec<Vec<String>> = manifest
        .tools
        .iter()
        .map(|(name, tool)| {
            let about = tool.description.as_ref().or(tool.title.as_ref());
            let about = about.map(|about| about.trim().split("\n\n").next().unwrap_or_default());
            let about = about.map_or_else(|| tool.words.join(" "), str::to_owned);
            let about: Vec<&str> = about.split_whitespace().collect();
            let hint = if tool.session.is_some() {
                KEEPS_RUNNING
            } else {
                ""
            };
            let about = format!("{}{hint}", about.join(" "));
            vec![terminal::safe(name), terminal::safe(&about)]
        })
        .collect();
    rows.extend(manifest.servers.iter().map(|(name, server)| {
        let reached = match reached(server) {
            Reached::Command(words) => words.join(" "),
            Reached::Url(url) => url,
        };
        let about = format!("MCP server: {reached}");
        vec![terminal::safe(name), terminal::safe(&about)]
    }));
    for line in table::rows(&rows, 0, terminal::width()) {
        // The names have no spaces; what is indented goes on with the line before.
        match line.split_once(' ').filter(|(name, _)| !name.is_empty()) {
            Some((name, rest)) => out.line(&format!("{} {rest}", out.paint(BOLD, name)))?,
            None => out.line(&line)?,
        }
    }
    Ok(Outcome::Success)
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

/// That there is no manifest.
pub fn none() -> Failure {
    Failure::Io(
        "there is no `toolwire.toml` in this folder or one above it; write one, or name it with \
         `--manifest`"
            .to_owned(),
    )
}

/// The tools as MCP lists them, with the words of their commands, and why others are not described; the programs that
/// may be asked are asked.
fn to_json(manifest: &Manifest, out: &Out) -> Result<std::result::Result<String, Outcome>> {
    let (mut tools, mut problems) = (Vec::new(), Vec::new());
    for entry in manifest.tools.values() {
        let mut json = ObjectWriter::new();
        json.text("name", &entry.name);
        let problem = match described(toolwire_source::tool(entry), &ProcessArgs::default(), out) {
            Ok(Described::Tools(tools)) => match &tools[..] {
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
            Ok(Described::Ended(outcome)) => return Ok(Err(outcome)),
            Err(failure @ (Failure::Ended(_) | Failure::Closed)) => return Err(failure),
            Err(failure) => Some(reason(&failure)),
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
    Ok(Ok(ObjectWriter::new()
        .text("manifest", manifest.path.to_string_lossy())
        .json("tools", array(tools))
        .optional_json("problems", some(problems))
        .optional_json("servers", some(servers.collect()))
        .end()))
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
