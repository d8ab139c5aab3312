//! A question that stands alone, because its tool keeps running: what the host answers to it, or whom it asks.

use std::sync::Arc;

use toolwire::Block;
use toolwire::block::{Question, TextBlock};
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::question::{SecretContext, find_secret, prompt};

use super::{ExchangeOptions, PendingQuestion, QuestionContext, Unanswered, Who};
use crate::{Allowance, check_answer_within, check_question_within};

/// What becomes of an open question.
pub(crate) enum Plan {
    /// This is its answer.
    Answer(Answer),
    /// Whoever answers the questions of the host is asked.
    Ask(Box<PendingQuestion>),
}

/// What becomes of a question that a session tool asks, after these texts (HOST-22). `person` says whether only a
/// person may answer it.
pub(crate) fn plan(
    options: &ExchangeOptions,
    call: &Call,
    question: &Question,
    texts: &[String],
    person: bool,
) -> Plan {
    let policy = |state: fn(AnswerSource) -> Answer| Plan::Answer(state(AnswerSource::Policy));
    let who = options.who(&question.id);
    let mut allowance = Allowance::new(options.budget);
    let fits_schema =
        question.url.is_some() || check_question_within(question, &mut allowance).is_empty();
    let default = question.default.clone().filter(|_| fits_schema && !person);
    if !person {
        let given = options.given.get(&question.id).or(match who {
            Some(Who::Value(value)) => Some(value),
            _ => None,
        });
        if let Some(value) = given {
            return match check_answer_within(question, value, &mut allowance) {
                Ok(()) => Plan::Answer(Answer::accepted(value.clone(), AnswerSource::Policy)),
                Err(_) => policy(Answer::unavailable),
            };
        }
    }
    let unanswered = match who {
        Some(Who::Decline) => Unanswered::Decline,
        Some(Who::Default) if !person => Unanswered::Defaults,
        _ => options.unanswered,
    };
    match (unanswered, default.clone()) {
        (Unanswered::Ask, _) => {}
        (Unanswered::Decline, _) => return policy(Answer::declined),
        (Unanswered::Defaults, Some(value)) => {
            return Plan::Answer(Answer::accepted(value, AnswerSource::Default));
        }
        (Unanswered::Defaults | Unanswered::Fail, _) => return policy(Answer::unavailable),
    }
    let Ok(prompt) = prompt(question) else {
        return policy(Answer::unavailable);
    };
    let mut context = SecretContext::default();
    texts.iter().for_each(|text| context.add(text.as_str()));
    let secret = find_secret(question, &context);
    let blocks: Arc<[Block]> = texts.iter().map(|text| text_block(text)).collect();
    let count = blocks.len();
    Plan::Ask(Box::new(PendingQuestion {
        question: question.clone(),
        default: default.filter(|default| prompt.offers(default)),
        prompt,
        context: QuestionContext::new(blocks, count),
        later_pages: Vec::new(),
        shown: 0,
        mismatches: Vec::new(),
        tool: call.name.clone(),
        arguments: call.arguments.clone(),
        warning: secret
            .as_ref()
            .and_then(|secret| options.warning(call, question, secret)),
        secret,
        who: match person {
            true => Some(Who::User),
            false => who.filter(|who| who.asked().is_some()).cloned(),
        },
        round: 1,
    }))
}

fn text_block(text: &str) -> Block {
    Block::Text(TextBlock {
        text: text.to_owned(),
        annotations: None,
        meta: None,
        extra: Default::default(),
    })
}
