//! A call as a conversation: events come out, answers go in.

mod all;
mod driver;
mod event;
mod mailbox;
mod options;
mod outcome;

pub use all::Conversations;
pub use driver::Driver;
pub(crate) use driver::{Given, Link, drive};
pub use event::Event;
pub use mailbox::{MAX_WAITING_MESSAGES, MAX_WAITING_STDERR};
pub use options::CallOptions;
pub use outcome::CallOutcome;

use mailbox::Mailbox;

use std::sync::Arc;
use std::time::Duration;

use toolwire::call::{Answer, Call};

use crate::Transport;
use crate::transport::control::Ending;

/// A call in progress: it gives events and takes answers.
///
/// [`Conversation::new`] returns it together with a [`Driver`], which carries out the call on a tokio runtime
/// of the caller. Events can be awaited ([`next`](Conversation::next)), waited for in a thread
/// ([`next_timeout`](Conversation::next_timeout)), or taken after a callback
/// ([`on_event`](Conversation::on_event)). Dropping it before the end cancels the call.
///
/// If you only need an answerer, `call()` of this crate does the same in one function.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use toolwire::{Json, call::{Answer, AnswerSource, Call}};
/// use toolwire_host::{CallOptions, Command, Conversation, Event, Process};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let script = r#"grep -q '"ok":true' && echo Renamed. ||
///     echo '{"content":[{"type":"question","question":{"id":"ok","text":"Rename?","schema":{"type":"boolean"}}}]}'"#;
/// let process = Process::from(Command::new("sh").args(["-c", script]));
/// let call = Call::new("rename", Json::new("{}")?);
/// let (conversation, driver) = Conversation::new(Arc::new(process), call, CallOptions::default());
/// tokio::spawn(driver);
/// while let Some(event) = conversation.next().await {
///     match event {
///         Event::Question(asked) => {
///             assert_eq!(asked.question.text, "Rename?");
///             conversation.answer("ok", Answer::accepted(Json::from(true), AnswerSource::User));
///         }
///         Event::Done(outcome) => assert_eq!(outcome?.rounds, 2),
///         _ => {}
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Conversation {
    link: Arc<Link>,
    /// The process in which it was begun: a fork has a copy of it that nobody drives.
    process: u32,
}

impl Conversation {
    /// Starts a call. Nothing happens before its driver is spawned.
    pub fn new(
        transport: Arc<dyn Transport>,
        call: Call,
        options: CallOptions,
    ) -> (Conversation, Driver) {
        let (conversation, link) = Conversation::make();
        let driver = Driver::new(transport, call, options, link, || ());
        (conversation, driver)
    }

    fn make() -> (Conversation, Arc<Link>) {
        let link = Arc::new(Link::default());
        let conversation = Conversation {
            link: Arc::clone(&link),
            process: std::process::id(),
        };
        (conversation, link)
    }

    /// The next event; `None` after [`Event::Done`].
    pub async fn next(&self) -> Option<Event> {
        self.link.mailbox.take().await
    }

    /// The next event, if there is one already.
    #[must_use]
    pub fn try_next(&self) -> Option<Event> {
        self.link.mailbox.try_take()
    }

    /// Blocks this thread until the next event, or until the time-out. `None` after a time-out and after
    /// [`Event::Done`]; [`is_over`](Conversation::is_over) says which.
    ///
    /// The driver must run on another thread.
    #[must_use]
    pub fn next_timeout(&self, time: Duration) -> Option<Event> {
        self.link.mailbox.wait(time);
        self.try_next()
    }

    /// Whether [`Event::Done`] has been taken.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.link.mailbox.is_drained()
    }

    /// Sets a function to be called when there are events again after all were taken. It is called on the
    /// thread of the driver, which waits until it returns.
    pub fn on_event(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.link.mailbox.listen(listener);
    }

    /// Answers the pending question. If the answer does not fit, the next [`Event::Question`] says why. An
    /// answer to any other question is dropped.
    pub fn answer(&self, id: &str, answer: Answer) {
        self.link.give(id, Given::Answer(answer));
    }

    /// Ends the call because nobody is there to answer the pending question (Q-53).
    pub fn fail(&self, id: &str) {
        self.link.give(id, Given::Nobody);
    }

    /// Cancels the call: the tool is asked to end, or the pending question is cancelled. [`Event::Done`] follows.
    pub fn cancel(&self) {
        self.link.end.set(Ending::Cancelled);
    }

    /// Ends the call at once: whatever still runs of the tool is killed. [`Event::Done`] follows.
    pub fn kill(&self) {
        self.link.end.set(Ending::Killed);
    }

    /// Whether this process is a fork of the one that started the call. No event ever comes then.
    #[must_use]
    pub fn is_forked(&self) -> bool {
        self.process != std::process::id()
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // In a fork, the locks of the call may be held by threads that are not there.
        if !self.is_forked() {
            self.cancel();
        }
    }
}
