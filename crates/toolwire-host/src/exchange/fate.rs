//! What becomes of a question: who answers it, or why it ends the call.

use std::sync::Arc;

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, AnswerState, Call};
use toolwire::question::{RefusalOptions, Secret, prompt, warning};
use toolwire::{Code, Diagnostic, Json};

use super::ending::{self, Ending};
use super::open::{OpenQuestion, Questions};
use super::pages::{self, Form};
use super::{
    End, Exchange, ExchangeOptions, PendingQuestion, QuestionContext, Unanswered, Who, secrets,
};
use crate::{Allowance, check_answer_within};

/// What becomes of a question.
pub(super) enum Fate {
    Answered(Answer),
    Asked(Box<PendingQuestion>),
    Ends(Ending),
}

impl Exchange {
    /// Why these questions are not to be asked, if they are not. All are judged, within one budget.
    pub(super) fn refused(
        &self,
        questions: &mut Questions,
        allowance: &mut Allowance,
    ) -> Option<Ending> {
        let tool = ending::named(&self.call);
        for open in &mut questions.open {
            open.judge(allowance);
            if let Some(bad) = open.bad() {
                let (id, place, why) = (open.question.id.clone(), &bad.pointer, &bad.message);
                let sentence = format!("{tool} asked `{id}`, but at `{place}` {why}");
                return Some(Ending::new(End::BadQuestion(id), sentence));
            }
        }
        for open in &questions.open {
            let question = &open.question;
            let Some(answer) = self.answer_to(question) else {
                continue;
            };
            // The tool has looked, and what it waits for is not there yet.
            if answer.state() == AnswerState::Opened {
                continue;
            }
            let id = question.id.clone();
            return Some(if answer.state() == AnswerState::Accepted {
                let sentence = format!("{tool} asked `{id}` again, which has been answered");
                Ending::new(End::Repeated(id), sentence)
            } else {
                let secret = open.secret.as_ref();
                let state = answer.state();
                let ending =
                    Ending::answer_required(&self.call, &self.options, question, secret, state);
                // A person who answered learns why the answer was not accepted.
                let begins = format!("the answer to `{id}` ");
                let wrong = |found: &&Diagnostic| {
                    found.code == Code::AnswerMismatch && found.message.starts_with(&begins)
                };
                match self.diagnostics.iter().rev().find(wrong) {
                    Some(found) if state == AnswerState::Unavailable => {
                        ending.saying(&found.message)
                    }
                    _ => ending,
                }
            });
        }
        let first = &questions.open.front()?.question;
        (self.rounds >= self.options.max_rounds.max(1)).then(|| {
            let (id, rounds) = (first.id.clone(), self.rounds);
            let times = if rounds == 1 { "call" } else { "calls" };
            let sentence = format!("{tool} still asks `{id}` after {rounds} {times}");
            Ending::new(End::TooManyRounds(id), sentence)
        })
    }

    /// The answer that this very question has had: same id, same schema.
    fn answer_to(&self, question: &Question) -> Option<&Answer> {
        let schema = self.schemas.get(&question.id)?;
        let answer = self.call.answers.get(&question.id)?;
        (*schema == Form::of(question)).then_some(answer)
    }

    /// What becomes of a question that is asked for the first time.
    pub(super) fn fate(&mut self, open: &OpenQuestion, questions: &Questions) -> Fate {
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
        let given = self.options.given.get(&id).or(match who {
            Some(Who::Value(value)) => Some(value),
            _ => None,
        });
        let spares = |value: &&Json| secret.is_none_or(|secret| secret.spares(value));
        let given = given.filter(spares).cloned();
        // What only seems to ask for one is for a person, whom nothing given beforehand replaces that has it.
        if let Some(secret) = secret
            && nobody
            && given.is_none()
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
        if let Some(value) = given {
            return match check(&value) {
                Ok(()) => Fate::Answered(Answer::accepted(value, AnswerSource::Policy)),
                Err(error) => {
                    let sentence = format!("the answer given for `{id}` does not fit: {error}");
                    Fate::Ends(Ending::new(End::BadGiven(id), sentence))
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
            later_pages: Vec::new(),
            shown: open.shown,
            mismatches: Vec::new(),
            tool: self.call.name.clone(),
            arguments: self.call.arguments.clone(),
            secret: secret.cloned(),
            warning: secret.and_then(|secret| self.options.warning(&self.call, question, secret)),
            who: who.filter(|who| who.asked().is_some()).cloned(),
            round: self.rounds,
        }))
    }
}

impl ExchangeOptions {
    /// What stands above a question that seems to ask for a secret.
    pub(super) fn warning(
        &self,
        call: &Call,
        question: &Question,
        secret: &Secret,
    ) -> Option<String> {
        let options = RefusalOptions {
            host: self.host().to_owned(),
            tool: call.name.clone(),
            about: secret.about,
            ..self.ways(&question.id).to_refusal()
        };
        warning(&options).ok()
    }
}
