//! What a server offers beside its tools, on the connection of a principal: lists, requests that are passed on, and
//! resources that are followed.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;
use toolwire::Json;
use toolwire::lines::Trace;
use toolwire_rpc::Part;

use super::Gateway;
pub(in crate::server) use super::link::Watch;
use crate::client::{NotPassed, Offer, ToolCall, Watched};
use crate::lock;

/// How long it takes until a resource is followed again, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

impl Gateway {
    /// Whether it may offer anything beside its tools: where one of them is named, that alone is served.
    pub(in crate::server) fn is_whole(&self) -> bool {
        self.tool.is_none()
    }

    /// Whether its server declares resources or prompts, if it is connected.
    pub(in crate::server) async fn offers_more(&self) -> bool {
        let link = self.link("");
        let slot = link.slot.lock().await;
        self.is_whole()
            && slot
                .client
                .as_ref()
                .is_some_and(|client| client.offers_more())
    }

    /// What the server lists, each as it wrote it: as it was listed last, or else as it is now.
    pub(in crate::server) async fn offers(
        &self,
        principal: &str,
        what: Offer,
        anew: bool,
    ) -> Result<Arc<Vec<Json>>, String> {
        let link = self.link(principal);
        let known = lock(&link.offers).get(&what).filter(|_| !anew).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let listed = self.used(principal).await?.list(what).await;
        let listed = Arc::new(listed.map_err(|error| error.to_string())?);
        lock(&link.offers).insert(what, Arc::clone(&listed));
        Ok(listed)
    }

    /// Passes on a request about what it offers; nothing if the server has none of that kind.
    pub(in crate::server) async fn pass(
        &self,
        principal: &str,
        what: Offer,
        method: &str,
        about: (&str, &str),
        params: Vec<(&str, String)>,
        trace: Trace,
    ) -> Option<Result<Part, NotPassed>> {
        let call = match self.used(principal).await {
            Ok(call) => call,
            Err(why) => return Some(Err(NotPassed::Lost(why))),
        };
        if !call.offers(what) {
            return None;
        }
        Some(call.pass(method, about, params, trace).await)
    }

    /// A connection that may be used.
    async fn used(&self, principal: &str) -> Result<ToolCall, String> {
        let (call, seen) = self.admitted(&self.link(principal)).await?;
        seen.refused.map(|_| call)
    }

    /// Follows a resource for as long as somebody holds what this gives.
    pub(in crate::server) async fn watch(
        &self,
        principal: &str,
        uri: &str,
    ) -> Result<Arc<Watch>, NotPassed> {
        let link = self.link(principal);
        let followed = || lock(&link.watches).get(uri).and_then(Weak::upgrade);
        if let Some(watch) = followed() {
            return Ok(watch);
        }
        let watched = self.subscribe(principal, uri).await?;
        // Another client may have been faster.
        if let Some(watch) = followed() {
            return Ok(watch);
        }
        let changed = Arc::new(watch::Sender::new(()));
        let following = {
            let (gateway, changed) = (self.clone(), Arc::clone(&changed));
            let (principal, uri) = (principal.to_owned(), uri.to_owned());
            async move { gateway.follow(&principal, &uri, watched, &changed).await }
        };
        let watch = Arc::new(Watch {
            changed,
            task: tokio::spawn(following).abort_handle(),
        });
        let mut watches = lock(&link.watches);
        watches.retain(|_, watch| watch.strong_count() > 0);
        watches.insert(uri.to_owned(), Arc::downgrade(&watch));
        Ok(watch)
    }

    async fn subscribe(&self, principal: &str, uri: &str) -> Result<Watched, NotPassed> {
        let call = self.used(principal).await.map_err(NotPassed::Lost)?;
        call.watch(uri).await
    }

    /// Subscribes again whenever the server has ended.
    async fn follow(
        &self,
        principal: &str,
        uri: &str,
        watched: Watched,
        changed: &watch::Sender<()>,
    ) {
        let mut watched = Some(watched);
        let (mut pause, most) = PAUSE;
        while !*self.links.closed.borrow() {
            if let Some(mut watched) = watched.take() {
                watched.ended().await;
            }
            sleep(pause).await;
            pause = (pause * 2).min(most);
            if let Ok(again) = self.subscribe(principal, uri).await {
                watched = Some(again);
                // It may have changed meanwhile.
                changed.send_replace(());
                pause = PAUSE.0;
            }
        }
    }
}
