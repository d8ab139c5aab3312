//! What keeps the programs that run on for a server: its own process, or one that outlives it.

mod in_process;

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use toolwire::block::Question;
use toolwire::call::{AnswerSource, Call, ToolDescription};
use toolwire::question::RefusalAbout;
use toolwire::session::{Applied, Refusal, SessionState};
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{Command, ExchangeOptions, FetchOptions, ProcessOptions};

pub(super) use in_process::InProcessKeeper;

/// What a keeper does, or why it can't be reached.
pub type KeeperFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, KeeperError>> + Send + 'a>>;

/// Keeps handles for a server. One that is outside of the server's process outlives it, so that the next server finds
/// what this one has spawned.
///
/// What the rules of sessions refuse is a [`Kept::refusal`]; an error means that the keeper can't be used. A future
/// that is dropped stops waiting, and nothing of the output that it would have given is lost.
pub trait SessionKeeper: fmt::Debug + Send + Sync {
    /// Starts a program under a handle, and waits briefly for what it says first.
    fn spawn(&self, spawn: KeeperSpawn) -> KeeperFuture<'_, Kept>;

    /// Reads what a program has said.
    fn fetch<'a>(
        &'a self,
        id: &'a str,
        by: AnswerSource,
        options: &'a FetchOptions,
    ) -> KeeperFuture<'a, Kept>;

    /// Gives a program input, or the answer to its question, and waits briefly for what it says to it.
    fn apply<'a>(
        &'a self,
        id: &'a str,
        what: Applied,
        question: Option<&'a str>,
        by: AnswerSource,
        options: &'a FetchOptions,
    ) -> KeeperFuture<'a, Kept>;

    /// Ends a program, and waits until it has ended.
    fn abort<'a>(&'a self, id: &'a str, by: AnswerSource) -> KeeperFuture<'a, Kept>;

    /// What a handle is, if there is one.
    fn find<'a>(&'a self, id: &'a str) -> KeeperFuture<'a, Option<KeptHandle>>;

    /// The command by which a person takes part in a handle in a terminal, if there is one.
    fn command_of_person(&self, id: &str) -> Option<String> {
        let _ = id;
        None
    }

    /// Ends what ends with the server.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::ready(()))
    }
}

/// A program that is to be started under a handle.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KeeperSpawn {
    /// The id of the handle.
    pub id: String,
    /// Who wants it.
    pub by: AnswerSource,
    /// What the tool says of itself, under the name that clients see.
    pub description: ToolDescription,
    /// Its call, which is complete.
    pub call: Call,
    /// What is started.
    pub program: KeptProgram,
    /// How it is started.
    pub process: ProcessOptions,
    /// Who answers its questions.
    pub exchange: ExchangeOptions,
    /// How long nothing may happen to the handle.
    pub idle: Option<Duration>,
    /// How long it may run in all.
    pub session_time: Option<Duration>,
    /// How it is fetched for the first time.
    pub reply: FetchOptions,
}

/// A program that a keeper starts.
#[derive(Debug, Clone)]
pub enum KeptProgram {
    /// A program that describes itself.
    Command(Command),
    /// The program of a tool of a manifest, which says how it is driven.
    Manifest(Box<ManifestTool>),
}

/// The answer of a keeper.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The state of the handle afterwards.
    pub state: SessionState,
    /// The JSON text of the envelope: what the program has said, with its progress (SES-50), or an error that says
    /// what is possible instead.
    pub envelope: String,
    /// Why the command was refused.
    pub refusal: Option<Refusal>,
    /// What the program asks.
    pub asks: Option<KeptQuestion>,
}

/// A handle that is kept.
#[derive(Debug, Clone)]
pub struct KeptHandle {
    /// The name of its tool.
    pub tool: String,
    /// Its state.
    pub state: SessionState,
    /// What its program asks.
    pub asks: Option<KeptQuestion>,
}

/// The open question of a handle.
#[derive(Debug, Clone)]
pub struct KeptQuestion {
    /// The question.
    pub question: Question,
    /// Whether a model must not answer it (SES-25).
    pub person: bool,
    /// What secret it seems to ask for, with what was said before it (SES-6).
    pub suspected: Option<RefusalAbout>,
}

/// A keeper can't be used; the text says why, and what to do.
#[derive(Debug, Clone)]
pub struct KeeperError(String);

impl KeeperError {
    /// An error with this text.
    ///
    /// ```
    /// let error = toolwire_mcp::server::KeeperError::new("the session host can't be started");
    /// assert_eq!(error.to_string(), "the session host can't be started");
    /// ```
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        KeeperError(message.into())
    }
}

impl fmt::Display for KeeperError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for KeeperError {}
