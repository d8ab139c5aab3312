#!/usr/bin/env python3
"""A host that runs the tools of a folder, and whose model answers their questions.

    export OPENAI_API_KEY=…         # also OPENAI_BASE_URL and OPENAI_MODEL, for other services
    python examples/host/ask_a_model.py TOOL [NAME=VALUE…]

TOOL is a tool of the nearest `toolwire.toml`. Any service with the chat completions API of OpenAI will
do. Questions that seem to ask for a secret, and those that the manifest leaves to the user, are put to
the person at the terminal instead.
"""

from __future__ import annotations

import getpass
import json
import os
import sys
import urllib.request
from typing import Any

import toolwire as tw

BASE_URL = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
MODEL = os.environ.get("OPENAI_MODEL", "gpt-5-mini")
SYSTEM = "A tool that was called for the user asks a question. Answer it as the user would want it."


def answerer(question: tw.PendingQuestion) -> tw.Answer:
    if question.secret or question.who == "user":
        return ask_person(question)
    return ask_model(question)


def ask_model(question: tw.PendingQuestion) -> tw.Answer:
    # Providers take only a part of JSON Schema; `unwrap` makes an answer of what the model gives.
    projection = tw.schema.project_schema(question.schema, answer=True)
    request = {
        "model": MODEL,
        "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt(question)}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": projection["schema"], "strict": True},
        },
    }
    message = post(f"{BASE_URL}/chat/completions", request)["choices"][0]["message"]
    if message.get("refusal"):
        return tw.Answer(state="declined", source="assistant")
    return tw.Answer(tw.schema.unwrap_value(question.schema, json.loads(message["content"]), answer=True), source="assistant")


def prompt(question: tw.PendingQuestion) -> str:
    # Blocks that are meant for the user alone are left out.
    context = tw.format(tw.envelope(question.context), audience="assistant")
    asks = f"The tool `{question.tool}` was called with {json.dumps(question.arguments)}. It asks: {question.text}"
    wrong = [f"Your last answer does not fit: at `{pointer}` {why}" for pointer, why in question.mismatches]
    return "\n\n".join([context, asks, *wrong]).strip()


def post(url: str, request: Any) -> Any:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    call = urllib.request.Request(url, json.dumps(request).encode(), headers)
    with urllib.request.urlopen(call, timeout=60) as response:
        return json.load(response)


def ask_person(question: tw.PendingQuestion) -> tw.Answer:
    if not sys.stdin.isatty():
        return tw.Answer(state="unavailable", source="policy")
    if question.warning:
        print(question.warning, file=sys.stderr)
    ask = getpass.getpass if question.secret else input
    try:
        # As the command reads words: by the type that the schema has.
        given = tw.wire.parse_arguments([f"answer={ask(question.text + ' ')}"], {"properties": {"answer": question.schema}})
    except EOFError:
        return tw.Answer(state="cancelled", source="user")
    return tw.Answer(given["answer"], source="user")


def main(name: str, *words: str) -> int:
    manifest = tw.load_manifest()
    schemas = {tool["name"]: tool["inputSchema"] for tool in manifest.list_tools_sync()}
    arguments = tw.wire.parse_arguments(words, schemas.get(name, {}))
    result = manifest.run_sync(name, arguments, answerer=answerer, host="ask_a_model")
    print(tw.format(result.parsed, target="terminal"))
    for id, answer in result.answers.items():
        print(f"{id}: {answer.state}, from {answer.source}", file=sys.stderr)
    return int(result.is_error)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except (tw.HostError, tw.ToolwireError) as problem:
        sys.exit(str(problem))
