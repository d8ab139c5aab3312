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
        for other in [id + 1000, str(id), None, "x" * 1000, -1]:
            send({"id": other, "result": {"content": [{"type": "text", "text": "wrong"}]}})
        send(done)
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
        for method in ["sampling/createMessage", "roots/list", "dev.toolwire/elicitation", "x"]:
            send({"id": "q", "method": method, "params": {}})
            answer = json.loads(sys.stdin.readline())
            actions.append("error" if "error" in answer else json.dumps(answer["result"]))
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
    if method == "initialize":
        version = "2099-01-01" if WAY == "future" else "2025-11-25"
        info = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "h" + ESCAPE, "version": "1"}}
        if WAY == "bad-initialize":
            info = {"protocolVersion": 7}
        send({"id": id, "result": info})
    elif method == "tools/list":
        if WAY == "endless-pages":
            pages += 1
            send({"id": id, "result": {"tools": [], "nextCursor": "p%d" % pages}})
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
