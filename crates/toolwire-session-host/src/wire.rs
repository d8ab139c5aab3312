//! What a client and the host say to each other: one JSON object a line.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};
use toolwire::Json;

/// The versions that this software speaks.
pub(crate) const VERSIONS: &[u32] = &[1];

/// The longest line, its end included.
pub(crate) const MAX_LINE: u64 = 64 * 1024 * 1024;

/// The first line of a client.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub toolwire: u32,
    /// The versions that it speaks, the best one first.
    pub versions: Vec<u32>,
    pub software: String,
}

impl Hello {
    pub(crate) fn own() -> Self {
        Hello {
            toolwire: 1,
            versions: VERSIONS.to_vec(),
            software: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// The answer of the host.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Welcome {
    pub toolwire: u32,
    /// What both speak; nothing if there is nothing.
    pub version: Option<u32>,
    pub versions: Vec<u32>,
    pub software: String,
    /// Its process.
    pub process: u32,
    /// How many handles it has.
    pub handles: usize,
    /// Whether it ends, since it has none and is of another version.
    #[serde(default)]
    pub ending: bool,
}

/// A line of a client. What answers it has the same number.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RequestLine {
    pub request: u64,
    #[serde(rename = "do")]
    pub what: Request,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Request {
    Spawn(Box<Spawn>),
    Fetch(Fetch),
    Apply(Apply),
    Abort(Abort),
    Find(Find),
    List,
    /// Whoever wanted to spawn this id could not: what runs under it is not theirs.
    NotSpawned(String),
    Wait(Wait),
    Attach(Attach),
    /// What a person types who has attached with the same number: bytes in base64.
    Type(String),
    /// The columns and rows of their terminal.
    Size(u16, u16),
    /// They leave.
    Leave,
    /// From now on, the connection is one of a server to the keeper of its tasks.
    Tasks,
}

/// A tool is to begin.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spawn {
    /// The id of the handle.
    pub id: String,
    /// Who wants it: `user`, `assistant`, `default` or `policy`.
    pub by: String,
    /// The description of the tool (CALL-31), which says what can be done with it.
    pub tool: Json,
    /// The call document (CALL-1).
    pub call: Json,
    /// What is started.
    pub start: Start,
    /// How many seconds to wait for the first output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<f64>,
    /// A text to wait for in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The most bytes of blocks that are handed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
    /// For how many seconds nothing may happen to the handle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<f64>,
    /// Who answers the questions of the tool, by their ids; `*` stands for all others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub questions: BTreeMap<String, AnsweredBy>,
}

/// Who answers a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum AnsweredBy {
    /// A person, and no model.
    User,
    /// A person or a model.
    Assistant,
    /// Nobody: its default is the answer.
    Default,
    /// Nobody: it is declined.
    Decline,
    /// Nobody: this is the answer.
    Value(Json),
}

/// A program and all that it is started with. Nothing is taken from the host's own environment.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// How the program is talked to.
    pub kind: Kind,
    /// The program: an absolute path, or a name that is looked up on the `PATH` of `environment`.
    pub program: Word,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<Word>,
    /// All of its environment variables.
    pub environment: Vec<(Word, Word)>,
    /// The folder in which it runs, an absolute path.
    pub cwd: Word,
    /// The columns and rows of its pseudo-terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<(u16, u16)>,
    /// Seconds after which it is ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// The most bytes of the answer of a tool that runs once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<usize>,
}

impl Start {
    /// The program and its arguments, for people.
    pub(crate) fn words(&self) -> Vec<String> {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        words
            .map(|word| OsString::from(word).to_string_lossy().into_owned())
            .collect()
    }
}

/// How a program is talked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Kind {
    /// By the line transport (chapter 22).
    Lines,
    /// In a pseudo-terminal.
    Pty,
    /// By its standard streams.
    Pipe,
    /// It runs once for a call, and is run again with the answers to its questions.
    Once,
    /// It runs once, and gets no call.
    Plain,
}

/// A word of a command, a path or a variable: text, or the bytes of what is no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Word {
    /// It is Unicode.
    Text(String),
    /// It is not, which only Unix knows.
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Word {
    fn from(word: &OsStr) -> Self {
        match word.to_str() {
            Some(text) => Word::Text(text.to_owned()),
            None => Word::Bytes(word.as_encoded_bytes().to_vec()),
        }
    }
}

impl From<&Word> for OsString {
    fn from(word: &Word) -> Self {
        match word {
            Word::Text(text) => text.into(),
            #[cfg(unix)]
            Word::Bytes(bytes) => std::os::unix::ffi::OsStringExt::from_vec(bytes.clone()),
            #[cfg(not(unix))]
            Word::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned().into(),
        }
    }
}

/// What a tool has said is to be read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fetch {
    /// The handle.
    pub id: String,
    /// Who reads.
    pub by: String,
    /// The number of the last block that the reader has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// How many seconds to wait for something new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<f64>,
    /// A text to wait for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The most bytes of blocks that are handed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
    /// Of what is new, the most bytes of blocks that are kept: those before are skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<usize>,
    /// What is shown of a tool with a screen: `screen`, `changes` or `new`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
}

/// Something is given to a tool: exactly one of `input` and `answer`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Apply {
    /// The handle.
    pub id: String,
    /// Who gives it.
    pub by: String,
    /// Input, or the value that answers the open question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Json>,
    /// The answer to the open question, without its source (CALL-20).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Json>,
    /// The id of the question that is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// How many seconds to wait for what the tool says to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<f64>,
    /// A text to wait for in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The most bytes of blocks that are handed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<usize>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Abort {
    pub id: String,
    pub by: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Find {
    pub id: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Wait {
    pub ids: Vec<String>,
    pub any: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Attach {
    pub id: String,
    pub columns: u16,
    pub rows: u16,
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
    Fetched(Fetched),
    Found(Option<Found>),
    Handles(Vec<Listed>),
    Waited(Waited),
    /// What draws the terminal, or what its program writes: bytes in base64.
    Output(String),
    /// The terminal is gone, or the person has left.
    Left,
    Error {
        message: String,
    },
}

/// What has become of a command to a handle.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fetched {
    /// The state of the handle afterwards (SES-1).
    pub state: String,
    /// What the tool has said, or why the command was refused: an envelope.
    pub envelope: Json,
    /// Why the command was refused (SES-5), if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Json>,
    /// Whether the blocks are pieces of what a program prints, which end anywhere.
    #[serde(default)]
    pub stream: bool,
    /// What the tool asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<OpenQuestion>,
}

/// A handle, as whoever uses it has to know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Found {
    /// The name of its tool.
    pub tool: String,
    /// Its state (SES-1).
    pub state: String,
    /// What the tool asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<OpenQuestion>,
}

/// The open question of a handle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OpenQuestion {
    /// The question, as it stands in a block.
    pub question: Json,
    /// Whether no model may answer it (SES-25).
    pub person: bool,
    /// What secret it seems to ask for (Q-110).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspected: Option<String>,
}

impl Fetched {
    /// What is said to whoever ends a task.
    pub(crate) fn of_task(id: &str) -> Self {
        let text = toolwire::json::string(&format!("the task `{id}` was told to end"));
        let envelope = format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#);
        Fetched {
            state: "ending".to_owned(),
            envelope: Json::new(envelope).unwrap_or_else(|_| Json::empty_object()),
            refusal: None,
            stream: false,
            asks: None,
        }
    }
}

/// A handle, as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// The name of its tool.
    pub tool: String,
    /// The program that was started, and its arguments; nothing for a task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// When it was spawned, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
    /// Its state (SES-1).
    pub state: String,
    /// Its open question, as it stands in a block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Json>,
    /// Whether only a person may answer it, or type now.
    pub person: bool,
    /// Whether it has a terminal, in which a person can take part.
    pub terminal: bool,
    /// Whether it is a task of an MCP client, which can be aborted here and nothing else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub task: bool,
    /// What its tool last said of how far it is (EVT-10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Json>,
    /// How it has ended, as `end` of SES-50: `reason`, `status` if its tool ended by itself, and `message`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Json>,
}

impl Listed {
    /// A task in this state, with its progress in words if there is some.
    #[must_use]
    pub fn task(id: String, tool: String, state: &str, progress: Option<Json>) -> Self {
        Listed {
            id,
            tool,
            command: Vec::new(),
            started: None,
            state: state.to_owned(),
            question: None,
            person: false,
            terminal: false,
            task: true,
            progress,
            end: None,
        }
    }
}

/// What came of waiting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Waited {
    /// The handles that wait for an answer or have stopped.
    pub ready: Vec<Listed>,
    /// Whether the time was over first.
    pub over: bool,
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
