//! `subscriptions/listen` with ids of tasks: each change of one is told. rmcp's own filter has no such
//! ids, so these subscriptions do not go through it.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use rmcp::model::{
    ClientCapabilities, CustomNotification, CustomResult, RequestId, ServerNotification,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};
use tokio::sync::watch;
use toolwire::json::{Document, ObjectWriter};

use super::Task;
use super::task::Listening;
use crate::server::handler::Handler;

/// The method of a subscription.
pub const METHOD: &str = "subscriptions/listen";

/// Where its filter stands once [`apart`] has moved it.
const FILTER: &str = "dev.toolwire/notifications";

/// What a change of a task is told by.
struct Change {
    task: Arc<Task>,
    changes: watch::Receiver<()>,
    _listening: Listening,
}

/// The message of a subscription that names tasks, with its filter under a name of our own: what rmcp can't read
/// as a subscription, it passes on as it is. Nothing for every other message.
pub fn apart(message: &Document<'_>) -> Option<String> {
    let root = message.root();
    if root.get("method")?.as_str()? != METHOD {
        return None;
    }
    root.get("params")?.get("notifications")?.get("taskIds")?;
    let mut params = ObjectWriter::new();
    for (name, value) in root.get("params")?.members() {
        let name = if name == "notifications" {
            FILTER
        } else {
            &name
        };
        params.json(name, value.raw());
    }
    let params = params.end();
    let mut out = ObjectWriter::new();
    for (name, value) in root.members() {
        let value = if name == "params" {
            &params
        } else {
            value.raw()
        };
        out.json(&name, value);
    }
    Some(out.end())
}

/// Answers a subscription that [`apart`] has found; nothing if it is another request. It ends with its stream.
pub async fn listen(
    handler: &Handler,
    params: Option<&Value>,
    context: &RequestContext<RoleServer>,
) -> Option<Result<CustomResult, ErrorData>> {
    let filter = params?.get(FILTER)?;
    let tasks = handler.shared.tasks.as_ref()?;
    let declared = context.client_capabilities();
    if !declared.is_some_and(|declared| declared.supports_tasks()) {
        let needed = ClientCapabilities::builder().enable_tasks().build();
        return Some(Err(ErrorData::missing_required_client_capability(needed)));
    }
    let ids = filter.get("taskIds").and_then(Value::as_array);
    let ids: BTreeSet<&str> = ids
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let principal = &handler.session.principal;
    // What is unknown is not accepted, and nothing says why.
    let found = ids.iter().filter_map(|id| tasks.find(principal, id).ok());
    let mut followed: Vec<Change> = found
        .map(|task| Change {
            changes: task.changes(),
            _listening: task.listen(),
            task,
        })
        .collect();
    let wants_tools = filter.get("toolsListChanged") == Some(&Value::Bool(true));
    let told = async {
        tell(context, wants_tools, &mut followed).await?;
        follow(handler, context, wants_tools, followed).await
    };
    let ended = tokio::select! {
        ended = told => ended,
        () = context.ct.cancelled() => Ok(()),
        () = handler.is_left_alone() => Ok(()),
    };
    Some(ended.map(|()| {
        let meta = json!({ SUBSCRIPTION: context.id });
        CustomResult::new(json!({ "resultType": "complete", "_meta": meta }))
    }))
}

/// Where the id of a subscription stands.
pub const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// Acknowledges the subscription, and tells how each task stands, so that nobody waits for one that has ended.
async fn tell(
    context: &RequestContext<RoleServer>,
    wants_tools: bool,
    followed: &mut [Change],
) -> Result<(), ErrorData> {
    let ids: Vec<&str> = followed.iter().map(|one| one.task.id.as_str()).collect();
    let mut accepted = json!({ "taskIds": ids });
    if wants_tools {
        accepted["toolsListChanged"] = true.into();
    }
    let params = json!({ "_meta": { SUBSCRIPTION: context.id }, "notifications": accepted });
    send(context, "notifications/subscriptions/acknowledged", params).await?;
    for one in followed {
        one.changes.mark_unchanged();
        how_it_stands(context, &one.task).await?;
    }
    Ok(())
}

/// Tells of every change.
async fn follow(
    handler: &Handler,
    context: &RequestContext<RoleServer>,
    wants_tools: bool,
    followed: Vec<Change>,
) -> Result<(), ErrorData> {
    let next = |mut one: Change| async move {
        let changed = one.changes.changed().await.is_ok();
        changed.then_some(one)
    };
    let mut changes: FuturesUnordered<_> = followed.into_iter().map(next).collect();
    let mut known = handler.shared.known.subscribe();
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
            changed = known.changed(), if wants_tools => {
                if changed.is_err() {
                    return Ok(());
                }
                let params = json!({ "_meta": { SUBSCRIPTION: context.id } });
                send(context, "notifications/tools/list_changed", params).await?;
            }
            // There is nothing to tell any more, but the stream is the client's to close.
            else => std::future::pending().await,
        }
    }
}

async fn how_it_stands(context: &RequestContext<RoleServer>, task: &Task) -> Result<(), ErrorData> {
    let id = match &context.id {
        RequestId::Number(number) => number.to_string(),
        RequestId::String(text) => toolwire::json::string(text),
    };
    let params = serde_json::from_str(&task.notification(&id));
    let params = params.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    send(context, "notifications/tasks", params).await
}

async fn send(
    context: &RequestContext<RoleServer>,
    method: &'static str,
    params: Value,
) -> Result<(), ErrorData> {
    let told = CustomNotification::new(method, Some(params));
    let told = ServerNotification::CustomNotification(told);
    let sent = context.peer.send_notification(told).await;
    sent.map_err(|error| ErrorData::internal_error(format!("the stream has ended: {error}"), None))
}
