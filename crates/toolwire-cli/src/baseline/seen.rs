//! What a source says of its tools and of its use.

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array};
use toolwire_contract::lock::Launched;
use toolwire_mcp::client::ListedTool;

use crate::exit::{Failure, Result};

/// What a source says.
pub struct Seen {
    /// Its tools, as they are listed.
    pub listed: Vec<ListedTool>,
    /// What a server says of its use.
    pub instructions: Option<String>,
}

impl Seen {
    /// The tools that can be called.
    pub fn tools(&self) -> Vec<ToolDescription> {
        callable(&self.listed)
    }
}

/// The tools that can be called, of those that are listed.
pub fn callable(listed: &[ListedTool]) -> Vec<ToolDescription> {
    let tools = listed.iter().filter_map(|listed| listed.tool.as_ref());
    tools.cloned().collect()
}

/// The tools as a JSON array.
pub fn list(tools: &[ToolDescription]) -> Result<Json> {
    let list = array(tools.iter().map(ToolDescription::to_json));
    Json::new(list).map_err(|error| Failure::refused(&error))
}

/// What is listed as a JSON array, as it was sent.
pub fn as_sent(listed: &[ListedTool]) -> Result<Json> {
    let list = array(listed.iter().map(|listed| listed.json.as_str()));
    Json::new(list).map_err(|error| Failure::refused(&error))
}

/// What a source is now, as a lock has it (LOCK-10): how it is started, and what it says, if it was asked.
pub fn to_json(launched: &Launched, seen: Option<&Seen>) -> Result<Json> {
    let mut out = ObjectWriter::new();
    out.json("launch", launched.to_json().as_str());
    if let Some(seen) = seen {
        out.json("tools", as_sent(&seen.listed)?.as_str())
            .optional("instructions", seen.instructions.as_deref());
    }
    Json::new(out.end()).map_err(|error| Failure::refused(&error))
}
