//! A question that stands alone, because its tool keeps running: what the host answers to it, or whom it asks.

use toolwire::Block;
use toolwire::block::{Question, TextBlock};
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::question::{SecretContext, find_secret};

use super::fate::Fate;
use super::open::{OpenQuestion, Questions};
use super::{Exchange, ExchangeOptions, PendingQuestion, Who};

/// What becomes of an open question.
pub(crate) enum Plan {
    /// This is its answer.
    Answer(Answer),
    /// Whoever answers the questions of the host is asked.
    Ask(Box<PendingQuestion>),
}

/// What becomes of a question that a session tool asks, after these texts (HOST-22): the same as of one in a call.
/// `person` says whether only a person may answer it.
pub(crate) fn plan(
    options: &ExchangeOptions,
    call: &Call,
    question: &Question,
    texts: &[String],
    person: bool,
) -> Plan {
    let (mut call, mut options, mut asked) = (call.clone(), options.clone(), question.clone());
    call.answers.clear();
    if person {
        // Neither a default nor what was given beforehand answers it.
        asked.default = None;
        options.given.clear();
        if options.who(&question.id) != Some(&Who::Decline) {
            options.questions.insert(question.id.clone(), Who::User);
        }
    }
    let mut context = SecretContext::default();
    texts.iter().for_each(|text| context.add(text.as_str()));
    let questions = Questions {
        context: texts.iter().map(|text| text_block(text)).collect(),
        ..Questions::default()
    };
    let mut open = OpenQuestion {
        secret: find_secret(question, &context),
        question: asked,
        context: texts.len(),
        shown: 0,
        found: Vec::new(),
    };
    let mut exchange = Exchange::new(call, options);
    exchange.rounds = 1;
    open.judge(&mut exchange.allowance.clone());
    match exchange.fate(&open, &questions) {
        Fate::Answered(answer) => Plan::Answer(answer),
        Fate::Asked(pending) => Plan::Ask(Box::new(PendingQuestion {
            question: question.clone(),
            ..*pending
        })),
        Fate::Ends(_) => Plan::Answer(Answer::unavailable(AnswerSource::Policy)),
    }
}

fn text_block(text: &str) -> Block {
    Block::Text(TextBlock {
        text: text.to_owned(),
        annotations: None,
        meta: None,
        extra: Default::default(),
    })
}
