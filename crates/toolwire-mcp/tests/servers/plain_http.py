#!/usr/bin/env python3
"""An MCP server on Streamable HTTP, written without any library.

    plain_http.py REVISION [json|sse] [token=TOKEN] [redirect=URL] [status=STATUS] [refuses=TEXT] [forgets]

With `refuses`, an `initialize` with another version than its own is answered with 400 and this text. With `forgets`,
a session is over after the first call.

It writes its port to stdout. What it sees is written to stderr, one line each.
"""

import json
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REVISION = sys.argv[1]
MODERN = REVISION == "2026-07-28"
STREAMS = "sse" in sys.argv
OPTIONS = dict(word.split("=", 1) for word in sys.argv[2:] if "=" in word)

FORM = {
    "message": "Who are you?",
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
}
TOOLS = [
    {"name": name, "inputSchema": {"type": "object", "properties": properties}}
    for name, properties in [
        ("echo", {"value": {}}),
        ("headers", {"region": {"type": "string", "x-mcp-header": "Region"}}),
        ("greet", {"together": {"type": "integer"}}),
        ("hang", {}),
        ("big", {"size": {"type": "integer"}}),
        ("fail", {}),
        ("shape", {"shape": {"type": "string"}}),
        ("resume", {"fails": {"type": "integer"}, "breaks": {"type": "integer"}}),
    ]
]
answers = {}
sessions = ["s1"]
# What goes on after an event: the id of the request, how often that fails first, and then breaks off.
resumes = {}
together = threading.Condition()
asking = set()
cancelled = threading.Event()


def note(text):
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", kind="application/json", **headers):
        self.send_response(status)
        if body:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def begin(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, text):
        self.wfile.write(("event: message\ndata: %s\n\n" % text).encode())
        self.wfile.flush()

    def result(self, id, text):
        kind = '"resultType":"complete",' if MODERN else ""
        body = '{"jsonrpc":"2.0","id":%s,"result":{%s%s}}' % (json.dumps(id), kind, text)
        if STREAMS:
            self.begin()
            self.event(body)
        else:
            self.reply(200, body.encode())

    def do_GET(self):
        last = self.headers.get("Last-Event-ID")
        if last is None or last not in resumes:
            return self.reply(405)
        id, fails, breaks = resumes[last]
        note("resumed after %s" % last)
        if fails:
            resumes[last] = (id, fails - 1, breaks)
            return self.reply(503)
        if breaks:
            # It breaks off: there is less than was promised.
            resumes[last] = (id, fails, breaks - 1)
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.close_connection = True
            return
        del resumes[last]
        self.begin()
        result = {"content": [{"type": "text", "text": "resumed"}]}
        self.event(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}))

    def do_DELETE(self):
        note("deleted")
        self.reply(200)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if "redirect" in OPTIONS:
            return self.reply(int(OPTIONS.get("status", 307)), Location=OPTIONS["redirect"])
        if "token" in OPTIONS and self.headers.get("Authorization") != "Bearer " + OPTIONS["token"]:
            return self.reply(401, WWW_Authenticate="Bearer")
        message = json.loads(body)
        session = self.headers.get("Mcp-Session-Id")
        if session is not None and session != sessions[-1]:
            return self.reply(404)
        id, method = message.get("id"), message.get("method")
        if method is None:
            answers[id].put(message)
            return self.reply(202)
        if method == "notifications/cancelled":
            note("cancelled %s" % json.dumps(message["params"]["requestId"]))
            cancelled.set()
        if id is None:
            return self.reply(202)
        if method == "server/discover" and MODERN:
            return self.result(
                id,
                '"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"',
            )
        if method == "initialize" and "refuses" in OPTIONS and message["params"]["protocolVersion"] != REVISION:
            return self.reply(400, OPTIONS["refuses"].encode(), "text/plain")
        if method == "initialize" and not MODERN:
            if "forgets" in sys.argv:
                note("initialized")
            info = {"protocolVersion": REVISION, "capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}}
            text = json.dumps({"jsonrpc": "2.0", "id": id, "result": info})
            return self.reply(200, text.encode(), Mcp_Session_Id=sessions[-1])
        if method == "tools/list":
            return self.result(id, '"tools":%s,"ttlMs":60000,"cacheScope":"private"' % json.dumps(TOOLS))
        if method != "tools/call":
            error = {"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown method"}}
            return self.reply(200 if not MODERN else 404, json.dumps(error).encode())
        self.call(id, message["params"], body)

    def call(self, id, params, body):
        name, arguments = params["name"], params["arguments"]
        if "forgets" in sys.argv and len(sessions) == 1:
            sessions.append("s2")
        if name == "echo":
            start = body.index('"arguments":') + len('"arguments":')
            _, end = json.JSONDecoder().raw_decode(body[start:])
            self.result(id, '"content":[],"structuredContent":%s' % body[start : start + end])
        elif name == "headers":
            seen = {key.lower(): value for key, value in self.headers.items()}
            text = json.dumps(json.dumps(seen, sort_keys=True))
            self.result(id, '"content":[{"type":"text","text":%s}]' % text)
        elif name == "greet" and MODERN:
            given = params.get("inputResponses", {}).get("who")
            if given:
                text = json.dumps("Hello, %s! %s" % (given["content"]["name"], params["requestState"]))
                return self.result(id, '"content":[{"type":"text","text":%s}]' % text)
            result = {
                "resultType": "input_required",
                "inputRequests": {"who": {"method": "elicitation/create", "params": FORM}},
                "requestState": "sealed",
            }
            self.reply(200, json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode())
        elif name == "greet":
            question = "q%s" % id
            answers[question] = queue.Queue()
            self.begin()
            # Nobody is asked before all of them ask.
            with together:
                asking.add(id)
                together.notify_all()
                together.wait_for(lambda: len(asking) >= arguments.get("together", 1), timeout=30)
            self.event(json.dumps({"jsonrpc": "2.0", "id": question, "method": "elicitation/create", "params": FORM}))
            given = answers[question].get(timeout=30)["result"]
            text = "Hello, %s!" % given.get("content", {}).get("name", given["action"])
            result = {"content": [{"type": "text", "text": text}]}
            self.event(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}))
        elif name == "shape":
            answer = '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"\u00fcber"}]}}' % json.dumps(id)
            shapes = {
                "unknown": "foo: bar\nheartbeat\nretry: soon\n: alive\ndata: %s\n\n" % answer,
                "prime": "id: 1\ndata: \n\nid: 2\nretry: 3000\n\nevent: ping\ndata: 12\n\ndata:%s\n\n" % answer,
                "cr": "\ufeffevent: message\rdata: %s\r\r" % answer.replace(', "result"', ',\rdata: "result"'),
                "nothing": ": alive\n\n",
                "nan": "data: %s\n\n" % answer.replace('"\u00fcber"', "NaN"),
            }
            if arguments["shape"] in shapes:
                self.begin()
                for byte in shapes[arguments["shape"]].encode():
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
            elif arguments["shape"] == "accepted":
                self.reply(202)
            elif arguments["shape"] == "html":
                self.reply(200, b"<h1>Welcome</h1>", "text/html")
            elif arguments["shape"] == "other":
                self.reply(200, b'{"jsonrpc":"2.0","method":"notifications/unknown"}')
            else:
                self.reply(200, b'{"jsonrpc":"2.0","id":%d,"result":{"content":' % id)
        elif name == "hang":
            self.begin()
            try:
                while not cancelled.wait(0.05):
                    self.wfile.write(b": alive\n\n")
                    self.wfile.flush()
            except OSError:
                note("closed")
        elif name == "big":
            self.result(id, '"content":[{"type":"text","text":"%s"}]' % ("x" * arguments["size"]))
        elif name == "resume":
            self.begin()
            resumes["e%s" % id] = (id, arguments.get("fails", 0), arguments.get("breaks", 0))
            self.wfile.write(("id: e%s\nretry: 200\ndata:\n\n" % id).encode())
        elif name == "fail":
            error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "not like that"}}
            self.reply(400, json.dumps(error).encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
