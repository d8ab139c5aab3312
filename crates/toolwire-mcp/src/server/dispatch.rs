//! What a client asks, answered for one connection.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::{Stream, StreamExt as _};
use tokio::task::JoinHandle;
use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::ObjectWriter;
use toolwire::mcp::{Revision, to_tool};
use toolwire_rpc::{Answer, Arrived, Caller, Incoming, Message, Options, Peer, RpcError};

use super::context::{Client, Context, Params, bad_params, object, supported_versions, text};
use super::error::{INVALID_REQUEST, Refusal, internal, needs_tasks, no_method, no_tools};
use super::reports::{self, Filter, Report};
use super::session::Handler;
use super::tasks::orders::Order;
use super::tasks::{self, relayed};
use super::{call, context, listing, offers, own};
use crate::client::Offer;
use crate::lock;

/// Maximum number of resources that a client of an older revision subscribes to, and of bytes of a URI.
const MAX_WATCHED: usize = 256;
const MAX_URI: usize = 4096;

async fn report_all(peer: &Peer, mut reports: impl Stream<Item = Report> + Unpin) {
    while let Some(report) = reports.next().await {
        let params = report.params(None);
        if peer.notify(report.method(), &params).await.is_err() {
            return;
        }
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

    /// Reports changes of lists to the client, until it leaves.
    fn report_changes(&self, peer: &Peer) {
        if self.session.is_watching.swap(true, Ordering::Relaxed) {
            return;
        }
        let (handler, peer) = (self.clone(), peer.clone());
        let filter = Filter {
            tools: true,
            resources: true,
            prompts: true,
            ..Filter::default()
        };
        tokio::spawn(async move {
            let reporting = async {
                let reports = reports::of_lists(&handler, &filter).await;
                report_all(&peer, reports).await;
            };
            tokio::select! {
                () = reporting => {}
                () = peer.left() => {}
            }
        });
    }

    /// Subscribes a client of an older revision to a resource.
    async fn subscribe(&self, peer: &Peer, uri: String) -> Answer {
        let is_full = {
            let mut watched = lock(&self.session.watched);
            watched.retain(|_, reporting| !reporting.is_finished());
            watched.len() >= MAX_WATCHED && !watched.contains_key(&uri)
        };
        if is_full || uri.len() > MAX_URI {
            let message = format!(
                "a client subscribes to at most {MAX_WATCHED} resources, with URIs of {MAX_URI} bytes; unsubscribe from others"
            );
            return Err(Refusal::BadParams.because(message));
        }
        let reports = reports::of_resource(&uri, offers::watch(self, &uri).await?);
        let peer = peer.clone();
        let reporting = tokio::spawn(async move {
            tokio::select! {
                () = report_all(&peer, reports) => {}
                () = peer.left() => {}
            }
        });
        let before = lock(&self.session.watched).insert(uri, reporting);
        before.inspect(JoinHandle::abort);
        Ok("{}".to_owned())
    }

    async fn answer(&self, caller: &Caller, message: &Message, order: Option<Order>) -> Answer {
        let method = message.method();
        let params = Params::of(message)?;
        let context = Context::new(self.session.hello(), caller, message, &params)?;
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
            && let Some(answer) = relayed::answer(relay, self, &context, &params, message).await
        {
            return answer;
        }
        let is_modern = context.revision >= Revision::V2026_07_28;
        match method {
            "ping" if !is_modern => Ok("{}".to_owned()),
            "server/discover" => Ok(self.discovery()),
            "tools/list" => {
                let cursor = listing::cursor(method, &params)?;
                let catalog = self.shared.catalog().await.map_err(no_tools)?;
                let page = listing::Page {
                    what: "tools",
                    revision: context.revision,
                    size: self.shared.options.page_size,
                    ttl: self.shared.options.ttl,
                };
                let tool = |tool: &ToolDescription| to_tool(tool, page.revision).json.to_string();
                let cursor = cursor.as_deref();
                match &catalog.1 {
                    Some(listed) => page.of(listed, cursor, tool),
                    None => page.of(&catalog.0, cursor, |served| tool(&served.description)),
                }
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
            _ if offers::has_any(&self.shared.options) => {
                self.about_offers(method, &context, &params).await
            }
            _ => Err(no_method(method)),
        }
    }

    /// What is asked of resources and prompts.
    async fn about_offers(&self, method: &str, context: &Context, params: &Params<'_>) -> Answer {
        let is_modern = context.revision >= Revision::V2026_07_28;
        let answering = async {
            match method {
                "resources/list" => offers::list(self, context, Offer::Resources, params).await,
                "resources/templates/list" => {
                    offers::list(self, context, Offer::ResourceTemplates, params).await
                }
                "prompts/list" => offers::list(self, context, Offer::Prompts, params).await,
                "resources/read" => offers::read(self, context, params).await,
                "prompts/get" => offers::prompt(self, context, params).await,
                "resources/subscribe" | "resources/unsubscribe" if !is_modern => {
                    let uri = text(params.get("uri")).ok_or_else(|| bad_params(method))?;
                    if method == "resources/subscribe" {
                        return self.subscribe(context.caller.peer(), uri).await;
                    }
                    let reporting = lock(&self.session.watched).remove(&uri);
                    reporting.inspect(JoinHandle::abort);
                    Ok("{}".to_owned())
                }
                _ => Err(no_method(method)),
            }
        };
        tokio::select! {
            answer = answering => answer,
            () = context.caller.cancelled() => Err(internal("the request was cancelled")),
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
        all.json("logging", "{}");
        if offers::has_any(&self.shared.options) {
            all.json("prompts", r#"{"listChanged":true}"#)
                .json("resources", r#"{"listChanged":true,"subscribe":true}"#);
        }
        all.json("tools", r#"{"listChanged":true}"#).end()
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
}
