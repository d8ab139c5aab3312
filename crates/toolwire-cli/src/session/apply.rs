//! `toolwire session apply`: input, keys, and answers to questions.

use std::ffi::OsStr;

use serde_json::json;
use toolwire::Json;
use toolwire::block::Question;
use toolwire::call::Answer;
use toolwire::session::Applied;
use toolwire_host::FetchOptions;
use toolwire_host::handles::{Apply, Fetch, Handles as _};
use toolwire_session_host::RemoteHandles;

use super::{ASSISTANT, USER, holding, show, wait_for};
use crate::args::{ApplyArgs, BeforehandArgs};
use crate::exit::{Failure, Outcome, Result};
use crate::input;
use crate::output::Out;
use crate::run::given::Given;

/// The most bytes of a file that is typed.
const MAX_BYTES: usize = 1024 * 1024;

pub async fn run(args: &ApplyArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    // What is wrong with the words is told whether there is such a handle or not.
    let input = what(args)?;
    let sessions = holding(&args.id, &args.workspace, program).await?;
    let (what, question) = match input {
        Some(input) => match answers(args, &sessions).await? {
            Some((answer, question)) => (Applied::Answer(answer), Some(question)),
            None => (Applied::Input(input), None),
        },
        None if args.decline => (Applied::Answer(Answer::declined(ASSISTANT)), None),
        None => {
            let (answer, question) = answer(args, &sessions).await?;
            (Applied::Answer(answer), Some(question))
        }
    };
    let apply = Apply {
        id: args.id.clone(),
        // A model can type in a shell as well as a person.
        by: ASSISTANT,
        what,
        question,
        options: FetchOptions {
            wait: wait_for(args.wait, args.until.as_deref()),
            until: args.until.clone(),
            max_bytes: super::most(&args.shown, args.until.as_deref()),
            ..FetchOptions::default()
        },
    };
    let applied = sessions.apply(apply).await?;
    let until = args.until.as_deref();
    show::write(&args.id, &applied, &args.shown, until, out)
}

/// Reads a text as the answer to the question that is open, if one is, as `--answer` reads it.
async fn answers(args: &ApplyArgs, sessions: &RemoteHandles) -> Result<Option<(Answer, String)>> {
    let Some(text) = &args.input else {
        return Ok(None);
    };
    let handles = sessions.list(&[&args.id]).await?;
    // What a person alone may answer is refused, and not read first.
    let handle = handles.into_iter().find(|one| !one.person);
    let Some(asks) = handle.and_then(|one| one.asks) else {
        return Ok(None);
    };
    let given = vec![format!("{}={text}", asks.question.id)];
    take(args, given, asks.question).map(Some)
}

/// The input, if there is any.
fn what(args: &ApplyArgs) -> Result<Option<Json>> {
    let file = args.file.as_ref().map(|path| {
        let bytes = input::read_file(path, MAX_BYTES)?;
        String::from_utf8(bytes)
            .map_err(|_| Failure::Wrong(vec![format!("`{}` is not UTF-8", path.display())]))
    });
    let text = file.transpose()?.or_else(|| args.input.clone());
    Ok(Some(
        match (&text, args.enter, &args.key[..], &args.input_json) {
            (Some(text), false, ..) => Json::from(text.as_str()),
            (text, true, ..) => {
                let text = text.clone().unwrap_or_default();
                json_of(&json!({ "text": text, "enter": true }))?
            }
            (None, _, [key], _) => json_of(&json!({ "key": key }))?,
            (None, _, keys @ [_, ..], _) => json_of(&json!({ "keys": keys }))?,
            (None, _, [], Some(text)) => Json::new(text).map_err(|error| {
                Failure::Wrong(vec![format!(
                    "`--input-json` is not JSON: {}",
                    error.message()
                )])
            })?,
            (None, _, [], None) if args.decline || !args.answer.is_empty() => return Ok(None),
            (None, _, [], None) => {
                return Err(Failure::usage(
                    "say what to apply: a text, `--enter`, `--key`, `--file`, `--input-json`, `--answer` or \
                 `--decline`",
                ));
            }
        },
    ))
}

/// Reads the answer by the schema of the open question.
async fn answer(args: &ApplyArgs, sessions: &RemoteHandles) -> Result<(Answer, String)> {
    let handles = sessions.list(&[&args.id]).await?;
    let Some(handle) = handles.into_iter().next() else {
        // The host says what there is instead.
        let mut fetch = Fetch::new(&args.id, USER);
        fetch.options.after = Some(0);
        let refused = sessions.fetch(fetch).await?;
        let message = show::refusal(&refused).unwrap_or_default();
        return Err(Failure::Refused(message));
    };
    let Some(asks) = handle.asks else {
        return Err(Failure::Refused(format!(
            "no question of `{}` is open; `toolwire session fetch {0}` says what it does",
            args.id
        )));
    };
    take(args, args.answer.clone(), asks.question)
}

/// Reads what was given for a question by its schema: the answer, and the id of the question.
fn take(args: &ApplyArgs, answers: Vec<String>, question: Question) -> Result<(Answer, String)> {
    let mut given = Given::read(&BeforehandArgs {
        answer: answers,
        answers: None,
        non_interactive: None,
    })?;
    let read = given.answer(&question);
    if let Some((name, meant)) = given.unused().into_iter().next() {
        let meant = meant.unwrap_or_else(|| question.id.clone());
        return Err(Failure::Wrong(vec![format!(
            "`{}` does not ask `{name}`; its open question is `{meant}`",
            args.id
        )]));
    }
    let value = read.map_err(|message| {
        Failure::Wrong(vec![format!(
            "the answer to `{}` does not fit: {message}",
            question.id
        )])
    })?;
    let value = value.unwrap_or_else(|| Json::from(""));
    Ok((Answer::accepted(value, ASSISTANT), question.id))
}

fn json_of(value: &serde_json::Value) -> Result<Json> {
    Json::from_value(value).map_err(|error| Failure::refused(&error))
}
