//! The questions of a call, without I/O (Q-27 to Q-29, Q-35, Q-50 to Q-58, Q-87).

mod alternatives;
mod ending;
mod fate;
mod open;
mod options;
mod pages;
mod pending;
mod secrets;
mod single;
mod suspended;

pub use alternatives::Alternatives;
pub(crate) use ending::brief;
pub use ending::{End, ExchangeOutcome};
pub use open::QuestionContext;
pub use options::{ExchangeOptions, Unanswered, Who};
pub use pending::PendingQuestion;
pub(crate) use single::{Plan, plan};
pub use suspended::{Settled, Standing, Suspended};

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use ending::{Ended, Ending};
use fate::Fate;
use open::{OpenQuestion, Questions};
use pages::Form;
use toolwire::block::Question;
use toolwire::call::{Action, Answer, AnswerSource, AnswerState, Call};
use toolwire::{Code, Diagnostic, Error, Parsed};

use crate::{Allowance, CheckError, Mismatch, check_answer_within};

/// What to do next in an exchange.
///
/// ```
/// use toolwire::{Json, call::Call};
/// use toolwire_host::{Exchange, ExchangeOptions, Step};
///
/// let exchange = Exchange::new(Call::new("now", Json::new("{}")?), ExchangeOptions::default());
/// assert!(matches!(exchange.step(), Step::Call(document) if document.contains("\"now\"")));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Call the tool with this call document, and pass its answer to [`Exchange::handle_result`].
    Call(String),
    /// Get an answer, and pass it to [`Exchange::handle_answer`].
    Ask(Box<PendingQuestion>),
    /// There is a result: call [`Exchange::finish`].
    Done,
}

/// The loop of a call and its questions, without I/O: it says what to do next, and takes the results. It works
/// with anything that runs the tool and anybody who answers.
///
/// A tool asks by putting questions into its answer. It is called again with all answers so far, until its
/// answer holds no question. Answers are validated against the question's schema before the tool gets them.
///
/// # Examples
///
/// ```
/// use toolwire::call::{Answer, AnswerSource, AnswerState, Call};
/// use toolwire::{Json, Limits, parse};
/// use toolwire_host::{Exchange, ExchangeOptions, Step};
///
/// let mut exchange = Exchange::new(Call::new("rename", Json::new("{}")?), ExchangeOptions::default());
/// let asks = br#"{"content":[{"type":"question","question":{"id":"ok","text":"Rename?","schema":{"type":"boolean"}}}]}"#;
/// exchange.handle_result(parse(&asks[..], &Limits::default()));
///
/// let wrong = Answer::accepted(Json::from("yes"), AnswerSource::User);
/// assert_eq!(exchange.handle_answer("ok", wrong).unwrap_err()[0].message, "the value must be true or false, not `\"yes\"`");
/// exchange.handle_answer("ok", Answer::accepted(Json::from(true), AnswerSource::User)).unwrap();
///
/// let Step::Call(again) = exchange.step() else { panic!() };
/// assert!(again.contains(r#""answers":{"ok":true}"#));
/// exchange.handle_result(parse(&b"Renamed."[..], &Limits::default()));
/// assert_eq!(exchange.step(), Step::Done);
/// let exchanged = exchange.finish();
/// assert!(exchanged.parsed.meta().unwrap().get("dev.toolwire/answers").is_some());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug)]
pub struct Exchange {
    call: Call,
    options: ExchangeOptions,
    /// Whether questions of the tool are asked at all.
    asks: bool,
    state: State,
    rounds: usize,
    /// Answers that came with the call, until their questions are asked (Q-87).
    came: BTreeMap<String, Answer>,
    /// The schemas of the questions whose answers are in the call.
    schemas: BTreeMap<String, Form>,
    diagnostics: Vec<Diagnostic>,
    /// What the judging of one answer, or of one try, may cost.
    allowance: Allowance,
    /// The questions whose answers may be secrets.
    suspected: BTreeSet<String>,
}

#[derive(Debug)]
enum State {
    /// The tool is to be called.
    Calling,
    /// A question waits for its answer.
    PendingQuestion(Box<Waiting>),
    Done(Ended),
}

/// A question that is asked, and those of the same answer that come after it.
#[derive(Debug)]
struct Waiting {
    /// The tool's answer.
    parsed: Parsed<'static>,
    /// The questions behind the one that is asked.
    questions: Questions,
    asking: PendingQuestion,
    tries: usize,
}

impl Exchange {
    /// An exchange that starts with this call. Answers that the call already has, for example because it is
    /// resumed, are held back until the tool asks for them, so that they are validated like any other (Q-87).
    /// The tool is first called without them.
    ///
    /// ```
    /// use toolwire::{Json, call::Call};
    /// use toolwire_host::{Exchange, ExchangeOptions, Step};
    ///
    /// let exchange = Exchange::new(Call::new("now", Json::new("{}")?), ExchangeOptions::default());
    /// assert!(matches!(exchange.step(), Step::Call(_)));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn new(mut call: Call, options: ExchangeOptions) -> Self {
        Exchange {
            came: std::mem::take(&mut call.answers),
            asks: call.action == Action::Run,
            call,
            allowance: Allowance::new(options.budget),
            options,
            state: State::Calling,
            rounds: 0,
            schemas: BTreeMap::new(),
            diagnostics: Vec::new(),
            suspected: BTreeSet::new(),
        }
    }

    /// Leaves the tool's questions in its result, since the tool could not be given an answer.
    pub(crate) fn ask_nothing(&mut self) {
        self.asks = false;
    }

    /// Gives up judging as soon as the function says so (Q-110).
    pub(crate) fn interrupt_with(&mut self, interrupt: Arc<dyn Fn() -> bool + Send + Sync>) {
        self.allowance = self.allowance.clone().with_interrupt(interrupt);
    }

    /// What to do next. Calling this again returns the same step.
    ///
    /// ```
    /// use toolwire::{Json, Limits, call::Call, parse};
    /// use toolwire_host::{Exchange, ExchangeOptions, Step};
    ///
    /// let mut exchange = Exchange::new(Call::new("now", Json::new("{}")?), ExchangeOptions::default());
    /// assert_eq!(exchange.step(), exchange.step());
    /// exchange.handle_result(parse(&b"12:00"[..], &Limits::default()));
    /// assert_eq!(exchange.step(), Step::Done);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn step(&self) -> Step {
        match &self.state {
            State::Calling => Step::Call(self.call.to_json()),
            State::PendingQuestion(waiting) => Step::Ask(Box::new(waiting.asking.clone())),
            State::Done(_) => Step::Done,
        }
    }

    /// Takes the tool's answer to the call of [`Step::Call`]. At any other step it is ignored.
    ///
    /// ```
    /// use toolwire::{Json, Limits, call::Call, parse};
    /// use toolwire_host::{Exchange, ExchangeOptions, Step};
    ///
    /// let mut exchange = Exchange::new(Call::new("now", Json::new("{}")?), ExchangeOptions::default());
    /// exchange.handle_result(parse(&b"12:00"[..], &Limits::default()));
    /// exchange.handle_result(parse(&b"13:00"[..], &Limits::default()));
    /// assert_eq!(exchange.finish().parsed.raw(), b"12:00");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn handle_result(&mut self, parsed: Parsed<'static>) {
        if !matches!(self.state, State::Calling) {
            return;
        }
        self.rounds += 1;
        let asks = self.asks
            && !parsed.is_error()
            && parsed.blocks().any(|block| block.question().is_some());
        if !asks {
            let end = End::Answered;
            self.state = State::Done(Ended { parsed, end });
            return;
        }
        let mut allowance = self.allowance.clone();
        let questions = Questions::of(parsed.to_envelope().content, &mut allowance);
        let mut questions = match questions {
            Ok(questions) => questions,
            Err(id) => {
                let tool = ending::named(&self.call);
                let sentence = format!("{tool} asked two different questions with the id `{id}`");
                let ending = Ending::new(End::Ambiguous(id), sentence);
                self.state = State::Done(ending.after(Some(&parsed)));
                return;
            }
        };
        if let Some(ending) = self.refused(&mut questions, &mut allowance) {
            self.state = State::Done(ending.after(Some(&parsed)));
            return;
        }
        for open in &questions.open {
            self.call.answers.remove(&open.question.id);
        }
        self.go_on(parsed, questions);
    }

    /// Takes the answer to the question of [`Step::Ask`]. If the answer is `cancelled`, the later questions of
    /// this answer of the tool are cancelled too (Q-54).
    ///
    /// # Errors
    ///
    /// The mismatches, if the value does not fit. The question is then still pending, and its next
    /// [`PendingQuestion`] has the same mismatches. After the last try ([`ExchangeOptions::max_tries`]) it is
    /// unavailable. If no question with this id is pending, there is one mismatch at the whole value.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::call::{Answer, AnswerSource, AnswerState, Call};
    /// use toolwire::{Json, Limits, parse};
    /// use toolwire_host::{Exchange, ExchangeOptions};
    ///
    /// let mut exchange = Exchange::new(Call::new("rename", Json::new("{}")?), ExchangeOptions::default());
    /// let asks = br#"{"content":[{"type":"question","question":{"id":"ok","text":"?","schema":{}}}]}"#;
    /// exchange.handle_result(parse(&asks[..], &Limits::default()));
    /// let no = Answer::declined(AnswerSource::User);
    /// assert!(exchange.handle_answer("name", no.clone()).is_err());
    /// assert!(exchange.handle_answer("ok", no).is_ok());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn handle_answer(&mut self, id: &str, answer: Answer) -> Result<(), Vec<Mismatch>> {
        let State::PendingQuestion(waiting) = &mut self.state else {
            return Err(nothing_open(id));
        };
        if waiting.asking.question.id != id {
            return Err(nothing_open(id));
        }
        if let Some(secret) = &waiting.asking.secret
            && !secrets::is_taken(&answer, secret)
        {
            let told = secrets::not_asked(&waiting.asking.question, secret);
            self.diagnostics.extend(told);
            self.settle(Answer::unavailable(AnswerSource::Policy));
            return Ok(());
        }
        if waiting.asking.who == Some(Who::User) && answer.source() == Some(AnswerSource::Assistant)
        {
            self.settle(Answer::unavailable(AnswerSource::Policy));
            return Ok(());
        }
        let question = &waiting.asking.question;
        if pages::lacks_consent(question, &answer) {
            self.diagnostics.extend(pages::no_consent(question));
            self.settle(Answer::unavailable(AnswerSource::Policy));
            return Ok(());
        }
        let checked = match answer.value() {
            // Each try has a budget of its own, so that a long dialogue can't use it up.
            Some(value) => {
                let mut allowance = self.allowance.clone();
                check_answer_within(question, value, &mut allowance)
            }
            None if pages::fits(question, &answer) => Ok(()),
            None => {
                let message = "the question has no page that could be opened";
                Err(CheckError::Mismatches(vec![whole(message)]))
            }
        };
        let mismatches = match checked {
            Ok(()) => {
                self.settle(answer);
                return Ok(());
            }
            Err(CheckError::Mismatches(found)) => found,
            Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
                vec![whole(error.message())]
            }
        };
        let mismatches = match waiting.asking.secret {
            // Messages for people quote the value.
            Some(_) => vec![whole("the answer does not fit the schema")],
            None => mismatches,
        };
        let source = answer.source().unwrap_or(AnswerSource::Policy);
        self.diagnostics.extend(mismatches.iter().flat_map(|found| {
            let message = format!(
                "the answer to `{id}` from the source `{}` does not fit: {}",
                source.as_str(),
                found.message
            );
            let error = Error::new(Code::AnswerMismatch, &*found.pointer, None, message);
            error.diagnostics().to_vec()
        }));
        waiting.tries += 1;
        waiting.asking.mismatches.clone_from(&mismatches);
        if waiting.tries >= self.options.max_tries.max(1) {
            self.settle(Answer::unavailable(source));
        }
        Err(mismatches)
    }

    /// Ends the call because nobody is there to answer the question of [`Step::Ask`], as
    /// [`Unanswered::Fail`] does for every question (Q-53). At any other step this does nothing.
    ///
    /// ```
    /// use toolwire::{Json, Limits, call::Call, parse};
    /// use toolwire_host::{End, Exchange, ExchangeOptions, Step};
    ///
    /// let mut exchange = Exchange::new(Call::new("rename", Json::new("{}")?), ExchangeOptions::default());
    /// let asks = br#"{"content":[{"type":"question","question":{"id":"ok","text":"?","schema":{}}}]}"#;
    /// exchange.handle_result(parse(&asks[..], &Limits::default()));
    /// exchange.fail();
    /// assert_eq!(exchange.step(), Step::Done);
    /// assert_eq!(exchange.finish().end, End::Unanswered("ok".into()));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn fail(&mut self) {
        if let State::PendingQuestion(waiting) = &self.state {
            let ending = Ending::unanswered(&self.call, &waiting.asking.question);
            self.state = State::Done(ending.after(Some(&waiting.parsed)));
        }
    }

    /// The result. If there is none yet, the call is cancelled, and the result is an error that says so.
    ///
    /// ```
    /// use toolwire::{Json, call::Call};
    /// use toolwire_host::{End, Exchange, ExchangeOptions};
    ///
    /// let exchange = Exchange::new(Call::new("now", Json::new("{}")?), ExchangeOptions::default());
    /// let exchanged = exchange.finish();
    /// assert!(exchanged.end == End::Cancelled && exchanged.parsed.is_error());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn finish(self) -> ExchangeOutcome {
        let Ended { parsed, end } = match self.state {
            State::Done(ended) => ended,
            State::PendingQuestion(waiting) => {
                let id = &waiting.asking.question.id;
                let sentence = format!("the call was cancelled while `{id}` waited for an answer");
                Ending::new(End::Cancelled, sentence).after(Some(&waiting.parsed))
            }
            State::Calling => {
                Ending::new(End::Cancelled, "the call was cancelled".to_owned()).after(None)
            }
        };
        ExchangeOutcome {
            parsed: parsed.with_answers(&self.call.answers),
            answers: secrets::without_values(self.call.answers, &self.suspected),
            rounds: self.rounds,
            end,
            diagnostics: self.diagnostics,
        }
    }

    /// Settles one open question after the other, until one has to be asked or none is left.
    fn go_on(&mut self, parsed: Parsed<'static>, mut questions: Questions) {
        while let Some(open) = questions.open.pop_front() {
            match self.fate(&open, &questions) {
                Fate::Answered(answer) => self.record(open.question, answer),
                Fate::Ends(ending) => {
                    self.state = State::Done(ending.after(Some(&parsed)));
                    return;
                }
                Fate::Asked(mut asking) => {
                    asking.later_pages = questions.pages();
                    self.state = State::PendingQuestion(Box::new(Waiting {
                        parsed,
                        questions,
                        asking: *asking,
                        tries: 0,
                    }));
                    return;
                }
            }
        }
        self.state = State::Calling;
    }

    /// The open question has its answer.
    fn settle(&mut self, answer: Answer) {
        let state = std::mem::replace(&mut self.state, State::Calling);
        let State::PendingQuestion(waiting) = state else {
            self.state = state;
            return;
        };
        let Waiting {
            parsed,
            mut questions,
            asking,
            ..
        } = *waiting;
        if answer.state() == AnswerState::Cancelled {
            // Whoever leaves does not want to be asked the next one either. A question that would
            // not have been asked is not theirs to cancel.
            let (asked, others): (VecDeque<OpenQuestion>, _) = std::mem::take(&mut questions.open)
                .into_iter()
                .partition(OpenQuestion::is_asked);
            questions.open = others;
            for open in asked {
                self.record(open.question, answer.clone());
            }
        }
        let suspected = asking.secret.map(|_| asking.question.id.clone());
        self.record(asking.question, answer);
        self.suspected.extend(suspected);
        self.go_on(parsed, questions);
    }

    fn record(&mut self, question: Question, answer: Answer) {
        self.suspected.remove(&question.id);
        self.call.answers.insert(question.id.clone(), answer);
        self.schemas
            .insert(question.id.clone(), Form::of(&question));
    }
}

fn nothing_open(id: &str) -> Vec<Mismatch> {
    vec![whole(&format!("no question `{id}` waits for an answer"))]
}

fn whole(message: &str) -> Mismatch {
    Mismatch {
        pointer: String::new(),
        message: message.to_owned(),
    }
}
