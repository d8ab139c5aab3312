//! Results, tools and calls as MCP has them.

use std::sync::Arc;

use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use toolwire::Parsed;
use toolwire_ffi::mcp;
use toolwire_ffi::reports::call_json;

use crate::facts;
use crate::fault::{Result, told};
use crate::json::Object;
use crate::source::{How, Reading, limits, read, utf8};

/// The result of an MCP tool, read as an envelope.
#[napi]
pub struct McpReading {
    report: String,
    parsed: Arc<Parsed<'static>>,
}

#[napi]
impl McpReading {
    /// The report, as a JSON array.
    #[napi(catch_unwind)]
    pub fn report(&self) -> &str {
        &self.report
    }

    /// The short answer about the envelope.
    #[napi(catch_unwind)]
    pub fn facts(&self) -> u32 {
        facts(&self.parsed)
    }

    /// The bytes of the envelope.
    #[napi(catch_unwind)]
    pub fn raw(&self) -> Buffer {
        self.parsed.raw().to_vec().into()
    }

    /// How these bytes were read.
    #[napi(catch_unwind)]
    pub fn reading(&self) -> Reading {
        Reading::new(Arc::clone(&self.parsed))
    }
}

/// An output as the result of an MCP tool, and the report: both are JSON text.
#[napi(catch_unwind)]
pub fn to_mcp_result(data: &[u8], how: How<'_>, options: String) -> Result<Vec<String>> {
    let options = mcp::result_options(&options).map_err(told)?;
    let mapped = toolwire::mcp::to_result(&read(data, &how)?, &options);
    Ok(vec![
        mapped.json.as_str().to_owned(),
        mapped.report.to_json(),
    ])
}

/// The result of an MCP tool as an envelope.
#[napi(catch_unwind)]
pub fn from_mcp_result(result: &[u8], how: Option<String>) -> Result<McpReading> {
    let read = toolwire::mcp::from_result(result, &limits(how.as_deref())?);
    Ok(McpReading {
        report: read.report.to_json(),
        parsed: Arc::new(read.parsed),
    })
}

/// A tool of a description as one of MCP: a JSON object with `tool`, `wrapped` and `report`.
#[napi(catch_unwind)]
pub fn to_mcp_tool(tool: &[u8], options: String) -> Result<String> {
    mcp::to_tool(utf8(tool)?, &options).map_err(told)
}

/// A tool of MCP as one of a description: a JSON object with `tool`, `name`, `wrapped` and `report`.
#[napi(catch_unwind)]
pub fn from_mcp_tool(listed: &[u8]) -> Result<String> {
    mcp::from_tool(utf8(listed)?).map_err(told)
}

/// What of a call document travels in the `_meta` of a request.
#[napi(catch_unwind)]
pub fn call_to_meta(call: &[u8]) -> Result<Option<String>> {
    mcp::call_to_meta(call).map_err(told)
}

/// The call that a request makes, as `readCall` gives it.
#[napi(catch_unwind)]
pub fn call_from_meta(name: String, arguments: String, meta: Option<String>) -> Result<String> {
    let call = mcp::call_from_meta(&name, &arguments, meta.as_deref()).map_err(told)?;
    Ok(Object::new()
        .raw("call", &call_json(&call))
        .text("text", &call.to_json())
        .text("metaText", &call.to_meta())
        .end())
}
