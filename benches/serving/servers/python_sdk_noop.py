"""A server of the official Python SDK with a tool that does nothing."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("noop")


@server.tool()
def noop():
    """Do nothing."""
    return "ok"


if __name__ == "__main__":
    server.run()
