//! The list of a server's tools, as it was read.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{Document, ObjectWriter};
use toolwire::mcp::{Fate, FromTool, from_tool};

use crate::headers;

/// A tool as a server lists it, which need not be one that can be called.
///
/// [`Client::listing`](super::Client::listing) gives them.
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
    /// `is_labelled` says whether arguments become headers.
    pub(super) fn of(sent: Json, is_labelled: bool) -> (Self, Option<FromTool>) {
        let name = sent.at("/name").and_then(|name| name.to_text());
        let mut listed = ListedTool {
            name: name.unwrap_or_default(),
            json: sent,
            tool: None,
            problem: None,
        };
        match from_tool(&listed.json) {
            Ok(read) => {
                let schema = listed.json.at("/inputSchema");
                listed.json = as_sent(&listed.json, &read);
                if !is_labelled || schema.is_none_or(|schema| headers::is_valid(&schema)) {
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
    pub tools: Vec<FromTool>,
    /// All that were listed, those too that can't be called.
    pub all: Vec<ListedTool>,
    /// Nothing means until the server says that it has changed.
    pub until: Option<Instant>,
}

/// The name of a tool whose own becomes that of another one: it ends with a digest of its own.
fn with_suffix(read: &FromTool) -> String {
    let digest = toolwire::digest_bytes(read.name.as_bytes());
    let digest = digest.trim_start_matches("sha256:");
    let start = &read.tool.name[..read.tool.name.len().min(128 - 9)];
    format!("{start}-{}", &digest[..8])
}

impl Listed {
    /// Which of the tools are called by which names: one that the server itself calls so keeps it, and those whose
    /// names become equal get a suffix.
    pub(super) fn of(sent: Vec<(ListedTool, Option<FromTool>)>, until: Option<Instant>) -> Self {
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
