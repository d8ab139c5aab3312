//! What a host sets for the questions of a call.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toolwire::{Json, closed_words};

use super::Alternatives;
use crate::Budget;

/// What happens to a question without a given answer (Q-53).
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
    /// The question is asked.
    #[default]
    Ask,
    /// The answer is its default. Without a default that fits, the question is unavailable.
    Defaults,
    /// The question is declined.
    Decline,
    /// The call ends with an error that names the question.
    Fail,
}

closed_words!(Unanswered, "what happens without an answer", {
    Ask => "ask",
    Defaults => "defaults",
    Decline => "decline",
    Fail => "fail",
});

/// Who answers a question, as set by the author of a manifest.
///
/// ```
/// use toolwire_host::{ExchangeOptions, Who};
///
/// let questions = [("confirm".to_owned(), Who::User), ("*".to_owned(), Who::Default)];
/// let options = ExchangeOptions { questions: questions.into(), ..ExchangeOptions::default() };
/// # let _ = options;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Who {
    /// A person. An answer from the source `assistant` is not accepted.
    User,
    /// A model, if the host has one.
    Assistant,
    /// Nobody: the answer is the question's default. Without a default that fits, it is unavailable.
    Default,
    /// Nobody: the question is declined.
    Decline,
    /// Nobody: this is the answer, from the source `policy`.
    Value(Json),
}

impl Who {
    /// `user` or `assistant`, if the question is asked at all.
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

/// How the questions of a call are handled.
///
/// ```
/// use toolwire_host::{ExchangeOptions, Unanswered};
///
/// let options = ExchangeOptions { unanswered: Unanswered::Defaults, ..ExchangeOptions::default() };
/// assert_eq!((options.max_rounds, options.max_tries), (16, 3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeOptions {
    /// The name of the host, as people know it, for the texts of section 11.4. The default is `Toolwire`, also
    /// for an empty name.
    pub host: String,
    /// Maximum number of calls of the tool for one result; default 16, at least one (Q-27).
    pub max_rounds: usize,
    /// Maximum number of wrong answers to one question; default 3, at least one (Q-56).
    pub max_tries: usize,
    /// Answers that are known beforehand, by question id (Q-52).
    pub given: BTreeMap<String, Json>,
    /// Who answers a question, by question id; `*` is for all others. Answers in `given` take precedence.
    pub questions: BTreeMap<String, Who>,
    /// What happens to all other questions.
    pub unanswered: Unanswered,
    /// What people can do if the tool cannot go on without an answer, by question id; `*` is for all others
    /// (Q-88).
    pub refusals: BTreeMap<String, Alternatives>,
    /// The budget for judging all questions of one answer of the tool, and for checking one answer to a
    /// question (Q-140 to Q-142).
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
    pub(crate) fn who(&self, id: &str) -> Option<&Who> {
        self.questions.get(id).or_else(|| self.questions.get("*"))
    }

    /// What is known of the ways around a question.
    pub(super) fn ways(&self, id: &str) -> Alternatives {
        let ways = self.refusals.get(id).or_else(|| self.refusals.get("*"));
        ways.cloned().unwrap_or_default()
    }
}
