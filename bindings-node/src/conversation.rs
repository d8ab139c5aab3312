//! Calls of tools as conversations: JavaScript is told that there are events, and takes them.

use std::sync::{Arc, Mutex};

use napi::bindgen_prelude::{Buffer, Either3};
use napi_derive::napi;
use toolwire_ffi::exchange::read_answer;
use toolwire_ffi::run::Tools;
use toolwire_host::{CallOutcome, Event};

use crate::calls::{Calls, Notify, lock, telling};
use crate::connection::Connection;
use crate::event;
use crate::fault::{self, Result, told};
use crate::manifest::Manifest;
use crate::question;
use crate::result::CallResult;
use crate::spec::{Here, command};

#[napi]
impl Calls {
    /// Begins to call a tool of a program, a manifest or a server, or to list them. `notify` is called when there are
    /// events to take again, after all were taken, and keeps Node alive until the last one is taken.
    #[napi(catch_unwind)]
    pub fn start(
        &self,
        target: Either3<Vec<String>, &Manifest, &Connection>,
        options: String,
        lists: bool,
        here: Here,
        notify: Notify,
    ) -> Result<Conversation> {
        let tools = match target {
            Either3::A(words) => Tools::Program(command(words)),
            Either3::B(manifest) => Tools::Manifest(&manifest.inner),
            Either3::C(server) => Tools::Server(&server.inner),
        };
        let caller = here.caller();
        let (begun, take): (_, Take) = match lists {
            true => (
                self.inner.list(&tools, &options, &caller),
                CallResult::of_list,
            ),
            false => (
                self.inner.run(&tools, &options, &caller),
                CallResult::of_call,
            ),
        };
        let inner = begun.map_err(fault::failure)?.conversation;
        let notify = Arc::new(Mutex::new(Some(notify)));
        inner.on_event(telling(&notify));
        Ok(Conversation {
            inner,
            take,
            notify,
        })
    }
}

/// Takes from the outcome of a call what JavaScript gets.
type Take = fn(CallOutcome) -> CallResult;

/// A call that goes on, as JavaScript holds it.
#[napi]
pub struct Conversation {
    inner: toolwire_host::Conversation,
    take: Take,
    /// There until the last event is taken.
    notify: Arc<Mutex<Option<Notify>>>,
}

#[napi]
impl Conversation {
    /// The next event, if one waits: a piece of stderr; progress, a log message or a question that waits, as
    /// a JSON object; or last the result, or the error that there is in its place.
    #[napi(catch_unwind)]
    pub fn next(&self) -> Result<Option<Either3<Buffer, String, CallResult>>> {
        while let Some(event) = self.inner.try_next() {
            return Ok(Some(match event {
                Event::Stderr(piece) => Either3::A(piece.into()),
                Event::Progress(progress) => Either3::B(event::progress_json(&progress)),
                Event::Message(message) => Either3::B(event::message_json(&message)),
                Event::Question(pending) => Either3::B(question::pending(&pending)),
                Event::Done(outcome) => {
                    lock(&self.notify).take();
                    let result = outcome.map(|outcome| (self.take)(*outcome));
                    Either3::C(result.map_err(|error| fault::host(&error))?)
                }
                _ => continue,
            }));
        }
        Ok(None)
    }

    /// Answers the question that waits, if it is the one with this id; the value is JSON text.
    #[napi(catch_unwind)]
    pub fn answer(
        &self,
        id: String,
        state: String,
        source: String,
        value: Option<String>,
    ) -> Result<()> {
        let answer = read_answer(&state, &source, value.as_deref()).map_err(told)?;
        self.inner.answer(&id, answer);
        Ok(())
    }

    /// Stops the tool, or gives up the question that waits. The end comes as any other.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.inner.cancel();
    }
}
