//! A process that ends the tools when this one is killed and can't do so itself.
//!
//! It is one for all tools of a host: a shell that reads a small script's worth of lines from a socket
//! of which only this process has the other end. However this process ends, the system closes that end,
//! and the shell kills the registered processes and removes the files. It depends on no thread, as
//! `PR_SET_PDEATHSIG` does. It is started before the first tool and ended when there has been none for
//! a while, so that a host that waits for its children does not wait for it for long.
//!
//! Entries have numbered places, so that the cost of a line does not grow with the number of tools.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

/// Keeps the entry of each place until a line empties it. At the end of its input
/// it kills those that are groups (`-123`), removes those that are files (`/tmp/…`), and looks for tools
/// that were being started (`?/tmp/…`), whose number the host did not know yet: they have the file's
/// name in their environment, which is theirs once the system has started them. A line that was not
/// written to its end is none.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM TSTP TTIN TTOU PIPE USR1 USR2 ALRM
places=0
while read -r place entry; do
    eval "entry$place=\$entry"
    [ "$place" -lt "$places" ] || places=$((place + 1))
done
set --
while [ "$places" -gt 0 ]; do
    places=$((places - 1))
    eval "set -- \"\$@\" \"\${entry$places-}\""
done
for one do case $one in -*) kill -s KILL -- "$one" ;; esac; done
for one do case $one in /*) rm -rf -- "$one" ;; esac; done
for one do
    case $one in
    \?*)
        sleep 1
        one=${one#?}
        for process in $(grep -lsF "TOOLWIRE_RESULT=$one" /proc/[0-9]*/environ); do
            process=${process#/proc/}
            kill -s KILL -- "-${process%/environ}"
        done
        rm -rf -- "$one"
        rmdir -- "${one%/*}" 2>/dev/null
        ;;
    esac
done
"#;

/// The name that lists of processes show.
const NAME: &str = "toolwire-guardian";

/// How long there are no tools before it is ended.
const IDLE: Duration = Duration::from_secs(1);

static STATE: Mutex<State> = Mutex::new(State {
    process: 0,
    shell: None,
    line: None,
    entries: Vec::new(),
    used: None,
    watched: false,
});

struct State {
    /// The process that all of this belongs to; a fork has a copy of it.
    process: u32,
    shell: Option<Child>,
    line: Option<Line>,
    /// What goes when this process does, each in a place of its own.
    entries: Vec<Option<OsString>>,
    /// When there were entries last.
    used: Option<Instant>,
    /// Whether somebody is going to look whether there are still none.
    watched: bool,
}

/// The two ends of the socket. The shell's is here until it is started.
struct Line {
    ours: UnixStream,
    shells: Option<UnixStream>,
}

/// The state, unless another thread of the process that this one is a fork of had it for its own.
fn state() -> Option<MutexGuard<'static, State>> {
    for _ in 0..200 {
        match STATE.try_lock() {
            Ok(state) => return Some(state),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
    None
}

/// Something that goes when this process does, until this is dropped. There is no error: a tool that
/// can't be guarded is better than none.
#[derive(Debug)]
pub(crate) struct Guarded {
    /// The process that it belongs to; a fork has a copy of it.
    process: u32,
    /// Its place; `None` if it can't be guarded.
    place: Option<usize>,
}

impl Guarded {
    /// A process group.
    pub(crate) fn group(id: u32) -> Self {
        Guarded::entry(format!("-{id}").into())
    }

    /// A tool that is being started and has this file as its result channel.
    pub(crate) fn starting(path: &Path) -> Self {
        let mut entry = OsString::from("?");
        entry.push(path);
        Guarded::entry(entry)
    }

    /// A file, or whatever has taken its place.
    pub(crate) fn file(path: &Path) -> Self {
        Guarded::entry(path.as_os_str().to_owned())
    }

    fn entry(entry: OsString) -> Self {
        let mut guarded = Guarded {
            process: std::process::id(),
            place: None,
        };
        // A line ends at a line end.
        if !entry.as_bytes().contains(&b'\n')
            && let Some(mut state) = state()
        {
            state.belongs_here();
            let free = state.entries.iter().position(Option::is_none);
            let place = free.unwrap_or(state.entries.len());
            if free.is_none() {
                state.entries.push(None);
            }
            state.entries[place] = Some(entry);
            state.tell(place);
            guarded.place = Some(place);
        }
        guarded
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let Some(place) = self.place else { return };
        let Some(mut state) = state() else { return };
        // A fork drops what it has a copy of; the entry is its parent's.
        let process = std::process::id();
        if state.process != process || self.process != process {
            return;
        }
        if let Some(entry) = state.entries.get_mut(place) {
            *entry = None;
        }
        state.tell(place);
        watch(state);
    }
}

/// Sees to it that the shell ends if there are no tools for a while.
fn watch(mut state: MutexGuard<'_, State>) {
    state.used = Some(Instant::now());
    if !state.is_idle() || std::mem::replace(&mut state.watched, true) {
        return;
    }
    drop(state);
    match Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn(Watch.idle())),
        Err(_) => drop(Watch),
    }
}

/// Starts the shell, if it does not run. It must be there before the tool is: else whoever ends this
/// process between the two leaves the tool.
pub(crate) fn start() {
    if let Some(mut state) = state() {
        state.belongs_here();
        if state.line.is_none() {
            state.line = Line::new(&state.entries).ok();
        }
        state.start();
        // A tool that can't be started is none.
        watch(state);
    }
}

/// Ends the shell if there are no tools.
pub(crate) fn end_if_idle() {
    let shell = state().and_then(|mut state| match state.is_idle() {
        true if state.process == std::process::id() => state.take(),
        _ => None,
    });
    end(shell);
}

/// The process groups of the tools that run now.
pub(crate) fn groups() -> Vec<i32> {
    let Some(state) = state() else {
        return Vec::new();
    };
    if state.process != std::process::id() {
        return Vec::new();
    }
    let group = |entry: &OsString| entry.to_str()?.strip_prefix('-')?.parse().ok();
    state.entries.iter().flatten().filter_map(group).collect()
}

/// Closes what a fork has of it: else it would see the end of its parent only when the fork ends.
pub(crate) fn after_fork() {
    if let Ok(mut state) = STATE.try_lock()
        && state.line.is_some()
    {
        state.belongs_here();
    }
}

impl State {
    fn belongs_here(&mut self) {
        let process = std::process::id();
        if self.process != process {
            // The shell is a child of another process.
            drop(self.take());
            self.entries.clear();
            self.watched = false;
            self.process = process;
        }
    }

    /// Whether nothing is guarded.
    fn is_idle(&self) -> bool {
        self.entries.iter().all(Option::is_none)
    }

    fn take(&mut self) -> Option<Child> {
        self.line = None;
        self.shell.take()
    }

    /// for long: then another one gets all entries.
    /// for long: then another one gets all entries.
    fn tell(&mut self, place: usize) {
        let entry = self.entries.get(place).and_then(Option::as_deref);
        let told = match &mut self.line {
            Some(line) => line.tell(place, entry).is_ok(),
            None => false,
        };
        if told {
            return;
        }
        end(self.take());
        if !self.is_idle() {
            self.line = Line::new(&self.entries).ok();
            self.start();
        }
    }

    fn start(&mut self) {
        if let Some(end) = self.line.as_mut().and_then(|line| line.shells.take()) {
            let mut command = Command::new("/bin/sh");
            command
                .args(["-c", SCRIPT, NAME])
                .env_clear()
                .env("PATH", "/usr/bin:/bin")
                .current_dir("/")
                .stdin(OwnedFd::from(end))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                // What ends the group of the host must not end it.
                .process_group(0);
            self.shell = command.spawn().ok();
        }
    }
}

impl Line {
    fn new(entries: &[Option<OsString>]) -> io::Result<Self> {
        let (ours, shells) = UnixStream::pair()?;
        // A shell that does not read must not hold the host.
        ours.set_nonblocking(true)?;
        let mut line = Line {
            ours,
            shells: Some(shells),
        };
        for (place, entry) in entries.iter().enumerate() {
            if entry.is_some() {
                line.tell(place, entry.as_deref())?;
            }
        }
        Ok(line)
    }

    fn tell(&mut self, place: usize, entry: Option<&OsStr>) -> io::Result<()> {
        let entry = entry.unwrap_or_default().as_bytes();
        let line = [place.to_string().as_bytes(), b" ", entry, b"\n"].concat();
        self.ours.write_all(&line)
    }
}

fn end(shell: Option<Child>) {
    if let Some(mut shell) = shell {
        let _ = shell.kill();
        let _ = shell.wait();
    }
}

/// Ends the shell when there have been no tools for a while, or when the runtime ends.
struct Watch;

impl Watch {
    async fn idle(self) {
        loop {
            let used = match state() {
                Some(state) if state.is_idle() => state.used,
                // The last one starts watching again.
                _ => return,
            };
            let rest = used.map_or(Duration::ZERO, |used| IDLE.saturating_sub(used.elapsed()));
            if rest.is_zero() {
                return;
            }
            tokio::time::sleep(rest).await;
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(mut state) = state() {
            state.watched = false;
        }
        end_if_idle();
    }
}
