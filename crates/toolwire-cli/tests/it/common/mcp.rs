//! `toolwire serve` as a process, and a client of 2026-07-28 that writes and reads its lines.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Dir, command};

pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn wait_for(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A server and its client.
pub struct Server {
    pub child: Child,
    pub stdin: Option<ChildStdin>,
    pub lines: Lines<BufReader<ChildStdout>>,
    pub next: u64,
}

impl Server {
    pub fn start(dir: &Dir, args: &[&str]) -> Self {
        Server::of(command(&[&["serve"], args].concat()), dir.path())
    }

    /// A server with this command, in a folder.
    pub fn of(mut command: Command, folder: &Path) -> Self {
        let mut child = command.current_dir(folder).spawn().unwrap();
        let stdin = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Server {
            child,
            stdin,
            lines,
            next: 1,
        }
    }

    pub fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
    }

    /// A request of 2026-07-28 and its response.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        loop {
            let line = self.lines.next().expect("the server has ended").unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            // One that was cancelled may still be answered.
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Sends a request; its id.
    pub fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        let meta = &mut params["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        let capabilities = &mut meta["io.modelcontextprotocol/clientCapabilities"];
        if capabilities.is_null() {
            *capabilities = json!({ "elicitation": {} });
        }
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&request);
        id
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    pub fn names(&mut self) -> Vec<String> {
        let answer = self.request("tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap();
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
        tools.iter().map(name).collect()
    }

    /// Closes stdin; the exit code and what was said on stderr.
    pub fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        self.ended()
    }

    pub fn ended(mut self) -> (Option<i32>, String) {
        let mut status = None;
        wait_for("the end", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        // A call that was stopped may still have got its response.
        while self.lines.next().is_some() {}
        let mut stderr = String::new();
        let from = self.child.stderr.take();
        from.unwrap().read_to_string(&mut stderr).unwrap();
        (status.unwrap().code(), stderr)
    }

    pub fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
    }
}
