//! The questions of a call as text: its steps, options and answers in JSON.

use std::collections::BTreeMap;

use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::json::{ObjectWriter, array};
use toolwire::{Block, Code, Error, Json};
use toolwire_host::{Exchange, ExchangeOutcome, Mismatch, PendingQuestion, Step, Who};

/// A question that waits, as a JSON object: `{"id","text","schema","default","url","prompt",
/// "context","shown","mismatches":[{"pointer","message"}],"tool","arguments","secret":{"about","pointer","reason",
/// "tier"},"warning","who","round"}`; what is absent is left out.
#[must_use]
pub fn question_json(asked: &PendingQuestion) -> String {
    let default = asked.default.as_ref().map(Json::as_str);
    ObjectWriter::new()
        .text("id", &asked.question.id)
        .text("text", &asked.question.text)
        .json("schema", asked.question.schema.as_str())
        .optional_json("default", default)
        .optional("url", asked.question.url.as_deref())
        .json(
            "prompt",
            asked
                .prompt
                .to_json(&asked.question, asked.default.as_ref()),
        )
        .json("context", array(asked.context.iter().map(Block::to_json)))
        .number("shown", asked.shown as u64)
        .json("mismatches", mismatches_json(&asked.mismatches))
        .optional("tool", asked.tool.as_deref())
        .json("arguments", asked.arguments.as_str())
        .optional_json(
            "secret",
            asked.secret.as_ref().map(|secret| secret.to_json()),
        )
        .optional("warning", asked.warning.as_deref())
        .optional("who", asked.who.as_ref().and_then(Who::asked))
        .number("round", asked.round as u64)
        .end()
}

/// The places where an answer does not fit, as a JSON array.
#[must_use]
pub fn mismatches_json(found: &[Mismatch]) -> String {
    array(found.iter().map(Mismatch::to_json))
}

/// What is to be done next: `{"step":"call","document":…}` with the call document as a string,
/// `{"step":"ask","asking":…}` with what [`question_json`] gives, or `{"step":"done"}`.
#[must_use]
pub fn step_json(exchange: &Exchange) -> String {
    let mut out = ObjectWriter::new();
    match exchange.step() {
        Step::Call(document) => out.text("step", "call").text("document", document),
        Step::Ask(asked) => out
            .text("step", "ask")
            .json("asking", question_json(&asked)),
        Step::Done => out.text("step", "done"),
    };
    out.end()
}

/// Takes an answer: the words of its state and source, and the JSON text of its value if the state is
/// `accepted`. The mismatches come back as a JSON array of `{"message","pointer"}`, which is empty if the
/// answer was taken.
///
/// # Errors
///
/// Those of [`read_answer`].
pub fn handle_answer(
    exchange: &mut Exchange,
    id: &str,
    state: &str,
    source: &str,
    value: Option<&str>,
) -> Result<String, Error> {
    let answer = read_answer(state, source, value)?;
    let found = exchange.handle_answer(id, answer).err();
    Ok(mismatches_json(&found.unwrap_or_default()))
}

/// What became of each question as a JSON array of `{"id","state","source","value"}`, in the order of
/// the ids; what is absent is left out.
#[must_use]
pub fn answers_json(outcome: &ExchangeOutcome) -> String {
    answers(&outcome.answers)
}

pub(crate) fn answers(all: &BTreeMap<String, Answer>) -> String {
    array(all.iter().map(|(id, answer)| {
        ObjectWriter::new()
            .text("id", id)
            .text("state", answer.state().as_str())
            .optional("source", answer.source().map(AnswerSource::as_str))
            .optional_json("value", answer.value().map(Json::as_str))
            .end()
    }))
}

/// An answer from the words of its state and source, and the JSON text of its value, which it has
/// exactly if the state is `accepted`.
///
/// # Errors
///
/// `bad_argument` at `/state`, `/source` or `/value`; or, where the value is not strict JSON, the
/// code of that.
pub fn read_answer(state: &str, source: &str, value: Option<&str>) -> Result<Answer, Error> {
    let state: AnswerState = word("state", state)?;
    let source: AnswerSource = word("source", source)?;
    let value = value.map(Json::new).transpose()?;
    Answer::new(state, Some(source), value)
}

fn word<T: std::str::FromStr<Err: std::fmt::Display>>(name: &str, word: &str) -> Result<T, Error> {
    word.parse().map_err(|error: T::Err| {
        let pointer = format!("/{name}");
        Error::new(
            Code::BadArgument,
            &*pointer,
            None,
            format!("`{name}`: {error}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use toolwire::call::Call;
    use toolwire::{Limits, parse};
    use toolwire_host::{ExchangeOptions, Unanswered};

    use super::*;
    use crate::readers::exchange_options;

    #[test]
    fn options_are_read_and_wrong_ones_named() {
        let text = r#"{"given":{"confirm":true},"unanswered":"fail","refusals":{"*":{"service":"Example"}}}"#;
        let options = exchange_options(text).unwrap();
        assert_eq!(options.given["confirm"].as_str(), "true");
        assert_eq!(options.unanswered, Unanswered::Fail);
        assert_eq!(options.refusals["*"].service.as_deref(), Some("Example"));
        for (text, place) in [
            (r#"{"maxRounds":0}"#, "/maxRounds"),
            (r#"{"refusals":{"a/b":{"pin":"1"}}}"#, "/refusals/a~1b"),
        ] {
            assert_eq!(exchange_options(text).unwrap_err().pointer(), place);
        }
    }

    #[test]
    fn an_exchange_goes_on_as_text() {
        let call = Call::new("rename", Json::new("{}").unwrap());
        let mut exchange = Exchange::new(call, ExchangeOptions::default());
        assert!(step_json(&exchange).starts_with(r#"{"step":"call","document":"{"#));
        let asks = br#"{"content":[{"type":"question","question":{"id":"n","text":"?","schema":{"type":"null"}}}]}"#;
        exchange.handle_result(parse(&asks[..], &Limits::default()));
        assert!(step_json(&exchange).starts_with(r#"{"step":"ask","asking":{"id":"n","text":"?""#));
        let mut answer = |value| handle_answer(&mut exchange, "n", "accepted", "user", value);
        assert_ne!(answer(Some("1")).unwrap(), "[]");
        assert_eq!(answer(None).unwrap_err().pointer(), "/value");
        assert_eq!(answer(Some("null")).unwrap(), "[]");
        let answers = answers_json(&exchange.finish());
        assert_eq!(
            answers,
            r#"[{"id":"n","state":"accepted","source":"user","value":null}]"#
        );
    }

    #[test]
    fn words_that_an_answer_does_not_have_are_named() {
        assert_eq!(
            read_answer("refused", "user", None).unwrap_err().pointer(),
            "/state"
        );
        assert_eq!(
            read_answer("declined", "me", None).unwrap_err().pointer(),
            "/source"
        );
    }
}
