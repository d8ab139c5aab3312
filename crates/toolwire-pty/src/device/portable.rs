//! A pseudo-terminal of `portable-pty`, with a thread each for reading, writing and waiting.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::thread;

use portable_pty::{ChildKiller, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tokio::sync::{mpsc, oneshot};
use toolwire::Exit;
use toolwire_host::{Command, ProcessOptions, StartPlan, WatchedGroup};

use super::no_terminal;
use crate::emulator::Size;

/// So much is read at once.
const CHUNK: usize = 16 * 1024;

/// So many pieces wait to be taken, or to be written.
const WAITING: usize = 4;

pub(crate) struct Portable {
    master: Mutex<Box<dyn MasterPty + Send>>,
    output: tokio::sync::Mutex<mpsc::Receiver<Vec<u8>>>,
    input: mpsc::Sender<Vec<u8>>,
}

impl fmt::Debug for Portable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Portable")
    }
}

#[derive(Debug)]
pub(crate) struct Child {
    id: Option<u32>,
    killer: Box<dyn ChildKiller + Send + Sync>,
    ended: oneshot::Receiver<Exit>,
    exit: Option<Exit>,
    _watched: Option<WatchedGroup>,
}

pub(super) fn start(
    command: &Command,
    options: &ProcessOptions,
    size: Size,
) -> Result<(Portable, Child), String> {
    let plan = StartPlan::new(command, options).map_err(|error| error.to_string())?;
    let pair = native_pty_system()
        .openpty(window(size))
        .map_err(no_terminal)?;
    let reader = pair.master.try_clone_reader().map_err(no_terminal)?;
    let writer = pair.master.take_writer().map_err(no_terminal)?;
    let watching = WatchedGroup::prepare();
    let mut builder = CommandBuilder::new(&plan.program);
    builder.args(&plan.arguments);
    builder.env_clear();
    for (name, value) in &plan.environment {
        builder.env(name, value);
    }
    // Without a folder it would be the home folder.
    if let Some(cwd) = plan.cwd.or_else(|| std::env::current_dir().ok()) {
        builder.cwd(cwd);
    }
    let started = pair.slave.spawn_command(builder);
    let mut child = started.map_err(|error| {
        format!(
            "`{}` can't be started: {error}",
            command.program().display()
        )
    })?;
    drop(pair.slave);
    let id = child.process_id();
    let watched = id.map(|id| watching.started(id));
    let killer = child.clone_killer();
    let (end, ended) = oneshot::channel();
    thread::spawn(move || {
        let exit = child.wait().map_or(Exit::Code(1), |status| {
            Exit::Code(i64::from(status.exit_code()))
        });
        // Nobody waits for a program that was given up.
        let _ = end.send(exit);
    });
    let (telling, output) = mpsc::channel(WAITING);
    thread::spawn(move || read(reader, &telling));
    let (input, given) = mpsc::channel(WAITING);
    thread::spawn(move || write(writer, given));
    let device = Portable {
        master: Mutex::new(pair.master),
        output: tokio::sync::Mutex::new(output),
        input,
    };
    let child = Child {
        id,
        killer,
        ended,
        exit: None,
        _watched: watched,
    };
    Ok((device, child))
}

fn window(size: Size) -> PtySize {
    PtySize {
        rows: size.rows,
        cols: size.columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn read(mut reader: Box<dyn io::Read + Send>, telling: &mpsc::Sender<Vec<u8>>) {
    let mut chunk = vec![0; CHUNK];
    // What can't be read any more is at its end.
    while let Ok(read @ 1..) = reader.read(&mut chunk) {
        if telling.blocking_send(chunk[..read].to_vec()).is_err() {
            return;
        }
    }
}

fn write(mut writer: Box<dyn io::Write + Send>, mut given: mpsc::Receiver<Vec<u8>>) {
    while let Some(bytes) = given.blocking_recv() {
        if writer
            .write_all(&bytes)
            .and_then(|()| writer.flush())
            .is_err()
        {
            return;
        }
    }
}

impl Portable {
    pub(super) async fn read(&self, buffer: &mut Vec<u8>) -> usize {
        buffer.clear();
        if let Some(bytes) = self.output.lock().await.recv().await {
            *buffer = bytes;
        }
        buffer.len()
    }

    pub(super) async fn writable(&self) -> io::Result<()> {
        let permit = self.input.reserve().await;
        permit
            .map(drop)
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self.input.try_send(bytes.to_vec()) {
            Ok(()) => Ok(bytes.len()),
            Err(mpsc::error::TrySendError::Full(_)) => Err(io::ErrorKind::WouldBlock.into()),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    pub(super) fn resize(&self, size: Size) {
        // A terminal that is gone has no size.
        let _ = self.lock().resize(window(size));
    }

    pub(super) fn hides_lines(&self) -> bool {
        self.line_mode(|shows| !shows)
    }

    pub(super) fn reads_lines(&self) -> bool {
        self.line_mode(|_| true)
    }

    /// Whether it reads by lines, and what `look` says of whether it shows them. ConPTY does not tell.
    fn line_mode(&self, look: impl FnOnce(bool) -> bool) -> bool {
        #[cfg(unix)]
        {
            use rustix::termios::LocalModes;
            let modes = self.lock().get_termios();
            let flags =
                modes.map(|modes| LocalModes::from_bits_retain(modes.local_flags.bits() as _));
            flags.is_some_and(|flags| {
                flags.contains(LocalModes::ICANON) && look(flags.contains(LocalModes::ECHO))
            })
        }
        #[cfg(not(unix))]
        {
            let _ = look;
            false
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn MasterPty + Send>> {
        self.master.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Child {
    pub(super) fn id(&self) -> Option<u32> {
        self.id
    }

    pub(super) async fn ended(&mut self) {
        if self.exit.is_none() {
            let exit = (&mut self.ended).await;
            self.exit = Some(exit.unwrap_or(Exit::Code(1)));
        }
    }

    pub(super) async fn finish(mut self) -> Exit {
        if self.exit.is_none() {
            // It may have ended just now.
            let _ = self.killer.kill();
        }
        self.ended().await;
        self.exit.unwrap_or(Exit::Code(1))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.exit.is_none() {
            let _ = self.killer.kill();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use toolwire::Exit;
    use toolwire_host::{Command, ProcessOptions};

    use super::start;
    use crate::emulator::Size;

    /// What other systems than Linux use for all programs.
    #[tokio::test]
    async fn a_program_runs_in_it() {
        let script = "stty size; stty -echo; echo ask; read word; stty echo; echo got $word; read more; exit 3";
        let command = Command::new("sh").args(["-c", script]);
        let size = Size {
            columns: 90,
            rows: 20,
        };
        let (device, mut child) = start(&command, &ProcessOptions::default(), size).unwrap();
        let mut buffer = Vec::new();
        let mut printed = String::new();
        let mut asked = false;
        while device.read(&mut buffer).await > 0 {
            printed += &String::from_utf8_lossy(&buffer);
            if printed.contains("ask") && !std::mem::replace(&mut asked, true) {
                assert!(device.hides_lines());
                device.writable().await.unwrap();
                device.try_write(b"s3cret\r").unwrap();
            }
            if printed.contains("got s3cret\r\n") {
                assert!(!device.hides_lines());
                device.resize(Size {
                    columns: 80,
                    rows: 24,
                });
                device.try_write(b"\r").unwrap();
                break;
            }
        }
        assert!(printed.starts_with("20 90\r\n"), "{printed:?}");
        child.ended().await;
        assert_eq!(child.finish().await, Exit::Code(3));
    }
}
