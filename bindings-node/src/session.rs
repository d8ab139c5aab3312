//! The state machine of a session, without input or output.

use napi_derive::napi;
use toolwire_ffi::session::{handle, machine, possible};

use crate::api::question_json;
use crate::fault::{Result, told};

/// A machine, as JavaScript holds it.
#[napi]
pub struct SessionMachine {
    inner: toolwire::session::SessionMachine,
}

#[napi]
impl SessionMachine {
    /// A handle that is not spawned yet; the options are a JSON object.
    #[napi(constructor, catch_unwind)]
    pub fn new(id: String, options: String) -> Result<Self> {
        let inner = machine(&id, &options).map_err(told)?;
        Ok(SessionMachine { inner })
    }

    /// What comes of an event; both are JSON objects.
    #[napi(catch_unwind)]
    pub fn handle(&mut self, event: &[u8]) -> Result<String> {
        handle(&mut self.inner, event).map_err(told)
    }

    /// The state as a word.
    #[napi(catch_unwind)]
    pub fn state(&self) -> &'static str {
        self.inner.state().as_str()
    }

    /// The open question as a JSON object.
    #[napi(catch_unwind)]
    pub fn question(&self) -> Option<String> {
        self.inner.question().map(question_json)
    }

    /// The actions that somebody can use now, as a JSON array.
    #[napi(catch_unwind)]
    pub fn possible(&self, by: String) -> Result<String> {
        possible(&self.inner, &by).map_err(told)
    }
}
