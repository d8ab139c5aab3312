//! An MCP server of rmcp with one tool, which removes a file after its user has agreed. What it answers is
//! an envelope, and what it asks a question of Toolwire.
//!
//!     cargo build --release --package toolwire-examples-rmcp
//!     claude mcp add remove -- target/release/with-rmcp
//!
//! The same server is there for the SDKs in Python and TypeScript.

mod embed;

use std::error::Error;

use embed::{Asked, ask, result};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, ListToolsResult, PaginatedRequestParams,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ServerHandler, ServiceExt};
use toolwire::Envelope;
use toolwire::build::{
    BlockOptions, EnvelopeOptions, ErrorOptions, ResourceOptions, envelope, error, resource, text,
};
use toolwire::call::AnswerState;
use toolwire::question::read_question;

struct Server;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::default();
        info.capabilities.tools = Some(Default::default());
        info
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = serde_json::json!({
            "name": "remove",
            "description": "Remove a file.",
            "inputSchema": {
                "type": "object",
                "properties": {"path": {"type": "string"}},
                "required": ["path"],
            },
        });
        let tool: Tool = serde_json::from_value(tool).map_err(internal)?;
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let path = request.arguments.as_ref().and_then(|all| all.get("path"));
        let Some(path) = path.and_then(|path| path.as_str()) else {
            return Err(ErrorData::invalid_params("`path` is missing", None));
        };
        let question = serde_json::json!({
            "id": "confirm",
            "text": format!("Remove {path}?"),
            "schema": {"type": "boolean"},
        });
        let question = read_question(&question.to_string()).map_err(internal)?;
        let answers = match ask(&[question], &request, &context).await? {
            Asked::Answered(answers) => answers,
            Asked::Open(open) => return Ok(open.into()),
        };
        let confirm = &answers["confirm"];
        let agreed = confirm
            .value()
            .is_some_and(|value| value.as_str() == "true");
        let told = match confirm.state() {
            AnswerState::Accepted if agreed => removed(path),
            AnswerState::Accepted => said("Kept it."),
            state => said(&format!("Kept it: the question was {state}.")),
        };
        Ok(result(&told.map_err(internal)?, &context)?.into())
    }
}

/// Removes the file, and answers with what was in it.
fn removed(path: &str) -> Result<Envelope, toolwire::Error> {
    let content = match std::fs::read_to_string(path) {
        Ok(content) => content,
        Err(why) => return error(&format!("{path}: {why}"), ErrorOptions::default()),
    };
    if let Err(why) = std::fs::remove_file(path) {
        return error(&format!("{path}: {why}"), ErrorOptions::default());
    }
    let options = ResourceOptions {
        name: Some("what was removed".into()),
        ..ResourceOptions::default()
    };
    let blocks = vec![
        text("Removed it.", BlockOptions::default())?,
        resource(path, content.as_str(), options)?,
    ];
    envelope(blocks, EnvelopeOptions::default())
}

fn said(what: &str) -> Result<Envelope, toolwire::Error> {
    let block = text(what, BlockOptions::default())?;
    envelope(vec![block], EnvelopeOptions::default())
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let server = Server.serve(rmcp::transport::stdio()).await?;
        server.waiting().await?;
        Ok(())
    })
}
