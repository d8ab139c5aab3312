//! Handles in this process.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use toolwire::call::{Answer, AnswerSource, Call, ToolDescription};
use toolwire::session::{Applied, SessionState, SessionView};
use toolwire::{Error, Json, Limits};

use super::{Apply, Fetch, Handles, HandlesError, How, Listed, Spawn, Wait, Waited, Work};
use crate::later::FAR;
use crate::sessions::unknown;
use crate::{
    Attached, FetchOptions, Fetched, LineSession, Process, SessionInfo, SessionRules, SessionTool,
    SessionTransport, Sessions, SessionsOptions, SpawnOptions, WaitFor,
};

/// The way to a program in a pseudo-terminal or on pipes, such as the function `carry` of the crate `toolwire-pty`.
pub type Carrier = fn(&Spawn) -> Arc<dyn SessionTransport>;

/// Handles that end with this process.
///
/// ```
/// use toolwire_host::SessionsOptions;
/// use toolwire_host::handles::{Handles, LocalHandles};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let handles = LocalHandles::new(SessionsOptions::default(), None);
/// assert!(handles.list(&[]).await.unwrap().is_empty());
/// # });
/// ```
#[derive(Debug)]
pub struct LocalHandles {
    sessions: Sessions,
    carrier: Option<Carrier>,
    /// The ids whose last `spawn` failed, so that their next `wait` would be for another run.
    not_spawned: Mutex<BTreeSet<String>>,
}

impl LocalHandles {
    /// No handles yet. Without a carrier, programs that know nothing of sessions are not started.
    #[must_use]
    pub fn new(options: SessionsOptions, carrier: Option<Carrier>) -> Self {
        LocalHandles {
            sessions: Sessions::new(options),
            carrier,
            not_spawned: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.not_spawned
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// How many handles this process is needed for.
    #[must_use]
    pub fn needed(&self) -> usize {
        self.sessions.needed()
    }

    /// Notes that this id could not be spawned: its next `wait` is refused, if an earlier run has the id.
    pub fn not_spawned(&self, id: &str) {
        let handles = self.sessions.list();
        let mut not_spawned = self.lock();
        not_spawned.insert(id.to_owned());
        not_spawned.retain(|id| handles.iter().any(|one| one.id == *id));
    }

    /// A person's part in the terminal of a handle; nothing if its program has ended.
    ///
    /// # Errors
    ///
    /// `Refused` if there is no such handle, or it has no terminal.
    pub fn attach(&self, id: &str) -> Result<Option<Attached>, HandlesError> {
        let refuse = |message| Err(HandlesError::Refused(message));
        if self.listed(&[id]).is_empty() {
            return refuse(format!("there is no handle `{id}`"));
        }
        match self.sessions.screen(id) {
            Some(screen) => Ok(screen.attach()),
            None => refuse(format!("`{id}` has no terminal")),
        }
    }

    /// Ends all of them, and waits until nothing is left of their programs.
    pub async fn close(&self) {
        self.sessions.close().await;
    }

    fn listed(&self, ids: &[&str]) -> Vec<Listed> {
        let handles = self.sessions.list().into_iter();
        let handles = handles.filter(|one| ids.is_empty() || ids.contains(&one.id.as_str()));
        handles.map(listed).collect()
    }

    /// The tool that a program is, and the way to it.
    fn tool(&self, spawn: &Spawn) -> Result<SessionTool, String> {
        let description = ToolDescription::from_json(spawn.tool.as_str());
        let description = description.map_err(|error| wrong("tool", &error))?;
        let mut tool = match spawn.how {
            How::Once | How::Plain => {
                let mut process = Process::new(spawn.command(), spawn.process());
                process.plain = spawn.how == How::Plain;
                SessionTool::one_shot(description, Arc::new(process))
            }
            How::Lines => {
                let lines = LineSession::new(spawn.command(), spawn.process());
                SessionTool::new(description, Arc::new(lines))
            }
            How::Pty | How::Pipe => {
                let carry = self.carrier.ok_or("nothing here drives such a program")?;
                SessionTool::new(description, carry(spawn))
            }
        };
        tool.command = spawn.command().words();
        tool.exchange = spawn.exchange();
        tool.rules = Some(SessionRules {
            session_time: spawn.session_time,
            idle_time: spawn.idle,
            ..SessionRules::default()
        });
        Ok(tool)
    }

    async fn start(&self, spawn: Spawn) -> Result<Fetched, String> {
        let tool = self.tool(&spawn)?;
        let call = Call::from_json(spawn.call.as_str().as_bytes(), &Limits::WIDEST);
        let call = call.map_err(|error| wrong("call", &error))?;
        let (id, by) = (&spawn.id, spawn.by);
        if by == AnswerSource::User {
            self.free(id).await;
        }
        let options = SpawnOptions {
            label: None,
            reply: spawn.first,
        };
        let spawned = self.sessions.spawn_own(id, tool, call, by, &options).await;
        if spawned.refusal.is_some() {
            self.not_spawned(id);
        } else {
            self.lock().remove(id);
        }
        Ok(spawned)
    }

    /// Takes what the run before has left to say: a person who spawns an id again is done with it.
    async fn free(&self, id: &str) {
        let stopped = |one: &Listed| one.state == SessionState::Stopped;
        if self.listed(&[id]).iter().any(stopped) {
            let all = FetchOptions {
                max_bytes: Some(usize::MAX),
                view: Some(SessionView::New),
                ..FetchOptions::default()
            };
            self.sessions.fetch(id, AnswerSource::User, &all).await;
        }
    }

    async fn until_ready(&self, wait: Wait) -> Result<Waited, String> {
        let known = self.listed(&[]);
        let is_known = |id: &&String| known.iter().any(|one| one.id == **id);
        if let Some(id) = wait.ids.iter().find(|id| !is_known(id)) {
            let others: Vec<String> = known.into_iter().map(|one| one.id).collect();
            return Err(unknown(id, &others));
        }
        if let Some(id) = wait.ids.iter().find(|id| self.lock().remove(*id)) {
            return Err(format!(
                "the last `spawn` of `{id}` failed, so this is an earlier run; to wait for that one, wait again"
            ));
        }
        let which = match wait.any {
            true => WaitFor::Any,
            false => WaitFor::All,
        };
        let ids: Vec<&str> = wait.ids.iter().map(String::as_str).collect();
        self.sessions
            .wait(&ids, which, wait.timeout.unwrap_or(FAR))
            .await;
        let is_ready = |one: &Listed| {
            one.person || matches!(one.state, SessionState::Waiting | SessionState::Stopped)
        };
        let mut ready = self.listed(&ids);
        ready.retain(is_ready);
        let needed = match wait.any {
            true => 1,
            false => ids.iter().collect::<BTreeSet<_>>().len(),
        };
        let over = ready.len() < needed;
        Ok(Waited { ready, over })
    }
}

impl Handles for LocalHandles {
    fn spawn(&self, spawn: Spawn) -> Work<'_, Fetched> {
        Box::pin(async move { self.start(spawn).await.map_err(HandlesError::Refused) })
    }

    fn fetch(&self, fetch: Fetch) -> Work<'_, Fetched> {
        Box::pin(async move {
            let Fetch { id, by, options } = fetch;
            Ok(self.sessions.fetch(&id, by, &options).await)
        })
    }

    fn apply(&self, apply: Apply) -> Work<'_, Fetched> {
        Box::pin(async move {
            let by = apply.by;
            let what = match apply.what {
                // Whoever gives an answer is its source, whatever it says.
                Applied::Answer(answer) => Applied::Answer(from(by, &answer)?),
                input => input,
            };
            let (id, question, options) = (&apply.id, apply.question.as_deref(), &apply.options);
            let sessions = &self.sessions;
            Ok(sessions.apply(id, what, question, by, options).await)
        })
    }

    fn abort(&self, id: &str, by: AnswerSource) -> Work<'_, Fetched> {
        let id = id.to_owned();
        Box::pin(async move {
            let options = FetchOptions::default();
            Ok(self.sessions.abort(&id, by, &options).await)
        })
    }

    fn list(&self, ids: &[&str]) -> Work<'_, Vec<Listed>> {
        let listed = self.listed(ids);
        Box::pin(std::future::ready(Ok(listed)))
    }

    fn wait(&self, wait: Wait) -> Work<'_, Waited> {
        Box::pin(async move {
            let waited = self.until_ready(wait).await;
            waited.map_err(HandlesError::Refused)
        })
    }
}

fn listed(one: SessionInfo) -> Listed {
    let started = one.started.duration_since(UNIX_EPOCH).unwrap_or_default();
    Listed {
        id: one.id,
        tool: one.tool,
        command: one.command,
        started: Some(started.as_secs()),
        state: one.state,
        asks: one.asks,
        person: one.person,
        terminal: one.terminal,
        task: false,
        progress: one.progress.and_then(|one| Json::new(one.to_json()).ok()),
        end: one.end.and_then(|end| Json::new(end.to_json()).ok()),
    }
}

fn from(by: AnswerSource, answer: &Answer) -> Result<Answer, HandlesError> {
    let answer = Answer::new(answer.state(), Some(by), answer.value().cloned());
    answer.map_err(|error| HandlesError::Refused(wrong("answer", &error)))
}

fn wrong(what: &str, error: &Error) -> String {
    format!("`{what}{}`: {}", error.pointer(), error.message())
}
