"""`toolwire tools` and `toolwire run` with published reference servers."""

import json
import subprocess
import sys

import pytest
from conftest import APP, NODE, toolwire

PACKAGES = APP / "node_modules/@modelcontextprotocol"
EVERYTHING = [NODE, str(PACKAGES / "server-everything/dist/index.js"), "stdio"]
TIME = [sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC"]


def tools(server: list) -> dict:
    ran = toolwire("tools", "--json", "--", *server)
    assert ran.returncode == 0, ran.stderr
    listed = json.loads(ran.stdout)
    return {tool["name"]: tool for tool in listed["tools"]}


def call(server: list, *words: str, status: int = 0) -> dict:
    ran = toolwire("run", "--json", *words, "--", *server)
    assert ran.returncode == status, ran.stdout + ran.stderr
    return json.loads(ran.stdout)


def only_text(envelope: dict) -> str:
    [block] = envelope["content"]
    assert block["type"] == "text"
    return block["text"]


def test_everything_lists_its_tools():
    listed = tools(EVERYTHING)
    assert listed["get-sum"]["inputSchema"]["required"] == ["a", "b"]
    # What is only for clients that can be asked is there too.
    assert "trigger-elicitation-request" in listed


def test_everything_adds():
    assert only_text(call(EVERYTHING, "get-sum", "a=1", "b=2")) == "The sum of 1 and 2 is 3."


def test_everything_sends_an_image():
    before, image, after = call(EVERYTHING, "get-tiny-image")["content"]
    assert (image["type"], image["mimeType"]) == ("image", "image/png")
    assert image["data"].startswith("iVBORw0KGgo")
    assert before["type"] == after["type"] == "text"


def test_everything_sends_structured_content():
    envelope = call(EVERYTHING, "get-structured-content", "location=Chicago")
    assert json.loads(only_text(envelope)) == envelope["structuredContent"]


def test_everything_sends_links():
    envelope = call(EVERYTHING, "get-resource-links", "count=2")
    _, *links = envelope["content"]
    assert [link["type"] for link in links] == ["resource_link"] * 2
    assert links[0]["uri"].startswith("demo://resource/")


@pytest.mark.parametrize(("kind", "member"), [("Text", "text"), ("Blob", "blob")])
def test_everything_sends_a_resource(kind, member):
    words = (f"resourceType={kind}", "resourceId=1")
    _, block, _ = call(EVERYTHING, "get-resource-reference", *words)["content"]
    assert block["type"] == "resource"
    assert block["resource"]["uri"].startswith("demo://resource/dynamic/")
    assert block["resource"][member]


def test_everything_sends_annotations():
    words = ("messageType=error", "includeImage=true")
    text, image = call(EVERYTHING, "get-annotated-message", *words)["content"]
    assert text["annotations"] == {"audience": ["user", "assistant"], "priority": 1}
    assert image["annotations"] == {"audience": ["user"], "priority": 0.5}


def test_everything_takes_its_time():
    said = call(EVERYTHING, "trigger-long-running-operation", "duration=1", "steps=3")
    assert "completed" in only_text(said)


def test_everything_gets_what_it_asks():
    """One field's description speaks of a PIN only to say that it wants none."""
    given = 'elicitation-1={"name":"Ada","integer":7}'
    envelope = call(EVERYTHING, "--answer", given, "trigger-elicitation-request")
    answer = envelope["_meta"]["dev.toolwire/answers"]["elicitation-1"]
    assert answer["state"] == "accepted"
    assert "Ada" in json.dumps(envelope["content"])


def test_everything_refuses_wrong_arguments():
    ran = toolwire("run", "get-sum", "a=one", "b=2", "--", *EVERYTHING)
    assert ran.returncode == 2
    assert "`a`" in ran.stderr


def test_git_reads_a_repository(tmp_path):
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    (tmp_path / "a.txt").write_text("one\n", encoding="utf-8")
    for args in (["init", "--quiet"], ["add", "a.txt"], [*identity, "commit", "--quiet", "-m", "Begin"]):
        subprocess.run(["git", *args], cwd=tmp_path, check=True)
    server = [sys.executable, "-m", "mcp_server_git", "--repository", str(tmp_path)]
    assert tools(server)["git_log"]["annotations"]["readOnlyHint"] is True
    where = f"repo_path={tmp_path}"
    assert "working tree clean" in only_text(call(server, "git_status", where))
    assert "Message: Begin" in only_text(call(server, "git_log", where))
    failed = call(server, "git_status", "repo_path=/nowhere", status=1)
    assert failed["isError"] is True


def test_time_converts():
    words = ("source_timezone=UTC", "time=12:00", "target_timezone=Asia/Tokyo")
    envelope = call(TIME, "convert_time", *words)
    assert envelope["structuredContent"]["time_difference"] == "+9.0h"
    assert json.loads(only_text(envelope)) == envelope["structuredContent"]


def test_time_fails():
    words = ("source_timezone=Nowhere", "time=12:00", "target_timezone=Asia/Tokyo")
    failed = call(TIME, "convert_time", *words, status=1)
    assert "Invalid timezone" in only_text(failed)
