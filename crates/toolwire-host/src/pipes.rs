//! Feeding a tool and reading it, in bounded memory (PROC-6, PROC-10 to PROC-12).

use std::collections::VecDeque;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::sync::Notify;

use crate::Observer;

/// As much as a pipe holds on most systems.
const CHUNK: usize = 64 * 1024;

/// Writes all and closes the pipe. A tool may end or close its stdin before it has read everything;
/// that is its own affair.
pub(crate) async fn feed(pipe: Option<ChildStdin>, input: &[u8]) {
    if let Some(mut pipe) = pipe {
        let _ = pipe.write_all(input).await;
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
    pub(crate) async fn read(&mut self, pipe: Option<impl AsyncRead + Unpin>, over: &Notify) {
        let Some(mut pipe) = pipe else { return };
        let mut chunk = vec![0; CHUNK];
        loop {
            // A pipe that breaks is at its end.
            let read = match pipe.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(read) => read,
            };
            let room = self.most - self.bytes.len();
            self.bytes.extend_from_slice(&chunk[..read.min(room)]);
            if read > room && !self.over {
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

    /// Reads to the end and shows each piece to the observer as it comes.
    pub(crate) async fn read(
        &mut self,
        pipe: Option<impl AsyncRead + Unpin>,
        observer: Option<&Observer>,
    ) {
        let Some(mut pipe) = pipe else { return };
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = match pipe.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(read) => read,
            };
            if let Some(observer) = observer {
                observer.show(&chunk[..read]);
            }
            self.push(&chunk[..read]);
        }
    }

    fn push(&mut self, piece: &[u8]) {
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
