//! The handles of a host: JavaScript gives commands as JSON text, and is told that there are requests, which it
//! takes.

use std::sync::{Arc, Mutex};

use napi::bindgen_prelude::{Buffer, Either};
use napi_derive::napi;
use toolwire_ffi::exchange::read_answer;
use toolwire_ffi::sessions::{Callbacks, Notice, Request, Settings, read_options};

use crate::calls::{Calls, Notify, lock, telling};
use crate::connection::Task;
use crate::event;
use crate::fault::{self, Result, told};
use crate::manifest::Manifest;
use crate::question;
use crate::serving::Functions;
use crate::source::list;
use crate::spec::{read_manifest_tools, read_process};

/// The handles of a host.
#[napi]
pub struct HostSessions {
    pub(crate) inner: toolwire_ffi::sessions::Sessions,
    /// There until it is closed.
    notify: Arc<Mutex<Option<Notify>>>,
}

/// Something that JavaScript is asked.
#[napi(object)]
pub struct SessionRequest {
    /// The number of the request.
    pub number: i64,
    /// The question with its context, as JSON.
    pub question: Option<String>,
    /// What is to be approved, as JSON.
    pub approval: Option<String>,
}

/// Something that JavaScript is told.
#[napi(object)]
pub struct SessionNotice {
    /// The callback for it.
    pub callback: String,
    /// The handle.
    pub id: String,
    /// Its state; progress or a log message as JSON; or a piece of stderr.
    pub told: Either<String, Buffer>,
}

#[napi]
impl HostSessions {
    /// `callbacks` is a JSON array of the names of the callbacks that there are. `notify` is called when there are
    /// requests or notices to take, and keeps Node alive until [`HostSessions::release`].
    #[napi(constructor, catch_unwind)]
    pub fn new(
        calls: &Calls,
        options: String,
        callbacks: String,
        signals: Vec<i32>,
        notify: Notify,
    ) -> Result<Self> {
        let options = read_options(&options).map_err(told)?;
        let callbacks = list(&callbacks)?;
        let has = |name: &str| callbacks.iter().any(|callback| callback == name);
        let callbacks = Callbacks {
            answers: has("answerer"),
            approves: has("approve"),
            states: has("onState"),
            progress: has("onProgress"),
            messages: has("onLog"),
            stderr: has("onStderr"),
        };
        let opened = calls.inner.sessions(options, callbacks, &signals);
        let inner = opened.map_err(|error| fault::host(&error))?;
        let notify = Arc::new(Mutex::new(Some(notify)));
        inner.on_news(telling(&notify));
        Ok(HostSessions { inner, notify })
    }

    /// Adds the program of the spec: as one tool if the settings say how it is driven, otherwise all that it
    /// describes.
    #[napi(catch_unwind)]
    pub fn add_program(&self, spec: String, settings: String, notify: Notify) -> Result<Task> {
        let (process, exchange) = read_process(&spec)?;
        let settings = Settings::read(&settings).map_err(told)?;
        let task = self.inner.add_program(process, exchange, settings);
        Ok(Task::new(task.map_err(told)?, notify))
    }

    /// Adds the tools of a manifest; the program of the spec counts for nothing.
    #[napi(catch_unwind)]
    pub fn add_manifest(
        &self,
        manifest: &Manifest,
        spec: String,
        settings: String,
        notify: Notify,
    ) -> Result<Task> {
        let (tools, exchange) = read_manifest_tools(&spec, &manifest.inner)?;
        let settings = Settings::read(&settings).map_err(told)?;
        let task = self.inner.add_manifest(tools, exchange, settings);
        Ok(Task::new(task.map_err(told)?, notify))
    }

    /// Adds functions of this program; `called` is called when there are calls of them, and keeps Node alive until
    /// [`Functions::release`].
    #[napi(catch_unwind)]
    pub fn add_functions(
        &self,
        spec: String,
        settings: String,
        called: Notify,
        notify: Notify,
    ) -> Result<AddedFunctions> {
        let (_, exchange) = read_process(&spec)?;
        let settings = Settings::read(&settings).map_err(told)?;
        let added = self.inner.add_functions(exchange, settings);
        let (functions, task) = added.map_err(told)?;
        Ok(AddedFunctions {
            functions: Some(Functions::new(functions, called)),
            task: Some(Task::new(task, notify)),
        })
    }

    /// Carries out a command.
    #[napi(catch_unwind)]
    pub fn command(&self, command: String, notify: Notify) -> Result<Task> {
        let task = self.inner.command(&command).map_err(told)?;
        Ok(Task::new(task, notify))
    }

    /// The next request, if one waits; one with nothing but its number was withdrawn.
    #[napi(catch_unwind)]
    pub fn next(&self) -> Option<SessionRequest> {
        let (number, question, approval) = match self.inner.next_request()? {
            Request::Question(number, asked) => (number, Some(question::pending(&asked)), None),
            Request::Approval(number, request) => (number, None, Some(request)),
            Request::Withdrawn(number) => (number, None, None),
        };
        Some(SessionRequest {
            number: number as i64,
            question,
            approval,
        })
    }

    /// The next thing that has happened, if something waits.
    #[napi(catch_unwind)]
    pub fn next_notice(&self) -> Option<SessionNotice> {
        let (id, notice) = self.inner.next_notice()?;
        let (callback, told) = match notice {
            Notice::State(state) => ("onState", Either::A(state.as_str().to_owned())),
            Notice::Progress(progress) => {
                ("onProgress", Either::A(event::progress_json(&progress)))
            }
            Notice::Message(message) => ("onLog", Either::A(event::message_json(&message))),
            Notice::Stderr(piece) => ("onStderr", Either::B(piece.into())),
        };
        Some(SessionNotice {
            callback: callback.to_owned(),
            id,
            told,
        })
    }

    /// Answers a question; the value is JSON text.
    #[napi(catch_unwind)]
    pub fn answer(
        &self,
        number: i64,
        state: String,
        source: String,
        value: Option<String>,
    ) -> Result<()> {
        let answer = read_answer(&state, &source, value.as_deref()).map_err(told)?;
        self.inner.answer(number as u64, answer);
        Ok(())
    }

    /// Replies to a request for approval.
    #[napi(catch_unwind)]
    pub fn approve(&self, number: i64, granted: bool, reason: Option<String>) {
        self.inner.approve(number as u64, granted, reason);
    }

    /// Lets Node end, now that it is closed.
    #[napi(catch_unwind)]
    pub fn release(&self) {
        lock(&self.notify).take();
    }
}

/// Functions that are being added.
#[napi]
pub struct AddedFunctions {
    functions: Option<Functions>,
    task: Option<Task>,
}

#[napi]
impl AddedFunctions {
    /// Their calls, once.
    #[napi(catch_unwind)]
    pub fn functions(&mut self) -> Option<Functions> {
        self.functions.take()
    }

    /// What ends with their names, once.
    #[napi(catch_unwind)]
    pub fn task(&mut self) -> Option<Task> {
        self.task.take()
    }
}
