"""A server of FastMCP with a tool that does nothing."""

from fastmcp import FastMCP

server = FastMCP("noop")


@server.tool
def noop():
    """Do nothing."""
    return "ok"


if __name__ == "__main__":
    server.run(show_banner=False)
