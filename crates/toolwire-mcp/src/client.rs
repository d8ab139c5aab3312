//! Calls the tools of an MCP server: another [`Transport`](toolwire_host::Transport).
