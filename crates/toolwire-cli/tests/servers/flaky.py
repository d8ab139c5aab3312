#!/usr/bin/env python3
"""An MCP server on stdin and stdout whose tools fail at first. What was counted is in the folder."""

import json
import os
import sys


def count(name):
    with open(name, "a+") as file:
        file.write("x\n")
        file.seek(0)
        return len(file.readlines())


def tool(name, **hints):
    return {"name": name, "inputSchema": {"type": "object"}, "annotations": hints}


TOOLS = [tool("flaky", readOnlyHint=True), tool("write"), tool("die", idempotentHint=True)]


def call(name):
    if name == "die":
        if not os.path.exists("died"):
            open("died", "w").close()
            os._exit(1)
    elif count("calls") < 3:
        meta = {"computer.jp/error": {"transient": True}}
        return {"content": [{"type": "text", "text": "busy"}], "isError": True, "_meta": meta}
    return {"content": [{"type": "text", "text": "done"}]}


count("starts")
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        answer["result"] = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "flaky", "version": "1"},
        }
    elif message["method"] == "tools/list":
        answer["result"] = {"tools": TOOLS}
    elif message["method"] == "tools/call":
        answer["result"] = call(message["params"]["name"])
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
