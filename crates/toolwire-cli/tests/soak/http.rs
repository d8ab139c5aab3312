//! Over HTTP: one server, and as many clients as there are calls in flight, each with a connection that stays,
//! and for the older revisions a session.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::IN_FLIGHT;
use crate::message::{self, Next, REVISIONS, is_new};
use crate::server::{PATIENCE, Server};

pub fn soak(calls: u64) {
    let begun = Instant::now();
    let mut server = Server::start(&["--http", "127.0.0.1:0", "--no-token"]);
    let mut stderr = BufReader::new(server.child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    let url = line
        .trim_end()
        .strip_prefix("toolwire: serving at http://")
        .unwrap_or_else(|| panic!("{line}"));
    let address = url.strip_suffix("/mcp").unwrap();

    let mut clients: Vec<Client> = (0..IN_FLIGHT)
        .map(|at| Client::start(address, REVISIONS[at % REVISIONS.len()]))
        .collect();
    let next = AtomicU64::new(1);
    let mut until = |last: u64| {
        std::thread::scope(|scope| {
            for client in &mut clients {
                let next = &next;
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number > last {
                            return;
                        }
                        client.call(number);
                    }
                });
            }
        });
        // Each client has taken one too many, which nobody has made.
        next.store(last + 1, Ordering::Relaxed);
    };
    until(calls / 5);
    let warm = server.holds();
    until(calls);
    server.is_flat_since("HTTP", &warm);
    drop(clients);
    let id = server.child.id().to_string();
    Command::new("kill").args(["-TERM", &id]).status().unwrap();
    server.ends();
    println!("soak: HTTP: {calls} calls in {:?}", begun.elapsed());
}

/// A client with one call at a time.
struct Client {
    peer: Peer,
    /// For calls, and for answers while a call goes on.
    calling: Connection,
    answering: Connection,
}

/// What the requests of a client have in common.
struct Peer {
    address: String,
    revision: &'static str,
    session: Option<String>,
}

struct Connection(BufReader<TcpStream>);

/// The head of a response, whose body is still to be read.
struct Head {
    status: u16,
    session: Option<String>,
    length: usize,
    chunked: bool,
}

impl Client {
    fn start(address: &str, revision: &'static str) -> Client {
        let mut client = Client {
            peer: Peer {
                address: address.to_owned(),
                revision,
                session: None,
            },
            calling: Connection::to(address),
            answering: Connection::to(address),
        };
        if !is_new(revision) {
            let request = client.peer.post(&message::initialize(revision), &[]);
            let head = client.calling.send(&request, 200);
            let mut answers = Vec::new();
            client
                .calling
                .messages(&head, |text| answers.push(text.to_owned()));
            assert!(answers[0].contains(revision), "{answers:?}");
            client.peer.session = head.session;
            client
                .answering
                .tell(&client.peer.post(message::INITIALIZED, &[]));
        }
        client
    }

    fn call(&mut self, number: u64) {
        let Client {
            peer,
            calling,
            answering,
        } = self;
        let mut params = message::call(number, peer.revision);
        loop {
            let request = message::request(number, "tools/call", &params);
            let headers = [("mcp-method", "tools/call"), ("mcp-name", "repeat")];
            let headers = if is_new(peer.revision) {
                &headers[..]
            } else {
                &[]
            };
            let head = calling.send(&peer.post(&request, headers), 200);
            let (mut ends, mut again) = (0, None);
            calling.messages(&head, |text| match message::read(text, peer.revision) {
                Next::Done(of) => {
                    assert_eq!(of, number, "an answer to another call");
                    ends += 1;
                }
                Next::Again(of, params) => {
                    assert_eq!(of, number, "a question of another call");
                    again = Some(params);
                    ends += 1;
                }
                // The stream goes on while its question is answered beside it.
                Next::Respond(of, response) => {
                    assert_eq!(of, number, "a question of another call");
                    answering.tell(&peer.post(&response, &[]));
                }
                Next::Nothing => {}
            });
            assert_eq!(ends, 1, "so many answers has {number}");
            match again {
                Some(next) => params = next,
                None => return,
            }
        }
    }
}

impl Peer {
    fn post(&self, body: &str, headers: &[(&str, &str)]) -> String {
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\naccept: application/json, text/event-stream\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n",
            self.address,
            body.len()
        );
        let mut header = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
        if let Some(session) = &self.session {
            header("mcp-session-id", session);
        }
        if self.session.is_some() || is_new(self.revision) {
            header("mcp-protocol-version", self.revision);
        }
        for (name, value) in headers {
            header(name, value);
        }
        format!("{head}\r\n{body}")
    }
}

impl Connection {
    fn to(address: &str) -> Connection {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Connection(BufReader::new(stream))
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).unwrap();
        assert!(read > 0, "the server has closed the connection");
        line.trim_end().to_owned()
    }

    /// Sends what has no answer.
    fn tell(&mut self, request: &str) {
        let head = self.send(request, 202);
        self.messages(&head, |text| panic!("nobody asked for {text}"));
    }

    fn send(&mut self, request: &str, status: u16) -> Head {
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let line = self.line();
        let mut head = Head {
            status: line.split(' ').nth(1).unwrap().parse().unwrap(),
            session: None,
            length: 0,
            chunked: false,
        };
        assert_eq!(head.status, status, "{request}");
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else {
                return head;
            };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "mcp-session-id" => head.session = Some(value.to_owned()),
                "content-length" => head.length = value.parse().unwrap(),
                "transfer-encoding" => head.chunked = value == "chunked",
                _ => {}
            }
        }
    }

    /// Reads the body to its end: one message, or a stream of events.
    fn messages(&mut self, head: &Head, mut take: impl FnMut(&str)) {
        if !head.chunked {
            let mut body = vec![0; head.length];
            self.0.read_exact(&mut body).unwrap();
            if !body.is_empty() {
                take(std::str::from_utf8(&body).unwrap());
            }
            return;
        }
        let mut text = String::new();
        loop {
            let length = usize::from_str_radix(&self.line(), 16).unwrap();
            let mut chunk = vec![0; length];
            self.0.read_exact(&mut chunk).unwrap();
            assert_eq!(self.line(), "");
            text.push_str(std::str::from_utf8(&chunk).unwrap());
            while let Some((event, rest)) = text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data:"));
                let data = data.unwrap_or_default().trim().to_owned();
                text = rest.to_owned();
                if !data.is_empty() {
                    take(&data);
                }
            }
            if length == 0 {
                assert_eq!(text, "", "an event is not whole");
                return;
            }
        }
    }
}
