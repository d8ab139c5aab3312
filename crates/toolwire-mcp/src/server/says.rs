//! What a tool says while it runs, for the client: progress and log.

#![expect(deprecated, reason = "the log of a call, which clients still ask for")]

use rmcp::RoleServer;
use rmcp::model::{
    LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{Peer, RequestContext};
use serde_json::Value;
use toolwire::event::{Level, Message, Progress};

/// The longest line of stderr that is sent as one message.
const MAX_LINE: usize = 16 * 1024;

/// Where what a tool says goes.
#[derive(Debug)]
pub(super) struct Listener {
    peer: Peer<RoleServer>,
    tool: String,
    token: Option<ProgressToken>,
    level: Option<Level>,
    /// The last progress; a client must only be told of more.
    done: f64,
    /// What has come of a line of stderr.
    line: Vec<u8>,
}

impl Listener {
    pub(super) fn new(
        context: &RequestContext<RoleServer>,
        tool: &str,
        level: Option<LoggingLevel>,
    ) -> Self {
        Listener {
            peer: context.peer.clone(),
            tool: tool.to_owned(),
            token: context.meta.get_progress_token(),
            level: level.map(from_mcp),
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
        let mut params = ProgressNotificationParam::new(token, progress.done);
        params.total = progress.total;
        params.message.clone_from(&progress.message);
        // Where the client is gone, the call ends too.
        let _ = self.peer.notify_progress(params).await;
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
        let mut params =
            LoggingMessageNotificationParam::new(to_mcp(level), Value::String(text.to_owned()));
        params.logger = Some(logger);
        let _ = self.peer.notify_logging_message(params).await;
    }
}

fn to_mcp(level: Level) -> LoggingLevel {
    match level {
        Level::Debug => LoggingLevel::Debug,
        Level::Info => LoggingLevel::Info,
        Level::Notice => LoggingLevel::Notice,
        Level::Warning => LoggingLevel::Warning,
        Level::Error => LoggingLevel::Error,
        Level::Critical => LoggingLevel::Critical,
        Level::Alert => LoggingLevel::Alert,
        Level::Emergency => LoggingLevel::Emergency,
    }
}

fn from_mcp(level: LoggingLevel) -> Level {
    let same = Level::ALL.iter().copied().find(|own| to_mcp(*own) == level);
    same.unwrap_or(Level::Info)
}
