//! Calls that go on as tasks (`docs/reference/serving.md`): the extension `io.modelcontextprotocol/tasks` of 2026-07-28.
//!
//! A call begins as every other. If it has no answer after a while, what drives it goes on in the background, and
//! the client gets a [`Task`] to ask for.

mod keeper;
pub(super) mod lead;
mod link;
mod listen;
pub(super) mod orders;
pub(super) mod prepared;
pub(super) mod relay;
pub(super) mod relayed;
mod store;
pub(super) mod task;
mod time;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};

use toolwire::author::Failure;
use toolwire_rpc::RpcError;

use super::reply::{self, Response};
use super::request::{Came, Request};
use super::rounds;

pub use keeper::{TaskInfo, TaskKeeper};
pub use link::TaskLink;
pub(super) use link::{LinkReader, LinkWriter};
pub(super) use listen::{METHOD as LISTEN, listen};
use store::All;
pub(super) use store::Tasks;
use task::Task;

/// What drives a call.
type Work = Pin<Box<dyn Future<Output = Result<Response, RpcError>> + Send>>;

/// Answers a request: with what it comes to, or with a task if that takes long.
pub(super) async fn answer(request: Arc<Request>, came: Came) -> Result<Response, RpcError> {
    let Some(plan) = request.lead.plan() else {
        return rounds::answer(&request, came).await;
    };
    let shared = &request.handler.shared;
    let Some(tasks) = shared.tasks.clone() else {
        return rounds::answer(&request, came).await;
    };
    let principal = request.handler.session.principal.clone();
    let name = &request.tool.description.name;
    if plan.required && !tasks.has_room(&principal) {
        return Ok(crowded(&request, tasks.max()));
    }
    let mut work: Work = {
        let request = Arc::clone(&request);
        Box::pin(async move { rounds::answer(&request, came).await })
    };
    let answered = tokio::select! {
        biased;
        answer = &mut work => Some(answer),
        () = tokio::time::sleep(plan.after) => None,
    };
    match answered {
        Some(Ok(Response::Complete(result))) if plan.required && !request.is_given_up() => {
            // It was run, so there is no use in withholding the result.
            let Some(task) = tasks.begin(&principal, name, None) else {
                return Ok(Response::Complete(result));
            };
            tasks.end(&task, Ok(Response::Complete(result)));
            let created = task.created();
            tokio::spawn(keep(Arc::downgrade(tasks.all()), task));
            Ok(Response::Task(created))
        }
        Some(answer) => answer,
        // Nobody would hear of the task.
        None if request.is_given_up() => work.await,
        None => match tasks.begin(&principal, name, request.lead.status()) {
            Some(task) => {
                let created = task.created();
                request.lead.become_task(Arc::clone(&task));
                tokio::spawn(follow(tasks, task, work));
                Ok(Response::Task(created))
            }
            // The client waits for the result, as one without tasks would.
            None => work.await,
        },
    }
}

/// Drives a task to its end, and keeps its result for its time to live.
async fn follow(tasks: Arc<Tasks>, task: Arc<Task>, mut work: Work) {
    let answer = tokio::select! {
        biased;
        answer = &mut work => answer,
        () = task.outlived() => {
            task.cancel();
            work.as_mut().await
        }
    };
    drop(work);
    tasks.end(&task, answer);
    let all = Arc::downgrade(tasks.all());
    drop(tasks);
    keep(all, task).await;
}

/// Forgets a task that has ended when its time to live is over.
async fn keep(all: Weak<All>, task: Arc<Task>) {
    task.outlived().await;
    if let Some(all) = all.upgrade() {
        all.forget(&task);
    }
}

/// What a client gets if its principal has as many tasks as there may be.
fn crowded(request: &Request, max: usize) -> Response {
    let name = &request.tool.description.name;
    let failure = Failure::new(format!(
        "`{name}` is not called: there are {max} tasks, which is the most; cancel one, or try again later"
    ));
    request.complete(&reply::failed(&request.call, failure))
}
