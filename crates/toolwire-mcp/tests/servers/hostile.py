#!/usr/bin/env python3
"""An MCP server of 2025-11-25 that misbehaves in the way that its argument names."""

import json
import sys
import time

WAY = sys.argv[1]
ESCAPE = "\x1b[2J\x1b]0;gotcha\x07\u202e"


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def raw(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def tools():
    if WAY == "escapes":
        return [
            {
                "name": "x" + ESCAPE,
                "title": "t" + ESCAPE,
                "description": "d" + ESCAPE,
                "inputSchema": {"type": "object"},
            }
        ]
    good = {"name": "go", "inputSchema": {"type": "object"}}
    if WAY == "odd-tools":
        return [None, 1, "go", {}, {"name": ""}, {"name": 7}, {"name": "go", "inputSchema": 3}, good, good]
    return [good]


def call(id):
    done = {"id": id, "result": {"content": [{"type": "text", "text": "done"}]}}
    if WAY == "silent":
        return
    if WAY == "garbage":
        for text in ["not json", "[]", "{", '{"jsonrpc":"2.0"}', "\ufeff{}", "null", '{"id":}']:
            raw(text)
        sys.stdout.buffer.write(b"\xff\xfe\x00\n")
        send(done)
    elif WAY == "wrong-id":
        for other in [id + 1000, None, "x" * 1000, -1]:
            send({"id": other, "result": {"content": [{"type": "text", "text": "wrong"}]}})
        send(done)
    elif WAY == "nan":
        send({"id": id, "result": {"content": [], "structuredContent": {"mean": float("nan")}}})
    elif WAY == "nan-last":
        raw('{"result":{"content":[],"mean":-Infinity},"jsonrpc":"2.0","id":"%d"}' % id)
    elif WAY == "cut":
        raw('{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","te' % id)
    elif WAY == "cut-early":
        raw('{"result":{"content":[{"type":"text","te')
    elif WAY == "batch":
        raw('[{"jsonrpc":"2.0","id":%d,"result":{}}]' % id)
    elif WAY == "nobody":
        send({"id": None, "error": {"code": -32600, "message": "what is this?"}})
    elif WAY == "text-id":
        send({**done, "id": str(id)})
    elif WAY == "float-id":
        send({**done, "id": float(id)})
    elif WAY == "mark":
        raw("\ufeff" + json.dumps(done))
    elif WAY == "glued":
        raw("Loading... " + json.dumps({"jsonrpc": "2.0", **done}))
    elif WAY == "pings":
        filler = "x" * 10000
        while True:
            send({"id": filler, "method": "ping"})
            send({"id": "s%s" % time.time(), "method": "sampling/createMessage", "params": filler})
    elif WAY == "twice":
        send(done)
        send({"id": id, "result": {"content": [{"type": "text", "text": "second"}]}})
    elif WAY == "huge-line":
        try:
            while True:
                sys.stdout.write("x" * 65536)
        except OSError:
            sys.exit(0)
    elif WAY == "flood":
        note = {"method": "notifications/message", "params": {"level": "info", "data": "noise" * 20}}
        progress = {"method": "notifications/progress", "params": {"progressToken": 0, "progress": 1}}
        while True:
            for _ in range(1000):
                send(note)
                send(progress)
    elif WAY == "flood-then-answer":
        for _ in range(20000):
            send({"method": "notifications/message", "params": {"level": "info", "data": "noise"}})
            send({"method": "notifications/unknown", "params": {"x": [1] * 20}})
        send(done)
    elif WAY == "bad-result":
        raw('{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\\ud800"}],"a":1,"a":2}}' % id)
    elif WAY == "no-result":
        raw('{"jsonrpc":"2.0","id":%d}' % id)
    elif WAY == "deep-result":
        raw('{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":%s}}' % (id, "[" * 5000 + "]" * 5000))
    elif WAY == "number-result":
        raw('{"jsonrpc":"2.0","id":%d,"result":1e999}' % id)
    elif WAY == "odd-error":
        raw('{"jsonrpc":"2.0","id":%d,"error":{"code":99999999999999999999,"message":["x"]}}' % id)
    elif WAY == "text-error":
        raw('{"jsonrpc":"2.0","id":%d,"error":"no"}' % id)
    elif WAY == "bad-question":
        for params in [1, {}, {"message": 3}, {"message": "?", "requestedSchema": {"type": "array"}}, {"mode": "voice", "message": "?"}]:
            send({"id": "q", "method": "elicitation/create", "params": params})
            answer = json.loads(sys.stdin.readline())
            assert "error" in answer, answer
        send(done)
    elif WAY == "secret":
        form = {"type": "object", "properties": {"api_key": {"type": "string"}}, "required": ["api_key"]}
        send({"id": "q", "method": "elicitation/create", "params": {"message": "?", "requestedSchema": form}})
        answer = json.loads(sys.stdin.readline())
        send({"id": id, "result": {"content": [{"type": "text", "text": answer["result"]["action"]}]}})
    elif WAY == "sampling":
        actions = []
        for method in ["sampling/createMessage", "roots/list", "x", "ping"]:
            send({"id": "q", "method": method, "params": {}})
            answer = json.loads(sys.stdin.readline())
            actions.append(json.dumps(answer["result"]) if "result" in answer else str(answer["error"]["code"]))
        send({"id": id, "result": {"content": [{"type": "text", "text": " ".join(actions)}]}})
    elif WAY == "ask-forever":
        form = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
        n = 0
        while True:
            n += 1
            send({"id": "q%d" % n, "method": "elicitation/create", "params": {"message": "?", "requestedSchema": form}})
            if not sys.stdin.readline():
                sys.exit(0)
    elif WAY == "escapes":
        send({"id": id, "error": {"code": -1, "message": "m" + ESCAPE}})
    elif WAY == "ignores-end":
        send(done)
        sys.stdin.close()
        time.sleep(3600)
    else:
        send(done)


if WAY == "mute":
    time.sleep(3600)
if WAY == "prompts":
    sys.stdout.write("Loading\nEnter the key: ")
    sys.stdout.flush()
    time.sleep(3600)
if WAY == "prints":
    sys.stdout.write("starting\nusage: server [--port PORT]")
    sys.exit(2)
if WAY == "exits":
    sys.stderr.write("no such option\n")
    sys.exit(2)
pages = 0
while True:
    line = sys.stdin.readline()
    if not line:
        break
    message = json.loads(line)
    id, method = message.get("id"), message.get("method")
    if WAY.startswith("only-") and method in ("server/discover", "initialize"):
        # It names the only version that it speaks in its own way.
        only = WAY.removeprefix("only-")
        asked = message["params"].get("protocolVersion", "2026-07-28")
        if method == "initialize" and asked == only:
            send({"id": id, "result": {"protocolVersion": only, "capabilities": {"tools": {}}}})
        else:
            send({"id": id, "error": {"code": -32602, "message": "bad version", "data": {"want": only, "got": asked}}})
    elif method == "initialize":
        version = "2099-01-01" if WAY == "future" else "2025-11-25"
        offers = {} if WAY in ("undeclared", "toolless") else {"tools": {}}
        info = {"protocolVersion": version, "capabilities": offers, "serverInfo": {"name": "h" + ESCAPE, "version": "1"}}
        if WAY == "bad-initialize":
            info = {"protocolVersion": 7}
        send({"id": id, "result": info})
    elif method == "tools/list":
        if WAY == "endless-pages":
            pages += 1
            send({"id": id, "result": {"tools": [], "nextCursor": "p%d" % pages}})
        elif WAY == "same-page":
            send({"id": id, "result": {"tools": tools(), "nextCursor": "8"}})
        elif WAY == "round":
            pages += 1
            send({"id": id, "result": {"tools": tools(), "nextCursor": "p%d" % (pages % 3)}})
        elif WAY == "empty-cursor":
            first = "cursor" not in message.get("params", {})
            other = {"name": "other", "inputSchema": {"type": "object"}}
            send({"id": id, "result": {"tools": tools(), "nextCursor": ""} if first else {"tools": [other]}})
        elif WAY == "toolless":
            send({"id": id, "error": {"code": -32601, "message": "unknown method"}})
        elif WAY == "many-tools":
            many = [{"name": "t%d" % n, "inputSchema": {"type": "object"}} for n in range(11)]
            send({"id": id, "result": {"tools": many}})
        elif WAY == "no-tools":
            send({"id": id, "result": {}})
        elif WAY == "error-tools":
            send({"id": id, "error": {"code": -32603, "message": "no list"}})
        else:
            send({"id": id, "result": {"tools": tools()}})
    elif method == "tools/call":
        call(id)
    elif id is not None:
        send({"id": id, "error": {"code": -32601, "message": "unknown method"}})
