//! Calls that a server goes on with as tasks: asked for until they end.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use toolwire::event::Progress;
use toolwire::json::{Document, Node};
use toolwire_host::Control;
use toolwire_rpc::{Failure, Part};

use super::inputs::{Ids, Input};
use super::request::Request;
use super::shared::{SOON, Shared};

/// How often a task is asked for where its server does not say.
const USUAL: Duration = Duration::from_secs(1);
const SHORTEST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_secs(60);

/// How long a server may take to say how a task stands.
const ANSWERING: Duration = Duration::from_secs(60);

/// The longest id that is taken from a server.
const MAX_ID: usize = 4096;

/// The most characters of a status message that are shown.
const SHOWN: usize = 1024;

/// Hears of tasks that calls become.
pub trait TaskWatcher: std::fmt::Debug + Send + Sync {
    /// A call has become the task with this id, by which [`Client::task`](super::Client::task) goes on with it
    /// after an interruption.
    fn began(&self, id: &str);

    /// Whether a call that is cancelled now leaves its task alone, so that somebody else can go on with it.
    fn leaves(&self) -> bool {
        false
    }

    /// A task goes on without anybody here: its call was cancelled, and leaves it alone, or the server could not
    /// be asked any more.
    fn left(&self, id: &str) {
        let _ = id;
    }
}

/// A task that is followed. Dropped before its end, it is cancelled.
#[derive(Debug)]
pub(super) struct Followed {
    shared: Arc<Shared>,
    pub id: String,
    poll: Duration,
    /// The keys of what the server has asked, none of which it uses twice.
    seen: HashSet<String>,
    /// What it has last said of itself.
    said: Option<String>,
    /// Since when nothing has changed.
    pub since: Instant,
    /// The time so far, without that for answers.
    pub spent: Duration,
    over: bool,
}

/// How a task stands.
pub(super) enum Stands {
    Working,
    /// It waits for these answers.
    Asks(Vec<Input>, Vec<toolwire::block::Question>),
    /// Its result, to the letter.
    Completed(String),
    /// Its error of JSON-RPC, to the letter.
    Failed(String),
    Cancelled,
    /// It can't be followed any more; a sentence says why.
    Bad(String),
}

impl Followed {
    pub(super) fn new(shared: &Arc<Shared>, id: String) -> Self {
        Followed {
            shared: Arc::clone(shared),
            id,
            // One that was made by somebody else is asked for at once.
            poll: Duration::ZERO,
            seen: HashSet::new(),
            said: None,
            since: Instant::now(),
            spent: Duration::ZERO,
            over: false,
        }
    }

    /// The task that a result is; nothing if it is a result of the tool.
    ///
    /// # Errors
    ///
    /// A sentence about what is wrong with it.
    pub(super) fn created(shared: &Arc<Shared>, result: &str) -> Result<Option<Self>, String> {
        let Ok(document) = Document::new(result) else {
            return Ok(None);
        };
        let root = document.root();
        let kind = root.get("resultType");
        if !kind.is_some_and(|kind| kind.is_str("task")) {
            return Ok(None);
        }
        let id = root.get("taskId").and_then(|id| id.as_str());
        let Some(id) = id.filter(|id| !id.is_empty() && id.len() <= MAX_ID) else {
            return Err(
                "the server made a task of the call, without an id that can be used".into(),
            );
        };
        let mut followed = Followed::new(shared, id.into_owned());
        followed.hears(root, None);
        if let Some(watcher) = &shared.options.task_watcher {
            watcher.began(&followed.id);
        }
        Ok(Some(followed))
    }

    /// Waits as long as the server wants to be left alone.
    pub(super) async fn rest(&self) {
        sleep(self.poll).await;
    }

    /// Takes what every answer says of a task.
    fn hears(&mut self, root: Node<'_>, control: Option<&Control>) {
        let poll = root.get("pollIntervalMs").and_then(|poll| poll.as_u64());
        match poll {
            Some(poll) => self.poll = Duration::from_millis(poll).clamp(SHORTEST, LONGEST),
            None if self.poll.is_zero() => self.poll = USUAL,
            None => {}
        }
        let said = root.get("statusMessage").and_then(|said| said.as_str());
        let said: Option<String> = said.map(|said| said.chars().take(SHOWN).collect());
        if said != self.said {
            self.since = Instant::now();
            if let (Some(said), Some(control)) = (&said, control) {
                control.progress(&progress(said));
            }
            self.said = said;
        }
    }

    /// Asks how it stands. `Err` if the server can't be asked.
    pub(super) async fn get(&mut self, ids: &mut Ids, control: &Control) -> Result<Stands, String> {
        let text = match ask(&self.shared, "tasks/get", &self.id, Vec::new()).await? {
            Ok(text) => text,
            Err(error) => {
                self.over = true;
                return Ok(Stands::Failed(error.to_string()));
            }
        };
        let bad = |what: &str| Stands::Bad(format!("the server's task {what}"));
        let Ok(document) = Document::new(&text) else {
            return Ok(bad("can't be read"));
        };
        let root = document.root();
        self.hears(root, Some(control));
        let text = |name: &str| root.get(name).map(|value| value.raw().to_owned());
        let status = root.get("status").and_then(|status| status.as_str());
        let stands = match status.as_deref() {
            Some("working") => return Ok(Stands::Working),
            Some("input_required") => {
                return Ok(match ids.requests(root, &self.seen) {
                    Ok((inputs, _)) if inputs.is_empty() => Stands::Working,
                    Ok((inputs, questions)) => {
                        self.since = Instant::now();
                        Stands::Asks(inputs, questions)
                    }
                    Err(message) => Stands::Bad(message),
                });
            }
            Some("completed") => text("result").map(Stands::Completed),
            Some("failed") => text("error").map(Stands::Failed),
            Some("cancelled") => Some(Stands::Cancelled),
            _ => None,
        };
        self.over = true;
        Ok(stands.unwrap_or_else(|| bad("stands in no way that is known")))
    }

    /// Sends answers, as JSON by their keys. The same key is not answered twice.
    pub(super) async fn update(
        &mut self,
        inputs: &[Input],
        responses: String,
    ) -> Result<(), String> {
        self.seen
            .extend(inputs.iter().map(|input| input.key.clone()));
        self.since = Instant::now();
        let responses = vec![("inputResponses", responses)];
        // What is wrong with the task shows when it is asked for.
        let _ = ask(&self.shared, "tasks/update", &self.id, responses).await?;
        Ok(())
    }

    /// Ends it, unless somebody else is to go on with it. The server need not do it at once.
    pub(super) async fn cancel(&mut self) {
        if self.is_left() {
            self.leave();
        } else if !std::mem::replace(&mut self.over, true) {
            let _ = timeout(SOON, cancel(&self.shared, &self.id)).await;
        }
    }

    /// Nobody follows it from here any more, but it goes on.
    pub(super) fn leave(&mut self) {
        let watcher = self.shared.options.task_watcher.as_ref();
        if let Some(watcher) = watcher.filter(|_| !self.over) {
            watcher.left(&self.id);
        }
        self.over = true;
    }

    fn is_left(&self) -> bool {
        let watcher = self.shared.options.task_watcher.as_ref();
        watcher.is_some_and(|watcher| watcher.leaves())
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        if self.over || self.is_left() {
            return self.leave();
        }
        if let Ok(runtime) = Handle::try_current() {
            let (shared, id) = (Arc::clone(&self.shared), self.id.clone());
            let cancelling = runtime.spawn(async move { cancel(&shared, &id).await });
            self.shared.cancelling().push(cancelling);
        }
    }
}

async fn cancel(shared: &Shared, id: &str) {
    let _ = ask(shared, "tasks/cancel", id, Vec::new()).await;
}

/// Asks for something about a task: the result or the error of the server, or a sentence if there is none.
async fn ask(
    shared: &Shared,
    method: &str,
    id: &str,
    params: Vec<(&'static str, String)>,
) -> Result<Result<Part, Part>, String> {
    let request = Request {
        method,
        about: Some(("taskId", id)),
        params,
        ..Request::default()
    };
    match timeout(ANSWERING, shared.ask(request)).await {
        Ok(Ok(result)) => Ok(Ok(result)),
        Ok(Err(Failure::Refused(error))) => Ok(Err(error)),
        Ok(Err(failure)) => Err(shared.why_lost(&failure)),
        Err(_) => {
            let seconds = ANSWERING.as_secs();
            Err(format!(
                "did not say within {seconds} s how its task stands"
            ))
        }
    }
}

/// Progress as a status message has it: our own servers write `2 of 5: copying`, others what they like.
fn progress(said: &str) -> Progress {
    let read = || {
        let (numbers, message) = match said.split_once(": ") {
            Some((numbers, message)) => (numbers, Some(message.to_owned())),
            None => (said, None),
        };
        let (done, total) = match numbers.split_once(" of ") {
            Some((done, total)) => (done, Some(total.parse::<f64>().ok()?)),
            None => (numbers, None),
        };
        Some(Progress::new(done.parse().ok()?, total, message))
    };
    read().unwrap_or_else(|| Progress::new(0.0, None, Some(said.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_message_is_progress() {
        for (said, expected) in [
            (
                "2 of 5: copying",
                Progress::new(2.0, Some(5.0), Some("copying".into())),
            ),
            ("2", Progress::new(2.0, None, None)),
            (
                "still at it",
                Progress::new(0.0, None, Some("still at it".into())),
            ),
            (
                "a of b: c",
                Progress::new(0.0, None, Some("a of b: c".into())),
            ),
        ] {
            assert_eq!(progress(said), expected);
        }
    }
}
