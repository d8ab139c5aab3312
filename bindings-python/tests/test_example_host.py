"""The host of examples/host, whose model is a small server here."""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
import toolwire as tw

@tw.tool
def release(version: str, ctx: tw.Context) -> str:
    "Release a version."
    ctx.emit("12 commits since the last release")
    ctx.emit(tw.text("for people", annotations={"audience": ["user"]}))
    level = ctx.answer("level", tw.select("Which level?", ["major", "minor"]))
    notes = ctx.answer("notes", tw.string("Which notes?", min_length=3), otherwise="none")
    return f"{version}: {level}, {notes}"

tw.main()
"""


class Model(http.server.BaseHTTPRequestHandler):
    """Answers as it was told to, one reply after the other, and keeps what it was asked."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        message = self.server.replies.pop(0)
        reply = json.dumps({"choices": [{"message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


@pytest.fixture
def model():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        server.asked, server.replies = [], []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def host(folder, model, *words, questions=""):
    (folder / "release.py").write_text(PROGRAM)
    command = json.dumps([sys.executable, str(folder / "release.py")])
    (folder / "toolwire.toml").write_text(f"[tools.release]\ncommand = {command}\n{questions}\n")
    env = {**os.environ, "OPENAI_API_KEY": "key", "OPENAI_BASE_URL": f"http://127.0.0.1:{model.server_port}/v1"}
    program = [sys.executable, str(REPOSITORY / "examples/host/ask_a_model.py"), *words]
    return subprocess.run(program, cwd=folder, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def says(answer):
    return {"content": json.dumps({"answer": answer})}


def test_a_model_answers(tmp_path, model):
    model.replies = [says("minor"), says("x"), says("fixes")]
    done = host(tmp_path, model, "release", "version=1.2")
    assert done.stdout.splitlines()[-1] == "1.2: minor, fixes", done
    assert done.stderr.splitlines() == ["level: accepted, from assistant", "notes: accepted, from assistant"]
    assert done.returncode == 0
    path, key, body = model.asked[0]
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer key", "gpt-5-mini")
    text = body["messages"][1]["content"]
    assert "12 commits" in text and "Which level?" in text and '{"version": "1.2"}' in text
    assert "for people" not in text
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["answer"]["enum"] == ["major", "minor"]
    assert "does not fit" in model.asked[2][2]["messages"][1]["content"]


def test_a_model_can_refuse_and_does_not_answer_for_a_person(tmp_path, model):
    model.replies = [says("major"), {"content": None, "refusal": "no"}]
    done = host(tmp_path, model, "release", "version=2")
    assert done.stdout.splitlines()[-1] == "2: major, none", done
    assert "notes: declined, from assistant" in done.stderr
    asked = len(model.asked)
    done = host(tmp_path, model, "release", "version=2", questions="questions.level = 'user'")
    assert (done.returncode, len(model.asked)) == (1, asked), done
    assert "level: unavailable, from policy" in done.stderr


def test_mistakes_are_told_without_a_traceback(tmp_path, model):
    done = host(tmp_path, model, "relase")
    assert done.returncode == 1 and "did you mean `release`?" in done.stderr and "Traceback" not in done.stderr
