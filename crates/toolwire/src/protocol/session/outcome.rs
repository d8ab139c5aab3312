//! What comes of an event: a state, effects, and a refusal where it was refused.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::base::json::to_text;
use crate::block::Question;
use crate::protocol::call::{Answer, SessionAction};
use crate::{Code, Error, Json, Status};

/// The state of a handle (SES-1).
///
/// ```
/// use toolwire::{Status, session::SessionState};
///
/// assert_eq!(SessionState::Ending.status(), Some(Status::Running));
/// assert_eq!(SessionState::Absent.status(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SessionState {
    /// There is no such handle.
    Absent,
    /// Its tool works.
    Running,
    /// A question of its tool is open.
    Waiting,
    /// Its tool was asked to end. To its users it is running.
    Ending,
    /// Its tool has ended.
    Stopped,
}

closed_words!(SessionState, "a state of a handle", {
    Absent => "absent",
    Running => "running",
    Waiting => "waiting",
    Ending => "ending",
    Stopped => "stopped",
});

impl SessionState {
    /// What `computer.jp/status` says; `None` if there is no handle.
    ///
    /// ```
    /// use toolwire::{Status, session::SessionState};
    ///
    /// assert_eq!(SessionState::Waiting.status(), Some(Status::Waiting));
    /// ```
    #[must_use]
    pub fn status(self) -> Option<Status> {
        match self {
            SessionState::Absent => None,
            SessionState::Running | SessionState::Ending => Some(Status::Running),
            SessionState::Waiting => Some(Status::Waiting),
            SessionState::Stopped => Some(Status::Stopped),
        }
    }
}

/// Why a handle ends.
///
/// ```
/// assert_eq!(toolwire::session::EndReason::TimedOut.as_str(), "timed_out");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EndReason {
    /// Its tool ended by itself.
    Exited,
    /// Its tool ended in another way.
    Crashed,
    /// A caller ended it.
    Aborted,
    /// It took too long.
    TimedOut,
    /// Nothing happened for too long.
    Idle,
    /// The turn was over.
    TurnEnded,
    /// The host ended.
    HostEnded,
}

closed_words!(EndReason, "a reason why a handle ends", {
    Exited => "exited",
    Crashed => "crashed",
    Aborted => "aborted",
    TimedOut => "timed_out",
    Idle => "idle",
    TurnEnded => "turn_ended",
    HostEnded => "host_ended",
});

/// Something that the host does, in the order in which it stands.
///
/// ```
/// use toolwire::session::Effect;
///
/// assert_eq!(Effect::Start.to_json(), r#"{"effect":"start"}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// Start the tool.
    Start,
    /// Give the tool this input.
    Input {
        /// To the letter.
        value: Json,
    },
    /// Give the tool the answer to a question.
    Answer {
        /// The question.
        id: String,
        /// The answer.
        answer: Answer,
    },
    /// A question is open now: show it to those who may answer it.
    Open {
        /// The question.
        id: String,
        /// Whether only a person may.
        person: bool,
    },
    /// A question needs no answer any more.
    Withdraw {
        /// The question.
        id: String,
    },
    /// Tell the tool to end, and end it if it does not.
    End {
        /// Why.
        reason: EndReason,
    },
    /// The handle has stopped.
    Stop {
        /// Why.
        reason: EndReason,
    },
    /// Wait for the handle to stop, up to a time; when that is over, the turn ends with the policy `abort`.
    Wait,
    /// Ask a person what is to become of the handle; the turn ends with the policy that they choose.
    Ask,
    /// Return this envelope to the caller of the fetch.
    Reply {
        /// The JSON text of the envelope.
        envelope: Json,
    },
    /// There is no such handle any more.
    Forget {
        /// The unfetched blocks, as `dropped` of SES-43.
        #[serde(skip_serializing_if = "Option::is_none")]
        dropped: Option<Json>,
    },
}

impl Effect {
    /// The effect as a JSON object, as SES-4 lists them.
    ///
    /// ```
    /// use toolwire::session::{Effect, EndReason};
    ///
    /// let effect = Effect::Stop { reason: EndReason::Exited };
    /// assert_eq!(effect.to_json(), r#"{"effect":"stop","reason":"exited"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        to_text(self)
    }
}

/// Why an event was refused, and what is possible instead (SES-5). What is refused changes nothing.
///
/// ```
/// use toolwire::call::{AnswerSource, SessionAction};
/// use toolwire::session::{SessionEvent, SessionMachine, SessionMachineOptions, NoQuestions};
///
/// let mut machine = SessionMachine::new("check", SessionMachineOptions::default())?;
/// let outcome = machine.handle(SessionEvent::Abort { by: AnswerSource::User }, &NoQuestions);
/// assert_eq!(outcome.refusal.unwrap().possible, [SessionAction::Spawn]);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Refusal {
    /// The code from the registry.
    pub code: Code,
    /// A sentence for a person or a model.
    pub message: String,
    /// The actions that the refused caller can use now.
    pub possible: Vec<SessionAction>,
    /// Where an answer does not fit its question: JSON Pointers into the value, each with a message.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "write_mismatches",
        deserialize_with = "read_mismatches"
    )]
    pub mismatches: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct Mismatch<S> {
    pointer: S,
    message: S,
}

fn write_mismatches<S: Serializer>(
    all: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(
        all.iter()
            .map(|(pointer, message)| Mismatch { pointer, message }),
    )
}

fn read_mismatches<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, String)>, D::Error> {
    let read = Vec::<Mismatch<String>>::deserialize(deserializer)?;
    Ok(read
        .into_iter()
        .map(|one| (one.pointer, one.message))
        .collect())
}

impl Refusal {
    /// A refusal of the host's own, such as for one handle too many.
    ///
    /// ```
    /// use toolwire::{Code, call::SessionAction, session::Refusal};
    ///
    /// let refusal = Refusal::new(Code::OverBudget, "there are 8 handles already", vec![SessionAction::Abort]);
    /// assert!(refusal.mismatches.is_empty());
    /// ```
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, possible: Vec<SessionAction>) -> Self {
        Refusal {
            code,
            message: message.into(),
            possible,
            mismatches: Vec::new(),
        }
    }

    /// The refusal as a JSON object: `{"code","message","possible","mismatches":[{"pointer","message"}]}`; without
    /// mismatches, that member is left out.
    ///
    /// ```
    /// use toolwire::call::AnswerSource;
    /// use toolwire::session::{SessionEvent, SessionMachine, SessionMachineOptions, NoQuestions};
    ///
    /// let mut machine = SessionMachine::new("check", SessionMachineOptions::default())?;
    /// let outcome = machine.handle(SessionEvent::Abort { by: AnswerSource::User }, &NoQuestions);
    /// assert!(outcome.refusal.unwrap().to_json().contains(r#""possible":["spawn"]"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        to_text(self)
    }
}

/// What came of an event.
///
/// ```
/// use toolwire::session::{SessionEvent, SessionMachine, SessionMachineOptions, SessionState, NoQuestions};
///
/// let mut machine = SessionMachine::new("check", SessionMachineOptions::default())?;
/// let outcome = machine.handle(SessionEvent::HostExit, &NoQuestions);
/// assert_eq!(outcome.to_json(), r#"{"state":"absent","effects":[]}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SessionOutcome {
    /// The state afterwards.
    pub state: SessionState,
    /// What the host does now.
    pub effects: Vec<Effect>,
    /// Why the event was refused, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}

impl SessionOutcome {
    /// The outcome as a JSON object, `{"state","effects","refusal"}`; without a refusal, that member is left out.
    ///
    /// ```
    /// use toolwire::session::{SessionEvent, SessionMachine, SessionMachineOptions, NoQuestions};
    ///
    /// let mut machine = SessionMachine::new("check", SessionMachineOptions::default())?;
    /// let outcome = machine.handle(SessionEvent::Expire, &NoQuestions);
    /// assert_eq!(outcome.to_json(), r#"{"state":"absent","effects":[]}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        to_text(self)
    }
}

/// Checks questions and answers with JSON Schema, which this crate does not do: `toolwire_schema::AnswerChecker`
/// does.
///
/// ```
/// use toolwire::{Json, session::{Checker, NoQuestions}};
/// use toolwire::question::read_question;
///
/// let question = read_question(r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}"#)?;
/// assert!(NoQuestions.question(&question).is_err());
/// assert!(NoQuestions.answer(&question, &Json::from(true)).is_err());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub trait Checker {
    /// Whether answers can be checked with the schema of a question.
    ///
    /// # Errors
    ///
    /// `bad_schema` or `over_budget`.
    fn question(&self, question: &Question) -> Result<(), Error>;

    /// Whether a value fits its question.
    ///
    /// # Errors
    ///
    /// Where it does not: JSON Pointers into the value, each with a message. At least one.
    fn answer(&self, question: &Question, value: &Json) -> Result<(), Vec<(String, String)>>;
}

/// The checker of tools that ask nothing: it lets no question pass, and no answer.
///
/// ```
/// use toolwire::session::{SessionEvent, SessionMachine, SessionMachineOptions, NoQuestions};
///
/// let mut machine = SessionMachine::new("check", SessionMachineOptions::default())?;
/// assert_eq!(machine.handle(SessionEvent::HostExit, &NoQuestions).refusal, None);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct NoQuestions;

impl Checker for NoQuestions {
    fn question(&self, _question: &Question) -> Result<(), Error> {
        let message = "nothing here can check an answer to a question";
        Err(Error::new(Code::BadSchema, "", None, message))
    }

    fn answer(&self, question: &Question, _value: &Json) -> Result<(), Vec<(String, String)>> {
        let message = format!("nothing here can check the answer to `{}`", question.id);
        Err(vec![(String::new(), message)])
    }
}
