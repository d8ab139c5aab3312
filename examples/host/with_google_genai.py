#!/usr/bin/env python3
"""A host with the SDK of Google for Gemini.

    export GEMINI_API_KEY=…
    python examples/host/with_google_genai.py "Rename a to b." ./tools toolwire.toml …
"""

import asyncio
import os
import sys

import toolwire as tw
from google import genai

MODEL = os.environ.get("MODEL", "gemini-3-flash-preview")


def ask(question: tw.PendingQuestion) -> object:
    return input(f"{question.text} ").lower() in ("y", "yes")


async def main(task: str, *sources: str) -> None:
    client = genai.Client(http_options={"base_url": os.environ.get("GEMINI_BASE_URL")})
    contents: list = [{"role": "user", "parts": [{"text": task}]}]
    async with tw.Tools(*sources, answerer=ask) as tools:
        while True:
            config: dict = {"tools": [{"function_declarations": tools.definitions("gemini")}]}
            reply = await client.aio.models.generate_content(model=MODEL, contents=contents, config=config)
            turn = await tools.respond("gemini", reply)
            contents += turn.messages
            if not turn.calls:
                break
    print(reply.text)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
