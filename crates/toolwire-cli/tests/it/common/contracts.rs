//! A workspace with a server and a tool whose descriptions stand in files, so that they can change.

use std::fs;

use serde_json::{Value, json};

use super::{Dir, Run, command_at_home, run_command, set_mode};

/// A server whose tools and instructions stand in `says.json`.
pub const SERVER: &str = include_str!("../../servers/says.py");

/// A tool of Toolwire whose description stands in `tools.json`. For each call, it adds a letter to the file `called`.
pub const TOOL: &str = r#"#!/usr/bin/env python3
# toolwire-tool: 1
import json, os, sys
call = sys.stdin.read()
HERE = os.path.dirname(os.path.abspath(__file__))
if '"action":"describe"' in call:
    tools = json.load(open(os.path.join(HERE, "tools.json")))
    print(json.dumps({"content": [], "structuredContent": {"toolwire": 1, "tools": tools}}))
else:
    open(os.path.join(HERE, "called"), "a").write("x")
    print(json.dumps({"content": [{"type": "text", "text": "done"}]}))
"#;

/// A manifest with the tool, and one whose environment has a value.
pub const MANIFEST: &str = "[tools.find]\ncommand = ['./tool.py']\n\n[tools.greet]\ncommand = ['echo', '{who}']\n\
    parameters.who.type = 'string'\nenv.GREETING = 'hunter2-greeting'\n";

pub fn find(description: &str, parameter: &str) -> Value {
    json!({
        "name": "find",
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": { parameter: { "type": "string", "description": "What to look for." } },
            "required": [parameter],
        },
    })
}

pub fn count() -> Value {
    json!({ "name": "count", "inputSchema": { "type": "object", "properties": {} } })
}

/// A workspace with a server and a tool in it.
pub fn stage() -> Dir {
    let dir = Dir::new();
    for (name, content) in [("server.py", SERVER), ("tool.py", TOOL)] {
        set_mode(dir.file(name, content).as_ref(), 0o755);
    }
    says(
        &dir,
        &json!({ "tools": [find("Finds it.", "text"), count()], "instructions": "Ask first." }),
    );
    dir.file("tools.json", json!([find("Finds it.", "text")]).to_string());
    dir
}

/// What the server says from now on.
pub fn says(dir: &Dir, what: &Value) {
    dir.file("says.json", what.to_string());
}

pub fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    toolwire_with(dir, args, &[])
}

pub fn toolwire_with(dir: &Dir, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = command_at_home(dir.path(), dir.path(), args);
    command.envs(variables.iter().copied());
    run_command(command, b"")
}

pub fn lock_text(dir: &Dir) -> String {
    fs::read_to_string(dir.path().join("toolwire.lock")).unwrap()
}

pub fn lock_json(dir: &Dir) -> Value {
    serde_json::from_str(&lock_text(dir)).unwrap()
}
