//! Whether a call becomes a task, and which one it has become.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use toolwire::call::Action;
use toolwire::event::Progress;
use toolwire::mcp::Revision;
use toolwire_host::manifest::TaskPolicy;
use toolwire_rpc::RpcError;

use super::task::Task;
use crate::server::context::Context;
use crate::server::error::needs_tasks;
use crate::server::served::Served;
use crate::server::session::Handler;

/// The longest status message, in bytes.
const MAX_STATUS: usize = 1024;

/// When a call becomes a task.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Whether it does in any case.
    pub required: bool,
    pub after: Duration,
}

/// What leads a call: the request that it came with, until it has become a task.
#[derive(Debug)]
pub struct Lead {
    plan: Option<Plan>,
    task: watch::Sender<Option<Arc<Task>>>,
    /// What the tool has last said of its progress.
    status: Mutex<Option<String>>,
}

impl Lead {
    /// For a request of this tool.
    ///
    /// # Errors
    ///
    /// If the tool needs a task, and the client has not declared that it knows them.
    pub fn new(
        handler: &Handler,
        tool: &Served,
        action: Action,
        context: &Context,
    ) -> Result<Self, RpcError> {
        Ok(Lead {
            plan: plan(handler, tool, action, context)?,
            task: watch::Sender::new(None),
            status: Mutex::default(),
        })
    }

    /// When the call becomes a task, if ever.
    pub fn plan(&self) -> Option<Plan> {
        self.plan
    }

    /// Whether it may become a task, or is one.
    pub fn may(&self) -> bool {
        self.plan.is_some()
    }

    pub fn is_task(&self) -> bool {
        self.task.borrow().is_some()
    }

    pub fn task(&self) -> Option<Arc<Task>> {
        self.task.borrow().clone()
    }

    /// From now on it is this task, whatever becomes of the request.
    pub fn become_task(&self, task: Arc<Task>) {
        self.task.send_replace(Some(task));
    }

    /// Done when the call is to end: its request is cancelled, or else the task that it has become.
    pub async fn ended(&self, request: impl Future<Output = ()>) {
        let mut task = self.task.subscribe();
        let task = tokio::select! {
            biased;
            // The sender is here, so there is no error.
            task = task.wait_for(Option::is_some) => task.ok().and_then(|task| task.clone()),
            () = request => self.task(),
        };
        if let Some(task) = task {
            task.cancelled().await;
        }
    }

    /// Takes progress as a status message.
    pub fn progress(&self, progress: &Progress) {
        if self.plan.is_none() {
            return;
        }
        let status = status(progress);
        match self.task() {
            Some(task) => task.says(status),
            None => *self.lock() = Some(status),
        }
    }

    /// What the tool has last said of its progress.
    pub fn status(&self) -> Option<String> {
        self.lock().clone()
    }

    /// The tool has ended; a task whose tool was made to end is cancelled.
    pub fn over(&self, cancelled: bool) {
        if let Some(task) = self.task().filter(|_| cancelled) {
            task.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn plan(
    handler: &Handler,
    tool: &Served,
    action: Action,
    context: &Context,
) -> Result<Option<Plan>, RpcError> {
    let Some(options) = &handler.shared.options.tasks else {
        return Ok(None);
    };
    let policy = tool.way.task().unwrap_or(options.policy);
    if policy == TaskPolicy::Never || action != Action::Run || tool.session.is_some() {
        return Ok(None);
    }
    let required = policy == TaskPolicy::Required;
    let knows = context.revision >= Revision::V2026_07_28 && context.client.knows_tasks();
    match (knows, required) {
        (true, required) => Ok(Some(Plan {
            required,
            after: options.after,
        })),
        (false, false) => Ok(None),
        (false, true) => Err(needs_tasks()),
    }
}

/// Progress in words: `2 of 5: copying`.
fn status(progress: &Progress) -> String {
    let how_far = match progress.total {
        Some(total) => format!("{} of {total}", progress.done),
        None => progress.done.to_string(),
    };
    let mut status = match progress.message.as_deref() {
        Some(message) if !message.is_empty() => format!("{how_far}: {message}"),
        _ => how_far,
    };
    if status.len() > MAX_STATUS {
        let ends = |at: &usize| status.is_char_boundary(*at);
        let end = (0..=MAX_STATUS).rev().find(ends).unwrap_or_default();
        status.truncate(end);
    }
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_message_ends_at_a_character_within_the_limit() {
        let of = |message: String| status(&Progress::new(2.0, Some(5.0), Some(message)));
        assert_eq!(of("copying".to_owned()), "2 of 5: copying");
        assert_eq!(status(&Progress::new(2.5, None, None)), "2.5");
        let room = MAX_STATUS - "2 of 5: ".len();
        assert_eq!(of("x".repeat(room)).len(), MAX_STATUS);
        assert_eq!(of("x".repeat(room + 1)).len(), MAX_STATUS);
        assert_eq!(
            of(format!("{}é", "x".repeat(room - 1))).len(),
            MAX_STATUS - 1
        );
    }
}
