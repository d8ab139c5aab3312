//! Over stdio, tasks outlive the server that made them, in the user's session host. Every process here is
//! a real one.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::command;
use crate::common::session::{PATIENCE, Workspace, is_alive, signal, until};
use serde_json::{Value, json};

const TASKS: &str = "io.modelcontextprotocol/tasks";

/// Tools that wait for a file, so that no test depends on how fast the machine is. Each writes its process down.
const TOOLS: &str = r#"
    [tools.slow]
    command = ["sh", "-c", "echo $$ >> pid; while ! test -e go; do sleep 0.05; done; echo done"]
    plain = true
    [tools.now]
    command = ["echo", "at once"]
    plain = true
    [tools.whole]
    command = "./whole"
    parameters = {}
    [tools.asks]
    command = "./asks"
    parameters = {}
    [tools.where]
    command = "./where"
"#;

const WHOLE: &str = r#"#!/bin/sh
echo $$ >> pid
cat > /dev/null
while ! test -e go; do sleep 0.05; done
echo '{"content":[{"type":"text","text":"moved"}],"structuredContent":{"n":12345678901234567890123,"shade":"'$SHADE'"},"_meta":{"example.org/x":1.50},"isError":true}'
"#;

const ASKS: &str = r#"#!/bin/sh
call=$(cat)
while ! test -e go; do sleep 0.05; done
case "$call" in
*'"answers":{}'*)
    echo '{"content":[{"type":"question","question":{"id":"times","text":"How often?","schema":{"type":"integer","maximum":3}}}]}' ;;
*) printf '%s' "$call" | sed 's/.*"answers":\({[^}]*}\).*/\1/' ;;
esac
"#;

/// A warm tool, which tells its process.
const WHERE: &str = r##"#!/usr/bin/env python3
# toolwire-tool: 1
import json, os, sys

def answer(document):
    if document["context"]["action"] == "describe":
        tool = {"name": "where", "inputSchema": {"type": "object"}, "_meta": {"dev.toolwire/warm": True}}
        return {"content": [], "structuredContent": {"toolwire": 1, "tools": [tool]}}
    return {"content": [], "structuredContent": {"pid": os.getpid()}}

if os.environ["TOOLWIRE_CALL"] == "stdin":
    print(json.dumps(answer(json.load(sys.stdin))))
    sys.exit()
sys.stdin.readline()
print('{"type":"hello","toolwire":1,"version":1}', flush=True)
for line in sys.stdin:
    line = json.loads(line)
    if line["type"] == "call":
        envelope = answer(line["document"])
        print(json.dumps({"type": "result", "call": line["call"], "envelope": envelope}), flush=True)
"##;

fn workspace() -> Workspace {
    let here = Workspace::new();
    fs::write(here.root.join("toolwire.toml"), TOOLS).unwrap();
    for (name, script) in [("whole", WHOLE), ("asks", ASKS), ("where", WHERE)] {
        here.program(name, script);
    }
    here
}

fn go(here: &Workspace) {
    fs::write(here.root.join("go"), "").unwrap();
}

/// A server and its client, which knows tasks.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Server {
    /// A server whose calls are tasks soon.
    fn start(here: &Workspace, args: &[&str]) -> Self {
        Server::of(here, &[&["--task-after", "200ms"], args].concat())
    }

    fn of(here: &Workspace, args: &[&str]) -> Self {
        let mut command = command(&[&["serve"], args].concat());
        command
            .current_dir(&here.root)
            .env("XDG_RUNTIME_DIR", &here.runtime)
            .env("TOOLWIRE_SESSION_IDLE", "5s")
            .env("SHADE", "blue");
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Server {
            child,
            stdin,
            lines,
            next: 1,
        }
    }

    fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        let meta = &mut params["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        let known = json!({ "elicitation": {}, "extensions": { TASKS: {} } });
        meta["io.modelcontextprotocol/clientCapabilities"] = known;
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(self.stdin.as_mut().unwrap(), "{request}").unwrap();
        id
    }

    fn line(&mut self) -> String {
        self.lines.next().expect("the server has ended").unwrap()
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let answer: Value = serde_json::from_str(&self.line()).unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str) -> Value {
        let params = json!({ "name": tool, "arguments": {} });
        self.request("tools/call", params)
    }

    /// The task that a call becomes.
    fn task(&mut self, tool: &str) -> String {
        let answer = self.call(tool);
        let id = answer["result"]["taskId"].as_str();
        id.unwrap_or_else(|| panic!("no task: {answer}")).to_owned()
    }

    fn get(&mut self, id: &str) -> Value {
        let answer = self.request("tasks/get", json!({ "taskId": id }));
        answer.get("result").cloned().unwrap_or(answer)
    }

    fn until(&mut self, id: &str, status: &str) -> Value {
        let begun = Instant::now();
        loop {
            let task = self.get(id);
            if task["status"] == status {
                return task;
            }
            assert!(begun.elapsed() < PATIENCE, "{task}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Closes stdin and waits for the end.
    fn end(mut self) {
        drop(self.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn tasks_outlive_their_server_however_it_ends() {
    let here = workspace();
    let mut first = Server::start(&here, &[]);
    let whole = first.task("whole");
    let asks = first.task("asks");
    first.end();

    let mut second = Server::start(&here, &[]);
    let slow = second.task("slow");
    for id in [&whole, &asks, &slow] {
        assert_eq!(second.get(id)["status"], "working");
    }
    second.kill();
    let listed = here.json(&["list"]);
    let handles = listed["handles"].as_array().unwrap();
    let mine = handles.iter().find(|one| one["id"] == slow).unwrap();
    assert_eq!(
        (&mine["tool"], &mine["state"], &mine["task"]),
        (&json!("slow"), &json!("running"), &json!(true))
    );
    let refused = here.run(&["fetch", &slow]);
    assert!(
        refused.stderr.contains("is a task of an MCP client"),
        "{refused:?}"
    );
    // Nor can a model take its id, or what a person gave a handle be a task.
    here.done(&["spawn", "mine", "./echo"]);

    let mut third = Server::start(&here, &[]);
    third.request("tasks/cancel", json!({ "taskId": slow }));
    third.until(&slow, "cancelled");
    go(&here);
    let waiting = third.until(&asks, "input_required");
    let keys: Vec<&String> = waiting["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(keys, ["times"]);
    let accept = json!({ "action": "accept", "content": { "answer": 2 } });
    let params = json!({ "taskId": asks, "inputResponses": { "times": accept } });
    third.request("tasks/update", params);
    let done = third.until(&asks, "completed");
    assert_eq!(
        done["result"]["content"][0]["text"], "{\"times\":2}",
        "{done}"
    );
    third.until(&whole, "completed");
    third.begin("tasks/get", json!({ "taskId": whole }));
    let line = third.line();
    for part in [
        r#""structuredContent":{"n":12345678901234567890123,"shade":"blue"}"#,
        r#""example.org/x":1.5"#,
        r#""isError":true"#,
        r#""text":"moved""#,
    ] {
        assert!(line.contains(part), "{part} in {line}");
    }
    for foreign in ["mine", "x"] {
        let answer = third.get(foreign);
        assert_eq!(answer["error"]["data"]["code"], "unknown_task", "{answer}");
    }
    third.end();
    here.end();
}

#[test]
fn a_host_without_needed_tasks_ends_by_itself() {
    let here = workspace();
    let mut server = Server::start(&here, &["--task-lifetime", "2s"]);
    let id = server.task("slow");
    go(&here);
    server.until(&id, "completed");
    server.end();
    here.nothing_is_left();
}

#[test]
fn a_person_aborts_a_task() {
    let here = workspace();
    let mut server = Server::start(&here, &[]);
    let id = server.task("slow");
    let told = here.done(&["abort", &id]);
    assert!(told.stdout.contains("was told to end"), "{told:?}");
    server.until(&id, "cancelled");
    server.end();
    here.end();
}

#[test]
fn without_the_session_host_tasks_end_with_their_server() {
    let here = workspace();
    let mut server = Server::start(&here, &["--no-session-host"]);
    let id = server.task("slow");
    assert_eq!(server.get(&id)["status"], "working");
    assert!(here.hosts().is_empty());
    until(|| !here.tools().is_empty());
    let tool = here.tools()[0];
    server.end();
    assert!(!is_alive(tool));
    let mut server = Server::start(&here, &[]);
    let answer = server.get(&id);
    assert_eq!(answer["error"]["data"]["code"], "unknown_task", "{answer}");
    assert!(here.hosts().is_empty(), "to ask for a task starts no host");
    server.end();
}

#[test]
fn a_host_that_is_killed_leaves_nothing_and_the_next_call_starts_another() {
    let here = workspace();
    let mut server = Server::start(&here, &[]);
    let id = server.task("slow");
    until(|| !here.tools().is_empty());
    signal(here.host(), "KILL");
    until(|| here.hosts().is_empty());
    for tool in here.tools() {
        until(|| !is_alive(tool));
    }
    let answer = server.get(&id);
    assert_eq!(answer["error"]["data"]["code"], "unknown_task", "{answer}");
    let next = server.task("slow");
    go(&here);
    server.until(&next, "completed");
    server.end();
    here.end();
}

#[test]
fn a_warm_tool_stays_warm_from_server_to_server() {
    let here = workspace();
    let patient = ["--task-after", "60s"];
    // So that the host has somebody from server to server.
    let mut server = Server::start(&here, &[]);
    server.task("slow");
    server.end();
    let mut processes = Vec::new();
    for _ in 0..2 {
        let mut server = Server::of(&here, &patient);
        for _ in 0..2 {
            let answer = server.call("where");
            let process = &answer["result"]["structuredContent"]["pid"];
            processes.push(process.as_u64().unwrap_or_else(|| panic!("{answer}")));
        }
        server.end();
    }
    assert!(
        processes.iter().all(|one| *one == processes[0]),
        "{processes:?}"
    );
    let mut cold = Server::of(&here, &[&patient[..], &["--no-warm"]].concat());
    let answer = cold.call("where");
    assert_ne!(answer["result"]["structuredContent"]["pid"], processes[0]);
    cold.end();
    here.end();
}

#[test]
fn a_call_in_progress_when_stdin_ends_is_still_answered() {
    let here = workspace();
    let mut server = Server::of(&here, &["--task-after", "60s"]);
    let id = server.begin("tools/call", json!({ "name": "now", "arguments": {} }));
    drop(server.stdin.take());
    let answer: Value = serde_json::from_str(&server.line()).unwrap();
    assert_eq!(answer["id"], id);
    assert_eq!(answer["result"]["content"][0]["text"], "at once\n");
    assert!(server.child.wait().unwrap().success());
    here.end();
}
