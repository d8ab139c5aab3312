//! A workspace with a server and a tool whose descriptions stand in files, so that they can change.

use std::fs;

use serde_json::{Value, json};

use super::{Dir, Run, command, run_command, set_mode};

/// A server whose tools and instructions stand in a file, so that they can change between two calls.
const SERVER: &str = r#"#!/usr/bin/env python3
import json, os, sys
SAYS = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "says.json")))
for line in sys.stdin:
    request = json.loads(line)
    method, id = request.get("method"), request.get("id")
    if method == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                  "serverInfo": {"name": "says", "version": "1"}}
        if "instructions" in SAYS:
            result["instructions"] = SAYS["instructions"]
    elif method == "tools/list":
        result = {"tools": SAYS["tools"]}
    elif id is None:
        continue
    else:
        print(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown"}}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
"#;

/// A tool of Toolwire whose description stands in a file.
pub const TOOL: &str = r#"#!/usr/bin/env python3
# toolwire-tool: 1
import json, os, sys
call = sys.stdin.read()
HERE = os.path.dirname(os.path.abspath(__file__))
tools = json.load(open(os.path.join(HERE, "tools.json")))
if '"action":"describe"' in call:
    print(json.dumps({"content": [], "structuredContent": {"toolwire": 1, "tools": tools}}))
else:
    print(json.dumps({"content": [{"type": "text", "text": "done"}]}))
"#;

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
        let path = dir.file(name, content);
        set_mode(path.as_ref(), 0o755);
    }
    says(
        &dir,
        &json!({ "tools": [find("Finds it.", "text"), count()], "instructions": "Ask first." }),
    );
    dir.file("tools.json", json!([find("Finds it.", "text")]).to_string());
    dir
}

pub fn says(dir: &Dir, what: &Value) {
    dir.file("says.json", what.to_string());
}

pub fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    toolwire_with(dir, args, &[])
}

pub fn toolwire_with(dir: &Dir, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = command(args);
    command
        .current_dir(dir.path())
        .env("HOME", dir.path())
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_DATA_HOME")
        .envs(variables.iter().copied());
    run_command(command, b"")
}

pub const MANIFEST: &str = "[tools.find]\ncommand = ['./tool.py']\n\n[tools.greet]\ncommand = ['echo', '{who}']\n\
    parameters.who.type = 'string'\nenv.GREETING = 'hunter2-greeting'\n";

pub fn lock_text(dir: &Dir) -> String {
    fs::read_to_string(dir.path().join("toolwire.lock")).unwrap()
}

pub fn lock_json(dir: &Dir) -> Value {
    serde_json::from_str(&lock_text(dir)).unwrap()
}
