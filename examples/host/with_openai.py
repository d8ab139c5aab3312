#!/usr/bin/env python3
"""A host with the SDK of OpenAI and its API Responses.

    export OPENAI_API_KEY=…
    python examples/host/with_openai.py "Rename a to b." ./tools toolwire.toml …
"""

import os
import sys

import openai
import toolwire as tw

MODEL = os.environ.get("MODEL", "gpt-5-mini")


def ask(question: tw.PendingQuestion) -> object:
    return input(f"{question.text} ").lower() in ("y", "yes")


def main(task: str, *sources: str) -> None:
    client = openai.OpenAI()
    items: list = [{"role": "user", "content": task}]
    with tw.SyncTools(*sources, answerer=ask) as tools:
        while True:
            reply = client.responses.create(model=MODEL, input=items, tools=tools.definitions("openai"))
            turn = tools.respond("openai", reply)
            items += turn.messages
            if not turn.calls:
                break
    print(reply.output_text)


if __name__ == "__main__":
    main(*sys.argv[1:])
