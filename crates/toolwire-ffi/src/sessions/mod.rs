//! The handles of a host, for programs that are not asynchronous Rust: commands and options are JSON text, and
//! questions and requests for approval are taken one by one.

mod command;
mod driven;
mod notices;
mod requests;
mod respond;
mod tools;

pub use notices::Notice;
pub use requests::Request;
pub use respond::Added;

use std::sync::Arc;
#[cfg(unix)]
use std::sync::Mutex;
use std::sync::mpsc::Sender;
use std::time::UNIX_EPOCH;

use toolwire::Error;
use toolwire::call::{Answer, ToolDescription};
use toolwire::json::{ObjectWriter, array, string};
use toolwire::session::Refusal;
use toolwire_host::{
    Approval, Fetched, HostError, SessionInfo, Sessions as HostSessions, SessionsOptions,
};
use toolwire_source::Tools;

use command::Command;
use requests::Requests;
#[cfg(unix)]
use requests::lock;

use crate::caller::{Caller, Failure};
use crate::calls::{Calls, Closing};
use crate::options::{Options, Unit};
use crate::readers;
use crate::runtime::Host;
use crate::servers::ServerError;
use crate::settings::rules_of;
use crate::task::{Ended, Task};

/// The handles of a host. Where nobody holds them any more, they are ended in the background.
pub struct Sessions(Arc<Open>);

pub(crate) struct Open {
    process: u32,
    host: Arc<Host>,
    sessions: HostSessions,
    /// The same, with what names them and what answers a model.
    tools: Tools,
    requests: Arc<Requests>,
    /// While they are open, a signal ends their tools before it ends the process.
    #[cfg(unix)]
    live: Mutex<Option<crate::signals::Live>>,
}

impl Calls {
    /// Handles with these options, as for [`Calls::run`]. While they are open, each of the caller's
    /// signals ends their tools first.
    ///
    /// # Errors
    ///
    /// `bad_option`, and `system_error` if there can be no runtime.
    pub fn sessions(&self, options: &str, caller: &Caller) -> Result<Sessions, Failure> {
        let given = readers::sessions_job(options, caller.unit)?;
        let callbacks = readers::sessions_callbacks_in(&given)?;
        let mut options = options_of(&given, caller.unit)?;
        let host = self.prepare(&caller.signals)?;
        let requests = Arc::new(Requests::default());
        requests.attach(&host, callbacks, &mut options);
        let sessions = HostSessions::new(options);
        let open = Arc::new(Open {
            process: std::process::id(),
            host,
            tools: Tools::of(sessions.clone()),
            sessions,
            requests,
            #[cfg(unix)]
            live: Mutex::new(Some(crate::signals::Live::begin())),
        });
        let closing: Arc<dyn Closing> = Arc::clone(&open) as _;
        self.remember_sessions(Arc::downgrade(&closing));
        Ok(Sessions(open))
    }
}

fn options_of(given: &Options<'_>, unit: Unit) -> Result<SessionsOptions, Error> {
    let mut options = readers::sessions_options_in(given)?;
    if let Some(rules) = readers::rules_options_in(given)?.rules {
        options.rules = rules_of(&rules, unit)?;
    }
    Ok(options)
}

impl Sessions {
    /// Carries out a command, a JSON object with `do` and its members: `handle`, `spawn`, `fetch`, `apply`, `abort`,
    /// `wait`, `list`, `tools`, `announcements`, `end_of_turn` and `close`.
    ///
    /// # Errors
    ///
    /// `bad_argument` at the first member that is wrong.
    pub fn command(&self, text: &str, unit: Unit) -> Result<Task, Error> {
        let command = Command::read(text, unit)?;
        let open = Arc::clone(&self.0);
        Ok(self.spawn(async move { open.carry_out(command).await }))
    }

    /// The next question or request for approval, if one waits.
    #[must_use]
    pub fn next_request(&self) -> Option<Request> {
        self.0.requests.next()
    }

    /// The next thing that has happened to a handle, with its id, if one waits.
    #[must_use]
    pub fn next_notice(&self) -> Option<(String, Notice)> {
        self.0.requests.next_notice()
    }

    /// Has a function called when there are requests or notices, on a thread that has nothing else to do.
    pub fn on_news(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.0.requests.listen(&self.0.host, Arc::new(listener));
    }

    /// Replies to a question. One that was withdrawn needs no reply.
    pub fn answer(&self, number: u64, answer: Answer) {
        self.0.requests.answer(number, answer);
    }

    /// Replies to a request for approval; `reason` is why it is not granted.
    pub fn approve(&self, number: u64, granted: bool, reason: Option<String>) {
        let approval = match granted {
            true => Approval::Granted,
            false => Approval::Declined(reason),
        };
        self.0.requests.approve(number, approval);
    }

    fn spawn(&self, doing: impl Future<Output = Ended> + Send + 'static) -> Task {
        // The runtime of the process that this one is a fork of has no threads here.
        if self.0.process != std::process::id() {
            let message = "these sessions belong to another process; make others in this one";
            return Task::over(Err(ServerError::new("not_connected", message)));
        }
        Task::spawn(self.0.host.handle(), self.0.host.bell.clone(), doing)
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        if self.0.process == std::process::id() {
            let open = Arc::clone(&self.0);
            let host = Arc::clone(&self.0.host);
            host.handle().spawn(async move { open.close().await });
        }
    }
}

impl Open {
    /// The runtime, if these are of this process.
    fn own_host(&self) -> Option<Arc<Host>> {
        (self.process == std::process::id()).then(|| Arc::clone(&self.host))
    }

    async fn close(&self) {
        self.tools.close().await;
        #[cfg(unix)]
        drop(lock(&self.live).take());
    }

    async fn carry_out(&self, command: Command) -> Ended {
        let sessions = &self.sessions;
        let fetched = match command {
            Command::Handle { tool, arguments } => {
                return Ok(string(&sessions.handle(&tool, &arguments).await));
            }
            Command::Spawn {
                id,
                tool,
                arguments,
                by,
                options,
            } => {
                let call = sessions
                    .call_of(&tool, arguments)
                    .map_err(|error| failed(&error))?;
                let spawned = sessions.spawn(&id, &tool, call, by, &options).await;
                spawned.map_err(|error| failed(&error))?
            }
            Command::Fetch { id, by, options } => sessions.fetch(&id, by, &options).await,
            Command::Apply {
                id,
                what,
                question,
                by,
                options,
            } => {
                sessions
                    .apply(&id, what, question.as_deref(), by, &options)
                    .await
            }
            Command::Abort { id, by, options } => sessions.abort(&id, by, &options).await,
            Command::Wait { ids, which, time } => {
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                let states = sessions.wait(&ids, which, time).await;
                return Ok(array(states.iter().map(|(id, state)| {
                    ObjectWriter::new()
                        .text("id", id)
                        .text("state", state.as_str())
                        .end()
                })));
            }
            Command::List => return Ok(array(sessions.list().iter().map(info_json))),
            Command::Tools => {
                return Ok(array(sessions.tools().iter().map(ToolDescription::to_json)));
            }
            Command::Announcements => {
                let announcements = sessions.announcements();
                return Ok(array(announcements.iter().map(|one| one.to_json())));
            }
            Command::EndOfTurn => {
                sessions.end_of_turn().await;
                return Ok("null".to_owned());
            }
            Command::Close => {
                self.close().await;
                return Ok("null".to_owned());
            }
        };
        Ok(fetched_json(&fetched))
    }
}

impl Closing for Open {
    fn begin_to_close(self: Arc<Self>, closed: Sender<()>) -> bool {
        let Some(host) = self.own_host() else {
            return false;
        };
        host.handle().spawn(async move {
            Open::close(&self).await;
            let _ = closed.send(());
        });
        true
    }
}

fn failed(error: &HostError) -> ServerError {
    ServerError::new(error.kind().as_str(), error.to_string())
}

fn fetched_json(fetched: &Fetched) -> String {
    ObjectWriter::new()
        .text("id", &fetched.id)
        .text("state", fetched.state.as_str())
        .text("envelope", &fetched.envelope)
        .optional_json("refusal", fetched.refusal.as_ref().map(Refusal::to_json))
        .end()
}

fn info_json(info: &SessionInfo) -> String {
    let since = info.since.duration_since(UNIX_EPOCH).unwrap_or_default();
    ObjectWriter::new()
        .text("id", &info.id)
        .text("tool", &info.tool)
        .text("state", info.state.as_str())
        .json("since", format!("{:.3}", since.as_secs_f64()))
        .optional("label", info.label.as_deref())
        .optional("question", info.question.as_deref())
        .flag("person", info.person)
        .end()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use toolwire::Code;
    use toolwire::call::SessionAction;
    use toolwire::session::Applied;
    use toolwire_host::TurnEnd;

    use super::*;

    #[test]
    fn options_are_read_and_wrong_ones_named() {
        let read = |text: &str| {
            readers::sessions_job(text, Unit::Seconds)
                .and_then(|given| options_of(&given, Unit::Seconds))
        };
        let text = r#"{"maxHandles":8,"keep":1.5,"rules":{"turn":"wait","turnWait":3,"approve":["apply"]}}"#;
        let options = read(text).unwrap();
        assert_eq!(
            (options.max_handles, options.keep),
            (8, Duration::from_millis(1500))
        );
        assert_eq!(options.rules.turn, TurnEnd::Wait(Duration::from_secs(3)));
        assert_eq!(options.rules.approve, [SessionAction::Apply].into());
        for (text, pointer) in [
            (r#"{"maxHandle":8}"#, "/maxHandle"),
            (r#"{"maxHandles":0}"#, "/maxHandles"),
            (r#"{"keep":-1}"#, "/keep"),
            (r#"{"rules":{"turn":"stay"}}"#, "/turn"),
            (r#"{"rules":{"approve":["run"]}}"#, "/approve"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!((error.code(), error.pointer()), (Code::BadOption, pointer));
        }
    }

    #[test]
    fn commands_are_read_and_wrong_ones_named() {
        for (text, pointer) in [
            (r#"{"do":"dance"}"#, "/do"),
            (r#"{"do":"fetch"}"#, "/id"),
            (r#"{"do":"fetch","id":"a","after":-1}"#, "/after"),
            (r#"{"do":"fetch","id":"a","wait":-1}"#, "/wait"),
            (r#"{"do":"fetch","id":"a","by":"me"}"#, "/by"),
            (r#"{"do":"apply","id":"a"}"#, "/input"),
            (
                r#"{"do":"apply","id":"a","input":1,"answer":{"state":"declined"}}"#,
                "/input",
            ),
            (r#"{"do":"handle","tool":"a","arguments":[]}"#, "/arguments"),
        ] {
            assert_eq!(
                Command::read(text, Unit::Seconds).unwrap_err().pointer(),
                pointer,
                "{text}"
            );
        }
        let big = r#"{"do":"handle","tool":"a","arguments":{"n":9007199254740993}}"#;
        let Ok(Command::Handle { arguments, .. }) = Command::read(big, Unit::Seconds) else {
            panic!("it is a command");
        };
        assert_eq!(arguments.as_str(), r#"{"n":9007199254740993}"#);
        let null = Command::read(r#"{"do":"apply","id":"a","input":null}"#, Unit::Seconds);
        assert!(matches!(
            null,
            Ok(Command::Apply {
                what: Applied::Input(_),
                ..
            })
        ));
    }
}
