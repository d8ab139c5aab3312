//! `toolwire list`: the tools of the nearest manifest.

use serde_json::{Value, json};
use toolwire::Json;
use toolwire_host::manifest::Manifest;

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
    if manifest.tools.is_empty() {
        out.complain(&format!("`{}` names no tools", manifest.path.display()));
    }
    let rows: Vec<Vec<String>> = manifest
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
    for line in table::rows(&rows, 0, terminal::width()) {
        // The names have no spaces; what is indented goes on with the line before.
        match line.split_once(' ').filter(|(name, _)| !name.is_empty()) {
            Some((name, rest)) => out.line(&format!("{} {rest}", out.paint(BOLD, name)))?,
            None => out.line(&line)?,
        }
    }
    Ok(Outcome::Success)
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
    json!({ "manifest": manifest.path.to_string_lossy(), "tools": tools }).to_string()
}
