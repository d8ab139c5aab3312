//! The client that all servers get: a process, lines of JSON, and no more work than that takes.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A revision of MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revision {
    /// With a handshake.
    V2025_11_25,
    /// Without one: every request says what the client can do.
    V2026_07_28,
}

impl Revision {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }
}

/// A connection to a server. The server is ended with it.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    line: String,
    /// The part of a call behind its id.
    call: String,
    next: u64,
}

/// How long it took from the start of a server to what it said first.
#[derive(Debug, Clone, Copy)]
pub struct First {
    /// The answer to `initialize`.
    pub answer: Duration,
    /// The result of the first call.
    pub result: Duration,
}

impl Client {
    /// Starts a server, waits for its answer to `initialize` where the revision has that, and calls the tool
    /// once.
    ///
    /// # Errors
    ///
    /// If the server can't be started, or answers with anything but `ok`.
    pub fn start(command: &mut Command, revision: Revision) -> Result<(Client, First), String> {
        let begun = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {command:?}: {error}"))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or("no stdout")?;
        let info = json!({ "name": "bench", "version": "1" });
        let mut params = json!({ "name": "noop", "arguments": {} });
        if revision == Revision::V2026_07_28 {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": revision.as_str(),
                "io.modelcontextprotocol/clientInfo": info,
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let mut client = Client {
            child,
            stdin,
            stdout: BufReader::new(stdout),
            line: String::new(),
            call: format!(r#","method":"tools/call","params":{params}}}"#),
            next: 1,
        };
        if revision == Revision::V2025_11_25 {
            let params = json!({ "protocolVersion": revision.as_str(), "capabilities": {}, "clientInfo": info });
            let request =
                json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
            client.write(&request.to_string())?;
            let message = client.response()?;
            if message["result"]["protocolVersion"] != revision.as_str() {
                return Err(format!("{command:?} answers {message}"));
            }
        }
        let answer = begun.elapsed();
        if revision == Revision::V2025_11_25 {
            client.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
        }
        client.one()?;
        let result = begun.elapsed();
        Ok((client, First { answer, result }))
    }

    /// Makes a call and waits for its result.
    ///
    /// # Errors
    ///
    /// If that is not `ok`.
    pub fn one(&mut self) -> Result<Duration, String> {
        let begun = Instant::now();
        let id = self.begin()?;
        let answered = self.ok()?;
        match answered == id {
            true => Ok(begun.elapsed()),
            false => Err(format!("the answer is for {answered} instead of {id}")),
        }
    }

    /// Makes so many calls with so many of them in flight; the time for all, and for each.
    ///
    /// # Errors
    ///
    /// If a result is not `ok`, or for no call.
    pub fn many(
        &mut self,
        calls: usize,
        in_flight: usize,
    ) -> Result<(Duration, Vec<Duration>), String> {
        let begun = Instant::now();
        let mut open = HashMap::new();
        let mut times = Vec::with_capacity(calls);
        let mut left = calls;
        while times.len() < calls {
            while left > 0 && open.len() < in_flight {
                open.insert(self.next, Instant::now());
                self.begin()?;
                left -= 1;
            }
            let id = self.ok()?;
            let since = open
                .remove(&id)
                .ok_or_else(|| format!("nobody asked {id}"))?;
            times.push(since.elapsed());
        }
        Ok((begun.elapsed(), times))
    }

    fn begin(&mut self) -> Result<u64, String> {
        let id = self.next;
        self.next += 1;
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id}{}"#, self.call);
        self.write(&line)?;
        Ok(id)
    }

    fn write(&mut self, line: &str) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("stdin is closed")?;
        // One write, so that the server does not wake up for half a message.
        let line = format!("{line}\n");
        stdin
            .write_all(line.as_bytes())
            .map_err(|error| format!("the server does not read: {error}"))
    }

    /// The next message that answers a request.
    fn response(&mut self) -> Result<Value, String> {
        loop {
            self.line.clear();
            let read = self.stdout.read_line(&mut self.line);
            if read.map_err(|error| error.to_string())? == 0 {
                return Err("the server has ended".to_owned());
            }
            let message: Value = serde_json::from_str(&self.line)
                .map_err(|error| format!("{error}: {}", self.line))?;
            if message.get("method").is_none() {
                return Ok(message);
            }
        }
    }

    /// The id of the next call that has a result.
    fn ok(&mut self) -> Result<u64, String> {
        let message = self.response()?;
        let result = &message["result"];
        let fits = result["content"][0]["text"] == "ok" && result["isError"] != true;
        match message["id"].as_u64() {
            Some(id) if fits => Ok(id),
            _ => Err(format!("the result is not `ok`: {message}")),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.stdin.take());
        // Some servers take long to end, which is not what is measured.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
