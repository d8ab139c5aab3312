//! What a client asks, answered for one connection.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use toolwire::Json;
use toolwire::event::Level;
use toolwire::json::ObjectWriter;
use toolwire::mcp::Revision;
use toolwire_host::{Conversations, Sent};
use toolwire_rpc::{Answer, Arrived, Caller, Incoming, Message, Options, Peer, RpcError};

use super::context::{Client, Context, Params, bad_params, object, supported_versions, text};
use super::error::{INVALID_REQUEST, METHOD_NOT_FOUND, internal, needs_tasks};
use super::pages::Pages;
use super::tasks::{self, Order, Relay};
use super::{ServeError, Shared, call, context, listing, own};
use crate::lock;

/// The notification that there are other tools now.
pub(super) const TOOLS_CHANGED: &str = "notifications/tools/list_changed";

/// Answers one client.
#[derive(Debug, Clone)]
pub(super) struct Handler {
    pub shared: Arc<Shared>,
    pub session: Arc<Session>,
}

/// What is known of one connection.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// Who calls; a sealed state is bound to it.
    pub principal: String,
    /// What a client of an older revision has said in its handshake.
    hello: Mutex<Option<(Revision, Client)>>,
    /// From which level on such a client wants the log, if at all.
    level: Mutex<Option<Level>>,
    /// The calls that go on.
    pub calls: Conversations,
    /// The pages that were opened, and that tools may still wait for.
    pub pages: Pages,
    /// Whether changes of the tools are reported to the client.
    is_watching: AtomicBool,
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

impl Handler {
    /// How a peer works whose other side is this client.
    pub(super) fn options(&self) -> Options {
        let handler = self.clone();
        let mut options = Options::new(move |peer, arrived, _| handler.take(peer, arrived));
        options.places = Arc::clone(&self.shared.places);
        options
    }

    fn take(&self, peer: &Peer, arrived: Arrived) {
        match arrived {
            Arrived::Request(incoming) if !incoming.message().is_2_0() => {
                let message = "the message does not say that it is one of JSON-RPC 2.0";
                incoming.respond(Err(RpcError::new(INVALID_REQUEST, message)));
            }
            // At once, so that requests sent without waiting for the answer are those of this revision.
            Arrived::Request(incoming) if incoming.message().method() == "initialize" => {
                let message = incoming.message().clone();
                let answer =
                    Params::of(&message).and_then(|params| self.initialize(&message, &params));
                incoming.respond(answer);
            }
            Arrived::Request(incoming) => {
                let message = incoming.message().clone();
                tokio::spawn(self.clone().serve(incoming, message, None));
            }
            Arrived::Notification(note) if note.method() == "notifications/initialized" => {
                self.report_changes(peer);
            }
            Arrived::Notification(_) => {}
            Arrived::Damage(damage) => {
                let message = format!("what was sent {damage}");
                peer.refuse(RpcError::new(damage.code, message));
            }
        }
    }

    /// Answers a request, which may carry the message of another client.
    pub(super) async fn serve(self, incoming: Incoming, message: Message, order: Option<Order>) {
        let answer = self.answer(incoming.caller(), &message, order).await;
        let answer = own::shortened(
            &self.shared,
            &self.session.principal,
            &self.session.sent,
            &message,
            answer,
        )
        .await;
        drop(message);
        incoming.respond(answer);
    }

    /// Reports changes of the tools to the client, until it leaves.
    fn report_changes(&self, peer: &Peer) {
        if self.session.is_watching.swap(true, Ordering::Relaxed) {
            return;
        }
        let (mut known, peer) = (self.shared.known.subscribe(), peer.clone());
        tokio::spawn(async move {
            let reporting = async {
                // The client begins with the tools that are known first.
                if known.wait_for(Option::is_some).await.is_err() {
                    return;
                }
                while known.changed().await.is_ok() {
                    if peer.notify(TOOLS_CHANGED, "{}").await.is_err() {
                        return;
                    }
                }
            };
            tokio::select! {
                () = reporting => {}
                () = peer.left() => {}
            }
        });
    }

    async fn answer(&self, caller: &Caller, message: &Message, order: Option<Order>) -> Answer {
        let method = message.method();
        let params = Params::of(message)?;
        let context = Context::new(&self.session, caller, message, &params)?;
        let params = match method {
            "tools/call" => {
                match own::take(&self.shared, &self.session.principal, &context, params).await? {
                    own::Taken::Answered(result) => return Ok(result),
                    own::Taken::Call(params) => params,
                }
            }
            _ => params,
        };
        if let Some(relay) = &self.session.relay
            && let Some(answer) = relay.answer(self, &context, &params, message).await
        {
            return answer;
        }
        let is_modern = context.revision >= Revision::V2026_07_28;
        match method {
            "ping" if !is_modern => Ok("{}".to_owned()),
            "server/discover" => Ok(self.discovery()),
            "tools/list" => {
                let cursor = match params.get("cursor") {
                    None | Some("null") => None,
                    cursor => Some(text(cursor).ok_or_else(|| bad_params(method))?),
                };
                let catalog = self.shared.catalog().await.map_err(no_tools)?;
                let options = &self.shared.options;
                listing::page(&catalog, cursor.as_deref(), context.revision, options)
            }
            "tools/call" => call::call(self, context, &params, order).await,
            "logging/setLevel" if !is_modern => {
                let level = text(params.get("level")).and_then(|level| level.parse().ok());
                *lock(&self.session.level) = Some(level.ok_or_else(|| bad_params(method))?);
                Ok("{}".to_owned())
            }
            "tasks/get" | "tasks/update" | "tasks/cancel" if is_modern => {
                self.about_task(method, &context, &params)
            }
            tasks::LISTEN if is_modern => tasks::listen(self, &context, &params).await,
            _ => Err(no_method(method)),
        }
    }

    /// The handshake of the older revisions. A version that is not spoken is answered with the newest that is.
    fn initialize(&self, message: &Message, params: &Params<'_>) -> Answer {
        let method = message.method();
        let meta = object(method, params.get("_meta"))?;
        if context::version(meta.as_ref()).as_deref() == Some(Revision::V2026_07_28.as_str()) {
            return Err(no_method(method));
        }
        let refuse = || bad_params(method);
        let names = ["protocolVersion", "capabilities", "clientInfo"];
        let [version, capabilities, info] = message.members(names).ok_or_else(refuse)?;
        let version = text(version).ok_or_else(refuse)?;
        let capabilities = object(method, capabilities)?.ok_or_else(refuse)?;
        let info = object(method, info)?.ok_or_else(refuse)?;
        let asked = version.parse().ok();
        let older = |revision: &Revision| *revision < Revision::V2026_07_28;
        let revision = asked.filter(older).unwrap_or(Revision::V2025_11_25);
        let client = Client::new(Some(&info), capabilities);
        *lock(&self.session.hello) = Some((revision, client));
        let mut result = ObjectWriter::new();
        result
            .text("protocolVersion", revision.as_str())
            // No older revision has an extension that is served here.
            .json("capabilities", self.capabilities(false))
            .json("serverInfo", self.server_info())
            .optional("instructions", self.shared.options.instructions.as_ref());
        Ok(result.end())
    }

    fn discovery(&self) -> String {
        let info = self.server_info();
        let meta = ObjectWriter::new()
            .json("io.modelcontextprotocol/serverInfo", info)
            .end();
        ObjectWriter::new()
            .text("resultType", "complete")
            .json("supportedVersions", supported_versions())
            .json("capabilities", self.capabilities(true))
            .optional("instructions", self.shared.options.instructions.as_ref())
            .number("ttlMs", 0)
            .text("cacheScope", "private")
            .json("_meta", meta)
            .end()
    }

    fn capabilities(&self, with_extensions: bool) -> String {
        let mut all = ObjectWriter::new();
        if with_extensions && self.shared.options.tasks.is_some() {
            all.json("extensions", r#"{"io.modelcontextprotocol/tasks":{}}"#);
        }
        all.json("logging", "{}")
            .json("tools", r#"{"listChanged":true}"#)
            .end()
    }

    fn server_info(&self) -> String {
        ObjectWriter::new()
            .text("name", &self.shared.options.name)
            .text("version", env!("CARGO_PKG_VERSION"))
            .end()
    }

    fn about_task(&self, method: &str, context: &Context, params: &Params<'_>) -> Answer {
        let Some(tasks) = &self.shared.tasks else {
            return Err(no_method(method));
        };
        if !context.client.knows_tasks() {
            return Err(needs_tasks());
        }
        let id = text(params.get("taskId")).ok_or_else(|| bad_params(method))?;
        let responses = object(method, params.get("inputResponses"))?;
        let task = tasks.find(&self.session.principal, &id)?;
        match method {
            "tasks/get" => return Ok(task.get()),
            "tasks/update" => task.update(&responses.unwrap_or_else(Json::empty_object)),
            _ => task.cancel(),
        }
        Ok(r#"{"resultType":"complete"}"#.to_owned())
    }

    /// From which level on the client of a request wants the log, if at all.
    pub(super) fn level(&self, context: &Context) -> Option<Level> {
        match context.revision {
            Revision::V2026_07_28 => context.log_level(),
            _ => *lock(&self.session.level),
        }
    }
}

pub(super) fn no_method(method: &str) -> RpcError {
    let method: String = method.chars().take(100).collect();
    RpcError::new(METHOD_NOT_FOUND, format!("there is no method `{method}`"))
}

pub(super) fn no_tools(error: ServeError) -> RpcError {
    internal(error.to_string())
}
