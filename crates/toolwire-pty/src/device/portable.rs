//! A pseudo-terminal of `portable-pty`, with a thread each for reading, writing and waiting.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::{Mutex, PoisonError};
use std::thread;

use portable_pty::{ChildKiller, CommandBuilder, MasterPty, PtySize, native_pty_system};
use process_wrap::tokio::ChildWrapper;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use toolwire_host::{Child, Command, ProcessOptions};

use super::{Device, Work, no_terminal};
use crate::emulator::Size;

/// So much is read at once.
const CHUNK: usize = 16 * 1024;

/// Maximum number of pieces queued for reading, and for writing.
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

/// A program that was started, for the host's [`Child`] to take over.
#[derive(Debug)]
struct Adopted {
    id: Option<u32>,
    killer: Box<dyn ChildKiller + Send + Sync>,
    ended: oneshot::Receiver<ExitStatus>,
    status: Option<ExitStatus>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

pub(super) fn start(
    command: &Command,
    options: &ProcessOptions,
    size: Size,
) -> Result<(Portable, Child), String> {
    let resolved = command
        .resolve(options)
        .map_err(|error| error.to_string())?;
    let pair = native_pty_system()
        .openpty(window(size))
        .map_err(no_terminal)?;
    let reader = pair.master.try_clone_reader().map_err(no_terminal)?;
    let writer = pair.master.take_writer().map_err(no_terminal)?;
    let mut builder = CommandBuilder::new(resolved.program());
    builder.args(resolved.arguments());
    builder.env_clear();
    for (name, value) in options.environment.to_variables() {
        builder.env(name, value);
    }
    // Without a folder it would be the home folder.
    let cwd = options.cwd.clone();
    if let Some(cwd) = cwd.or_else(|| std::env::current_dir().ok()) {
        builder.cwd(cwd);
    }
    let child = Child::adopt(options, || {
        let started = pair.slave.spawn_command(builder);
        started.map(Adopted::wrap).map_err(|error| {
            format!(
                "`{}` can't be started: {error}",
                command.program().display()
            )
        })
    })?;
    drop(pair.slave);
    let (telling, output) = mpsc::channel(WAITING);
    thread::spawn(move || read(reader, &telling));
    let (input, given) = mpsc::channel(WAITING);
    thread::spawn(move || write(writer, given));
    let device = Portable {
        master: Mutex::new(pair.master),
        output: tokio::sync::Mutex::new(output),
        input,
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
    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn MasterPty + Send>> {
        self.master.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Device for Portable {
    fn read<'a>(&'a self, buffer: &'a mut Vec<u8>) -> Work<'a, usize> {
        Box::pin(async {
            buffer.clear();
            if let Some(bytes) = self.output.lock().await.recv().await {
                *buffer = bytes;
            }
            Ok(buffer.len())
        })
    }

    fn writable(&self) -> Work<'_, ()> {
        Box::pin(async {
            let permit = self.input.reserve().await;
            permit
                .map(drop)
                .map_err(|_| io::ErrorKind::BrokenPipe.into())
        })
    }

    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self.input.try_send(bytes.to_vec()) {
            Ok(()) => Ok(bytes.len()),
            Err(mpsc::error::TrySendError::Full(_)) => Err(io::ErrorKind::WouldBlock.into()),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn resize(&self, size: Size) {
        // A terminal that is gone has no size.
        let _ = self.lock().resize(window(size));
    }

    /// ConPTY does not tell.
    fn shows_lines(&self) -> Option<bool> {
        #[cfg(unix)]
        {
            use rustix::termios::LocalModes;
            let modes = self.lock().get_termios()?;
            let modes = LocalModes::from_bits_retain(modes.local_flags.bits() as _);
            let by_lines = modes.contains(LocalModes::ICANON);
            by_lines.then(|| modes.contains(LocalModes::ECHO))
        }
        #[cfg(not(unix))]
        None
    }
}

impl Adopted {
    fn wrap(mut child: Box<dyn portable_pty::Child + Send + Sync>) -> Box<dyn ChildWrapper> {
        let (id, killer) = (child.process_id(), child.clone_killer());
        let (end, ended) = oneshot::channel();
        thread::spawn(move || {
            // Nobody waits for a program that was given up.
            let _ = end.send(status(child.wait().map_or(1, |status| status.exit_code())));
        });
        Box::new(Adopted {
            id,
            killer,
            ended,
            status: None,
            stdin: None,
            stdout: None,
            stderr: None,
        })
    }
}

#[cfg(unix)]
fn status(code: u32) -> ExitStatus {
    std::os::unix::process::ExitStatusExt::from_raw((code.cast_signed() & 0xff) << 8)
}

#[cfg(windows)]
fn status(code: u32) -> ExitStatus {
    std::os::windows::process::ExitStatusExt::from_raw(code)
}

impl ChildWrapper for Adopted {
    fn inner(&self) -> &dyn ChildWrapper {
        self
    }

    fn inner_mut(&mut self) -> &mut dyn ChildWrapper {
        self
    }

    fn into_inner(self: Box<Self>) -> Box<dyn ChildWrapper> {
        self
    }

    fn stdin(&mut self) -> &mut Option<ChildStdin> {
        &mut self.stdin
    }

    fn stdout(&mut self) -> &mut Option<ChildStdout> {
        &mut self.stdout
    }

    fn stderr(&mut self) -> &mut Option<ChildStderr> {
        &mut self.stderr
    }

    fn id(&self) -> Option<u32> {
        self.id
    }

    fn start_kill(&mut self) -> io::Result<()> {
        match self.status {
            Some(_) => Ok(()),
            None => self.killer.kill(),
        }
    }

    /// The session gets its signals by its number.
    #[cfg(unix)]
    fn signal(&self, _: i32) -> io::Result<()> {
        Ok(())
    }

    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.ended.try_recv().ok();
        }
        Ok(self.status)
    }

    fn wait(&mut self) -> Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + '_>> {
        Box::pin(async {
            if self.status.is_none() {
                let ended = (&mut self.ended).await;
                self.status = Some(ended.unwrap_or_else(|_| status(1)));
            }
            Ok(self.status.unwrap_or_else(|| status(1)))
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use toolwire::Exit;
    use toolwire_host::{Command, ProcessOptions};

    use super::{Device as _, start};
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
        while device.read(&mut buffer).await.unwrap() > 0 {
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
        while child.next().await.is_some() {}
        assert_eq!(child.finish().await, Exit::Code(3));
    }
}
