//! Requests that are answered where tasks are kept: calls that may become tasks, and what is asked of tasks. They are
//! passed on verbatim; all others are answered in this process.

use futures_util::StreamExt as _;
use toolwire::Json;
use toolwire::call::{Action, AnswerSource, Call};
use toolwire::mcp::Revision;
use toolwire_host::ExchangeOptions;
use toolwire_host::handles::{How, Spawn};
use toolwire_host::manifest::TaskPolicy;
use toolwire_rpc::{Answer, Arrived, Event, Failure, Message, Pending, RpcError};

use super::listen::{METHOD, report_changed};
use super::prepared::Prepared;
use super::relay::{Relay, gone};
use crate::server::context::{Context, Params, object, text};
use crate::server::error::passed_on;
use crate::server::reports::{self, Filter, Reports};
use crate::server::served::{Served, Way};
use crate::server::session::Handler;
use crate::server::{ServeOptions, call};

/// What the keeper answers to a request; nothing if this process answers it.
pub async fn answer(
    relay: &Relay,
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
        "tools/call" => order(relay, handler, context, params, message).await?,
        "tasks/get" | "tasks/update" | "tasks/cancel" => {
            let id = text(params.get("taskId"))?;
            about(relay, handler, [&*id], message).await?
        }
        METHOD => {
            let filter = object(METHOD, params.get("notifications")).ok()??;
            let mut filter = Filter::of(&filter, true);
            let ids = filter.tasks.take()?;
            let ids = ids.iter().map(String::as_str);
            let asked = about(relay, handler, ids, message).await?;
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
    relay: &Relay,
    handler: &Handler,
    ids: impl IntoIterator<Item = &str>,
    message: &Message,
) -> Option<Result<Pending, RpcError>> {
    let own = handler.shared.tasks.as_ref()?;
    if ids.into_iter().any(|id| own.find("", id).is_ok()) {
        return None;
    }
    relay
        .ask(&handler.shared.options, false, message, None)
        .await
}

/// A call that may become a task, with all that is needed to run it elsewhere.
async fn order(
    relay: &Relay,
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
    relay
        .ask(&handler.shared.options, true, message, Some(&prepared))
        .await
}

/// A tool as it is run elsewhere; nothing for a call that never becomes a task.
fn prepare(options: &ServeOptions, tool: &Served, call: &Call) -> Option<Prepared> {
    let policy = tool.way.task().unwrap_or(options.tasks.as_ref()?.policy);
    if policy == TaskPolicy::Never || tool.session.is_some() || call.action != Action::Run {
        return None;
    }
    let (manifest, command) = match &tool.way {
        Way::Functions(_) | Way::Server(_) | Way::Prepared(_) => return None,
        Way::Program(command) => (None, command.clone()),
        Way::Manifest(manifest) => (Some(manifest), manifest.command_with(&call.arguments).ok()?),
    };
    let process = options
        .process
        .options(manifest.map(|manifest| &**manifest));
    let how = match manifest.is_some_and(|manifest| manifest.plain) {
        true => How::Plain,
        false => How::Once,
    };
    let (by, shown) = (AnswerSource::Assistant, &tool.description);
    let mut spawn = Spawn::new("", by, how, shown, call, &command, &process).ok()?;
    if let Some(manifest) = manifest {
        let exchange = manifest.exchange_options(ExchangeOptions::default());
        (spawn.questions, spawn.refusals) = (exchange.questions, exchange.refusals);
    }
    let own_name = manifest.map_or(tool.own_name.as_str(), |manifest| manifest.own_name());
    Some(Prepared {
        own_name: own_name.to_owned(),
        task: manifest.and_then(|manifest| Some(manifest.task?.as_str().to_owned())),
        silence: process.silence,
        spawn,
    })
}
