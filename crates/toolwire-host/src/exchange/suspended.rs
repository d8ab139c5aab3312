//! A call that stops while its questions are open, to go on later, also in another process.

use std::collections::BTreeMap;

use toolwire::Json;
use toolwire::call::{Answer, Call};

use super::fate::Fate;
use super::pages::Form;
use super::{Exchange, ExchangeOptions, PendingQuestion, State};

/// What a call has come to: the answers so far, each already checked against its question.
///
/// It is what a host must keep where a call goes on later ([`Exchange::resume`](crate::Exchange::resume)),
/// and must be able to trust then: nothing in it is checked again.
///
/// ```
/// use toolwire::{Json, call::{Answer, AnswerSource}};
/// use toolwire_host::{Settled, Standing};
///
/// let mut standing = Standing { rounds: 1, ..Standing::default() };
/// standing.answers.insert("ok".into(), Settled {
///     answer: Answer::accepted(Json::from(true), AnswerSource::User),
///     schema: Some(Json::new(r#"{"type":"boolean"}"#)?),
///     suspected: false,
/// });
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// The number of calls of the tool so far.
    pub rounds: usize,
    /// The answers, by the ids of their questions.
    pub answers: BTreeMap<String, Settled>,
}

/// An answer, and what is needed to tell its question from another one with the same id.
///
/// ```
/// use toolwire::{Json, call::{Answer, AnswerSource}};
/// use toolwire_host::Settled;
///
/// let settled = Settled {
///     answer: Answer::declined(AnswerSource::User),
///     schema: Some(Json::new("{}")?),
///     suspected: false,
/// };
/// assert!(settled.answer.value().is_none());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// What became of the question.
    pub answer: Answer,
    /// The question's schema; nothing if it has a page instead.
    pub schema: Option<Json>,
    /// Whether the question seemed to ask for a secret (Q-110).
    pub suspected: bool,
}

/// A call that has stopped at its open questions ([`Exchange::suspend`](crate::Exchange::suspend)).
///
/// ```
/// use toolwire_host::{Standing, Suspended};
///
/// let suspended = Suspended { questions: vec![], standing: Standing::default() };
/// assert_eq!(suspended.standing.rounds, 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Suspended {
    /// All open questions of the tool's last answer, in their order.
    pub questions: Vec<PendingQuestion>,
    /// What the call has come to.
    pub standing: Standing,
}

impl Exchange {
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
}
