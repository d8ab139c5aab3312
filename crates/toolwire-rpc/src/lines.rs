//! One message a line, on pipes or a socket.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::time::timeout;

use crate::message::INVALID_REQUEST;
use crate::{Came, Closed, Damage, Message, Outgoing, Sink, Source};

/// How far into a line a message is looked for behind something that a program printed without a line end.
const NOISE: usize = 4096;

/// How many bytes are written at once, so that it shows that the other side reads.
const PIECE: usize = 64 * 1024;

/// How long it takes until what was printed without a line end is taken for noise.
const QUIET: Duration = Duration::from_millis(500);

/// One message a line of at most so many bytes. A longer one ends the connection, and a message is found behind what a
/// program prints without a line end.
pub fn lines<R: AsyncRead, W>(
    read: R,
    write: W,
    max_message: usize,
) -> (LineSource<R>, LineSink<W>) {
    let source = LineSource {
        read: BufReader::new(read),
        line: Vec::new(),
        max_message,
        is_strict: false,
        is_skipping: false,
        ahead: None,
    };
    (source, LineSink(Some(write)))
}

/// The same, but a line that is too long is damage, and so is one that does not begin with a message.
pub fn strict_lines<R: AsyncRead, W>(
    read: R,
    write: W,
    max_message: usize,
) -> (LineSource<R>, LineSink<W>) {
    let (source, sink) = lines(read, write, max_message);
    let is_strict = true;
    (
        LineSource {
            is_strict,
            ..source
        },
        sink,
    )
}

/// The half that is read.
#[derive(Debug)]
pub struct LineSource<R> {
    read: BufReader<R>,
    /// What has been read of a line.
    line: Vec<u8>,
    max_message: usize,
    is_strict: bool,
    /// Whether the rest of a line that is too long is passed over.
    is_skipping: bool,
    /// The message that stood behind noise.
    ahead: Option<Came>,
}

impl<R> LineSource<R> {
    /// What a line is; nothing if it is blank.
    fn came(&mut self, line: Vec<u8>) -> Option<Came> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        let begins = line.trim_ascii_start();
        let begins = begins.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begins);
        let is_batch = begins
            .strip_prefix(b"[")
            .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"{"));
        if !self.is_strict && !begins.starts_with(b"{") && !is_batch {
            for at in objects(&line) {
                let came = read(line[at..].to_vec());
                let found = match &came {
                    Came::Damage(damage, _) => damage.answers,
                    _ => true,
                };
                if found {
                    self.ahead = Some(came);
                    let noise = String::from_utf8_lossy(&line[..at]);
                    return Some(Came::Damage(Damage::new("is no message", &noise, 0), None));
                }
            }
        }
        Some(read(line))
    }
}

fn read(line: Vec<u8>) -> Came {
    match Message::read(line) {
        Ok(message) => Came::Message(message, None),
        Err(damage) => Came::Damage(damage, None),
    }
}

/// Where objects may begin in a line that begins with something else.
fn objects(line: &[u8]) -> impl Iterator<Item = usize> {
    let pairs = line[..line.len().min(NOISE)].windows(2).enumerate();
    let starts = pairs.filter(|(_, pair)| pair == b"{\"");
    starts.map(|(at, _)| at).take(8)
}

impl<R: AsyncRead + Send + Unpin> Source for LineSource<R> {
    async fn next(&mut self) -> Came {
        loop {
            if let Some(came) = self.ahead.take() {
                return came;
            }
            // A program that asks its user something prints no line end, and waits.
            let head = &self.line[..self.line.len().min(NOISE)];
            let may_wait = self.is_strict || head.is_empty() || head.contains(&b'{');
            if !may_wait && timeout(QUIET, self.read.fill_buf()).await.is_err() {
                let line = std::mem::take(&mut self.line);
                self.ahead = self.came(line);
                continue;
            }
            let available = match self.read.fill_buf().await {
                Ok([]) if self.line.is_empty() => return Came::Closed(Closed::Ended),
                Ok(available) => available,
                Err(error) => return Came::Closed(Closed::Broken(error.to_string())),
            };
            let ends = available.is_empty();
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            if self.is_skipping || self.line.len() + taken > self.max_message {
                if !self.is_strict {
                    return Came::Closed(Closed::TooLong(self.max_message));
                }
                self.read.consume(taken);
                self.line = Vec::new();
                let was_skipping = std::mem::replace(&mut self.is_skipping, end.is_none());
                if was_skipping {
                    continue;
                }
                let why = format!("is longer than {} bytes", self.max_message);
                return Came::Damage(Damage::new(why, "", INVALID_REQUEST), None);
            }
            self.line.extend_from_slice(&available[..taken]);
            self.read.consume(taken);
            if end.is_some() || ends {
                let line = std::mem::take(&mut self.line);
                if let Some(came) = self.came(line) {
                    return came;
                }
            }
        }
    }

    async fn drain(&mut self) {
        self.line = Vec::new();
        while let Ok(available @ [_, ..]) = self.read.fill_buf().await {
            let taken = available.len();
            self.read.consume(taken);
        }
    }
}

/// The half that is written; empty once it is closed.
#[derive(Debug)]
pub struct LineSink<W>(Option<W>);

impl<W: AsyncWrite + Send + Unpin> Sink for LineSink<W> {
    async fn send(&mut self, out: Outgoing, written: &AtomicU64) -> Result<(), Closed> {
        let (Outgoing::Message { text: mut line, .. }
        | Outgoing::Answer { text: mut line, .. }
        | Outgoing::Cancel { text: mut line, .. }) = out;
        // White space between values, since strings can't hold it.
        if line.contains(['\n', '\r']) {
            line = line.replace(['\n', '\r'], " ");
        }
        line.push('\n');
        let Some(write) = &mut self.0 else {
            return Err(Closed::Local);
        };
        let sending = async {
            for piece in line.as_bytes().chunks(PIECE) {
                write.write_all(piece).await?;
                written.fetch_add(piece.len() as u64, Ordering::Relaxed);
            }
            write.flush().await
        };
        sending
            .await
            .map_err(|error: std::io::Error| Closed::Broken(error.to_string()))
    }

    async fn close(&mut self) {
        if let Some(mut write) = self.0.take() {
            let _ = write.shutdown().await;
        }
    }
}
