//! The tools of a server.

use std::time::Instant;

use toolwire::call::ToolDescription;
use toolwire::mcp::Revision;

use super::listed::{Listed, ListedTool};
use super::shared::Shared;
use super::{Client, ClientError, ClientErrorKind, ToolCall};

impl Client {
    /// The tools of the server, in its order, from all pages of its list. The list is read again once
    /// the server has said that it has changed, or, in 2026-07-28, once its time is over. A tool that can't be
    /// read is left out, and one that has the name of an earlier one, or whose name becomes that of another one.
    ///
    /// # Errors
    ///
    /// `bad_tools` if the list can't be used or is too long, `not_connected` and `timeout`.
    pub async fn tools(&self) -> Result<Vec<ToolDescription>, ClientError> {
        self.shared.descriptions().await
    }

    /// Whether the server has said that its list is another one, and it was not read since.
    pub(crate) fn has_changed(&self) -> bool {
        self.shared.router.has_changed()
    }

    /// All that the list of [`Client::tools`] has, as the server sent it: also what is left out there, and why.
    ///
    /// # Errors
    ///
    /// Those of [`Client::tools`].
    pub async fn listing(&self) -> Result<Vec<ListedTool>, ClientError> {
        self.shared.listing().await
    }
}

impl ToolCall {
    /// What [`Client::listing`] gives, on the connection that carries the call.
    ///
    /// # Errors
    ///
    /// Those of [`Client::tools`].
    pub async fn listing(&self) -> Result<Vec<ListedTool>, ClientError> {
        self.shared.listing().await
    }

    /// The tools of the server that is called, as [`Client::tools`] gives them, on the connection that carries the
    /// call.
    ///
    /// # Errors
    ///
    /// Those of [`Client::tools`].
    pub async fn tools(&self) -> Result<Vec<ToolDescription>, ClientError> {
        self.shared.descriptions().await
    }
}

impl Shared {
    async fn descriptions(&self) -> Result<Vec<ToolDescription>, ClientError> {
        let mut slot = self.tools.lock().await;
        let listed = self.listed(&mut slot).await?;
        Ok(listed.tools())
    }

    async fn listing(&self) -> Result<Vec<ListedTool>, ClientError> {
        let mut slot = self.tools.lock().await;
        Ok(self.listed(&mut slot).await?.all.clone())
    }

    /// The list, which is read if there is none that may still be used.
    pub(super) async fn listed<'s>(
        &self,
        slot: &'s mut Option<Listed>,
    ) -> Result<&'s Listed, ClientError> {
        let over = |listed: &Listed| listed.until.is_some_and(|until| until <= Instant::now());
        if self.router.take_change() || slot.as_ref().is_some_and(over) {
            *slot = None;
        }
        match slot {
            Some(listed) => Ok(listed),
            None => Ok(slot.insert(self.read_tools().await?)),
        }
    }

    async fn read_tools(&self) -> Result<Listed, ClientError> {
        let is_modern = self.revision == Revision::V2026_07_28;
        // A server that does not declare tools need not have any.
        let ends = |_| !self.about.tools.is_there;
        let list = self
            .list("tools/list", "tools", ClientErrorKind::BadTools, ends)
            .await?;
        let tools = list.elements.into_iter();
        let sent = tools.map(|tool| ListedTool::of(tool, self.is_http && is_modern));
        // A time that no clock can tell is for ever.
        let until = list.lasts.filter(|_| is_modern);
        let until = until.and_then(|lasts| Instant::now().checked_add(lasts));
        Ok(Listed::of(sent.collect(), until))
    }
}
