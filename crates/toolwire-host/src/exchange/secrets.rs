//! Questions that ask for a secret, or seem to.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::question::Secret;
use toolwire::{Block, Code, Diagnostic, Error, Json};

/// What a person may read of a block.
pub(super) fn text_of(block: &Block) -> Cow<'_, str> {
    let texts = match block {
        Block::Text(block) => return Cow::Borrowed(&block.text),
        Block::Resource(block) => {
            let resource = &block.resource;
            [
                &resource.title,
                &resource.description,
                &block.formatted,
                &resource.text,
            ]
        }
        Block::ResourceLink(block) => [&block.title, &block.description, &None, &None],
        _ => return Cow::Borrowed(""),
    };
    let mut texts = texts.into_iter().flatten();
    match (texts.next(), texts.next()) {
        (Some(only), None) => Cow::Borrowed(only),
        (Some(first), Some(second)) => {
            let mut all = format!("{first}\n{second}");
            texts.for_each(|text| all.extend(["\n", text]));
            Cow::Owned(all)
        }
        _ => Cow::Borrowed(""),
    }
}

/// The diagnostic for a suspected question that nobody was asked.
pub(super) fn not_asked(question: &Question, secret: &Secret) -> Vec<Diagnostic> {
    let id = &question.id;
    let (whose, instead) = match &*secret.fields {
        [] => (
            format!("the question `{id}`"),
            "supply the secret in advance",
        ),
        [field, ..] => (
            format!("the field `{field}` of the question `{id}`"),
            "give the other fields alone",
        ),
    };
    let mentions = match &secret.word {
        Some(word) => format!("mentions `{word}`"),
        None => "shows how a secret begins, or what stands before it does".to_owned(),
    };
    let message = format!(
        "{whose} {mentions} and may ask for a secret, so only a person may answer: run it at a terminal, or {instead}"
    );
    let error = Error::new(Code::SecretQuestion, &*secret.pointer, None, message);
    error.diagnostics().to_vec()
}

/// Whether an answer to a question that seems to ask for a secret is that of a person, or of nobody, or one that was
/// given beforehand without the secret.
pub(super) fn is_taken(answer: &Answer, secret: &Secret) -> bool {
    match answer.state() {
        AnswerState::Accepted if answer.source() == Some(AnswerSource::Policy) => {
            answer.value().is_some_and(|value| secret.spares(value))
        }
        AnswerState::Accepted => answer.source() == Some(AnswerSource::User),
        AnswerState::Unavailable => answer.source() != Some(AnswerSource::Policy),
        _ => true,
    }
}

/// The answers without the values that may be secrets.
pub(super) fn without_values(
    mut answers: BTreeMap<String, Answer>,
    suspected: &BTreeSet<String>,
) -> BTreeMap<String, Answer> {
    let Ok(null) = Json::new("null") else {
        return BTreeMap::new();
    };
    for id in suspected {
        if let Some(answer) = answers.get_mut(id)
            && let (Some(_), Some(source)) = (answer.value(), answer.source())
        {
            *answer = Answer::accepted(null.clone(), source);
        }
    }
    answers
}
