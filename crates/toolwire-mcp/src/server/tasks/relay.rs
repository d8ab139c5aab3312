//! The way to where tasks are kept, for the requests of one client.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use toolwire_rpc::{Arrived, Ask, Message, Options, Peer, Pending, RpcError, peer, strict_lines};

use super::TaskLink;
use super::orders::{ORDER, write_order, write_serve};
use super::prepared::Prepared;
use crate::server::ServeOptions;
use crate::server::error::internal;

/// How long the keeper may take to end what is no task.
pub(super) const ENDING: Duration = Duration::from_secs(10);

/// The way to a keeper of tasks, for the requests of one client.
#[derive(Debug)]
pub struct Relay {
    link: TaskLink,
    keeper: Mutex<Option<Keeper>>,
    /// Whether people know that tasks can't be kept elsewhere.
    has_complained: AtomicBool,
}

/// A connection to a keeper.
#[derive(Debug)]
struct Keeper {
    peer: Peer,
    driver: JoinHandle<()>,
}

impl Relay {
    pub fn new(link: TaskLink) -> Self {
        Relay {
            link,
            keeper: Mutex::default(),
            has_complained: AtomicBool::new(false),
        }
    }

    /// Ends the connection, and waits until the keeper has ended the calls that are no tasks.
    pub async fn close(&self) {
        if let Some(keeper) = self.keeper.lock().await.take() {
            keeper.peer.close();
            let _ = timeout(ENDING, keeper.driver).await;
        }
    }

    /// Asks the keeper, which is started if it is to be: nothing if there is none.
    pub async fn ask(
        &self,
        options: &ServeOptions,
        start: bool,
        message: &Message,
        order: Option<&Prepared>,
    ) -> Option<Result<Pending, RpcError>> {
        let mut slot = self.keeper.lock().await;
        let keeper = self.connect(&mut slot, options, start).await?;
        Some(keeper.ask(message, order).await)
    }

    /// Connects to the keeper, if there is no connection; nothing if there is no keeper.
    async fn connect<'a>(
        &self,
        slot: &'a mut Option<Keeper>,
        options: &ServeOptions,
        start: bool,
    ) -> Option<&'a mut Keeper> {
        slot.take_if(|keeper| keeper.driver.is_finished());
        if slot.is_none() {
            let (read, mut write) = match self.link.connect(start).await {
                Ok(found) => found?,
                Err(why) => {
                    if !self.has_complained.swap(true, Ordering::Relaxed) {
                        let message = format!("tasks end with this server: {why}");
                        options.reporter.report(&message);
                    }
                    return None;
                }
            };
            let serves = write_serve(options, options.tasks.as_ref()?) + "\n";
            write.write_all(serves.as_bytes()).await.ok()?;
            let lines = strict_lines(read, write, orders_limit(options));
            let (peer, driver) = peer(lines, Options::new(pass));
            *slot = Some(Keeper {
                peer,
                driver: tokio::spawn(driver),
            });
        }
        slot.as_mut()
    }
}

/// Gives what the keeper says to a request that waits for an answer, which passes it on to the client: it says itself
/// what it is about.
fn pass(peer: &Peer, arrived: Arrived, _: Option<u64>) {
    if let (Arrived::Notification(_), Some(first)) = (&arrived, peer.hearing().first()) {
        peer.pass(*first, arrived);
    }
}

/// The maximum bytes of a message to or from a keeper: one holds a call twice, as its client wrote it and as it is run.
pub(super) fn orders_limit(options: &ServeOptions) -> usize {
    options
        .max_message
        .saturating_mul(3)
        .saturating_add(1 << 20)
}

impl Keeper {
    async fn ask(&self, message: &Message, order: Option<&Prepared>) -> Result<Pending, RpcError> {
        let ask = Ask {
            method: ORDER,
            hears: true,
            ..Ask::default()
        };
        let asked = self
            .peer
            .request(ask, |_| write_order(message.text(), order));
        asked.await.map_err(|_| gone())
    }
}

pub fn gone() -> RpcError {
    internal("the process that keeps tasks has ended; call the tool again")
}
