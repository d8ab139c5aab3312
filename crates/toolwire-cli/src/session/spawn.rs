//! `toolwire session spawn`: what is to be started is found here, with the caller's environment, and started by
//! the host.

use std::ffi::OsStr;
use std::time::Duration;

use toolwire::Json;
use toolwire::call::{Call, SessionAction, ToolDescription};
use toolwire::session::SessionState;
use toolwire_host::handles::{Fetch, Handles as _, How, Spawn, Wait};
use toolwire_host::manifest::SessionKind;
use toolwire_host::{CallMode, FetchOptions, Fetched, ProcessOptions};
use toolwire_session_host::RemoteHandles;

use super::{USER, host_of, show, wait_for};
use crate::args::{ShownArgs, SourceArgs, SpawnArgs};
use crate::baseline::Baseline;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::run::arguments::{self, Verb};
use crate::run::{Session, Target, find_program, of_source, pick, source_word};

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
    let mut fetch = Fetch::new(&id, USER);
    fetch.options.wait = Some(LONGEST);
    fetch.options.max_bytes = args.shown.max_bytes;
    let is_over = |said: &Fetched| said.state == SessionState::Stopped || said.asks.is_some();
    while said.refusal.is_none() && !is_over(&said) {
        show::write(&id, &said, &shown, None, out)?;
        out.flush()?;
        said = sessions.fetch(fetch.clone()).await?;
    }
    show::write(&id, &said, &args.shown, None, out)?;
    if said.refusal.is_some() {
        return Ok(Outcome::Negative);
    }
    let wait = Wait {
        ids: vec![id],
        any: false,
        timeout: None,
    };
    let waited = sessions.wait(wait).await?;
    Ok(super::worst(&waited.ready))
}

/// Starts a tool under an id. If that fails, a `wait` for the id must not take an earlier run for this one.
async fn start(
    args: &SpawnArgs,
    program: &OsStr,
    out: &mut Out,
) -> Result<(String, RemoteHandles, Fetched)> {
    let started = start_tool(args, program, out).await;
    if started.is_err()
        && let Ok(host) = host_of(args.process.root.as_deref(), program)
        && let Ok(Some(sessions)) = host.find().await
    {
        // Whatever becomes of it, the error is what counts.
        let _ = sessions.not_spawned(&args.id).await;
    }
    started
}

async fn start_tool(
    args: &SpawnArgs,
    program: &OsStr,
    out: &mut Out,
) -> Result<(String, RemoteHandles, Fetched)> {
    let (id, words) = (args.id.clone(), &args.words);
    if words.is_empty() && args.command.is_empty() {
        return Err(Failure::usage(format!(
            "name the program that `{id}` is to run, or a tool of `toolwire.toml`"
        )));
    }
    let named = SourceArgs::of_manifest(&args.manifest);
    let word = source_word(words, &args.command);
    let source = find_program(word, &args.command, &named, "session spawn ID")?;
    let baseline = Baseline::default().with_lock(&source, &args.locked, &args.manifest, out)?;
    let (target, words) = of_source(source, &words[usize::from(word.is_some())..], false)?;
    let host = host_of(args.process.root.as_deref(), program)?;
    let spawn = prepare(id.clone(), target, words, args, &baseline, out).await?;
    let sessions = host.find_or_start().await?;
    let spawned = sessions.spawn(spawn).await?;
    Ok((id, sessions, spawned))
}

/// Everything that the host has to know.
async fn prepare(
    id: String,
    target: Target,
    words: Vec<String>,
    args: &SpawnArgs,
    baseline: &Baseline,
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
    baseline.before_call(target.listed(contract.as_ref()).as_ref(), out)?;
    let schema = contract.as_ref().map(|contract| &contract.input_schema);
    if contract.is_none() && !words.is_empty() {
        return Err(Failure::Wrong(vec![format!(
            "`{}` does not say what it takes, so `{}` might not reach it; for plain arguments, write `-- PROGRAM \
             ARGUMENTS`",
            target.label,
            words.join(" ")
        )]));
    }
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
    let kind = kind.unwrap_or(match (keeps_running, target.entry.plain) {
        (true, _) => How::Lines,
        (false, true) => How::Plain,
        (false, false) => How::Once,
    });
    // What it takes is in its command.
    let object = Json::new(r#"{"type":"object"}"#).map_err(|error| Failure::refused(&error))?;
    let empty = || ToolDescription::new(&target.label, object);
    let mut tool = contract.unwrap_or_else(empty);
    let named = tool.name.clone();
    target.describe(&mut tool);
    if tool.actions.is_empty() {
        tool.actions = ACTIONS.into();
    }
    let mut call = Call::new(&named, arguments);
    call.options = target.entry.options;
    call.root.clone_from(&session.root);
    let size = size(kind, args)?;
    let spawn = Spawn::new(&id, USER, kind, &tool, &call, &command, &session.options);
    let mut spawn = spawn.map_err(|error| Failure::Io(error.to_string()))?;
    spawn.size = size;
    spawn.questions = target.entry.questions;
    spawn.first = FetchOptions {
        wait: wait_for(args.wait, args.until.as_deref()),
        until: args.until.clone(),
        max_bytes: super::most(&args.shown, args.until.as_deref()),
        ..FetchOptions::default()
    };
    Ok(spawn)
}

/// How the program is talked to, where that does not depend on what it says of itself.
fn kind(target: &Target, args: &SpawnArgs, options: &ProcessOptions) -> Result<Option<How>> {
    if args.pty {
        return Ok(Some(How::Pty));
    }
    if args.pipe {
        return Ok(Some(How::Pipe));
    }
    if target.in_manifest {
        return Ok(match target.entry.session {
            Some(SessionKind::Pty) => Some(How::Pty),
            Some(_) => Some(How::Pipe),
            None => target.entry.plain.then_some(How::Plain),
        });
    }
    let mode = CallMode::of(&target.entry.command, options, false)
        .map_err(|error| Failure::Io(error.to_string()))?;
    Ok((mode != CallMode::Describe).then_some(How::Pipe))
}

/// The size of its terminal, if it gets one.
fn size(kind: How, args: &SpawnArgs) -> Result<Option<(u16, u16)>> {
    if args.size.is_some() && kind != How::Pty {
        return Err(Failure::usage(
            "`--size` is that of a pseudo-terminal, and the program gets none; add `--pty`",
        ));
    }
    Ok(args.size)
}
