//! A server of functions of this program, and of programs: JavaScript is told that there are calls, and takes
//! them.

use std::sync::{Arc, Mutex};

use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;
use toolwire::author::{Caller, open};
use toolwire::event::{Message, Progress};
use toolwire_host::OpenCall;

use crate::author::Turn;
use crate::calls::{Calls, Notify, lock, telling};
use crate::connection::Task;
use crate::event::read_level;
use crate::fault::{self, Result};
use crate::source::list;
use crate::spec::{Here, command};

/// A server that runs.
#[napi]
pub struct Serving {
    inner: toolwire_ffi::serving::Serving,
    ending: Option<Task>,
    functions: Option<Functions>,
}

#[napi]
impl Serving {
    /// Starts it. `called` is called when there are calls to take, and `ended` when it has ended; both keep Node
    /// alive until then.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        calls: &Calls,
        programs: Vec<Vec<String>>,
        has_functions: bool,
        options: String,
        here: Here,
        called: Notify,
        ended: Notify,
    ) -> Result<Self> {
        let programs = programs.into_iter().map(command).collect();
        let serving = calls
            .inner
            .serve(programs, has_functions, &options, &here.caller());
        let (inner, ending) = serving.map_err(fault::failure)?;
        let functions = Functions::new(inner.functions().clone(), called);
        Ok(Serving {
            inner,
            ending: Some(Task::new(ending, ended)),
            functions: Some(functions),
        })
    }

    /// What says, once, that it has ended.
    #[napi(catch_unwind)]
    pub fn ending(&mut self) -> Option<Task> {
        self.ending.take()
    }

    /// Where clients connect to, over HTTP.
    #[napi(catch_unwind)]
    pub fn url(&self) -> Option<String> {
        self.inner.url().map(str::to_owned)
    }

    /// The functions that are served, once.
    #[napi(catch_unwind)]
    pub fn functions(&mut self) -> Option<Functions> {
        self.functions.take()
    }

    /// Ends it.
    #[napi(catch_unwind)]
    pub fn stop(&self) {
        self.inner.stop();
    }
}

/// Functions of this program, whose calls JavaScript takes.
#[napi]
pub struct Functions {
    inner: toolwire_ffi::serving::Functions,
    /// There until there are no calls any more.
    notify: Arc<Mutex<Option<Notify>>>,
}

impl Functions {
    /// `called` is called when there are calls to take.
    pub fn new(inner: toolwire_ffi::serving::Functions, called: Notify) -> Self {
        let notify = Arc::new(Mutex::new(Some(called)));
        inner.on_call(telling(&notify));
        Functions { inner, notify }
    }
}

#[napi]
impl Functions {
    /// The next call, if one waits.
    #[napi(catch_unwind)]
    pub fn next(&self) -> Option<ServedCall> {
        let inner = self.inner.next_call()?;
        Some(ServedCall {
            caller: inner.caller(),
            inner: Some(inner),
        })
    }

    /// Has a function called if a call is given up before it is answered.
    #[napi(catch_unwind)]
    pub fn on_cancel(&self, call: &ServedCall, notify: Notify) {
        if let Some(call) = &call.inner {
            self.inner.on_cancel(call, move || {
                let _ = notify.call((), ThreadsafeFunctionCallMode::NonBlocking);
            });
        }
    }

    /// Lets Node end, now that there are no calls any more.
    #[napi(catch_unwind)]
    pub fn release(&self) {
        lock(&self.notify).take();
    }
}

/// A call of a function of this program.
#[napi]
pub struct ServedCall {
    inner: Option<OpenCall>,
    caller: Arc<dyn Caller>,
}

#[napi]
impl ServedCall {
    /// Reads the call; `names` is a JSON array of the program's tools.
    #[napi(catch_unwind)]
    pub fn turn(&self, names: String) -> Result<Turn> {
        let document = self.inner.as_ref().map_or("", OpenCall::document);
        Ok(Turn::of(open(document.as_bytes(), &list(&names)?)))
    }

    /// Answers it with the text of an envelope, once.
    #[napi(catch_unwind)]
    pub fn answer(&mut self, envelope: String) {
        if let Some(call) = self.inner.take() {
            call.answer(envelope);
        }
    }

    /// Says how far it has come.
    #[napi(catch_unwind)]
    pub fn progress(&self, done: f64, total: Option<f64>, message: Option<String>) {
        if done.is_finite() {
            self.caller.progress(&Progress::new(done, total, message));
        }
    }

    /// Says something to whoever listens.
    #[napi(catch_unwind)]
    pub fn log(&self, level: String, message: String, logger: Option<String>) -> Result<()> {
        let message = Message::new(read_level(&level)?, message);
        self.caller.message(&match logger {
            Some(logger) => message.by(logger),
            None => message,
        });
        Ok(())
    }
}
