//! What a tool says while it runs, for the client: progress and log.

use toolwire::Json;
use toolwire::event::{Level, Message, Progress};
use toolwire::json::ObjectWriter;
use toolwire_rpc::Caller;

use super::context::Context;

/// The longest line of stderr that is sent as one message.
const MAX_LINE: usize = 16 * 1024;

/// Where what a tool says goes.
#[derive(Debug)]
pub(super) struct Listener {
    caller: Caller,
    tool: String,
    token: Option<Json>,
    level: Option<Level>,
    /// The last progress; a client must only be told of more.
    done: f64,
    /// What has come of a line of stderr.
    line: Vec<u8>,
}

impl Listener {
    pub(super) fn new(context: &Context, tool: &str, level: Option<Level>) -> Self {
        Listener {
            caller: context.caller.clone(),
            tool: tool.to_owned(),
            token: context.progress_token(),
            level,
            done: f64::NEG_INFINITY,
            line: Vec::new(),
        }
    }

    /// Whether stderr is worth taking.
    pub(super) fn wants_stderr(&self) -> bool {
        self.wants(Level::Info)
    }

    /// Whether progress or messages are worth taking.
    pub(super) fn wants_events(&self) -> bool {
        self.token.is_some() || self.level.is_some()
    }

    fn wants(&self, level: Level) -> bool {
        self.level.is_some_and(|least| level >= least)
    }

    /// Tells of progress, if it is more than before.
    pub(super) async fn progress(&mut self, progress: &Progress) {
        let Some(token) = self.token.clone().filter(|_| progress.done > self.done) else {
            return;
        };
        self.done = progress.done;
        let params = ObjectWriter::new()
            .json("progressToken", token.as_str())
            .json("progress", format!("{:?}", progress.done))
            .optional_json("total", progress.total.map(|total| format!("{total:?}")))
            .optional("message", progress.message.as_ref())
            .end();
        // Where the client is gone, the call ends too.
        let _ = self.caller.notify("notifications/progress", &params).await;
    }

    pub(super) async fn message(&self, message: &Message) {
        let logger = match &message.logger {
            Some(logger) => format!("{}.{logger}", self.tool),
            None => self.tool.clone(),
        };
        self.log(message.level, logger, &message.text).await;
    }

    /// Tells of each whole line of stderr.
    pub(super) async fn stderr(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || self.line.len() >= MAX_LINE {
                self.end_of_line().await;
            }
        }
    }

    /// Tells of what is left of stderr.
    pub(super) async fn end_of_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if !text.is_empty() {
            self.log(Level::Info, self.tool.clone(), text).await;
        }
    }

    async fn log(&self, level: Level, logger: String, text: &str) {
        if !self.wants(level) {
            return;
        }
        let params = ObjectWriter::new()
            .text("level", level.as_str())
            .text("logger", logger)
            .text("data", text)
            .end();
        let _ = self.caller.notify("notifications/message", &params).await;
    }
}
