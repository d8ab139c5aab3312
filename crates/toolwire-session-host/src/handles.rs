//! The handles of a host.

use toolwire_host::Attached;

use crate::wire::{Reply, Request};

pub(crate) struct Handles {}

impl Handles {
    pub(crate) fn new() -> Self {
        Handles {}
    }

    pub(crate) fn count(&self) -> usize {
        0
    }

    pub(crate) async fn carry_out(&self, request: Request) -> Reply {
        match request {
            Request::List => Reply::Handles(Vec::new()),
            _ => Reply::Error {
                message: "not yet".to_owned(),
            },
        }
    }

    /// A person's part in the terminal of a handle; nothing if its tool has ended.
    pub(crate) fn attach(&self, _id: &str) -> Result<Option<Attached>, String> {
        Ok(None)
    }

    pub(crate) async fn close(&self) {}

    pub(crate) async fn kill(&self) {}
}
