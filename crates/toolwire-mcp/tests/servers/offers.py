#!/usr/bin/env python3
"""An MCP server on stdin and stdout with resources, templates and prompts, written without any library.

    offers.py [REVISION] [WAY]

WAY is what it does otherwise: `undeclared` says that it has none, `no-templates` does not know them, `endless`
has a page after each page, `odd` lists what is none, `empty` reads nothing, `escapes` has texts that steer a
terminal, `alone` has no tools, `hides` has a tool that says what nobody sees, `changed` has a parameter with another name and other
tools, `data` answers with JSON, `array` and `null` with such structured content, `fails` with errors. The names of the tools that are called are written to the
file of OFFERS_CALLS. In 2026-07-28, every task is done.
"""

import json
import os
import sys

REVISION = sys.argv[1] if len(sys.argv) > 1 else "2025-11-25"
MODERN = REVISION == "2026-07-28"
WAY = sys.argv[2] if len(sys.argv) > 2 else ""
ESCAPE = "\x1b[2J\x1b]0;gotcha\x07\u202e" if WAY == "escapes" else ""

RESOURCES = [
    {"uri": "notes://today", "name": "today", "description": "What is to be done." + ESCAPE, "mimeType": "text/markdown"},
    {"uri": "notes://exact", "name": "exact", "size": 12},
]
TEMPLATES = [{"uriTemplate": "notes://{day}", "name": "day", "description": "What was done that day."}]
PROMPTS = [{"name": "review", "title": "Review", "description": "Reviews the notes."}]
TOOLS = [
    {
        "name": "add",
        "description": "Adds two numbers.",
        "annotations": {"readOnlyHint": True},
        "inputSchema": {
            "type": "object",
            "properties": {"b": {"type": "integer"}, "a": {"type": "integer"}},
            "required": ["b", "a"],
        },
    },
    {"name": "where", "inputSchema": {"type": "object"}},
]
if WAY == "changed":
    TOOLS[0]["inputSchema"]["properties"]["c"] = TOOLS[0]["inputSchema"]["properties"].pop("a")
    TOOLS[0]["inputSchema"]["required"] = ["b", "c"]
    TOOLS[0]["description"] = "Adds any numbers."
    TOOLS[1]["name"] = "when"
    TOOLS[1]["inputSchema"]["properties"] = {"zone": {"type": "string"}}
if WAY == "hides":
    tagged = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    TOOLS[0]["description"] += tagged
    TOOLS[0]["inputSchema"]["properties"]["a"]["title"] = "p\u0430ypal"


def write(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


SUBSCRIBED = {}


def notify(method, subscription, **params):
    if MODERN:
        params["_meta"] = {"io.modelcontextprotocol/subscriptionId": subscription}
    write(json.dumps({"jsonrpc": "2.0", "method": "notifications/" + method, "params": params}))


def changed():
    """Everything is another one now."""
    for uri, subscription in SUBSCRIBED.items():
        if uri.endswith("/list_changed"):
            notify(uri, subscription)
        else:
            notify("resources/updated", subscription, uri=uri)
    if not MODERN:
        notify("resources/list_changed", None)
        notify("prompts/list_changed", None)


def listen(id, wanted):
    for kind in ("resources", "prompts"):
        if wanted.get(kind + "ListChanged"):
            SUBSCRIBED[kind + "/list_changed"] = id
    SUBSCRIBED.update((uri, id) for uri in wanted.get("resourceSubscriptions", []))
    notify("subscriptions/acknowledged", id, notifications=wanted)


def prompt(id, params):
    text = "Review %s for %s." % (params.get("arguments", {}).get("day", "all"), WAY or "nobody")
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    result(id, '"messages":%s,"_meta":{"example.org/n":1.10}' % json.dumps(messages))


def result(id, members):
    kind = '"resultType":"complete",' if MODERN else ""
    write('{"jsonrpc":"2.0","id":%s,"result":{%s%s}}' % (json.dumps(id), kind, members))


def error(id, code, message):
    problem = {"code": code, "message": message}
    write(json.dumps({"jsonrpc": "2.0", "id": id, "error": problem}))


def page(id, name, elements, params):
    """Two pages: the first has one element."""
    at = int(params.get("cursor", "0"))
    rest = elements if WAY == "endless" else elements[at:]
    more = ""
    if WAY == "endless" or len(rest) > 1:
        rest, more = rest[:1], ',"nextCursor":"%d"' % (at + 1)
    cached = ',"ttlMs":0,"cacheScope":"private"' if MODERN else ""
    result(id, '"%s":%s%s%s' % (name, json.dumps(rest), more, cached))


def read(id, uri):
    if WAY == "empty":
        result(id, '"nothing":true')
    elif uri == "notes://write":
        result(id, '"contents":[]')
        changed()
    elif uri == "notes://exact":
        result(id, '"contents":[{"uri":"notes://exact","text":"x","more":123456789012345678901.10}]')
    elif uri.startswith("notes://"):
        contents = [
            {"uri": uri, "mimeType": "text/markdown", "text": "# Today" + ESCAPE},
            {"uri": uri + "/image", "mimeType": "image/png", "blob": "aGk="},
        ]
        result(id, '"contents":%s' % json.dumps(contents))
    else:
        error(id, -32002, "there is no `%s`" % uri)


def call(id, params):
    log = os.environ.get("OFFERS_CALLS")
    if log:
        with open(log, "a") as file:
            file.write(params["name"] + "\n")
    if WAY == "fails":
        return result(id, '"content":[{"type":"text","text":"no numbers today"}],"isError":true')
    if WAY in ("array", "null"):
        content = '[1,"two"]' if WAY == "array" else "null"
        return result(id, '"content":[{"type":"text","text":"x"}],"structuredContent":' + content)
    if params["name"] == "add":
        total = sum(params["arguments"].values())
        text = json.dumps({"sum": total}) if WAY == "data" else str(total)
    else:
        names = sorted(name for name in os.environ if name.startswith(("OFFERS_", "npm_config_", "UV_")))
        text = json.dumps({"cwd": os.getcwd(), "files": os.listdir("."), "environment": names})
    result(id, '"content":[{"type":"text","text":%s}]' % json.dumps(text))


def main():
    tells = {"listChanged": True}
    offers = {"tools": {}, "resources": {**tells, "subscribe": True}, "prompts": tells}
    if WAY == "undeclared":
        offers = {"tools": {}}
    if WAY == "alone":
        TOOLS.clear()
    for line in sys.stdin:
        request = json.loads(line)
        method, id, params = request.get("method"), request.get("id"), request.get("params") or {}
        if method == "server/discover" and MODERN:
            versions = '"supportedVersions":["%s"],"ttlMs":0,"cacheScope":"private"' % REVISION
            result(id, '%s,"capabilities":%s,"instructions":"Read before you write."' % (versions, json.dumps(offers)))
        elif method == "initialize" and not MODERN:
            info = '"serverInfo":{"name":"offers","title":"Offers","version":"1"},"instructions":"Read before you write."'
            result(id, '"protocolVersion":"%s","capabilities":%s,%s' % (REVISION, json.dumps(offers), info))
        elif method == "tools/list":
            cached = ',"ttlMs":0,"cacheScope":"private"' if MODERN else ""
            result(id, '"tools":%s%s' % (json.dumps(TOOLS), cached))
        elif method == "resources/list":
            odd = [None, 1, "x", []] if WAY == "odd" else []
            page(id, "resources", odd + RESOURCES, params)
        elif method == "resources/templates/list" and WAY != "no-templates":
            page(id, "resourceTemplates", TEMPLATES, params)
        elif method == "prompts/list":
            page(id, "prompts", PROMPTS, params)
        elif method == "resources/read":
            read(id, params["uri"])
        elif method == "prompts/get":
            prompt(id, params)
        elif method == "resources/subscribe" and params["uri"] == "notes://never":
            error(id, -32002, "there is no `notes://never`")
        elif method in ("resources/subscribe", "resources/unsubscribe"):
            SUBSCRIBED.pop(params["uri"], None)
            if method.endswith("/subscribe"):
                SUBSCRIBED[params["uri"]] = None
            result(id, "")
        elif method == "subscriptions/listen" and MODERN:
            listen(id, params["notifications"])
        elif method == "tools/call":
            call(id, params)
        elif method == "tasks/get" and MODERN:
            when = '"createdAt":"2026-11-23T10:00:00Z","lastUpdatedAt":"2026-11-23T10:00:00Z","ttlMs":null'
            done = '"result":{"resultType":"complete","content":[{"type":"text","text":"{\\"sum\\":3}"}]}'
            result(id, '"taskId":%s,"status":"completed",%s,%s' % (json.dumps(params["taskId"]), when, done))
        elif id is not None:
            error(id, -32601, "unknown method `%s`" % method)


main()
