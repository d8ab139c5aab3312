//! The records of standard input, read on a thread of their own, which may wait for them.

use std::thread;

use tokio::sync::mpsc;
use toolwire::{Limits, digest, digest_bytes};

use crate::exit::{Failure, Result};
use crate::input::Source;
use crate::lines;
use crate::run::arguments::{self, Members};

/// The most bytes of a line. One that is longer is no record.
pub const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A line of the input that is not blank.
pub struct Record {
    /// The number of its line, from 1; blank lines count.
    pub number: u64,
    /// The byte at which the next line begins.
    pub offset: u64,
    bytes: Vec<u8>,
}

/// The lines as they come. One waits here at most.
pub struct Records(mpsc::Receiver<Result<Record>>);

impl Records {
    /// Begins to read. The thread is left behind where nobody wants more: it may wait for somebody who types.
    pub fn read() -> Result<Records> {
        let (sender, receiver) = mpsc::channel(1);
        thread::Builder::new()
            .name("records".to_owned())
            .spawn(move || {
                let read = Source::open(None).and_then(|mut source| {
                    let hand_over = |line: lines::Line<'_>| {
                        let record = Record {
                            number: line.number,
                            offset: line.offset + line.bytes.len() as u64 + 1,
                            bytes: line.bytes.to_vec(),
                        };
                        let sent = sender.blocking_send(Ok(record));
                        sent.map_err(|_| Failure::Closed)
                    };
                    lines::for_each(&mut source, MOST_BYTES, hand_over, |_| ())
                });
                match read {
                    // Nobody wants more.
                    Ok(()) | Err(Failure::Closed) => {}
                    Err(failure) => {
                        let _ = sender.blocking_send(Err(failure));
                    }
                }
            })
            .map_err(|error| Failure::Io(format!("cannot read standard input: {error}")))?;
        Ok(Records(receiver))
    }

    /// The next one; nothing at the end.
    pub async fn next(&mut self) -> Option<Result<Record>> {
        self.0.recv().await
    }
}

impl Record {
    /// The arguments.
    pub fn arguments(&self) -> Result<Members> {
        let name = format!("line {} of the input", self.number);
        if self.bytes.len() > MOST_BYTES {
            let message = format!("{name} is longer than {MOST_BYTES} bytes");
            return Err(Failure::Wrong(vec![message]));
        }
        arguments::object(&self.bytes, &name)
    }

    /// What the line is known by in a journal: the digest of the canonical bytes, or of the line itself
    /// where it has none.
    pub fn digest(&self) -> String {
        digest(&self.bytes, &Limits::WIDEST).unwrap_or_else(|_| digest_bytes(&self.bytes))
    }
}
