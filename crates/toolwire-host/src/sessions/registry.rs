//! The handles of a host.

use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::{Duration, Instant, SystemTime};

use tokio::time::timeout_at;
use toolwire::call::{AnswerSource, Call, SessionAction, ToolDescription};
use toolwire::event::Progress;
use toolwire::session::{Applied, Refusal, SessionEvent, SessionState};
use toolwire::{Code, Json};

use super::fetched::Fetched;
use super::handle::Handle;
use super::reading::{fetch, settle};
use super::shared::{NAMED, Shared, lock};
use super::since::Since;
use super::{
    Approval, ApprovalRequest, FetchOptions, OpenQuestion, SessionEnd, SessionTool,
    SessionsOptions, SpawnOptions, pump,
};
use crate::later::after;
use crate::manifest::unknown;
use crate::{HostError, HostErrorKind};

/// The handles of a host: tools that keep running, each under an id.
///
/// [`handle`](Sessions::handle) takes a model's call and gives the envelope to send back; the other functions are
/// for what the host does itself. All of them are used on a tokio runtime with its timers and I/O enabled. Clones
/// share the handles; when the last is dropped, all tools are killed, and [`close`](Sessions::close) ends them in
/// an orderly way.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use toolwire::{Json, call::ToolDescription};
/// use toolwire_host::{Command, Process, SessionTool, Sessions, SessionsOptions};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let description = ToolDescription::from_json(
///     r#"{"name":"date","inputSchema":{"type":"object"},"_meta":{"dev.toolwire/actions":["spawn","fetch"]}}"#,
/// )?;
/// let date = Process::from(Command::new("echo").arg("12:00"));
/// let sessions = Sessions::new(SessionsOptions::default());
/// sessions.add(SessionTool::one_shot(description, Arc::new(date)));
/// let envelope = sessions.handle("date", &Json::new(r#"{"action":"spawn","id":"now"}"#)?).await;
/// assert!(envelope.contains("12:00") && envelope.contains(r#""computer.jp/status":"stopped""#));
/// sessions.close().await;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Sessions(pub(super) Arc<Shared>);

/// A handle as [`Sessions::list`] gives it.
///
/// ```
/// use toolwire_host::{Sessions, SessionsOptions};
///
/// assert!(Sessions::new(SessionsOptions::default()).list().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Its id.
    pub id: String,
    /// Its tool.
    pub tool: String,
    /// Its state.
    pub state: SessionState,
    /// Since when it is in that state.
    pub since: SystemTime,
    /// What people call it.
    pub label: Option<String>,
    /// The id of the open question.
    pub question: Option<String>,
    /// Whether only a person may answer or type now.
    pub person: bool,
    /// What its tool last said of how far it is.
    pub progress: Option<Progress>,
    /// How it has ended, if it has.
    pub end: Option<SessionEnd>,
    /// The open question, and who may answer it.
    pub asks: Option<OpenQuestion>,
    /// When it was spawned.
    pub started: SystemTime,
    /// The program and its arguments, as far as its tool says.
    pub command: Vec<String>,
    /// Whether it has a screen, in which a person can take part.
    pub terminal: bool,
}

/// For which handles [`Sessions::wait`] waits.
///
/// ```
/// assert_ne!(toolwire_host::WaitFor::Any, toolwire_host::WaitFor::All);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WaitFor {
    /// One of them.
    Any,
    /// Each of them.
    All,
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

impl Sessions {
    /// A host without tools.
    #[must_use]
    pub fn new(options: SessionsOptions) -> Self {
        Sessions(Arc::new(Shared {
            options: Arc::new(options),
            tools: Mutex::default(),
            handles: Mutex::default(),
            turns: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            forgotten: Mutex::default(),
        }))
    }

    /// Adds a tool, or replaces the one of that name. Handles that there are keep theirs.
    pub fn add(&self, tool: SessionTool) {
        let name = tool.description.name.clone();
        lock(&self.0.tools).insert(name, Arc::new(tool));
    }

    /// The descriptions of the tools, by name.
    #[must_use]
    pub fn tools(&self) -> Vec<ToolDescription> {
        let tools = lock(&self.0.tools);
        tools
            .values()
            .map(|tool| tool.description.clone())
            .collect()
    }

    pub(super) fn tool(&self, name: &str) -> Result<Arc<SessionTool>, HostError> {
        let tools = lock(&self.0.tools);
        tools.get(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = tools.keys().map(String::as_str).collect();
            HostError::new(HostErrorKind::UnknownTool, unknown("tool", name, &known))
        })
    }

    /// A call of a tool, with what the host passes to it.
    ///
    /// # Errors
    ///
    /// `unknown_tool`.
    pub fn call_of(&self, tool: &str, arguments: Json) -> Result<Call, HostError> {
        Ok(self.tool(tool)?.call(arguments))
    }

    /// Starts a tool under an id, and waits briefly for what it says first.
    ///
    /// # Errors
    ///
    /// `unknown_tool`. Everything else is a refusal in [`Fetched`].
    pub async fn spawn(
        &self,
        id: &str,
        tool: &str,
        call: Call,
        by: AnswerSource,
        options: &SpawnOptions,
    ) -> Result<Fetched, HostError> {
        let tool = self.tool(tool)?;
        Ok(self.spawn_tool(id, &tool, call, by, options).await)
    }

    pub(super) async fn spawn_tool(
        &self,
        id: &str,
        tool: &Arc<SessionTool>,
        call: Call,
        by: AnswerSource,
        options: &SpawnOptions,
    ) -> Fetched {
        // A person is not asked about what is refused anyway.
        if let Err(refused) = self.0.claim(id, tool, by, false) {
            return *refused;
        }
        let mut request = ApprovalRequest::new(&tool.description.name, SessionAction::Spawn, by);
        request.id = Some(id.to_owned());
        request.arguments = Some(call.arguments.clone());
        if let Some(refusal) = self.disapproved(tool, request).await {
            return Fetched::refused(id, SessionState::Absent, refusal);
        }
        let handle = match self.0.claim(id, tool, by, true) {
            Ok(handle) => handle,
            Err(refused) => return *refused,
        };
        let since = Since::spawned(&handle.lock());
        let changed = handle.spawn(by, tool, call, options.label.clone());
        let Some(started) = changed.started else {
            self.0.expire(&handle);
            return self.refused(&handle, changed.outcome.refusal);
        };
        pump::begin(&handle, started, Arc::downgrade(&self.0));
        if self.0.closed.load(Ordering::SeqCst) {
            handle.tell(SessionEvent::HostExit);
        }
        self.reply(&handle, &options.reply, self.0.options.first_wait, &since)
            .await
    }

    /// What a handle has said since.
    pub async fn fetch(&self, id: &str, by: AnswerSource, options: &FetchOptions) -> Fetched {
        let Some(handle) = self.0.find(id) else {
            return self.unknown(id);
        };
        self.fetch_handle(&handle, by, options).await
    }

    pub(super) async fn fetch_handle(
        &self,
        handle: &Arc<Handle>,
        by: AnswerSource,
        options: &FetchOptions,
    ) -> Fetched {
        if let Some(refused) = self
            .unapproved(handle, SessionAction::Fetch, by, None)
            .await
        {
            return refused;
        }
        let since = Since::seen(&handle.lock(), options.after);
        settle(handle, options.wait.unwrap_or_default(), options, &since).await;
        fetch(handle, by, options, &since)
    }

    /// Gives a handle input, or the answer to its question, and waits briefly for what its tool says to it.
    pub async fn apply(
        &self,
        id: &str,
        what: Applied,
        question: Option<&str>,
        by: AnswerSource,
        options: &FetchOptions,
    ) -> Fetched {
        let Some(handle) = self.0.find(id) else {
            return self.unknown(id);
        };
        self.apply_handle(&handle, what, question, by, options)
            .await
    }

    pub(super) async fn apply_handle(
        &self,
        handle: &Arc<Handle>,
        what: Applied,
        question: Option<&str>,
        by: AnswerSource,
        options: &FetchOptions,
    ) -> Fetched {
        let given = match &what {
            Applied::Input(value) => Some(value.clone()),
            Applied::Answer(answer) => Json::new(answer.to_json()).ok(),
            _ => None,
        };
        if let Some(refused) = self
            .unapproved(handle, SessionAction::Apply, by, given)
            .await
        {
            return refused;
        }
        let since = match handle.apply(by, what, question.map(str::to_owned)) {
            Ok(since) => since,
            Err(refusal) => return self.refused(handle, refusal),
        };
        self.reply(handle, options, self.0.options.first_wait, &since)
            .await
    }

    /// Ends a handle, and waits for its tool to end, at most until it is killed.
    pub async fn abort(&self, id: &str, by: AnswerSource, options: &FetchOptions) -> Fetched {
        let Some(handle) = self.0.find(id) else {
            return self.unknown(id);
        };
        self.abort_handle(&handle, by, options).await
    }

    pub(super) async fn abort_handle(
        &self,
        handle: &Arc<Handle>,
        by: AnswerSource,
        options: &FetchOptions,
    ) -> Fetched {
        if let Some(refused) = self
            .unapproved(handle, SessionAction::Abort, by, None)
            .await
        {
            return refused;
        }
        let outcome = handle.tell(SessionEvent::Abort { by });
        if outcome.refusal.is_some() {
            return self.refused(handle, outcome.refusal);
        }
        let since = Since::seen(&handle.lock(), options.after);
        let patience = handle.patience(Duration::from_millis(500));
        let wait = options.wait.unwrap_or(patience);
        until_stopped(handle, after(wait)).await;
        let options = FetchOptions {
            wait: Some(Duration::ZERO),
            ..options.clone()
        };
        self.reply(handle, &options, Duration::ZERO, &since).await
    }

    /// Waits until one or each of these handles needs somebody or has stopped, and gives their states. A handle
    /// that there is not is `absent`, for which nobody waits.
    pub async fn wait(
        &self,
        ids: &[&str],
        which: WaitFor,
        time: Duration,
    ) -> Vec<(String, SessionState)> {
        let deadline = after(time);
        let handles: Vec<Arc<Handle>> = ids.iter().filter_map(|id| self.0.find(id)).collect();
        if which == WaitFor::Any && !handles.is_empty() {
            let mut waiting: Vec<_> = handles
                .iter()
                .map(|handle| Box::pin(until(handle, deadline, Handle::needs_somebody)))
                .collect();
            poll_fn(|context| {
                let mut polls = waiting.iter_mut().map(|one| one.as_mut().poll(context));
                polls.find(Poll::is_ready).unwrap_or(Poll::Pending)
            })
            .await;
        } else {
            for handle in &handles {
                until(handle, deadline, Handle::needs_somebody).await;
            }
        }
        let state = |id: &&str| {
            let handle = self.0.find(id);
            handle.map_or(SessionState::Absent, |handle| handle.state())
        };
        ids.iter().map(|id| ((*id).to_owned(), state(id))).collect()
    }

    /// All handles, by id.
    #[must_use]
    pub fn list(&self) -> Vec<SessionInfo> {
        let handles = self.0.all();
        handles.iter().map(|handle| handle.info()).collect()
    }

    /// Ends all handles and waits until nothing is left of their tools: asks them to end, and kills those that do
    /// not. Nothing can be spawned any more; what has stopped can still be fetched.
    pub async fn close(&self) {
        self.0.closed.store(true, Ordering::SeqCst);
        let handles = self.0.all();
        for handle in &handles {
            handle.tell(SessionEvent::HostExit);
        }
        for handle in &handles {
            let patience = handle.patience(Duration::from_secs(10));
            until_stopped(handle, after(patience)).await;
        }
    }

    /// The envelope of a command that was carried out.
    async fn reply(
        &self,
        handle: &Arc<Handle>,
        options: &FetchOptions,
        wait: Duration,
        since: &Since,
    ) -> Fetched {
        let wait = match options.until {
            // Whoever waits for a text means it to come.
            Some(_) => self.0.options.max_wait,
            None => wait,
        };
        settle(handle, options.wait.unwrap_or(wait), options, since).await;
        fetch(handle, AnswerSource::Policy, options, since)
    }

    fn refused(&self, handle: &Handle, refusal: Option<Refusal>) -> Fetched {
        let refusal = refusal
            .unwrap_or_else(|| Refusal::new(Code::HandleStopped, "nothing was done", Vec::new()));
        Fetched::refused(&handle.id, handle.state(), refusal)
    }

    pub(super) fn unknown(&self, id: &str) -> Fetched {
        if self.0.options.secret_ids {
            let message = format!("there is no handle `{id}`");
            let refusal = Refusal::new(Code::UnknownHandle, message, vec![SessionAction::Spawn]);
            return Fetched::refused(id, SessionState::Absent, refusal);
        }
        let handles = lock(&self.0.handles);
        // One of that id is of another tool.
        let others = handles.keys().filter(|other| *other != id);
        let known: Vec<String> = others.take(NAMED).cloned().collect();
        Fetched::unknown(id, &known)
    }

    /// Why an action was not approved, if it has to be.
    pub(super) async fn disapproved(
        &self,
        tool: &SessionTool,
        request: ApprovalRequest,
    ) -> Option<Refusal> {
        let approver = self.0.options.approver.as_ref()?;
        let rules = tool.rules_in(&self.0.options);
        if request.by == AnswerSource::User || !rules.approve.contains(&request.action) {
            return None;
        }
        let action = request.action;
        match approver.approve(request).await {
            Approval::Granted => None,
            Approval::Declined(reason) => {
                let why = reason
                    .map(|reason| format!(": {reason}"))
                    .unwrap_or_default();
                let message = format!("`{action}` was not approved{why}");
                Some(Refusal::new(Code::ActionNotOffered, message, Vec::new()))
            }
        }
    }

    async fn unapproved(
        &self,
        handle: &Handle,
        action: SessionAction,
        by: AnswerSource,
        given: Option<Json>,
    ) -> Option<Fetched> {
        let tool = handle.tool();
        let mut request = ApprovalRequest::new(&tool.description.name, action, by);
        request.id = Some(handle.id.clone());
        request.arguments = given;
        // What is refused anyway is for the machine to say.
        if !handle.lock().machine.possible(by).contains(&action) {
            return None;
        }
        let mut refusal = self.disapproved(&tool, request).await?;
        let state = handle.lock();
        refusal.possible = state.machine.possible(by);
        refusal.possible.retain(|possible| *possible != action);
        let now = state.machine.state();
        drop(state);
        Some(Fetched::refused(&handle.id, now, refusal))
    }
}

/// Waits until a handle is as it should be.
async fn until(handle: &Arc<Handle>, deadline: Instant, is_done: fn(&Handle) -> bool) {
    loop {
        let mut changes = handle.changes();
        if is_done(handle) {
            return;
        }
        let waited = timeout_at(deadline.into(), changes.changed()).await;
        if waited.is_err() {
            return;
        }
    }
}

pub(super) async fn until_stopped(handle: &Arc<Handle>, deadline: Instant) {
    let stopped =
        |handle: &Handle| matches!(handle.state(), SessionState::Stopped | SessionState::Absent);
    until(handle, deadline, stopped).await;
}

impl Handle {
    fn info(&self) -> SessionInfo {
        let state = self.lock();
        let question = state.machine.question();
        let apply = state.machine.possible(AnswerSource::Policy);
        SessionInfo {
            id: self.id.clone(),
            tool: state.tool.description.name.clone(),
            state: state.machine.state(),
            since: state.since,
            label: state.label.clone(),
            question: question.map(|question| question.id.clone()),
            progress: state.last.progress.clone(),
            end: state.last.end.clone(),
            asks: state.asks(),
            started: state.last.started,
            command: state.tool.command.clone(),
            terminal: state.screen().is_some(),
            person: state.last.person
                || question.is_some() && !apply.contains(&SessionAction::Apply),
        }
    }
}
