//! Handles behind one interface, whichever process keeps them: [`LocalHandles`] keeps them in this one, and the
//! session host in one that outlives it. The types are those of both, and what the session host reads and writes.
//!
//! None of them has a flattened member, or an enum that is untagged or tagged within, beside a [`Json`]: serde would
//! buffer that, and digits would be lost.

mod local;
mod spawn;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toolwire::Json;
use toolwire::call::AnswerSource;
use toolwire::session::{Applied, SessionState};

use crate::{FetchOptions, Fetched, OpenQuestion};

pub use local::{Carrier, LocalHandles};
pub use spawn::{How, Spawn, Word};

/// What comes of a request to a keeper of handles.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T, HandlesError>> + Send + 'a>>;

/// Keeps programs that run on, each under an id.
///
/// What the rules of sessions refuse is a [`Fetched::refusal`]; an error means that nothing can be done at all. A
/// future that is dropped stops waiting, and nothing of the output that it would have given is lost.
pub trait Handles: fmt::Debug + Send + Sync {
    /// Starts a program under a handle, and waits briefly for what it says first.
    fn spawn(&self, spawn: Spawn) -> Work<'_, Fetched>;

    /// Reads what a program has said.
    fn fetch(&self, fetch: Fetch) -> Work<'_, Fetched>;

    /// Gives a program input, or the answer to its question, and waits briefly for what it says to it.
    fn apply(&self, apply: Apply) -> Work<'_, Fetched>;

    /// Ends a program, and waits until it has ended.
    fn abort(&self, id: &str, by: AnswerSource) -> Work<'_, Fetched>;

    /// The handles with these ids as far as there are some, or all of them if no id is given; by id.
    fn list(&self, ids: &[&str]) -> Work<'_, Vec<Listed>>;

    /// Waits until handles have stopped or need somebody.
    fn wait(&self, wait: Wait) -> Work<'_, Waited>;
}

/// What a program has said is to be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fetch {
    /// The handle.
    pub id: String,
    /// Who reads.
    pub by: AnswerSource,
    /// How.
    pub options: FetchOptions,
}

impl Fetch {
    /// A fetch that does not wait.
    ///
    /// ```
    /// use toolwire::call::AnswerSource;
    /// use toolwire_host::handles::Fetch;
    ///
    /// assert!(Fetch::new("staging", AnswerSource::User).options.wait.is_none());
    /// ```
    #[must_use]
    pub fn new(id: &str, by: AnswerSource) -> Self {
        Fetch {
            id: id.to_owned(),
            by,
            options: FetchOptions::default(),
        }
    }
}

/// Something is given to a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Apply {
    /// The handle.
    pub id: String,
    /// Who gives it, which is also the source of an answer.
    pub by: AnswerSource,
    /// Input, or the answer to the open question.
    pub what: Applied,
    /// The id of the question that is meant.
    pub question: Option<String>,
    /// How what the program says to it is read.
    pub options: FetchOptions,
}

/// Handles are waited for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The handles.
    pub ids: Vec<String>,
    /// Whether one of them is enough.
    pub any: bool,
    /// How long; without, until they are ready.
    pub timeout: Option<Duration>,
}

/// What came of waiting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waited {
    /// The handles that need somebody or have stopped.
    pub ready: Vec<Listed>,
    /// Whether the time was over first.
    pub over: bool,
}

/// A handle of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// The name of its tool.
    pub tool: String,
    /// The program and its arguments, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// When it was spawned, in seconds since 1970; nothing for a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
    /// Its state.
    pub state: SessionState,
    /// What its program asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<OpenQuestion>,
    /// Whether only a person may answer that, or type now.
    pub person: bool,
    /// Whether it has a terminal, in which a person can take part.
    pub terminal: bool,
    /// Whether it is a task of an MCP client, which can be aborted here and nothing else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub task: bool,
    /// What its program last said of how far it is (EVT-10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Json>,
    /// How it has ended, as `end` of SES-50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Json>,
}

/// Why nothing could be done for a handle; the text says what to do instead.
///
/// ```
/// use toolwire_host::handles::HandlesError;
///
/// let refused = HandlesError::Refused("there is no program `gti`".to_owned());
/// assert_eq!(refused.to_string(), "there is no program `gti`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandlesError {
    /// What was asked for can't be done, such as to start this program.
    Refused(String),
    /// Whoever keeps the handles can't be used.
    Unreached(String),
}

impl fmt::Display for HandlesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HandlesError::Refused(message) | HandlesError::Unreached(message) => {
                f.write_str(message)
            }
        }
    }
}

impl std::error::Error for HandlesError {}
