//! The questions of a call as text: its steps, options and answers in JSON.

use std::collections::BTreeMap;

use serde_json::Value;
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::json::{ObjectWriter, array, pointer};
use toolwire::{Block, Code, Error, Json};
use toolwire_host::{
    Alternatives, Exchange, ExchangeOptions, ExchangeOutcome, Mismatch, PendingQuestion, Step, Who,
};

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

fn mismatches_json(found: &[Mismatch]) -> String {
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

/// Reads `{"host","maxRounds","maxTries","given":{id: value},"unanswered","refusals":{id: {"service",
/// "oauth","url","upFront","appPasswords"}}}`; what is absent or null keeps its default.
///
/// # Errors
///
/// `bad_option` at an unknown option and at one with a wrong value; in `refusals` at the entry.
pub fn read_options(text: &str) -> Result<ExchangeOptions, Error> {
    let wrong = |name: &str, message: String| Error::new(Code::BadOption, name, None, message);
    let members: BTreeMap<String, Json> = Json::new(text)
        .and_then(|json| json.to_value())
        .map_err(|error| wrong("", format!("the options are no JSON object: {error}")))?;
    let mut options = ExchangeOptions::default();
    for (name, value) in members {
        let pointer = pointer::join("", &name);
        let simple: Value = value.to_value().unwrap_or_default();
        if simple.is_null() && value.as_str() == "null" {
            continue;
        }
        let expected = |what: &str| wrong(&pointer, format!("`{name}` must be {what}"));
        let count = || {
            // `8.0` is a whole number too: some languages can't tell it from `8`.
            let count = simple.as_f64().filter(|n| n.fract() == 0.0);
            let count = count.filter(|n| (1.0..=1_000_000.0).contains(n));
            count
                .map(|n| n as usize)
                .ok_or_else(|| expected("a whole number from 1 to 1000000"))
        };
        match name.as_str() {
            "host" => match simple.as_str().filter(|text| !text.trim().is_empty()) {
                Some(text) => options.host = text.to_owned(),
                None => return Err(expected("a string that is not empty")),
            },
            "maxRounds" => options.max_rounds = count()?,
            "maxTries" => options.max_tries = count()?,
            "given" => {
                options.given = value.to_value().map_err(|_| expected("an object"))?;
            }
            "unanswered" => {
                let word = simple.as_str().and_then(|word| word.parse().ok());
                options.unanswered =
                    word.ok_or_else(|| expected("`ask`, `defaults`, `decline` or `fail`"))?;
            }
            "refusals" => {
                let entries: BTreeMap<String, Json> =
                    value.to_value().map_err(|_| expected("an object"))?;
                for (id, entry) in entries {
                    let pointer = pointer::join(&pointer, &id);
                    let ways = entry
                        .to_value()
                        .map_err(|_| "is an object of strings".to_owned())
                        .and_then(|members| {
                            alternatives(members).map_err(|name| format!("has no option `{name}`"))
                        })
                        .map_err(|why| wrong(&pointer, format!("`{id}` in `{name}` {why}")))?;
                    options.refusals.insert(id, ways);
                }
            }
            _ => return Err(wrong(&pointer, format!("`{name}` is not an option here"))),
        }
    }
    Ok(options)
}

/// From the members of a JSON object; null is as good as absent. An error is the name of a member that
/// is none of an entry.
fn alternatives(members: BTreeMap<String, Option<String>>) -> Result<Alternatives, String> {
    let mut alternatives = Alternatives::default();
    for (name, text) in members {
        match name.as_str() {
            "service" => alternatives.service = text,
            "oauth" => alternatives.oauth = text,
            "url" => alternatives.url = text,
            "upFront" => alternatives.up_front = text,
            "appPasswords" => alternatives.app_passwords = text,
            _ => return Err(name),
        }
    }
    Ok(alternatives)
}

#[cfg(test)]
mod tests {
    use toolwire::call::Call;
    use toolwire::{Limits, parse};
    use toolwire_host::Unanswered;

    use super::*;

    #[test]
    fn options_are_read_and_wrong_ones_named() {
        let text = r#"{"given":{"confirm":true},"unanswered":"fail","refusals":{"*":{"service":"Example"}}}"#;
        let options = read_options(text).unwrap();
        assert_eq!(options.given["confirm"].as_str(), "true");
        assert_eq!(options.unanswered, Unanswered::Fail);
        assert_eq!(options.refusals["*"].service.as_deref(), Some("Example"));
        for (text, place) in [
            (r#"{"maxRounds":0}"#, "/maxRounds"),
            (r#"{"refusals":{"a/b":{"pin":"1"}}}"#, "/refusals/a~1b"),
        ] {
            assert_eq!(read_options(text).unwrap_err().pointer(), place);
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
