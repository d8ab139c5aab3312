//! A client of raw lines, and a server over real programs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split,
};
use tokio::task::JoinHandle;
use toolwire_host::{Command, Environment};
use toolwire_mcp::server::{
    Offer, ProcessSettings, Reporter, ServeError, ServeOptions, Server, serve,
};

pub const OLD: [&str; 2] = ["2025-06-18", "2025-11-25"];
pub const NEW: &str = "2026-07-28";

/// Longer than anything here takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn kit() -> Command {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/serving/kit.py");
    Command::new(file)
}

/// A server's surroundings: a folder for its tools, and what was reported.
pub struct Place {
    pub folder: tempfile::TempDir,
    pub reported: Arc<Mutex<Vec<String>>>,
}

impl Place {
    pub fn new() -> Self {
        Place {
            folder: tempfile::tempdir().unwrap(),
            reported: Arc::default(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program for `sh`.
    pub fn script(&self, name: &str, text: &str) -> Command {
        let path = self.path(&format!("{name}.sh"));
        std::fs::write(&path, text).unwrap();
        Command::new(path)
    }

    pub fn options(&self, programs: Vec<Command>) -> ServeOptions {
        let offer = Offer {
            programs,
            ..Offer::default()
        };
        let reported = Arc::clone(&self.reported);
        let runs = self.path("runs").to_string_lossy().into_owned();
        ServeOptions {
            process: ProcessSettings {
                env: vec![("RUNS".to_owned(), runs)],
                usual: Environment::all(),
                root: Some("/work".to_owned()),
                ..ProcessSettings::default()
            },
            poll: Duration::from_millis(50),
            reporter: Reporter::new(move |message| {
                reported.lock().unwrap().push(message.to_owned());
            }),
            ..ServeOptions::new(offer).unwrap()
        }
    }

    /// How often the tool that counts its runs has run.
    pub fn runs(&self) -> usize {
        std::fs::read_to_string(self.path("runs")).map_or(0, |runs| runs.lines().count())
    }
}

/// A client that has begun to speak a revision.
pub struct Client {
    write: WriteHalf<DuplexStream>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    pub serving: JoinHandle<Result<(), ServeError>>,
    revision: &'static str,
    pub capabilities: Value,
    next: u64,
    /// Notifications so far.
    pub notified: Vec<Value>,
    /// The responses to requests of the server, first to last.
    pub responses: Vec<Value>,
    /// The requests of the server.
    pub requested: Vec<Value>,
}

impl Client {
    pub fn connect(server: &Server) -> Self {
        Client::of(server, "", json!({ "elicitation": {} }))
    }

    /// A client of 2026-07-28 with a principal.
    pub fn of(server: &Server, principal: &'static str, capabilities: Value) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (server, (read, write)) = (server.clone(), split(theirs));
        let serving = tokio::spawn(async move {
            serve(&server, principal, read, write, std::future::pending()).await
        });
        Client::new(ours, serving, capabilities)
    }

    fn new(
        ours: DuplexStream,
        serving: JoinHandle<Result<(), ServeError>>,
        capabilities: Value,
    ) -> Self {
        let (read, write) = split(ours);
        Client {
            write,
            lines: BufReader::new(read).lines(),
            serving,
            revision: NEW,
            capabilities,
            next: 1,
            notified: Vec::new(),
            responses: Vec::new(),
            requested: Vec::new(),
        }
    }

    /// A client that speaks this revision.
    pub async fn speak(server: &Server, revision: &'static str, capabilities: Value) -> Self {
        let mut client = Client::connect(server);
        client.revision = revision;
        client.capabilities = capabilities.clone();
        if revision != NEW {
            let info = json!({ "name": "Ada", "version": "1" });
            let params = json!({ "protocolVersion": revision, "capabilities": capabilities, "clientInfo": info });
            let answer = client.request("initialize", params).await;
            assert_eq!(answer["result"]["protocolVersion"], revision, "{answer}");
            client.notify("notifications/initialized", json!({})).await;
        }
        client
    }

    pub async fn line(&mut self, line: &str) {
        self.write.write_all(line.as_bytes()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    pub async fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.line(&message.to_string()).await;
    }

    /// What every request of this revision has.
    fn meta(&self, mut params: Value) -> Value {
        if self.revision == NEW {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = NEW.into();
            meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "Ada", "version": "1" });
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        }
        params
    }

    /// Sends a request and returns its id.
    pub async fn begin(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let params = self.meta(params);
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.line(&message.to_string()).await;
        id
    }

    /// The next message, whatever it is; nothing when the server has ended.
    pub async fn next_line(&mut self) -> Option<String> {
        let line = tokio::time::timeout(PATIENCE, self.lines.next_line()).await;
        line.expect("the server says nothing").unwrap()
    }

    /// The response to a request. Requests of the server are answered with what is prepared.
    pub async fn response(&mut self, id: u64) -> Value {
        loop {
            let line = self.next_line().await.expect("the server has ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            match (message.get("id"), message.get("method")) {
                (Some(of), None) if *of == id => return message,
                (Some(of), Some(_)) => {
                    let result = match self.responses.is_empty() {
                        true => panic!("not expected: {message}"),
                        false => self.responses.remove(0),
                    };
                    let answer = json!({ "jsonrpc": "2.0", "id": of, "result": result });
                    self.requested.push(message.clone());
                    self.line(&answer.to_string()).await;
                }
                _ => self.notified.push(message),
            }
        }
    }

    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        self.response(id).await
    }

    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        self.request("tools/call", params).await
    }

    /// Waits until a notification with this method has come.
    pub async fn notified(&mut self, method: &str) -> Value {
        let is_it = |message: &Value| message["method"] == method;
        if let Some(at) = self.notified.iter().position(is_it) {
            return self.notified.remove(at);
        }
        loop {
            let line = self.next_line().await.expect("the server has ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if is_it(&message) {
                return message;
            }
            self.notified.push(message);
        }
    }

    /// Closes stdin and waits for the end.
    pub async fn leave(self) -> Result<(), ServeError> {
        drop((self.write, self.lines));
        tokio::time::timeout(PATIENCE, self.serving)
            .await
            .unwrap()
            .unwrap()
    }
}

/// The text of a result.
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {answer}"))
}
