//! What is known of one connection.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use tokio::task::JoinHandle;
use toolwire::event::Level;
use toolwire::mcp::Revision;
use toolwire_host::{Conversations, Sent};

use super::Shared;
use super::context::{Client, Context};
use super::pages::Pages;
use super::tasks::relay::Relay;
use crate::lock;

/// Answers one client.
#[derive(Debug, Clone)]
pub(super) struct Handler {
    pub shared: Arc<Shared>,
    pub session: Arc<Session>,
}

impl Handler {
    /// From which level on the client of a request wants the log, if at all.
    pub(super) fn level(&self, context: &Context) -> Option<Level> {
        match context.revision {
            Revision::V2026_07_28 => context.log_level(),
            _ => *lock(&self.session.level),
        }
    }
}

/// What is known of one connection.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// Who calls; a sealed state is bound to it.
    pub principal: String,
    /// What a client of an older revision has said in its handshake.
    pub hello: Mutex<Option<(Revision, Client)>>,
    /// From which level on such a client wants the log, if at all.
    pub level: Mutex<Option<Level>>,
    /// The calls that go on.
    pub calls: Conversations,
    /// The pages that were opened, and that tools may still wait for.
    pub pages: Pages,
    /// Whether changes of lists are reported to the client.
    pub is_watching: AtomicBool,
    /// The resources that a client of an older revision has subscribed to, each with what reports it.
    pub watched: Mutex<HashMap<String, JoinHandle<()>>>,
    /// The way to those who keep tasks, if they are kept elsewhere.
    pub relay: Option<Relay>,
    /// The resources that its model has got.
    pub sent: Arc<Sent>,
}

impl Session {
    pub(super) fn new(principal: &str, relay: Option<Relay>) -> Self {
        Session {
            principal: principal.to_owned(),
            relay,
            ..Session::default()
        }
    }

    pub(super) fn hello(&self) -> Option<(Revision, Client)> {
        lock(&self.hello).clone()
    }

    /// Ends all calls, and waits until nothing is left of their tools.
    pub(super) async fn shutdown(&self) {
        let calls = self.calls.clone();
        // It blocks, and the drivers of the calls may need this thread.
        let _ = tokio::task::spawn_blocking(move || calls.shutdown()).await;
    }
}
