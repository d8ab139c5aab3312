//! The tools of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult};
use rmcp::service::ServiceError;
use tokio::time::timeout;
use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{Document, ObjectWriter};
use toolwire::mcp::{Fate, FromTool, Revision, from_tool};

use super::connect::Shared;
use super::error::innermost;
use super::wire::Answered;
use super::{Client, ClientError, ClientErrorKind, ToolCall};

/// A tool as a server lists it, which need not be one that can be called (LOCK-72).
///
/// [`Client::listing`] gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedTool {
    /// The name that the server gives it; empty if it gives none.
    pub name: String,
    /// The tool as the server sent it, but for what a peer that knows Toolwire has moved and for an `inputSchema`
    /// where there is none.
    pub json: Json,
    /// Its description, if it can be called.
    pub tool: Option<ToolDescription>,
    /// Why it can't be called, or why nobody knows which tool is called by its name.
    pub problem: Option<String>,
}

impl From<ToolDescription> for ListedTool {
    /// A tool that no server lists.
    fn from(tool: ToolDescription) -> Self {
        ListedTool {
            name: tool.name.clone(),
            json: Json::new(tool.to_json()).unwrap_or_else(|_| Json::empty_object()),
            tool: Some(tool),
            problem: None,
        }
    }
}

impl ListedTool {
    fn of(sent: Json, is_allowed: impl Fn(&str) -> bool) -> (Self, Option<FromTool>) {
        let name = sent.at("/name").and_then(|name| name.to_text());
        let mut listed = ListedTool {
            name: name.unwrap_or_default(),
            json: sent,
            tool: None,
            problem: None,
        };
        match from_tool(&listed.json) {
            Ok(read) => {
                listed.json = as_sent(&listed.json, &read);
                if is_allowed(&read.name) {
                    return (listed, Some(read));
                }
                let problem = "its `x-mcp-header` is not as MCP says, so it can't be called";
                listed.problem = Some(problem.to_owned());
            }
            Err(error) => listed.problem = Some(format!("it can't be read: {error}")),
        }
        (listed, None)
    }
}

/// What was sent of a tool that could be read.
fn as_sent(sent: &Json, read: &FromTool) -> Json {
    let is_kept = |fate: Fate| matches!(fate, Fate::Kept | Fate::Moved);
    let description = || Json::new(read.tool.to_json());
    if read.report.entries.iter().all(|entry| is_kept(entry.fate)) {
        return description().unwrap_or_else(|_| sent.clone());
    }
    let schema = sent.at("/inputSchema");
    if schema.is_some_and(|schema| schema.as_str() != "null") {
        return sent.clone();
    }
    let Ok(document) = Document::new(sent.as_str()) else {
        return sent.clone();
    };
    let mut json = ObjectWriter::new();
    let members = document.root().members();
    for (name, value) in members.filter(|(name, _)| name != "inputSchema") {
        json.json(&name, value.raw());
    }
    json.json("inputSchema", read.tool.input_schema.as_str());
    Json::new(json.end()).unwrap_or_else(|_| sent.clone())
}

/// A list of tools, and how long it may be used.
#[derive(Debug)]
pub(super) struct Listed {
    tools: Vec<FromTool>,
    /// All that were listed, those too that can't be called.
    all: Vec<ListedTool>,
    /// Nothing means until the server says that it has changed.
    until: Option<Instant>,
}

/// The name of a tool whose own becomes that of another one: it ends with a digest of its own.
fn with_suffix(read: &FromTool) -> String {
    let digest = toolwire::digest_bytes(read.name.as_bytes());
    let digest = digest.trim_start_matches("sha256:");
    let start = &read.tool.name[..read.tool.name.len().min(128 - 9)];
    format!("{start}-{}", &digest[..8])
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
    /// Which of the tools are called by which names: one that the server itself calls so keeps it, and those whose
    /// names become equal get a suffix.
    fn of(sent: Vec<(ListedTool, Option<FromTool>)>, until: Option<Instant>) -> Self {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for (listed, _) in &sent {
            *times.entry(listed.name.clone()).or_default() += 1;
        }
        let mut claims: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for read in sent.iter().filter_map(|(_, read)| read.as_ref()) {
            let names = claims.entry(read.tool.name.clone()).or_default();
            names.insert(read.name.clone());
        }
        let mut taken = BTreeSet::new();
        let (mut tools, mut all) = (Vec::new(), Vec::new());
        for (mut listed, read) in sent {
            if !listed.name.is_empty() && times[&listed.name] > 1 {
                listed.problem = Some("the server lists several tools of this name".to_owned());
            }
            if let Some(mut read) = read {
                if read.name != read.tool.name && claims[&read.tool.name].len() > 1 {
                    read.tool.name = with_suffix(&read);
                }
                if taken.insert(read.tool.name.clone()) {
                    listed.tool = Some(read.tool.clone());
                    tools.push(read);
                }
            }
            all.push(listed);
        }
        Listed { tools, all, until }
    }

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
        self.shared.wire.has_changed()
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
        let mut sent = Vec::new();
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
                sent.push(ListedTool::of(Json::from(tool), |name| page.allows(name)));
                if sent.len() > self.options.max_tools {
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
                return Ok(Listed::of(sent, until));
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
