//! How a call ends, and its result if the host ended it (Q-28, Q-35, Q-55).

use std::collections::BTreeMap;
use std::fmt;

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerState, Call};
use toolwire::question::{RefusalAbout, RefusalOptions, RefusalReason, Secret, refusal};
use toolwire::{Block, Diagnostic, Limits, Parsed, parse};

use super::ExchangeOptions;
use crate::transport::stopped::{failure, kept_blocks, text_block};

/// Why a call ended, with the id of the question that it is about.
///
/// ```
/// use toolwire_host::End;
///
/// assert_eq!(End::Repeated("confirm".into()).as_str(), "repeated");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The tool has answered, or was stopped: the result is that of its last run.
    Answered,
    /// It asked a question again that had been answered (Q-28).
    Repeated(String),
    /// It asked a question again that nobody had answered: it can't go on without (Q-35).
    AnswerRequired(String),
    /// It asked two questions with one id at once (Q-51).
    Ambiguous(String),
    /// It asked a question with a schema that can't be used (Q-41).
    BadQuestion(String),
    /// The answer that was given beforehand does not fit (Q-52).
    BadGiven(String),
    /// There was a question, and unanswered ones were to fail (Q-53).
    Unanswered(String),
    /// It had been called as often as it may, and still asked (Q-27).
    TooManyRounds(String),
    /// The call was given up while a question waited for its answer, or before the tool had answered
    /// at all.
    Cancelled,
}

impl End {
    /// All words, in the order of the reasons.
    ///
    /// ```
    /// assert!(toolwire_host::End::WORDS.contains(&"too_many_rounds"));
    /// ```
    pub const WORDS: [&str; 9] = [
        "answered",
        "repeated",
        "answer_required",
        "ambiguous",
        "bad_question",
        "bad_given",
        "unanswered",
        "too_many_rounds",
        "cancelled",
    ];

    /// The reason as a word, one of [`End::WORDS`].
    ///
    /// ```
    /// assert_eq!(toolwire_host::End::Answered.as_str(), "answered");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        End::WORDS[match self {
            End::Answered => 0,
            End::Repeated(_) => 1,
            End::AnswerRequired(_) => 2,
            End::Ambiguous(_) => 3,
            End::BadQuestion(_) => 4,
            End::BadGiven(_) => 5,
            End::Unanswered(_) => 6,
            End::TooManyRounds(_) => 7,
            End::Cancelled => 8,
        }]
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The outcome of an exchange.
///
/// ```
/// use toolwire::{Json, Limits, call::Call, parse};
/// use toolwire_host::{End, Exchange, ExchangeOptions};
///
/// let mut exchange = Exchange::new(Call::new("now", Json::new("{}")?), ExchangeOptions::default());
/// exchange.handle_result(parse(&b"12:00"[..], &Limits::default()));
/// let exchanged = exchange.finish();
/// assert_eq!((exchanged.end, exchanged.rounds), (End::Answered, 1));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExchangeOutcome {
    /// The result: the tool's last answer, or an error envelope that says why there is none. Its `_meta` says
    /// who answered which question (CALL-24).
    pub parsed: Parsed<'static>,
    /// The answers to the questions, by id. The value is null if the question seemed to ask for a secret
    /// (Q-114).
    pub answers: BTreeMap<String, Answer>,
    /// The number of calls of the tool.
    pub rounds: usize,
    /// Why the call ended.
    pub end: End,
    /// Diagnostics about questions: defaults that do not fit (Q-45), questions for secrets (Q-59). Their
    /// pointers lead into the question.
    pub diagnostics: Vec<Diagnostic>,
}

/// The tool as it is named in sentences.
pub(super) fn named(call: &Call) -> String {
    match &call.name {
        Some(name) => format!("`{name}`"),
        None => "the tool".to_owned(),
    }
}

/// The end of a call that the host brings about.
#[derive(Debug)]
pub(super) struct Ending {
    end: End,
    /// The message for people.
    text: String,
    /// What the trace says, which names the question.
    sentence: String,
}

/// An end and its result.
#[derive(Debug)]
pub(super) struct Ended {
    pub parsed: Parsed<'static>,
    pub end: End,
}

impl Ending {
    pub(super) fn new(end: End, sentence: String) -> Self {
        Ending {
            end,
            text: sentence.clone(),
            sentence,
        }
    }

    /// The same end with another text.
    pub(super) fn saying(self, text: &str) -> Self {
        Ending {
            text: text.to_owned(),
            ..self
        }
    }

    /// The end by a question that nobody is there to answer (Q-53).
    pub(super) fn unanswered(call: &Call, question: &Question) -> Self {
        let (tool, id) = (named(call), question.id.clone());
        let text = brief(&question.text.replace(char::is_control, " "), 200);
        let sentence = format!(
            "{tool} asks `{id}` ({text}), and nobody is there to answer: give the answer beforehand"
        );
        Ending::new(End::Unanswered(id), sentence)
    }

    /// The end by a question that the tool can't do without, with the standard text (Q-35).
    pub(super) fn answer_required(
        call: &Call,
        options: &ExchangeOptions,
        question: &Question,
        secret: Option<&Secret>,
        state: AnswerState,
    ) -> Self {
        let refusal = refusal(&RefusalOptions {
            host: options.host().to_owned(),
            tool: call.name.clone(),
            reason: match state {
                AnswerState::Unavailable if secret.is_some() => RefusalReason::Refused,
                AnswerState::Cancelled => RefusalReason::Cancelled,
                AnswerState::Declined => RefusalReason::Declined,
                _ => RefusalReason::Unavailable,
            },
            about: secret.map_or(RefusalAbout::Input, |secret| secret.about),
            ..options.ways(&question.id).to_refusal()
        });
        let (tool, id, state) = (named(call), question.id.clone(), state.as_str());
        let sentence = format!("{tool} can't go on without an answer to `{id}`, which is {state}");
        let mut ending = Ending::new(End::AnswerRequired(id), sentence);
        let blocks = refusal.map_or_else(|_| Vec::new(), |envelope| envelope.content);
        if let Some(Block::Text(block)) = blocks.into_iter().next() {
            ending.text = block.text;
        }
        ending
    }

    /// The result: what the tool had said in its last answer, then why the call ended.
    pub(super) fn after(self, last: Option<&Parsed<'_>>) -> Ended {
        let kept = last.map_or_else(String::new, kept_blocks);
        let content = format!("{kept}{}", text_block(&self.text));
        let document = failure(&content, &self.sentence, b"", false);
        Ended {
            // What the tool said was held to the host's limits when it was read.
            parsed: parse(document.into_bytes(), &Limits::WIDEST),
            end: self.end,
        }
    }
}

/// The first characters of a text, with `…` where it goes on.
pub(crate) fn brief(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
