//! What functions return, before a binding gives it the form of its language.

use toolwire::block::Question;
use toolwire::call::{Answer, Call};
use toolwire::event::ToolEvent;
use toolwire::mcp::LossReport;
use toolwire::{Diagnostic, Envelope, Error, Json, Parsed};
use toolwire_contract::diff::Diff;
use toolwire_contract::fingerprint::{Fingerprint, Projections};

/// What a function returns.
#[derive(Debug)]
pub enum Reply {
    /// Nothing.
    Null,
    /// Yes or no.
    Flag(bool),
    /// Text.
    Text(String),
    /// The text of a JSON value.
    Json(String),
    /// An answer.
    Answer(Answer),
    /// A call.
    Call(Box<Call>),
    /// Diagnostics.
    Diagnostics(Vec<Diagnostic>),
    /// The text of an envelope.
    Envelope(String),
    /// Progress, or a log message.
    Event(ToolEvent),
    /// An output that was read.
    Parsed(Box<Parsed<'static>>),
    /// A question.
    Question(Box<Question>),
    /// Members in order.
    Record(Vec<(&'static str, Reply)>),
}

/// What becomes a reply.
pub(crate) trait IntoReply {
    fn into_reply(self) -> Result<Reply, Error>;
}

impl<T: IntoReply> IntoReply for Result<T, Error> {
    fn into_reply(self) -> Result<Reply, Error> {
        self.and_then(T::into_reply)
    }
}

impl<T: IntoReply> IntoReply for Option<T> {
    fn into_reply(self) -> Result<Reply, Error> {
        self.map_or(Ok(Reply::Null), T::into_reply)
    }
}

impl IntoReply for Reply {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(self)
    }
}

impl IntoReply for bool {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Flag(self))
    }
}

impl IntoReply for String {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Text(self))
    }
}

impl IntoReply for Json {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Json(self.as_str().to_owned()))
    }
}

impl IntoReply for Answer {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Answer(self))
    }
}

impl IntoReply for Call {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Call(Box::new(self)))
    }
}

impl IntoReply for Question {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Question(Box::new(self)))
    }
}

impl IntoReply for Envelope {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Envelope(self.to_json()))
    }
}

impl IntoReply for Vec<Diagnostic> {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Diagnostics(self))
    }
}

impl IntoReply for Diff {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Json(self.to_json().as_str().to_owned()))
    }
}

impl IntoReply for Fingerprint {
    fn into_reply(self) -> Result<Reply, Error> {
        Ok(Reply::Json(self.to_json().as_str().to_owned()))
    }
}

impl IntoReply for Projections {
    fn into_reply(self) -> Result<Reply, Error> {
        let text = |json: &Json| Reply::Text(json.as_str().to_owned());
        Ok(Reply::Record(vec![
            ("contract", text(&self.contract)),
            ("text", text(&self.text)),
            ("safety", text(&self.safety)),
        ]))
    }
}

/// A reply of a JSON text that the core wrote.
pub(crate) fn written(json: impl Into<String>) -> Reply {
    Reply::Json(json.into())
}

/// A document that was mapped, with what became of its members.
pub(crate) fn mapped(
    members: impl IntoIterator<Item = (&'static str, Reply)>,
    report: &LossReport,
) -> Reply {
    let report = ("report", written(report.to_json()));
    Reply::Record(members.into_iter().chain([report]).collect())
}
