"""A server of the official Python SDK that answers with results from a file; see servers/README.md."""

import json
import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

server = MCPServer("results")


def offer(name: str, result: CallToolResult) -> None:
    def answer() -> CallToolResult:
        return result

    server.add_tool(answer, name=name)


for name, result in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")).items():
    offer(name, CallToolResult.model_validate(result))


@server.tool()
def squares(below: int) -> "list[int]":
    """What the SDK itself makes of a list."""
    return [number * number for number in range(below)]


@server.resource("notes://today", mime_type="text/markdown")
def today() -> str:
    """What is to be done."""
    return "# Today"


@server.resource("notes://{day}")
def day(day: str) -> str:
    return f"# {day}"


@server.prompt()
def review(day: str) -> str:
    """Reviews the notes."""
    return f"Review {day}."


server.run()
