//! The handles of a host: what clients ask for, carried out by `Sessions`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use toolwire::call::{Answer, AnswerSource, AnswerState, Call, ToolDescription};
use toolwire::json::Document;
use toolwire::question::{SecretContext, find_secret, write_question};
use toolwire::session::{Applied, SessionState, SessionView};
use toolwire::{Error, Json, Limits};
use toolwire_host::{
    Attached, Command, Environment, FetchOptions, LineSession, Process, ProcessOptions,
    SessionInfo, SessionRules, SessionTool, Sessions, SessionsOptions, SpawnOptions, WaitFor, Who,
};

use toolwire_pty::{PipeSession, PtyOptions, PtySession};

use crate::wire::{
    AnsweredBy, Apply, Fetch, Fetched, Found, Kind, Listed, OpenQuestion, Reply, Request, Spawn,
    Start, Wait, Waited,
};

/// The longest time that somebody waits for handles without end.
const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 365);

pub(crate) struct Handles {
    sessions: Sessions,
    known: Mutex<BTreeMap<String, Known>>,
}

/// What is known of an id beside its handle.
#[derive(Clone, Default)]
struct Known {
    command: Vec<String>,
    started: u64,
    /// Whether the last `spawn` of this id failed, so that its next `wait` is for another run.
    not_spawned: bool,
}

impl Handles {
    pub(crate) fn new() -> Self {
        let options = SessionsOptions {
            // A person says how long they wait, and whoever attaches answers what is for a person.
            max_wait: LONGEST,
            ..SessionsOptions::default()
        };
        Handles {
            sessions: Sessions::new(options),
            known: Mutex::default(),
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn not_spawned(&self, id: &str) {
        if let Some(known) = self.known().get_mut(id) {
            known.not_spawned = true;
        }
    }

    /// How many there are for which this host is needed.
    pub(crate) fn count(&self) -> usize {
        self.sessions.needed()
    }

    pub(crate) async fn carry_out(&self, request: Request) -> Reply {
        let done = match request {
            Request::Spawn(spawn) => self.spawn(*spawn).await,
            Request::Fetch(fetch) => self.fetch(fetch).await,
            Request::Apply(apply) => self.apply(apply).await,
            Request::Abort(abort) => match source(&abort.by) {
                Ok(by) => {
                    let options = FetchOptions::default();
                    self.fetched(self.sessions.abort(&abort.id, by, &options).await)
                }
                Err(error) => Err(error),
            },
            Request::Find(find) => Ok(Reply::Found(self.find(&find.id))),
            Request::List => Ok(Reply::Handles(self.list())),
            Request::NotSpawned(id) => {
                self.not_spawned(&id);
                Ok(Reply::Left)
            }
            Request::Wait(wait) => Ok(self.wait(wait).await),
            _ => Err("this is for somebody who has attached".to_owned()),
        };
        done.unwrap_or_else(|message| Reply::Error { message })
    }

    async fn spawn(&self, spawn: Spawn) -> Result<Reply, String> {
        let by = source(&spawn.by)?;
        let description = ToolDescription::from_json(spawn.tool.as_str());
        let description = description.map_err(|error| wrong("tool", &error))?;
        let call = Call::from_json(spawn.call.as_str().as_bytes(), &Limits::WIDEST);
        let call = call.map_err(|error| wrong("call", &error))?;
        let options = SpawnOptions {
            reply: FetchOptions {
                wait: seconds(spawn.wait)?,
                until: spawn.until,
                max_bytes: spawn.max_bytes,
                ..FetchOptions::default()
            },
            ..SpawnOptions::default()
        };
        let mut tool = tool(description, &spawn.start)?;
        tool.exchange.questions = spawn.questions.into_iter().map(who).collect();
        if let Some(rules) = &mut tool.rules {
            rules.idle_time = seconds(spawn.idle)?;
        }
        if by == AnswerSource::User {
            self.free(&spawn.id).await;
        }
        let (id, sessions) = (&spawn.id, &self.sessions);
        let spawned = sessions.spawn_own(id, tool, call, by, &options).await;
        match spawned.refusal {
            Some(_) => self.not_spawned(id),
            None => {
                let known = Known {
                    command: spawn.start.words(),
                    started: SystemTime::now()
                        .duration_since(UNIX_EPOCH)
                        .map_or(0, |since| since.as_secs()),
                    not_spawned: false,
                };
                self.known().insert(spawn.id, known);
            }
        }
        self.fetched(spawned)
    }

    /// Takes what the run before has left to say: a person who spawns an id again is done with it.
    async fn free(&self, id: &str) {
        let handles = self.sessions.list();
        let stopped = |one: &SessionInfo| one.id == id && one.state == SessionState::Stopped;
        if handles.iter().any(stopped) {
            let all = FetchOptions {
                max_bytes: Some(usize::MAX),
                view: Some(SessionView::New),
                ..FetchOptions::default()
            };
            self.sessions.fetch(id, AnswerSource::User, &all).await;
        }
    }

    async fn fetch(&self, fetch: Fetch) -> Result<Reply, String> {
        let by = source(&fetch.by)?;
        let view = fetch.view.as_deref().map(str::parse::<SessionView>);
        let options = FetchOptions {
            after: fetch.after,
            wait: seconds(fetch.wait)?,
            until: fetch.until,
            tail: fetch.tail,
            view: view.transpose().map_err(|error| error.to_string())?,
            max_bytes: fetch.max_bytes,
        };
        self.fetched(self.sessions.fetch(&fetch.id, by, &options).await)
    }

    async fn apply(&self, apply: Apply) -> Result<Reply, String> {
        let by = source(&apply.by)?;
        let what = match (apply.input, apply.answer) {
            (Some(input), None) => Applied::Input(input),
            (None, Some(json)) => Applied::Answer(answer(&json, by)?),
            _ => return Err("exactly one of `input` and `answer` is applied".to_owned()),
        };
        let options = FetchOptions {
            wait: seconds(apply.wait)?,
            until: apply.until,
            max_bytes: apply.max_bytes,
            ..FetchOptions::default()
        };
        let question = apply.question.as_deref();
        self.fetched(
            self.sessions
                .apply(&apply.id, what, question, by, &options)
                .await,
        )
    }

    fn find(&self, id: &str) -> Option<Found> {
        let handles = self.sessions.list();
        let found = handles.into_iter().find(|one| one.id == id)?;
        Some(Found {
            tool: found.tool,
            state: found.state.as_str().to_owned(),
            asks: self.asks(id),
        })
    }

    /// What the tool of a handle asks, and who may answer.
    fn asks(&self, id: &str) -> Option<OpenQuestion> {
        let for_person = self.sessions.question_for_person(id);
        let person = for_person.is_some();
        let (question, said) = match for_person {
            Some(asked) => asked,
            None => (self.sessions.question(id)?, Vec::new()),
        };
        let mut context = SecretContext::default();
        for text in &said {
            context.add(text.as_str());
        }
        let secret = find_secret(&question, &context).filter(|_| person);
        Some(OpenQuestion {
            question: Json::new(write_question(&question)).ok()?,
            person,
            suspected: secret.map(|secret| secret.about.as_str().to_owned()),
        })
    }

    fn list(&self) -> Vec<Listed> {
        let handles = self.sessions.list();
        let mut known = self.known();
        known.retain(|id, _| handles.iter().any(|one| one.id == *id));
        let listed = handles.into_iter().map(|one| Listed {
            command: known
                .get(&one.id)
                .map_or_else(Vec::new, |known| known.command.clone()),
            started: known.get(&one.id).map(|known| known.started),
            question: one.question.and_then(|_| self.question(&one.id)),
            terminal: self.sessions.screen(&one.id).is_some(),
            id: one.id,
            tool: one.tool,
            state: one.state.as_str().to_owned(),
            person: one.person,
            task: false,
            progress: one.progress.and_then(|one| Json::new(one.to_json()).ok()),
            end: one.end.and_then(|end| Json::new(end.to_json()).ok()),
        });
        listed.collect()
    }

    fn question(&self, id: &str) -> Option<Json> {
        let question = self.sessions.question(id)?;
        Json::new(write_question(&question)).ok()
    }

    async fn wait(&self, wait: Wait) -> Reply {
        let known = self.list();
        let unknown = wait
            .ids
            .iter()
            .find(|id| known.iter().all(|one| one.id != **id));
        if let Some(id) = unknown {
            let names: Vec<&str> = known.iter().map(|one| one.id.as_str()).collect();
            let message = match &names[..] {
                [] => format!("there is no handle `{id}`, nor any other"),
                names => format!(
                    "there is no handle `{id}`; there is `{}`",
                    names.join("`, `")
                ),
            };
            return Reply::Error { message };
        }
        for id in &wait.ids {
            let not_spawned = self
                .known()
                .get_mut(id)
                .is_some_and(|known| std::mem::take(&mut known.not_spawned));
            if not_spawned {
                let message = format!(
                    "the last `spawn` of `{id}` failed, so this is an earlier run; to wait for that one, wait again"
                );
                return Reply::Error { message };
            }
        }
        let time = match seconds(wait.timeout) {
            Ok(time) => time.unwrap_or(LONGEST),
            Err(message) => return Reply::Error { message },
        };
        let which = match wait.any {
            true => WaitFor::Any,
            false => WaitFor::All,
        };
        let ids: Vec<&str> = wait.ids.iter().map(String::as_str).collect();
        self.sessions.wait(&ids, which, time).await;
        let is_ready = |one: &Listed| {
            ids.contains(&one.id.as_str())
                && (one.person || ["waiting", "stopped"].contains(&&*one.state))
        };
        let ready: Vec<Listed> = self.list().into_iter().filter(is_ready).collect();
        let needed = match wait.any {
            true => 1,
            false => ids.iter().collect::<BTreeSet<_>>().len(),
        };
        let over = ready.len() < needed;
        Reply::Waited(Waited { ready, over })
    }

    fn fetched(&self, done: toolwire_host::Fetched) -> Result<Reply, String> {
        let refusal = done.refusal.map(|refusal| refusal.to_json());
        let json = |text: String| Json::new(text).map_err(|error| error.to_string());
        Ok(Reply::Fetched(Fetched {
            stream: self.sessions.prints(&done.id),
            asks: self.asks(&done.id),
            state: done.state.as_str().to_owned(),
            envelope: json(done.envelope)?,
            refusal: refusal.map(json).transpose()?,
        }))
    }

    /// A person's part in the terminal of a handle; nothing if its tool has ended.
    pub(crate) fn attach(&self, id: &str) -> Result<Option<Attached>, String> {
        if self.sessions.list().iter().all(|one| one.id != id) {
            return Err(format!("there is no handle `{id}`"));
        }
        match self.sessions.screen(id) {
            Some(screen) => Ok(screen.attach()),
            None => Err(format!("`{id}` has no terminal")),
        }
    }

    /// Ends all of them, and waits until nothing is left of their tools.
    pub(crate) async fn close(&self) {
        self.sessions.close().await;
    }
}

/// The tool that a program is, and the way to it.
fn tool(description: ToolDescription, start: &Start) -> Result<SessionTool, String> {
    let arguments = start.arguments.iter().map(OsString::from);
    let command = Command::new(OsString::from(&start.program)).args(arguments);
    // Nothing of the host's own environment reaches a tool.
    let mut environment = Environment::only([""; 0]);
    for (name, value) in &start.environment {
        environment = environment.with(name, value);
    }
    let usual = ProcessOptions::default();
    let timeout = seconds(start.timeout)?;
    let mut options = ProcessOptions {
        cwd: Some(OsString::from(&start.cwd).into()),
        environment,
        max_output: start.max_output.unwrap_or(usual.max_output),
        ..usual
    };
    let mut tool = match start.kind {
        Kind::Once | Kind::Plain => {
            options.timeout = timeout;
            let mut process = Process::new(command, options);
            process.plain = start.kind == Kind::Plain;
            SessionTool::one_shot(description, Arc::new(process))
        }
        Kind::Lines => SessionTool::new(description, Arc::new(LineSession::new(command, options))),
        Kind::Pipe => SessionTool::new(description, Arc::new(PipeSession::new(command, options))),
        Kind::Pty => {
            let mut terminal = PtyOptions::default();
            terminal.process = options;
            if let Some((columns, rows)) = start.size {
                (terminal.columns, terminal.rows) = (columns, rows);
            }
            SessionTool::new(description, Arc::new(PtySession::new(command, terminal)))
        }
    };
    tool.rules = Some(SessionRules {
        session_time: timeout,
        ..SessionRules::default()
    });
    Ok(tool)
}

fn who((id, by): (String, AnsweredBy)) -> (String, Who) {
    let who = match by {
        AnsweredBy::User => Who::User,
        AnsweredBy::Assistant => Who::Assistant,
        AnsweredBy::Default => Who::Default,
        AnsweredBy::Decline => Who::Decline,
        AnsweredBy::Value(value) => Who::Value(value),
    };
    (id, who)
}

fn source(by: &str) -> Result<AnswerSource, String> {
    by.parse()
        .map_err(|error: toolwire::UnknownWord| format!("`by`: {error}"))
}

/// An answer from its state and value.
fn answer(json: &Json, by: AnswerSource) -> Result<Answer, String> {
    let refuse = |error: Error| wrong("answer", &error);
    let document = Document::new(json.as_str()).map_err(refuse)?;
    let member = |name: &str| document.root().get(name);
    let state = member("state").and_then(|state| Some(state.as_str()?.into_owned()));
    let state = state.unwrap_or_default().parse::<AnswerState>();
    let state = state.map_err(|error| format!("`answer`: {error}"))?;
    Answer::new(state, Some(by), member("value").map(Json::from)).map_err(refuse)
}

fn seconds(seconds: Option<f64>) -> Result<Option<Duration>, String> {
    let read = seconds.map(Duration::try_from_secs_f64).transpose();
    let read = read.map_err(|_| "a time is a number of seconds".to_owned())?;
    Ok(read.map(|time| time.min(LONGEST)))
}

fn wrong(what: &str, error: &Error) -> String {
    format!("`{what}{}`: {}", error.pointer(), error.message())
}
