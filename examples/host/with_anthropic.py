#!/usr/bin/env python3
"""A host with the SDK of Anthropic.

    export ANTHROPIC_API_KEY=…
    python examples/host/with_anthropic.py "Rename a to b." ./tools toolwire.toml …
"""

import asyncio
import os
import sys

import anthropic
import toolwire as tw

MODEL = os.environ.get("MODEL", "claude-sonnet-4-5")


def ask(question: tw.PendingQuestion) -> object:
    return input(f"{question.text} ").lower() in ("y", "yes")


async def main(task: str, *sources: str) -> None:
    client = anthropic.AsyncAnthropic()
    messages: list = [{"role": "user", "content": task}]
    async with tw.Tools(*sources, answerer=ask) as tools:
        while True:
            offered = tools.definitions("anthropic")
            reply = await client.messages.create(model=MODEL, max_tokens=4096, messages=messages, tools=offered)
            turn = await tools.respond("anthropic", reply)
            messages += turn.messages
            if not turn.calls:
                break
    print("".join(block.text for block in reply.content if block.type == "text"))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
