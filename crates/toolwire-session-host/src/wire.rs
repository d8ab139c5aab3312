//! What a client and the host say to each other: one JSON object a line, with the types of
//! `toolwire_host::handles`.

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};
use toolwire::call::AnswerSource;
use toolwire_host::Fetched;
use toolwire_host::handles::{Apply, Fetch, Listed, Spawn, Wait, Waited};

/// The longest line, its end included.
pub(crate) const MAX_LINE: u64 = 64 * 1024 * 1024;

/// The first line of the host, once it serves a client.
pub(crate) const READY: &str = "{\"ready\":true}\n";

/// A line of a client. What answers it has the same number.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RequestLine {
    pub request: u64,
    #[serde(rename = "do")]
    pub what: Request,
}

/// The requests of [`Handles`](toolwire_host::handles::Handles), and what is beside them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Request {
    Spawn(Box<Spawn>),
    Fetch(Fetch),
    Apply(Apply),
    Abort(String, AnswerSource),
    List(Vec<String>),
    Wait(Wait),
    /// Whoever wanted to spawn this id could not: what runs under it is not theirs.
    NotSpawned(String),
    /// A person takes part in the terminal of this handle, with so many columns and rows of their own.
    Attach(String, u16, u16),
    /// What a person types who has attached with the same number: bytes in base64.
    Type(String),
    /// The columns and rows of their terminal.
    Size(u16, u16),
    /// They leave.
    Leave,
    /// From now on, the connection is one of a server to the keeper of its tasks.
    Tasks,
}

/// A line of the host.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReplyLine {
    pub request: u64,
    #[serde(rename = "say")]
    pub what: Reply,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Reply {
    Fetched(Box<Fetched>),
    Listed(Vec<Listed>),
    Waited(Waited),
    /// What draws the terminal, or what its program writes: bytes in base64.
    Output(String),
    /// The terminal is gone, or the person has left.
    Left,
    /// What was asked for can't be done.
    Refused(String),
}

pub(crate) fn line(message: &impl Serialize) -> Option<String> {
    let mut text = serde_json::to_string(message).ok()?;
    text.push('\n');
    Some(text)
}

/// What came instead of a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoLine {
    End,
    TooLong,
    /// It was begun and not ended in time.
    TooSlow,
}

/// The next line, its end included.
pub(crate) async fn read_line(
    from: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
) -> Result<(), NoLine> {
    line.clear();
    let read = (&mut *from).take(MAX_LINE).read_until(b'\n', line).await;
    match read {
        Ok(read) if read > 0 && line.ends_with(b"\n") => Ok(()),
        Ok(read) if read as u64 == MAX_LINE => Err(NoLine::TooLong),
        _ => Err(NoLine::End),
    }
}
