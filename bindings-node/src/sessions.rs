//! The handles of a host: JavaScript gives commands as JSON text, and is told that there are requests, which it
//! takes.

use std::sync::{Arc, Mutex};

use napi_derive::napi;
use toolwire_ffi::exchange::read_answer;
use toolwire_ffi::sessions::{Request, Settings, read_options};

use crate::calls::{Calls, Notify, lock, telling};
use crate::connection::Task;
use crate::fault::{self, Result, told};
use crate::question;
use crate::spec::read_process;

/// The handles of a host.
#[napi]
pub struct HostSessions {
    inner: toolwire_ffi::sessions::Sessions,
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

#[napi]
impl HostSessions {
    /// `notify` is called when there are requests to take, and keeps Node alive until [`HostSessions::release`].
    #[napi(constructor, catch_unwind)]
    pub fn new(
        calls: &Calls,
        options: String,
        answers: bool,
        approves: bool,
        signals: Vec<i32>,
        notify: Notify,
    ) -> Result<Self> {
        let options = read_options(&options).map_err(told)?;
        let opened = calls.inner.sessions(options, answers, approves, &signals);
        let inner = opened.map_err(|error| fault::host(&error))?;
        let notify = Arc::new(Mutex::new(Some(notify)));
        inner.on_request(telling(&notify));
        Ok(HostSessions { inner, notify })
    }

    /// Asks the program of the spec for its tools, and adds them.
    #[napi(catch_unwind)]
    pub fn add_program(&self, spec: String, settings: String, notify: Notify) -> Result<Task> {
        let (process, exchange) = read_process(&spec)?;
        let settings = Settings::read(&settings).map_err(told)?;
        let task = self.inner.add_program(process, exchange, settings);
        Ok(Task::new(task, notify))
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
