//! The tasks of a server, within limits for each principal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolwire_rpc::RpcError;

use super::TaskInfo;
use super::task::{Status, Task};
use crate::server::error::internal;
use crate::server::keys::random_id;
use crate::server::reply::Response;
use crate::server::{Refusal, TaskOptions};

/// All tasks, by their ids.
#[derive(Debug, Default)]
pub struct All(Mutex<HashMap<String, Arc<Task>>>);

/// The tasks, as one server makes them. Several can have the same ones.
#[derive(Debug)]
pub struct Tasks {
    options: TaskOptions,
    all: Arc<All>,
}

impl All {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Task>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The task with this id, whoever asks.
    pub fn get(&self, id: &str) -> Option<Arc<Task>> {
        self.lock().get(id).cloned()
    }

    pub fn list(&self) -> Vec<TaskInfo> {
        self.lock().values().map(|task| task.info()).collect()
    }

    /// Forgets a task.
    pub fn forget(&self, task: &Task) {
        self.lock().remove(&task.id);
    }
}

impl Tasks {
    pub fn new(options: TaskOptions) -> Self {
        Tasks::among(&Arc::default(), options)
    }

    /// Tasks that stand among these.
    pub fn among(all: &Arc<All>, options: TaskOptions) -> Self {
        let all = Arc::clone(all);
        Tasks { options, all }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Task>>> {
        self.all.lock()
    }

    /// All of them, those of other servers included.
    pub fn all(&self) -> &Arc<All> {
        &self.all
    }

    /// The most tasks of a principal.
    pub fn max(&self) -> usize {
        self.options.max_tasks
    }

    /// Whether one more task of the principal has room.
    pub fn has_room(&self, principal: &str) -> bool {
        let max = self.options.max_tasks;
        makes_room(&mut self.lock(), principal, |mine| mine.len() < max)
    }

    /// A new task, which can be found from now on; nothing if there is no room for it, or no randomness.
    pub fn begin(&self, principal: &str, tool: &str, status: Option<String>) -> Option<Arc<Task>> {
        let id = random_id().ok()?;
        let task = Arc::new(Task::new(&id, principal, tool, status, &self.options));
        let mut all = self.lock();
        let max = self.options.max_tasks;
        makes_room(&mut all, principal, |mine| mine.len() < max).then(|| {
            all.insert(id, Arc::clone(&task));
            task
        })
    }

    /// The task with this id, if it is one of the principal's.
    ///
    /// # Errors
    ///
    /// The same for a task of somebody else, one that is forgotten, and one that never was.
    pub fn find(&self, principal: &str, id: &str) -> Result<Arc<Task>, RpcError> {
        let task = self.all.get(id);
        task.filter(|task| task.principal == principal)
            .ok_or_else(|| {
                Refusal::UnknownTask.because("there is no such task, or it is not kept any more")
            })
    }

    /// A task has come to this.
    pub fn end(&self, task: &Task, answer: Result<Response, RpcError>) {
        let failed = |error: RpcError| Status::Failed(error.to_json());
        let status = match answer {
            _ if task.is_cancelled() => Status::Cancelled,
            Ok(Response::Complete(result)) => {
                let (max, length) = (self.options.max_bytes, result.len());
                let fits = |mine: &[Arc<Task>]| {
                    let kept: usize = mine.iter().map(|task| task.kept()).sum();
                    kept.saturating_add(length) <= max
                };
                match makes_room(&mut self.lock(), &task.principal, fits) {
                    true => Status::Completed(result),
                    false => failed(internal(format!(
                        "the result has {length} bytes, for which there is no room beside other results: at most \
                         {max} are kept"
                    ))),
                }
            }
            Ok(Response::InputRequired(_) | Response::Task(_)) => {
                failed(internal("the call has no result"))
            }
            Err(error) => failed(error),
        };
        task.end(status);
    }
}

/// Whether there is room for a principal, once its results that were fetched are forgotten as far as need be, the
/// oldest first.
fn makes_room(
    all: &mut HashMap<String, Arc<Task>>,
    principal: &str,
    has_room: impl Fn(&[Arc<Task>]) -> bool,
) -> bool {
    let mine = all.values().filter(|task| task.principal == principal);
    let mut mine: Vec<Arc<Task>> = mine.cloned().collect();
    loop {
        if has_room(&mine) {
            return true;
        }
        let fetched = mine
            .iter()
            .enumerate()
            .filter(|(_, task)| task.is_fetched());
        let Some((oldest, _)) = fetched.min_by_key(|(_, task)| task.started) else {
            return false;
        };
        all.remove(&mine.swap_remove(oldest).id);
    }
}
