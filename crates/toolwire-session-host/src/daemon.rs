//! The process of the host: it leaves the terminal and the files of whoever starts it, and ends on signals.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::client::STARTED;
use crate::error::{Result, system, unreached};
use crate::place::Place;
use crate::server::{HostOptions, host};
use crate::tasks::KeepTasks;

/// What the process of a host is started with.
///
/// ```
/// use toolwire_session_host::HostArguments;
///
/// let words = ["/w", "/run/user/1000/toolwire", "0123456789abcdef", "60000"];
/// assert!(HostArguments::read(&words.map(Into::into)).is_some());
/// assert!(HostArguments::read(&[]).is_none());
/// ```
#[derive(Debug, Clone)]
pub struct HostArguments {
    place: Place,
    options: HostOptions,
}

impl HostArguments {
    /// Reads the arguments that a client adds to the program that starts a host: the root, the folder and the name
    /// of its place, and its idle time in milliseconds. Nothing if they are others.
    #[must_use]
    pub fn read(words: &[OsString]) -> Option<Self> {
        let [root, folder, name, idle] = words else {
            return None;
        };
        let name = name.to_str()?.to_owned();
        let idle = Duration::from_millis(idle.to_str()?.parse().ok()?);
        Some(HostArguments {
            place: Place::found(PathBuf::from(root), PathBuf::from(folder), name),
            options: HostOptions {
                idle,
                ..HostOptions::default()
            },
        })
    }

    /// The same for a host that keeps tasks, too.
    #[must_use]
    pub fn with_tasks(mut self, tasks: Arc<dyn KeepTasks>) -> Self {
        self.options = self.options.with_tasks(tasks);
        self
    }
}

/// Is the host of a workspace, in a process of its own. Whoever has started it reads on its standard output that
/// it is ready, or why it is not.
///
/// # Errors
///
/// Those of [`host`].
pub fn run(arguments: &HostArguments) -> Result<()> {
    let ran = start(arguments);
    if let Err(error) = &ran {
        let _ = writeln!(std::io::stdout(), "{error}");
    }
    ran
}

fn start(arguments: &HostArguments) -> Result<()> {
    leave();
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = toolwire_host::build_runtime(&mut builder)
        .map_err(|error| system("cannot start", &error))?;
    runtime.block_on(async {
        let (first, second) = signals::first_and_second().map_err(|error| {
            let message = format!("cannot wait for signals: {error}");
            unreached(message)
        })?;
        let ready = || {
            let mut stdout = std::io::stdout();
            let _ = stdout.write_all(STARTED.as_bytes());
            let _ = stdout.flush();
        };
        host(&arguments.place, &arguments.options, ready, first, second).await
    })
}

/// Leaves the session, the folder and the files of whoever starts the host.
#[cfg(unix)]
fn leave() {
    // It fails for the first process of a group, which has left already.
    let _ = rustix::process::setsid();
    let _ = std::env::set_current_dir("/");
    #[cfg(target_os = "linux")]
    for id in inherited() {
        let _ = nix::unistd::close(id);
    }
}

#[cfg(not(unix))]
fn leave() {}

/// The files that this process has inherited beside its streams. Those that it has opened itself, as Python and
/// Node do where they start it, are not meant to be inherited, and say so.
#[cfg(target_os = "linux")]
fn inherited() -> Vec<i32> {
    const CLOSE_ON_EXEC: u32 = 0o200_0000;
    let Ok(files) = std::fs::read_dir("/proc/self/fdinfo") else {
        return Vec::new();
    };
    let ids = files.filter_map(|file| file.ok()?.file_name().to_str()?.parse::<i32>().ok());
    let ids: Vec<i32> = ids.filter(|id| *id > 2).collect();
    let is_inherited = |id: &i32| {
        let Ok(text) = std::fs::read_to_string(format!("/proc/self/fdinfo/{id}")) else {
            return false;
        };
        let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
        flags.is_some_and(|flags| flags & CLOSE_ON_EXEC == 0)
    };
    ids.into_iter().filter(is_inherited).collect()
}

mod signals {
    use std::io;

    use tokio::sync::watch;

    /// Futures that complete when this process was told once to end, and when it was told so twice.
    pub fn first_and_second() -> io::Result<(impl Future<Output = ()>, impl Future<Output = ()>)> {
        let (sender, receiver) = watch::channel(0_u32);
        for mut stream in streams()? {
            let sender = sender.clone();
            tokio::spawn(async move {
                while stream.recv().await.is_some() {
                    sender.send_modify(|count| *count += 1);
                }
            });
        }
        Ok((count(receiver.clone(), 1), count(receiver, 2)))
    }

    async fn count(mut seen: watch::Receiver<u32>, count: u32) {
        if seen.wait_for(|seen| *seen >= count).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    #[cfg(unix)]
    fn streams() -> io::Result<Vec<tokio::signal::unix::Signal>> {
        use tokio::signal::unix::{SignalKind, signal};
        // All that end a process by default and can be caught.
        [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
            SignalKind::quit(),
            SignalKind::alarm(),
            SignalKind::user_defined1(),
            SignalKind::user_defined2(),
        ]
        .into_iter()
        .map(signal)
        .collect()
    }

    #[cfg(windows)]
    fn streams() -> io::Result<Vec<tokio::signal::windows::CtrlC>> {
        Ok(vec![tokio::signal::windows::ctrl_c()?])
    }
}
