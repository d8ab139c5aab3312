//! What the program of a host is asked and told, which it takes one by one.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::oneshot;
use toolwire::Json;
use toolwire::call::{Answer, AnswerSource};
use toolwire::json::ObjectWriter;
use toolwire_host::{
    Approval, ApprovalRequest, PendingQuestion, SessionAnswerer, SessionApprover, SessionNotice,
    SessionObserver, SessionsOptions,
};

use super::Notice;
use super::notices::Notices;
use crate::bell::Listener;
use crate::readers::SessionsCallbacks;
use crate::runtime::Host;

impl SessionsCallbacks {
    fn wants(&self, notice: &SessionNotice<'_>) -> bool {
        match notice {
            SessionNotice::State(_) => self.on_state,
            SessionNotice::Progress(_) => self.on_progress,
            SessionNotice::Message(_) => self.on_log,
            SessionNotice::Stderr(_) => self.on_stderr,
            _ => false,
        }
    }

    fn has_notices(&self) -> bool {
        self.on_state || self.on_progress || self.on_log || self.on_stderr
    }
}

/// Something that the program of the host is asked.
#[derive(Debug)]
pub enum Request {
    /// A question for whoever answers, with the number of the request.
    Question(u64, Box<PendingQuestion>),
    /// Whether something may be done: a JSON object, `{"tool","id"?,"action","by","arguments"?}`.
    Approval(u64, String),
    /// The request with this number needs no reply any more.
    Withdrawn(u64),
}

/// What the program says to it.
#[derive(Debug)]
enum Reply {
    Answer(Answer),
    Approval(Approval),
}

/// All that waits for the program.
#[derive(Default)]
pub(super) struct Requests {
    next: AtomicU64,
    state: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    queue: VecDeque<Request>,
    open: BTreeMap<u64, oneshot::Sender<Reply>>,
    notices: Notices,
    listener: Option<Listener>,
}

/// A panic elsewhere leaves nothing half done here.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts questions and requests to the program, and waits for what it says.
#[derive(Clone)]
struct Asker(Arc<Host>, Weak<Requests>);

impl Asker {
    async fn ask(&self, request: impl FnOnce(u64) -> Request) -> Option<Reply> {
        let requests = self.1.upgrade()?;
        let number = requests.next.fetch_add(1, Ordering::Relaxed);
        let (reply, said) = oneshot::channel();
        lock(&requests.state).open.insert(number, reply);
        let withdrawing = Withdrawing(self.clone(), number);
        requests.put(&self.0, request(number));
        drop(requests);
        let said = said.await.ok();
        drop(withdrawing);
        said
    }

    /// Puts what has happened where the program takes it; nobody waits for that.
    fn tell(&self, id: &str, notice: &SessionNotice<'_>) {
        if let (Some(requests), Some(notice)) = (self.1.upgrade(), Notice::of(notice)) {
            requests.change(&self.0, |state| {
                // Whoever was told takes all that waits.
                let is_news = state.notices.is_empty();
                state.notices.put(id, notice);
                is_news
            });
        }
    }

    async fn approve(self, request: ApprovalRequest) -> Approval {
        match self
            .ask(|number| Request::Approval(number, approval_json(&request)))
            .await
        {
            Some(Reply::Approval(approval)) => approval,
            _ => Approval::Declined(None),
        }
    }
}

impl toolwire_host::Answerer for Asker {
    async fn answer(&mut self, question: &PendingQuestion) -> Answer {
        match self
            .ask(|number| Request::Question(number, Box::new(question.clone())))
            .await
        {
            Some(Reply::Answer(answer)) => answer,
            _ => Answer::unavailable(AnswerSource::Policy),
        }
    }
}

/// Tells the program of a request that nobody waits for any more.
struct Withdrawing(Asker, u64);

impl Drop for Withdrawing {
    fn drop(&mut self) {
        let Some(requests) = self.0.1.upgrade() else {
            return;
        };
        let was_open = lock(&requests.state).open.remove(&self.1).is_some();
        if was_open {
            requests.put(&self.0.0, Request::Withdrawn(self.1));
        }
    }
}

impl Requests {
    /// Has the program asked and told what it has callbacks for.
    pub(super) fn attach(
        self: &Arc<Self>,
        host: &Arc<Host>,
        callbacks: SessionsCallbacks,
        options: &mut SessionsOptions,
    ) {
        let asker = Asker(Arc::clone(host), Arc::downgrade(self));
        if callbacks.answerer {
            options.answerer = Some(SessionAnswerer::new(asker.clone()));
        }
        if callbacks.approve {
            let asker = asker.clone();
            options.approver = Some(SessionApprover::new(move |request| {
                asker.clone().approve(request)
            }));
        }
        if callbacks.has_notices() {
            options.observer = Some(SessionObserver::new(move |id, notice| {
                if callbacks.wants(notice) {
                    asker.tell(id, notice);
                }
            }));
        }
    }

    /// The next question or request for approval, if one waits.
    pub(super) fn next(&self) -> Option<Request> {
        lock(&self.state).queue.pop_front()
    }

    /// The next notice, if one waits.
    pub(super) fn next_notice(&self) -> Option<(String, Notice)> {
        lock(&self.state).notices.take()
    }

    /// Has this function called when something waits, now and from now on.
    pub(super) fn listen(&self, host: &Host, listener: Listener) {
        let mut state = lock(&self.state);
        state.listener = Some(Arc::clone(&listener));
        let waits = !state.queue.is_empty() || !state.notices.is_empty();
        drop(state);
        if waits {
            host.bell.ring(listener);
        }
    }

    pub(super) fn answer(&self, number: u64, answer: Answer) {
        self.reply(number, Reply::Answer(answer));
    }

    pub(super) fn approve(&self, number: u64, approval: Approval) {
        self.reply(number, Reply::Approval(approval));
    }

    fn reply(&self, number: u64, reply: Reply) {
        if let Some(waiting) = lock(&self.state).open.remove(&number) {
            let _ = waiting.send(reply);
        }
    }

    fn put(&self, host: &Host, request: Request) {
        self.change(host, |state| {
            state.queue.push_back(request);
            true
        });
    }

    /// Changes what waits, and has the program told if the change says so.
    fn change(&self, host: &Host, change: impl FnOnce(&mut Waiting) -> bool) {
        let mut state = lock(&self.state);
        let is_news = change(&mut state);
        let listener = state.listener.clone().filter(|_| is_news);
        drop(state);
        if let Some(listener) = listener {
            host.bell.ring(listener);
        }
    }
}

fn approval_json(request: &ApprovalRequest) -> String {
    ObjectWriter::new()
        .text("tool", &request.tool)
        .optional("id", request.id.as_deref())
        .text("action", request.action.as_str())
        .text("by", request.by.as_str())
        .optional_json("arguments", request.arguments.as_ref().map(Json::as_str))
        .end()
}
