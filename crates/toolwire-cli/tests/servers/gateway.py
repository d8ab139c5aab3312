#!/usr/bin/env python3
"""An MCP server on stdin and stdout, of the revision that is named first. It keeps notes in its folder.

Tools other than those below stand in `tools.json`, if that is there.
"""

import json
import os
import sys

NEWEST = "2026-07-28"
REVISION = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))

# As a text, since its numbers have more digits than Python would write.
RESULT = (
    '{"content":[{"type":"text","text":"one","annotations":{"audience":["user"],"priority":0.5}},'
    '{"type":"image","data":"AAAA","mimeType":"image/png","_meta":{"example.org/of":"image"}},'
    '{"type":"resource_link","uri":"file:///a","name":"a","title":"A"},'
    '{"type":"resource","resource":{"uri":"file:///b","text":"b","_meta":{"example.org/n":1.10}}}],'
    '"structuredContent":{"id":1234567890123456789,"half":0.50},"_meta":{"example.org/of":"result"}}'
)

WHOLE = {
    "name": "whole",
    "title": "The whole",
    "description": "Answers with everything.",
    "inputSchema": {"type": "object", "properties": {"n": {"type": "number", "exclusiveMinimum": 0}}},
    "outputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}},
    "annotations": {"readOnlyHint": True, "title": "Other title"},
    "_meta": {"example.org/of": "tool"},
}
NAMES = ["ask", "change", "die", "environment", "fail", "slow", "unlike"]


def tools():
    path = os.path.join(HERE, "tools.json")
    if os.path.exists(path):
        with open(path) as file:
            return json.load(file)
    unlike = {"outputSchema": {"type": "object", "required": ["there"]}}
    plain = [{"name": name, "inputSchema": {"type": "object"}} for name in NAMES]
    return [WHOLE, *[{**tool, **(unlike if tool["name"] == "unlike" else {})} for tool in plain]]


def note(name, text="x"):
    with open(os.path.join(HERE, name), "a") as file:
        file.write(text + "\n")


def write(text):
    sys.stdout.write('{"jsonrpc":"2.0",' + text + "}\n")
    sys.stdout.flush()


def say(**message):
    write(json.dumps(message)[1:-1])


def text(words):
    return {"content": [{"type": "text", "text": words}], "resultType": "complete"}


def call(id, params):
    name, meta = params["name"], params.get("_meta", {})
    if name == "whole":
        note("arguments", json.dumps(params["arguments"]))
        return write(f'"id":{json.dumps(id)},"result":{RESULT}')
    if name == "fail":
        return say(id=id, error={"code": -32000, "message": "there is no such thing", "data": {"a": 1}})
    if name == "unlike":
        return say(id=id, result={**text("x"), "structuredContent": {"here": 1}})
    if name == "environment":
        names = params["arguments"]["names"]
        values = [os.getcwd() if name == "." else os.environ.get(name, "none") for name in names]
        return say(id=id, result=text(" ".join([*values, meta.get("traceparent", "none")])))
    if name == "die":
        os._exit(3)
    if name == "slow":
        note("slow")
        token = meta.get("progressToken")
        say(method="notifications/progress", params={"progressToken": token, "progress": 1, "total": 2})
        say(method="notifications/message", params={"level": "warning", "data": "slowly"})
        return None
    if name == "change":
        with open(os.path.join(HERE, "tools.json"), "w") as file:
            file.write(params["arguments"]["tools"])
        say(id=id, result=text("changed"))
        if REVISION == NEWEST:
            return None
        return say(method="notifications/tools/list_changed")
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    question = {"message": "Who are you?", "requestedSchema": schema, "mode": "form"}
    if REVISION == NEWEST:
        answered = params.get("inputResponses", {}).get("who")
        if not answered:
            asked = {"who": {"method": "elicitation/create", "params": question}}
            state = {"requestState": "state of the server", "resultType": "input_required"}
            return say(id=id, result={"inputRequests": asked, **state})
        note("state", params.get("requestState", "none"))
        return say(id=id, result=text(json.dumps(answered)))
    del question["mode"]
    say(id="ask", method="elicitation/create", params=question)
    while True:
        answer = json.loads(sys.stdin.readline())
        if answer.get("id") == "ask":
            return say(id=id, result=text(json.dumps(answer["result"])))


note("starts", str(os.getpid()))
print("it starts", file=sys.stderr)
about = {"capabilities": {"tools": {"listChanged": True}}, "serverInfo": {"name": "gateway", "version": "1"}}
cached = {"resultType": "complete", "ttlMs": 60000, "cacheScope": "private"}
for line in sys.stdin:
    message = json.loads(line)
    method, id, params = message.get("method"), message.get("id"), message.get("params", {})
    if method == "notifications/cancelled":
        note("cancelled")
    if id is None:
        continue
    if method == "server/discover" and REVISION == NEWEST:
        say(id=id, result={"supportedVersions": [NEWEST], **cached, **about})
    elif method == "initialize" and REVISION != NEWEST:
        say(id=id, result={"protocolVersion": REVISION, **about})
    elif method == "tools/list":
        say(id=id, result={"tools": tools(), **(cached if REVISION == NEWEST else {})})
    elif method == "tools/call":
        call(id, params)
    elif method is not None and method != "subscriptions/listen":
        say(id=id, error={"code": -32601, "message": "no such method"})
