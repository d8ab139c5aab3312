#!/usr/bin/env python3
"""An MCP server of FastMCP with one tool, which removes a file after its user has agreed. What it answers
is an envelope, and what it asks a question of Toolwire.

    claude mcp add remove -- python examples/mcp/with_fastmcp.py

The same server is there for the official SDKs in Python, TypeScript and Rust.
"""

from pathlib import Path

from fastmcp import Context, FastMCP
from mcp_types import CallToolResult, InputRequiredResult

import toolwire as tw
from toolwire import mcp_sdk

server = FastMCP("remove")


@server.tool
async def remove(path: str, ctx: Context) -> CallToolResult | InputRequiredResult:
    """Remove a file."""
    question = {"id": "confirm", "text": f"Remove {path}?", "schema": {"type": "boolean"}}
    answers = await mcp_sdk.ask(ctx, question)
    if isinstance(answers, InputRequiredResult):
        return answers
    confirm = answers["confirm"]
    if not confirm.accepted:
        told = tw.envelope([tw.text(f"Kept it: the question was {confirm.state}.")])
    elif not confirm.value:
        told = tw.envelope([tw.text("Kept it.")])
    else:
        content = Path(path).read_text(encoding="utf-8")
        Path(path).unlink()
        told = tw.envelope([tw.text("Removed it."), tw.resource(path, text=content, name="what was removed")])
    return mcp_sdk.result(ctx, told)


if __name__ == "__main__":
    server.run(show_banner=False)
