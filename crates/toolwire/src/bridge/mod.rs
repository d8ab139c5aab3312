//! What connects the protocol to others: programs, MCP, older formats, and people.

pub mod author;
pub mod explain;
pub mod legacy;
pub mod lines;
pub mod mcp;
pub mod provider;
