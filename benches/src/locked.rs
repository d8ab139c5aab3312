//! Locks of many tools, as `toolwire check --offline` reads them.

use crate::start::Start;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use toolwire::Json;
use toolwire_contract::lock::{Launched, update_lock};
use toolwire_host::manifest::Manifest;
use toolwire_source::{LOCK_NAME, LockFile, Places, resolve, tool};

/// How many tools are locked.
const TOOLS: usize = 500;

/// How many of them a server has.
const OF_A_SERVER: usize = 50;

/// What the tables call them: the first is what the others are compared with.
pub const GROUP: &str = "500 locked tools";
pub const SERVERS: &str = "toolwire check --offline, ten servers";
pub const PROGRAMS: &str = "toolwire check --offline, 500 programs of a manifest";

/// Makes the folder of a stage.
type Stage = fn(&Path) -> Result<(), Failure>;

/// `toolwire check --offline` in folders that are made below `target`.
///
/// # Errors
///
/// When a folder can't be made, or not all of its tools are checked.
pub fn starts(toolwire: &Path, target: &Path) -> Result<Vec<Start>, String> {
    let mut starts = vec![Start::new(GROUP, "/bin/true", Command::new("/bin/true"))];
    let stages: [(&str, &str, Stage); 2] = [
        (SERVERS, "servers", servers),
        (PROGRAMS, "programs", programs),
    ];
    for (name, folder, stage) in stages {
        let folder = target.join("bench-corpus/locked").join(folder);
        stage(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut check = Command::new(toolwire);
        check.args(["check", "--offline"]).current_dir(&folder);
        all_are_checked(&mut check)?;
        let mut check = Command::new(toolwire);
        check.args(["check", "--offline"]).current_dir(&folder);
        starts.push(Start::new(GROUP, name, check));
    }
    Ok(starts)
}

type Failure = Box<dyn std::error::Error>;

/// Servers that a package is, each with many tools.
fn servers(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)?;
    let sources = (0..TOOLS / OF_A_SERVER).map(|server| {
        let name = format!("mcp+uvx://server-{server}@1.0.0");
        let source = resolve(name.as_ref(), &Places::default())?;
        let tools = (0..OF_A_SERVER).map(|at| definition(&format!("tool_{at}")));
        Ok((name, now(&source.launched(folder), tools.collect())?))
    });
    write(folder, sources.collect::<Result<_, Failure>>()?)
}

/// Programs with a tool each, in a manifest.
fn programs(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder.join("tools"))?;
    let mut manifest = String::new();
    for at in 0..TOOLS {
        let file = format!("tools/tool_{at}.py");
        let text = format!("print({at})\n").repeat(200);
        fs::write(folder.join(&file), text)?;
        writeln!(manifest, "[tools.tool_{at}]\ncommand = [\"./{file}\"]\n")?;
    }
    let path = folder.join("toolwire.toml");
    fs::write(&path, manifest)?;
    let manifest = Manifest::read(&path)?;
    let sources = manifest.tools.iter().map(|(name, entry)| {
        let launched = tool(entry).launched(folder);
        Ok((name.clone(), now(&launched, vec![definition(name)])?))
    });
    write(folder, sources.collect::<Result<_, Failure>>()?)
}

/// What a source is now, as a lock takes it.
fn now(launched: &Launched, tools: Vec<Value>) -> Result<Json, Failure> {
    let tools = Value::from(tools);
    let launch = launched.to_json();
    let text = format!(r#"{{"launch":{},"tools":{tools}}}"#, launch.as_str());
    Ok(Json::new(text)?)
}

fn write(folder: &Path, sources: Vec<(String, Json)>) -> Result<(), Failure> {
    let path = folder.join(LOCK_NAME);
    if path.exists() {
        fs::remove_file(&path)?;
    }
    LockFile::new(path).update(|lock| {
        let mut sources = sources.iter();
        Ok(sources.try_for_each(|(name, now)| update_lock(lock, name, now)))
    })??;
    Ok(())
}

/// A tool of a usual size.
fn definition(name: &str) -> Value {
    let member = |about: &str| json!({"type": "string", "description": about, "maxLength": 200});
    json!({
        "name": name,
        "description": "Search the records of an archive, newest first. Give words that all have to be in a record. \
            The answer is a list of titles with their numbers, which other tools take.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "words": member("The words to look for."),
                "from": member("The first day, as in 2026-01-31."),
                "to": member("The last day."),
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
                "order": {"enum": ["newest", "oldest", "best"], "default": "newest"},
            },
            "required": ["words"],
            "additionalProperties": false,
        },
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    })
}

/// That each tool is there and only its launch was compared: what is not found would take no time.
fn all_are_checked(check: &mut Command) -> Result<(), String> {
    let ran = check.arg("--json").output();
    let ran = ran.map_err(|e| format!("cannot start {check:?}: {e}"))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    let report: Value =
        serde_json::from_slice(&ran.stdout).map_err(|e| format!("{check:?}: {e}\n{said}"))?;
    let sources = report["sources"].as_array().into_iter().flatten();
    let alike = sources.filter(|source| source["launch"]["state"] == "same");
    let tools: u64 = alike
        .filter_map(|source| source["notVerified"].as_u64())
        .sum();
    match (ran.status.success(), tools == TOOLS as u64) {
        (true, true) => Ok(()),
        _ => Err(format!("{check:?} checks {tools} of {TOOLS} tools\n{said}")),
    }
}
