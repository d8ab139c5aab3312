//! Feeding a tool and reading it, in bounded memory (PROC-6, PROC-10 to PROC-12).

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::Observer;
use crate::Control;

/// As much as most tools write at all.
const SMALL: usize = 8 * 1024;

/// As much as a pipe holds on most systems.
const CHUNK: usize = 64 * 1024;

/// Writes all and closes the pipe. A tool may end or close its stdin before it has read everything;
/// that is its own affair.
pub(crate) async fn feed(pipe: Option<ChildStdin>, input: &[u8]) {
    if let Some(mut pipe) = pipe {
        let _ = pipe.write_all(input).await;
    }
}

/// An output of a tool. If the call is dropped, it is read on to nowhere while the tool is asked to
/// end: a tool that writes to a pipe that is closed dies of it before it can clean up.
pub(crate) struct Outlet<P: AsyncRead + Send + Unpin + 'static> {
    pipe: Option<P>,
    grace: Duration,
    ended: Arc<AtomicBool>,
}

impl<P: AsyncRead + Send + Unpin + 'static> Outlet<P> {
    /// `ended` is set when the tool has ended, so that nobody needs what is left in the pipe.
    pub(crate) fn new(pipe: Option<P>, grace: Duration, ended: &Arc<AtomicBool>) -> Self {
        Outlet {
            pipe,
            grace,
            ended: Arc::clone(ended),
        }
    }

    /// Puts the next bytes in place of those in the chunk; false at the end. A pipe that breaks is at
    /// its end.
    async fn read(&mut self, chunk: &mut Vec<u8>) -> bool {
        let Some(pipe) = &mut self.pipe else {
            return false;
        };
        // Whoever fills the chunk has more to say.
        if chunk.len() == chunk.capacity() && chunk.capacity() < CHUNK {
            chunk.reserve_exact(CHUNK);
        }
        chunk.clear();
        let read = pipe.read_buf(chunk).await.unwrap_or_default();
        if read == 0 {
            self.pipe = None;
        }
        read > 0
    }
}

impl<P: AsyncRead + Send + Unpin + 'static> Drop for Outlet<P> {
    fn drop(&mut self) {
        let Some(mut pipe) = self.pipe.take() else {
            return;
        };
        if self.ended.load(Ordering::Relaxed) {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            let grace = self.grace;
            runtime.spawn(async move {
                let _ = timeout(grace, tokio::io::copy(&mut pipe, &mut tokio::io::sink())).await;
            });
        }
    }
}

/// The beginning of an output, up to a number of bytes.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    pub(crate) over: bool,
    most: usize,
}

impl Head {
    pub(crate) fn new(most: usize) -> Self {
        Head {
            bytes: Vec::new(),
            over: false,
            most,
        }
    }

    /// Reads to the end, and says so as soon as there is more than fits. What comes after that is
    /// read too, so that a tool that is asked to end is not stuck in a write, and is dropped.
    pub(crate) async fn read<P>(&mut self, mut pipe: Outlet<P>, over: &Notify)
    where
        P: AsyncRead + Send + Unpin + 'static,
    {
        let mut chunk = Vec::with_capacity(SMALL);
        while pipe.read(&mut chunk).await {
            let room = self.most - self.bytes.len();
            self.bytes
                .extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() > room && !self.over {
                self.over = true;
                over.notify_one();
            }
        }
    }
}

/// The end of an output, up to a number of bytes.
#[derive(Debug)]
pub(crate) struct Tail {
    bytes: VecDeque<u8>,
    pub(crate) cut: bool,
    most: usize,
}

impl Tail {
    pub(crate) fn new(most: usize) -> Self {
        Tail {
            bytes: VecDeque::new(),
            cut: false,
            most,
        }
    }

    /// Reads to the end and hands on each piece as it comes. While nobody takes them the tool waits,
    /// as it would for a slow terminal (TRANS-4).
    pub(crate) async fn read<P>(
        &mut self,
        mut pipe: Outlet<P>,
        observer: Option<&Observer>,
        control: &Control,
    ) where
        P: AsyncRead + Send + Unpin + 'static,
    {
        let mut chunk = Vec::with_capacity(SMALL);
        while pipe.read(&mut chunk).await {
            if let Some(observer) = observer {
                observer.show(&chunk);
            }
            self.push(&chunk);
            control.stderr(&chunk).await;
        }
    }

    pub(crate) fn push(&mut self, piece: &[u8]) {
        let fits = &piece[piece.len().saturating_sub(self.most)..];
        let excess = (self.bytes.len() + fits.len()).saturating_sub(self.most);
        self.cut |= excess > 0 || fits.len() < piece.len();
        self.bytes.drain(..excess);
        self.bytes.extend(fits);
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes.into()
    }
}

#[cfg(test)]
mod tests {
    use super::Tail;

    #[test]
    fn a_tail_keeps_the_last_bytes() {
        let mut tail = Tail::new(4);
        tail.push(b"ab");
        tail.push(b"cd");
        assert!(!tail.cut);
        tail.push(b"e");
        assert!(tail.cut);
        tail.push(b"0123456789");
        assert_eq!(tail.into_bytes(), b"6789");

        let mut none = Tail::new(0);
        none.push(b"a");
        assert!(none.cut && none.into_bytes().is_empty());
    }
}
