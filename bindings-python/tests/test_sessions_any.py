"""Any program as a session in a host, tools of a manifest, functions of the host, and what happens meanwhile."""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

import toolwire as tw

unix = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are tested on Unix")

SESSION = """import sys, toolwire as tw
@tw.tool(actions=['apply', 'abort'])
def echo(session: tw.SyncSession, greeting: str = 'Hello') -> str:
    session.progress(1, 2, 'half')
    session.log('info', 'ready', logger='echo')
    print('to stderr', file=sys.stderr, flush=True)
    session.emit(f"{greeting} {session.options.get('name')}")
    for given in session.inputs():
        session.emit(f'got {given}')
    return 'bye'
tw.main()
"""


def said(parsed):
    return "".join(block.text for block in parsed.envelope.content if block.type == "text")


class Model:
    """Somebody who has nothing but `handle`."""

    def __init__(self, sessions, tool, id):
        self.sessions, self.tool, self.id, self.read = sessions, tool, id, ""

    def does(self, action, **arguments):
        parsed = self.sessions.handle(self.tool, {"action": action, "id": self.id, **arguments})
        assert not parsed.is_error, said(parsed)
        self.read += said(parsed)
        return parsed

    def waits_for(self, text):
        deadline = time.monotonic() + 60
        while text not in self.read:
            assert time.monotonic() < deadline, self.read
            parsed = self.does("fetch", wait=10)
            assert text in self.read or parsed.status != "stopped", self.read

    def waits_for_the_end(self):
        deadline = time.monotonic() + 60
        while self.does("fetch", wait=10).status != "stopped":
            assert time.monotonic() < deadline, self.read


def git(folder, *arguments):
    environment = {**os.environ, "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def lines(first, last):
    return "\n".join([first, *(f"line {n}" for n in range(2, 20)), last, ""])


def left():
    """The descriptors of this process, and the processes that it has begun."""
    descriptors = len(os.listdir("/proc/self/fd"))
    tasks = pathlib.Path("/proc/self/task").iterdir()
    children = "".join(task.joinpath("children").read_text() for task in tasks)
    return descriptors, children.split()


@unix
def test_a_model_stages_one_of_two_hunks_in_a_terminal_and_computes_on_pipes(tmp_path):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    file = tmp_path / "a.txt"
    file.write_text(lines("line 1", "line 20"))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "a.txt")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "a")
    file.write_text(lines("first", "last"))

    def host():
        with tw.SyncSessions() as sessions:
            how = {"session": "pty", "size": (100, 30), "cwd": tmp_path, "env": {"HOME": str(tmp_path)}}
            assert sessions.add(["git", "add", "--patch"], **how, name="stage") == ["stage"]
            assert sessions.add([sys.executable, "-i", "-q", "-u"], session="pipe", name="python") == ["python"]
            described = {tool["name"]: tool["_meta"] for tool in sessions.tools()}
            assert described["stage"]["dev.toolwire/screen"] is True and "dev.toolwire/screen" not in described["python"]

            stage = Model(sessions, "stage", "hunks")
            stage.does("spawn")
            stage.waits_for("(1/2) Stage this hunk")
            assert "-line 1\n+first\n" in stage.read
            stage.does("apply", input={"text": "n", "enter": True})
            stage.waits_for("(2/2) Stage this hunk")
            stage.does("apply", input="y\n")
            stage.waits_for_the_end()
            assert "\x1b" not in stage.read

            python = Model(sessions, "python", "sums")
            python.does("spawn")
            python.does("apply", input={"text": "n = 6 * 7\nprint(f'n is {n}')", "enter": True})
            python.waits_for("n is 42")
            python.does("apply", input={"text": "exit()", "enter": True})
            python.waits_for_the_end()
            assert [handle["state"] for handle in sessions.list()] == ["stopped", "stopped"]

    host()
    assert git(tmp_path, "show", ":a.txt") == lines("line 1", "last")
    if not sys.platform.startswith("linux"):
        return
    # What the library itself keeps is there now.
    before = left()
    git(tmp_path, "reset", "-q")
    host()
    deadline = time.monotonic() + 60
    # What of the first host was about to end may be gone by now.
    while left()[0] > before[0] or not set(left()[1]) <= set(before[1]):
        assert time.monotonic() < deadline, (left(), before)
        time.sleep(0.05)


@unix
def test_a_terminal_has_its_size_and_its_screen(tmp_path):
    with tw.SyncSessions() as sessions:
        sessions.add(["sh", "-c", "stty size; exec cat"], session="pty", size=(91, 17), description="A terminal.")
        assert [tool["description"] for tool in sessions.tools()] == ["A terminal."]
        shell = Model(sessions, "sh", "a")
        shell.does("spawn")
        shell.waits_for("17 91")
        shell.does("apply", input={"size": [80, 24]})
        screen = shell.does("fetch", view="screen")
        assert "17 91" in said(screen)
        shell.does("abort")


def manifest(folder, text):
    path = folder / "toolwire.toml"
    path.write_text(text)
    return tw.load_manifest(path)


def test_the_tools_of_a_manifest_are_what_it_says(tmp_path):
    (tmp_path / "echo.py").write_text(SESSION)
    loaded = manifest(
        tmp_path,
        f"""
        [tools.greet]
        command = [{json.dumps(sys.executable)}, "-c", "import sys; print('Hello', sys.argv[1], flush=True); sys.stdin.read()", "{{who}}"]
        parameters.who = {{ type = "string" }}
        session = "pipe"
        [tools.talk]
        command = "./echo.py"
        tool = "echo"
        description = "Says it again."
        arguments = {{ greeting = "Good day" }}
        options = {{ name = "Ada" }}
        [tools.once]
        command = [{json.dumps(sys.executable)}, "-c", "import os; print(os.environ['WHO'])"]
        plain = true
        env = {{ WHO = "me" }}
        """,
    )
    with tw.SyncSessions(first_wait=30) as sessions:
        assert sessions.add(loaded) == ["greet", "once", "talk"]
        described = {tool["name"]: tool for tool in sessions.tools()}
        assert described["talk"]["description"] == "Says it again."
        assert described["greet"]["inputSchema"]["required"] == ["who"]
        assert said(sessions.handle("once", {})).strip() == "me"
        spawned = sessions.handle("greet", {"action": "spawn", "id": "a", "who": "Bob; it's $HOME"})
        assert "Hello Bob; it's $HOME" in said(spawned)
        assert said(sessions.handle("talk", {"action": "spawn", "id": "b"})) == "Good day Ada"
        given = {"action": "spawn", "id": "c", "greeting": "Hi"}
        assert said(sessions.handle("talk", given)) == "Hi Ada"
        assert said(sessions.handle("talk", {"action": "apply", "id": "c", "input": 1})) == "got 1"
    with tw.SyncSessions(first_wait=30) as sessions:
        # What the host says comes before what the manifest says.
        assert sessions.add(loaded, only=["talk", "once"], options={"name": "Eve"}, env={"WHO": "you"}) == ["once", "talk"]
        assert said(sessions.handle("talk", {"action": "spawn", "id": "b"})) == "Good day Eve"
        assert said(sessions.handle("once", {})).strip() == "you"


@unix
def test_a_tool_of_a_manifest_can_have_a_terminal(tmp_path):
    loaded = manifest(tmp_path, '[tools.shell]\ncommand = ["sh", "-c", "stty size; cat"]\nsession = "pty"\nsize = [70, 20]\n')
    with tw.SyncSessions() as sessions:
        sessions.add(loaded)
        shell = Model(sessions, "shell", "a")
        shell.does("spawn")
        shell.waits_for("20 70")


def test_a_manifest_that_others_may_have_written_is_refused(tmp_path, monkeypatch):
    if not hasattr(os, "geteuid"):
        pytest.skip("files have no modes here")
    manifest(tmp_path, "[tools.today]\ncommand = 'date'\nplain = true\n")
    (tmp_path / "toolwire.toml").chmod(0o666)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tw.HostError) as caught:
        tw.load_manifest()
    assert caught.value.code == "untrusted_manifest"


def test_plain_and_async_functions_are_tools_of_sync_sessions():
    @tw.tool
    def double(number: int) -> int:
        return 2 * number

    @tw.tool
    async def triple(number: int) -> int:
        await asyncio.sleep(0)
        return 3 * number

    @tw.tool
    def careful(context: tw.Context) -> str:
        return context.answer("who", tw.string("Who?"))

    with tw.SyncSessions(answerer=lambda question: "Ada", first_wait=30) as sessions:
        assert sessions.add(double, triple, careful) == ["double", "triple", "careful"]
        assert sessions.handle("double", {"number": 4}).structured_content == {"result": 8}
        assert sessions.handle("triple", {"number": 4}).structured_content == {"result": 12}
        assert said(sessions.handle("careful", {})) == "Ada"
        # The host can spawn what a model only calls.
        spawned = sessions.spawn("a", "double", {"number": 21})
        assert (spawned.state, said(spawned.parsed)) == ("stopped", '{"result":42}')


def test_what_happens_meanwhile_is_told():
    told = []
    kinds = ("on_state", "on_progress", "on_log", "on_stderr")
    callbacks = {kind: lambda id, what, kind=kind: told.append((kind, id, what)) for kind in kinds}
    with tw.SyncSessions(**callbacks, first_wait=30) as sessions:
        sessions.add([sys.executable, "-c", SESSION])
        sessions.handle("echo", {"action": "spawn", "id": "a"})
        sessions.handle("echo", {"action": "abort", "id": "a"})
    check(told)


def test_a_result_keeps_its_structured_content():
    script = """import toolwire as tw
@tw.tool(actions=['abort'])
def count(session: tw.SyncSession) -> dict:
    session.emit('counting')
    return {'files': 9007199254740993}
tw.main()
"""
    with tw.SyncSessions(first_wait=30) as sessions:
        sessions.add([sys.executable, "-c", script])
        counting = Model(sessions, "count", "a")
        parsed = counting.does("spawn")
        while parsed.status != "stopped":
            parsed = counting.does("fetch", wait=10)
        assert parsed.structured_content == {"files": 9007199254740993}


def check(told):
    assert {id for _, id, _ in told} == {"a"}
    assert [what for kind, _, what in told if kind == "on_state"][-1] == "stopped"
    progress = [what for kind, _, what in told if kind == "on_progress"]
    assert [(one.done, one.total, one.message) for one in progress] == [(1, 2, "half")]
    messages = [what for kind, _, what in told if kind == "on_log"]
    assert [(one.level, one.text, one.logger) for one in messages] == [("info", "ready", "echo")]
    stderr = b"".join(what for kind, _, what in told if kind == "on_stderr")
    assert stderr.split() == [b"to", b"stderr"]


def test_what_happens_meanwhile_is_told_on_the_event_loop():
    told, failures = [], []

    def callback(kind):
        async def tell(id, what):
            await asyncio.sleep(0)
            told.append((kind, id, what))
            if kind == "on_log":
                raise KeyError("it is told, and the others are too")

        return tell

    async def host():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: failures.append(context["exception"]))
        callbacks = {kind: callback(kind) for kind in ("on_state", "on_progress", "on_log", "on_stderr")}
        async with tw.Sessions(**callbacks, first_wait=30) as sessions:
            await sessions.add([sys.executable, "-c", SESSION])
            await sessions.handle("echo", {"action": "spawn", "id": "a"})

    asyncio.run(host())
    check(told)
    assert [type(failure) for failure in failures] == [KeyError]


def test_a_tool_does_not_wait_for_what_is_told():
    left_out = []

    def on_log(id, message):
        if message.logger == "toolwire":
            left_out.append((message.level, message.text.split(" ", 1)[1]))

    # More than waits for a callback that is slow.
    script = SESSION.replace("'to stderr'", "'x' * 3_000_000")
    with tw.SyncSessions(on_stderr=lambda id, piece: time.sleep(0.01), on_log=on_log) as sessions:
        sessions.add([sys.executable, "-c", script])
        spawned = sessions.spawn("a", "echo", until="Hello", wait=60)
        assert "Hello" in said(spawned.parsed)
    assert ("warning", "notices of it were left out: nobody took them in time") in left_out


def test_misuse_is_named(tmp_path):
    loaded = manifest(tmp_path, "[tools.today]\ncommand = 'date'\nplain = true\n")

    @tw.tool
    def now() -> str:
        return "noon"

    with tw.SyncSessions() as sessions:
        for tools, options, pointer in [
            (["cat"], {"session": "tty"}, "/session"),
            (["cat"], {"session": "pipe", "size": (80, 24)}, "/size"),
            (["cat"], {"session": "pty", "size": (1, 24)}, "/size"),
            (["cat"], {"session": "pty", "size": 80}, "/size"),
            (["cat"], {"size": (80, 24)}, "/size"),
            (["cat"], {"name": "dog"}, "/name"),
            (["cat"], {"session": "pipe", "name": "a dog"}, "/name"),
            (["a cat"], {"session": "pipe"}, "/name"),
            ([loaded], {"session": "pipe"}, "/session"),
            ([now], {"session": "pipe"}, "/session"),
        ]:
            with pytest.raises(tw.ToolwireError) as caught:
                sessions.add(*tools, **options)
            assert (caught.value.code, caught.value.pointer) == ("bad_option", pointer), options
        with pytest.raises(TypeError):
            sessions.add("cat", "dog", session="pipe", name="pet")
        with pytest.raises(TypeError):
            tw.SyncSessions(on_log=1)
        assert sessions.tools() == []
        # A program that can't be started is a handle that has stopped.
        assert sessions.add("./no-such-program", session="pipe") == ["no-such-program"]
        parsed = sessions.handle("no-such-program", {"action": "spawn", "id": "a"})
        assert parsed.status == "stopped" and "no-such-program" in said(parsed)
