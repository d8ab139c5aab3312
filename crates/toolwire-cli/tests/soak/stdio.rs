//! Over stdio: a server for each revision, with all calls on one connection.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

use crate::IN_FLIGHT;
use crate::message::{self, Next, REVISIONS, is_new};
use crate::server::Server;

struct Connection {
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    revision: &'static str,
}

pub fn soak(calls: u64) {
    let share = calls.div_ceil(REVISIONS.len() as u64);
    for revision in REVISIONS {
        let begun = Instant::now();
        let mut server = Server::start(&[]);
        let mut connection = Connection {
            stdin: server.child.stdin.take().unwrap(),
            stdout: BufReader::new(server.child.stdout.take().unwrap()),
            revision,
        };
        connection.begin();
        let warm = share / 5;
        connection.calls(1..=warm);
        let held = server.holds();
        connection.calls(warm + 1..=share);
        server.is_flat_since(&format!("stdio, {revision}"), &held);
        drop(connection.stdin);
        let mut rest = String::new();
        let read = connection.stdout.read_line(&mut rest).unwrap();
        assert_eq!(read, 0, "an answer too many: {rest}");
        server.ends();
        println!(
            "soak: stdio, {revision}: {share} calls in {:?}",
            begun.elapsed()
        );
    }
}

impl Connection {
    fn write(&mut self, line: &str) {
        self.stdin
            .write_all(format!("{line}\n").as_bytes())
            .unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.stdout.read_line(&mut line).unwrap();
        assert!(read > 0, "the server has ended");
        line
    }

    fn begin(&mut self) {
        if is_new(self.revision) {
            return;
        }
        self.write(&message::initialize(self.revision));
        let answer = self.line();
        assert!(answer.contains(self.revision), "{answer}");
        self.write(message::INITIALIZED);
    }

    /// Makes calls with these numbers until each has its result.
    fn calls(&mut self, mut numbers: impl Iterator<Item = u64>) {
        let mut open = BTreeSet::new();
        loop {
            while open.len() < IN_FLIGHT
                && let Some(number) = numbers.next()
            {
                let params = message::call(number, self.revision);
                self.write(&message::request(number, "tools/call", &params));
                open.insert(number);
            }
            if open.is_empty() {
                return;
            }
            match message::read(&self.line(), self.revision) {
                Next::Done(number) => {
                    assert!(open.remove(&number), "{number} is answered, but not open");
                }
                Next::Again(number, params) => {
                    assert!(open.contains(&number), "{number} asks, but is not open");
                    self.write(&message::request(number, "tools/call", &params));
                }
                Next::Respond(number, response) => {
                    assert!(open.contains(&number), "{number} asks, but is not open");
                    self.write(&response);
                }
                Next::Nothing => {}
            }
        }
    }
}
