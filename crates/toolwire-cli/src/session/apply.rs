//! `toolwire session apply`: input, keys, and answers to questions.

use std::ffi::OsStr;

use serde_json::json;
use toolwire::Json;
use toolwire::block::Question;
use toolwire::question::read_question;
use toolwire_session_host::{Apply, Fetch, RemoteSessions};

use super::{ASSISTANT, USER, failure, holding, show, wait_for};
use crate::args::{ApplyArgs, BeforehandArgs};
use crate::exit::{Failure, Outcome, Result};
use crate::input;
use crate::output::Out;
use crate::run::given::Given;

/// The most bytes of a file that is typed.
const MAX_BYTES: usize = 1024 * 1024;

pub async fn run(args: &ApplyArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    let mut apply = Apply {
        id: args.id.clone(),
        // A model can type in a shell as well as a person.
        by: ASSISTANT.to_owned(),
        wait: wait_for(args.wait, args.until.as_deref()),
        until: args.until.clone(),
        max_bytes: super::most(&args.shown, args.until.as_deref()),
        ..Apply::default()
    };
    // What is wrong with the words is told whether there is such a handle or not.
    let input = what(args)?;
    let sessions = holding(&args.id, &args.workspace, program).await?;
    match input {
        Some(_) if args.input.is_some() && answers(args, &sessions, &mut apply).await? => {}
        Some(input) => apply.input = Some(input),
        None if args.decline => apply.answer = Some(json_of(&json!({"state": "declined"}))?),
        None => answer(args, &sessions, &mut apply).await?,
    }
    let applied = sessions.apply(apply).await.map_err(failure)?;
    let until = args.until.as_deref();
    show::write(&args.id, &applied, &args.shown, until, out)
}

/// Reads a text as the answer to the question that is open, if one is, as `--answer` reads it.
async fn answers(args: &ApplyArgs, sessions: &RemoteSessions, apply: &mut Apply) -> Result<bool> {
    let handles = sessions.list().await.map_err(failure)?;
    let handle = handles.into_iter().find(|one| one.id == args.id);
    // What a person alone may answer is refused, and not read first.
    let handle = handle.filter(|one| !one.person);
    let question = handle.and_then(|one| read_question(one.question?.as_str()).ok());
    let (Some(question), Some(text)) = (question, &args.input) else {
        return Ok(false);
    };
    let given = vec![format!("{}={text}", question.id)];
    take(args, given, &question, apply)?;
    Ok(true)
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
async fn answer(args: &ApplyArgs, sessions: &RemoteSessions, apply: &mut Apply) -> Result<()> {
    let handles = sessions.list().await.map_err(failure)?;
    let Some(handle) = handles.into_iter().find(|one| one.id == args.id) else {
        // The host says what there is instead.
        let fetch = Fetch {
            id: args.id.clone(),
            by: USER.to_owned(),
            after: Some(0),
            ..Fetch::default()
        };
        let refused = sessions.fetch(fetch).await.map_err(failure)?;
        let message = show::refusal(&refused).unwrap_or_default();
        return Err(Failure::Refused(message));
    };
    let question = handle.question.map(|json| read_question(json.as_str()));
    let Some(Ok(question)) = question else {
        return Err(Failure::Refused(format!(
            "no question of `{}` is open; `toolwire session fetch {0}` says what it does",
            args.id
        )));
    };
    take(args, args.answer.clone(), &question, apply)
}

/// Reads what was given for a question by its schema.
fn take(
    args: &ApplyArgs,
    answers: Vec<String>,
    question: &Question,
    apply: &mut Apply,
) -> Result<()> {
    let mut given = Given::read(&BeforehandArgs {
        answer: answers,
        answers: None,
        non_interactive: None,
    })?;
    let read = given.answer(question);
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
    let answer = toolwire::json::ObjectWriter::new()
        .text("state", "accepted")
        .json("value", value.as_str())
        .end();
    apply.answer = Some(Json::new(answer).map_err(|error| Failure::refused(&error))?);
    apply.question = Some(question.id.clone());
    Ok(())
}

fn json_of(value: &serde_json::Value) -> Result<Json> {
    Json::from_value(value).map_err(|error| Failure::refused(&error))
}
