//! What a host and a tool that keeps running say to each other, whatever carries it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use toolwire::block::Question;
use toolwire::call::{Answer, Call};
use toolwire::event::ToolEvent;
use toolwire::session::EndReason;
use toolwire::{Error, Json};

use super::ResultParts;

/// Maximum number of queued updates of a tool; beyond it, the tool is not read, and has to wait.
const TOLD: usize = 16;

/// Maximum number of inputs queued for a tool that does not take them; one more is refused.
const GIVEN: usize = 64;

/// Maximum number of queued requests to end; more would have no effect.
const ENDS: usize = 8;

/// The way in which a session reaches its tool: a program that speaks the line transport, any program in a
/// pseudo-terminal, or anything else.
///
/// Unlike a [`Transport`](crate::Transport), which carries one call and brings back one answer, it keeps a tool
/// running, and carries what both say meanwhile. It handles no states: that is for whoever uses it.
pub trait SessionTransport: fmt::Debug + Send + Sync {
    /// Starts the tool. This must not block: what takes time is done by the driver of the [`Running`] tool, and
    /// a tool that can't be started is reported as [`ToolUpdate::Crash`].
    fn start(&self, start: SessionStart) -> Running;

    /// Whether this is input that the tool can be given, such as a key that there is. It is asked before the
    /// input is applied, so that what is wrong with it is said at once and nothing of it is given.
    ///
    /// # Errors
    ///
    /// `bad_argument` with what to write instead, and with the place in the input.
    fn check(&self, input: &Json) -> Result<(), Error> {
        let _ = input;
        Ok(())
    }

    /// Whether the blocks of the tool are pieces of what a program prints, which end anywhere. They are joined
    /// (SES-44). Default: no.
    fn prints(&self) -> bool {
        false
    }
}

/// What a tool is started with.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SessionStart {
    /// The call: the tool's name, its arguments, the root of the workspace.
    pub call: Call,
    /// How long a tool that was asked to end may take until it gets a signal; and then again, until it is
    /// killed.
    pub grace: Duration,
}

impl SessionStart {
    /// A start with the default grace of 2 seconds.
    #[must_use]
    pub fn new(call: Call) -> Self {
        SessionStart {
            call,
            grace: Duration::from_secs(2),
        }
    }
}

/// A tool that was started.
#[non_exhaustive]
pub struct Running {
    /// What the tool says. The last is [`ToolUpdate::Exit`] or [`ToolUpdate::Crash`]; the tool waits while too much
    /// of it is not taken.
    pub updates: mpsc::Receiver<ToolUpdate>,
    /// What the host gives it.
    pub requests: ToolRequestSender,
    /// What carries it all out, to be spawned on a tokio runtime. If it is dropped, all of the tool is killed.
    pub driver: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// The screen of the tool, if it has one.
    pub screen: Option<Arc<dyn Screen>>,
    /// Whether it takes input, and not only answers to its questions. Default: yes.
    pub takes_input: bool,
}

impl Running {
    /// A tool that this function drives: it takes the host's inputs, and sends the tool's updates.
    pub fn new<F>(drive: impl FnOnce(ToolRequestReceiver, mpsc::Sender<ToolUpdate>) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (inputs, taken_inputs) = mpsc::channel(GIVEN);
        let (ends, taken_ends) = mpsc::channel(ENDS);
        let given = ToolRequestSender { inputs, ends };
        let taken = ToolRequestReceiver {
            inputs: taken_inputs,
            ends: taken_ends,
        };
        let (telling, told) = mpsc::channel(TOLD);
        Running {
            updates: told,
            requests: given,
            driver: Box::pin(drive(taken, telling)),
            screen: None,
            takes_input: true,
        }
    }

    /// The same tool, with a screen.
    #[must_use]
    pub fn with_screen(mut self, screen: Arc<dyn Screen>) -> Self {
        self.screen = Some(screen);
        self
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("screen", &self.screen)
            .finish_non_exhaustive()
    }
}

/// Gives a tool things. What ends it overtakes the rest, so that a tool that does not read can be ended.
#[derive(Debug, Clone)]
pub struct ToolRequestSender {
    inputs: mpsc::Sender<ToolRequest>,
    ends: mpsc::Sender<ToolRequest>,
}

impl ToolRequestSender {
    /// How much more the tool can be given before it takes some, the end apart.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.inputs.capacity()
    }

    /// Gives the tool something without waiting.
    ///
    /// # Errors
    ///
    /// What was to be given, if too much waits for the tool already, or the tool is over. The end of a tool is
    /// refused only if the tool is over.
    pub fn try_send(&self, given: ToolRequest) -> Result<(), ToolRequest> {
        if !given.is_end() {
            return self.inputs.try_send(given).map_err(|error| match error {
                TrySendError::Full(given) | TrySendError::Closed(given) => given,
            });
        }
        match self.ends.try_send(given) {
            // Enough requests are queued.
            Ok(()) | Err(TrySendError::Full(_)) => Ok(()),
            Err(TrySendError::Closed(given)) => Err(given),
        }
    }

    /// Gives the tool something, and waits while too much waits for the tool.
    ///
    /// # Errors
    ///
    /// What was to be given, if the tool is over.
    pub async fn send(&self, given: ToolRequest) -> Result<(), ToolRequest> {
        match given.is_end() {
            true => self.try_send(given),
            false => self.inputs.send(given).await.map_err(|error| error.0),
        }
    }
}

/// What a tool is given.
#[derive(Debug)]
pub struct ToolRequestReceiver {
    inputs: mpsc::Receiver<ToolRequest>,
    ends: mpsc::Receiver<ToolRequest>,
}

impl ToolRequestReceiver {
    /// The next thing, what ends the tool first; nothing if the host is gone. Nothing is lost if the future is
    /// dropped.
    pub async fn recv(&mut self) -> Option<ToolRequest> {
        tokio::select! {
            biased;
            Some(end) = self.ends.recv() => Some(end),
            given = self.inputs.recv() => given,
        }
    }

    /// The next thing that ends the tool, for a driver that can't take anything else; nothing if the host is
    /// gone. Nothing is lost if the future is dropped.
    pub async fn recv_end(&mut self) -> Option<ToolRequest> {
        self.ends.recv().await
    }
}

/// Something that a tool says.
#[derive(Debug)]
#[non_exhaustive]
pub enum ToolUpdate {
    /// Blocks, none of them a question; no blocks at all if only its screen has changed.
    Output(Vec<Json>),
    /// Progress, or a log message.
    Event(ToolEvent),
    /// A piece of its stderr, which is log.
    Stderr(Vec<u8>),
    /// A question. The tool goes on when it has the answer.
    Question {
        /// The question.
        question: Question,
        /// Whether it is for the user alone.
        person: bool,
    },
    /// Whether what is typed now must come from a person: it asks for a password, for instance.
    PersonOnly(bool),
    /// What its result has beside blocks; its end follows.
    Result(Box<ResultParts>),
    /// It has ended by itself, with this exit status. Nothing follows.
    Exit(i64),
    /// It has ended in another way, or could not be started: how, for a person. Nothing follows.
    Crash(String),
}

/// Something that a host gives a tool.
#[derive(Debug)]
#[non_exhaustive]
pub enum ToolRequest {
    /// Input.
    Input(Json),
    /// Input from a person, who may type where only a person may ([`ToolUpdate::PersonOnly`]). Other tools take it as
    /// any input.
    PersonInput(Json),
    /// The answer to one of its questions.
    Answer {
        /// The question.
        id: String,
        /// Its answer.
        answer: Answer,
    },
    /// It is to end: it is asked to, gets a signal after the grace, and is killed after the grace once more.
    End(EndReason),
    /// It is to be killed at once.
    Kill,
}

impl ToolRequest {
    fn is_end(&self) -> bool {
        matches!(self, ToolRequest::End(_) | ToolRequest::Kill)
    }
}

/// What the tool's screen shows.
pub trait Screen: fmt::Debug + Send + Sync {
    /// The screen as text that a model can read, escape-free, with the place of the cursor; for
    /// [`ScreenView::Changes`], only what differs from what was shown last.
    fn show(&self, view: ScreenView) -> ScreenText;

    /// All of the screen, as [`ScreenView::Whole`] gives it, but without that it counts as shown.
    fn text(&self) -> String;

    /// Whether the program draws on the whole screen, as [`ScreenText::full`] says.
    fn is_full(&self) -> bool;

    /// Lets a person take part in the terminal: they see what the program writes there, and what they type
    /// reaches it, also where only a person may type. Nothing if there is no terminal to take part in, or if the
    /// tool has ended.
    fn attach(&self) -> Option<Attached> {
        None
    }
}

/// A person's part in the terminal of a tool. Dropped, it is over; the tool goes on.
#[derive(Debug)]
#[non_exhaustive]
pub struct Attached {
    /// What draws the terminal as it is now, with the program's modes: bytes for a terminal.
    pub drawn: Vec<u8>,
    /// What draws the changes from then on, and nothing else of what the program writes: no query, title or
    /// clipboard reaches the person's terminal. It ends with the tool, and also if it is not taken in time: who
    /// attaches again sees all of it.
    pub output: mpsc::Receiver<Vec<u8>>,
    /// What the person does.
    pub typed: mpsc::Sender<Typed>,
}

impl Attached {
    /// A part that these channels carry.
    #[must_use]
    pub fn new(
        drawn: Vec<u8>,
        output: mpsc::Receiver<Vec<u8>>,
        typed: mpsc::Sender<Typed>,
    ) -> Self {
        Attached {
            drawn,
            output,
            typed,
        }
    }
}

/// Something that a person does at the terminal of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Typed {
    /// Bytes for the program, as a terminal sends them.
    Bytes(Vec<u8>),
    /// The terminal has so many columns and rows now.
    Size(u16, u16),
}

/// How much of a screen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScreenView {
    /// All of it.
    Whole,
    /// The lines that have changed since it was shown last.
    Changes,
}

/// A screen as it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScreenText {
    /// The text; empty if nothing has changed.
    pub text: String,
    /// Whether the program draws on the whole screen, as an editor does, rather than to print lines.
    pub full: bool,
}

impl ScreenText {
    /// A screen that shows this text.
    #[must_use]
    pub fn new(text: String, full: bool) -> Self {
        ScreenText { text, full }
    }
}
