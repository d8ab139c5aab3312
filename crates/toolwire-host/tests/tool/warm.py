"""A warm tool for the tests, in nothing but Python: it does what its arguments say, in as many threads as its
first argument, and answers with its process and how many calls that has had. It runs once, too."""
import json
import os
import subprocess
import sys
import threading
import time

SIDE_BY_SIDE = int(sys.argv[1])
out = threading.Lock()
ended = {}
had = 0
kept = []
stubborn = []


def say(**line):
    with out:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def answer(call, document, trace):
    given = document["tool"]["arguments"]
    if "progress" in given:
        say(type="event", call=call, event={"type": "progress", "done": given["progress"]})
        say(type="event", call=call, event={"type": "log", "level": "info", "message": str(given["progress"])})
    if "stderr" in given:
        say(type="stderr", call=call, text=given["stderr"])
    if "print" in given:
        sys.stderr.write(given["print"])
        sys.stderr.flush()
    if "grow" in given:
        kept.append(bytearray(b"x") * given["grow"])
    if "flood" in given:
        # It has left the group, and writes on whatever becomes of this process.
        line = json.dumps({"type": "stderr", "call": 999, "text": "x"})
        # Of several, lines would be mixed.
        for _ in range(4 if given["flood"] == 2 else 1):
            subprocess.Popen(["setsid", "yes", line], stdout=given["flood"])
        time.sleep(0.3)
    if "begun" in given:
        open(given["begun"], "w").close()
    if given.get("stubborn"):
        stubborn.append(call)
    if "sleep" in given:
        until = time.monotonic() + given["sleep"]
        while time.monotonic() < until and (given.get("stubborn") or not ended.get(call)):
            time.sleep(0.01)
    if "exit" in given:
        sys.stderr.flush()
        os._exit(given["exit"])
    if "garbage" in given:
        with out:
            print("Listening on port 3000", flush=True)
    if "line" in given:
        with out:
            print(given["line"] % call, flush=True)
    content = {
        "pid": os.getpid(), "had": had, "echo": given.get("echo"), "ended": ended.get(call),
        "root": document["context"].get("root"), "trace": trace, "way": os.environ["TOOLWIRE_CALL"],
        "length": document["length"], "traceparent": os.environ.get("TRACEPARENT"), "color": os.environ.get("COLOR"),
    }
    return {"content": [{"type": "text", "text": json.dumps(content)}], "structuredContent": content}


def serve(line):
    envelope = answer(line["call"], line["document"], line.get("trace"))
    say(type="result", call=line["call"], envelope=envelope)


if os.environ["TOOLWIRE_CALL"] == "stdin":
    print(json.dumps(answer(0, {**json.load(sys.stdin), "length": None}, None)))
    sys.exit()
assert json.loads(sys.stdin.readline())["versions"] == [1]
if len(sys.argv) > 2 and sys.argv[2] == "silent":
    sys.exit("it speaks no lines")
say(type="hello", toolwire=1, version=1, calls=SIDE_BY_SIDE, maxLine=100_000)
for line in sys.stdin:
    length = len(line) - 1
    line = json.loads(line)
    if line["type"] == "end":
        ended[line["call"]] = line["reason"]
    elif line["type"] == "call":
        had += 1
        line["document"]["length"] = length
        if "deaf" in line["document"]["tool"]["arguments"]:
            serve(line)
            time.sleep(line["document"]["tool"]["arguments"]["deaf"])
            continue
        if "break" in line["document"]["tool"]["arguments"]:
            serve(line)
            time.sleep(1)
            print("Listening on port 3000", flush=True)
            time.sleep(1000)
        if "close" in line["document"]["tool"]["arguments"]:
            os.close(0)
            serve(line)
            time.sleep(1000)
        threading.Thread(target=serve, args=(line,), daemon=True).start()
if stubborn:
    time.sleep(1000)
