//! The handles of a host, over its socket.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::de::DeserializeOwned;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use toolwire::call::AnswerSource;
use toolwire_host::handles::{
    Apply, Fetch, Handles, HandlesError, Listed, Spawn, Wait, Waited, Work,
};
use toolwire_host::{Fetched, Typed};
use toolwire_rpc::{
    Arrived, Ask, Failure, Options, Part as Answer, Peer, Pending, RpcError, lines, peer,
};

use crate::error::{Result, unreached};
use crate::messages::{Abort, Attach, Ids, MAX_MESSAGE, NO_METHOD, Named, Part, Type, json};
use crate::net::Stream;

/// How long a host may take to serve a client.
pub(crate) const WELCOME: Duration = Duration::from_secs(10);

/// How long a host may take to say that a person has left.
pub(crate) const LEAVING: Duration = Duration::from_secs(2);

pub(crate) const NO_HOST: &str = "what listens at the socket is no session host";
pub(crate) const SILENT: &str = "the session host of this workspace does not answer";

/// The handles of a host, over its socket.
#[derive(Debug)]
pub struct RemoteHandles {
    peer: Peer,
    driver: JoinHandle<()>,
}

impl Drop for RemoteHandles {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl RemoteHandles {
    /// Waits until the host serves this client; nothing if it has ended meanwhile.
    pub(crate) async fn greet(stream: Stream) -> Result<Option<Self>> {
        let (read, write) = tokio::io::split(stream);
        // A host asks nothing.
        let options = Options::new(|_, arrived, _| {
            if let Arrived::Request(incoming) = arrived {
                incoming.respond(Err(RpcError::new(NO_METHOD, "a client answers nothing")));
            }
        });
        let (peer, driver) = peer(lines(read, write, MAX_MESSAGE), options);
        let driver = tokio::spawn(driver);
        let handles = RemoteHandles { peer, driver };
        let greeting = async {
            let mut ping = handles.send("ping", "{}".to_owned()).await.ok()?;
            Some(ping.answer().await)
        };
        match timeout(WELCOME, greeting).await {
            Ok(Some(Ok(_))) => Ok(Some(handles)),
            Ok(None | Some(Err(Failure::Closed(_)))) => Ok(None),
            Ok(Some(Err(_))) => Err(unreached(NO_HOST)),
            Err(_) => Err(unreached(SILENT)),
        }
    }

    /// Notes that this id could not be spawned, so that the next `wait` for it does not take an earlier run for that.
    ///
    /// # Errors
    ///
    /// `Unreached` if the host has ended.
    pub async fn not_spawned(&self, id: &str) -> Result<()> {
        let id = id.to_owned();
        self.ask("notSpawned", json(&Named { id })).await
    }

    /// Takes part in the terminal of a handle, as a person does.
    ///
    /// # Errors
    ///
    /// `Unreached` if the host has ended. That the handle has no terminal is told by [`RemoteTerminal::next`].
    pub async fn attach(&self, id: &str, columns: u16, rows: u16) -> Result<RemoteTerminal<'_>> {
        let id = id.to_owned();
        let attach = json(&Attach { id, columns, rows });
        let pending = self.send("attach", attach).await?;
        Ok(RemoteTerminal {
            handles: self,
            part: Part {
                terminal: pending.id(),
            },
            next: Some(pending),
        })
    }

    async fn send(&self, method: &str, params: String) -> Result<Pending> {
        let ask = Ask {
            method,
            ..Ask::default()
        };
        let sent = self.peer.request(ask, |_| params).await;
        sent.map_err(|_| gone())
    }

    async fn ask<T: DeserializeOwned>(&self, method: &str, params: String) -> Result<T> {
        let mut pending = self.send(method, params).await?;
        read(pending.answer().await)
    }

    fn work<'a, T: DeserializeOwned + Send + 'a>(
        &'a self,
        method: &'a str,
        params: String,
    ) -> Work<'a, T> {
        Box::pin(self.ask(method, params))
    }
}

impl Handles for RemoteHandles {
    fn spawn(&self, spawn: Spawn) -> Work<'_, Fetched> {
        self.work("spawn", json(&spawn))
    }

    fn fetch(&self, fetch: Fetch) -> Work<'_, Fetched> {
        self.work("fetch", json(&fetch))
    }

    fn apply(&self, apply: Apply) -> Work<'_, Fetched> {
        self.work("apply", json(&apply))
    }

    fn abort(&self, id: &str, by: AnswerSource) -> Work<'_, Fetched> {
        let id = id.to_owned();
        self.work("abort", json(&Abort { id, by }))
    }

    fn list(&self, ids: &[&str]) -> Work<'_, Vec<Listed>> {
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        self.work("list", json(&Ids { ids }))
    }

    fn wait(&self, wait: Wait) -> Work<'_, Waited> {
        self.work("wait", json(&wait))
    }
}

/// A person's part in the terminal of a tool that a host runs. Dropped, it is over once the connection is;
/// [`leave`](RemoteTerminal::leave) ends it at once.
#[derive(Debug)]
pub struct RemoteTerminal<'s> {
    handles: &'s RemoteHandles,
    part: Part,
    /// The request whose answer is what is shown next.
    next: Option<Pending>,
}

impl RemoteTerminal<'_> {
    /// What is to be written to the person's terminal: first what draws all of it, then what the program writes.
    /// Nothing once the tool has ended, or the person has left.
    ///
    /// # Errors
    ///
    /// `Refused` if the handle has no terminal, `Unreached` if the host has ended. Nothing is lost if the future is
    /// dropped.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let next = match &mut self.next {
            Some(next) => next,
            none => none.insert(self.handles.send("output", json(&self.part)).await?),
        };
        let shown = next.answer().await;
        self.next = None;
        let shown: Option<String> = read(shown)?;
        let bytes = shown.map(|shown| BASE64.decode(shown)).transpose();
        bytes.map_err(|_| unreached(NO_HOST))
    }

    /// Hands on what the person does.
    ///
    /// # Errors
    ///
    /// `Unreached` if the host has ended.
    pub async fn send(&self, typed: Typed) -> Result<()> {
        let (bytes, size) = match typed {
            Typed::Bytes(bytes) => (BASE64.encode(bytes), None),
            Typed::Size(columns, rows) => (String::new(), Some((columns, rows))),
            _ => return Ok(()),
        };
        let terminal = self.part.terminal;
        let typed = json(&Type {
            terminal,
            bytes,
            size,
        });
        match self.handles.ask("type", typed).await {
            // What the terminal shows next says that its program has ended.
            Err(HandlesError::Refused(_)) => Ok(()),
            done => done,
        }
    }

    /// Leaves; the tool goes on. This takes at most 2 seconds.
    ///
    /// # Errors
    ///
    /// `Unreached` if the host has ended, or does not say in this time that the person has left.
    pub async fn leave(self) -> Result<()> {
        let left = timeout(LEAVING, self.handles.ask("leave", json(&self.part)));
        left.await.unwrap_or_else(|_| Err(unreached(SILENT)))
    }
}

/// The result of a request.
fn read<T: DeserializeOwned>(answer: std::result::Result<Answer, Failure>) -> Result<T> {
    let strange = |_| unreached(NO_HOST);
    match answer {
        Ok(result) => serde_json::from_str(&result).map_err(strange),
        Err(Failure::Refused(error)) => {
            #[derive(serde::Deserialize)]
            struct Refused {
                message: String,
            }
            let refused: Refused = serde_json::from_str(&error).map_err(strange)?;
            Err(HandlesError::Refused(refused.message))
        }
        Err(Failure::Closed(_)) => Err(gone()),
        Err(Failure::Unusable(_)) => Err(unreached(NO_HOST)),
    }
}

fn gone() -> HandlesError {
    unreached("the session host has ended, and all its handles with it")
}
