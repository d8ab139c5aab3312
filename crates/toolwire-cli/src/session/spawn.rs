//! `toolwire session spawn`: what is to be started is found here, with the caller's environment, and started by
//! the host.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use toolwire::call::{Call, SessionAction, ToolDescription};
use toolwire_host::manifest::SessionKind;
use toolwire_host::{CallMode, Command, ProcessOptions, Who};
use toolwire_session_host::{AnsweredBy, Fetch, Fetched, Kind, RemoteSessions, Spawn, Start, Word};

use super::{USER, failure, host_of, show, wait_for};
use crate::args::{ShownArgs, SourceArgs, SpawnArgs, Verb};
use crate::call;
use crate::exit::{Failure, Outcome, Result};
use crate::guard::Guard;
use crate::output::Out;
use crate::run::{
    Session, Target, arguments, empty_object, find_program, nothing, of_source, pick, text,
};

/// How long a fetch waits for something new.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// The actions of a program that knows nothing of sessions: it can be typed to, and ended.
const ACTIONS: [SessionAction; 4] = [
    SessionAction::Spawn,
    SessionAction::Fetch,
    SessionAction::Apply,
    SessionAction::Abort,
];

/// `session spawn`.
pub async fn spawn(args: &SpawnArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    let (id, _, spawned) = start(args, program, out).await?;
    show::write(&id, &spawned, &args.shown, args.until.as_deref(), out)
}

/// `session run`: what the tool says is written as it comes, until it stops or needs somebody.
pub async fn run(args: &SpawnArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    let (id, sessions, mut said) = start(args, program, out).await?;
    let shown = ShownArgs {
        quiet: true,
        ..args.shown.clone()
    };
    let fetch = Fetch {
        id: id.clone(),
        by: USER.to_owned(),
        wait: Some(LONGEST.as_secs_f64()),
        max_bytes: args.shown.max_bytes,
        ..Fetch::default()
    };
    while said.refusal.is_none() && said.state != "stopped" && said.asks.is_none() {
        show::write(&id, &said, &shown, None, out)?;
        out.flush()?;
        said = sessions.fetch(fetch.clone()).await.map_err(failure)?;
    }
    show::write(&id, &said, &args.shown, None, out)?;
    if said.refusal.is_some() {
        return Ok(Outcome::Negative);
    }
    let waited = sessions.wait(&[id], false, None).await.map_err(failure)?;
    Ok(super::worst(&waited.ready))
}

/// Starts a tool under an id. If that fails, a `wait` for the id must not take an earlier run for this one.
async fn start(
    args: &SpawnArgs,
    program: &OsStr,
    out: &mut Out,
) -> Result<(String, RemoteSessions, Fetched)> {
    let started = start_tool(args, program, out).await;
    if started.is_err()
        && let Some(id) = args.words.first().and_then(|id| text(id).ok())
        && let Ok(host) = host_of(args.process.root.as_deref(), program)
        && let Ok(Some(sessions)) = host.find().await
    {
        // Whatever becomes of it, the error is what counts.
        let _ = sessions.not_spawned(&id).await;
    }
    started
}

async fn start_tool(
    args: &SpawnArgs,
    program: &OsStr,
    out: &mut Out,
) -> Result<(String, RemoteSessions, Fetched)> {
    let Some((id, words)) = args.words.split_first() else {
        return Err(Failure::usage("give the id of the new handle"));
    };
    let id = text(id)?;
    if words.is_empty() && args.command.is_empty() {
        return Err(Failure::usage(format!(
            "name the program that `{id}` is to run, or a tool of `toolwire.toml`"
        )));
    }
    let named = SourceArgs::of_manifest(&args.manifest);
    let first = call::first(words, &args.command);
    let source = find_program(first, &args.command, &named, "session spawn ID")?;
    let guard = Guard::of(&source, &args.locked, &args.manifest, out)?;
    let (target, words) = of_source(source, &words[usize::from(first.is_some())..], false)?;
    let host = host_of(args.process.root.as_deref(), program)?;
    let spawn = prepare(id.clone(), target, words, args, guard, out).await?;
    let sessions = host.find_or_start().await.map_err(failure)?;
    let spawned = sessions.spawn(spawn).await.map_err(failure)?;
    Ok((id, sessions, spawned))
}

/// Everything that the host has to know.
async fn prepare(
    id: String,
    mut target: Target,
    words: Vec<String>,
    args: &SpawnArgs,
    guard: Option<Guard>,
    out: &mut Out,
) -> Result<Spawn> {
    let session = Session::new(&target, &args.process, out.when)?;
    let kind = kind(&target, args, &session.options)?;
    let contract = match (kind, target.contract()) {
        (_, Some(contract)) => Some(contract),
        (Some(_), None) => None,
        // It says whether it keeps running.
        (None, None) => session
            .describe(&target)
            .await?
            .and_then(|found| found.tools)
            .map(|tools| pick(tools, &target))
            .transpose()?,
    };
    if let Some(guard) = &guard {
        guard.before_call(target.listed(contract.as_ref()).as_ref(), out)?;
    }
    let schema = contract.as_ref().map(|contract| &contract.input_schema);
    if contract.is_none() && !words.is_empty() {
        return Err(Failure::Wrong(vec![format!(
            "`{}` does not say what it takes, so `{}` might not reach it; for plain arguments, write `-- PROGRAM \
             ARGUMENTS`",
            target.label,
            words.join(" ")
        )]));
    }
    arguments::refuse_ambiguous(Verb::Spawn, &args.behind, schema, &target.label)?;
    let given = arguments::given(&args.given)?;
    let arguments = arguments::compose(
        Verb::Spawn,
        target.arguments(),
        given.as_ref(),
        &words,
        schema,
    )?;
    let command = target.program(&arguments)?;
    let keeps_running = contract
        .as_ref()
        .is_some_and(|contract| !contract.actions.is_empty());
    let kind = kind.unwrap_or(match (keeps_running, target.plain) {
        (true, _) => Kind::Lines,
        (false, true) => Kind::Plain,
        (false, false) => Kind::Once,
    });
    // What it takes is in its command.
    let empty = || ToolDescription::new(&target.label, nothing());
    let mut tool = contract.unwrap_or_else(empty);
    let named = tool.name.clone();
    target.describe(&mut tool);
    if tool.actions.is_empty() {
        tool.actions = ACTIONS.into();
    }
    let mut call = Call::new(&named, arguments);
    call.options = std::mem::replace(&mut target.options, empty_object());
    call.root.clone_from(&session.root);
    let json = |text: String| toolwire::Json::new(text).map_err(|error| Failure::refused(&error));
    Ok(Spawn {
        id,
        by: USER.to_owned(),
        tool: json(tool.to_json())?,
        call: json(call.to_json())?,
        start: start_of(kind, &command, &session.options, size(kind, args)?)?,
        wait: wait_for(args.wait, args.until.as_deref()),
        until: args.until.clone(),
        max_bytes: super::most(&args.shown, args.until.as_deref()),
        idle: None,
        questions: answered_by(&target.questions),
    })
}

/// How the program is talked to, where that does not depend on what it says of itself.
fn kind(target: &Target, args: &SpawnArgs, options: &ProcessOptions) -> Result<Option<Kind>> {
    if args.pty {
        return Ok(Some(Kind::Pty));
    }
    if args.pipe {
        return Ok(Some(Kind::Pipe));
    }
    if let Some(tool) = &target.manifest {
        return Ok(match tool.session {
            Some(SessionKind::Pty) => Some(Kind::Pty),
            Some(_) => Some(Kind::Pipe),
            None => target.plain.then_some(Kind::Plain),
        });
    }
    let mode = CallMode::of(&target.program, options, false)
        .map_err(|error| Failure::Io(error.to_string()))?;
    Ok((mode != CallMode::Describe).then_some(Kind::Pipe))
}

/// The size of its terminal, if it gets one.
fn size(kind: Kind, args: &SpawnArgs) -> Result<Option<(u16, u16)>> {
    if args.size.is_some() && kind != Kind::Pty {
        return Err(Failure::usage(
            "`--size` is that of a pseudo-terminal, and the program gets none; add `--pty`",
        ));
    }
    Ok(args.size)
}

/// Who answers the questions of a tool, for the host.
pub fn answered_by(questions: &BTreeMap<String, Who>) -> BTreeMap<String, AnsweredBy> {
    let by = |who: &Who| match who {
        Who::Assistant => AnsweredBy::Assistant,
        Who::Default => AnsweredBy::Default,
        Who::Decline => AnsweredBy::Decline,
        Who::Value(value) => AnsweredBy::Value(value.clone()),
        // Whatever else there will be, a person may answer.
        _ => AnsweredBy::User,
    };
    let questions = questions.iter();
    questions.map(|(id, who)| (id.clone(), by(who))).collect()
}

/// The program as it would be started here.
pub fn start_of(
    kind: Kind,
    command: &Command,
    options: &ProcessOptions,
    size: Option<(u16, u16)>,
) -> Result<Start> {
    let command = command
        .resolve(options)
        .map_err(|error| Failure::Io(error.to_string()))?;
    let here = std::env::current_dir()
        .map_err(|error| Failure::Io(format!("cannot tell the current folder: {error}")))?;
    let cwd = options
        .cwd
        .as_ref()
        .map_or_else(|| here.clone(), |cwd: &PathBuf| here.join(cwd));
    let word = |word: &OsString| Word::from(word.as_os_str());
    let variables = options.environment.to_variables();
    Ok(Start {
        kind,
        program: Word::from(command.program()),
        arguments: command.arguments().iter().map(word).collect(),
        environment: variables
            .iter()
            .map(|(name, value)| (word(name), word(value)))
            .collect(),
        cwd: Word::from(cwd.as_os_str()),
        size,
        timeout: options.timeout.map(|timeout| timeout.as_secs_f64()),
        max_output: Some(options.max_output),
    })
}
