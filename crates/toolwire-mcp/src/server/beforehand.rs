//! Answers that are known before a client is asked.

use std::fmt;
use std::sync::Arc;

use toolwire::Json;
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource};
use toolwire_host::{PendingQuestion, Unanswered};

/// What is answered without asking the client.
///
/// ```
/// use toolwire::Json;
/// use toolwire_mcp::server::Beforehand;
///
/// let answers = Beforehand::new(|question| (question.id == "confirm").then(|| Json::from(true)));
/// assert_eq!(format!("{answers:?}"), "Beforehand { unanswered: Ask, .. }");
/// ```
#[derive(Clone)]
pub struct Beforehand {
    given: Arc<Given>,
    /// What happens to all other questions; default: the client is asked.
    pub unanswered: Unanswered,
}

type Given = dyn Fn(&Question) -> Option<Json> + Send + Sync;

impl Beforehand {
    /// The answers that are given, by their questions. One that does not fit is not used.
    #[must_use]
    pub fn new(given: impl Fn(&Question) -> Option<Json> + Send + Sync + 'static) -> Self {
        Beforehand {
            given: Arc::new(given),
            unanswered: Unanswered::Ask,
        }
    }

    /// The answer to a question, if the client is not asked.
    pub(super) fn answer(&self, asking: &PendingQuestion) -> Option<Answer> {
        let policy = AnswerSource::Policy;
        // Secrets and pages are for a person alone (Q-110, Q-152).
        if asking.secret.is_none() && asking.question.url.is_none() {
            if let Some(value) =
                (self.given)(&asking.question).filter(|_| asking.mismatches.is_empty())
            {
                return Some(Answer::accepted(value, policy));
            }
            if self.unanswered == Unanswered::Defaults
                && let Some(value) = &asking.default
            {
                return Some(Answer::accepted(value.clone(), AnswerSource::Default));
            }
        }
        match self.unanswered {
            Unanswered::Ask => None,
            Unanswered::Decline => Some(Answer::declined(policy)),
            _ => Some(Answer::unavailable(policy)),
        }
    }
}

impl Default for Beforehand {
    fn default() -> Self {
        Beforehand::new(|_| None)
    }
}

impl fmt::Debug for Beforehand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beforehand")
            .field("unanswered", &self.unanswered)
            .finish_non_exhaustive()
    }
}
