//! Tools that keep running between commands, in the user's session host (`docs/reference/command.md`).

mod apply;
mod attach;
mod draw;
mod link;
mod show;
mod spawn;
mod state;
pub mod tasks;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use toolwire::call::AnswerSource;
use toolwire::session::{SessionState, SessionView};
use toolwire_host::handles::{Fetch, Handles as _, Listed, Wait};
use toolwire_host::{FetchOptions, manifest, parse_time};
use toolwire_session_host::{HostOptions, Place, RemoteHandles, SessionHostClient};

use crate::args::{
    AbortArgs, FetchArgs, ListHandlesArgs, ResizeArgs, SessionArgs, SessionVerb, ShownArgs,
    WaitArgs, WorkspaceArg, quoted,
};
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::own_path::own_path;
use crate::run::{Signals, block_on_and_leave};
use crate::terminal;

pub use link::link;

/// The first argument of the process that is a session host. Client and host are of one version.
pub const HOST: &str = "__session-host";

/// How long the host waits for somebody, where this variable says so.
const IDLE: &str = "TOOLWIRE_SESSION_IDLE";

/// How long a fetch waits for a text, if nobody says.
const UNTIL: Duration = Duration::from_secs(10);

/// Maximum number of tools ended at once.
const ABORTS: usize = 64;

/// For whom the command acts where it makes no difference who it is: whoever can use it can end the process, too.
const USER: AnswerSource = AnswerSource::User;

/// For whom it acts where a model must not act for a person: nobody can tell who types in a shell.
const ASSISTANT: AnswerSource = AnswerSource::Assistant;

/// Is the host, if the arguments of this process say so.
pub fn host(arguments: &[OsString]) -> Option<u8> {
    let (first, rest) = arguments.get(1..)?.split_first()?;
    if first != HOST {
        return None;
    }
    let Some(arguments) = toolwire_session_host::HostArguments::read(rest) else {
        return Some(Outcome::Usage as u8);
    };
    let arguments = arguments.with_tasks(Arc::new(tasks::Tasks::default()));
    let ran = toolwire_session_host::run(&arguments);
    Some(ran.map_or(Outcome::Io, |()| Outcome::Success) as u8)
}

/// The handles of a workspace, for completions: nothing if there is no host, or if it does not say so in a second.
pub fn known(workspace: &WorkspaceArg) -> Vec<Listed> {
    let listing = async {
        let place = Place::of(&self::workspace(workspace.root.as_deref())?)?;
        let host = SessionHostClient::new(place, Vec::new(), Duration::ZERO);
        match host.find().await? {
            Some(handles) => Ok(handles.list(&[]).await?),
            None => Ok(Vec::new()),
        }
    };
    let listed = block_on_and_leave(async {
        let listed = tokio::time::timeout(Duration::from_secs(1), listing).await;
        listed.unwrap_or_else(|_| Ok(Vec::new()))
    });
    listed.unwrap_or_default()
}

/// Carries out a command of sessions. `program` is how this process was started.
pub fn run(args: &SessionArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    block_on_and_leave(async {
        // `attach` needs a thread for keys, so signals are heard by all of them alike.
        let signals = Signals::listen()?;
        let work = carry_out(args, program, out);
        let done = tokio::select! {
            biased;
            done = work => done,
            () = signals.nth(1) => Err(Failure::Ended(signals.outcome())),
        };
        if let Err(failure) = &done
            && args.json()
            && let Some(envelope) = show::failed(failure)
        {
            out.json(&envelope)?;
        }
        done
    })
}

async fn carry_out(args: &SessionArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    match &args.verb {
        SessionVerb::Spawn(args) => spawn::spawn(args, program, out).await,
        SessionVerb::Run(args) => spawn::run(args, program, out).await,
        SessionVerb::Fetch(args) => fetch(args, program, out).await,
        SessionVerb::Apply(args) => apply::run(args, program, out).await,
        SessionVerb::Resize(args) => resize(args, program).await,
        SessionVerb::Abort(args) => abort(args, program, out).await,
        SessionVerb::List(args) => list(args, program, out).await,
        SessionVerb::Wait(args) => wait(args, program, out).await,
        SessionVerb::Attach(args) => attach::attach(args, program, out).await,
    }
}

/// The root of the workspace whose handles are meant.
fn workspace(root: Option<&str>) -> Result<PathBuf> {
    let here = || {
        std::env::current_dir()
            .map_err(|error| Failure::Io(format!("cannot tell the current folder: {error}")))
    };
    let Some(root) = root else {
        let nearest = manifest::nearest()?;
        let folder = nearest.as_deref().and_then(Path::parent);
        return folder.map_or_else(here, |folder| Ok(folder.to_owned()));
    };
    // A URI is for the tool; its host is found by a path.
    let path = match root.strip_prefix("file://") {
        Some(path) if path.starts_with('/') && !path.contains('%') => path,
        Some(_) => {
            return Err(Failure::usage(format!(
                "`--root`: give the path of the workspace instead of `{root}`"
            )));
        }
        None => root,
    };
    let path = here()?.join(path);
    match path.is_dir() {
        true => Ok(path),
        false => Err(Failure::usage(format!("`--root`: `{root}` is no folder"))),
    }
}

/// The host of a workspace.
fn host_of(root: Option<&str>, program: &OsStr) -> Result<SessionHostClient> {
    let place = Place::of(&workspace(root)?)?;
    let program = vec![own_path(program)?.into(), HOST.into()];
    let idle = match std::env::var(IDLE) {
        Ok(text) => {
            parse_time(&text).map_err(|error| Failure::Wrong(vec![format!("`{IDLE}`: {error}")]))?
        }
        Err(_) => HostOptions::default().idle,
    };
    Ok(SessionHostClient::new(place, program, idle))
}

/// The sessions of a workspace, if it has a host.
async fn find(workspace: &WorkspaceArg, program: &OsStr) -> Result<Option<RemoteHandles>> {
    let host = host_of(workspace.root.as_deref(), program)?;
    Ok(host.find().await?)
}

/// The sessions of a workspace in which there is to be a handle of this id.
async fn holding(id: &str, workspace: &WorkspaceArg, program: &OsStr) -> Result<RemoteHandles> {
    let host = host_of(workspace.root.as_deref(), program)?;
    let found = host.find().await?;
    found.ok_or_else(|| {
        Failure::Refused(format!(
            "there is no handle `{id}`, nor any other, in the workspace `{}`; spawn one, or name another \
             workspace with `--root`",
            host.place().root().display()
        ))
    })
}

async fn fetch(args: &FetchArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    let sessions = holding(&args.id, &args.workspace, program).await?;
    if args.screen || args.changes {
        must_have_screen(&args.id, &sessions).await?;
    }
    let view = [
        (args.screen, SessionView::Screen),
        (args.changes, SessionView::Changes),
        (args.new || args.tail.is_some(), SessionView::New),
    ];
    let view = view.into_iter().find(|(wanted, _)| *wanted);
    let mut fetch = Fetch::new(&args.id, USER);
    fetch.options = FetchOptions {
        after: args.after,
        wait: wait_for(args.wait, args.until.as_deref()),
        until: args.until.clone(),
        view: view.map(|(_, view)| view),
        // What is kept is bounded already.
        max_bytes: args
            .tail
            .map(|_| usize::MAX)
            .or(most(&args.shown, args.until.as_deref())),
        tail: args.tail,
    };
    let fetched = sessions.fetch(fetch).await?;
    let before = match args.tail {
        Some(_) => "were skipped",
        None => "were dropped, because nobody fetched them",
    };
    show::write_after(
        before,
        &args.id,
        &fetched,
        &args.shown,
        args.until.as_deref(),
        out,
    )
}

/// How much is written at once. A text that was waited for is in it, however much came before.
fn most(shown: &ShownArgs, until: Option<&str>) -> Option<usize> {
    shown.max_bytes.or(until.map(|_| usize::MAX))
}

/// How long to wait; whoever waits for a text means it to come.
fn wait_for(wait: Option<Duration>, until: Option<&str>) -> Option<Duration> {
    wait.or(until.map(|_| UNTIL))
}

/// Refuses to show the screen of a tool that has none. That there is no such handle is for the host to say.
async fn must_have_screen(id: &str, sessions: &RemoteHandles) -> Result<()> {
    let handles = sessions.list(&[id]).await?;
    match handles.first() {
        Some(one) if !one.terminal => Err(Failure::Wrong(vec![format!(
            "`{id}` has no screen, because it has no pseudo-terminal; fetch it without `--screen` and `--changes`"
        )])),
        _ => Ok(()),
    }
}

async fn resize(args: &ResizeArgs, program: &OsStr) -> Result<Outcome> {
    let sessions = holding(&args.id, &args.workspace, program).await?;
    let (columns, rows) = args.size;
    let terminal = sessions.attach(&args.id, columns, rows).await;
    let mut terminal = terminal?;
    match terminal.next().await? {
        Some(_) => terminal.leave().await?,
        None => {
            let message = format!("`{}` has stopped", terminal::safe(&args.id));
            return Err(Failure::Refused(message));
        }
    }
    Ok(Outcome::Success)
}

async fn abort(args: &AbortArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    let sessions = match args.ids.first() {
        Some(id) => holding(id, &args.workspace, program).await?,
        None => match find(&args.workspace, program).await? {
            Some(sessions) => sessions,
            None => return Ok(Outcome::Success),
        },
    };
    let handles = sessions.list(&[]).await?;
    let (stopped, running): (Vec<_>, Vec<_>) = handles
        .into_iter()
        .partition(|one| one.state == SessionState::Stopped);
    let mut ids: Vec<String> = match args.all {
        true => running.into_iter().map(|one| one.id).collect(),
        false => args.ids.clone(),
    };
    if !args.json {
        // What it has said is not lost, and was not asked for here.
        for one in stopped.iter().filter(|one| ids.contains(&one.id)) {
            if !args.quiet {
                let (id, how) = (terminal::safe(&one.id), state::listed(one));
                out.complain(&format!("`{id}`: {how}, before it was aborted"));
            }
        }
        ids.retain(|id| stopped.iter().all(|one| one.id != *id));
    }
    // One that does not want to end takes seconds, and nobody waits for the others' sake.
    let (sessions, room) = (Arc::new(sessions), Arc::new(Semaphore::new(ABORTS)));
    let aborts: Vec<_> = ids
        .iter()
        .map(|id| {
            let (sessions, room) = (Arc::clone(&sessions), Arc::clone(&room));
            let id = id.clone();
            tokio::spawn(async move {
                let _place = room.acquire().await;
                sessions.abort(&id, USER).await
            })
        })
        .collect();
    let mut worst = Outcome::Success;
    for (id, abort) in ids.iter().zip(aborts) {
        let aborted = abort
            .await
            .map_err(|error| Failure::Io(format!("cannot abort `{id}`: {error}")))?;
        let aborted = aborted?;
        let shown = ShownArgs {
            format: None,
            json: args.json,
            quiet: args.quiet,
            max_bytes: None,
        };
        // What a tool says while it ends is handed over here and never again.
        if aborted.refusal.is_some() {
            worst = Outcome::Negative;
        }
        if !args.quiet || args.json || aborted.refusal.is_some() {
            show::write(id, &aborted, &shown, None, out)?;
        }
    }
    Ok(worst)
}

async fn list(args: &ListHandlesArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    let host = host_of(args.workspace.root.as_deref(), program)?;
    let handles = match host.find().await? {
        Some(sessions) => sessions.list(&[]).await?,
        None => Vec::new(),
    };
    if args.json {
        let root = host.place().root().to_string_lossy();
        out.json(&json!({ "workspace": root, "handles": rows(&handles) }).to_string())?;
        return Ok(Outcome::Success);
    }
    write_rows(&handles, true, out)?;
    for version in host.place().other_versions() {
        out.complain(&format!(
            "toolwire {version} has handles of this workspace, too; that version lists and ends them"
        ));
    }
    Ok(Outcome::Success)
}

async fn wait(args: &WaitArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    let id = args.ids.first().map_or("", String::as_str);
    let sessions = holding(id, &args.workspace, program).await?;
    let wait = Wait {
        ids: args.ids.clone(),
        any: args.any,
        timeout: args.timeout,
    };
    let waited = sessions.wait(wait).await?;
    match args.json {
        true => {
            let waited = json!({ "ready": rows(&waited.ready), "over": waited.over });
            out.json(&waited.to_string())?;
        }
        false => write_rows(&waited.ready, false, out)?,
    }
    let worst = worst(&waited.ready);
    if !waited.over {
        return Ok(worst);
    }
    let is_ready = |id: &&String| waited.ready.iter().all(|one| one.id != **id);
    let left: Vec<String> = args
        .ids
        .iter()
        .filter(is_ready)
        .map(|id| terminal::safe(id))
        .collect();
    out.complain(&format!(
        "the time was over before `{}` stopped or needed somebody",
        left.join("`, `")
    ));
    Ok(match worst {
        Outcome::Success => Outcome::Late,
        worst => worst,
    })
}

/// Handles as JSON shows them: with the question that is open, as it stands in a block.
fn rows(handles: &[Listed]) -> Vec<Value> {
    let row = |one: &Listed| {
        let mut row = json!(one);
        if let Some(members) = row.as_object_mut()
            && let Some(mut asks) = members.remove("asks")
        {
            members.insert("question".to_owned(), asks["question"].take());
        }
        row
    };
    handles.iter().map(row).collect()
}

/// What handles that were waited for mean together: one that has not ended well outweighs one that needs somebody.
fn worst(handles: &[Listed]) -> Outcome {
    let outcomes: Vec<Outcome> = handles.iter().map(state::outcome).collect();
    let order = [Outcome::Negative, Outcome::NeedsSomebody, Outcome::Late];
    let found = order.into_iter().find(|one| outcomes.contains(one));
    found.unwrap_or(Outcome::Success)
}

/// A command as a person types it, without the folder of its program.
fn command_line(words: &[String]) -> String {
    let mut words = words.iter().map(|word| quoted(word));
    let program = words.next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default().to_owned();
    let words: Vec<String> = std::iter::once(name).chain(words).collect();
    terminal::safe(&words.join(" "))
}

/// A row for each handle: its id, its tool, how it stands, and, if `whole`, its start and its command line.
fn write_rows(handles: &[Listed], whole: bool, out: &mut Out) -> Result<()> {
    let width = |text: fn(&Listed) -> &str| {
        let widths = handles
            .iter()
            .map(|one| terminal::safe(text(one)).chars().count());
        widths.max().unwrap_or_default()
    };
    let (ids, tools) = (width(|one| &one.id), width(|one| &one.tool));
    for one in handles {
        let (id, tool) = (terminal::safe(&one.id), terminal::safe(&one.tool));
        let gap = " ".repeat(ids.saturating_sub(id.chars().count()));
        let how = state::listed(one);
        let id = out.paint(BOLD, &id);
        let started = match one.started.filter(|_| whole) {
            Some(started) => format!("{}: {}", state::ago(started), command_line(&one.command)),
            None => String::new(),
        };
        out.line(&format!("{id}{gap}  {tool:tools$}  {how}{started}"))?;
    }
    Ok(())
}
