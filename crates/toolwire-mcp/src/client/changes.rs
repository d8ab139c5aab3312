//! Changes of what a server offers, and of single resources, that it tells of.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use toolwire::json::{ObjectWriter, array, string};
use toolwire::mcp::Revision;
use toolwire_rpc::{Arrived, Event, Failure, Pending};

use super::notices::CANCELLED;
use super::request::Request;
use super::shared::{SOON, Shared};
use super::{NotPassed, ToolCall};

const LISTEN: &str = "subscriptions/listen";

/// How long it takes until a stream of changes that ended is opened again, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// Listens for changes of the lists of a server of 2026-07-28, which says nothing unless it is asked to. What comes is
/// for the router.
pub(super) fn listening(shared: &Arc<Shared>) -> Option<impl Future<Output = ()> + use<>> {
    let about = &shared.about;
    let mut filter = ObjectWriter::new();
    for (name, declared) in [
        ("toolsListChanged", about.tools),
        ("resourcesListChanged", about.resources),
        ("promptsListChanged", about.prompts),
    ] {
        if declared.tells {
            filter.flag(name, true);
        }
    }
    let filter = filter.end();
    let listens =
        shared.revision == Revision::V2026_07_28 && filter != "{}" && shared.options.listen;
    let shared = Arc::clone(shared);
    listens.then_some(async move {
        let (least, most) = PAUSE;
        let mut pause = least;
        while shared.peer.why_closed().is_none() {
            let began = Instant::now();
            if let Ok(mut pending) = shared.send(listen(filter.clone())).await
                && !until_ended(&mut pending).await
            {
                return;
            }
            if began.elapsed() > most {
                pause = least;
            }
            sleep(pause).await;
            pause = (pause * 2).min(most);
        }
    })
}

fn listen(filter: String) -> Request<'static> {
    Request {
        method: LISTEN,
        params: vec![("notifications", filter)],
        ..Request::default()
    }
}

/// Waits until a subscription has ended; whether another one may be of use: the server may not know the request after
/// all, or not want it.
async fn until_ended(pending: &mut Pending) -> bool {
    loop {
        match pending.next().await {
            Event::Answer(Err(Failure::Refused(_))) => return false,
            Event::Answer(_) => return true,
            Event::Arrived(Arrived::Notification(said)) if said.method() == CANCELLED => {
                return true;
            }
            Event::Arrived(_) => {}
        }
    }
}

/// A subscription to a resource, which ends when this is dropped.
pub(crate) struct Watched {
    shared: Arc<Shared>,
    uri: String,
    /// The stream of changes, in 2026-07-28.
    stream: Option<Pending>,
}

impl ToolCall {
    /// Subscribes to a resource: its changes go to [`OnChange`](super::OnChange).
    pub(crate) async fn watch(&self, uri: &str) -> Result<Watched, NotPassed> {
        let shared = Arc::clone(&self.shared);
        let mut stream = None;
        if shared.revision == Revision::V2026_07_28 {
            let uris = array([string(uri)]);
            let filter = ObjectWriter::new()
                .json("resourceSubscriptions", uris)
                .end();
            let sent = shared.send(listen(filter)).await;
            let sent = sent.map_err(|why| shared.not_passed(Failure::Closed(why)))?;
            stream = Some(sent);
        } else {
            let asked = shared.ask(about("resources/subscribe", uri)).await;
            asked.map_err(|failure| shared.not_passed(failure))?;
        }
        Ok(Watched {
            shared,
            uri: uri.to_owned(),
            stream,
        })
    }
}

fn about<'a>(method: &'a str, uri: &'a str) -> Request<'a> {
    Request {
        method,
        about: Some(("uri", uri)),
        ..Request::default()
    }
}

impl Watched {
    /// Waits until the server tells no more.
    pub(crate) async fn ended(&mut self) {
        let shared = &self.shared;
        let ended = async {
            match &mut self.stream {
                Some(stream) => drop(until_ended(stream).await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = ended => {}
            () = shared.peer.left() => {}
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.stream.is_some() || self.shared.peer.why_closed().is_some() {
            return;
        }
        let (shared, uri) = (Arc::clone(&self.shared), std::mem::take(&mut self.uri));
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            let left = shared.ask(about("resources/unsubscribe", &uri));
            let _ = timeout(SOON, left).await;
        });
    }
}
