#!/usr/bin/env python3
# toolwire-tool: 1
"""Tools that take a while, without any library: a call comes in, an envelope goes out."""

import json
import sys
import time
from typing import Any


def question(id: str, text: str, field: str, type: str) -> "dict[str, Any]":
    schema = {"type": "object", "properties": {field: {"type": type}}, "required": [field]}
    return {"type": "question", "question": {"id": id, "text": text, "schema": schema}}


def done(*content: "dict[str, Any] | str", error: bool = False) -> None:
    blocks = [{"type": "text", "text": one} if isinstance(one, str) else one for one in content]
    json.dump({"content": blocks, "isError": error}, sys.stdout)
    sys.exit()


def schema(**properties: str) -> "dict[str, Any]":
    typed = {name: {"type": type} for name, type in properties.items()}
    return {"type": "object", "properties": typed}


TOOLS = {
    "greet": ("Greets.", schema(name="string")),
    "slow_compute": ("Takes so many seconds.", schema(seconds="number", label="string")),
    "failing_job": ("Fails after a while.", schema()),
    "protocol_error_job": ("Answers after a while with more than the server keeps.", schema()),
    "confirm_delete": ("Asks whether to delete a file, after a while.", schema(filename="string")),
    "multi_input": ("Asks two questions at once, after a while.", schema()),
    "test_tool_with_task": ("Asks for a name, and then takes a while.", schema()),
}

call = json.load(sys.stdin)
if call["context"]["action"] == "describe":
    told = [
        {"name": name, "description": text, "inputSchema": takes} for name, (text, takes) in TOOLS.items()
    ]
    json.dump({"content": [], "structuredContent": {"toolwire": 1, "tools": told}}, sys.stdout)
    sys.exit()

name, arguments = call["tool"]["name"], call["tool"]["arguments"]
answers = call["tool"].get("answers", {})
if name == "greet":
    done(f"Hello, {arguments.get('name')}!")
if name == "slow_compute":
    time.sleep(arguments.get("seconds", 1))
    done(f"computed {arguments.get('label', '')}")
if name == "test_tool_with_task":
    if not answers:
        done(question("user_name", "What is your name?", "name", "string"))
    time.sleep(1)
    done(f"Hello, {answers['user_name']['name']}!")
if not answers:
    time.sleep(1)
if name == "failing_job":
    done("The job failed.", error=True)
if name == "protocol_error_job":
    done("x" * 100_000)
if name == "confirm_delete":
    if not answers:
        done(question("confirm", f"Delete {arguments.get('filename')}?", "confirm", "boolean"))
    done(f"deleted: {answers['confirm']['confirm']}")
if name == "multi_input":
    asked = [question(one, f"The {one} name?", "name", "string") for one in ("first", "second")]
    missing = [one for one in asked if one["question"]["id"] not in answers]
    if missing:
        done(*missing)
    done(f"{answers['first']['name']} and {answers['second']['name']}")
