//! `subscriptions/listen`: changes of the list of tools and of tasks are reported.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::watch;
use toolwire::Json;
use toolwire::json::{ObjectWriter, array, string};
use toolwire_rpc::{Answer, Closed};

use super::Task;
use super::task::Listening;
use crate::server::context::{Context, Params, bad_params, object};
use crate::server::dispatch::{Handler, TOOLS_CHANGED};
use crate::server::error::needs_tasks;

/// The method of a subscription.
pub const METHOD: &str = "subscriptions/listen";

/// What a client wants to hear of.
pub struct Filter {
    pub tools: bool,
    /// The ids of tasks, if it wants to hear of any.
    pub tasks: Option<BTreeSet<String>>,
}

impl Filter {
    pub fn of(filter: &Json) -> Self {
        let tools = filter.at("/toolsListChanged");
        let tasks = filter.at("/taskIds");
        Filter {
            tools: tools.is_some_and(|wanted| wanted.as_str() == "true"),
            tasks: tasks.and_then(|ids| ids.to_value().ok()),
        }
    }
}

/// The `_meta` of what belongs to a subscription.
fn subscription(context: &Context) -> String {
    ObjectWriter::new()
        .json(
            "io.modelcontextprotocol/subscriptionId",
            context.id.as_json(),
        )
        .end()
}

/// Reports to a subscription that there are other tools now.
pub async fn tools_changed(context: &Context) -> Result<(), Closed> {
    let params = ObjectWriter::new()
        .json("_meta", subscription(context))
        .end();
    context.caller.notify(TOOLS_CHANGED, &params).await
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
    let filter = Filter::of(&filter);
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
        acknowledge(context, &filter, &mut followed).await?;
        follow(handler, context, filter.tools, followed).await
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
    if filter.tools {
        accepted.flag("toolsListChanged", true);
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
    handler: &Handler,
    context: &Context,
    wants_tools: bool,
    followed: Vec<Change>,
) -> Result<(), Closed> {
    let next = |mut one: Change| async move {
        let changed = one.changes.changed().await.is_ok();
        changed.then_some(one)
    };
    let mut changes: FuturesUnordered<_> = followed.into_iter().map(next).collect();
    let mut known = handler.shared.known.subscribe();
    // The client begins with the tools that are known first.
    let _ = known.wait_for(Option::is_some).await;
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
            Ok(()) = known.changed(), if wants_tools => {
                tools_changed(context).await?;
            }
            // There is nothing to report any more, but the stream is the client's to close.
            else => std::future::pending().await,
        }
    }
}

async fn how_it_stands(context: &Context, task: &Task) -> Result<(), Closed> {
    let params = task.notification(context.id.as_json());
    context.caller.notify("notifications/tasks", &params).await
}
