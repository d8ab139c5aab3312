//! The socket, which only the same user can use.

use std::io;
use std::path::Path;

#[cfg(not(unix))]
pub(crate) use nowhere::{Listener, Stream, connect};
#[cfg(unix)]
pub(crate) use unix::{Listener, Stream, connect};

/// Whether there is nobody to connect to, rather than somebody who can't be reached.
pub(crate) fn is_nobody(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused
    )
}

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::path::PathBuf;

    use tokio::net::{UnixListener, UnixStream};

    use super::{Path, io};

    pub(crate) type Stream = UnixStream;

    pub(crate) struct Listener {
        listener: UnixListener,
        path: PathBuf,
        /// Which file it is.
        file: Option<(u64, u64)>,
    }

    impl Listener {
        /// Listens there, in place of a socket that a host has left which is no more.
        pub(crate) fn bind(path: &Path) -> io::Result<Self> {
            match std::fs::remove_file(path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            let listener = UnixListener::bind(path)?;
            // The folder keeps others away already.
            std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
            Ok(Listener {
                listener,
                path: path.to_owned(),
                file: file(path),
            })
        }

        /// Whether clients can still come here: somebody may have removed the socket.
        pub(crate) fn is_there(&self) -> bool {
            self.file.is_some() && file(&self.path) == self.file
        }

        /// The next client of the same user. Another user can't even enter the folder; if one can after all, as
        /// root can, they are turned away.
        pub(crate) async fn accept(&mut self) -> io::Result<Stream> {
            loop {
                let (stream, _) = self.listener.accept().await?;
                if is_own(&stream)? {
                    return Ok(stream);
                }
            }
        }
    }

    pub(crate) async fn connect(path: &Path) -> io::Result<Stream> {
        let stream = UnixStream::connect(path).await?;
        match is_own(&stream)? {
            true => Ok(stream),
            false => Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it belongs to another user",
            )),
        }
    }

    fn file(path: &Path) -> Option<(u64, u64)> {
        let there = std::fs::symlink_metadata(path).ok()?;
        Some((there.dev(), there.ino()))
    }

    fn is_own(stream: &UnixStream) -> io::Result<bool> {
        Ok(stream.peer_cred()?.uid() == rustix::process::geteuid().as_raw())
    }
}

/// Elsewhere, handles are those of a process.
#[cfg(not(unix))]
mod nowhere {
    use super::{Path, io};

    pub(crate) type Stream = tokio::io::DuplexStream;

    pub(crate) struct Listener;

    impl Listener {
        pub(crate) fn bind(_: &Path) -> io::Result<Self> {
            Err(unsupported())
        }

        pub(crate) fn is_there(&self) -> bool {
            false
        }

        pub(crate) async fn accept(&mut self) -> io::Result<Stream> {
            Err(unsupported())
        }
    }

    pub(crate) async fn connect(_: &Path) -> io::Result<Stream> {
        Err(unsupported())
    }

    fn unsupported() -> io::Error {
        io::Error::new(
            io::ErrorKind::Unsupported,
            "there are no session hosts on this system; run the tool in a session of your own program",
        )
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::{Child, Command, Stdio};

    use tokio::io::AsyncWriteExt as _;

    use super::*;

    /// Two users are needed, and only root can be both.
    fn is_root() -> bool {
        let is_root = rustix::process::geteuid().is_root();
        let there = |name: &str| Path::new("/usr/bin").join(name).is_file();
        let possible = is_root && there("setpriv") && there("python3");
        if !possible {
            eprintln!("skipped: it takes root, `setpriv` and `python3`");
        }
        possible
    }

    /// Runs Python as a user who is nobody here.
    fn as_another(script: &str, socket: &Path) -> Child {
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
        let mut command = Command::new("setpriv");
        command
            .args(nobody)
            .args(["/usr/bin/python3", "-c", script])
            .arg(socket);
        command.stdout(Stdio::piped()).spawn().unwrap()
    }

    /// A folder that others can enter, as that of a host never is.
    fn open_folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mode = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(folder.path(), mode).unwrap();
        folder
    }

    #[tokio::test]
    async fn a_client_of_another_user_is_turned_away() {
        if !is_root() {
            return;
        }
        let folder = open_folder();
        let socket = folder.path().join("sock");
        let mut listener = Listener::bind(&socket).unwrap();
        let mode = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(&socket, mode).unwrap();
        let script = "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.recv(9))";
        let stranger = as_another(script, &socket);
        // It is told nothing; that its connection is closed shows that it was let go.
        let waiting = tokio::task::spawn_blocking(move || stranger.wait_with_output().unwrap());
        let accepting = async {
            let mut stream = listener.accept().await.unwrap();
            stream.write_all(b"welcome").await.unwrap();
        };
        let told = tokio::select! {
            told = waiting => told.unwrap(),
            () = accepting => panic!("a stranger was let in"),
        };
        assert_eq!(String::from_utf8_lossy(&told.stdout), "b''\n");
        // One of the same user is let in.
        let (ours, theirs) = tokio::join!(connect(&socket), listener.accept());
        assert!(ours.is_ok() && theirs.is_ok());
    }

    #[tokio::test]
    async fn a_host_of_another_user_is_not_spoken_to() {
        if !is_root() {
            return;
        }
        let folder = open_folder();
        let socket = folder.path().join("sock");
        let script = "import socket,sys,time; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); \
            print('ready', flush=True); time.sleep(600)";
        let mut stranger = as_another(script, &socket);
        crate::testing::until(|| socket.exists()).await;
        // It may not listen yet.
        let refused = loop {
            match connect(&socket).await {
                Err(error) if is_nobody(&error) => tokio::task::yield_now().await,
                other => break other.map(drop),
            }
        };
        stranger.kill().unwrap();
        stranger.wait().unwrap();
        let refused = refused.unwrap_err();
        assert_eq!(refused.to_string(), "it belongs to another user");
    }
}
