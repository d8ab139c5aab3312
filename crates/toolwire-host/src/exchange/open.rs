//! The questions of one answer that have no answer yet, and what is known of them (Q-41, Q-42, Q-80).

use std::collections::{HashMap, VecDeque};
use std::ops::Deref;
use std::sync::Arc;

use toolwire::block::Question;
use toolwire::question::{Secret, SecretContext, SecretTier, find_secret};
use toolwire::{Block, Code, Diagnostic, Json};

use super::secrets::text_of;
use crate::{Allowance, check_question_within};

/// The blocks before a question, which all questions of an answer share.
///
/// ```
/// use toolwire_host::QuestionContext;
///
/// assert!(QuestionContext::default().is_empty());
/// ```
#[derive(Clone, Default)]
pub struct QuestionContext {
    all: Arc<[Block]>,
    count: usize,
}

impl QuestionContext {
    pub(super) fn new(all: Arc<[Block]>, count: usize) -> Self {
        QuestionContext { all, count }
    }
}

impl Deref for QuestionContext {
    type Target = [Block];

    fn deref(&self) -> &[Block] {
        self.all.get(..self.count).unwrap_or_default()
    }
}

impl PartialEq for QuestionContext {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for QuestionContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<'a> IntoIterator for &'a QuestionContext {
    type Item = &'a Block;
    type IntoIter = std::slice::Iter<'a, Block>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A question that has its turn or waits for it.
#[derive(Debug)]
pub(super) struct OpenQuestion {
    pub question: Question,
    /// How many blocks of context stand before it, and before the question before it.
    pub context: usize,
    pub shown: usize,
    /// The secret that it asks for, or seems to.
    pub secret: Option<Secret>,
    /// What is wrong with it; nothing is known of one that declares a secret.
    pub found: Vec<Diagnostic>,
}

impl OpenQuestion {
    /// Judges it. When the budget is used up this takes no time any more.
    pub(super) fn judge(&mut self, allowance: &mut Allowance) {
        // The schema of one that is not asked does not matter (Q-86).
        if !self.is_declared() {
            self.found = check_question_within(&self.question, allowance);
        }
    }

    fn is_declared(&self) -> bool {
        let secret = self.secret.as_ref();
        secret.is_some_and(|secret| secret.tier == SecretTier::Declared)
    }

    fn has(&self, code: Code) -> Option<&Diagnostic> {
        self.found.iter().find(|found| found.code == code)
    }

    /// Why no answer to the question could be checked.
    pub(super) fn bad(&self) -> Option<&Diagnostic> {
        self.has(Code::BadSchema)
    }

    pub(super) fn is_over_budget(&self) -> bool {
        self.has(Code::OverBudget).is_some()
    }

    /// Whether somebody is asked, if there is no answer beforehand.
    pub(super) fn is_asked(&self) -> bool {
        !self.is_declared() && !self.is_over_budget()
    }
}

/// Whether two questions of one answer with the same id are one (Q-51).
fn is_same(first: &Question, second: &Question) -> bool {
    first.schema == second.schema && first.url == second.url
}

/// Steps charged for each byte of a question that is judged for secrets.
const STEPS_A_BYTE: u64 = 2;

/// How many bytes of a question are judged for secrets.
fn size(question: &Question) -> u64 {
    let default = question.default.as_ref().map_or("", Json::as_str);
    let parts = [
        &question.id,
        &question.text,
        question.schema.as_str(),
        default,
    ];
    parts.into_iter().map(|part| part.len() as u64).sum()
}

/// The questions of an answer, in their order, each once, and the blocks between them.
#[derive(Debug, Default)]
pub(super) struct Questions {
    pub open: VecDeque<OpenQuestion>,
    pub context: Arc<[Block]>,
}

impl Questions {
    /// Those with a page.
    pub(super) fn pages(&self) -> Vec<Question> {
        let questions = self.open.iter().map(|open| &open.question);
        questions
            .filter(|question| question.url.is_some())
            .cloned()
            .collect()
    }

    /// Takes the questions out of an answer; the id of two that are different (Q-51).
    pub(super) fn of(content: Vec<Block>, allowance: &mut Allowance) -> Result<Self, String> {
        let mut open: VecDeque<OpenQuestion> = VecDeque::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut context = Vec::new();
        let mut texts = SecretContext::default();
        let mut shown = 0;
        for block in content {
            match block {
                Block::Question(block) => {
                    let question = block.question;
                    let before = std::mem::replace(&mut shown, context.len());
                    let place = places.get(&question.id).and_then(|place| open.get(*place));
                    match place {
                        Some(first) if is_same(&first.question, &question) => {}
                        Some(_) => return Err(question.id),
                        None => {
                            places.insert(question.id.clone(), open.len());
                            // Where the budget is used up, the question is not asked (Q-141).
                            let judged = allowance.take(STEPS_A_BYTE * size(&question));
                            open.push_back(OpenQuestion {
                                secret: judged.then(|| find_secret(&question, &texts)).flatten(),
                                question,
                                context: context.len(),
                                shown: before,
                                found: Vec::new(),
                            });
                        }
                    }
                }
                // What was skipped in reading is no context.
                Block::Other(_) => {}
                block => {
                    texts.add(text_of(&block).into_owned());
                    context.push(block);
                }
            }
        }
        Ok(Questions {
            open,
            context: context.into(),
        })
    }
}
