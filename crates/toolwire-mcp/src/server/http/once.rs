//! A request of 2026-07-28, which is a connection of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::{oneshot, watch};
use toolwire_rpc::{Came, Closed, Connection, Message, Outgoing, Sink, Source, peer};

use super::stream::{Events, Stream};
use crate::server::Server;

/// How an answer begins.
pub enum Begun {
    /// It is all there is: its text, and the code of the error that it may be.
    Whole(String, Option<i32>),
    /// Something comes before it.
    Stream(Events),
}

/// Answers a request. Whoever drops this, or the stream, does not want the answer any more.
pub async fn answer(
    server: &Server,
    principal: &str,
    message: Message,
    ended: watch::Receiver<bool>,
) -> Option<Begun> {
    let stream = Stream::new(None);
    let events = stream.read(None);
    let (begun, begins) = oneshot::channel();
    let once = Once {
        message: Some(message),
        stream,
        ended,
        begun: Some(begun),
    };
    let (_, driver) = peer(once, server.handler(principal, None).options());
    tokio::spawn(driver);
    match begins.await.ok()? {
        Some((text, code)) => Some(Begun::Whole(text, code)),
        None => Some(Begun::Stream(events)),
    }
}

/// The text of the answer, and the code of the error that it may be; nothing if something comes before it.
type First = Option<(String, Option<i32>)>;

struct Once {
    message: Option<Message>,
    stream: Arc<Stream>,
    /// Whether the server ends.
    ended: watch::Receiver<bool>,
    begun: Option<oneshot::Sender<First>>,
}

impl Connection for Once {
    type Source = Coming;
    type Sink = Going;

    fn split(self) -> (Coming, Going) {
        let stream = Arc::clone(&self.stream);
        let coming = Coming {
            message: self.message,
            stream,
            ended: self.ended,
        };
        let going = Going {
            stream: self.stream,
            begun: self.begun,
        };
        (coming, going)
    }
}

struct Coming {
    message: Option<Message>,
    stream: Arc<Stream>,
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
