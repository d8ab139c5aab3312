//! Questions that ask for a secret, or seem to.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::question::{Secret, SecretContext, SecretTier, find_secret};
use toolwire::{Block, Code, Diagnostic, Error, Json};

use super::is_context;

/// The secrets that the questions of an answer ask for, by the places of their blocks.
#[derive(Debug, Default)]
pub(super) struct Secrets(BTreeMap<usize, Secret>);

impl Secrets {
    /// Judges each question once, with the blocks before it.
    pub fn new(content: &[Block]) -> Self {
        let mut context = SecretContext::default();
        let mut secrets = BTreeMap::new();
        for (index, block) in content.iter().enumerate() {
            match block {
                Block::Question(block) => {
                    if let Some(secret) = find_secret(&block.question, &context) {
                        secrets.insert(index, secret);
                    }
                }
                block if is_context(block) => context.add(text_of(block)),
                _ => {}
            }
        }
        Secrets(secrets)
    }

    /// The secret that the question at this place asks for.
    pub fn at(&self, index: usize) -> Option<&Secret> {
        self.0.get(&index)
    }

    /// The secret that it declares.
    pub fn declared_at(&self, index: usize) -> Option<&Secret> {
        self.at(index)
            .filter(|secret| secret.tier == SecretTier::Declared)
    }
}

/// What a person may read of a block.
fn text_of(block: &Block) -> Cow<'_, str> {
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

/// What is told of a question that nobody was asked.
pub(super) fn not_asked(question: &Question, secret: &Secret) -> Vec<Diagnostic> {
    let message = format!(
        "the question `{}` {} a secret, as its {} tells: let the person sign in, open a page, or \
         supply it in advance",
        question.id,
        match secret.tier {
            SecretTier::Suspected => "seems to ask a person for",
            _ => "asks for",
        },
        secret.reason.as_str().replace('_', " ")
    );
    let error = Error::new(Code::SecretQuestion, &*secret.pointer, None, message);
    error.diagnostics().to_vec()
}

/// Whether an answer to a question that seems to ask for a secret is that of a person, or of nobody.
pub(super) fn is_taken(answer: &Answer) -> bool {
    match answer.state() {
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
