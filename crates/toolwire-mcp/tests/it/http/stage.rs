//! A server on a port of its own, tools that are shell scripts, and HTTP written by hand.

use std::fs;
use std::io::{BufRead, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::oneshot;
use toolwire_mcp::server::{HttpOptions, HttpServer, ManifestOffer, Offer, ServeOptions, Server};

/// Long enough for the slowest machine; nothing waits so long but a test that fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Each gets a call on stdin. `echo` gives its arguments back to the letter.
const MANIFEST: &str = r#"
[tools.echo]
command = "./echo.sh"
[tools.echo.parameters]
x = { optional = true }
y = { optional = true }
[tools.tenant]
command = "./tenant.sh"
describe = true
[tools.ask]
command = "./ask.sh"
parameters = {}
[tools.numbers]
command = "./numbers.sh"
parameters = {}
[tools.slow]
command = "./slow.sh"
parameters = {}
[tools.brief]
command = "./brief.sh"
parameters = {}
"#;

const SCRIPTS: [(&str, &str); 6] = [
    (
        "tenant.sh",
        r#"case $(cat) in
             *'"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"tenant","inputSchema":{"type":"object","properties":{"tenant":{"type":"string","x-mcp-header":"Tenant"}}}}]}}' ;;
             *) echo done ;;
           esac"#,
    ),
    (
        "echo.sh",
        r#"call=$(cat); a=${call#*\"arguments\":}; a=${a%%\}*}\}
           printf '{"content":[{"type":"text","text":"%s"}],"structuredContent":%s}' "$(printf %s "$a" | sed 's/"/\\"/g')" "$a""#,
    ),
    (
        "ask.sh",
        r#"case $(cat) in
             *'"sure":'*) echo '{"content":[{"type":"text","text":"done"}]}' ;;
             *) echo '{"content":[{"type":"question","question":{"id":"sure","text":"Sure?","schema":{"type":"boolean"}}}]}' ;;
           esac"#,
    ),
    (
        "numbers.sh",
        r#"call=$(cat)
           case $call in
             *'"which":'*) a=${call#*\"which\":}; echo "{\"content\":[],\"structuredContent\":${a%%\}*}}}" ;;
             *) echo '{"content":[{"type":"question","question":{"id":"which","text":"Which?","schema":{"type":"object","properties":{"n":{"type":"integer"},"x":{"type":"number"}},"required":["n","x"]}}}]}' ;;
           esac"#,
    ),
    (
        "slow.sh",
        "trap 'touch stopped; exit' TERM; touch started; sleep 60 & wait $!",
    ),
    (
        "brief.sh",
        "touch started; sleep 1; touch finished; echo finished",
    ),
];

pub struct Stage {
    folder: tempfile::TempDir,
}

/// A server that is stopped when it goes.
pub struct Running {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What a server answers.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(':'));
        let (_, value) = lines.find(|(other, _)| other.eq_ignore_ascii_case(name))?;
        Some(value.trim())
    }

    /// The last message, of a stream or alone.
    pub fn message(&self) -> Value {
        let mut data = self
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data:"));
        let text = data.rfind(|data| !data.trim().is_empty());
        let text = text.unwrap_or(&self.body);
        serde_json::from_str(text).unwrap_or_else(|_| panic!("no message: {self:?}"))
    }
}

pub fn options() -> HttpOptions {
    HttpOptions {
        no_token: true,
        ..HttpOptions::new("127.0.0.1:0".parse().unwrap())
    }
}

/// A call of 2026-07-28, which has all in it.
pub fn call(tool: &str, arguments: &str) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    });
    format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{meta}}}}}"#
    )
}

pub fn initialize(version: &str) -> String {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": version, "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "test", "version": "1"},
        },
    })
    .to_string()
}

impl Stage {
    pub fn new() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("toolwire.toml"), MANIFEST).unwrap();
        for (name, text) in SCRIPTS {
            let path = folder.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Stage { folder }
    }

    /// Serves the tools until the server goes.
    pub fn serve(&self, http: HttpOptions) -> Running {
        self.serve_with(http, |_| ())
    }

    /// The same with other options of the server.
    pub fn serve_with(&self, http: HttpOptions, change: fn(&mut ServeOptions)) -> Running {
        let path = self.folder.path().join("toolwire.toml");
        let manifest = Some(ManifestOffer {
            path: Some(path),
            ..ManifestOffer::default()
        });
        let offer = Offer {
            manifest,
            ..Offer::default()
        };
        let mut options = ServeOptions::new(offer).unwrap();
        options.process.cwd = Some(self.folder.path().to_owned());
        change(&mut options);
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let server = Server::start(options);
                server.ready().await.unwrap();
                let http = HttpServer::bind(http).await.unwrap();
                tell.send(http.address()).unwrap();
                let stop = async {
                    let _ = stopped.await;
                };
                http.serve(&server, stop).await.unwrap();
            });
        });
        Running {
            address: told.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.folder.path().join(name).exists()
    }

    pub fn forget(&self, names: &[&str]) {
        for name in names {
            let _ = fs::remove_file(self.folder.path().join(name));
        }
    }

    pub fn until(&self, what: &str, holds: impl Fn() -> bool) {
        let start = Instant::now();
        while !holds() {
            assert!(start.elapsed() < PATIENCE, "never: {what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Running {
    /// A request of the transport, with the headers that it needs for its body, and these.
    pub fn post(&self, headers: &[(&str, &str)], body: &str) -> Answer {
        self.send("POST", "/mcp", headers, body)
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        exchange(self.address, &self.request(method, path, headers, body)).unwrap()
    }

    /// With these headers and no others.
    pub fn send_only(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut all = vec![("host", "localhost"), ("connection", "close")];
        all.extend(headers);
        exchange(self.address, &text(method, path, &all, body)).unwrap()
    }

    pub fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> String {
        request(method, path, headers, body)
    }

    pub fn connect(&self) -> TcpStream {
        connect(self.address).unwrap()
    }

    /// Writes something, and gives all that comes until the server closes the connection.
    pub fn write_and_wait(&self, text: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        let mut read = Vec::new();
        let _ = stream.read_to_end(&mut read);
        String::from_utf8_lossy(&read).into_owned()
    }

    /// Sends a request, and closes the connection as soon as something holds; gives what came until then.
    pub fn hang_up(
        &self,
        method: &str,
        headers: &[(&str, &str)],
        body: &str,
        holds: impl Fn() -> bool,
    ) -> String {
        let mut stream = self.connect();
        let request = self.request(method, "/mcp", headers, body);
        stream.write_all(request.as_bytes()).unwrap();
        let start = Instant::now();
        while !holds() {
            assert!(start.elapsed() < PATIENCE, "the call does not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
        stream.set_nonblocking(true).unwrap();
        let mut read = Vec::new();
        let _ = stream.read_to_end(&mut read);
        String::from_utf8_lossy(&read).into_owned()
    }

    /// Sends a request, and reads until something has come.
    pub fn read_until(&self, request: &str, text: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let (mut read, mut piece) = (String::new(), [0; 4096]);
        while !read.contains(text) {
            match stream.read(&mut piece) {
                Ok(length @ 1..) => read.push_str(&String::from_utf8_lossy(&piece[..length])),
                _ => break,
            }
        }
        read
    }

    /// Begins a session of this version; the headers of its requests.
    pub fn session(&self, version: &str) -> [(&'static str, String); 2] {
        let hello = self.post(&[], &initialize(version));
        let session = hello.header("mcp-session-id").unwrap().to_owned();
        let headers = [
            ("mcp-session-id", session),
            ("mcp-protocol-version", version.to_owned()),
        ];
        let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let told = self.post(
            &headers
                .each_ref()
                .map(|(name, value)| (*name, value.as_str())),
            ready,
        );
        assert_eq!(told.status, 202, "{told:?}");
        headers
    }

    /// Sends a request and gives all that its stream says. Each request of the server on it is answered, on a
    /// connection of its own, with the next of these results.
    pub fn converse(&self, headers: &[(&str, &str)], body: &str, results: &[&str]) -> String {
        let mut stream = self.connect();
        let request = self.request("POST", "/mcp", headers, body);
        stream.write_all(request.as_bytes()).unwrap();
        let mut lines = std::io::BufReader::new(stream).lines();
        let (mut read, mut results) = (String::new(), results.iter());
        while let Some(Ok(line)) = lines.next() {
            read.push_str(&line);
            read.push('\n');
            let data = line.strip_prefix("data: ").unwrap_or_default();
            let message: Value = serde_json::from_str(data).unwrap_or_default();
            if message["method"] == "elicitation/create" {
                let result = results.next().expect("no more questions");
                let id = &message["id"];
                let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
                assert_eq!(self.post(headers, &answer).status, 202);
            }
        }
        read
    }

    pub fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
    }
}

pub fn post(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> Answer {
    try_post(address, headers, body).unwrap()
}

pub fn try_post(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> Option<Answer> {
    exchange(address, &request("POST", "/mcp", headers, body))
}

/// The headers that the transport asks for, unless others are given.
fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let message: Value = serde_json::from_str(body).unwrap_or_default();
    let version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    let mut all = vec![
        ("host", "localhost"),
        ("connection", "close"),
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
    ];
    let name = message["params"]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    if version == "2026-07-28" {
        let of_version = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", name.as_str()),
        ];
        all.extend(of_version);
    }
    all.retain(|(name, _)| !headers.iter().any(|(other, _)| other == name));
    all.extend(headers);
    text(method, path, &all, body)
}

fn text(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !headers.iter().any(|(name, _)| *name == "transfer-encoding") {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    format!("{text}\r\n{body}")
}

fn connect(address: SocketAddr) -> Option<TcpStream> {
    let stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    Some(stream)
}

/// Sends a request and reads the answer to its end.
fn exchange(address: SocketAddr, request: &str) -> Option<Answer> {
    let mut stream = connect(address)?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut bytes = Vec::new();
    // What was refused early may be reset after the answer.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let head = head.to_owned();
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked {
        unchunk(body)
    } else {
        body.to_owned()
    };
    Some(Answer { status, head, body })
}

fn unchunk(mut text: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = text.split_once("\r\n") {
        let Ok(length @ 1..) = usize::from_str_radix(length.trim(), 16) else {
            break;
        };
        whole.push_str(rest.get(..length).unwrap_or(rest));
        text = rest.get(length + 2..).unwrap_or("");
    }
    whole
}
