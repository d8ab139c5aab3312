//! One task: how far it is, what it asks, and what it came to.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::{oneshot, watch};
use toolwire::Json;
use toolwire::json::{Document, ObjectWriter};

use super::TaskInfo;
use super::time::timestamp;
use crate::server::TaskOptions;

/// As far away as anything is waited for: 30 years. A time without an end would be more than an `Instant` can show.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// A call that goes on while nobody waits for its answer.
#[derive(Debug)]
pub struct Task {
    pub id: String,
    /// Whose it is; to everybody else it is unknown.
    pub principal: String,
    /// The tool that was called.
    tool: String,
    pub started: Instant,
    created: SystemTime,
    /// How long it is kept without a change or a request.
    lifetime: Duration,
    poll: Duration,
    now: Mutex<Now>,
    /// Tells of every change.
    changed: watch::Sender<()>,
    /// Whether it is to end.
    cancel: watch::Sender<bool>,
}

/// Somebody who is told of every change, until it is dropped.
#[derive(Debug)]
pub struct Listening(Arc<Task>);

impl Drop for Listening {
    fn drop(&mut self) {
        let mut now = self.0.lock();
        now.listeners -= 1;
        now.asked();
    }
}

/// How it stands.
#[derive(Debug)]
struct Now {
    status: Status,
    message: Option<String>,
    updated: SystemTime,
    /// From when its time to live counts.
    since: Instant,
    /// How many are told of every change.
    listeners: usize,
    /// Whether somebody has got what it came to.
    fetched: bool,
    /// The keys of all requests so far: none is used twice.
    keys: HashSet<String>,
}

#[derive(Debug)]
pub enum Status {
    Working,
    /// It waits for answers.
    Waiting(Box<Waiting>),
    /// It has a result, as JSON text.
    Completed(String),
    /// It has an error of JSON-RPC.
    Failed(String),
    Cancelled,
}

/// What a task waits for.
pub struct Waiting {
    requests: Vec<InputRequest>,
    take: Take,
}

/// Takes responses by the ids of their questions, and says what is still open; nothing if the call has ended.
pub type Take = Box<dyn FnMut(Option<&Json>) -> Option<Vec<Still>> + Send>;

/// A question that is still open.
pub struct Still {
    pub id: String,
    /// The new request, if the last answer did not fit.
    pub again: Option<String>,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Waiting").field(&self.requests).finish()
    }
}

/// A question as the client finds it.
#[derive(Debug)]
struct InputRequest {
    key: String,
    /// The id of the question.
    id: String,
    /// The request, as JSON text.
    text: String,
}

impl Status {
    fn as_str(&self) -> &'static str {
        match self {
            Status::Working => "working",
            Status::Waiting(_) => "input_required",
            Status::Completed(_) => "completed",
            Status::Failed(_) => "failed",
            Status::Cancelled => "cancelled",
        }
    }

    fn is_end(&self) -> bool {
        !matches!(self, Status::Working | Status::Waiting(_))
    }
}

impl Now {
    fn changes(&mut self) {
        self.updated = SystemTime::now();
        self.since = Instant::now();
    }

    /// Somebody has asked for it. What it came to is not kept longer for that.
    fn asked(&mut self) {
        if !self.status.is_end() {
            self.since = Instant::now();
        }
    }

    /// A key that this task has not used.
    fn key(&mut self, id: &str) -> String {
        let mut key = id.to_owned();
        let mut number = 1;
        while !self.keys.insert(key.clone()) {
            number += 1;
            key = format!("{id}#{number}");
        }
        key
    }
}

impl Task {
    pub fn new(
        id: &str,
        principal: &str,
        tool: &str,
        status: Option<String>,
        options: &TaskOptions,
    ) -> Self {
        let (started, created) = (Instant::now(), SystemTime::now());
        Task {
            id: id.to_owned(),
            principal: principal.to_owned(),
            tool: tool.to_owned(),
            started,
            created,
            lifetime: options.lifetime,
            poll: options.poll,
            now: Mutex::new(Now {
                status: Status::Working,
                message: status,
                updated: created,
                since: started,
                listeners: 0,
                fetched: false,
                keys: HashSet::new(),
            }),
            changed: watch::Sender::new(()),
            cancel: watch::Sender::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What people are told of it.
    pub fn info(&self) -> TaskInfo {
        TaskInfo {
            id: self.id.clone(),
            tool: self.tool.clone(),
            status: self.lock().status.as_str(),
        }
    }

    /// Done when its time to live is over: so long nothing has changed and, while it goes on, nobody has asked
    /// for it.
    pub async fn outlived(&self) {
        loop {
            let end = {
                let mut now = self.lock();
                if now.listeners > 0 {
                    now.asked();
                }
                now.since + self.lifetime.min(FAR)
            };
            if end <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(end.into()).await;
        }
    }

    /// For as long as the value is held, somebody wants to know of it.
    pub fn listen(self: &Arc<Self>) -> Listening {
        self.lock().listeners += 1;
        Listening(Arc::clone(self))
    }

    /// Tells of every change from now on.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// It is to end; what it waits for is not asked any more.
    pub fn cancel(&self) {
        self.cancel.send_replace(true);
    }

    pub fn is_cancelled(&self) -> bool {
        *self.cancel.borrow()
    }

    /// Done when it is to end.
    pub async fn cancelled(&self) {
        // The sender is here, so there is no error.
        let _ = self.cancel.subscribe().wait_for(|cancel| *cancel).await;
    }

    /// Sets the status message.
    pub fn says(&self, message: String) {
        let mut now = self.lock();
        now.message = Some(message);
        now.changes();
        drop(now);
        self.changed.send_replace(());
    }

    pub fn end(&self, status: Status) {
        let mut now = self.lock();
        now.status = status;
        now.message = None;
        now.changes();
        drop(now);
        self.changed.send_replace(());
    }

    /// How many bytes of a result it keeps.
    pub fn kept(&self) -> usize {
        match &self.lock().status {
            Status::Completed(text) | Status::Failed(text) => text.len(),
            Status::Working | Status::Waiting(_) | Status::Cancelled => 0,
        }
    }

    /// Whether it has ended, and somebody knows what it came to.
    pub fn is_fetched(&self) -> bool {
        let now = self.lock();
        now.fetched && now.status.is_end()
    }

    pub fn is_over(&self) -> bool {
        self.lock().status.is_end()
    }

    /// Asks what these requests do, each with the id of its question, and waits until all are answered.
    ///
    /// # Errors
    ///
    /// That the task is cancelled.
    pub async fn ask<T>(
        &self,
        requests: Vec<(String, String)>,
        take: Take,
        answer: oneshot::Receiver<T>,
    ) -> Result<T, String> {
        {
            let mut now = self.lock();
            let mut keyed = Vec::new();
            for (id, text) in requests {
                let key = now.key(&id);
                keyed.push(InputRequest { key, id, text });
            }
            let requests = keyed;
            now.status = Status::Waiting(Box::new(Waiting { requests, take }));
            now.changes();
        }
        self.changed.send_replace(());
        let cancelled = || "the task is cancelled".to_owned();
        tokio::select! {
            biased;
            () = self.cancelled() => Err(cancelled()),
            answer = answer => answer.map_err(|_| cancelled()),
        }
    }

    /// Takes the responses to what it waits for; all others are ignored.
    pub fn update(&self, responses: &Json) {
        let mut now = self.lock();
        now.asked();
        let Status::Waiting(mut waiting) = std::mem::replace(&mut now.status, Status::Working)
        else {
            return;
        };
        let given = waiting.by_id(responses);
        match (waiting.take)(given.as_ref()) {
            Some(open) if open.is_empty() => {}
            Some(open) => {
                waiting.again(open, &mut now);
                now.status = Status::Waiting(waiting);
            }
            // What drives the call has ended.
            None => {
                now.status = Status::Waiting(waiting);
                return;
            }
        }
        now.changes();
        drop(now);
        self.changed.send_replace(());
    }

    /// The answer to the call that it was.
    pub fn created(&self) -> String {
        let now = self.lock();
        let mut out = ObjectWriter::new();
        out.text("resultType", "task");
        self.write(&now, &mut out);
        out.end()
    }

    /// What it is now, for whoever asks.
    pub fn get(&self) -> String {
        let mut now = self.lock();
        now.asked();
        now.fetched = now.status.is_end();
        let mut out = ObjectWriter::new();
        out.text("resultType", "complete");
        self.detailed(&now, &mut out);
        out.end()
    }

    /// What it is now, for a notification of the subscription with this id, as JSON text.
    pub fn notification(&self, subscription: &str) -> String {
        let now = self.lock();
        let mut meta = ObjectWriter::new();
        meta.json("io.modelcontextprotocol/subscriptionId", subscription);
        let mut out = ObjectWriter::new();
        out.json("_meta", meta.end());
        self.detailed(&now, &mut out);
        out.end()
    }

    fn detailed(&self, now: &Now, out: &mut ObjectWriter) {
        self.write(now, out);
        match &now.status {
            Status::Working | Status::Cancelled => {}
            Status::Waiting(waiting) => {
                let mut requests = ObjectWriter::new();
                for request in &waiting.requests {
                    requests.json(&request.key, &request.text);
                }
                out.json("inputRequests", requests.end());
            }
            Status::Completed(result) => {
                out.json("result", result);
            }
            Status::Failed(error) => {
                out.json("error", error);
            }
        }
    }

    fn write(&self, now: &Now, out: &mut ObjectWriter) {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let ttl = now.since.duration_since(self.started) + self.lifetime;
        out.text("taskId", &self.id);
        out.text("status", now.status.as_str());
        out.optional("statusMessage", now.message.as_deref());
        out.text("createdAt", timestamp(self.created));
        out.text("lastUpdatedAt", timestamp(now.updated));
        out.number("ttlMs", millis(ttl));
        out.number("pollIntervalMs", millis(self.poll).max(1));
    }
}

impl Waiting {
    /// The responses by the ids of the questions, without those that answer nothing.
    fn by_id(&self, responses: &Json) -> Option<Json> {
        let document = Document::new(responses.as_str()).ok()?;
        let mut given = ObjectWriter::new();
        for request in &self.requests {
            if let Some(response) = document.root().get(&request.key) {
                given.json(&request.id, response.raw());
            }
        }
        Json::new(given.end()).ok()
    }

    /// Keeps what is still open. What was answered wrongly is asked by another key.
    fn again(&mut self, open: Vec<Still>, now: &mut Now) {
        self.requests
            .retain(|asked| open.iter().any(|still| still.id == asked.id));
        for Still { id, again } in open {
            let asked = self.requests.iter_mut().find(|asked| asked.id == id);
            if let (Some(asked), Some(text)) = (asked, again) {
                asked.key = now.key(&id);
                asked.text = text;
            }
        }
    }
}
