//! `toolwire list`: the tools and servers of the nearest manifest.

use serde_json::{Value, json};
use toolwire::Json;
use toolwire_host::manifest::{Manifest, ManifestServer};

use crate::args::ListArgs;
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::run;
use crate::{table, terminal};

/// Behind what a tool is for, if `session` of the manifest says how it is driven.
const KEEPS_RUNNING: &str = " (keeps running)";

pub fn run(args: &ListArgs, out: &mut Out) -> Result<Outcome> {
    let found = run::manifest(&args.manifest)?;
    let manifest = found.ok_or_else(none)?;
    if args.json {
        out.json(&to_json(&manifest))?;
        return Ok(Outcome::Success);
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

fn to_json(manifest: &Manifest) -> String {
    let tools = manifest.tools.iter().map(|(name, entry)| {
        let mut tool = json!({ "name": name, "command": entry.words });
        let texts = [
            ("tool", &entry.tool),
            ("title", &entry.title),
            ("description", &entry.description),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                tool[key] = text.clone().into();
            }
        }
        if let Some(session) = entry.session {
            tool["session"] = session.as_str().into();
        }
        let schema = entry.input_schema.as_ref().map(Json::to_value::<Value>);
        if let Some(Ok(schema)) = schema {
            tool["inputSchema"] = schema;
        }
        tool
    });
    let tools: Vec<Value> = tools.collect();
    let mut list = json!({ "manifest": manifest.path.to_string_lossy(), "tools": tools });
    if !manifest.servers.is_empty() {
        let servers = manifest.servers.iter();
        let servers = servers.map(|(name, server)| match reached(server) {
            Reached::Command(words) => json!({ "name": name, "command": words }),
            Reached::Url(url) => json!({ "name": name, "url": url }),
        });
        list["servers"] = servers.collect();
    }
    list.to_string()
}
