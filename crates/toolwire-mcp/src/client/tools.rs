//! The tools of a server.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult};
use rmcp::service::ServiceError;
use tokio::time::timeout;
use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::Document;
use toolwire::mcp::{FromTool, Revision, from_tool};

use super::connect::Shared;
use super::error::innermost;
use super::wire::Answered;
use super::{Client, ClientError, ClientErrorKind};

/// A list of tools, and how long it may be used.
#[derive(Debug)]
pub(super) struct Listed {
    tools: Vec<FromTool>,
    /// Nothing means until the server says that it has changed.
    until: Option<Instant>,
}

/// A page of a list.
struct Page {
    text: String,
    /// What rmcp made of it, if it did.
    read: ServerResult,
}

impl Page {
    /// Whether a tool may be called. rmcp leaves out those whose `x-mcp-header` is not as it should be.
    fn allows(&self, name: &str) -> bool {
        match &self.read {
            ServerResult::ListToolsResult(list) => list.tools.iter().any(|tool| tool.name == name),
            _ => true,
        }
    }
}

impl Listed {
    /// The tool of that name, or else the one that the server calls so.
    pub(super) fn find(&self, name: &str) -> Option<&FromTool> {
        let mut tools = self.tools.iter();
        tools
            .find(|listed| listed.tool.name == name)
            .or_else(|| self.tools.iter().find(|listed| listed.name == name))
    }

    pub(super) fn tools(&self) -> Vec<ToolDescription> {
        self.tools
            .iter()
            .map(|listed| listed.tool.clone())
            .collect()
    }
}

impl Client {
    /// The tools of the server, in its order, from all pages of its list (CLT-10). The list is read again once
    /// the server has said that it has changed, or, in 2026-07-28, once its time is over. A tool that can't be
    /// read is left out, and one that has the name of an earlier one.
    ///
    /// # Errors
    ///
    /// `bad_tools` if the list can't be used or is too long, `not_connected` and `timeout`.
    pub async fn tools(&self) -> Result<Vec<ToolDescription>, ClientError> {
        let mut slot = self.shared.tools.lock().await;
        let listed = self.shared.listed(&mut slot).await?;
        Ok(listed.tools())
    }
}

impl Shared {
    /// The list, which is read if there is none that may still be used.
    pub(super) async fn listed<'s>(
        &self,
        slot: &'s mut Option<Listed>,
    ) -> Result<&'s Listed, ClientError> {
        let over = |listed: &Listed| listed.until.is_some_and(|until| until <= Instant::now());
        if self.wire.take_change() || slot.as_ref().is_some_and(over) {
            *slot = None;
        }
        if slot.is_none() {
            let reading = timeout(self.options.connect_timeout, self.read_list());
            let listed = reading.await.unwrap_or_else(|_| {
                let seconds = self.options.connect_timeout.as_secs_f64();
                let message = format!(
                    "the server `{}` did not list its tools within {seconds} s",
                    self.name
                );
                Err(ClientError::new(ClientErrorKind::Timeout, message))
            })?;
            return Ok(slot.insert(listed));
        }
        slot.as_ref().ok_or_else(|| self.bad_tools("there is none"))
    }

    async fn read_list(&self) -> Result<Listed, ClientError> {
        let mut tools: Vec<FromTool> = Vec::new();
        let mut names = BTreeSet::new();
        let mut cursor: Option<String> = None;
        let mut lasts: Option<Duration> = None;
        for _ in 0..self.options.max_pages {
            let page = self.read_page(cursor.take()).await?;
            let document = Document::new(&page.text).map_err(|error| {
                self.bad_tools(&format!("it is not JSON as it should be: {error}"))
            })?;
            let root = document.root();
            let Some(listed) = root.get("tools") else {
                return Err(self.bad_tools("it has no `tools`"));
            };
            for tool in listed.elements() {
                let Ok(tool) = from_tool(&Json::from(tool)) else {
                    continue;
                };
                if page.allows(&tool.name) && names.insert(tool.tool.name.clone()) {
                    tools.push(tool);
                }
                if tools.len() > self.options.max_tools {
                    let most = self.options.max_tools;
                    return Err(self.bad_tools(&format!("it has more than {most} tools")));
                }
            }
            let ttl = root.get("ttlMs").and_then(|ttl| ttl.as_u64());
            let ttl = Duration::from_millis(ttl.unwrap_or_default());
            lasts = Some(lasts.map_or(ttl, |lasts| lasts.min(ttl)));
            cursor = root
                .get("nextCursor")
                .and_then(|next| Some(next.as_str()?.into_owned()));
            if cursor.is_none() {
                let lasts = lasts.filter(|_| self.revision == Revision::V2026_07_28);
                // A time that no clock can tell is for ever.
                let until = lasts.and_then(|lasts| Instant::now().checked_add(lasts));
                return Ok(Listed { tools, until });
            }
        }
        let most = self.options.max_pages;
        Err(self.bad_tools(&format!("it has more than {most} pages")))
    }

    async fn read_page(&self, cursor: Option<String>) -> Result<Page, ClientError> {
        let params =
            cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request = match params {
            Some(params) => ListToolsRequest::with_param(params),
            None => ListToolsRequest::default(),
        };
        let request = ClientRequest::ListToolsRequest(request);
        let sent = self
            .peer
            .send_request_with_option(request, Default::default());
        let handle = sent.await.map_err(|error| self.lost(&error))?;
        let id = handle.id.clone();
        let read = handle.await_response().await;
        let read = read.map_err(|error| self.lost(&error))?;
        match self.wire.take_answer(&id) {
            Some(Answered::Result(text)) => Ok(Page { text, read }),
            Some(Answered::Error(error)) => {
                let message = super::wire::member(&error, "message");
                let message = message.and_then(|text| Json::new(text).ok()?.to_text());
                let message = message.unwrap_or_default();
                Err(self.bad_tools(&format!("the server refused to give it: {message}")))
            }
            None => Err(self.bad_tools("the server gave none")),
        }
    }

    fn bad_tools(&self, reason: &str) -> ClientError {
        let message = format!(
            "the list of tools of the server `{}` can't be used: {reason}",
            self.name
        );
        ClientError::new(ClientErrorKind::BadTools, message)
    }

    /// What it means that a request was not answered.
    pub(super) fn lost(&self, error: &ServiceError) -> ClientError {
        let message = format!("the server `{}` {}", self.name, self.why_lost(error));
        ClientError::new(ClientErrorKind::NotConnected, message)
    }

    /// What became of a server that does not answer.
    pub(super) fn why_lost(&self, error: &ServiceError) -> String {
        match (error, self.wire.failure()) {
            (_, Some(failure)) => format!("can't be read any more: {failure}"),
            (ServiceError::TransportClosed, None) => "ended before it had answered".to_owned(),
            (ServiceError::TransportSend(error), None) => {
                format!("did not answer: {}", innermost(&*error.error))
            }
            (error, None) => format!("did not answer: {error}"),
        }
    }
}
