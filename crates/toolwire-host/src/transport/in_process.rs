//! A tool that is a function of this program.

use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use toolwire::author::Caller;
use toolwire::event::{Message, Progress};
use toolwire::{Limits, parse};

use super::stopped::{envelope, text_block};
use super::{Control, Transport};
use crate::{HostError, ProcessOptions, Reply, RunReport, StopReason};

/// The [`Transport`] for tools that are functions of this program: each call document is given to a function,
/// which answers it with an envelope, at once or later and from any thread.
///
/// The function answers `describe` too, as a program does. `toolwire_author::Program` does all of it:
/// `InProcess::blocking(move |call| program.answer_to(call))`.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{CallOptions, InProcess, Nobody, block_on, call};
///
/// let clock = InProcess::blocking(|_| r#"{"content":[{"type":"text","text":"12:00"}]}"#);
/// let now = Call::new("now", Json::new("{}")?);
/// let outcome = block_on(call(&clock, now, &CallOptions::default(), &mut Nobody))?;
/// assert_eq!(outcome.parsed.block(0).unwrap().text().unwrap(), "12:00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct InProcess {
    begin: Arc<dyn Fn(OpenCall) + Send + Sync>,
    /// How long a call may take, without the time for answers; default: as long as it likes.
    pub timeout: Option<Duration>,
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InProcess")
    }
}

impl InProcess {
    /// Calls this function with each call. It must not block: it begins the work elsewhere, and
    /// [`OpenCall::answer`] ends it, from any thread. If it panics, the call is an error.
    ///
    /// ```
    /// use std::thread;
    /// use toolwire_host::InProcess;
    ///
    /// let tool = InProcess::new(|call| {
    ///     thread::spawn(move || call.answer(r#"{"content":[]}"#));
    /// });
    /// # let _ = tool;
    /// ```
    #[must_use]
    pub fn new(begin: impl Fn(OpenCall) + Send + Sync + 'static) -> Self {
        InProcess {
            begin: Arc::new(begin),
            timeout: None,
        }
    }

    /// Calls this function with each call, in a thread of its own, and takes the envelope that it returns, a
    /// JSON text. A panic is an error of this call alone.
    ///
    /// A thread can't be stopped from outside: one that does not look at [`OpenCall::is_cancelled`] goes on
    /// after its call was given up, and what it returns is dropped.
    #[must_use]
    pub fn blocking<T: Into<Vec<u8>>>(
        function: impl Fn(&OpenCall) -> T + Send + Sync + 'static,
    ) -> Self {
        let function = Arc::new(function);
        InProcess::new(move |call| {
            let function = Arc::clone(&function);
            // If there is no thread for it, the call is dropped unanswered, and the caller gets an error.
            let _ = thread::Builder::new().spawn(move || {
                let answer = catch_unwind(AssertUnwindSafe(|| function(&call).into()));
                match answer {
                    Ok(answer) => call.answer(answer),
                    Err(_) => call.answer(error("the tool panicked")),
                }
            });
        })
    }

    async fn carry(&self, document: &str, control: &Control) -> Reply {
        let began = Instant::now();
        let (answered, mut answer) = oneshot::channel();
        let link = Arc::new(Link {
            control: control.clone(),
            state: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        // If this is given up, the function learns of it; and however it ends, nothing is heard any more.
        let ending = Ending {
            link: Arc::clone(&link),
        };
        let call = OpenCall {
            document: document.into(),
            link: Arc::clone(&link),
            answered,
        };
        if catch_unwind(AssertUnwindSafe(|| (self.begin)(call))).is_err() {
            return reply(&error("the tool panicked"), began);
        }
        let late = async {
            match self.timeout {
                Some(time) => tokio::time::sleep(time).await,
                None => std::future::pending().await,
            }
        };
        let reason = tokio::select! {
            biased;
            answer = &mut answer => {
                link.forget();
                return reply(&given(answer), began);
            }
            () = control.cancelled() => StopReason::Cancelled,
            () = late => StopReason::Timeout,
        };
        link.cancel();
        let options = ProcessOptions {
            timeout: self.timeout,
            ..ProcessOptions::default()
        };
        let said = tokio::select! {
            biased;
            answer = answer => answer.unwrap_or_default(),
            () = control.killed() => Vec::new(),
            () = tokio::time::sleep(options.grace) => Vec::new(),
        };
        drop(ending);
        let mut report = RunReport::default();
        (report.stopped, report.elapsed) = (Some(reason), began.elapsed());
        let parsed = envelope(reason, &options, report.elapsed, &said, b"");
        Reply::new(parsed).reported(report)
    }
}

impl Transport for InProcess {
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        Box::pin(async { Ok(self.carry(document, control).await) })
    }
}

fn reply(answer: &[u8], began: Instant) -> Reply {
    let report = RunReport {
        elapsed: began.elapsed(),
        ..RunReport::default()
    };
    Reply::new(parse(answer.to_vec(), &Limits::default())).reported(report)
}

/// What a function has answered; one that has dropped its call has failed.
fn given(answer: Result<Vec<u8>, oneshot::error::RecvError>) -> Vec<u8> {
    answer.unwrap_or_else(|_| error("the tool ended without an answer"))
}

fn error(sentence: &str) -> Vec<u8> {
    let text = text_block(sentence);
    format!(r#"{{"content":[{text}],"isError":true}}"#).into_bytes()
}

/// One call of a function of this program, until it is answered. Dropped unanswered, the call is an error.
#[derive(Debug)]
pub struct OpenCall {
    document: Box<str>,
    link: Arc<Link>,
    answered: oneshot::Sender<Vec<u8>>,
}

impl OpenCall {
    /// The call document (chapter 10).
    #[must_use]
    pub fn document(&self) -> &str {
        &self.document
    }

    /// Answers the call with an envelope, a JSON text. It is read as what a program writes is. If the call
    /// was given up meanwhile, it is dropped.
    pub fn answer(self, envelope: impl Into<Vec<u8>>) {
        let _ = self.answered.send(envelope.into());
    }

    /// Whether the call was cancelled, ran out of time or was given up: the function should end soon.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.link.is_cancelled()
    }

    /// Has a function called once when that happens, on any thread; at once if it has.
    pub fn on_cancel(&self, function: impl FnOnce() + Send + 'static) {
        self.link.on_cancel(Box::new(function));
    }

    /// Whether anybody takes progress and messages.
    #[must_use]
    pub fn wants_events(&self) -> bool {
        self.link.control.wants_events()
    }

    /// The other side of the call, for a function that reports progress and writes messages.
    #[must_use]
    pub fn caller(&self) -> Arc<dyn Caller> {
        Arc::clone(&self.link) as _
    }
}

type Callback = Box<dyn FnOnce() + Send>;

/// What a call and its function share.
struct Link {
    control: Control,
    state: Mutex<State>,
    /// Whether what is said from now on is not passed on.
    is_over: AtomicBool,
}

#[derive(Default)]
struct State {
    cancelled: bool,
    is_answered: bool,
    callbacks: Vec<Callback>,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link")
    }
}

impl Link {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on_cancel(&self, callback: Callback) {
        let mut state = self.lock();
        if !state.cancelled {
            if !state.is_answered {
                state.callbacks.push(callback);
            }
            return;
        }
        drop(state);
        callback();
    }

    fn cancel(&self) {
        let mut state = self.lock();
        if state.is_answered {
            return;
        }
        state.cancelled = true;
        let callbacks = std::mem::take(&mut state.callbacks);
        drop(state);
        for callback in callbacks {
            callback();
        }
    }

    /// Cancelling no longer needs to be reported.
    fn forget(&self) {
        let mut state = self.lock();
        state.is_answered = true;
        let callbacks = std::mem::take(&mut state.callbacks);
        drop(state);
        drop(callbacks);
    }

    fn is_listening(&self) -> bool {
        !self.is_over.load(Ordering::Acquire)
    }
}

impl Caller for Link {
    fn progress(&self, progress: &Progress) {
        if self.is_listening() {
            self.control.progress(progress);
        }
    }

    fn message(&self, message: &Message) {
        if self.is_listening() {
            self.control.message(message);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }
}

/// Ends a call for its function: what it says is dropped from now on, and if it has not answered, it is told
/// that nobody waits.
struct Ending {
    link: Arc<Link>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.link.is_over.store(true, Ordering::Release);
        self.link.cancel();
    }
}
