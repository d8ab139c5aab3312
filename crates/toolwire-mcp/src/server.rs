//! Serves tools to MCP clients.
