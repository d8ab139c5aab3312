//! Results, tools and calls as MCP has them (chapter 15).

use toolwire::call::ToolDescription;
use toolwire::mcp::{self, ResultOptions};
use toolwire::{Error, Json, Parsed};

use crate::readers::{ReadOptions, RevisionOptions, ToResultOptions};
use crate::reply::{Reply, mapped, written};

pub(crate) fn to_result(parsed: &Parsed<'_>, options: &ToResultOptions) -> Reply {
    let mut how = ResultOptions::new(options.revision);
    how.mirror = options.mirror;
    how.wrapped = options.wrapped;
    let result = mcp::to_result(parsed, &how);
    let text = result.json.as_str();
    let members = [
        ("result", written(text)),
        ("text", Reply::Text(text.to_owned())),
    ];
    mapped(members, &result.report)
}

pub(crate) fn from_result(result: &[u8], options: &ReadOptions) -> Reply {
    let read = mcp::from_result(result, &options.limits);
    mapped(
        [("parsed", Reply::Parsed(Box::new(read.parsed)))],
        &read.report,
    )
}

pub(crate) fn to_tool(tool: &str, options: &RevisionOptions) -> Result<Reply, Error> {
    let tool = mcp::to_tool(&ToolDescription::from_json(tool)?, options.revision);
    let members = [
        ("tool", written(tool.json.as_str())),
        ("wrapped", Reply::Flag(tool.wrapped)),
    ];
    Ok(mapped(members, &tool.report))
}

pub(crate) fn from_tool(listed: &Json) -> Result<Reply, Error> {
    let read = mcp::from_tool(listed)?;
    let members = [
        ("tool", written(read.tool.to_json())),
        ("name", Reply::Text(read.name)),
        ("wrapped", Reply::Flag(read.wrapped)),
    ];
    Ok(mapped(members, &read.report))
}
