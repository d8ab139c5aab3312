# toolwire-tool: 1
# A tool that keeps running, written without any library: it echoes its input, and asks when it is told to.
import json
import os
import sys

TOOL = {
    "name": "echo_on",
    "description": "Echoes.",
    "inputSchema": {"type": "object", "properties": {"greeting": {"type": "string"}}, "required": ["greeting"]},
    "_meta": {"dev.toolwire/actions": ["spawn", "fetch", "apply", "abort"]},
}


def say(**members):
    print(json.dumps(members), flush=True)


def output(text):
    say(type="output", call=1, blocks=[{"type": "text", "text": text}])


if os.environ.get("TOOLWIRE_CALL") != "lines":
    json.dump({"content": [], "structuredContent": {"toolwire": 1, "tools": [TOOL]}}, sys.stdout)
    sys.exit()

for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        say(type="hello", toolwire=1, version=1, calls=1, maxLine=1 << 20)
    elif kind == "call":
        tool = message["document"]["tool"]
        output(f"{tool['name']}: {tool['arguments']['greeting']}")
    elif kind == "input":
        if message["input"] in ("ask", "ask a person"):
            question = {"id": "sure", "text": "Sure?", "schema": {"type": "boolean"}}
            person = message["input"] == "ask a person"
            say(type="question", call=1, question=question, person=person)
        else:
            output(f"got {json.dumps(message['input'])}")
    elif kind == "answer":
        output(f"answered {json.dumps(message['answer'], sort_keys=True)}")
    elif kind == "end":
        output("bye")
        say(type="result", call=1, envelope={"content": []})
        sys.exit()
