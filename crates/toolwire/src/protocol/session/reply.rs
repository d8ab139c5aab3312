//! The envelope that a fetch gives (SES-50 to SES-54).

use serde::Serialize;

use super::buffer::Batch;
use super::{EndReason, SessionState};
use crate::base::json::{ObjectWriter, array, to_text};
use crate::protocol::build::text_block;
use crate::protocol::event::Progress;
use crate::{Block, Json};

/// Where the state and the numbers of the blocks stand.
pub(super) const KEY: &str = "dev.toolwire/session";

/// How a handle has ended.
#[derive(Debug, Clone, Serialize)]
pub(super) struct End {
    pub reason: EndReason,
    /// The exit status, if the tool ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<i64>,
    /// How it ended otherwise, for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl End {
    fn is_error(&self) -> bool {
        match self.reason {
            EndReason::Exited => self.status != Some(0),
            EndReason::Crashed | EndReason::TimedOut | EndReason::Idle => true,
            EndReason::Aborted | EndReason::TurnEnded | EndReason::HostEnded => false,
        }
    }

    /// For a model, which sees the content alone.
    fn note(&self) -> String {
        let what = match (self.reason, self.status, &self.message) {
            (EndReason::Exited, status, _) => {
                format!("exit status {}", status.unwrap_or_default())
            }
            (EndReason::Crashed, _, Some(message)) => message.clone(),
            (EndReason::Crashed, _, None) => "the tool crashed".to_owned(),
            (EndReason::Aborted, ..) => "aborted".to_owned(),
            (EndReason::TimedOut, ..) => "it took too long".to_owned(),
            (EndReason::Idle, ..) => "nothing happened for too long".to_owned(),
            (EndReason::TurnEnded, ..) => "the turn was over".to_owned(),
            (EndReason::HostEnded, ..) => "the host ended".to_owned(),
        };
        format!("stopped: {what}")
    }
}

/// All that the envelope says.
pub(super) struct Reply<'a> {
    pub id: &'a str,
    pub state: SessionState,
    pub batch: Batch,
    pub question: Option<&'a Block>,
    pub progress: Option<&'a Progress>,
    /// Whether only a person may type now.
    pub gated: bool,
    pub end: Option<&'a End>,
    /// Whether the end was reported before.
    pub end_reported: bool,
}

impl Reply<'_> {
    pub(super) fn envelope(&self) -> Json {
        let text = ObjectWriter::new()
            .json("content", array(self.content()))
            .json("_meta", self.meta())
            .optional_json("isError", self.is_error().then_some("true"))
            .end();
        Json::written(text)
    }

    fn is_error(&self) -> bool {
        self.end.is_some_and(End::is_error)
    }

    fn content(&self) -> Vec<String> {
        let mut content = Vec::new();
        if let Some(dropped) = &self.batch.dropped {
            content.push(note_block(&dropped.note()));
        }
        content.extend(
            self.batch
                .blocks
                .iter()
                .map(|block| block.as_str().to_owned()),
        );
        content.extend(self.question.map(Block::to_json));
        if self.gated && self.question.is_none() {
            let note = format!("{}, only a person may type now", self.status());
            content.push(note_block(&note));
        }
        if let Some(left) = self.batch.left {
            content.push(note_block(&left.note()));
            return content;
        }
        match self.end {
            Some(end)
                if !self.end_reported
                    && (content.is_empty()
                        || end.reason != EndReason::Exited
                        || end.is_error()) =>
            {
                content.push(note_block(&end.note()));
            }
            _ if content.is_empty() => {
                content.push(note_block(&format!("{}, nothing new", self.status())));
            }
            _ => {}
        }
        content
    }

    fn status(&self) -> &'static str {
        self.state
            .status()
            .map_or("stopped", |status| status.as_str())
    }

    fn meta(&self) -> String {
        let batch = &self.batch;
        let flag = |set: bool| set.then_some("true");
        let first = (!batch.blocks.is_empty()).then(|| batch.first.to_string());
        let session = ObjectWriter::new()
            .text("id", self.id)
            .optional_json("first", first)
            .number("last", batch.last)
            .optional_json("dropped", batch.dropped.as_ref().map(to_text))
            .optional_json("left", batch.left.as_ref().map(to_text))
            .optional_json("progress", self.progress.map(Progress::to_json))
            .optional_json("ending", flag(self.state == SessionState::Ending))
            .optional_json("person", flag(self.gated))
            .optional_json("end", self.end.map(to_text))
            .end();
        ObjectWriter::new()
            .text("computer.jp/status", self.status())
            .json(KEY, session)
            .end()
    }
}

fn note_block(text: &str) -> String {
    text_block(text.to_owned()).to_json()
}
