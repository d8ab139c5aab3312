//! The tools of a program or a manifest, as a host calls them.

use std::sync::Arc;

use toolwire::call::ToolDescription;
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{LineSession, Process, ProcessOptions, SessionTool, Transport, list_tools};

use super::ToolsError;

/// The tools that a program describes: those with session actions keep running, the others run once.
///
/// # Errors
///
/// Those of [`list_tools`], and `describe_failed` if it describes none.
pub async fn program_tools(process: Process) -> Result<Vec<SessionTool>, ToolsError> {
    let transport: Arc<dyn Transport> = Arc::new(process.clone());
    let way = |description: ToolDescription| match description.actions.is_empty() {
        true => SessionTool::one_shot(description, Arc::clone(&transport)),
        false => {
            let lines = LineSession::new(process.command.clone(), process.options.clone());
            SessionTool::new(description, Arc::new(lines))
        }
    };
    let described = described(&*transport).await?;
    Ok(described.into_iter().map(way).collect())
}

/// The tool of a manifest: driven in a pseudo-terminal or on pipes if the manifest says `session`, as a session if its
/// program describes session actions, and otherwise run once.
///
/// # Errors
///
/// Those of [`list_tools`], and `describe_failed` if nobody describes it.
pub async fn manifest_tool(
    tool: &ManifestTool,
    options: ProcessOptions,
) -> Result<SessionTool, ToolsError> {
    let described = described(&tool.transport(options.clone())).await?;
    let description = described.into_iter().next().ok_or_else(undescribed)?;
    Ok(match toolwire_pty::transport(tool, options.clone()) {
        Some(transport) => SessionTool::new(description, transport),
        None if description.actions.is_empty() => {
            SessionTool::one_shot(description, Arc::new(tool.transport(options)))
        }
        None => {
            let lines = LineSession::new(tool.command.clone(), options);
            SessionTool::new(description, Arc::new(lines))
        }
    })
}

/// The descriptions of the tools that a transport carries calls to.
///
/// # Errors
///
/// Those of [`list_tools`], and `describe_failed` if there are none.
pub async fn described(transport: &dyn Transport) -> Result<Vec<ToolDescription>, ToolsError> {
    list_tools(transport).await?.tools.ok_or_else(undescribed)
}

fn undescribed() -> ToolsError {
    let message = "the program does not describe its tools; give it a description, as `describe` says, or drive it with `session`";
    ToolsError::new("describe_failed", message)
}
