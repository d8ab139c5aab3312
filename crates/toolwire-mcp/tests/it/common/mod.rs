//! What the tests of the client share: the servers, and a call with answers.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolwire::Json;
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire_host::{
    CallOptions, CallOutcome, Command, Observer, PendingQuestion, ProcessOptions, call,
};
use toolwire_mcp::client::{Client, ClientOptions, Server};

/// The revisions, the oldest first.
pub const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", "2026-07-28"];

pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/servers")
        .join(name)
}

/// The plain server on stdio.
pub fn plain(revision: &str) -> Server {
    let command = Command::new(script("plain.py")).arg(revision);
    Server::program(command, ProcessOptions::default())
}

/// A server that misbehaves in this way.
pub fn hostile(way: &str) -> Server {
    let command = Command::new(script("hostile.py")).arg(way);
    Server::program(command, ProcessOptions::default())
}

pub async fn connect(server: &Server, options: &ClientOptions) -> Client {
    Client::connect("plain", server, options).await.unwrap()
}

/// What a server says on stderr.
#[derive(Clone, Default)]
pub struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    pub fn options(&self) -> ClientOptions {
        let heard = Arc::clone(&self.0);
        let observer = Observer::new(move |piece| heard.lock().unwrap().extend_from_slice(piece));
        ClientOptions {
            on_stderr: Some(observer),
            ..ClientOptions::default()
        }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

/// Calls a tool; its questions get the answers with their ids, each of which must be asked.
pub async fn called(
    client: &Client,
    tool: &str,
    arguments: &str,
    answers: &[(&str, &str)],
) -> CallOutcome {
    let mut given: BTreeMap<&str, &str> = answers.iter().copied().collect();
    let mut answer = |asked: &PendingQuestion| {
        let id = asked.question.id.as_str();
        let value = given.remove(id);
        let value = value.unwrap_or_else(|| panic!("`{id}` is asked"));
        match value {
            "open" => Answer::opened(AnswerSource::User),
            "decline" => Answer::declined(AnswerSource::User),
            "cancel" => Answer::cancelled(AnswerSource::User),
            value => Answer::accepted(Json::new(value).unwrap(), AnswerSource::User),
        }
    };
    let document = Call::new(tool, Json::new(arguments).unwrap());
    let transport = client.call();
    let outcome = call(&transport, document, &CallOptions::default(), &mut answer).await;
    assert!(given.is_empty(), "not asked: {given:?}");
    outcome.unwrap()
}

/// The text of a result's first block.
pub fn text(outcome: &CallOutcome) -> String {
    let block = outcome.parsed.block(0).expect("a block");
    block.text().expect("a text").into_owned()
}

/// A server on HTTP, which ends with this.
pub struct Http {
    child: Child,
    pub port: u16,
}

impl Http {
    pub fn start(words: &[&str]) -> Http {
        let mut child = std::process::Command::new(script("plain_http.py"))
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        Http {
            port: line.trim().parse().unwrap(),
            child,
        }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    pub fn server(&self) -> Server {
        Server::http(self.url())
    }

    /// What it has seen by a while after a line, once it was ended.
    pub fn seen_by(mut self, last: &str) -> String {
        let stderr = BufReader::new(self.child.stderr.take().unwrap());
        let (sender, lines) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let lines = stderr.lines().map_while(Result::ok);
            lines.for_each(|line| drop(sender.send(line + "\n")));
        });
        let mut seen = String::new();
        while !seen.ends_with(last) {
            let next = lines.recv_timeout(Duration::from_secs(60));
            seen += &next.unwrap_or_else(|_| panic!("it has only seen {seen:?}"));
        }
        std::thread::sleep(Duration::from_millis(300));
        self.child.kill().unwrap();
        seen.extend(lines);
        seen
    }

    /// What it has seen, once it was ended.
    pub fn seen(mut self) -> String {
        self.child.kill().unwrap();
        let mut seen = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        std::io::Read::read_to_string(&mut stderr, &mut seen).unwrap();
        seen
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
