//! `subscriptions/listen`: changes of lists, resources and tasks are reported.

use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::watch;
use toolwire::json::{ObjectWriter, array, string};
use toolwire_rpc::{Answer, Closed};

use super::task::{Listening, Task};
use crate::server::context::{Context, Params, bad_params, object};
use crate::server::error::needs_tasks;
use crate::server::offers;
use crate::server::reports::{self, Filter, Report, Reports};
use crate::server::session::Handler;

/// The method of a subscription.
pub const METHOD: &str = "subscriptions/listen";

/// The `_meta` of what belongs to a subscription.
fn subscription(context: &Context) -> String {
    ObjectWriter::new()
        .json(
            "io.modelcontextprotocol/subscriptionId",
            context.id.as_json(),
        )
        .end()
}

/// Reports something to a subscription.
pub async fn report_changed(context: &Context, report: &Report) -> Result<(), Closed> {
    let params = report.params(Some(&subscription(context)));
    context.caller.notify(report.method(), &params).await
}

/// What a change of a task is seen by.
struct Change {
    task: Arc<Task>,
    changes: watch::Receiver<()>,
    _listening: Listening,
}

/// Answers a subscription, when it ends: with its stream, or with its client.
pub async fn listen(handler: &Handler, context: &Context, params: &Params<'_>) -> Answer {
    let filter = object(METHOD, params.get("notifications"))?.ok_or_else(|| bad_params(METHOD))?;
    let shared = &handler.shared;
    let mut filter = Filter::of(&filter, shared.keeps || offers::has_any(&shared.options));
    let mut followed = Vec::new();
    if let (Some(ids), Some(tasks)) = (&filter.tasks, &handler.shared.tasks) {
        if !context.client.knows_tasks() {
            return Err(needs_tasks());
        }
        // What is unknown is not accepted, and nothing says why.
        let principal = &handler.session.principal;
        let found = ids.iter().filter_map(|id| tasks.find(principal, id).ok());
        followed.extend(found.map(|task| Change {
            changes: task.changes(),
            _listening: task.listen(),
            task,
        }));
    }
    let reporting = async {
        // Where only tasks are kept, the rest is reported by whoever serves the client.
        let reports = match shared.keeps {
            true => Reports::new(),
            false => reports::of_all(handler, &mut filter).await,
        };
        acknowledge(context, &filter, &mut followed).await?;
        follow(context, reports, followed).await
    };
    tokio::select! {
        _ = reporting => {}
        () = context.caller.cancelled() => {}
        () = context.caller.left() => {}
    }
    Ok(ObjectWriter::new()
        .text("resultType", "complete")
        .json("_meta", subscription(context))
        .end())
}

/// Acknowledges the subscription, and reports how each task stands, so that nobody waits for one that has ended.
async fn acknowledge(
    context: &Context,
    filter: &Filter,
    followed: &mut [Change],
) -> Result<(), Closed> {
    let mut accepted = ObjectWriter::new();
    if filter.tasks.is_some() {
        let ids = followed.iter().map(|one| string(&one.task.id));
        accepted.json("taskIds", array(ids));
    }
    for (name, wanted) in [
        ("toolsListChanged", filter.tools),
        ("resourcesListChanged", filter.resources),
        ("promptsListChanged", filter.prompts),
    ] {
        if wanted {
            accepted.flag(name, true);
        }
    }
    if !filter.watched.is_empty() {
        accepted.json(
            "resourceSubscriptions",
            array(filter.watched.iter().map(|uri| string(uri))),
        );
    }
    let params = ObjectWriter::new()
        .json("_meta", subscription(context))
        .json("notifications", accepted.end())
        .end();
    let method = "notifications/subscriptions/acknowledged";
    context.caller.notify(method, &params).await?;
    for one in followed {
        one.changes.mark_unchanged();
        how_it_stands(context, &one.task).await?;
    }
    Ok(())
}

/// Reports every change.
async fn follow(
    context: &Context,
    mut reports: Reports,
    followed: Vec<Change>,
) -> Result<(), Closed> {
    let next = |mut one: Change| async move {
        let changed = one.changes.changed().await.is_ok();
        changed.then_some(one)
    };
    let mut changes: FuturesUnordered<_> = followed.into_iter().map(next).collect();
    loop {
        tokio::select! {
            Some(one) = changes.next() => {
                if let Some(one) = one {
                    how_it_stands(context, &one.task).await?;
                    if !one.task.is_over() {
                        changes.push(next(one));
                    }
                }
            }
            Some(report) = reports.next() => report_changed(context, &report).await?,
            // There is nothing to report any more, but the stream is the client's to close.
            else => std::future::pending().await,
        }
    }
}

async fn how_it_stands(context: &Context, task: &Task) -> Result<(), Closed> {
    let params = task.notification(context.id.as_json());
    context.caller.notify("notifications/tasks", &params).await
}
