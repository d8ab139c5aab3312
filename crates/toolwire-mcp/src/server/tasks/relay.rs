//! Requests that are answered where tasks are kept: calls that may become tasks, and what is asked of tasks. They are
//! passed on verbatim; all others are answered in this process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use toolwire::Json;
use toolwire::call::{Action, Call, ToolDescription};
use toolwire::mcp::Revision;
use toolwire_host::ExchangeOptions;
use toolwire_host::manifest::TaskPolicy;
use toolwire_rpc::{
    Answer, Arrived, Ask, Event, Failure, Message, Options, Peer, Pending, RpcError, peer,
    strict_lines,
};

use super::TaskLink;
use super::listen::{METHOD, report_changed};
use super::orders::{ORDER, write_order, write_serve};
use super::prepared::Prepared;
use crate::server::catalog::{Served, Way};
use crate::server::context::{Context, Params, object, text};
use crate::server::dispatch::Handler;
use crate::server::error::{internal, passed_on};
use crate::server::reports::{self, Filter, Reports};
use crate::server::{ServeOptions, call};

/// How long the keeper may take to end what is no task.
pub(super) const ENDING: Duration = Duration::from_secs(10);

/// The way to a keeper of tasks, for the requests of one client.
#[derive(Debug)]
pub struct Relay {
    link: TaskLink,
    keeper: Mutex<Option<Keeper>>,
    /// Whether people know that tasks can't be kept elsewhere.
    has_complained: AtomicBool,
}

/// A connection to a keeper.
#[derive(Debug)]
struct Keeper {
    peer: Peer,
    driver: JoinHandle<()>,
}

impl Relay {
    pub fn new(link: TaskLink) -> Self {
        Relay {
            link,
            keeper: Mutex::default(),
            has_complained: AtomicBool::new(false),
        }
    }

    /// Ends the connection, and waits until the keeper has ended the calls that are no tasks.
    pub async fn close(&self) {
        if let Some(keeper) = self.keeper.lock().await.take() {
            keeper.peer.close();
            let _ = timeout(ENDING, keeper.driver).await;
        }
    }

    /// What the keeper answers to a request; nothing if this process answers it.
    pub async fn answer(
        &self,
        handler: &Handler,
        context: &Context,
        params: &Params<'_>,
        message: &Message,
    ) -> Option<Answer> {
        if context.revision < Revision::V2026_07_28 || !context.client.knows_tasks() {
            return None;
        }
        let mut reports = Reports::new();
        let mut listens = false;
        let pending = match message.method() {
            "tools/call" => self.order(handler, context, params, message).await?,
            "tasks/get" | "tasks/update" | "tasks/cancel" => {
                let id = text(params.get("taskId"))?;
                self.about(handler, [&*id], message).await?
            }
            METHOD => {
                let filter = object(METHOD, params.get("notifications")).ok()??;
                let mut filter = Filter::of(&filter, true);
                let ids = filter.tasks.take()?;
                let ids = ids.iter().map(String::as_str);
                let asked = self.about(handler, ids, message).await?;
                // The keeper knows nothing of what is served.
                reports = reports::of_all(handler, &mut filter).await;
                listens = true;
                asked
            }
            _ => return None,
        };
        let mut pending = match pending {
            Ok(pending) => pending,
            Err(error) => return Some(Err(error)),
        };
        loop {
            tokio::select! {
                event = pending.next() => match event {
                    Event::Arrived(Arrived::Notification(note)) => {
                        let params = note.body();
                        let params = params.as_deref().unwrap_or("{}");
                        let _ = context.caller.notify(note.method(), params).await;
                    }
                    Event::Arrived(_) => {}
                    Event::Answer(Ok(result)) => return Some(Ok(result.to_string())),
                    Event::Answer(Err(Failure::Refused(error))) => return Some(Err(passed_on(&error))),
                    Event::Answer(Err(_)) => return Some(Err(gone())),
                },
                Some(report) = reports.next() => {
                    let _ = report_changed(context, &report).await;
                }
                () = context.caller.cancelled() => return Some(Err(gone())),
                () = context.caller.left(), if listens => return Some(Err(gone())),
            }
        }
    }

    /// What is asked of tasks, unless one of them is of this process, or nobody else has any.
    async fn about(
        &self,
        handler: &Handler,
        ids: impl IntoIterator<Item = &str>,
        message: &Message,
    ) -> Option<Result<Pending, RpcError>> {
        let own = handler.shared.tasks.as_ref()?;
        if ids.into_iter().any(|id| own.find("", id).is_ok()) {
            return None;
        }
        let mut slot = self.keeper.lock().await;
        let keeper = self.connect(&mut slot, handler, false).await?;
        Some(keeper.ask(message, None).await)
    }

    /// A call that may become a task, with all that is needed to run it elsewhere.
    async fn order(
        &self,
        handler: &Handler,
        context: &Context,
        params: &Params<'_>,
        message: &Message,
    ) -> Option<Result<Pending, RpcError>> {
        let catalog = handler.shared.catalog().await.ok()?;
        let tool = catalog.0.get(&text(params.get("name"))?)?;
        let arguments = object(message.method(), params.get("arguments")).ok()?;
        let arguments = arguments.unwrap_or_else(Json::empty_object);
        let call = call::read(handler, tool, &arguments, context.meta.as_ref()).ok()?;
        let prepared = prepare(&handler.shared.options, tool, &call)?;
        let mut slot = self.keeper.lock().await;
        let keeper = self.connect(&mut slot, handler, true).await?;
        let call = (&tool.description, &prepared, &call);
        Some(keeper.ask(message, Some(call)).await)
    }

    /// Connects to the keeper, if there is no connection; nothing if there is no keeper.
    async fn connect<'a>(
        &self,
        slot: &'a mut Option<Keeper>,
        handler: &Handler,
        start: bool,
    ) -> Option<&'a mut Keeper> {
        slot.take_if(|keeper| keeper.driver.is_finished());
        if slot.is_none() {
            let (read, mut write) = match self.link.connect(start).await {
                Ok(found) => found?,
                Err(why) => {
                    if !self.has_complained.swap(true, Ordering::Relaxed) {
                        let message = format!("tasks end with this server: {why}");
                        handler.shared.options.reporter.report(&message);
                    }
                    return None;
                }
            };
            let options = &handler.shared.options;
            let serves = write_serve(options, options.tasks.as_ref()?) + "\n";
            write.write_all(serves.as_bytes()).await.ok()?;
            let lines = strict_lines(read, write, orders_limit(options));
            let (peer, driver) = peer(lines, Options::new(pass));
            *slot = Some(Keeper {
                peer,
                driver: tokio::spawn(driver),
            });
        }
        slot.as_mut()
    }
}

/// Gives what the keeper says to a request that waits for an answer, which passes it on to the client: it says itself
/// what it is about.
fn pass(peer: &Peer, arrived: Arrived, _: Option<u64>) {
    if let (Arrived::Notification(_), Some(first)) = (&arrived, peer.hearing().first()) {
        peer.pass(*first, arrived);
    }
}

/// The maximum bytes of a message to or from a keeper: one holds a call twice, as its client wrote it and as it is run.
pub(super) fn orders_limit(options: &ServeOptions) -> usize {
    options
        .max_message
        .saturating_mul(3)
        .saturating_add(1 << 20)
}

impl Keeper {
    async fn ask(
        &self,
        message: &Message,
        order: Option<(&ToolDescription, &Prepared, &Call)>,
    ) -> Result<Pending, RpcError> {
        let ask = Ask {
            method: ORDER,
            hears: true,
            ..Ask::default()
        };
        let asked = self
            .peer
            .request(ask, |_| write_order(message.text(), order));
        asked.await.map_err(|_| gone())
    }
}

fn gone() -> RpcError {
    internal("the process that keeps tasks has ended; call the tool again")
}

/// A tool as it is run elsewhere; nothing for a call that never becomes a task.
fn prepare(options: &ServeOptions, tool: &Served, call: &Call) -> Option<Prepared> {
    let policy = tool.way.task().unwrap_or(options.tasks.as_ref()?.policy);
    if policy == TaskPolicy::Never || tool.session.is_some() || call.action != Action::Run {
        return None;
    }
    let usual = ExchangeOptions::default();
    let mut prepared = match &tool.way {
        Way::Functions(_) | Way::Server(_) | Way::Prepared(_) => return None,
        Way::Program(command) => Prepared {
            own_name: tool.own_name.clone(),
            process: options.process.options(None),
            plain: false,
            exchange: usual,
            task: None,
            command: command.clone(),
        },
        Way::Manifest(manifest) => Prepared {
            own_name: manifest.own_name().to_owned(),
            process: options.process.options(Some(manifest)),
            plain: manifest.plain,
            exchange: manifest.exchange_options(usual),
            task: manifest.task,
            command: manifest.command_with(&call.arguments).ok()?,
        },
    };
    // Where it is run, the folder and the `PATH` are others.
    prepared.command = prepared.command.resolve(&prepared.process).ok()?;
    Some(prepared)
}
