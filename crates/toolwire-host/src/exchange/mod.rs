//! The questions of a call, without I/O (Q-27 to Q-29, Q-35, Q-50 to Q-58, Q-87).

mod alternatives;
mod ending;
mod open;
mod options;
mod pages;
mod pending;
mod secrets;
mod suspended;

pub use alternatives::Alternatives;
pub(crate) use ending::brief;
pub use ending::{End, ExchangeOutcome};
pub use open::QuestionContext;
pub use options::{ExchangeOptions, Unanswered, Who};
pub use pending::PendingQuestion;
pub use suspended::{Settled, Standing, Suspended};

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use ending::{Ended, Ending};
use open::{OpenQuestion, Questions};
use pages::Form;
use toolwire::block::Question;
use toolwire::call::{Action, Answer, AnswerSource, AnswerState, Call};
use toolwire::question::{RefusalOptions, Secret, prompt, warning};
use toolwire::{Code, Diagnostic, Error, Json, Parsed};

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

/// What becomes of a question.
enum Fate {
    Answered(Answer),
    Asked(Box<PendingQuestion>),
    Ends(Ending),
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

    /// An exchange that goes on where another one stopped ([`Exchange::suspend`]): the tool is called with
    /// all answers of the standing, and no earlier round is repeated (Q-87).
    ///
    /// The standing must come from where nobody else can change it. Answers in the call itself are held
    /// back, as [`Exchange::new`] does.
    ///
    /// ```
    /// use toolwire::{Json, call::{Answer, AnswerSource, Call}};
    /// use toolwire_host::{Exchange, ExchangeOptions, Settled, Standing, Step};
    ///
    /// let mut standing = Standing { rounds: 1, ..Standing::default() };
    /// let (answer, schema) = (Answer::accepted(Json::from(true), AnswerSource::User), Some(Json::new("{}")?));
    /// standing.answers.insert("ok".into(), Settled { answer, schema, suspected: false });
    /// let call = Call::new("rename", Json::new("{}")?);
    /// let exchange = Exchange::resume(call, standing, ExchangeOptions::default());
    /// assert!(matches!(exchange.step(), Step::Call(text) if text.contains(r#""answers":{"ok":true}"#)));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn resume(call: Call, standing: Standing, options: ExchangeOptions) -> Self {
        let mut exchange = Exchange::new(call, options);
        exchange.rounds = standing.rounds;
        for (id, settled) in standing.answers {
            if settled.suspected {
                exchange.suspected.insert(id.clone());
            }
            exchange
                .schemas
                .insert(id.clone(), Form::from(settled.schema));
            exchange.call.answers.insert(id, settled.answer);
        }
        exchange
    }

    /// Stops at the open questions, so that all of them can be asked at once and the call goes on later.
    /// Those that nobody is asked are settled first. Nothing if no question is open, or if one of them
    /// ends the call; [`Exchange::finish`] then has the result.
    ///
    /// ```
    /// use toolwire::{Json, Limits, call::Call, parse};
    /// use toolwire_host::{Exchange, ExchangeOptions};
    ///
    /// let mut exchange = Exchange::new(Call::new("rename", Json::new("{}")?), ExchangeOptions::default());
    /// let asks = br#"{"content":[{"type":"question","question":{"id":"ok","text":"?","schema":{}}},
    ///     {"type":"question","question":{"id":"name","text":"?","schema":{}}}]}"#;
    /// exchange.handle_result(parse(&asks[..], &Limits::default()));
    /// let suspended = exchange.suspend().unwrap();
    /// assert_eq!(suspended.questions.len(), 2);
    /// assert_eq!(suspended.standing.rounds, 1);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn suspend(&mut self) -> Option<Suspended> {
        let state = std::mem::replace(&mut self.state, State::Calling);
        let State::PendingQuestion(mut waiting) = state else {
            self.state = state;
            return None;
        };
        let mut questions = vec![waiting.asking.clone()];
        while let Some(open) = waiting.questions.open.pop_front() {
            match self.fate(&open, &waiting.questions) {
                Fate::Answered(answer) => self.record(open.question, answer),
                Fate::Asked(asking) => questions.push(*asking),
                Fate::Ends(ending) => {
                    self.state = State::Done(ending.after(Some(&waiting.parsed)));
                    return None;
                }
            }
        }
        self.state = State::PendingQuestion(waiting);
        let settled = self.call.answers.iter().filter_map(|(id, answer)| {
            let settled = Settled {
                answer: answer.clone(),
                schema: self.schemas.get(id)?.schema(),
                suspected: self.suspected.contains(id),
            };
            Some((id.clone(), settled))
        });
        let standing = Standing {
            rounds: self.rounds,
            answers: settled.collect(),
        };
        Some(Suspended {
            questions,
            standing,
        })
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
                let ending = Ending::new(End::Ambiguous { id }, sentence);
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
            && !secrets::is_taken(&answer)
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
            // What people are told of a value quotes it.
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
    /// assert_eq!(exchange.finish().end, End::Unanswered { id: "ok".into() });
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

    /// Why these questions are not to be asked, if they are not. All are judged, within one budget.
    fn refused(&self, questions: &mut Questions, allowance: &mut Allowance) -> Option<Ending> {
        let tool = ending::named(&self.call);
        for open in &mut questions.open {
            open.judge(allowance);
            if let Some(bad) = open.bad() {
                let (id, place, why) = (open.question.id.clone(), &bad.pointer, &bad.message);
                let sentence = format!("{tool} asked `{id}`, but at `{place}` {why}");
                return Some(Ending::new(End::BadQuestion { id }, sentence));
            }
        }
        for open in &questions.open {
            let question = &open.question;
            let Some(answer) = self.answer_to(question) else {
                continue;
            };
            // The tool has looked, and what it waits for is not there yet (Q-155).
            if answer.state() == AnswerState::Opened {
                continue;
            }
            let id = question.id.clone();
            return Some(if answer.state() == AnswerState::Accepted {
                let sentence = format!("{tool} asked `{id}` again, which has been answered");
                Ending::new(End::Repeated { id }, sentence)
            } else {
                let secret = open.secret.as_ref();
                Ending::answer_required(&self.call, &self.options, question, secret, answer.state())
            });
        }
        let first = &questions.open.front()?.question;
        (self.rounds >= self.options.max_rounds.max(1)).then(|| {
            let (id, rounds) = (first.id.clone(), self.rounds);
            let times = if rounds == 1 { "call" } else { "calls" };
            let sentence = format!("{tool} still asks `{id}` after {rounds} {times}");
            Ending::new(End::TooManyRounds { id }, sentence)
        })
    }

    /// The answer that this very question has had: same id, same schema.
    fn answer_to(&self, question: &Question) -> Option<&Answer> {
        let schema = self.schemas.get(&question.id)?;
        let answer = self.call.answers.get(&question.id)?;
        (*schema == Form::of(question)).then_some(answer)
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
                Fate::Asked(asking) => {
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

    /// What becomes of a question that is asked for the first time.
    fn fate(&mut self, open: &OpenQuestion, questions: &Questions) -> Fate {
        let policy =
            |state: fn(AnswerSource) -> Answer| Fate::Answered(state(AnswerSource::Policy));
        let (question, secret) = (&open.question, open.secret.as_ref());
        let id = question.id.clone();
        let came = self.came.remove(&id);
        if open.is_over_budget() {
            self.diagnostics.extend_from_slice(&open.found);
            return policy(Answer::unavailable);
        }
        // Not even what was given beforehand reaches a tool that asks for a secret in this way.
        let prompt = match prompt(question) {
            Ok(prompt) => prompt,
            Err(error) => {
                self.diagnostics.extend_from_slice(error.diagnostics());
                return policy(Answer::unavailable);
            }
        };
        let who = self.options.who(&id);
        let nobody = self.options.unanswered != Unanswered::Ask || who == Some(&Who::Decline);
        // What only seems to ask for one is for a person, whom nothing given beforehand replaces (Q-111).
        if let Some(secret) = secret
            && nobody
        {
            self.diagnostics
                .extend(secrets::not_asked(question, secret));
            return policy(Answer::unavailable);
        }
        // It was judged before anything was asked. What there is to tell is about its default.
        let default = match open.found.is_empty() {
            true => question.default.clone(),
            false => None,
        };
        self.diagnostics.extend_from_slice(&open.found);
        // Whether one that came with the call was to this question, only its value can tell.
        let check =
            |value: &Json| check_answer_within(question, value, &mut self.allowance.clone());
        let fits = |value: &Json| check(value).is_ok();
        let came = came.filter(|came| {
            secret.is_none()
                && came.value().is_none_or(fits)
                && pages::fits(question, came)
                && !pages::lacks_consent(question, came)
        });
        if let Some(answer) = came {
            return Fate::Answered(answer);
        }
        let given = self.options.given.get(&id).or(match who {
            Some(Who::Value(value)) => Some(value),
            _ => None,
        });
        if let Some(value) = given.filter(|_| secret.is_none()) {
            return match check(value) {
                Ok(()) => Fate::Answered(Answer::accepted(value.clone(), AnswerSource::Policy)),
                Err(error) => {
                    let sentence = format!("the answer given for `{id}` does not fit: {error}");
                    Fate::Ends(Ending::new(End::BadGiven { id }, sentence))
                }
            };
        }
        let unanswered = match who {
            Some(Who::Decline) => Unanswered::Decline,
            Some(Who::Default) if secret.is_none() => Unanswered::Defaults,
            _ => self.options.unanswered,
        };
        match unanswered {
            Unanswered::Ask => {}
            Unanswered::Decline => return policy(Answer::declined),
            Unanswered::Defaults => {
                return match default {
                    Some(value) => Fate::Answered(Answer::accepted(value, AnswerSource::Default)),
                    None => policy(Answer::unavailable),
                };
            }
            Unanswered::Fail => return Fate::Ends(Ending::unanswered(&self.call, question)),
        }
        Fate::Asked(Box::new(PendingQuestion {
            question: question.clone(),
            default: default.filter(|default| secret.is_none() && prompt.offers(default)),
            prompt,
            context: QuestionContext::new(Arc::clone(&questions.context), open.context),
            shown: open.shown,
            mismatches: Vec::new(),
            tool: self.call.name.clone(),
            arguments: self.call.arguments.clone(),
            secret: secret.cloned(),
            warning: secret.and_then(|secret| self.warning(question, secret)),
            who: who.filter(|who| who.asked().is_some()).cloned(),
            round: self.rounds,
        }))
    }

    /// What stands above a question that seems to ask for a secret.
    fn warning(&self, question: &Question, secret: &Secret) -> Option<String> {
        let options = RefusalOptions {
            host: self.options.host().to_owned(),
            tool: self.call.name.clone(),
            about: secret.about,
            ..self.options.ways(&question.id).to_refusal()
        };
        warning(&options).ok()
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
