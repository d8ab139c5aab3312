//! Messages as lines on the pipes of a program.

use std::io;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::runtime::Handle;
use tokio::sync::Mutex;

use super::queue::Said;
use super::wire::{Passed, Wire};

/// The most characters that are shown of a line that is no message.
const SHOWN: usize = 4096;

/// Lines that come from a program and go to it.
pub(super) struct Lines<R: AsyncRead + Send + Unpin + 'static, W> {
    /// Empty only once it is dropped.
    read: Option<BufReader<R>>,
    /// What has been read of a line; reading may be given up and begun again at any time.
    line: Vec<u8>,
    max_message: usize,
    write: Arc<Mutex<Option<W>>>,
    wire: Arc<Wire>,
}

impl<R: AsyncRead + Send + Unpin + 'static, W> Lines<R, W> {
    pub(super) fn new(read: R, write: W, max_message: usize, wire: Arc<Wire>) -> Self {
        Lines {
            read: Some(BufReader::new(read)),
            line: Vec::new(),
            max_message,
            write: Arc::new(Mutex::new(Some(write))),
            wire,
        }
    }

    /// Reads on until a line is whole; false at the end, or if the line is too long.
    async fn read_line(&mut self) -> bool {
        let Some(read) = &mut self.read else {
            return false;
        };
        loop {
            let available = match read.fill_buf().await {
                Ok([]) | Err(_) => return false,
                Ok(available) => available,
            };
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            if self.line.len() + taken > self.max_message {
                let most = self.max_message;
                let reason = format!("the server sent a message of more than {most} bytes");
                self.wire.fail(reason);
                return false;
            }
            self.line.extend_from_slice(&available[..taken]);
            read.consume(taken);
            if end.is_some() {
                return true;
            }
        }
    }
}

impl<R: AsyncRead + Send + Unpin + 'static, W> Drop for Lines<R, W> {
    /// Reads on to nowhere while the server ends: a program that writes to a closed pipe dies of it
    /// before it can clean up.
    fn drop(&mut self) {
        if let (Some(mut read), Ok(runtime)) = (self.read.take(), Handle::try_current()) {
            runtime.spawn(async move { tokio::io::copy(&mut read, &mut tokio::io::sink()).await });
        }
    }
}

impl<R, W> Transport<RoleClient> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let text = self.wire.write(&message);
        let write = Arc::clone(&self.write);
        async move {
            let mut text = text?;
            text.push('\n');
            match &mut *write.lock().await {
                Some(write) => {
                    write.write_all(text.as_bytes()).await?;
                    write.flush().await
                }
                None => Err(io::ErrorKind::NotConnected.into()),
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        while self.read_line().await {
            let line = std::mem::take(&mut self.line);
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let text = String::from_utf8_lossy(text);
            let read = match self.wire.pass(&text, None) {
                Passed::Whole => serde_json::from_str(&text),
                Passed::Instead(text) | Passed::Both(text) => serde_json::from_str(&text),
                Passed::Taken => continue,
                Passed::Noise => {
                    let shown = text.chars().take(SHOWN).collect();
                    self.wire.tell(Said::Noise(shown), None);
                    continue;
                }
            };
            if let Ok(message) = read {
                return Some(message);
            }
        }
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        *self.write.lock().await = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_message_may_be_as_long_as_the_limit_and_no_longer() {
        let message = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#;
        let line: &'static str = format!("{message}\n").leak();
        for (most, passes) in [(line.len(), true), (line.len() - 1, false)] {
            let wire = Arc::new(Wire::default());
            let mut lines = Lines::new(line.as_bytes(), tokio::io::sink(), most, Arc::clone(&wire));
            assert_eq!(lines.receive().await.is_some(), passes);
            assert_eq!(wire.failure().is_none(), passes);
        }
    }

    #[tokio::test]
    async fn what_is_no_message_is_passed_over() {
        let message = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#;
        let text: &'static str = format!("starting…\n\n\u{1b}[2J\r\n[1]\n{message}\n").leak();
        let wire = Arc::new(Wire::default());
        let (_, mut said) = wire.listen();
        let mut lines = Lines::new(text.as_bytes(), tokio::io::sink(), 1000, Arc::clone(&wire));
        assert!(lines.receive().await.is_some());
        for noise in ["starting…", "\u{1b}[2J", "[1]"] {
            assert!(matches!(said.try_recv(), Some(Said::Noise(text)) if text == noise));
        }
    }
}
