//! A request of 2026-07-28, which is a connection of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::{oneshot, watch};
use toolwire_rpc::{Came, Closed, Message, Outgoing, Sink, Source, peer};

use super::stream::{Events, Stream};
use crate::server::Server;

/// The text of an answer, and the code of the error that it may be; nothing if something comes before it.
pub type First = Option<(String, Option<i32>)>;

/// Answers a request: how the answer begins, and the stream of the rest. Dropping this, or the stream,
/// gives up the answer.
pub async fn answer(
    server: &Server,
    principal: &str,
    message: Message,
    ended: watch::Receiver<bool>,
) -> Option<(First, Events)> {
    let stream = Stream::new(None);
    let events = stream.read(None);
    let (begun, begins) = oneshot::channel();
    let coming = Coming {
        message: Some(message),
        stream: Arc::clone(&stream),
        ended,
    };
    let going = Going {
        stream,
        begun: Some(begun),
    };
    let options = server.handler(principal, None).options();
    let (_, driver) = peer((coming, going), options);
    tokio::spawn(driver);
    Some((begins.await.ok()?, events))
}

struct Coming {
    message: Option<Message>,
    stream: Arc<Stream>,
    /// Whether the server ends.
    ended: watch::Receiver<bool>,
}

impl Source for Coming {
    async fn next(&mut self) -> Came {
        if let Some(message) = self.message.take() {
            return Came::Message(message, None);
        }
        tokio::select! {
            () = self.stream.abandoned() => {}
            _ = self.ended.wait_for(|ended| *ended) => {}
        }
        Came::Closed(Closed::Local)
    }

    async fn drain(&mut self) {}
}

struct Going {
    stream: Arc<Stream>,
    begun: Option<oneshot::Sender<First>>,
}

impl Sink for Going {
    async fn send(&mut self, out: Outgoing, _: &AtomicU64) -> Result<(), Closed> {
        match (out, self.begun.take()) {
            (Outgoing::Answer { text, code, .. }, Some(begun)) => {
                let _ = begun.send(Some((text, code)));
                Err(Closed::Local)
            }
            (Outgoing::Answer { text, .. }, None) => {
                self.stream.push(&text).await;
                Err(Closed::Local)
            }
            (Outgoing::Message { text, .. }, begun) => {
                self.stream.push(&text).await;
                if let Some(begun) = begun {
                    let _ = begun.send(None);
                }
                Ok(())
            }
            (Outgoing::Cancel { .. }, begun) => {
                self.begun = begun;
                Ok(())
            }
        }
    }

    async fn close(&mut self) {
        self.stream.end();
    }
}
