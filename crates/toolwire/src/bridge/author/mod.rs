//! What a tool's program does with a call: read it, ask, answer (AUTH rules). No I/O: where the call
//! comes from and where the answer goes is for the languages.
//!
//! # Examples
//!
//! A turn of a tool that asks before it does its job:
//!
//! ```
//! use toolwire::author::{Ask, Opened, Returned, open};
//!
//! let document = br#"{"tool":{"name":"rename"},"context":{"action":"run"}}"#;
//! let Opened::Turn(mut turn) = open(document, &["rename"]) else { panic!() };
//! let ask = Ask::from_json("boolean", r#"{"text":"Go on?"}"#)?;
//! // The first time there is no answer: the run ends with the question.
//! assert!(turn.ask("confirm", &ask)?.is_none());
//! let answer = turn.finish(Returned::Nothing)?;
//! assert!(answer.to_json().contains(r#""id":"confirm""#));
//! # Ok::<(), toolwire::Error>(())
//! ```

mod ask;
mod caller;
mod failure;
mod returned;
mod session;
mod tools;

pub use ask::Ask;
pub use caller::Caller;
pub use failure::{Failure, Link, bad_arguments, misfit, transient_kind};
pub use returned::Returned;
pub use session::{check_emitted, open_call, question_of};
pub use tools::{help, read_tools};

use std::collections::BTreeMap;
use std::fmt;

use crate::block::QuestionBlock;
use crate::protocol::build::{QuestionOptions, checked_envelope, text_block};
use crate::protocol::call::{Answer, AnswerState, Call, ToolDescription, describe_with};
use crate::{Block, Code, Envelope, Error, Limits, parse};

/// One call while a program answers it: the call, the blocks so far, and the questions among them.
///
/// ```
/// use toolwire::author::{Returned, open};
/// use toolwire::build::{BlockOptions, text};
///
/// let document = br#"{"tool":{"name":"now"},"context":{"action":"run"}}"#;
/// let mut turn = open(document, &["now"]).turn().expect("a call of `now`");
/// turn.emit(text("It is", BlockOptions::default())?)?;
/// let answer = turn.finish(Returned::Text("noon.".into()))?;
/// assert_eq!(
///     answer.to_json(),
///     r#"{"content":[{"text":"It is","type":"text"},{"text":"noon.","type":"text"}]}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Turn {
    call: Call,
    /// What was emitted and asked, in that order: the blocks before a question are its context.
    content: Vec<Block>,
}

/// What a call document makes a program do.
///
/// ```
/// use toolwire::author::{Opened, open};
///
/// let opened = open(br#"{"tool":{},"context":{"action":"walk"}}"#, &["now"]);
/// assert!(matches!(opened, Opened::Answered(answer) if answer.is_error == Some(true)));
/// ```
#[derive(Debug, Clone)]
pub enum Opened {
    /// A turn begins.
    Turn(Turn),
    /// There is nothing to do: the document is no call, or the program holds no such tool. This is
    /// the answer, an envelope with `isError`.
    Answered(Box<Envelope>),
}

impl Opened {
    /// What becomes of a call that can't even be got hold of (AUTH-1).
    ///
    /// ```
    /// use toolwire::author::Opened;
    ///
    /// assert!(Opened::unreadable("stdin is closed").turn().is_none());
    /// ```
    #[must_use]
    pub fn unreadable(why: impl fmt::Display) -> Self {
        Opened::failed(format!("the call can't be read: {why}"))
    }

    fn failed(message: String) -> Self {
        Opened::Answered(Box::new(Failure::new(message).envelope()))
    }

    /// The turn, if one begins.
    ///
    /// ```
    /// let document = br#"{"tool":{"name":"now"},"context":{"action":"run"}}"#;
    /// assert!(toolwire::author::open(document, &["now"]).turn().is_some());
    /// ```
    #[must_use]
    pub fn turn(self) -> Option<Turn> {
        match self {
            Opened::Turn(turn) => Some(turn),
            Opened::Answered(_) => None,
        }
    }
}

/// Begins a turn: reads the call document, and looks whether the program holds the tool (AUTH-1 to
/// AUTH-3). `names` are the tools of the program.
///
/// # Examples
///
/// ```
/// use toolwire::author::{Opened, open};
/// use toolwire::call::Action;
///
/// let turn = open(br#"{"tool":{},"context":{"action":"describe"}}"#, &["now"]).turn().expect("a call");
/// assert_eq!(turn.call().action, Action::Describe);
///
/// let document = br#"{"tool":{"name":"then"},"context":{"action":"run"}}"#;
/// let Opened::Answered(answer) = open(document, &["now"]) else { panic!("there is no such tool") };
/// assert!(answer.to_json().contains("there is no tool `then`; there is only `now`"));
/// ```
#[must_use]
pub fn open<S: AsRef<str>>(document: &[u8], names: &[S]) -> Opened {
    match Call::from_json(document, &Limits::default()) {
        Ok(call) => open_call(call, names),
        Err(error) => Opened::unreadable(error),
    }
}

/// What there is instead of a tool that there is not.
fn others<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<String> = names.iter().map(|n| format!("`{}`", n.as_ref())).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("; there is only {one}"),
        [most @ .., last] => format!("; there are {} and {last}", most.join(", ")),
    }
}

impl Turn {
    /// A turn that begins, of a tool that the program holds.
    ///
    /// ```
    /// use toolwire::{Json, author::{Returned, Turn}, call::Call};
    ///
    /// let turn = Turn::new(Call::new("now", Json::empty_object()));
    /// assert!(turn.finish(Returned::Nothing)?.content.is_empty());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn new(call: Call) -> Self {
        Turn {
            call,
            content: Vec::new(),
        }
    }

    /// The call.
    ///
    /// ```
    /// let document = br#"{"tool":{"name":"now"},"context":{"action":"run","root":"/project"}}"#;
    /// let turn = toolwire::author::open(document, &["now"]).turn().expect("a call of `now`");
    /// assert_eq!(turn.call().root.as_deref(), Some("/project"));
    /// ```
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Adds a block to the answer, in front of what the tool returns (AUTH-10).
    ///
    /// # Errors
    ///
    /// `bad_argument` if a reader would skip the block or warn of it, and for a question, which is
    /// asked with [`Turn::ask`].
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Block, author::open};
    ///
    /// let document = br#"{"tool":{"name":"now"},"context":{"action":"run"}}"#;
    /// let mut turn = open(document, &["now"]).turn().expect("a call of `now`");
    /// assert!(turn.emit(Block::from_json(r#"{"type":"text","text":"ok"}"#)?).is_ok());
    /// assert!(turn.emit(Block::from_json(r#"{"type":"video"}"#)?).is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn emit(&mut self, block: Block) -> Result<(), Error> {
        check_emitted(&block)?;
        self.content.push(block);
        Ok(())
    }

    /// What became of a question, whatever its state; `None` if it has no answer yet. Then it is
    /// pending, and the run should end (AUTH-20).
    ///
    /// # Errors
    ///
    /// `bad_argument`, as for the builder of questions; at `/id` if another question with this id is
    /// pending.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Json, author::{Ask, open}};
    ///
    /// let document =
    ///     br#"{"tool":{"name":"now","answers":{"utc":true}},"context":{"action":"run"}}"#;
    /// let mut turn = open(document, &["now"]).turn().expect("a call of `now`");
    /// let ask = Ask::from_json("boolean", r#"{"text":"In UTC?"}"#)?;
    /// let answer = turn.ask("utc", &ask)?.expect("an answer");
    /// assert_eq!(answer.value(), Some(&Json::from(true)));
    /// assert!(turn.ask("seconds", &ask)?.is_none());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn ask(&mut self, id: &str, ask: &Ask) -> Result<Option<Answer>, Error> {
        let block = question_block(id, ask)?;
        match self.call.answers.get(id) {
            Some(answer) => Ok(Some(answer.clone())),
            None => self.add(id, block).map(|()| None),
        }
    }

    /// The answers to questions that are asked together (AUTH-25); `None` if the run has to end here.
    /// With `required` every answer is an accepted one: the first question that was declined,
    /// cancelled or could not be asked is required, as by [`Turn::require`].
    ///
    /// # Errors
    ///
    /// As [`Turn::ask`].
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::author::{Ask, open};
    ///
    /// let document = br#"{"tool":{"name":"now","answers":{"utc":true},
    ///     "dev.toolwire/answers":{"date":{"state":"declined"}}},"context":{"action":"run"}}"#;
    /// let mut turn = open(document, &["now"]).turn().expect("a call of `now`");
    /// let ask = Ask::from_json("boolean", r#"{"text":"Really?"}"#)?;
    /// let answers = turn.answers(&[("utc", &ask), ("date", &ask)], false)?.expect("both have answers");
    /// assert!(answers[0].value().is_some() && answers[1].value().is_none());
    /// assert!(turn.answers(&[("date", &ask)], true)?.is_none() && turn.is_pending());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn answers<S: AsRef<str>>(
        &mut self,
        asks: &[(S, &Ask)],
        required: bool,
    ) -> Result<Option<Vec<Answer>>, Error> {
        let mut answers = Vec::with_capacity(asks.len());
        for (id, ask) in asks {
            // All are asked before the run ends, so that a person is asked once.
            answers.extend(self.ask(id.as_ref(), ask)?);
        }
        if answers.len() < asks.len() {
            return Ok(None);
        }
        let refused = |answer: &Answer| {
            !matches!(answer.state(), AnswerState::Accepted | AnswerState::Opened)
        };
        match answers.iter().position(refused) {
            Some(at) if required => {
                let (id, ask) = &asks[at];
                self.require(id.as_ref(), ask).map(|()| None)
            }
            _ => Ok(Some(answers)),
        }
    }

    /// As [`Turn::ask`], but a page that was opened is asked again: the tool has looked, and what it
    /// needs is not there yet (AUTH-27).
    ///
    /// # Errors
    ///
    /// As [`Turn::ask`].
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::author::{Ask, open};
    ///
    /// let document = br#"{"tool":{"name":"mail","dev.toolwire/answers":{"login":
    ///     {"state":"opened","source":"user"}}},"context":{"action":"run"}}"#;
    /// let mut turn = open(document, &["mail"]).turn().expect("a call of `mail`");
    /// let ask = Ask::from_json("page", r#"{"text":"Sign in","url":"https://example.org/login"}"#)?;
    /// assert!(turn.ask("login", &ask)?.is_some());
    /// assert!(turn.ask_again("login", &ask)?.is_none() && turn.is_pending());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn ask_again(&mut self, id: &str, ask: &Ask) -> Result<Option<Answer>, Error> {
        let answer = self.call.answers.get(id);
        if answer.is_some_and(|answer| answer.state() == AnswerState::Opened) {
            let block = question_block(id, ask)?;
            return self.add(id, block).map(|()| None);
        }
        self.ask(id, ask)
    }

    /// Asks although the question has an answer, one that was not accepted: the tool can't go on
    /// without a value, and the host ends the call (AUTH-22, Q-35).
    ///
    /// # Errors
    ///
    /// As [`Turn::ask`]; at `/id` too if the question was answered, since it would be asked for ever.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::author::{Ask, open};
    ///
    /// let document = br#"{"tool":{"name":"now","dev.toolwire/answers":{"utc":{"state":"declined"}}},
    ///     "context":{"action":"run"}}"#;
    /// let mut turn = open(document, &["now"]).turn().expect("a call of `now`");
    /// let ask = Ask::from_json("boolean", r#"{"text":"In UTC?"}"#)?;
    /// assert!(turn.ask("utc", &ask)?.is_some());
    /// turn.require("utc", &ask)?;
    /// assert!(turn.is_pending());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn require(&mut self, id: &str, ask: &Ask) -> Result<(), Error> {
        let block = question_block(id, ask)?;
        let answer = self.call.answers.get(id);
        if answer.is_some_and(|answer| answer.state() == AnswerState::Accepted) {
            let message = format!("`{id}` was answered: ask for something else under another id");
            return Err(Error::new(Code::BadArgument, "/id", None, message));
        }
        self.add(id, block)
    }

    /// Adds a question, unless the same one is pending already.
    fn add(&mut self, id: &str, block: QuestionBlock) -> Result<(), Error> {
        let pending = self.content.iter().find_map(|block| match block {
            Block::Question(pending) if pending.question.id == id => Some(pending),
            _ => None,
        });
        match pending {
            None => self.content.push(Block::Question(block)),
            Some(pending) if *pending == block => {}
            Some(_) => {
                let message = format!("another question has the id `{id}`: give each its own");
                return Err(Error::new(Code::BadArgument, "/id", None, message));
            }
        }
        Ok(())
    }

    /// Whether a question waits for its answer.
    ///
    /// ```
    /// let document = br#"{"tool":{"name":"now"},"context":{"action":"run"}}"#;
    /// let turn = toolwire::author::open(document, &["now"]).turn().expect("a call of `now`");
    /// assert!(!turn.is_pending());
    /// ```
    #[must_use]
    pub fn is_pending(&self) -> bool {
        let mut blocks = self.content.iter();
        blocks.any(|block| matches!(block, Block::Question(_)))
    }

    /// The answer to the call: what was emitted and what the tool returned (AUTH-11). While a question
    /// is pending, what was returned does not count (AUTH-21).
    ///
    /// # Errors
    ///
    /// `bad_argument` where a reader would warn of what the tool returned, as for the builder of
    /// envelopes; an integer past 2^53 is no reason (see [`remark`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Json, author::{Returned, open}};
    ///
    /// let document = br#"{"tool":{"name":"now"},"context":{"action":"run"}}"#;
    /// let turn = open(document, &["now"]).turn().expect("a call of `now`");
    /// let answer = turn.finish(Returned::Value(Json::new("[12,30]")?))?;
    /// assert_eq!(
    ///     answer.to_json(),
    ///     r#"{"content":[],"structuredContent":{"result":[12,30]}}"#,
    /// );
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn finish(&self, returned: Returned) -> Result<Envelope, Error> {
        let mut envelope = Envelope {
            content: self.content.clone(),
            ..Envelope::default()
        };
        match returned {
            // The questions are the answer.
            _ if self.is_pending() => {}
            Returned::Nothing => {}
            Returned::Text(text) => envelope.content.push(text_block(text)),
            Returned::Blocks(blocks) => envelope.content.extend(blocks),
            Returned::Envelope(mut whole) => {
                envelope.content.append(&mut whole.content);
                whole.content = envelope.content;
                envelope = *whole;
            }
            value @ (Returned::Value(_) | Returned::Wrapped(_)) => {
                envelope.structured_content = value.structured();
            }
        }
        checked_envelope(envelope, &[])
    }

    /// The answer to a call that failed: what was emitted, and the error (AUTH-12). While a question is
    /// pending, the failure does not count (AUTH-21).
    ///
    /// ```
    /// use toolwire::author::{Failure, open};
    ///
    /// let document = br#"{"tool":{"name":"now"},"context":{"action":"run"}}"#;
    /// let turn = open(document, &["now"]).turn().expect("a call of `now`");
    /// assert_eq!(
    ///     turn.fail(Failure::new("the clock stands still")).to_json(),
    ///     r#"{"content":[{"text":"the clock stands still","type":"text"}],"isError":true}"#,
    /// );
    /// ```
    #[must_use]
    pub fn fail(&self, failure: Failure) -> Envelope {
        let mut content = self.content.clone();
        if self.is_pending() {
            return Envelope {
                content,
                ..Envelope::default()
            };
        }
        let mut envelope = failure.envelope();
        content.append(&mut envelope.content);
        Envelope {
            content,
            ..envelope
        }
    }

    /// The answer to `describe`: all tools, or the one that the call names (CALL-30, AUTH-50). `problems` says by its
    /// name why a tool can't be described; the others are all the same (CALL-36).
    ///
    /// # Errors
    ///
    /// `bad_description` at the first tool that a reader would refuse.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use toolwire::author::{open, read_tools};
    ///
    /// let tools = read_tools(r#"[{"name":"now"},{"name":"then"}]"#)?;
    /// let document = br#"{"tool":{"name":"then"},"context":{"action":"describe"}}"#;
    /// let turn = open(document, &["now", "then"]).turn().expect("a call");
    /// let answer = turn.describe(&tools, &BTreeMap::new())?.to_json();
    /// assert!(answer.contains("then") && !answer.contains("now"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn describe(
        &self,
        tools: &[ToolDescription],
        problems: &BTreeMap<String, String>,
    ) -> Result<Envelope, Error> {
        let name = self.call.name.as_deref();
        let is_asked = |other: &str| name.is_none_or(|name| name == other);
        let asked = tools.iter().filter(|tool| is_asked(&tool.name));
        let mut problems = problems.clone();
        problems.retain(|name, _| is_asked(name));
        describe_with(&asked.cloned().collect::<Vec<_>>(), &problems)
    }
}

fn question_block(id: &str, ask: &Ask) -> Result<QuestionBlock, Error> {
    let options = QuestionOptions {
        default: ask.default.clone(),
        url: ask.url.clone(),
        ..QuestionOptions::default()
    };
    crate::protocol::build::question_block(id, &ask.text, ask.schema.clone(), options)
}

/// With which status a tool's program ends: 1 if its answer is an error, else 0 (AUTH-43).
///
/// ```
/// use toolwire::{Envelope, author::exit_status};
///
/// assert_eq!(exit_status(&Envelope::from_json(r#"{"content":[],"isError":true}"#)?), 1);
/// assert_eq!(exit_status(&Envelope::default()), 0);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn exit_status(answer: &Envelope) -> u8 {
    u8::from(answer.is_error == Some(true))
}

/// What a program tells its author on stderr of the answer that it writes, a JSON text: that there is
/// an integer past 2^53 in it. Nothing, if there is nothing to tell.
///
/// ```
/// use toolwire::author::remark;
///
/// let answer = r#"{"content":[],"structuredContent":{"id":1234567890123456789}}"#;
/// assert_eq!(
///     remark(answer).as_deref(),
///     Some(
///         "the number `1234567890123456789` is past 2^53, at `/structuredContent/id`: write it as \
///          a string, since many readers lose digits"
///     ),
/// );
/// assert_eq!(remark(r#"{"content":[]}"#), None);
/// ```
#[must_use]
pub fn remark(answer: &str) -> Option<String> {
    let parsed = parse(answer.as_bytes(), &Limits::WIDEST);
    let mut found = parsed.diagnostics().iter();
    let big = found.find(|found| found.code == Code::BigInteger)?;
    Some(format!(
        "{}, at `{}`: write it as a string, since many readers lose digits",
        big.message, big.pointer
    ))
}

#[cfg(test)]
mod tests;
