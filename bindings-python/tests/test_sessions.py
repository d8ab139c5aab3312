"""Tools that keep running, in a host (chapter 24)."""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import time

import pytest

import toolwire as tw

ONCE = """import toolwire as tw
@tw.tool
def double(number: int) -> int:
    return 2 * number
@tw.tool
def echo(action: str, id: str, input: int) -> str:
    return f'{action} {id} {input}'
tw.main()
"""

# A session in any language: lines on stdin and stdout (chapter 22).
LINES = r'''import json, os, sys
ACTIONS = {"dev.toolwire/actions": ["spawn", "fetch", "apply", "abort"]}
if os.environ.get("TOOLWIRE_CALL") != "lines":
    tools = [{"name": "git", "inputSchema": {"type": "object"}, "_meta": ACTIONS}]
    print(json.dumps({"content": [], "structuredContent": {"toolwire": 1, "tools": tools}}))
    sys.exit()
def say(**line):
    print(json.dumps(line), flush=True)
def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else {"type": "end"}
def text(words):
    say(type="output", call=1, blocks=[{"type": "text", "text": words}])
hear()
say(type="hello", toolwire=1, version=1)
call = hear()
given = call["document"]["tool"]["arguments"]
text(f"started with {json.dumps(given)} in {os.getpid()}")
if given.get("ask"):
    say(type="question", call=1, question={"id": "it", "text": given["ask"], "schema": {"type": "string"}})
while (line := hear())["type"] != "end":
    if line["type"] == "answer":
        text(f"answered {line['answer']['state']} {line['answer'].get('value')}")
    elif line["type"] == "input":
        text(f"got {line['input']}")
text("bye")
say(type="result", call=1, envelope={"content": []})
'''


def said(parsed):
    return "\n".join(block.text for block in parsed.envelope.content if block.type == "text")


def refusal(parsed):
    return json.loads(str(parsed.envelope))["_meta"]["dev.toolwire/session"]["refusal"]


def git(arguments=None, **more):
    return {**(arguments or {}), **more}


@pytest.fixture
def sessions():
    with tw.SyncSessions(first_wait=30) as sessions:
        assert sessions.add([sys.executable, "-c", LINES]) == ["git"]
        yield sessions


def test_a_model_drives_a_tool(sessions):
    spawned = sessions.handle("git", {"action": "spawn", "id": "a", "n": 9007199254740993})
    assert "9007199254740993" in said(spawned) and spawned.status == "running"
    assert said(sessions.handle("git", '{"action":"apply","id":"a","input":"y"}')) == "got y"
    again = sessions.handle("git", {"action": "spawn", "id": "a"})
    assert again.is_error and refusal(again)["code"] == "handle_exists"
    assert refusal(again)["possible"] == ["fetch", "apply", "abort"]
    assert said(sessions.handle("git", {"action": "abort", "id": "a"})).startswith("bye")


def test_the_host_itself_uses_handles(sessions):
    pid = int(said(sessions.spawn("a", "git", label="the one").parsed).split()[-1])
    listed = sessions.list()[0]
    assert (listed["id"], listed["tool"], listed["state"], listed["label"]) == ("a", "git", "running", "the one")
    assert abs(listed["since"] - time.time()) < 600
    applied = sessions.apply("a", {"x": 1}, until="got")
    assert applied.state == "running" and said(applied.parsed) == "got {'x': 1}"
    assert sessions.wait(["a", "b"], any=True, time=0.05) == {"a": "running", "b": "absent"}
    assert sessions.fetch("b").refusal["code"] == "unknown_handle"
    assert repr(sessions.fetch("b")) == "<toolwire.Fetched b absent unknown_handle>"
    assert sessions.announcements() == []
    sessions.end_of_turn()
    assert sessions.list()[0]["state"] == "stopped"
    assert [one["text"] for one in sessions.announcements()] == ["`a` has stopped: fetch it"]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert [tool["name"] for tool in sessions.tools()] == ["git"]


def test_a_tool_that_runs_once_keeps_its_own_arguments():
    with tw.SyncSessions() as sessions:
        assert sessions.add([sys.executable, "-c", ONCE], only=["echo"]) == ["echo"]
        answer = sessions.handle("echo", {"action": "spawn", "id": "a", "input": 1})
        assert said(answer) == "spawn a 1" and sessions.list() == []
        assert sessions.handle("double", {}).is_error


def test_questions_for_a_person_go_to_the_answerer():
    asked = []

    def answerer(question):
        asked.append((question.id, question.secret is not None))
        return "1234"

    with tw.SyncSessions(answerer=answerer, first_wait=30) as sessions:
        sessions.add([sys.executable, "-c", LINES])
        sessions.handle("git", {"action": "spawn", "id": "a", "ask": "Your PIN, please"})
        told = sessions.handle("git", {"action": "fetch", "id": "a", "wait": 30})
        if "answered" not in said(told):
            told = sessions.handle("git", {"action": "fetch", "id": "a", "wait": 30})
        assert asked == [("it", True)]
    with tw.SyncSessions(first_wait=30) as sessions:
        sessions.add([sys.executable, "-c", LINES])
        sessions.handle("git", {"action": "spawn", "id": "a", "ask": "Your PIN, please"})
        refused = sessions.handle("git", {"action": "apply", "id": "a", "input": "1234"})
        assert refusal(refused)["code"] == "person_only"
        by_hand = sessions.apply("a", answer={"state": "declined"}, question="it", by="user")
        assert "answered declined" in said(by_hand.parsed)


def test_what_a_model_begins_is_approved():
    requests = []

    def approve(request):
        requests.append(request)
        return "not today" if request["id"] == "bad" else True

    with tw.SyncSessions(approve=approve, first_wait=30) as sessions:
        sessions.add([sys.executable, "-c", LINES])
        refused = sessions.handle("git", {"action": "spawn", "id": "bad", "n": 1})
        assert "not today" in said(refused)
        assert requests == [{"tool": "git", "id": "bad", "action": "spawn", "by": "assistant", "arguments": {"n": 1}}]
        assert sessions.handle("git", {"action": "spawn", "id": "good"}).status == "running"


def test_async_sessions_run_side_by_side_and_take_functions():
    @tw.tool
    async def now(zone: str) -> str:
        await asyncio.sleep(0)
        return f"noon in {zone}"

    async def answerer(question):
        await asyncio.sleep(0.01)
        return "1234"

    async def host():
        async with tw.Sessions(answerer=answerer, first_wait=30, rules={"turn": "keep"}) as sessions:
            assert await sessions.add(now, [sys.executable, "-c", LINES]) == ["now", "git"]
            assert said(await sessions.handle("now", {"zone": "Rome"})) == "noon in Rome"
            spawns = [sessions.handle("git", {"action": "spawn", "id": str(n), "ask": "Your PIN"}) for n in range(5)]
            await asyncio.gather(*spawns)
            fetches = [sessions.fetch(str(n), after=0, until="answered accepted 1234", wait=50) for n in range(5)]
            for fetched in await asyncio.gather(*fetches):
                assert fetched.refusal is None
            await sessions.end_of_turn()
            assert {one["state"] for one in await sessions.list()} == {"running"}
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(sessions.wait(["0"]), 0.05)
        return [one["state"] for one in await sessions.list()]

    assert asyncio.run(host()) == ["stopped"] * 5


def test_misuse_is_named():
    for wrong, code, pointer in [
        ({"max_handles": 0}, "bad_option", "/maxHandles"),
        ({"max_reply": 0}, "bad_option", "/maxReply"),
        ({"keep": "1"}, "bad_option", "/keep"),
        ({"rules": {"turn": "stay"}}, "bad_option", "/turn"),
        ({"rules": {"fun": 1}}, "bad_option", "/fun"),
    ]:
        with pytest.raises(tw.ToolwireError) as caught:
            tw.SyncSessions(**wrong)
        assert (caught.value.code, caught.value.pointer) == (code, pointer)
    with pytest.raises(TypeError):
        tw.SyncSessions(answerer=1)
    with tw.SyncSessions() as sessions:
        with pytest.raises(tw.ToolwireError) as caught:
            sessions.fetch("a", after=-1)
        assert caught.value.pointer == "/after"
        with pytest.raises(tw.ToolwireError):
            sessions.apply("a")
        with pytest.raises(tw.ToolwireError) as caught:
            sessions.handle("git", '{},"by":"user"')
        with pytest.raises(tw.HostError) as caught:
            sessions.spawn("a", "git")
        assert caught.value.code == "unknown_tool"
        with pytest.raises(tw.HostError) as caught:
            sessions.add([sys.executable, "-c", "print('hello')"])
        assert caught.value.code == "describe_failed"
    assert sessions.fetch("a").refusal["code"] == "unknown_handle"


def test_a_callback_that_fails_answers_nothing():
    def approve(request):
        raise KeyError("no")

    with tw.SyncSessions(approve=approve) as sessions:
        sessions.add([sys.executable, "-c", LINES])
        with pytest.raises(KeyError):
            sessions.handle("git", {"action": "spawn", "id": "a"})
        assert sessions.list() == []


def test_the_example_is_a_host(tmp_path):
    example = pathlib.Path(__file__).resolve().parents[2] / "examples/host/keep_running.py"
    tool = tmp_path / "git.py"
    tool.write_text(LINES)
    spawn = {"action": "spawn", "id": "a"}
    calls = [spawn, {"action": "apply", "id": "a", "input": "y"}, {"action": "dance", "id": "a"}]
    lines = "".join(json.dumps({"tool": "git", "arguments": arguments}) + "\n" for arguments in calls)
    run = subprocess.run([sys.executable, example, tool], input=lines, capture_output=True, text=True, timeout=100)
    assert run.returncode == 0, run.stderr
    for words in ["started with {} in", "got y", "does not offer the action `dance`"]:
        assert words in run.stdout, run.stdout
    pid = int(run.stdout.split("started with {} in")[1].split()[0])
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
