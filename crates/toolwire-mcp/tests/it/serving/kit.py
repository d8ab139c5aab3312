# toolwire-tool: 1
# Tools for the tests, written without any library.
import json
import os
import sys
import time

OBJECT = {"type": "object"}
TOOLS = [
    {"name": "echo", "inputSchema": {"type": "object", "properties": {"n": {"type": "number"}}}},
    {"name": "ask", "title": "Ask", "inputSchema": OBJECT, "annotations": {"readOnlyHint": True}},
    {"name": "count", "inputSchema": OBJECT, "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
    {"name": "say", "inputSchema": OBJECT},
    {"name": "where", "inputSchema": OBJECT},
    {"name": "page", "inputSchema": OBJECT},
    {"name": "wait", "inputSchema": OBJECT},
]

text = sys.stdin.read()
call = json.loads(text)
tool = call["tool"]
arguments = tool.get("arguments", {})


def done(*content, **more):
    json.dump({"content": list(content), **more}, sys.stdout)
    sys.exit()


def block(text):
    return {"type": "text", "text": text}


def question(id, text, schema):
    return {"type": "question", "question": {"id": id, "text": text, "schema": schema}}


if call["context"]["action"] == "describe":
    done(structuredContent={"toolwire": 1, "tools": TOOLS})

name = tool["name"]
if name == "echo":
    done(block(text))
if name == "ask":
    with open(os.environ["RUNS"], "a") as runs:
        runs.write("ran\n")
    states = tool.get("dev.toolwire/answers", {})
    if not states or arguments.get("needs"):
        done(
            block("b exists already."),
            question("ok", "Replace?", {"type": "boolean"}),
            question("times", "How often?", {"type": "integer", "minimum": 1}),
        )
    if arguments.get("twice") and "again" not in states:
        done(question("again", "Really?", {"type": "boolean"}))
    done(block(json.dumps({"answers": tool["answers"], "states": states}, sort_keys=True)))
if name == "page":
    state = tool.get("dev.toolwire/answers", {}).get("login", {}).get("state")
    if state == "opened" or state == "declined":
        done(block(state))
    asked = question("login", "Sign in.", {})
    asked["question"]["url"] = "https://example.com/login"
    done(asked)
if name == "count":
    done(structuredContent={"n": arguments.get("n", 1)})
if name == "say":
    for at in (1, 1, 2):
        with open(os.environ.get("TOOLWIRE_EVENTS", os.devnull), "a") as events:
            events.write(json.dumps({"type": "progress", "done": at, "total": 2, "message": "step"}) + "\n")
        time.sleep(0.05)
    with open(os.environ.get("TOOLWIRE_EVENTS", os.devnull), "a") as events:
        events.write(json.dumps({"type": "log", "level": "warning", "message": "hot"}) + "\n")
        events.write(json.dumps({"type": "log", "level": "debug", "message": "cold"}) + "\n")
    print("compiling", file=sys.stderr)
    done(block("said"))
if name == "where":
    names = ["TRACEPARENT", "TRACESTATE", "BAGGAGE", "TOOLWIRE_STATE_KEYS"]
    shown = {name: os.environ.get(name) for name in names}
    done(block(json.dumps({**shown, "root": call["context"].get("root"), "cwd": os.getcwd()})))
if name == "wait":
    with open(os.environ["RUNS"], "a") as runs:
        runs.write(str(os.getpid()) + "\n")
    time.sleep(arguments.get("seconds", 60))
    done(block("waited"))
