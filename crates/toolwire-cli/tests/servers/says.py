#!/usr/bin/env python3
"""An MCP server whose tools and instructions stand in `says.json` beside it, so that they can change.

Once a tool was called, its tools are those of `next.json`, if that is there. For each start, listing, call and request
for a task, it adds a letter to the file `started`, `listed`, `called` or `task`.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(HERE, name)


def read(name):
    with open(path(name)) as file:
        return json.load(file)


def mark(name):
    with open(path(name), "a") as file:
        file.write("x")


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


says = read("says.json")
mark("started")
for line in sys.stdin:
    request = json.loads(line)
    method, id = request.get("method"), request.get("id")
    if method == "initialize":
        result = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "says", "version": "1"},
        }
        if "instructions" in says:
            result["instructions"] = says["instructions"]
    elif method == "tools/list":
        mark("listed")
        result = {"tools": says["tools"]}
    elif method == "tools/call":
        mark("called")
        if os.path.exists(path("next.json")):
            says = read("next.json")
            os.remove(path("next.json"))
            send({"method": "notifications/tools/list_changed"})
        result = {"content": [{"type": "text", "text": "done"}]}
    elif id is None:
        continue
    else:
        if method.startswith("tasks/"):
            mark("task")
        send({"id": id, "error": {"code": -32601, "message": "unknown"}})
        continue
    send({"id": id, "result": result})
