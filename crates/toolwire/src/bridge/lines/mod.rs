//! What a host and a program that stays write to each other, one JSON object a line (chapter 22, the LINE rules).
//!
//! Nothing here reads or writes a stream. A program learns that it takes its calls this way by the environment
//! variable `TOOLWIRE_CALL`, whose value is [`VALUE`].

mod read;

use serde::{Serialize, Serializer};

use crate::base::json::{ObjectWriter, array, serialize_text, to_text};
use crate::block::Question;
use crate::protocol::call::{Answer, Call};
use crate::protocol::event::ToolEvent;
use crate::protocol::question::write_question;
use crate::protocol::session::EndReason;
use crate::{Error, Json, Limits};

/// The value of `TOOLWIRE_CALL` that makes a program read calls as lines (LINE-1).
///
/// ```
/// assert_eq!(toolwire::lines::VALUE, "lines");
/// ```
pub const VALUE: &str = "lines";

/// The version of the line transport that this crate speaks (LINE-20).
///
/// ```
/// assert_eq!(toolwire::lines::VERSION, 1);
/// ```
pub const VERSION: u64 = 1;

/// The longest line that a side reads if it does not say otherwise, in bytes, without its line feed: that of
/// [`Limits::max_bytes`].
///
/// ```
/// assert_eq!(toolwire::lines::MAX_LINE, toolwire::Limits::default().max_bytes as u64);
/// ```
pub const MAX_LINE: u64 = 64 * 1024 * 1024;

/// The largest number of a call: every language has it exactly (LINE-12).
///
/// ```
/// assert_eq!(toolwire::lines::MAX_CALL, (1 << 53) - 1);
/// ```
pub const MAX_CALL: u64 = (1 << 53) - 1;

/// What a line says of itself, whatever else is wrong with it (LINE-14).
///
/// ```
/// use toolwire::lines::LineHead;
///
/// let head = LineHead::of(br#"{"type":"result","call":7,"envelope":[]}"#).unwrap();
/// assert_eq!((head.kind.as_str(), head.call), ("result", 7));
/// assert_eq!(LineHead::of(b"Listening on port 3000"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineHead {
    /// Its `type`, known or not.
    pub kind: String,
    /// The call that it is about.
    pub call: u64,
}

impl LineHead {
    /// That of a line; absent if it is no strict JSON, or lacks a `type` or the number of a call.
    ///
    /// ```
    /// assert_eq!(toolwire::lines::LineHead::of(br#"{"type":"hello","toolwire":1}"#), None);
    /// ```
    #[must_use]
    pub fn of(line: &[u8]) -> Option<Self> {
        read::head(line)
    }
}

/// Where a call belongs in a distributed trace, as W3C's Trace Context names it.
///
/// ```
/// assert!(toolwire::lines::Trace::default().is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// The trace, and the span of the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    /// What tracing systems add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracestate: Option<String>,
    /// What the application adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baggage: Option<String>,
}

impl Trace {
    /// Whether it says nothing.
    ///
    /// ```
    /// use toolwire::lines::Trace;
    ///
    /// assert!(!Trace { baggage: Some("user=7".into()), ..Trace::default() }.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.traceparent.is_none() && self.tracestate.is_none() && self.baggage.is_none()
    }

    /// The object that a line has for it.
    ///
    /// ```
    /// use toolwire::lines::Trace;
    ///
    /// let trace = Trace { baggage: Some("user=7".into()), ..Trace::default() };
    /// assert_eq!(trace.to_json(), r#"{"baggage":"user=7"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        to_text(self)
    }
}

/// A line that a host writes (LINE-10).
///
/// ```
/// use toolwire::{Json, Limits, lines::HostLine};
///
/// let line = HostLine::Input { call: 1, input: Json::from("y") };
/// assert_eq!(line.to_json(), r#"{"type":"input","call":1,"input":"y"}"#);
/// let read = HostLine::from_json(line.to_json().as_bytes(), &Limits::default())?;
/// assert_eq!(read, Some(line));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum HostLine {
    /// The first line.
    Hello {
        /// The versions that the host speaks.
        versions: Vec<u64>,
        /// The longest line that it reads.
        max_line: u64,
    },
    /// A call.
    Call {
        /// Its number, which no other call of this process has.
        call: u64,
        /// What a tool that runs once gets on its stdin.
        document: Box<Call>,
        /// Where it belongs in a trace.
        #[serde(skip_serializing_if = "Trace::is_empty")]
        trace: Trace,
        /// Whether it is a session, rather than a call that has one answer.
        #[serde(skip_serializing_if = "is_false")]
        session: bool,
    },
    /// Input for a session.
    Input {
        /// The call.
        call: u64,
        /// The input, verbatim.
        input: Json,
    },
    /// What became of a question of a session.
    Answer {
        /// The call.
        call: u64,
        /// The question.
        id: String,
        /// Its answer.
        answer: Answer,
    },
    /// A call is to end; the tool still says with what result.
    End {
        /// The call.
        call: u64,
        /// Why.
        reason: EndReason,
    },
}

/// A line that a program writes (LINE-10).
///
/// ```
/// use toolwire::{Json, Limits, lines::ToolLine};
///
/// let text = r#"{"type":"result","call":1,"envelope":{"content":[]}}"#;
/// let line = ToolLine::from_json(text.as_bytes(), &Limits::default())?;
/// let envelope = Json::new(r#"{"content":[]}"#)?;
/// assert_eq!(line, Some(ToolLine::Result { call: 1, envelope }));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolLine {
    /// The first line.
    Hello {
        /// The version that both speak from here on.
        version: u64,
        /// How many calls the program takes at the same time; at least 1.
        calls: u64,
        /// The longest line that it reads.
        max_line: u64,
    },
    /// Output of a session.
    Output {
        /// The call.
        call: u64,
        /// Blocks, none of them a question, verbatim.
        blocks: Vec<Json>,
    },
    /// A question of a session, which goes on when it has the answer.
    Question {
        /// The call.
        call: u64,
        /// The question.
        #[serde(serialize_with = "serialize_question")]
        question: Box<Question>,
        /// Whether it is for the user alone.
        #[serde(skip_serializing_if = "is_false")]
        person: bool,
    },
    /// Progress or a log message.
    Event {
        /// The call.
        call: u64,
        /// What the call says.
        event: ToolEvent,
    },
    /// What a call has printed, as far as the program can tell whose it is.
    Stderr {
        /// The call.
        call: u64,
        /// The text.
        text: String,
    },
    /// The answer of a call, which ends it.
    Result {
        /// The call.
        call: u64,
        /// The envelope, verbatim.
        envelope: Json,
    },
}

impl HostLine {
    /// Reads a line, with or without its line feed: `None` if it is of a type that is not known here, or
    /// consists of white space only.
    ///
    /// # Errors
    ///
    /// `bad_line` at the first place that is wrong; for what is not strict JSON or over a limit, the code of that;
    /// for a `document` that is no call, the codes of [`Call::from_json`].
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Code, Limits, lines::HostLine, session::EndReason};
    ///
    /// let read = |line: &str| HostLine::from_json(line.as_bytes(), &Limits::default());
    /// let line = read(r#"{"type":"end","call":1,"reason":"aborted"}"#)?;
    /// assert_eq!(line, Some(HostLine::End { call: 1, reason: EndReason::Aborted }));
    /// assert_eq!(read(r#"{"type":"ping"}"#)?, None);
    /// let error = read(r#"{"type":"end","call":"1"}"#).unwrap_err();
    /// assert_eq!((error.code(), error.pointer()), (Code::BadLine, "/call"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(line: &[u8], limits: &Limits) -> Result<Option<Self>, Error> {
        read::host_line(line, limits)
    }

    /// The first line of a host that speaks [`VERSION`].
    ///
    /// ```
    /// use toolwire::lines::HostLine;
    ///
    /// let hello = r#"{"type":"hello","toolwire":1,"versions":[1],"maxLine":67108864}"#;
    /// assert_eq!(HostLine::hello(67_108_864).to_json(), hello);
    /// ```
    #[must_use]
    pub fn hello(max_line: u64) -> Self {
        HostLine::Hello {
            versions: vec![VERSION],
            max_line,
        }
    }

    /// The line, without its line feed: `type` first, then `call` (LINE-11).
    ///
    /// ```
    /// use toolwire::lines::HostLine;
    /// use toolwire::session::EndReason;
    ///
    /// let line = HostLine::End { call: 7, reason: EndReason::TimedOut };
    /// assert_eq!(line.to_json(), r#"{"type":"end","call":7,"reason":"timed_out"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            HostLine::Hello { versions, max_line } => ObjectWriter::new()
                .text("type", "hello")
                .number("toolwire", VERSION)
                .json("versions", array(versions.iter().map(u64::to_string)))
                .number("maxLine", *max_line)
                .end(),
            line => on_one_line(line),
        }
    }
}

impl ToolLine {
    /// Reads a line, with or without its line feed: `None` if it is of a type that is not known here, or
    /// consists of white space only.
    ///
    /// # Errors
    ///
    /// `bad_line` at the first place that is wrong; for what is not strict JSON or over a limit, such as
    /// [`Limits::max_blocks`], the code of that; for an `event` that is none, `bad_event`.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Code, Limits, lines::ToolLine};
    ///
    /// let read = |line: &str| ToolLine::from_json(line.as_bytes(), &Limits::default());
    /// let hello = read(r#"{"type":"hello","toolwire":1,"version":1}"#)?;
    /// assert!(matches!(hello, Some(ToolLine::Hello { calls: 1, .. })));
    /// assert_eq!(read("Listening on port 3000").unwrap_err().code(), Code::JsonSyntax);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(line: &[u8], limits: &Limits) -> Result<Option<Self>, Error> {
        read::tool_line(line, limits)
    }

    /// The first line of a program that takes so many calls at the same time.
    ///
    /// ```
    /// use toolwire::lines::{MAX_LINE, ToolLine};
    ///
    /// let hello = r#"{"type":"hello","toolwire":1,"version":1,"calls":4,"maxLine":67108864}"#;
    /// assert_eq!(ToolLine::hello(4, MAX_LINE).to_json(), hello);
    /// ```
    #[must_use]
    pub fn hello(calls: u64, max_line: u64) -> Self {
        ToolLine::Hello {
            version: VERSION,
            calls,
            max_line,
        }
    }

    /// The line, without its line feed.
    ///
    /// ```
    /// use toolwire::lines::ToolLine;
    ///
    /// let line = ToolLine::Stderr { call: 1, text: "a\n".into() };
    /// assert_eq!(line.to_json(), r#"{"type":"stderr","call":1,"text":"a\n"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            ToolLine::Hello {
                version,
                calls,
                max_line,
            } => ObjectWriter::new()
                .text("type", "hello")
                .number("toolwire", VERSION)
                .number("version", *version)
                .number("calls", *calls)
                .number("maxLine", *max_line)
                .end(),
            line => on_one_line(line),
        }
    }
}

/// A value whose verbatim parts can have line breaks between their members, which JSON allows nowhere else.
fn on_one_line(line: &impl Serialize) -> String {
    let text = to_text(line);
    match text.contains(['\n', '\r']) {
        true => text.replace(['\n', '\r'], " "),
        false => text,
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn serialize_question<S: Serializer>(
    question: &Question,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serialize_text(write_question(question), serializer)
}
