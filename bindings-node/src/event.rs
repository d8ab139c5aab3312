//! What a tool says while it runs, to whoever listens, and as a host hears it.

use napi_derive::napi;
use toolwire::event::{Level, Message, Progress};
use toolwire::{Code, Error, UnknownWord};

use crate::fault::{Result, told};
use crate::json::Object;

/// Progress as JavaScript has it.
pub fn progress_json(event: &Progress) -> String {
    Object::new()
        .text("type", "progress")
        .number("done", event.done)
        .optional_number("total", event.total)
        .optional("message", event.message.as_deref())
        .end()
}

/// A log message as JavaScript has it.
pub fn message_json(event: &Message) -> String {
    Object::new()
        .text("type", "log")
        .text("level", event.level.as_str())
        .text("text", &event.text)
        .optional("logger", event.logger.as_deref())
        .end()
}

/// Says how far this tool has come, if anybody listens.
#[napi(catch_unwind)]
pub fn progress(done: f64, total: Option<f64>, message: Option<String>) {
    toolwire_author::progress(done, total, message.as_deref());
}

/// Writes a log message of this tool, if anybody listens.
#[napi(catch_unwind)]
pub fn log(level: String, message: String, logger: Option<String>) -> Result<()> {
    let level = read_level(&level)?;
    match logger {
        Some(logger) => toolwire_author::log_from(&logger, level, message),
        None => toolwire_author::log(level, message),
    }
    Ok(())
}

/// The level of a log message.
pub fn read_level(word: &str) -> Result<Level> {
    word.parse().map_err(|error: UnknownWord| {
        let message = error.to_string();
        told(Error::new(Code::BadArgument, "/level", None, message))
    })
}
