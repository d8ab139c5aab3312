//! What can happen to a handle.

use crate::block::Question;
use crate::call::{Answer, AnswerSource, AnswerState};
use crate::event::{Progress, progress_at};
use crate::json::{Document, Kind, Place};
use crate::question::question_at;
use crate::{Code, Error, Json};

/// Something that happens to a handle (SES-3): a command of whoever uses it, what its tool does, or the end of a
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
    /// Somebody reads what it has said.
    Fetch {
        /// Who reads.
        by: AnswerSource,
        /// The last block that the reader has, if it acknowledges what it reads.
        after: Option<u64>,
    },
    /// Somebody gives it something.
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
        /// The blocks, to the letter.
        blocks: Vec<Json>,
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
    /// The tool has ended by itself, and all its output has been told.
    Exit {
        /// Its exit status.
        status: i64,
    },
    /// The tool has ended in another way, and all its output has been told.
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
    ("fetch", &["by", "after"]),
    ("apply", &["by", "input", "answer", "question"]),
    ("abort", &["by"]),
    ("output", &["blocks"]),
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
    let place = place.object()?;
    let word = place.required("event")?;
    let name = word.string()?;
    let Some((_, members)) = EVENTS.iter().find(|(event, _)| *event == name) else {
        let known: Vec<&str> = EVENTS.iter().map(|(event, _)| *event).collect();
        return Err(word.expected(&format!("one of `{}`", known.join("`, `"))));
    };
    let unknown = place
        .members()
        .find(|(member, _)| member != "event" && !members.contains(&&**member));
    if let Some((member, place)) = unknown {
        return Err(place.refuse(format!("`{name}` has no member `{member}`")));
    }
    Ok(match name.as_str() {
        "spawn" => SessionEvent::Spawn { by: by(&place)? },
        "fetch" => SessionEvent::Fetch {
            by: by(&place)?,
            after: after(&place)?,
        },
        "apply" => apply(&place)?,
        "abort" => SessionEvent::Abort { by: by(&place)? },
        "output" => SessionEvent::Output {
            blocks: blocks_at(place.required("blocks")?)?,
        },
        "progress" => SessionEvent::Progress(progress_at(&place)?),
        "question" => question(&place)?,
        "gate" => SessionEvent::Gate {
            person: place.required("person")?.flag()?,
        },
        "exit" => {
            let status = place.required("status")?;
            let number = status.node.as_whole();
            SessionEvent::Exit {
                status: number.ok_or_else(|| status.expected("a whole number"))?,
            }
        }
        "crash" => SessionEvent::Crash {
            message: place.required("message")?.filled()?,
        },
        "timeout" => SessionEvent::Timeout {
            of: place.required("of")?.word()?,
        },
        "end_of_turn" => SessionEvent::EndOfTurn {
            policy: place.required("policy")?.word()?,
        },
        "host_exit" => SessionEvent::HostExit,
        _ => SessionEvent::Expire,
    })
}

fn by(place: &Place<'_>) -> Result<AnswerSource, Error> {
    place.required("by")?.word()
}

fn after(place: &Place<'_>) -> Result<Option<u64>, Error> {
    let Some(after) = place.member("after") else {
        return Ok(None);
    };
    block_number(&after).map(Some)
}

/// The number of a block, or 0.
pub(super) fn block_number(place: &Place<'_>) -> Result<u64, Error> {
    let number = place.node.as_whole();
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| place.expected("the number of a block, or 0"))
}

fn apply(place: &Place<'_>) -> Result<SessionEvent, Error> {
    let by = by(place)?;
    let what = match (place.member("input"), place.member("answer")) {
        (Some(input), None) => Applied::Input(Json::from(input.node)),
        (None, Some(answer)) => Applied::Answer(answer_of(answer.object()?, by, false)?),
        (Some(_), Some(answer)) => {
            return Err(answer.refuse("`apply` takes `input` or `answer`, not both"));
        }
        (None, None) => {
            let at = Some(place.node.start() as u64);
            let message = "`apply` takes `input` or `answer`";
            return Err(Error::new(Code::BadArgument, "/input", at, message));
        }
    };
    let question = place.member("question");
    let question = question.map(|question| question.filled()).transpose()?;
    Ok(SessionEvent::Apply { by, what, question })
}

/// An answer; that it comes from whoever applies it is not for itself to say. With `nulls`, null stands for what
/// is left out.
pub(super) fn answer_of(place: Place<'_>, by: AnswerSource, nulls: bool) -> Result<Answer, Error> {
    let given = |member: &Place<'_>| !nulls || member.node.kind() != Kind::Null;
    if let Some((name, member)) = place
        .members()
        .find(|(name, member)| name != "state" && name != "value" && given(member))
    {
        return Err(member.refuse(format!("`answer` has no member `{name}`")));
    }
    let state: AnswerState = place.required("state")?.word()?;
    let value = match state {
        AnswerState::Accepted => Some(place.required("value")?),
        _ => place.member("value").filter(given),
    };
    let json = value.as_ref().map(|value| Json::from(value.node));
    Answer::new(state, Some(by), json).map_err(|error| match value {
        Some(value) => value.refuse(error.message()),
        None => error,
    })
}

/// Blocks that are no questions, at a place of a document.
pub(crate) fn blocks_at(place: Place<'_>) -> Result<Vec<Json>, Error> {
    let place = place.array()?;
    let mut blocks = Vec::new();
    for element in place.elements() {
        let block = element.object()?;
        let kind = block.required("type")?;
        if kind.string()? == "question" {
            return Err(kind.refuse("a question is an event of its own, `question`"));
        }
        blocks.push(Json::from(block.node));
    }
    Ok(blocks)
}

fn question(place: &Place<'_>) -> Result<SessionEvent, Error> {
    let question = question_at(place.required("question")?)?;
    let mut context = Vec::new();
    if let Some(texts) = place.member("context") {
        for text in texts.array()?.elements() {
            context.push(text.string()?);
        }
    }
    let person = place
        .member("person")
        .map(|person| person.flag())
        .transpose()?;
    Ok(SessionEvent::Question {
        question,
        context,
        person: person.unwrap_or_default(),
    })
}
