#!/usr/bin/env python3
"""An MCP server of 2025-11-25 on stdio that works on several calls at once, and says of no question which
of them asks it.
"""

import json
import sys
import threading

lock = threading.Lock()
changed = threading.Condition()
meeting = set()
asked = []
answers = {}
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
NAMES = ["meet", "greet", "stay"]


def send(message):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def said(id, text):
    send({"id": id, "result": {"content": [{"type": "text", "text": text}]}})


def until(done):
    with changed:
        assert changed.wait_for(done, timeout=60)


def call(id, name, arguments):
    if name == "meet":
        # Ends once so many calls are here.
        with changed:
            meeting.add(id)
            changed.notify_all()
        until(lambda: len(meeting) >= arguments["calls"])
        said(id, "met")
    elif name == "stay":
        # Ends a while after so many questions were asked.
        until(lambda: len(asked) >= arguments["asked"])
        threading.Event().wait(0.3)
        said(id, "stayed")
    elif name == "greet":
        if not arguments.get("who"):
            return said(id, "Hello!")
        send({"id": "q%d" % id, "method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": FORM}})
        with changed:
            asked.append(id)
            changed.notify_all()
        until(lambda: "q%d" % id in answers)
        answer = answers["q%d" % id]
        if "error" in answer:
            return said(id, "refused: " + answer["error"]["message"])
        said(id, "Hello, %s!" % answer["result"].get("content", {}).get("name"))


for line in sys.stdin:
    message = json.loads(line)
    id, method = message.get("id"), message.get("method")
    if method is None:
        with changed:
            answers[id] = message
            changed.notify_all()
    elif method == "initialize":
        info = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
        send({"id": id, "result": info})
    elif method == "tools/list":
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in NAMES]
        send({"id": id, "result": {"tools": tools}})
    elif method == "tools/call":
        arguments = message["params"].get("arguments", {})
        threading.Thread(target=call, args=(id, message["params"]["name"], arguments), daemon=True).start()
    elif id is not None:
        send({"id": id, "error": {"code": -32601, "message": "unknown method"}})
