"""`Tools` as type checkers see it."""

from typing import Any

import toolwire as tw


@tw.tool
def double(number: int) -> int:
    """Double a number."""
    return 2 * number


async def loop(reply: dict[str, Any]) -> list[dict[str, Any]]:
    async with tw.Tools(double, "./tools", ["npx", "server"], answerer=lambda question: True, max_handles=8) as tools:
        names: list[str] = await tools.add("https://example.org/mcp", headers={"Authorization": "…"}, only=["search"])
        offered: list[dict[str, Any]] = tools.definitions("anthropic", strict=True)
        turn: tw.ToolTurn = await tools.respond("anthropic", reply, max_bytes=4096)
        print(names, offered, turn.results[0].is_error, [tool["name"] for tool in tools.list()])
        return turn.messages


def once() -> str:
    with tw.SyncTools(tw.load_manifest()) as tools:
        tools.add("@search", lock="toolwire.lock")
        return tw.format(tools.call("double", {"number": 1}))
