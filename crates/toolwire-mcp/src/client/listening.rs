//! Listening for changes of a server's tools in 2026-07-28, where a server says nothing unless it is asked to
//!.

use std::time::Duration;

use rmcp::model::{
    ClientRequest, SubscriptionFilter, SubscriptionsListenRequest, SubscriptionsListenRequestParams,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// How long it takes until a stream that ended is opened again, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// A stream of changes, which is open until this is dropped. What comes on it is for the
/// [`Wire`](super::wire::Wire).
#[derive(Debug)]
pub(super) struct Listening(JoinHandle<()>);

impl Listening {
    pub(super) fn start(peer: Peer<RoleClient>) -> Self {
        Listening(tokio::spawn(listen(peer)))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn listen(peer: Peer<RoleClient>) {
    let (least, most) = PAUSE;
    let mut pause = least;
    while !peer.is_transport_closed() {
        let began = Instant::now();
        let mut filter = SubscriptionFilter::default();
        filter.tools_list_changed = Some(true);
        let params = SubscriptionsListenRequestParams::new(filter);
        let request =
            ClientRequest::SubscriptionsListenRequest(SubscriptionsListenRequest::new(params));
        let sent = peer.send_request_with_option(request, Default::default());
        let ended = match sent.await {
            Ok(handle) => handle.await_response().await,
            Err(error) => Err(error),
        };
        if let Err(ServiceError::McpError(_)) = ended {
            // It does not know the request after all, or does not want to.
            return;
        }
        if began.elapsed() > most {
            pause = least;
        }
        sleep(pause).await;
        pause = (pause * 2).min(most);
    }
}
