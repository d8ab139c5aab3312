//! The state machine of one handle (SES-1 to SES-37).

use std::collections::{BTreeSet, VecDeque};

use super::buffer::Buffer;
use super::input::is_interrupt;
use super::pending::{PendingQuestion, Refused, refuse};
use super::reply::{End, Reply};
use super::{
    Applied, Checker, Effect, EndReason, Refusal, SessionEvent, SessionOutcome, SessionState,
    Timer, TurnPolicy,
};
use crate::block::{Question, QuestionBlock};
use crate::protocol::call::{Answer, AnswerSource, SessionAction};
use crate::protocol::event::Progress;
use crate::protocol::question::{SecretContext, SecretTier, find_secret};
use crate::{Block, Code, Error};

/// The longest id of a handle, in bytes.
const MAX_ID: usize = 128;

/// Whether a handle can have this id (SES-2); if not, what an id is.
pub(super) fn check_id(id: &str) -> Result<(), &'static str> {
    match id.is_empty() || id.len() > MAX_ID || id.chars().any(char::is_control) {
        true => Err("`id` is a string of 1 to 128 bytes without control characters"),
        false => Ok(()),
    }
}

/// What a handle is bound by.
///
/// ```
/// use toolwire::session::SessionMachineOptions;
///
/// assert_eq!(SessionMachineOptions::default().max_questions, 16);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionMachineOptions {
    /// The actions that the tool offers to a model.
    pub actions: BTreeSet<SessionAction>,
    /// Maximum number of blocks kept for a reader. Default: 10,000.
    pub max_blocks: usize,
    /// Maximum size of their JSON texts in bytes. Default: 1,048,576.
    pub max_bytes: usize,
    /// Maximum number of pending questions. Default: 16.
    pub max_questions: usize,
}

impl Default for SessionMachineOptions {
    fn default() -> Self {
        SessionMachineOptions {
            actions: BTreeSet::new(),
            max_blocks: 10_000,
            max_bytes: 1_048_576,
            max_questions: 16,
        }
    }
}

impl SessionMachineOptions {
    fn check(&self) -> Result<(), Error> {
        for (name, limit) in [
            ("maxBlocks", self.max_blocks),
            ("maxBytes", self.max_bytes),
            ("maxQuestions", self.max_questions),
        ] {
            if limit == 0 {
                let (pointer, message) = (format!("/{name}"), format!("`{name}` is at least 1"));
                return Err(Error::new(Code::BadOption, pointer, None, message));
            }
        }
        Ok(())
    }
}

/// One handle: its state, the questions that wait, and the unread blocks.
///
/// It does nothing by itself. [`SessionMachine::handle`] takes what happens and says what the host does now.
///
/// # Examples
///
/// ```
/// use toolwire::session::{NoQuestions, SessionEvent, SessionMachine, SessionMachineOptions, SessionState};
///
/// let mut machine = SessionMachine::new("check", SessionMachineOptions::default())?;
/// let mut tell = |text: &str| -> Result<_, toolwire::Error> {
///     Ok(machine.handle(SessionEvent::from_json(text)?, &NoQuestions))
/// };
/// tell(r#"{"event":"spawn","by":"user"}"#)?;
/// tell(r#"{"event":"output","blocks":[{"type":"text","text":"Checking toolwire"}]}"#)?;
/// let fetched = tell(r#"{"event":"fetch","by":"user"}"#)?;
/// assert_eq!(fetched.state, SessionState::Running);
/// assert!(fetched.to_json().contains("Checking toolwire"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SessionMachine {
    id: String,
    options: SessionMachineOptions,
    phase: Phase,
    buffer: Buffer,
    progress: Option<Progress>,
    /// Whether only a person may type, while the tool runs.
    gated: bool,
    /// Whether a fetch has reported how the handle ended.
    end_reported: bool,
}

#[derive(Debug, Clone)]
enum Phase {
    Absent,
    /// The questions that wait for an answer; the first is open.
    Live(VecDeque<PendingQuestion>),
    Ending(EndReason),
    Stopped(End),
}

/// What is done, or why it is not.
type Done = Result<Vec<Effect>, Refused>;

impl SessionMachine {
    /// A handle that is not spawned yet.
    ///
    /// # Errors
    ///
    /// `bad_argument` at `/id` if the id is empty, over 128 bytes, or has control characters; `bad_option` at a
    /// limit that is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::session::{SessionMachine, SessionMachineOptions, SessionState};
    ///
    /// let machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// assert_eq!(machine.state(), SessionState::Absent);
    /// assert!(SessionMachine::new("", SessionMachineOptions::default()).is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn new(id: &str, options: SessionMachineOptions) -> Result<Self, Error> {
        check_id(id).map_err(|message| Error::new(Code::BadArgument, "/id", None, message))?;
        options.check()?;
        let buffer = Buffer::new(options.max_blocks, options.max_bytes);
        Ok(SessionMachine {
            id: id.to_owned(),
            options,
            phase: Phase::Absent,
            buffer,
            progress: None,
            gated: false,
            end_reported: false,
        })
    }

    /// Binds the handle by other options from now on, for a host that spawns its id again with another tool. What
    /// is kept and the numbers of the blocks stay.
    ///
    /// # Errors
    ///
    /// `bad_option` at a limit that is zero. Nothing is changed then.
    ///
    /// ```
    /// use toolwire::call::{AnswerSource, SessionAction};
    /// use toolwire::session::{SessionMachine, SessionMachineOptions};
    ///
    /// let mut machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// let mut options = SessionMachineOptions::default();
    /// options.actions = [SessionAction::Spawn].into();
    /// machine.set_options(options)?;
    /// assert_eq!(machine.possible(AnswerSource::Assistant), [SessionAction::Spawn]);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn set_options(&mut self, options: SessionMachineOptions) -> Result<(), Error> {
        options.check()?;
        self.buffer.bound(options.max_blocks, options.max_bytes);
        self.options = options;
        Ok(())
    }

    /// The state it is in.
    ///
    /// ```
    /// use toolwire::session::{SessionMachine, SessionMachineOptions, SessionState};
    ///
    /// let machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// assert_eq!(machine.state(), SessionState::Absent);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> SessionState {
        match &self.phase {
            Phase::Absent => SessionState::Absent,
            Phase::Live(asked) if asked.is_empty() => SessionState::Running,
            Phase::Live(_) => SessionState::Waiting,
            Phase::Ending(_) => SessionState::Ending,
            Phase::Stopped(_) => SessionState::Stopped,
        }
    }

    /// The open question, while it waits.
    ///
    /// ```
    /// use toolwire::session::{SessionMachine, SessionMachineOptions};
    ///
    /// let machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// assert_eq!(machine.question(), None);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn question(&self) -> Option<&Question> {
        self.open().map(PendingQuestion::question)
    }

    /// The number of the last block that the tool has written; 0 if there is none.
    ///
    /// ```
    /// use toolwire::session::{SessionMachine, SessionMachineOptions};
    ///
    /// let machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// assert_eq!((machine.last_block(), machine.last_handed_over()), (0, 0));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn last_block(&self) -> u64 {
        self.buffer.last
    }

    /// The number of the last block that was ever handed over; 0 if there is none.
    ///
    /// ```
    /// use toolwire::session::{SessionMachine, SessionMachineOptions};
    ///
    /// let machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// assert!(machine.last_handed_over() <= machine.last_block());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn last_handed_over(&self) -> u64 {
        self.buffer.handed
    }

    /// Drops the blocks before the last `bytes` bytes, as if there were room for no more (SES-43).
    ///
    /// ```
    /// use toolwire::session::{SessionMachine, SessionMachineOptions};
    ///
    /// let mut machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// machine.drop_but(65_536);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn drop_but(&mut self, bytes: usize) {
        self.buffer.drop_but(bytes);
    }

    /// The number of the last block that counts as delivered (SES-41), because it was acknowledged, or handed over
    /// by a fetch without `after`; 0 if there is none.
    ///
    /// ```
    /// use toolwire::session::{SessionMachine, SessionMachineOptions};
    ///
    /// let machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// assert!(machine.last_delivered() <= machine.last_handed_over());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn last_delivered(&self) -> u64 {
        self.buffer.delivered
    }

    fn open(&self) -> Option<&PendingQuestion> {
        match &self.phase {
            Phase::Live(asked) => asked.front(),
            _ => None,
        }
    }

    /// The actions that a caller can use now (SES-5).
    ///
    /// ```
    /// use toolwire::call::{AnswerSource, SessionAction};
    /// use toolwire::session::{SessionMachine, SessionMachineOptions};
    ///
    /// let machine = SessionMachine::new("staging", SessionMachineOptions::default())?;
    /// assert_eq!(machine.possible(AnswerSource::User), [SessionAction::Spawn]);
    /// assert_eq!(machine.possible(AnswerSource::Assistant), []);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn possible(&self, by: AnswerSource) -> Vec<SessionAction> {
        use SessionAction::{Abort, Apply, Fetch, Spawn};
        let legal: &[SessionAction] = match &self.phase {
            Phase::Absent => &[Spawn],
            Phase::Live(asked) => match asked.front() {
                Some(open) if open.person && by != AnswerSource::User => &[Fetch, Abort],
                None if self.gated && by != AnswerSource::User => &[Fetch, Abort],
                _ => &[Fetch, Apply, Abort],
            },
            Phase::Ending(_) => &[Fetch],
            Phase::Stopped(_) if self.is_fetched() => &[Spawn, Fetch],
            Phase::Stopped(_) => &[Fetch],
        };
        let offered = |action: &SessionAction| self.offers(*action, by);
        legal.iter().copied().filter(offered).collect()
    }

    /// Whether a caller may use an action (SES-23). A host may do what a model may not, but a tool that takes no
    /// input has none for anybody.
    fn offers(&self, action: SessionAction, by: AnswerSource) -> bool {
        let declared = self.options.actions.contains(&action);
        match (action, by) {
            (_, AnswerSource::Assistant) => declared,
            (SessionAction::Apply, _) => declared || self.open().is_some(),
            _ => true,
        }
    }

    /// Whether a stopped handle has nothing left to say.
    fn is_fetched(&self) -> bool {
        self.end_reported && !self.buffer.has_news()
    }

    /// Takes what happens, and says what is to be done now. What is refused changes nothing, except that a tool
    /// learns that its question will not be answered.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::call::AnswerSource;
    /// use toolwire::session::{Effect, NoQuestions, SessionEvent, SessionMachine, SessionMachineOptions};
    ///
    /// let mut machine = SessionMachine::new("check", SessionMachineOptions::default())?;
    /// let spawn = SessionEvent::Spawn { by: AnswerSource::User };
    /// assert_eq!(machine.handle(spawn.clone(), &NoQuestions).effects, [Effect::Start]);
    /// let refusal = machine.handle(spawn, &NoQuestions).refusal.unwrap();
    /// assert_eq!(refusal.code, Code::HandleExists);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn handle(&mut self, event: SessionEvent, checker: &dyn Checker) -> SessionOutcome {
        let by = match &event {
            SessionEvent::Spawn { by }
            | SessionEvent::Fetch { by, .. }
            | SessionEvent::Apply { by, .. }
            | SessionEvent::Abort { by } => *by,
            // What is possible then is said to the host.
            _ => AnswerSource::Policy,
        };
        let (effects, refusal) = match self.step(event, checker) {
            Ok(effects) => (effects, None),
            Err(refused) => {
                let refusal = Refusal {
                    code: refused.code,
                    message: refused.message,
                    possible: self.possible(by),
                    mismatches: refused.mismatches,
                };
                (refused.effects, Some(refusal))
            }
        };
        SessionOutcome {
            state: self.state(),
            effects,
            refusal,
        }
    }

    fn step(&mut self, event: SessionEvent, checker: &dyn Checker) -> Done {
        match event {
            SessionEvent::Spawn { by } => self.spawn(by),
            SessionEvent::Fetch {
                by,
                after,
                max_bytes,
            } => self.fetch(by, after, max_bytes),
            SessionEvent::Apply { by, what, question } => {
                self.apply(by, what, question.as_deref(), checker)
            }
            SessionEvent::Abort { by } => {
                self.may(SessionAction::Abort, by)?;
                self.must_exist()?;
                Ok(self.end(EndReason::Aborted))
            }
            SessionEvent::Output { blocks, pieces } => {
                self.must_go_on()?;
                for block in blocks {
                    match pieces {
                        true => self.buffer.push_piece(block),
                        false => self.buffer.push(block),
                    }
                }
                Ok(Vec::new())
            }
            SessionEvent::Progress(progress) => {
                self.must_go_on()?;
                self.progress = Some(progress);
                Ok(Vec::new())
            }
            SessionEvent::Question {
                question,
                context,
                person,
            } => {
                self.must_go_on()?;
                self.ask(
                    question,
                    &context.iter().map(String::as_str).collect(),
                    person,
                    checker,
                )
            }
            SessionEvent::Gate { person } => {
                self.must_go_on()?;
                // What is about to end takes no input from anybody.
                self.gated = person && matches!(self.phase, Phase::Live(_));
                Ok(Vec::new())
            }
            SessionEvent::Exit { status } => Ok(self.stop(EndReason::Exited, Some(status), None)),
            SessionEvent::Crash { message } => {
                Ok(self.stop(EndReason::Crashed, None, Some(message)))
            }
            SessionEvent::Timeout { of: Timer::Session } => Ok(self.end(EndReason::TimedOut)),
            SessionEvent::Timeout { of: Timer::Idle } => match self.state() {
                // That clock stands still while a question is open.
                SessionState::Waiting => Ok(Vec::new()),
                _ => Ok(self.end(EndReason::Idle)),
            },
            SessionEvent::EndOfTurn { policy } => Ok(match (policy, &self.phase) {
                (TurnPolicy::Abort, _) => self.end(EndReason::TurnEnded),
                (TurnPolicy::Wait, Phase::Live(_)) => vec![Effect::Wait],
                (TurnPolicy::Ask, Phase::Live(_)) => vec![Effect::Ask],
                _ => Vec::new(),
            }),
            SessionEvent::HostExit => Ok(self.end(EndReason::HostEnded)),
            SessionEvent::Expire => Ok(self.expire()),
        }
    }

    fn may(&self, action: SessionAction, by: AnswerSource) -> Result<(), Refused> {
        match self.offers(action, by) {
            true => Ok(()),
            false => refuse(
                Code::ActionNotOffered,
                format!("this tool does not offer `{action}`"),
            ),
        }
    }

    fn must_exist(&self) -> Result<(), Refused> {
        match self.phase {
            Phase::Absent => refuse(
                Code::UnknownHandle,
                format!("there is no handle `{}`", self.id),
            ),
            _ => Ok(()),
        }
    }

    fn must_go_on(&self) -> Result<(), Refused> {
        self.must_exist()?;
        match self.phase {
            Phase::Stopped(_) => refuse(Code::HandleStopped, format!("`{}` has stopped", self.id)),
            _ => Ok(()),
        }
    }

    fn spawn(&mut self, by: AnswerSource) -> Done {
        self.may(SessionAction::Spawn, by)?;
        match &self.phase {
            Phase::Absent => {}
            Phase::Stopped(_) if self.is_fetched() => {}
            Phase::Stopped(_) => {
                let message = format!("`{}` has stopped, and nobody has fetched how", self.id);
                return refuse(Code::HandleExists, message);
            }
            _ => return refuse(Code::HandleExists, format!("`{}` is in use", self.id)),
        }
        self.phase = Phase::Live(VecDeque::new());
        self.buffer.release();
        self.progress = None;
        self.gated = false;
        self.end_reported = false;
        Ok(vec![Effect::Start])
    }

    fn fetch(&mut self, by: AnswerSource, after: Option<u64>, max_bytes: Option<usize>) -> Done {
        self.may(SessionAction::Fetch, by)?;
        self.must_exist()?;
        let last = self.buffer.last;
        if after.is_some_and(|number| number > last) {
            let message = format!("`after` is at most {last}, the number of the last block");
            return refuse(Code::BadArgument, message);
        }
        let batch = self.buffer.fetch(after, max_bytes);
        let is_all = batch.left.is_none();
        let question = self
            .open()
            .map(|asked| Block::Question(asked.block.clone()));
        let end = match &self.phase {
            Phase::Stopped(end) => Some(end),
            _ => None,
        };
        let reply = Reply {
            id: &self.id,
            state: self.state(),
            batch,
            question: question.as_ref(),
            progress: self.progress.as_ref(),
            gated: self.gated && matches!(self.phase, Phase::Live(_)),
            end,
            end_reported: self.end_reported,
        };
        let envelope = reply.envelope();
        // Until everything is handed over, nothing says that it was all.
        self.end_reported = end.is_some() && (is_all || self.end_reported);
        Ok(vec![Effect::Reply { envelope }])
    }

    fn apply(
        &mut self,
        by: AnswerSource,
        what: Applied,
        meant: Option<&str>,
        checker: &dyn Checker,
    ) -> Done {
        self.may(SessionAction::Apply, by)?;
        self.must_go_on()?;
        let Phase::Live(asked) = &mut self.phase else {
            return refuse(
                Code::HandleStopped,
                format!("`{}` is about to stop", self.id),
            );
        };
        let open = asked.front();
        if meant.is_some() && meant != open.map(|open| open.question().id.as_str()) {
            return refuse(Code::NoQuestion, "the question that is meant is not open");
        }
        let Some(open) = open else {
            return match what {
                Applied::Input(value)
                    if self.gated && by != AnswerSource::User && !is_interrupt(&value) =>
                {
                    refuse(
                        Code::PersonOnly,
                        "only a person may type now; nobody else can press a key but ctrl-c",
                    )
                }
                Applied::Input(value) => {
                    self.buffer.close();
                    Ok(vec![Effect::Input { value }])
                }
                Applied::Answer(_) => refuse(Code::NoQuestion, "no question is open"),
            };
        };
        let answer = match what {
            Applied::Input(value) => Answer::accepted(value, by),
            Applied::Answer(answer) => answer,
        };
        open.take(by, &answer, checker)?;
        let id = open.question().id.clone();
        asked.pop_front();
        self.buffer.close();
        let mut effects = vec![Effect::Answer { id, answer }];
        effects.extend(asked.front().map(PendingQuestion::open));
        Ok(effects)
    }

    fn ask(
        &mut self,
        question: Question,
        context: &SecretContext<'_>,
        person: bool,
        checker: &dyn Checker,
    ) -> Done {
        let id = question.id.clone();
        let answer = |answer: Answer| Effect::Answer {
            id: id.clone(),
            answer,
        };
        // The tool must know that there will be no answer.
        let never = |code, message: String| {
            Err(Refused {
                code,
                message,
                mismatches: Vec::new(),
                effects: vec![answer(Answer::unavailable(AnswerSource::Policy))],
            })
        };
        let Phase::Live(asked) = &mut self.phase else {
            return Ok(vec![answer(Answer::cancelled(AnswerSource::Policy))]);
        };
        let secret = find_secret(&question, context).map(|secret| secret.tier);
        if secret == Some(SecretTier::Declared) {
            return never(Code::SecretQuestion, format!("`{id}` asks for a secret"));
        }
        if asked.iter().any(|other| other.question().id == id) {
            // Its tool waits for one answer, which it will get.
            return refuse(
                Code::DuplicateQuestionId,
                format!("`{id}` is asked already"),
            );
        }
        if asked.len() >= self.options.max_questions {
            return never(
                Code::OverBudget,
                "too many questions wait for an answer".to_owned(),
            );
        }
        if question.url.is_none()
            && let Err(error) = checker.question(&question)
        {
            return never(error.code(), error.message().to_owned());
        }
        let new = PendingQuestion {
            person: person || secret.is_some() || question.url.is_some(),
            block: QuestionBlock {
                annotations: None,
                meta: None,
                question,
                extra: Default::default(),
            },
        };
        let effects = asked.is_empty().then(|| new.open());
        asked.push_back(new);
        Ok(effects.into_iter().collect())
    }

    /// Tells the tool to end. What is ending or has stopped goes on doing so.
    fn end(&mut self, reason: EndReason) -> Vec<Effect> {
        let Phase::Live(asked) = &self.phase else {
            return Vec::new();
        };
        let mut effects: Vec<Effect> = asked.iter().map(PendingQuestion::withdraw).collect();
        effects.extend(asked.iter().map(|asked| Effect::Answer {
            id: asked.question().id.clone(),
            answer: Answer::cancelled(AnswerSource::Policy),
        }));
        effects.push(Effect::End { reason });
        self.phase = Phase::Ending(reason);
        effects
    }

    /// The tool has ended. If it was asked to, that is why.
    fn stop(
        &mut self,
        reason: EndReason,
        status: Option<i64>,
        message: Option<String>,
    ) -> Vec<Effect> {
        let (mut effects, reason, message) = match &self.phase {
            Phase::Live(asked) => (
                asked.iter().map(PendingQuestion::withdraw).collect(),
                reason,
                message,
            ),
            Phase::Ending(why) => (Vec::new(), *why, None),
            Phase::Absent | Phase::Stopped(_) => return Vec::new(),
        };
        effects.push(Effect::Stop { reason });
        self.phase = Phase::Stopped(End {
            reason,
            status,
            message,
        });
        effects
    }

    fn expire(&mut self) -> Vec<Effect> {
        match self.phase {
            Phase::Stopped(_) => {
                self.phase = Phase::Absent;
                let dropped = self.buffer.clear();
                vec![Effect::Forget { dropped }]
            }
            _ => Vec::new(),
        }
    }
}
