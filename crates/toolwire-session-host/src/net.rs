//! The socket, which only the same user can use (SHOST-4).

use std::io;
use std::path::Path;

#[cfg(unix)]
pub(crate) use unix::{Listener, Stream, connect};
#[cfg(windows)]
pub(crate) use windows::{Listener, Stream, connect};

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

#[cfg(windows)]
mod windows {
    use super::{Path, io};
    use std::ffi::OsString;
    use std::time::Duration;
    use tokio::net::windows::named_pipe::{
        ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions,
    };

    /// Either end of a named pipe.
    pub(crate) enum Stream {
        Client(NamedPipeClient),
        Server(NamedPipeServer),
    }

    /// All instances of the pipe are busy.
    const BUSY: i32 = 231;

    pub(crate) struct Listener {
        name: OsString,
        next: NamedPipeServer,
    }

    impl Listener {
        /// Listens there, if nobody else does. The system lets nobody but the owner, administrators and itself
        /// write to a pipe that says nothing else, and remote clients are refused.
        pub(crate) fn bind(path: &Path) -> io::Result<Self> {
            let mut options = ServerOptions::new();
            options
                .first_pipe_instance(true)
                .reject_remote_clients(true);
            let next = options.create(path)?;
            Ok(Listener {
                name: path.into(),
                next,
            })
        }

        /// Nobody can take a pipe away.
        pub(crate) fn is_there(&self) -> bool {
            true
        }

        pub(crate) async fn accept(&mut self) -> io::Result<Stream> {
            self.next.connect().await?;
            let mut options = ServerOptions::new();
            options.reject_remote_clients(true);
            let next = options.create(&self.name)?;
            Ok(Stream::Server(std::mem::replace(&mut self.next, next)))
        }
    }

    pub(crate) async fn connect(path: &Path) -> io::Result<Stream> {
        loop {
            match ClientOptions::new().open(path) {
                Ok(client) => return Ok(Stream::Client(client)),
                Err(error) if error.raw_os_error() == Some(BUSY) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    mod streams {
        use super::Stream;
        use std::io;
        use std::pin::Pin;
        use std::task::{Context, Poll};
        use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

        impl AsyncRead for Stream {
            fn poll_read(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                buffer: &mut ReadBuf<'_>,
            ) -> Poll<io::Result<()>> {
                match self.get_mut() {
                    Stream::Client(pipe) => Pin::new(pipe).poll_read(context, buffer),
                    Stream::Server(pipe) => Pin::new(pipe).poll_read(context, buffer),
                }
            }
        }

        impl AsyncWrite for Stream {
            fn poll_write(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                match self.get_mut() {
                    Stream::Client(pipe) => Pin::new(pipe).poll_write(context, bytes),
                    Stream::Server(pipe) => Pin::new(pipe).poll_write(context, bytes),
                }
            }

            fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                match self.get_mut() {
                    Stream::Client(pipe) => Pin::new(pipe).poll_flush(context),
                    Stream::Server(pipe) => Pin::new(pipe).poll_flush(context),
                }
            }

            fn poll_shutdown(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
            ) -> Poll<io::Result<()>> {
                match self.get_mut() {
                    Stream::Client(pipe) => Pin::new(pipe).poll_shutdown(context),
                    Stream::Server(pipe) => Pin::new(pipe).poll_shutdown(context),
                }
            }
        }
    }
}
