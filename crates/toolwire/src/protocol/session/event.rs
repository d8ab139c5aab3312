//! What can happen to a handle.

use serde::{Deserialize, Serialize};

use crate::base::json::{Document, Kind, Place};
use crate::block::Question;
use crate::protocol::call::{Answer, AnswerSource};
use crate::protocol::event::{Progress, progress_at};
use crate::protocol::question::question_at;
use crate::{Code, Error, Json};

/// Something that happens to a handle (SES-3): a caller's command, what its tool does, or the end of a
/// time.
///
/// ```
/// use toolwire::session::SessionEvent;
/// use toolwire::call::AnswerSource;
///
/// let event = SessionEvent::from_json(r#"{"event":"spawn","by":"assistant"}"#)?;
/// assert_eq!(event, SessionEvent::Spawn { by: AnswerSource::Assistant });
/// let error = SessionEvent::from_json(r#"{"event":"apply","by":"user"}"#).unwrap_err();
/// assert_eq!(error.pointer(), "/input");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SessionEvent {
    /// The tool is to begin.
    Spawn {
        /// Who wants it.
        by: AnswerSource,
    },
    /// A caller reads its output.
    Fetch {
        /// Who reads.
        by: AnswerSource,
        /// The last block that the reader has, if it acknowledges what it reads.
        after: Option<u64>,
        /// Maximum size of the blocks of one fetch, in bytes; a single longer block is returned all the same.
        max_bytes: Option<usize>,
    },
    /// A caller gives it input or an answer.
    Apply {
        /// Who gives it.
        by: AnswerSource,
        /// What is given.
        what: Applied,
        /// The question that is meant, where the caller says so.
        question: Option<String>,
    },
    /// It is to end.
    Abort {
        /// Who wants it.
        by: AnswerSource,
    },
    /// The tool said something: blocks that are no questions.
    Output {
        /// The blocks, verbatim.
        blocks: Vec<Json>,
        /// Whether they are pieces of what a program prints, which end anywhere and are joined (SES-44).
        pieces: bool,
    },
    /// The tool said how far it is.
    Progress(Progress),
    /// The tool asks a question, and goes on when it has the answer.
    Question {
        /// The question.
        question: Question,
        /// The texts before it.
        context: Vec<String>,
        /// Whether it is for the user alone.
        person: bool,
    },
    /// What is typed now must come from a person, or that is over: the tool asks for a password, for instance.
    Gate {
        /// Whether it must.
        person: bool,
    },
    /// The tool has ended by itself, and all its output was reported.
    Exit {
        /// Its exit status.
        status: i64,
    },
    /// The tool has ended in another way, and all its output was reported.
    Crash {
        /// How, for a person.
        message: String,
    },
    /// A time is over.
    Timeout {
        /// Which one.
        of: Timer,
    },
    /// The turn of the conversation in which the tool was used is over.
    EndOfTurn {
        /// What is to become of the handle.
        policy: TurnPolicy,
    },
    /// The host ends.
    HostExit,
    /// The time for which a handle can be fetched after it has stopped is over.
    Expire,
}

/// What is applied: exactly one of the two.
///
/// ```
/// use toolwire::{Json, session::Applied};
///
/// assert_ne!(Applied::Input(Json::from("y")), Applied::Input(Json::from("n")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Applied {
    /// Input, or the value that answers the open question.
    Input(Json),
    /// The answer to the open question.
    Answer(Answer),
}

/// A clock of the host's.
///
/// ```
/// assert_eq!(toolwire::session::Timer::Idle.as_str(), "idle");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Timer {
    /// Since it was spawned.
    Session,
    /// Since anything last happened. It does not run while a question is open.
    Idle,
}

closed_words!(Timer, "a time of a session", {
    Session => "session",
    Idle => "idle",
});

/// What becomes of a handle at the end of a turn.
///
/// ```
/// assert_eq!("keep".parse(), Ok(toolwire::session::TurnPolicy::Keep));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TurnPolicy {
    /// It ends.
    Abort,
    /// The host waits for it, up to a time.
    Wait,
    /// It goes on.
    Keep,
    /// A person is asked.
    Ask,
}

closed_words!(TurnPolicy, "a policy for the end of a turn", {
    Abort => "abort",
    Wait => "wait",
    Keep => "keep",
    Ask => "ask",
});

/// The events as words, with their members.
const EVENTS: [(&str, &[&str]); 14] = [
    ("spawn", &["by"]),
    ("fetch", &["by", "after", "maxBytes"]),
    ("apply", &["by", "input", "answer", "question"]),
    ("abort", &["by"]),
    ("output", &["blocks", "pieces"]),
    ("progress", &["done", "total", "message"]),
    ("question", &["question", "context", "person"]),
    ("gate", &["person"]),
    ("exit", &["status"]),
    ("crash", &["message"]),
    ("timeout", &["of"]),
    ("end_of_turn", &["policy"]),
    ("host_exit", &[]),
    ("expire", &[]),
];

impl SessionEvent {
    /// Reads an event from JSON, as SES-3 lists them.
    ///
    /// # Errors
    ///
    /// `bad_argument` at the first place that is wrong; for what is not strict JSON, the code of that.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::session::SessionEvent;
    ///
    /// assert_eq!(SessionEvent::from_json(r#"{"event":"host_exit"}"#)?, SessionEvent::HostExit);
    /// let error = SessionEvent::from_json(r#"{"event":"exit"}"#).unwrap_err();
    /// assert_eq!(error.pointer(), "/status");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let document = Document::new(text)?;
        // An event is a value, which most callers never had as a text.
        read(Place::new(document.root(), "", Code::BadArgument)).map_err(Error::placeless)
    }
}

fn read(place: Place<'_>) -> Result<SessionEvent, Error> {
    let event = place.object()?;
    let word = event.required("event")?;
    let name = word.string()?;
    let Some((_, members)) = EVENTS.iter().find(|(event, _)| *event == name) else {
        let known: Vec<&str> = EVENTS.iter().map(|(event, _)| *event).collect();
        return Err(word.expected(&format!("one of `{}`", known.join("`, `"))));
    };
    let is_known = |member: &str| member == "event" || members.contains(&member);
    if let Some((member, place)) = event.members().find(|(member, _)| !is_known(member)) {
        return Err(place.refuse(format!("`{name}` has no member `{member}`")));
    }
    let by = || event.required("by")?.word();
    let flag = |name| event.given(name).map_or(Ok(false), |flag| flag.flag());
    let whole = |name, least| {
        event
            .given(name)
            .map(|number| number.whole(least))
            .transpose()
    };
    Ok(match name.as_str() {
        "spawn" => SessionEvent::Spawn { by: by()? },
        "fetch" => SessionEvent::Fetch {
            by: by()?,
            after: whole("after", 0)?,
            max_bytes: whole("maxBytes", 1)?
                .map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
        },
        "apply" => SessionEvent::Apply {
            by: by()?,
            what: applied(&event, by()?)?,
            question: event.given("question").map(|id| id.filled()).transpose()?,
        },
        "abort" => SessionEvent::Abort { by: by()? },
        "output" => SessionEvent::Output {
            blocks: blocks_at(event.required("blocks")?)?,
            pieces: flag("pieces")?,
        },
        "progress" => SessionEvent::Progress(progress_at(&event)?),
        "question" => SessionEvent::Question {
            question: question_at(event.required("question")?)?,
            context: event
                .given("context")
                .map_or(Ok(Vec::new()), Place::strings)?,
            person: flag("person")?,
        },
        "gate" => SessionEvent::Gate {
            person: event.required("person")?.flag()?,
        },
        "exit" => {
            let status = event.required("status")?;
            let number = status.node.as_whole();
            SessionEvent::Exit {
                status: number.ok_or_else(|| status.expected("a whole number"))?,
            }
        }
        "crash" => SessionEvent::Crash {
            message: event.required("message")?.filled()?,
        },
        "timeout" => SessionEvent::Timeout {
            of: event.required("of")?.word()?,
        },
        "end_of_turn" => SessionEvent::EndOfTurn {
            policy: event.required("policy")?.word()?,
        },
        "host_exit" => SessionEvent::HostExit,
        _ => SessionEvent::Expire,
    })
}

/// The `input` or the `answer` of an apply. `null` is an input, unless there is an answer.
pub(super) fn applied(apply: &Place<'_>, by: AnswerSource) -> Result<Applied, Error> {
    let answer = apply.given("answer");
    let input = apply
        .member("input")
        .filter(|input| apply.member("answer").is_none() || input.node.kind() != Kind::Null);
    match (input, answer) {
        (Some(input), None) => Ok(Applied::Input(Json::from(input.node))),
        (None, Some(answer)) => {
            let answer = answer.object()?;
            let mut members = answer.members();
            let is_known = |name: &str| ["state", "value"].contains(&name);
            match members.find(|(name, member)| !is_known(name) && member.node.kind() != Kind::Null)
            {
                Some((name, member)) => {
                    Err(member.refuse(format!("`answer` has no member `{name}`")))
                }
                None => Ok(Applied::Answer(Answer::at(answer)?.by(by))),
            }
        }
        (Some(_), Some(answer)) => {
            Err(answer.refuse("`apply` takes `input` or `answer`, not both"))
        }
        (None, None) => Err(apply.lacks(
            "input",
            "`apply` takes `input`, or `answer` to the open question",
        )),
    }
}

/// Blocks that are no questions, at a place of a document.
pub(crate) fn blocks_at(place: Place<'_>) -> Result<Vec<Json>, Error> {
    let block = |element: Place<'_>| {
        let block = element.object()?;
        let kind = block.required("type")?;
        match kind.string()?.as_str() {
            "question" => Err(kind.refuse("a question is an event of its own, `question`")),
            _ => Ok(Json::from(block.node)),
        }
    };
    place.array()?.elements().map(block).collect()
}
