//! Connections to MCP servers, and what is done with them in the background.

use std::sync::Mutex;

use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

use crate::calls::{Calls, Notify, lock};
use crate::fault::{self, Result};
use crate::spec::{Here, server};

/// Something that goes on in the background.
#[napi]
pub struct Task {
    inner: toolwire_ffi::task::Task,
}

impl Task {
    /// `notify` is called at the end, and keeps Node alive until then.
    pub fn new(inner: toolwire_ffi::task::Task, notify: Notify) -> Self {
        let notify = Mutex::new(Some(notify));
        inner.on_end(move || {
            if let Some(notify) = lock(&notify).take() {
                // Once its thread ends, Node takes nothing more.
                let _ = notify.call((), ThreadsafeFunctionCallMode::NonBlocking);
            }
        });
        Task { inner }
    }
}

#[napi]
impl Task {
    /// What it ended with, as JSON text: once, and only at its end.
    #[napi(catch_unwind)]
    pub fn take(&self) -> Result<Option<String>> {
        let ended = self.inner.take().transpose();
        ended.map_err(|error| fault::server(&error))
    }

    /// Gives it up.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.inner.cancel();
    }
}

/// A connection to a server. `opening` says when it can be used.
#[napi]
pub struct Connection {
    pub(crate) inner: toolwire_ffi::connection::Connection,
    opening: Option<Task>,
}

#[napi]
impl Connection {
    /// Begins to connect to the server that a word or a program names.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        calls: &Calls,
        word: Option<String>,
        words: Vec<String>,
        options: String,
        here: Here,
        notify: Notify,
    ) -> Result<Self> {
        let server = server(word.as_deref(), words);
        let connecting = calls.inner.connect(server, &options, &here.caller());
        let (inner, opening) = connecting.map_err(fault::failure)?;
        Ok(Connection {
            inner,
            opening: Some(Task::new(opening, notify)),
        })
    }

    /// What says, once, when it can be used: a JSON object with what the server says of itself.
    #[napi(catch_unwind)]
    pub fn opening(&mut self) -> Option<Task> {
        self.opening.take()
    }

    /// Lists the tools, as a JSON array.
    #[napi(catch_unwind)]
    pub fn tools(&self, notify: Notify) -> Task {
        Task::new(self.inner.tools(), notify)
    }

    /// Ends the connection.
    #[napi(catch_unwind)]
    pub fn close(&self, notify: Notify) -> Task {
        Task::new(self.inner.close(), notify)
    }
}
