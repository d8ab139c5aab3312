//! The client: it finds the host of a workspace, or starts it, and hands it what is to be done.

use std::ffi::OsString;
use std::io::BufRead as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;
use toolwire_host::Environment;
use toolwire_host::handles::HandlesError;

use crate::error::{Result, system, unreached};
use crate::lock;
use crate::messages::FOR_TASKS;
use crate::net::{connect, is_nobody};
use crate::place::Place;
use crate::remote::{NO_HOST, RemoteHandles, SILENT, WELCOME};
use crate::tasks::{TaskReader, TaskWriter};

/// How long a host may take to start: it waits for the end of the one before it.
const START: Duration = Duration::from_secs(30);

/// The way to the host of a workspace.
#[derive(Debug, Clone)]
pub struct SessionHostClient {
    place: Place,
    program: Vec<OsString>,
    idle: Duration,
}

impl SessionHostClient {
    /// The host at this place, which `program`, a command without arguments of its own, starts: it is given
    /// the arguments that [`HostArguments`](crate::HostArguments) reads.
    #[must_use]
    pub fn new(place: Place, program: Vec<OsString>, idle: Duration) -> Self {
        SessionHostClient {
            place,
            program,
            idle,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Connects to the host; nothing if none runs.
    ///
    /// # Errors
    ///
    /// `Unreached`: it is another user's, does not answer, or the system refuses the socket.
    pub async fn find(&self) -> Result<Option<RemoteHandles>> {
        let stream = match connect(&self.place.socket()).await {
            Ok(stream) => stream,
            Err(error) if is_nobody(&error) => return Ok(None),
            Err(error) => return Err(self.unreachable(&error)),
        };
        RemoteHandles::greet(stream).await
    }

    /// Connects to the host, and starts it if none runs. However many do so at once, there is one host.
    ///
    /// # Errors
    ///
    /// As [`find`](SessionHostClient::find), and if it can't be started.
    pub async fn find_or_start(&self) -> Result<RemoteHandles> {
        if let Some(found) = self.find().await? {
            return Ok(found);
        }
        let until = tokio::time::Instant::now() + START;
        loop {
            let door = lock::wait(&self.place.door(), START).await;
            let door = door.map_err(|error| system("cannot lock", &error))?;
            if door.is_none() || tokio::time::Instant::now() > until {
                return Err(unreached(SILENT));
            }
            // Somebody else may have started it.
            if let Some(found) = self.find().await? {
                return Ok(found);
            }
            self.start().await?;
            if let Some(found) = self.find().await? {
                return Ok(found);
            }
        }
    }

    /// A connection to the keeper of tasks of the host. If none runs, it is started if `start` says so, and
    /// otherwise there is nothing.
    ///
    /// # Errors
    ///
    /// As [`find_or_start`](SessionHostClient::find_or_start).
    pub async fn tasks(&self, start: bool) -> Result<Option<(TaskReader, TaskWriter)>> {
        let until = tokio::time::Instant::now() + START;
        loop {
            if start {
                drop(self.find_or_start().await?);
            }
            let stream = match connect(&self.place.socket()).await {
                Ok(stream) => stream,
                Err(error) if is_nobody(&error) && !start => return Ok(None),
                // It has ended meanwhile.
                Err(error) if is_nobody(&error) && tokio::time::Instant::now() < until => continue,
                Err(error) => return Err(self.unreachable(&error)),
            };
            let (mut read, mut write) = tokio::io::split(stream);
            let greeting = async {
                write.write_u8(FOR_TASKS).await?;
                read.read_u8().await
            };
            match timeout(WELCOME, greeting).await {
                Ok(Ok(FOR_TASKS)) => return Ok(Some((Box::new(read), Box::new(write)))),
                Ok(Ok(_)) => return Err(unreached(NO_HOST)),
                // It has ended meanwhile.
                Ok(Err(_)) => {}
                Err(_) => return Err(unreached(SILENT)),
            }
            if !start {
                return Ok(None);
            }
        }
    }

    fn unreachable(&self, error: &std::io::Error) -> HandlesError {
        let socket = self.place.socket();
        match error.kind() {
            std::io::ErrorKind::PermissionDenied => {
                unreached(format!("`{}` is not used: {error}", socket.display()))
            }
            _ => system(&format!("cannot reach `{}`", socket.display()), error),
        }
    }

    /// Starts the host and waits until clients can connect.
    async fn start(&self) -> Result<()> {
        let failed = |why: String| {
            let message = format!("the session host could not be started: {why}");
            unreached(message)
        };
        let Some((program, words)) = self.program.split_first() else {
            return Err(failed("it has no program".to_owned()));
        };
        let mut command = Command::new(program);
        command
            // It outlives whoever starts it, and is for others too.
            .env_clear()
            .envs(Environment::standard().to_variables())
            .args(words)
            .args([self.place.root(), self.place.folder()])
            .arg(self.place.name())
            .arg(self.idle.as_millis().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let said = child.stdout.take();
        let ready = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            let _ = said.map(|said| std::io::BufReader::new(said).read_line(&mut line));
            line
        });
        let said = timeout(START, ready).await;
        // Whoever outlives the host must not keep what is left of it.
        std::thread::spawn(move || child.wait());
        match said {
            Ok(Ok(line)) if line == STARTED => Ok(()),
            Ok(Ok(line)) if line.is_empty() => Err(failed("it ended at once".to_owned())),
            Ok(Ok(line)) => Err(failed(line.trim_end().to_owned())),
            _ => Err(failed("it did not say in time that it is ready".to_owned())),
        }
    }
}

/// What a host writes to its standard output when clients can connect.
pub(crate) const STARTED: &str = "ready\n";

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::UnixListener;

    use super::*;
    use crate::remote::LEAVING;

    /// A host of whom nothing comes once it serves a client.
    async fn mute(listener: UnixListener) {
        let (mut stream, _) = listener.accept().await.unwrap();
        let pong = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
        stream.write_all(pong).await.unwrap();
        let _ = stream.read_to_end(&mut Vec::new()).await;
    }

    #[tokio::test]
    async fn leaving_a_host_that_does_not_answer_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        let place = Place::found("/w".into(), folder.path().into(), "name".to_owned());
        let host = tokio::spawn(mute(UnixListener::bind(place.socket()).unwrap()));
        let host_of = SessionHostClient::new(place, Vec::new(), Duration::ZERO);
        let handles = host_of.find().await.unwrap().unwrap();
        let part = handles.attach("a", 80, 24).await.unwrap();
        let left = timeout(10 * LEAVING, part.leave()).await.unwrap();
        assert!(matches!(left, Err(HandlesError::Unreached(_))), "{left:?}");
        host.abort();
    }
}
