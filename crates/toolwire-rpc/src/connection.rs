//! A way to the other side, as two halves that a peer polls side by side.

use std::fmt;
use std::sync::atomic::AtomicU64;

use crate::{Damage, Id, Message};

/// A way to the other side.
pub trait Connection: Send + 'static {
    /// Where messages come from.
    type Source: Source + 'static;
    /// Where they go.
    type Sink: Sink + 'static;

    /// The two halves.
    fn split(self) -> (Self::Source, Self::Sink);
}

impl<S: Source + 'static, K: Sink + 'static> Connection for (S, K) {
    type Source = S;
    type Sink = K;

    fn split(self) -> (S, K) {
        self
    }
}

/// Where messages come from.
pub trait Source: Send {
    /// The next message. Cancel-safe: what was read of one stays with the source.
    fn next(&mut self) -> impl Future<Output = Came> + Send;

    /// Reads on to nowhere until the other side ends: a program that writes to a closed pipe dies of it before it
    /// can clean up.
    fn drain(&mut self) -> impl Future<Output = ()> + Send;
}

/// Where messages go.
pub trait Sink: Send {
    /// Sends a message; `written` counts the bytes that got through. Not cancel-safe.
    fn send(
        &mut self,
        out: Outgoing,
        written: &AtomicU64,
    ) -> impl Future<Output = Result<(), Closed>> + Send;

    /// Ends it: closes the pipe, or deletes the session.
    fn close(&mut self) -> impl Future<Output = ()> + Send;
}

/// What has come. The second value is this side's request on whose stream it came, if the connection knows.
#[derive(Debug)]
pub enum Came {
    /// A message.
    Message(Message, Option<u64>),
    /// What is no message.
    Damage(Damage, Option<u64>),
    /// The stream of this request ended without its answer.
    StreamEnded(u64, Damage),
    /// Nothing more comes.
    Closed(Closed),
}

/// What is sent.
#[derive(Debug)]
pub enum Outgoing {
    /// A message.
    Message {
        /// Its text.
        text: String,
        /// Its id, if it is a request.
        id: Option<u64>,
        /// The request of the other side that it belongs to, if it does.
        stream: Option<Id>,
        /// What becomes headers over HTTP, and nothing on lines.
        labels: Vec<(String, String)>,
    },
    /// The answer to a request of the other side.
    Answer {
        /// Its text.
        text: String,
        /// The request, if its id could be read.
        to: Option<Id>,
        /// The code of the error, if it is one.
        code: Option<i32>,
    },
    /// The answer to a request is no longer wanted.
    Cancel {
        /// The notification that says so.
        text: String,
        /// The request.
        id: u64,
    },
}

impl Outgoing {
    /// How many bytes are kept until it is written.
    pub(crate) fn size(&self) -> usize {
        match self {
            Outgoing::Message { text, .. } | Outgoing::Answer { text, .. } => text.len(),
            Outgoing::Cancel { .. } => 0,
        }
    }
}

/// Why a connection is closed. It is shown as a sentence about the other side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    /// The other side ended it.
    Ended,
    /// It sent a message of more bytes than this.
    TooLong(usize),
    /// It did not read.
    Stalled,
    /// The connection failed.
    Broken(String),
    /// This side ended it.
    Local,
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Closed::Ended => f.write_str("it ended"),
            Closed::TooLong(limit) => write!(f, "it sent a message of more than {limit} bytes"),
            Closed::Stalled => f.write_str("it sends requests and does not read the answers"),
            Closed::Broken(why) => f.write_str(why),
            Closed::Local => f.write_str("the connection was closed"),
        }
    }
}
