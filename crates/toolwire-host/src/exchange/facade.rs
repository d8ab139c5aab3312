//! The exchange in JSON, as the bindings have it.

use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::{Code, Error, Json};

use super::pending::{Members, array};
use super::{Exchange, Step};
use crate::Mismatch;

impl Exchange {
    /// What is to be done next, as [`Exchange::step`]: `{"step":"call","document":…}` with the call
    /// document as a string, `{"step":"ask","asking":{…}}` with what [`PendingQuestion::to_json`] gives, or
    /// `{"step":"done"}`.
    ///
    /// [`PendingQuestion::to_json`]: crate::PendingQuestion::to_json
    ///
    /// ```
    /// use toolwire::{Json, call::Call};
    /// use toolwire_host::{Exchange, ExchangeOptions};
    ///
    /// let exchange = Exchange::new(Call::new("now", Json::new("{}")?), ExchangeOptions::default());
    /// assert!(exchange.step_json().starts_with(r#"{"step":"call","document":"{"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn step_json(&self) -> String {
        let mut out = Members::default();
        match self.step() {
            Step::Call(document) => {
                out.text("step", "call");
                out.text("document", &document);
            }
            Step::Ask(asking) => {
                out.text("step", "ask");
                out.json("asking", &asking.to_json());
            }
            Step::Done => out.text("step", "done"),
        }
        out.end()
    }

    /// Takes an answer, as [`Exchange::answered`]: the words of its state and source, and the JSON
    /// text of its value if the state is `accepted`. The mismatches come back as a JSON array of
    /// `{"message","pointer"}`, which is empty if the answer was taken.
    ///
    /// # Errors
    ///
    /// Those of [`read_answer`](crate::read_answer).
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Json, Limits, call::Call, parse};
    /// use toolwire_host::{Exchange, ExchangeOptions};
    ///
    /// let mut exchange = Exchange::new(Call::new("rename", Json::new("{}")?), ExchangeOptions::default());
    /// let asks = br#"{"content":[{"type":"question","question":{"id":"n","text":"?","schema":{"type":"null"}}}]}"#;
    /// exchange.received(parse(&asks[..], &Limits::default()));
    /// assert_ne!(exchange.answered_json("n", "accepted", "user", Some("1"))?, "[]");
    /// assert_eq!(exchange.answered_json("n", "accepted", "user", Some("null"))?, "[]");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn answered_json(
        &mut self,
        id: &str,
        state: &str,
        source: &str,
        value: Option<&str>,
    ) -> Result<String, Error> {
        let answer = read_answer(state, source, value)?;
        let found = self.answered(id, answer).err().unwrap_or_default();
        Ok(array(found.iter().map(Mismatch::to_json)))
    }
}

/// An answer from the words of its state and source, and the JSON text of its value, which it has
/// exactly if the state is `accepted`.
///
/// # Errors
///
/// `bad_argument` at `/state`, `/source` or `/value`; or, where the value is not strict JSON, the
/// code of that.
///
/// # Examples
///
/// ```
/// use toolwire::call::AnswerState;
/// use toolwire_host::read_answer;
///
/// assert_eq!(read_answer("declined", "user", None)?.state(), AnswerState::Declined);
/// assert_eq!(read_answer("refused", "user", None).unwrap_err().pointer(), "/state");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_answer(state: &str, source: &str, value: Option<&str>) -> Result<Answer, Error> {
    let wrong =
        |pointer: &str, message: String| Error::new(Code::BadArgument, pointer, None, message);
    let words = |all: Vec<&str>| all.join("`, `");
    let found = AnswerState::ALL
        .iter()
        .copied()
        .find(|one| one.as_str() == state);
    let state = found.ok_or_else(|| {
        let words = words(AnswerState::ALL.iter().map(|one| one.as_str()).collect());
        wrong(
            "/state",
            format!("`state` is one of `{words}`, not `{state}`"),
        )
    })?;
    let found = AnswerSource::ALL
        .iter()
        .copied()
        .find(|one| one.as_str() == source);
    let source = found.ok_or_else(|| {
        let words = words(AnswerSource::ALL.iter().map(|one| one.as_str()).collect());
        wrong(
            "/source",
            format!("`source` is one of `{words}`, not `{source}`"),
        )
    })?;
    let value = value.map(Json::new).transpose()?;
    Answer::new(state, Some(source), value)
}
