//! The user's session host as the keeper of a server's handles.

use std::ffi::OsString;
use std::time::Duration;

use toolwire::call::{Answer, AnswerSource, SessionAction};
use toolwire::json::ObjectWriter;
use toolwire::question::read_question;
use toolwire::session::{Applied, Refusal, SessionState};
use toolwire::{Code, Json};
use toolwire_host::manifest::SessionKind;
use toolwire_host::{FetchOptions, Fetched as Answered};
use toolwire_mcp::server::{
    KeeperError, KeeperFuture, KeeperSpawn, Kept, KeptHandle, KeptProgram, KeptQuestion,
    SessionKeeper,
};
use toolwire_session_host::{
    Apply, Fetch, Fetched, Kind, OpenQuestion, RemoteSessions, SessionHostClient, SessionHostError,
    SessionHostErrorKind, Spawn,
};

use super::host_of;
use super::spawn::{answered_by, start_of};
use crate::exit::Failure;
use crate::run::quoted;

/// Keeps the handles of a server in the session host of its workspace. Each command has a connection of its own: one
/// that is given up is closed, and the host then waits no longer.
#[derive(Debug)]
pub struct HostKeeper {
    /// How this process was started, which starts the host.
    program: OsString,
    /// The root of the workspace, if one was given.
    root: Option<String>,
}

impl HostKeeper {
    pub fn new(program: OsString, root: Option<String>) -> Self {
        HostKeeper { program, root }
    }

    fn client(&self) -> Result<SessionHostClient, KeeperError> {
        host_of(self.root.as_deref(), &self.program).map_err(|failure| unusable(&said(&failure)))
    }

    /// The sessions of the workspace, if it has a host.
    async fn sessions(&self) -> Result<Option<RemoteSessions>, KeeperError> {
        self.client()?.find().await.map_err(lost)
    }
}

impl SessionKeeper for HostKeeper {
    fn spawn(&self, spawn: KeeperSpawn) -> KeeperFuture<'_, Kept> {
        Box::pin(async move {
            let spawn = to_wire(spawn)?;
            let sessions = self.client()?.find_or_start().await.map_err(lost)?;
            kept(sessions.spawn(spawn).await.map_err(lost)?)
        })
    }

    fn fetch<'a>(
        &'a self,
        id: &'a str,
        by: AnswerSource,
        options: &'a FetchOptions,
    ) -> KeeperFuture<'a, Kept> {
        Box::pin(async move {
            let Some(sessions) = self.sessions().await? else {
                return Ok(nowhere(id));
            };
            let fetch = Fetch {
                id: id.to_owned(),
                by: by.as_str().to_owned(),
                after: options.after,
                wait: seconds(options.wait),
                until: options.until.clone(),
                view: options.view.map(|view| view.as_str().to_owned()),
                max_bytes: options.max_bytes,
                tail: options.tail,
            };
            kept(sessions.fetch(fetch).await.map_err(lost)?)
        })
    }

    fn apply<'a>(
        &'a self,
        id: &'a str,
        what: Applied,
        question: Option<&'a str>,
        by: AnswerSource,
        options: &'a FetchOptions,
    ) -> KeeperFuture<'a, Kept> {
        Box::pin(async move {
            let Some(sessions) = self.sessions().await? else {
                return Ok(nowhere(id));
            };
            let mut apply = Apply {
                id: id.to_owned(),
                by: by.as_str().to_owned(),
                question: question.map(str::to_owned),
                wait: seconds(options.wait),
                until: options.until.clone(),
                max_bytes: options.max_bytes,
                ..Apply::default()
            };
            match what {
                Applied::Input(input) => apply.input = Some(input),
                Applied::Answer(answer) => apply.answer = Some(without_source(&answer)?),
                _ => return Err(odd("it is asked for what it does not know")),
            }
            kept(sessions.apply(apply).await.map_err(lost)?)
        })
    }

    fn abort<'a>(&'a self, id: &'a str, by: AnswerSource) -> KeeperFuture<'a, Kept> {
        Box::pin(async move {
            match self.sessions().await? {
                Some(sessions) => kept(sessions.abort(id, by.as_str()).await.map_err(lost)?),
                None => Ok(nowhere(id)),
            }
        })
    }

    fn find<'a>(&'a self, id: &'a str) -> KeeperFuture<'a, Option<KeptHandle>> {
        Box::pin(async move {
            let Some(sessions) = self.sessions().await? else {
                return Ok(None);
            };
            let found = sessions.find(id).await.map_err(lost)?;
            let read = |found: toolwire_session_host::Found| {
                Ok(KeptHandle {
                    state: state(&found.state)?,
                    asks: found.asks.map(question).transpose()?,
                    tool: found.tool,
                })
            };
            found.map(read).transpose()
        })
    }

    fn command_of_person(&self, id: &str) -> Option<String> {
        let client = self.client().ok()?;
        let root = quoted(client.place().root().to_str()?);
        let separator = if id.starts_with('-') { "-- " } else { "" };
        let id = quoted(id);
        Some(format!(
            "toolwire session attach --root {root} {separator}{id}"
        ))
    }
}

/// All that the host has to know of what is to be started.
fn to_wire(spawn: KeeperSpawn) -> Result<Spawn, KeeperError> {
    let kind = kind(&spawn);
    let (command, size) = match &spawn.program {
        // Its arguments are in its call.
        KeptProgram::Manifest(tool) if kind == Kind::Lines => (tool.command.clone(), None),
        KeptProgram::Manifest(tool) => {
            let command = tool.command_with(&spawn.call.arguments);
            (command.map_err(KeeperError::new)?, tool.size)
        }
        KeptProgram::Command(command) => (command.clone(), None),
    };
    let start = start_of(kind, &command, &spawn.process, size);
    let mut start = start.map_err(|failure| KeeperError::new(said(&failure)))?;
    start.timeout = seconds(spawn.session_time);
    let json = |text: String| Json::new(text).map_err(|error| odd(error.message()));
    Ok(Spawn {
        id: spawn.id,
        by: spawn.by.as_str().to_owned(),
        tool: json(spawn.description.to_json())?,
        call: json(spawn.call.to_json())?,
        start,
        wait: seconds(spawn.reply.wait),
        until: spawn.reply.until,
        max_bytes: spawn.reply.max_bytes,
        idle: seconds(spawn.idle),
        questions: answered_by(&spawn.exchange.questions),
    })
}

/// How the program is talked to.
fn kind(spawn: &KeeperSpawn) -> Kind {
    let tool = match &spawn.program {
        KeptProgram::Manifest(tool) => Some(tool),
        KeptProgram::Command(_) => None,
    };
    match tool.and_then(|tool| tool.session) {
        Some(SessionKind::Pty) => Kind::Pty,
        Some(_) => Kind::Pipe,
        None => Kind::Lines,
    }
}

/// The answer of a workspace that has no host.
fn nowhere(id: &str) -> Kept {
    let unknown = Answered::unknown(id, &[]);
    Kept {
        state: unknown.state,
        envelope: unknown.envelope,
        refusal: unknown.refusal,
        asks: None,
    }
}

fn kept(fetched: Fetched) -> Result<Kept, KeeperError> {
    Ok(Kept {
        state: state(&fetched.state)?,
        envelope: fetched.envelope.as_str().to_owned(),
        refusal: fetched.refusal.as_ref().map(refusal).transpose()?,
        asks: fetched.asks.map(question).transpose()?,
    })
}

fn state(word: &str) -> Result<SessionState, KeeperError> {
    word.parse().map_err(odd)
}

fn question(asks: OpenQuestion) -> Result<KeptQuestion, KeeperError> {
    let question = read_question(asks.question.as_str());
    let suspected = asks.suspected.map(|about| about.parse());
    Ok(KeptQuestion {
        question: question.map_err(|error| odd(error.message()))?,
        person: asks.person,
        suspected: suspected.transpose().map_err(odd)?,
    })
}

fn refusal(json: &Json) -> Result<Refusal, KeeperError> {
    let text = |pointer: &str| json.at(pointer).and_then(|value| value.to_text());
    let code: Code = text("/code").unwrap_or_default().parse().map_err(odd)?;
    let possible = (0..).map_while(|index| text(&format!("/possible/{index}")));
    let possible = possible.map(|word| word.parse::<SessionAction>().map_err(odd));
    let message = text("/message").unwrap_or_default();
    let mut refusal = Refusal::new(code, message, possible.collect::<Result<_, _>>()?);
    let mismatch = |index: usize| {
        let member = |name: &str| text(&format!("/mismatches/{index}/{name}"));
        Some((member("pointer")?, member("message")?))
    };
    refusal.mismatches = (0..).map_while(mismatch).collect();
    Ok(refusal)
}

/// An answer without its source, which the host takes from who gives it.
fn without_source(answer: &Answer) -> Result<Json, KeeperError> {
    let mut out = ObjectWriter::new();
    out.text("state", answer.state().as_str());
    out.optional_json("value", answer.value().map(Json::as_str));
    Json::new(out.end()).map_err(|error| odd(error.message()))
}

fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(|time| time.as_secs_f64())
}

/// Why the host can't be used, and what to do without it.
fn lost(error: SessionHostError) -> KeeperError {
    match error.kind() {
        // It is there, and says what is wrong with the program.
        SessionHostErrorKind::Refused | SessionHostErrorKind::Disconnected => {
            KeeperError::new(error.to_string())
        }
        _ => unusable(&error.to_string()),
    }
}

fn odd(why: impl std::fmt::Display) -> KeeperError {
    unusable(&format!(
        "the session host and this server do not understand each other: {why}"
    ))
}

fn unusable(why: &str) -> KeeperError {
    KeeperError::new(format!(
        "{why}; a server that is started with `--no-session-host` keeps what runs on in its own process"
    ))
}

pub(super) fn said(failure: &Failure) -> String {
    match failure {
        Failure::Usage(message) | Failure::Refused(message) | Failure::Io(message) => {
            message.clone()
        }
        Failure::Wrong(messages) => messages.join("; "),
        Failure::Ended(_) | Failure::Closed => "it has ended".to_owned(),
    }
}
