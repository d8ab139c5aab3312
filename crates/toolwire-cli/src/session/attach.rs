//! `toolwire session attach`: a person takes part. The program owns the terminal until they leave; a tool without a
//! terminal shows what it says, and asks.

use std::ffi::OsStr;
use std::io;
use std::thread;
use std::time::Duration;

use crossterm::terminal as modes;
use tokio::sync::mpsc;
use toolwire::call::{Answer, Call};
use toolwire::session::{Applied, SessionState};
use toolwire::{Limits, Parsed, parse};
use toolwire_host::handles::{Apply, Fetch, Handles as _, Listed};
use toolwire_host::{Exchange, ExchangeOptions, FetchOptions, Step, Typed};
use toolwire_session_host::{RemoteHandles, RemoteTerminal};

use super::draw::{Filter, USUAL};
use super::{USER, holding, show};
use crate::args::{AttachArgs, ShownArgs};
use crate::exit::{Failure, Outcome, Result, reason};
use crate::output::{Out, use_color};
use crate::prompt;
use crate::{run, terminal};

/// How long a fetch waits for what a tool without a terminal says next.
const NEXT: Duration = Duration::from_secs(30);

/// How often the size of the window is looked at, where no signal tells of it.
const LOOK: Duration = Duration::from_millis(500);

/// Maximum number of pieces of input that wait to be sent.
const PIECES: usize = 16;

/// The other screen of a terminal, so that what was on it is there again afterwards.
const OTHER_SCREEN: &str = "\x1b[?1049h\x1b[H\x1b[2J";

pub async fn attach(args: &AttachArgs, program: &OsStr, out: &mut Out) -> Result<Outcome> {
    let sessions = holding(&args.id, &args.workspace, program).await?;
    let handles = sessions.list(&[&args.id]).await?;
    let handle = handles.first();
    if handle.is_some() && (!prompt::is_available() || !terminal::are_terminals().0) {
        return Err(Failure::Refused(
            "there is no terminal on standard input and output to take part with; use `fetch` and `apply`"
                .to_owned(),
        ));
    }
    let Some(handle) = handle.filter(|one| one.terminal && one.state != SessionState::Stopped)
    else {
        return converse(&sessions, &args.id, out).await;
    };
    take_over(&sessions, handle, args, out).await
}

/// How a person's part in a terminal ended.
enum Over {
    Left,
    Ended,
    /// All is to be drawn anew.
    Switched,
}

/// Hands the person's terminal to the program.
async fn take_over(
    sessions: &RemoteHandles,
    handle: &Listed,
    args: &AttachArgs,
    out: &mut Out,
) -> Result<Outcome> {
    let id = terminal::safe(&handle.id);
    let key = char::from(args.detach_key + 0x40).to_ascii_lowercase();
    out.complain(&format!("attached to `{id}`; ctrl-{key} leaves it running"));
    out.flush()?;
    let raw = Raw::enter().map_err(|error| unusable(&error))?;
    let mut keys = raw.keys()?;
    let over = loop {
        let size = size();
        let mut part = match sessions.attach(&handle.id, size.0, size.1).await {
            Ok(part) => part,
            Err(error) => break Err(error.into()),
        };
        let over = pass(&mut part, &mut keys, args.detach_key, size).await;
        if matches!(over, Ok(Over::Left | Over::Switched)) {
            let _ = part.leave().await;
        }
        if !matches!(over, Ok(Over::Switched)) {
            break over;
        }
    };
    drop(raw);
    match over {
        Ok(Over::Left) => {
            out.complain(&format!("left `{id}`, which goes on"));
            Ok(Outcome::Success)
        }
        Ok(_) => {
            out.complain(&format!(
                "`{id}` has ended; `toolwire session fetch {id}` says how"
            ));
            Ok(Outcome::Success)
        }
        Err(error) => Err(error),
    }
}

/// Passes on what the program writes, what the person types, and the size of their window.
async fn pass(
    part: &mut RemoteTerminal<'_>,
    keys: &mut mpsc::Receiver<Vec<u8>>,
    detach_key: u8,
    mut shown: (u16, u16),
) -> Result<Over> {
    let mut filter = Filter::default();
    let mut begun = false;
    let mut resized = resizes().map_err(|error| unusable(&error))?;
    loop {
        tokio::select! {
            output = part.next() => match output {
                Ok(Some(piece)) => {
                    let drawn = terminal::put_raw(&filter.pass(&piece));
                    drawn.map_err(|error| Failure::writing(&error))?;
                    // What draws all of it is of the screen that there is.
                    if filter.has_switched() && std::mem::replace(&mut begun, true) {
                        return Ok(Over::Switched);
                    }
                    begun = true;
                }
                Ok(None) => return Ok(Over::Ended),
                Err(error) => return Err(error.into()),
            },
            typed = keys.recv() => {
                // The end of the keys is that of the terminal.
                let Some(mut bytes) = typed else { return Ok(Over::Left) };
                let leaves = bytes.iter().position(|byte| *byte == detach_key);
                bytes.truncate(leaves.unwrap_or(bytes.len()));
                if !bytes.is_empty() {
                    part.send(Typed::Bytes(bytes)).await?;
                }
                if leaves.is_some() {
                    return Ok(Over::Left);
                }
            }
            Some(()) = resized.recv() => {
                let now = size();
                if now != shown {
                    shown = now;
                    part.send(Typed::Size(now.0, now.1)).await?;
                }
            }
        }
    }
}

fn unusable(error: &io::Error) -> Failure {
    Failure::Io(format!("cannot use the terminal: {}", reason(error)))
}

fn size() -> (u16, u16) {
    match modes::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns, rows),
        _ => (80, 24),
    }
}

/// The person's terminal while it is the program's. Dropped, it is as it was, also in a panic.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Raw> {
        modes::enable_raw_mode()?;
        let raw = Raw;
        terminal::put_raw(OTHER_SCREEN.as_bytes())?;
        Ok(raw)
    }

    /// What is typed, as the terminal sends it. The thread that reads it ends with the process: nothing else reads
    /// standard input afterwards.
    fn keys(&self) -> Result<mpsc::Receiver<Vec<u8>>> {
        let (sender, keys) = mpsc::channel(PIECES);
        let read = move || {
            let mut piece = [0; 1024];
            while let Ok(length @ 1..) = terminal::read_keys(&mut piece) {
                if sender.blocking_send(piece[..length].to_vec()).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("keys".to_owned());
        thread.spawn(read).map_err(|error| unusable(&error))?;
        Ok(keys)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = terminal::put_raw(USUAL.as_bytes());
        let _ = modes::disable_raw_mode();
    }
}

/// Tells when the window may have another size.
#[cfg(unix)]
fn resizes() -> io::Result<mpsc::Receiver<()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (sender, receiver) = mpsc::channel(1);
    let mut signals = signal(SignalKind::window_change())?;
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = signals.recv() => {}
                // A signal can come before its handler.
                () = tokio::time::sleep(LOOK) => {}
            }
            if sender.send(()).await.is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}

#[cfg(not(unix))]
fn resizes() -> io::Result<mpsc::Receiver<()>> {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(LOOK).await;
            if sender.send(()).await.is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}

/// Shows what a tool without a terminal says, and puts its questions to the person, until it has stopped.
async fn converse(sessions: &RemoteHandles, id: &str, out: &mut Out) -> Result<Outcome> {
    let shown = ShownArgs {
        format: None,
        json: false,
        quiet: false,
        max_bytes: None,
    };
    let wait = |wait: Duration| FetchOptions {
        wait: Some(wait),
        ..FetchOptions::default()
    };
    let fetch = |time: Duration| Fetch {
        id: id.to_owned(),
        by: USER,
        options: wait(time),
    };
    let mut fetched = sessions.fetch(fetch(Duration::ZERO)).await?;
    loop {
        let has = |name: &str| show::member(&fetched, name).is_some();
        if fetched.refusal.is_some() || fetched.state == SessionState::Stopped && !has("left") {
            // To see how it has ended is what was asked for.
            let shown = show::write(id, &fetched, &shown, None, out)?;
            return Ok(match fetched.refusal {
                Some(_) => shown,
                None => Outcome::Success,
            });
        }
        let parsed = parse(fetched.envelope.as_bytes().to_vec(), &Limits::WIDEST);
        if parsed.blocks().any(|block| block.question().is_some()) {
            // What was said before it is its context.
            let Some((question, answer)) = ask(id, parsed, out).await? else {
                out.complain(&format!("left `{}`, which goes on", terminal::safe(id)));
                return Ok(Outcome::Success);
            };
            let apply = Apply {
                id: id.to_owned(),
                by: USER,
                what: Applied::Answer(answer),
                question: Some(question),
                options: wait(Duration::ZERO),
            };
            let applied = sessions.apply(apply).await?;
            fetched = match show::refusal(&applied) {
                None => applied,
                Some(refusal) => {
                    out.complain(&refusal);
                    sessions.fetch(fetch(Duration::ZERO)).await?
                }
            };
        } else {
            if has("first") {
                show::write(id, &fetched, &shown, None, out)?;
                out.flush()?;
            }
            fetched = sessions.fetch(fetch(NEXT)).await?;
        }
    }
}

/// The person's answer to the open question, with its id; nothing if they leave.
async fn ask(
    tool: &str,
    parsed: Parsed<'static>,
    out: &mut Out,
) -> Result<Option<(String, Answer)>> {
    let options = ExchangeOptions {
        host: run::HOST.to_owned(),
        ..ExchangeOptions::default()
    };
    let mut exchange = Exchange::new(Call::new(tool, toolwire::Json::empty_object()), options);
    exchange.handle_result(parsed);
    let Step::Ask(asking) = exchange.step() else {
        return Err(Failure::Refused(format!(
            "`{tool}` asks what can't be asked"
        )));
    };
    // Prompts are on a terminal wherever the output goes.
    let answer = prompt::ask_person(&asking, use_color(out.when, true)).await;
    let answer = answer.map_err(|error| unusable(&error))?;
    Ok(answer.map(|answer| (asking.question.id, answer)))
}
