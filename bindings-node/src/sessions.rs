//! The handles of a host: JavaScript gives commands as JSON text, and is told that there are requests, which it
//! takes.

use std::sync::{Arc, Mutex};

use napi::bindgen_prelude::{Buffer, Either};
use napi_derive::napi;
use toolwire_ffi::caller::Unit;
use toolwire_ffi::exchange::read_answer;
use toolwire_ffi::sessions::{Notice, Request};

use crate::calls::{Calls, Notify, lock, telling};
use crate::connection::Task;
use crate::event;
use crate::fault::{self, Result, told};
use crate::manifest::Manifest;
use crate::question;
use crate::serving::Functions;
use crate::spec::{Here, command};

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
    /// `notify` is called when there are requests or notices to take, and keeps Node alive until
    /// [`HostSessions::release`].
    #[napi(constructor, catch_unwind)]
    pub fn new(calls: &Calls, options: String, here: Here, notify: Notify) -> Result<Self> {
        let opened = calls.inner.sessions(&options, &here.caller());
        let inner = opened.map_err(fault::failure)?;
        let notify = Arc::new(Mutex::new(Some(notify)));
        inner.on_news(telling(&notify));
        Ok(HostSessions { inner, notify })
    }

    /// Adds a program or a manifest.
    #[napi(catch_unwind)]
    pub fn add(
        &self,
        tools: Either<Vec<String>, &Manifest>,
        options: String,
        here: Here,
        notify: Notify,
    ) -> Result<Task> {
        let caller = here.caller();
        let task = match tools {
            Either::A(words) => self.inner.add_program(command(words), &options, &caller),
            Either::B(manifest) => self.inner.add_manifest(&manifest.inner, &options, &caller),
        };
        Ok(Task::new(task.map_err(told)?, notify))
    }

    /// Adds functions of this program; `called` is called when there are calls of them, and keeps Node alive until
    /// [`Functions::release`].
    #[napi(catch_unwind)]
    pub fn add_functions(
        &self,
        options: String,
        here: Here,
        called: Notify,
        notify: Notify,
    ) -> Result<AddedFunctions> {
        let added = self.inner.add_functions(&options, &here.caller());
        let (functions, task) = added.map_err(told)?;
        Ok(AddedFunctions {
            functions: Some(Functions::new(functions, called)),
            task: Some(Task::new(task, notify)),
        })
    }

    /// Carries out a command.
    #[napi(catch_unwind)]
    pub fn command(&self, command: String, notify: Notify) -> Result<Task> {
        let task = self
            .inner
            .command(&command, Unit::Milliseconds)
            .map_err(told)?;
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
