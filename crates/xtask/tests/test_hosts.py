"""The loops of examples/host with the SDKs of providers, offline: a server speaks the HTTP of each and follows a script.

The model calls three tools at once (a picture, an error, a question), then one tool in a response that is cut off, and
ends with a sentence.
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
HOSTS = REPOSITORY / "examples/host"
# The folder with the SDKs for Node, and a Node that runs them.
APP, NODE = os.environ["TOOLWIRE_HOSTS_APP"], os.environ["TOOLWIRE_HOSTS_NODE"]

TOOL = """#!/usr/bin/env python3
import pathlib
import toolwire as tw

@tw.tool(read_only=True)
def photo() -> tw.Envelope:
    "Takes a picture."
    return tw.envelope([tw.text("a dot"), tw.image(b"\\x89PNG\\r\\n\\x1a\\n", "image/png")])

@tw.tool(read_only=True)
def show(path: str) -> str:
    "Shows a file."
    raise tw.ToolError(f"there is no {path}")

@tw.tool
def rename(path: str, ctx: tw.Context) -> str:
    "Renames a file."
    return "Replaced." if ctx.answer("replace", tw.boolean("Replace it?")) else "Kept."

@tw.tool
def remove(path: str) -> str:
    "Removes a file."
    pathlib.Path("removed").touch()
    return "Removed."

tw.main()
"""

PICTURE = "iVBORw0KGgo"
CALLS = [("photo", {}), ("show", {"path": "a"}), ("rename", {"path": "b"})]
CUT_OFF = [("remove", {"path": "/"})]


def anthropic(calls, cut):
    blocks = [{"type": "tool_use", "id": f"toolu_{name}", "name": name, "input": given} for name, given in calls]
    stop = "max_tokens" if cut else "tool_use" if calls else "end_turn"
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": stop, "stop_sequence": None,
        "content": [{"type": "text", "text": "Done."}, *blocks], "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def responses(calls, cut):
    items = [
        {"type": "function_call", "id": f"fc_{name}", "call_id": f"call_{name}", "name": name, "status": "completed",
         "arguments": json.dumps(given)}
        for name, given in calls
    ]
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "Done.", "annotations": []}]}
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "output": [said, *items], "tools": [],
        "parallel_tool_calls": True, "tool_choice": "auto", "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
    }


def chat(calls, cut):
    called = [
        {"id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for name, given in calls
    ]
    message = {"role": "assistant", "content": "Done.", "refusal": None, **({"tool_calls": called} if called else {})}
    stop = "length" if cut else "tool_calls" if calls else "stop"
    return {
        "id": "chat_1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": stop, "logprobs": None, "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def gemini(calls, cut):
    parts = [{"functionCall": {"id": f"call_{name}", "name": name, "args": given}} for name, given in calls]
    if parts:
        parts[0]["thoughtSignature"] = "c2lnbmVk"
    content = {"role": "model", "parts": [{"text": "Done."}, *parts]}
    return {"candidates": [{"content": content, "finishReason": "MAX_TOKENS" if cut else "STOP"}]}


class Model(http.server.BaseHTTPRequestHandler):
    """Gives one reply after the other, and keeps what it was asked."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.asked.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
        script = [(CALLS, False), (CUT_OFF, True), ([], False)]
        reply = json.dumps(self.server.speak(*script[len(self.server.asked) - 1])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


def converse(host, speak, folder):
    """What the model was asked, request by request."""
    (folder / "tool.py").write_text(TOOL)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        server.asked, server.speak = [], speak
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        env = {
            **os.environ, "ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k", "GEMINI_API_KEY": "k", "ANTHROPIC_BASE_URL": url,
            "OPENAI_BASE_URL": f"{url}/v1", "GEMINI_BASE_URL": url,
            # What runs the tool from a host in Node.
            "VIRTUAL_ENV": sys.prefix,
        }
        if host.endswith(".mjs"):
            # It finds the SDKs from the folder it is in.
            copied = pathlib.Path(APP) / host
            copied.write_text((HOSTS / host).read_text())
            program = [NODE, str(copied)]
        else:
            program = [sys.executable, str(HOSTS / host)]
        done = subprocess.run(
            [*program, "Rename b.", "./tool.py"], cwd=folder, env=env, input="yes\n", capture_output=True, text=True,
            timeout=120, check=False,
        )
        server.shutdown()
    assert (done.returncode, done.stdout.splitlines()[-1:]) in [(0, ["Done."]), (0, ["Replace it? Done."])], done
    assert len(server.asked) == 3
    assert not (folder / "removed").exists(), "a call that was cut off was run"
    return [request for _, request in server.asked]


def test_anthropic(tmp_path):
    for host in ("with_anthropic.py", "with-anthropic.mjs"):
        first, second, third = converse(host, anthropic, tmp_path)
        assert [tool["name"] for tool in first["tools"]] == ["photo", "remove", "rename", "show"]
        said, results = second["messages"][1:]
        assert [block["type"] for block in said["content"]] == ["text", "tool_use", "tool_use", "tool_use"]
        photo, show, rename = results["content"]
        assert photo["content"][1]["source"]["data"].startswith(PICTURE)
        assert show["is_error"] and "there is no a" in show["content"]
        assert rename["content"] == "Replaced."
        (cut,) = third["messages"][-1]["content"]
        assert cut["is_error"] and "`max_tokens`" in cut["content"]


def test_openai_responses(tmp_path):
    _, second, third = converse("with_openai.py", responses, tmp_path)
    kinds = [item.get("type") for item in second["input"]]
    assert kinds == [None, "message", *["function_call"] * 3, *["function_call_output"] * 3]
    photo, show, rename = second["input"][-3:]
    assert PICTURE in photo["output"][1]["image_url"]
    assert show["output"].startswith("[error]") and "there is no a" in show["output"]
    assert (rename["call_id"], rename["output"]) == ("call_rename", "Replaced.")
    assert "max_output_tokens" in third["input"][-1]["output"]


def test_openai_chat(tmp_path):
    for host in ("with-openai.mjs", "with-ai-sdk.mjs"):
        _, second, third = converse(host, chat, tmp_path)
        messages = second["messages"]
        roles = [message["role"] for message in messages]
        assert roles[:5] == ["user", "assistant", "tool", "tool", "tool"]
        assert [call["id"] for call in messages[1]["tool_calls"]] == ["call_photo", "call_show", "call_rename"]
        assert "there is no a" in messages[3]["content"] and "Replaced." in messages[4]["content"]
        assert PICTURE in json.dumps(messages)
        assert "length" in third["messages"][-1]["content"]


def test_gemini(tmp_path):
    first, second, third = converse("with_google_genai.py", gemini, tmp_path)
    assert len(first["tools"][0]["functionDeclarations"]) == 4
    said, results = second["contents"][1:]
    assert said["parts"][1]["thoughtSignature"].rstrip("=") == "c2lnbmVk"
    answers = [part["functionResponse"] for part in results["parts"] if "functionResponse" in part]
    assert [answer["name"] for answer in answers] == ["photo", "show", "rename"]
    assert "there is no a" in json.dumps(answers[1]["response"]["error"])
    assert answers[2]["response"] == {"output": "Replaced."}
    assert PICTURE in json.dumps(results)
    assert "MAX_TOKENS" in json.dumps(third["contents"][-1])
