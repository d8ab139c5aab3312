"""`serve` and `connect`: functions of a program as an MCP server, called as any other server is."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings

import pytest
import toolwire as tw

HEAD = """
import asyncio, os, subprocess, sys, threading, time
from typing import Optional
import toolwire as tw
"""

KIT = (
    HEAD
    + """
@tw.tool
def text() -> str:
    return "plain"

@tw.tool
def data(numbers: list, name: Optional[str] = None) -> dict:
    return {"sum": sum(numbers), "name": name, "big": 12345678901234567890123}

@tw.tool
def nothing() -> None:
    pass

@tw.tool
def blocks(ctx: tw.Context) -> tw.Block:
    ctx.emit("before", tw.text("and"))
    return tw.resource("file:///a.txt", "text of a", mime_type="text/plain")

@tw.tool
def steps():
    yield "one"
    yield "two"

@tw.tool
async def later() -> str:
    await asyncio.sleep(0)
    return "later"

@tw.tool
async def later_steps():
    yield "one"
    await asyncio.sleep(0)
    yield "two"

@tw.tool
def fails() -> str:
    try:
        raise KeyError("inner")
    except KeyError as error:
        raise ValueError("outer") from error

@tw.tool
def expected() -> str:
    raise tw.ToolError("busy", transient=True)

@tw.tool
async def later_fails() -> str:
    raise TimeoutError("too slow")

@tw.tool
def leaves() -> str:
    sys.exit(3)

@tw.tool
async def later_leaves() -> str:
    sys.exit("no more")

@tw.tool
def not_text() -> bytes:
    return b"\\xff"
"""
)

NAMES = [
    "text", "data", "nothing", "blocks", "steps", "later", "later_steps", "fails", "expected", "later_fails", "leaves",
    "later_leaves", "not_text",
]  # fmt: skip


def write(path, source, head=HEAD):
    path.write_text(head + textwrap.dedent(source), encoding="utf-8")
    return path


def command(path):
    return [sys.executable, str(path)]


def said(result):
    return [block.text for block in result.parsed.envelope.content]


def give(value):
    return lambda question: value


@pytest.mark.parametrize("name", NAMES)
def test_a_function_answers_as_its_program_does(name, tmp_path):
    tool = write(tmp_path / "tool.py", KIT + "\ntw.main()\n", "")
    server = write(tmp_path / "server.py", KIT + "\ntw.serve_sync()\n", "")
    arguments = {"numbers": [1, 2.5]} if name == "data" else {}
    program = tw.run_sync(command(tool), name, arguments)
    with tw.connect_sync(command(server)) as client:
        served = client.call(name, arguments)
    assert served.parsed.is_error == program.parsed.is_error
    assert str(served.parsed.envelope) == str(program.parsed.envelope)
    assert type(served) is tw.RunResult


def test_a_question_goes_to_the_answerer_and_the_function_is_called_again(tmp_path):
    server = write(
        tmp_path / "server.py",
        """
        calls = []

        @tw.tool
        def greet(ctx: tw.Context) -> str:
            calls.append(1)
            name = ctx.answer("name", tw.string("What is your name?"), otherwise="nobody")
            return f"Hello {name}, {len(calls)}."

        tw.serve_sync(greet)
        """,
    )
    asked = []

    def answerer(question):
        asked.append((question.text, question.tool))
        return give("Ada")(question)

    with tw.connect_sync(command(server), name="there") as client:
        assert [tool["name"] for tool in client.list_tools()] == ["greet"]
        result = client.call("greet", answerer=answerer)
        assert said(result) == ["Hello Ada, 2."]
        assert result.rounds == 2 and result.end == "answered"
        declined = client.call("greet", answerer=lambda question: tw.Answer(state="declined"))
        assert said(declined) == ["Hello nobody, 4."]
    assert asked == [("What is your name?", "greet")]


def test_what_is_printed_is_no_message_and_nobody_reads_the_messages(tmp_path):
    server = write(
        tmp_path / "server.py",
        """
        @tw.tool
        def noisy() -> str:
            print('{"jsonrpc":"2.0","method":"nonsense"}', flush=True)
            os.write(1, b"raw\\n")
            subprocess.run([sys.executable, "-c", "print('child')"], check=True)
            read = subprocess.run([sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"], stdout=-1, check=True)
            return f"{read.stdout.strip().decode()} {sys.stdin.read()!r}"

        print("before")
        tw.serve_sync(noisy)
        """,
    )
    heard = []
    with tw.connect_sync(command(server)) as client:
        for _ in range(2):
            result = client.call("noisy", on_stderr=heard.append)
            assert said(result) == ["0 ''"], result.parsed
    noise = b"".join(heard)
    for words in (b"nonsense", b"raw", b"child"):
        assert noise.count(words) == 2


def test_progress_and_log_reach_the_call_in_which_they_are_said(tmp_path):
    server = write(
        tmp_path / "server.py",
        """
        def work(word):
            tw.log("warning", f"{word} in a thread", logger="part")

        @tw.tool
        async def tell(word: str) -> str:
            tw.progress(1, 2, word)
            await asyncio.sleep(0.05)
            tw.log("warning", word)
            await asyncio.gather(asyncio.to_thread(work, word), asyncio.sleep(0.05))
            return word

        tw.serve_sync()
        """,
    )

    async def both():
        async with tw.connect(command(server)) as client:
            heard = {"a": [], "b": []}

            def call(word):
                return client.call("tell", {"word": word}, on_progress=heard[word].append, on_log=heard[word].append)

            results = await asyncio.gather(call("a"), call("b"))
            assert [said(result) for result in results] == [["a"], ["b"]]
            return heard

    heard, texts = asyncio.run(both()), set()
    for word, events in heard.items():
        progress = [event for event in events if isinstance(event, tw.Progress)]
        assert [(one.done, one.total, one.message) for one in progress] == [(1, 2, word)]
        texts |= {event.text for event in events if isinstance(event, tw.Message)}
    # MCP does not say which call a log message is of, so either call may have got it.
    assert texts == {"a", "b", "a in a thread", "b in a thread"}


CANCELLED = """
    def note(words):
        with open(os.environ["NOTES"], "a") as notes:
            notes.write(words + "\\n")

    @tw.tool
    def waits(ctx: tw.Context) -> str:
        tw.progress(1)
        while not ctx.cancelled:
            time.sleep(0.01)
        note("seen")
        return "too late"

    @tw.tool
    async def later() -> str:
        tw.progress(1)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            note("cancelled")
            raise

    @tw.tool
    def well() -> str:
        return "well"
"""


def until(path, count):
    """Waits until a file has so many lines."""
    last = time.monotonic() + 30
    while time.monotonic() < last:
        lines = path.read_text().splitlines() if path.exists() else []
        if len(lines) >= count:
            return lines
        time.sleep(0.02)
    raise AssertionError(f"{path} has not {count} lines")


def test_a_function_learns_that_its_call_was_given_up(tmp_path):
    notes = tmp_path / "notes"
    server = write(tmp_path / "server.py", textwrap.dedent(CANCELLED) + "\ntw.serve_sync()")

    async def give_up():
        async with tw.connect(command(server), env={"NOTES": str(notes)}) as client:
            for name in ("waits", "later"):
                begun = asyncio.Event()
                call = asyncio.ensure_future(client.call(name, on_progress=lambda _, begun=begun: begun.set()))
                await begun.wait()
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
            # Before the server ends, which would end them too.
            lines = await asyncio.get_running_loop().run_in_executor(None, until, notes, 2)
            return sorted(lines), said(await client.call("well"))

    assert asyncio.run(give_up()) == (["cancelled", "seen"], ["well"])


def test_a_function_has_as_long_as_the_server_says(tmp_path):
    notes = tmp_path / "notes"
    server = write(tmp_path / "server.py", textwrap.dedent(CANCELLED) + "\ntw.serve_sync(timeout=2)")
    with tw.connect_sync(command(server), env={"NOTES": str(notes)}) as client:
        for name in ("waits", "later"):
            result = client.call(name)
            assert result.is_error and "did not end within 2 s" in said(result)[0]
        # Before the server ends, which would end them too.
        assert sorted(until(notes, 2)) == ["cancelled", "seen"]


def test_a_silent_server_is_given_up_by_the_client(tmp_path):
    notes = tmp_path / "notes"
    server = write(tmp_path / "server.py", textwrap.dedent(CANCELLED) + "\ntw.serve_sync()")
    with tw.connect_sync(command(server), env={"NOTES": str(notes)}, timeout=3) as client:
        result = client.call("later")
        assert result.is_error and result.stopped == "timeout"
        assert said(client.call("well")) == ["well"]
        assert until(notes, 1) == ["cancelled"]


def test_async_functions_share_one_loop_and_others_run_at_once(tmp_path):
    server = write(
        tmp_path / "server.py",
        """
        meeting = threading.Barrier(3)
        loops = set()

        @tw.tool
        def meet() -> str:
            meeting.wait(30)
            return "met"

        @tw.tool
        async def loop() -> int:
            loops.add(id(asyncio.get_running_loop()))
            return len(loops)

        tw.serve_sync()
        """,
    )

    async def run():
        async with tw.connect(command(server)) as client:
            met = await asyncio.gather(*[client.call("meet") for _ in range(3)])
            loops = [(await client.call("loop")).parsed.structured_content for _ in range(3)]
            return [said(one) for one in met], loops

    assert asyncio.run(run()) == ([["met"]] * 3, [{"result": 1}] * 3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_signal_for_a_forked_child_ends_the_child_alone(tmp_path):
    server = write(
        tmp_path / "server.py",
        """
        import multiprocessing

        @tw.tool
        def stop() -> str:
            child = multiprocessing.get_context("fork").Process(target=time.sleep, args=[60])
            child.start()
            child.terminate()
            child.join()
            return str(child.exitcode)

        tw.serve_sync()
        """,
    )
    with tw.connect_sync(command(server)) as client:
        assert [said(client.call("stop")) for _ in range(2)] == [["-15"]] * 2


def test_functions_stand_beside_programs(tmp_path):
    program = write(
        tmp_path / "beside.py",
        """
        @tw.tool
        def shout(word: str) -> str:
            return word.upper()

        tw.main()
        """,
    )
    source = """
        @tw.tool
        def shout(word: str) -> str:
            return word + "!"

        tw.serve_sync(shout, {programs}, prefix={prefix})
        """
    program.chmod(0o755)
    program.write_text(f"#!{sys.executable}\n# toolwire-tool: 1\n" + program.read_text())
    server = write(tmp_path / "server.py", textwrap.dedent(source.format(programs=repr(str(program)), prefix=True)))
    with tw.connect_sync(command(server)) as client:
        assert [tool["name"] for tool in client.list_tools()] == ["beside_shout", "shout"]
        assert said(client.call("beside_shout", {"word": "a"})) == ["A"]
        assert said(client.call("shout", {"word": "a"})) == ["a!"]
    write(server, textwrap.dedent(source.format(programs=repr(str(program)), prefix=False)))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command(server), text=True, **pipes) as ended:
        # While its stdin is open, it has no other reason to end.
        assert ended.wait(timeout=60) == 1
        assert "HostError: both `this program` and" in ended.stderr.read()


def test_what_cannot_be_served_is_refused():
    @tw.tool
    def one() -> str:
        return "1"

    @tw.tool(name="one")
    def other() -> str:
        return "2"

    with pytest.raises(ValueError, match="two tools have the name `one`"):
        tw.serve_sync(one, other, http="127.0.0.1:0")
    with pytest.raises(tw.HostError) as refused:
        tw.serve_sync(one, http="0.0.0.0:0")
    assert refused.value.code == "not_served" and "without a token" in str(refused.value)
    with pytest.raises(tw.ToolwireError) as refused:
        tw.serve_sync(one, http="here")
    assert (refused.value.code, refused.value.pointer) == ("bad_option", "/http")
    for option in ({"jobs": "many"}, {"only": "one"}, {"timeout": 0}, {"prefix": 2}, {"inherit": 5}):
        with pytest.raises(tw.ToolwireError) as refused:
            tw.serve_sync(one, http="127.0.0.1:0", **option)
        [name] = option
        assert (refused.value.code, refused.value.pointer) == ("bad_option", f"/{name}"), option
    with pytest.raises(tw.HostError, match="no such program|not found|is not served|no tool to serve"):
        tw.serve_sync("./no/such/program", http="127.0.0.1:0")


def test_over_http_with_tokens(tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("ada: 0123456789abcdef0123\n")
    tokens.chmod(0o600)

    @tw.tool
    async def here() -> str:
        return "here"

    async def run():
        url = asyncio.get_running_loop().create_future()
        serving = asyncio.ensure_future(tw.serve(here, http="127.0.0.1:0", tokens=tokens, on_serving=url.set_result))
        where = await url
        with pytest.raises(tw.HostError) as refused:
            await tw.connect(where)
        assert refused.value.code == "unauthorized"
        client = await tw.connect(where, headers={"Authorization": "Bearer 0123456789abcdef0123"})
        result = await client.call("here")
        await client.close()
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        with pytest.raises(tw.HostError) as gone:
            await tw.connect(where, connect_timeout=10)
        assert gone.value.code == "not_connected"
        return said(result)

    assert asyncio.run(run()) == ["here"]


def test_a_profile_is_compared_with_its_server(tmp_path, monkeypatch):
    server = write(tmp_path / "server.py", "@tw.tool\ndef one() -> str:\n    return '1'\ntw.serve_sync()\n")
    folder = tmp_path / ".toolwire" / "profiles" / "mcp" / "mine"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    def connected(tool, validation):
        program, *args = command(server)
        meta = {"command": program, "args": args, "schema_validation": validation, "tools": {tool: {}}}
        (folder / "_meta.json").write_text(json.dumps(meta))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with tw.connect_sync("@mine", trust=True, inherit="all"):
                pass
        return [str(warning.message) for warning in told]

    assert connected("one", "warn") == []
    [message] = connected("two", "warn")
    assert "the server has no tool `two`" in message
    assert connected("two", "ignore") == []
    with pytest.raises(tw.HostError, match="toolwire profile diff mine") as refused:
        connected("two", "error")
    assert refused.value.code == "unexpected_tools"


def test_why_a_server_cannot_be_used(tmp_path):
    def code(server, **options):
        with pytest.raises((tw.HostError, tw.ToolwireError)) as refused:
            tw.connect_sync(server, **options)
        return refused.value.code

    config = tmp_path / "mcp.json"
    config.write_text('{"mcpServers":{"here":{"command":"true"}}}')
    assert code(["./no/such/server"]) == "not_started"
    assert code([sys.executable, "-c", ""]) == "not_connected"
    assert code([sys.executable, "-c", "import time; time.sleep(60)"], connect_timeout=0.3) == "timeout"
    assert code("nobody", config=config) == "unknown_server"
    assert code("here", config=config) == "untrusted_server"
    assert code("here", config=config, trust=True) == "not_connected"
    assert code("mcp+exec://true") == "untrusted_server"
    assert code("mcp://preset") == "bad_option"
    assert code([]) == "bad_argument"
    assert code({"a": 1}) == "bad_argument"
    assert code([sys.executable], headers={"A": "b"}) == "bad_option"
    assert code("http://user:word@127.0.0.1/mcp") == "bad_option"
    for option in ({"headers": {"A": 1}}, {"timeout": -1}, {"max_message": "x"}, {"send_context": "x"}, {"trust": "x"}, {"name": 1}):
        [name] = option
        assert code([sys.executable], **option) == "bad_option", option

    server = write(tmp_path / "server.py", "@tw.tool\ndef one() -> str:\n    return '1'\ntw.serve_sync()\n")
    client = tw.connect_sync(command(server))
    client.close()
    client.close()
    for use in (client.list_tools, lambda: client.call("one")):
        with pytest.raises(tw.HostError) as closed:
            use()
        assert closed.value.code == "not_connected"
    with pytest.raises(RuntimeError, match="not connected yet"):
        asyncio.run(tw.connect(command(server)).list_tools())


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("http", [False, True])
def test_a_signal_ends_the_server_and_its_calls(how, http, tmp_path):
    notes = tmp_path / "notes"
    options = 'http="127.0.0.1:0"' if http else ""
    source = textwrap.dedent(CANCELLED) + f"\ntw.serve_sync({options})\nnote('end')\n"
    server = write(tmp_path / "server.py", source)
    env = {**os.environ, "NOTES": str(notes)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    running = subprocess.Popen(command(server), env=env, text=True, **pipes)
    try:
        if http:
            line = running.stderr.readline()
            assert line.startswith("toolwire: serving at http://127.0.0.1:")
        else:
            info = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}'
            running.stdin.write(f'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{info}}}\n')
            running.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
            call = '{"name":"later","_meta":{"progressToken":1}}'
            running.stdin.write(f'{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{call}}}\n')
            running.stdin.flush()
            for line in running.stdout:
                if "notifications/progress" in line:
                    break
        running.send_signal(getattr(signal, how))
        _, stderr = running.communicate(timeout=60)
    finally:
        running.kill()
        running.wait()
    if how == "SIGTERM":
        assert running.returncode == 0, stderr
        assert "end" in notes.read_text()
    else:
        assert "KeyboardInterrupt" in stderr
    if not http:
        assert "cancelled" in notes.read_text()


def test_many_tools_are_searched_and_long_results_are_kept(tmp_path):
    path = write(
        tmp_path / "kit.py",
        """
        @tw.tool
        def long() -> str:
            '''Write a lot.'''
            return "x" * 100_000 + "needle"

        @tw.tool
        def short() -> str:
            return "short"

        tw.serve_sync(search_above=1, plain_schemas=True, keep_results=10_000)
        """,
    )
    with tw.connect_sync(command(path)) as client:
        assert [tool["name"] for tool in client.list_tools()] == ["call_tool", "kept_result", "search_tools"]
        [found] = said(client.call("search_tools", {"query": "write"}))
        assert json.loads(found)["name"] == "long"
        [kept] = said(client.call("call_tool", {"name": "long"}))
        assert len(kept) < 5000
        handle = kept.partition("handle=")[2][:32]
        [read] = said(client.call("kept_result", {"handle": handle, "search": "needle"}))
        assert "1, byte 100000: …xxx" in read
    with pytest.raises(tw.ToolwireError):
        tw.serve_sync(command(path), http="127.0.0.1:0", keep_results=-1)
