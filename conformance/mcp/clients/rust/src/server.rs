//! A server that answers with results from a file, through the types of the SDK.

use std::collections::BTreeMap;
use std::error::Error;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ServerHandler, ServiceExt};
use serde_json::json;

struct Results(BTreeMap<String, CallToolResult>);

/// Serves over stdin and stdout until the client is gone.
pub async fn serve(results: &str) -> Result<(), Box<dyn Error>> {
    let results = Results(serde_json::from_str(results)?);
    let service = results.serve(rmcp::transport::stdio()).await?;
    service.waiting().await?;
    Ok(())
}

impl ServerHandler for Results {
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
        let tools = self.0.keys().map(|name| {
            let tool = json!({"name": name, "inputSchema": {"type": "object"}});
            serde_json::from_value(tool)
        });
        let tools: Result<Vec<Tool>, _> = tools.collect();
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.0.get(request.name.as_ref()) {
            Some(result) => Ok(result.clone().into()),
            None => Err(ErrorData::invalid_params("there is no such tool", None)),
        }
    }
}
