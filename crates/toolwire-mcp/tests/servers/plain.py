#!/usr/bin/env python3
"""An MCP server on stdin and stdout, written without any library.

Its argument is the revision it speaks: 2025-06-18, 2025-11-25 or 2026-07-28. The tools do what the
tests need; the results are written to the letter.
"""

import json
import pathlib
import sys
import time

REVISION = sys.argv[1] if len(sys.argv) > 1 else "2025-11-25"
MODERN = REVISION == "2026-07-28"
# How many milliseconds the list of tools may be used.
TTL = int(sys.argv[2]) if len(sys.argv) > 2 else 60000
# What is answered to `server/discover` in an older revision; an error if this is empty. In 2026-07-28, `listen`
# says that changes of the list are told. With `stderr:TEXT`, the text is written there first. With `slow:FILE`,
# nothing is answered for longer than a client waits for it, unless the file is there.
DISCOVERED = sys.argv[3] if len(sys.argv) > 3 else ""
COMPLAINT = ""
if DISCOVERED.startswith("stderr:"):
    COMPLAINT, DISCOVERED = DISCOVERED.removeprefix("stderr:"), ""
if DISCOVERED.startswith("slow:"):
    marker = pathlib.Path(DISCOVERED.removeprefix("slow:"))
    if not marker.exists():
        marker.touch()
        time.sleep(10.5)

# It must have been sent as text, not as numbers that were read.
received = {}


def tool(name, properties=None, required=(), **more):
    schema = {"type": "object", "properties": properties or {}, "required": list(required)}
    return {"name": name, "inputSchema": schema, **more}


TEXT = {"type": "string"}
NUMBER = {"type": "number"}
TOOLS = [
    tool(
        "add",
        {"a": NUMBER, "b": NUMBER},
        ["a", "b"],
        title="Add",
        description="Adds two numbers.\nMore about it.",
        annotations={"readOnlyHint": True},
        outputSchema={"type": "object", "properties": {"sum": NUMBER}, "required": ["sum"]},
    ),
    tool("lie", outputSchema={"type": "object", "required": ["sum"]}),
    tool("echo", {"value": {}}, description="Gives back the bytes of its arguments"),
    tool("fail"),
    tool("break"),
    tool("die"),
    tool("hang"),
    tool("work", {"steps": {"type": "integer"}, "pause": NUMBER}),
    tool("log"),
    tool("greet", description="Asks for a name"),
    tool("wizard"),
    tool("login", description="Asks for a password"),
    tool("open"),
    tool("opening"),
    tool("meta"),
    tool("cancelled"),
    tool("change"),
    tool("lists"),
    tool("listening"),
    tool("again", {"rounds": {"type": "integer"}}),
    tool("outcome", {"text": TEXT, "error": {"type": "boolean"}}),
]
# How often the list was asked for, in pages.
lists = 0


def write(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}))


def result(id, text):
    """A result, to the letter."""
    kind = '"resultType":"complete",' if MODERN else ""
    write('{"jsonrpc":"2.0","id":%s,"result":{%s%s}}' % (json.dumps(id), kind, text))


def said(id, text):
    result(id, '"content":[{"type":"text","text":%s}]' % json.dumps(text))


def error(id, code, message, data=None):
    problem = {"code": code, "message": message}
    if data is not None:
        problem["data"] = data
    send({"id": id, "error": problem})


def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    received["line"] = line
    return json.loads(line)


def form(message, properties, required=()):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"message": message, "requestedSchema": schema}


asked = 0


def elicit(params):
    """The client's answer to a request of this server; other messages in between are looked at."""
    global asked
    asked += 1
    id = "ask-%d" % asked
    send({"id": id, "method": "elicitation/create", "params": params})
    while True:
        message = read()
        if message.get("id") == id and "method" not in message:
            return message.get("result", message.get("error"))
        if message.get("method") == "notifications/cancelled":
            sys.stderr.write("cancelled while asking\n")
            sys.stderr.flush()
            return {"action": "cancel"}


def ask(request, key, params):
    """The answer to a question in any revision; nothing if it has been asked and the request is over."""
    if not MODERN:
        return elicit(params)
    responses = request["params"].get("inputResponses", {})
    if key in responses:
        return responses[key]
    state = request["params"].get("requestState", "")
    body = {
        "resultType": "input_required",
        "inputRequests": {key: {"method": "elicitation/create", "params": {"mode": "form", **params}}},
        "requestState": state + key + ' "\\u00e9\u2028"',
    }
    send({"id": request["id"], "result": body})
    return None


opened = False


def call(request):
    global opened
    id, params = request["id"], request["params"]
    name, arguments = params["name"], params.get("arguments", {})
    token = params.get("_meta", {}).get("progressToken")
    if name == "add":
        total = arguments["a"] + arguments["b"]
        text = json.dumps({"sum": total})
        result(id, '"content":[{"type":"text","text":%s}],"structuredContent":%s' % (json.dumps(text), text))
    elif name == "lie":
        result(id, '"content":[],"structuredContent":{"total":1}')
    elif name == "echo":
        line = received["line"]
        start = line.index('"arguments":') + len('"arguments":')
        value, end = json.JSONDecoder().raw_decode(line[start:])
        result(id, '"content":[],"structuredContent":%s' % line[start : start + end])
    elif name == "fail":
        result(id, '"content":[{"type":"text","text":"it did not work"}],"isError":true')
    elif name == "break":
        error(id, -32603, "out of \x1b[31mcoffee", {"level": 3})
    elif name == "die":
        sys.stderr.write("cannot go on\n")
        sys.exit(3)
    elif name == "hang":
        pass
    elif name == "work":
        steps = arguments.get("steps", 3)
        for step in range(steps):
            note = {"progressToken": token, "progress": step + 1, "total": steps, "message": "step %d" % (step + 1)}
            send({"method": "notifications/progress", "params": note})
            time.sleep(arguments.get("pause", 0))
        said(id, "worked")
    elif name == "log":
        send({"method": "notifications/message", "params": {"level": "warning", "logger": "plain", "data": "careful"}})
        wanted = params.get("_meta", {}).get("io.modelcontextprotocol/logLevel")
        send({"method": "notifications/message", "params": {"level": "error", "data": "wanted: %s" % wanted}})
        write("a line that is no message")
        said(id, "logged")
    elif name == "greet":
        answer = ask(request, "who", form("Who are you?", {"name": {"type": "string", "title": "Name"}}, ["name"]))
        if answer is None:
            return
        if answer.get("action") == "accept":
            said(id, "Hello, %s! %s" % (answer["content"]["name"], params.get("requestState", "")))
        else:
            said(id, "Hello, nobody: %s" % answer.get("action"))
    elif name == "wizard":
        answers = []
        for step in range(2):
            answer = elicit(form("Step %d?" % step, {"ok": {"type": "boolean"}}, ["ok"]))
            answers.append(answer)
        said(id, json.dumps(answers))
    elif name == "login":
        answer = ask(request, "login", form("Log in", {"password": {"type": "string", "title": "Password"}}, ["password"]))
        if answer is not None:
            said(id, json.dumps(answer))
    elif name == "open":
        answer = elicit({"mode": "url", "elicitationId": "e1", "url": "https://example.org/x", "message": "Allow it"})
        said(id, json.dumps(answer))
    elif name == "opening":
        if opened:
            said(id, "opened")
        else:
            opened = True
            wanted = {"mode": "url", "elicitationId": "e2", "url": "https://example.org/y", "message": "Allow it"}
            error(id, -32042, "open it first", {"elicitations": [wanted]})
            send({"method": "notifications/elicitation/complete", "params": {"elicitationId": "e2"}})
    elif name == "meta":
        meta = {key: value for key, value in params.get("_meta", {}).items() if key.startswith("computer.jp/")}
        said(id, json.dumps(meta))
    elif name == "cancelled":
        message = read()
        sys.stderr.write("then came %s of %s\n" % (message.get("method"), message["params"].get("requestId") == id))
        sys.stderr.flush()
    elif name == "change":
        TOOLS.append(tool("new"))
        if listening is None and DISCOVERED != "listen":
            send({"method": "notifications/tools/list_changed"})
        elif listening is not None:
            tell("tools/list_changed")
        said(id, "changed")
    elif name == "again":
        # A round without a question, as often as is wanted.
        state = int(params.get("requestState", "0"))
        if state < arguments["rounds"]:
            send({"id": id, "result": {"resultType": "input_required", "requestState": str(state + 1)}})
        else:
            said(id, "after %d" % state)
    elif name == "outcome":
        error_flag = ',"isError":true' if arguments.get("error") else ""
        result(id, '"content":[{"type":"text","text":%s}]%s' % (json.dumps(arguments["text"]), error_flag))
    elif name == "lists":
        said(id, str(lists))
    elif name == "listening":
        said(id, str(listening is not None))
    else:
        error(id, -32602, "unknown tool `%s`" % name)


listening = None


def tell(what, **params):
    """A notification on the subscription."""
    meta = {"io.modelcontextprotocol/subscriptionId": listening}
    send({"method": "notifications/" + what, "params": {**params, "_meta": meta}})


def main():
    global lists, listening
    while True:
        request = read()
        method, id = request.get("method"), request.get("id")
        if method == "server/discover" and COMPLAINT:
            print(COMPLAINT, file=sys.stderr, flush=True)
        if method == "server/discover" and MODERN:
            info = {
                "resultType": "complete",
                "supportedVersions": [REVISION],
                "capabilities": {"tools": {"listChanged": DISCOVERED == "listen"}},
                "ttlMs": 0,
                "cacheScope": "private",
            }
            send({"id": id, "result": info})
        elif method == "subscriptions/listen" and MODERN:
            assert request["params"]["notifications"] == {"toolsListChanged": True}, request
            listening = id
            tell("subscriptions/acknowledged", notifications={"toolsListChanged": True})
        elif method == "server/discover" and DISCOVERED:
            write('{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(id), DISCOVERED))
        elif method == "initialize" and MODERN:
            error(id, -32022, "unsupported protocol version", {"supported": [REVISION]})
        elif method == "initialize":
            info = {"protocolVersion": REVISION, "capabilities": {"tools": {}}, "serverInfo": {"name": "plain", "version": "1"}}
            send({"id": id, "result": info})
        elif method == "tools/list":
            lists += 1
            cursor = (request.get("params") or {}).get("cursor")
            if cursor is None:
                page = {"tools": TOOLS[:3], "nextCursor": "more"}
            else:
                page = {"tools": TOOLS[3:]}
            if MODERN:
                page.update(resultType="complete", ttlMs=TTL, cacheScope="private")
            send({"id": id, "result": page})
        elif method == "tools/call":
            call(request)
        elif id is not None:
            error(id, -32601, "unknown method `%s`" % method)


main()
