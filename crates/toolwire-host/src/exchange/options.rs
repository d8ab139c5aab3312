//! What a host sets for the questions of a call.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use toolwire::Json;

use super::Alternatives;
use crate::{Budget, UnknownWord, words};

/// What becomes of a question that has no given answer (Q-53).
///
/// ```
/// use toolwire_host::Unanswered;
///
/// assert_eq!(Unanswered::default().as_str(), "ask");
/// assert_eq!("fail".parse(), Ok(Unanswered::Fail));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Unanswered {
    /// It is asked.
    #[default]
    Ask,
    /// Its default is the answer; without one that fits it is unavailable.
    Defaults,
    /// It is declined.
    Decline,
    /// It ends the call with an error that names it.
    Fail,
}

impl Unanswered {
    /// All of them.
    pub const ALL: [Unanswered; 4] = [
        Unanswered::Ask,
        Unanswered::Defaults,
        Unanswered::Decline,
        Unanswered::Fail,
    ];

    /// The word that stands in JSON: `ask`, `defaults`, `decline` or `fail`.
    ///
    /// ```
    /// assert_eq!(toolwire_host::Unanswered::Defaults.as_str(), "defaults");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Unanswered::Ask => "ask",
            Unanswered::Defaults => "defaults",
            Unanswered::Decline => "decline",
            Unanswered::Fail => "fail",
        }
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Unanswered {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        words::find(&Unanswered::ALL, Unanswered::as_str, word)
    }
}

/// Who answers a question, as the author of a manifest decides (MAN-20).
///
/// ```
/// use toolwire_host::{ExchangeOptions, Who};
///
/// let questions = [("confirm".to_owned(), Who::User), ("*".to_owned(), Who::Default)];
/// let options = ExchangeOptions { questions: questions.into(), ..ExchangeOptions::default() };
/// # let _ = options;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Who {
    /// A person: an answer from the source `assistant` is not taken (MAN-44).
    User,
    /// A model, where the host has one.
    Assistant,
    /// Its own default; without one that fits it is unavailable.
    Default,
    /// Nobody: it is declined.
    Decline,
    /// Nobody: this is the answer, from the source `policy`.
    Value(Json),
}

impl Who {
    /// The word of those that answer a question when it is asked: `user` or `assistant`.
    ///
    /// ```
    /// use toolwire_host::Who;
    ///
    /// assert_eq!((Who::User.asked(), Who::Decline.asked()), (Some("user"), None));
    /// ```
    #[must_use]
    pub fn asked(&self) -> Option<&'static str> {
        match self {
            Who::User => Some("user"),
            Who::Assistant => Some("assistant"),
            _ => None,
        }
    }
}

/// How the questions of a call are answered.
///
/// ```
/// use toolwire_host::{ExchangeOptions, Unanswered};
///
/// let options = ExchangeOptions { unanswered: Unanswered::Defaults, ..ExchangeOptions::default() };
/// assert_eq!((options.max_rounds, options.max_tries), (16, 3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeOptions {
    /// The name of the host, as people know it, for the texts of chapter 11.5; `Toolwire` by default
    /// and where it is empty.
    pub host: String,
    /// The most calls of the tool for one result; 16 by default, and at least one (Q-27).
    pub max_rounds: usize,
    /// How often an answer to one question may be wrong; 3 by default, and at least one (Q-29).
    pub max_tries: usize,
    /// Answers that are known beforehand, by the ids of their questions (Q-52).
    pub given: BTreeMap<String, Json>,
    /// Who answers which question, by its id; `*` is for those that are not named. Answers in `given`
    /// come first.
    pub questions: BTreeMap<String, Who>,
    /// What becomes of all other questions.
    pub unanswered: Unanswered,
    /// What people are told to do where the tool can't go on without an answer, by the ids of questions;
    /// `*` is for those that are not named (Q-88).
    pub refusals: BTreeMap<String, Alternatives>,
    /// What judging all questions of one answer may cost, and checking one answer to one of them (Q-42).
    pub budget: Budget,
}

impl Default for ExchangeOptions {
    fn default() -> Self {
        ExchangeOptions {
            host: "Toolwire".to_owned(),
            max_rounds: 16,
            max_tries: 3,
            given: BTreeMap::new(),
            questions: BTreeMap::new(),
            unanswered: Unanswered::Ask,
            refusals: BTreeMap::new(),
            budget: Budget::default(),
        }
    }
}

impl ExchangeOptions {
    /// The name of the host in texts.
    pub(super) fn host(&self) -> &str {
        match self.host.trim() {
            "" => "Toolwire",
            host => host,
        }
    }

    /// Who answers a question.
    pub(super) fn who(&self, id: &str) -> Option<&Who> {
        self.questions.get(id).or_else(|| self.questions.get("*"))
    }

    /// What is known of the ways around a question.
    pub(super) fn ways(&self, id: &str) -> Alternatives {
        let ways = self.refusals.get(id).or_else(|| self.refusals.get("*"));
        ways.cloned().unwrap_or_default()
    }
}
