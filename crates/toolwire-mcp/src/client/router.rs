//! What is done with what a server says that is no answer.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;
use toolwire::mcp::Revision;
use toolwire_rpc::{Arrived, Incoming, Message, Options, Peer, RpcError};

use super::notices::CANCELLED;
use crate::lock;

/// How much of what is no message is kept, to say why a server can't be used.
const KEPT: usize = 4096;

/// The maximum number of opened URLs that are remembered, and of bytes of the id of one.
const OPENED: usize = 256;

/// Codes of errors: there is no such method; the request can't be answered.
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_REQUEST: i32 = -32600;

/// What has changed, beside the tools.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change<'a> {
    /// The list of resources, or that of their templates.
    Resources,
    /// The list of prompts.
    Prompts,
    /// The resource with this URI.
    Resource(&'a str),
}

/// Is told of changes. The reader calls it, so it must not wait.
pub(crate) struct OnChange(pub Box<dyn Fn(Change<'_>) + Send + Sync>);

impl fmt::Debug for OnChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnChange")
    }
}

/// Gives what a server says to the call that it is for, and refuses what Toolwire does not do.
#[derive(Debug)]
pub(super) struct Router {
    /// The revision that is spoken, and what the server calls it.
    agreed: OnceLock<(Revision, String)>,
    /// Whether the server said that its tools are others now.
    changed: AtomicBool,
    /// The ids of what was opened by its URL and is done.
    opened: Mutex<VecDeque<String>>,
    more_opened: Notify,
    /// The end of what came and is no message.
    noise: Mutex<String>,
    /// How long a question waits until it is known which call asks it.
    question_wait: Duration,
    on_change: Option<OnChange>,
}

impl Router {
    pub(super) fn new(question_wait: Duration, on_change: Option<OnChange>) -> Arc<Self> {
        Arc::new(Router {
            agreed: OnceLock::new(),
            changed: AtomicBool::new(false),
            opened: Mutex::default(),
            more_opened: Notify::new(),
            noise: Mutex::default(),
            question_wait,
            on_change,
        })
    }

    /// How a peer works that gives this what comes.
    pub(super) fn options(self: &Arc<Self>) -> Options {
        let router = Arc::clone(self);
        Options::new(move |peer, arrived, stream| router.take(peer, arrived, stream))
    }

    /// That this revision is spoken, which the server calls so.
    pub(super) fn agree(&self, revision: Revision, version: &str) {
        let _ = self.agreed.set((revision, version.to_owned()));
    }

    /// What the server calls the revision that is spoken.
    pub(super) fn version(&self) -> Option<&str> {
        self.agreed.get().map(|(_, version)| version.as_str())
    }

    /// Whether 2026-07-28 is spoken.
    pub(super) fn is_modern(&self) -> bool {
        matches!(self.agreed.get(), Some((Revision::V2026_07_28, _)))
    }

    /// Whether the tools have changed since this was asked last.
    pub(super) fn take_change(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed)
    }

    /// Whether they have, without taking note of it.
    pub(super) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// The end of what came and is no message.
    pub(super) fn noise(&self) -> String {
        lock(&self.noise).trim().to_owned()
    }

    /// Waits until the server has said that all of these are done.
    pub(super) async fn done(&self, ids: &[&str]) {
        loop {
            let mut more = std::pin::pin!(self.more_opened.notified());
            more.as_mut().enable();
            {
                let opened = lock(&self.opened);
                if ids.iter().all(|id| opened.iter().any(|done| done == id)) {
                    return;
                }
            }
            more.await;
        }
    }

    fn take(self: &Arc<Self>, peer: &Peer, arrived: Arrived, stream: Option<u64>) {
        let for_call = |arrived| {
            let calls = peer.hearing();
            let of_stream = stream.filter(|id| calls.contains(id));
            if let Some(id) = of_stream.or(calls.first().copied()) {
                peer.pass(id, arrived);
            }
        };
        match arrived {
            Arrived::Damage(damage) => {
                let mut noise = lock(&self.noise);
                noise.push_str(&damage.quote);
                noise.push('\n');
                let mut over = noise.len().saturating_sub(KEPT);
                while !noise.is_char_boundary(over) {
                    over += 1;
                }
                noise.drain(..over);
                drop(noise);
                for_call(Arrived::Damage(damage));
            }
            Arrived::Request(request) => self.answer(peer, request),
            Arrived::Notification(message) => match message.method() {
                "notifications/message" => for_call(Arrived::Notification(message)),
                "notifications/progress" => pass_to(peer, "progressToken", message),
                // One of this side's requests, as a stream of changes is.
                CANCELLED if self.is_modern() => pass_to(peer, "requestId", message),
                "notifications/elicitation/complete" => {
                    let id = message.text_of("elicitationId");
                    if let Some(id) = id.filter(|id| id.len() <= OPENED) {
                        let mut opened = lock(&self.opened);
                        opened.push_back(id);
                        let over = opened.len().saturating_sub(OPENED);
                        opened.drain(..over);
                        self.more_opened.notify_waiters();
                    }
                }
                // The list may have changed before the server began to tell.
                "notifications/tools/list_changed" | "notifications/subscriptions/acknowledged" => {
                    self.changed.store(true, Ordering::Relaxed);
                }
                "notifications/resources/list_changed" => self.tell(Change::Resources),
                "notifications/prompts/list_changed" => self.tell(Change::Prompts),
                "notifications/resources/updated" => {
                    if let Some(uri) = message.text_of("uri") {
                        self.tell(Change::Resource(&uri));
                    }
                }
                _ => {}
            },
        }
    }

    fn tell(&self, change: Change<'_>) {
        if let Some(on_change) = &self.on_change {
            (on_change.0)(change);
        }
    }

    fn answer(self: &Arc<Self>, peer: &Peer, request: Incoming) {
        match request.message().method() {
            "ping" => request.respond(Ok("{}".to_owned())),
            "elicitation/create" if !self.is_modern() => self.ask(peer, request),
            method => {
                let message = format!("Toolwire does not know the request `{}`", shown(method));
                request.respond(Err(RpcError::new(METHOD_NOT_FOUND, message)));
            }
        }
    }

    /// Gives a question to the call that asks it, as soon as only one can have.
    fn ask(self: &Arc<Self>, peer: &Peer, request: Incoming) {
        // The call may be given up, or there may be none.
        let request = request.otherwise(Ok(r#"{"action":"cancel"}"#.to_owned()));
        let open = peer.hearing();
        let assigned = request.stream().filter(|id| open.contains(id));
        let candidates = assigned.map_or(open, |id| vec![id]);
        if let [only] = candidates[..] {
            return peer.pass(only, Arrived::Request(request));
        }
        let (peer, wait) = (peer.clone(), self.question_wait);
        tokio::spawn(async move {
            let owner = tokio::select! {
                owner = timeout(wait, peer.only_one(&candidates)) => owner,
                () = request.caller().cancelled() => return,
            };
            match owner {
                Ok(Some(id)) => peer.pass(id, Arrived::Request(request)),
                Ok(None) => {}
                Err(_) => {
                    let message =
                        "several calls are open, and nothing says which of them asks this";
                    request.respond(Err(RpcError::new(INVALID_REQUEST, message)));
                }
            }
        });
    }
}

/// Gives a notification to the request that one of its members names.
fn pass_to(peer: &Peer, member: &str, message: Message) {
    let id = message
        .member(member)
        .map(|id| id.trim_matches('"').parse());
    if let Some(Ok(id)) = id {
        peer.pass(id, Arrived::Notification(message));
    }
}

fn shown(method: &str) -> String {
    method.chars().take(100).collect()
}
