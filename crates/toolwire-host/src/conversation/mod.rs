//! A call as a conversation: events come out, answers go in (chapter 12.5).

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
pub use mailbox::MAX_WAITING_STDERR;
pub use options::CallOptions;
pub use outcome::CallOutcome;

use mailbox::Mailbox;

use std::sync::Arc;
use std::time::Duration;

use toolwire::call::{Answer, Call};

use crate::Transport;
use crate::transport::control::Ending;

/// A call of a tool that goes on: it gives events and takes answers.
///
/// [`Conversation::new`] gives it together with a [`Driver`], which carries the call out on a tokio
/// runtime of the caller's. The events can be waited for in an asynchronous function
/// ([`next`](Conversation::next)) or in a thread ([`next_timeout`](Conversation::next_timeout)), or be
/// taken when a function was told that there are some ([`on_event`](Conversation::on_event)). Dropped
/// before the end, it cancels the call.
///
/// Where all that is needed is somebody who answers, [`call()`](crate::call()) does the same in one
/// function.
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
    /// Begins a call. Nothing happens before its driver is spawned.
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

    /// The next event; nothing after [`Event::Done`].
    pub async fn next(&self) -> Option<Event> {
        self.link.mailbox.take().await
    }

    /// The next event, if one waits.
    #[must_use]
    pub fn try_next(&self) -> Option<Event> {
        self.link.mailbox.try_take()
    }

    /// The next event, for which this thread waits so long; nothing if none comes in time, and after
    /// [`Event::Done`], as [`is_over`](Conversation::is_over) tells.
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

    /// Has a function called when there are events to take again, after all were taken. It is called on
    /// the thread of the driver, which goes on only when it returns.
    pub fn on_event(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.link.mailbox.listen(listener);
    }

    /// Answers the question that waits. What is wrong with the answer, the next
    /// [`Event::Question`] tells; an answer to another question than the one that waits is dropped.
    pub fn answer(&self, id: &str, answer: Answer) {
        self.link.give(id, Given::Answer(answer));
    }

    /// Ends the call because nobody is there to answer the question that waits (Q-53).
    pub fn fail(&self, id: &str) {
        self.link.give(id, Given::Nobody);
    }

    /// Stops the call: the tool is asked to end, a question is given up. The end comes as any other.
    pub fn cancel(&self) {
        self.link.end.set(Ending::Cancelled);
    }

    /// Ends the call at once: what still runs of the tool is killed. The end comes as any other.
    pub fn kill(&self) {
        self.link.end.set(Ending::Killed);
    }

    /// Whether this process is a fork of the one in which the call was begun. Then no event ever comes.
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
