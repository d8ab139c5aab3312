//! What `Tools` has beside `Sessions`: sources by whatever names them, definitions, and answers to models.

use napi_derive::napi;
use toolwire_ffi::sessions::Added;

use crate::calls::Notify;
use crate::connection::Task;
use crate::fault::{self, Result, told};
use crate::sessions::HostSessions;
use crate::spec::{Here, command};

/// Adds what a word names, or a program and its arguments; ends with the names of the tools and with warnings, as a JSON object.
#[napi(catch_unwind)]
pub fn tools_add(
    sessions: &HostSessions,
    word: Option<String>,
    words: Vec<String>,
    options: String,
    here: Here,
    notify: Notify,
) -> Result<Task> {
    let added = match word {
        Some(word) => Added::Word(word.into()),
        None => Added::Command(command(words)),
    };
    let task = sessions.inner.add_source(added, &options, &here.caller());
    Ok(Task::new(task.map_err(told)?, notify))
}

/// The descriptions of the tools, as a JSON array.
#[napi(catch_unwind)]
pub fn tools_list(sessions: &HostSessions) -> String {
    sessions.inner.descriptions()
}

/// The definitions for a request, as a JSON object.
#[napi(catch_unwind)]
pub fn tools_define(
    sessions: &HostSessions,
    provider: String,
    options: String,
) -> Result<Option<String>> {
    let task = sessions
        .inner
        .definitions(&provider, &options)
        .map_err(told)?;
    let defined = task.take().transpose();
    defined.map_err(|error| fault::server(&error))
}

/// Answers a model's whole response; ends with a JSON object.
#[napi(catch_unwind)]
pub fn tools_respond(
    sessions: &HostSessions,
    provider: String,
    reply: String,
    options: String,
    notify: Notify,
) -> Result<Task> {
    let task = sessions
        .inner
        .respond(&provider, &reply, &options)
        .map_err(told)?;
    Ok(Task::new(task, notify))
}
