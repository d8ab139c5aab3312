#!/usr/bin/env python3
"""Stages the hunks that add a line with a certain word, and leaves the others: what a model does that has the tool
`stage` over MCP. The tool is `git add --patch` in a pseudo-terminal, which knows nothing of MCP. Run it in a
repository that has changes:

    pip install fastmcp
    python examples/mcp/stage_hunks.py WORD

`examples/shell/stage-hunks.sh` does the same by `toolwire session`.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

MANIFEST = """
[tools.stage]
description = "Stage some of the changes, hunk by hunk."
command = ["git", "add", "--patch"]
session = "pty"
size = [200, 50]
"""


async def stage(word: str, manifest: Path) -> None:
    # With the variables of this shell, the handle lives in the session host of this shell: while it runs,
    # `toolwire session list` shows it, and you can attach to it.
    server = StdioTransport(command="toolwire", args=["serve", "--manifest", str(manifest)], env=dict(os.environ))
    async with Client(server) as client:

        async def act(action: str, **members: object) -> str:
            arguments = {"action": action, "id": "staging", **members}
            result = await client.call_tool_mcp("stage", arguments)
            return "\n".join(block.text for block in result.content if block.type == "text")

        said, number = await act("spawn"), 1
        while True:
            # Each question begins with its number, as in `(2/5) Stage this hunk`; after the last one, git ends.
            question = f"({number}/"
            if question not in said:
                said += await act("fetch", until=question, wait=10)
            if question not in said:
                break
            hunk, _, _ = said.partition(question)
            wanted = any(line.startswith("+") and word in line for line in hunk.splitlines())
            print(f"hunk {number}: {'y' if wanted else 'n'}")
            said = await act("apply", input={"text": "y" if wanted else "n", "enter": True})
            number += 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: stage_hunks.py WORD")
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder, "toolwire.toml")
        manifest.write_text(MANIFEST, encoding="utf-8")
        asyncio.run(stage(sys.argv[1], manifest))
