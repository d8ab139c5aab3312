"""A tool's program as a host runs it: real processes, with the installed wheel."""

import json
import os
import signal
import subprocess
import sys
import textwrap

import pytest
import toolwire as tw

POSIX = pytest.mark.skipif(os.name != "posix", reason="it takes signals or descriptors as POSIX has them")


class Program:
    """A file that holds tools."""

    def __init__(self, folder, code):
        self.path = folder / "program.py"
        self.path.write_text("import toolwire as tw\n" + textwrap.dedent(code), encoding="utf-8")
        self.result = folder / "result"

    def start(self, document, channel=False, **options):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("TOOLWIRE", "PYTHON"))}
        if document is not None:
            environment["TOOLWIRE_CALL"] = "stdin"
        if channel:
            environment["TOOLWIRE_RESULT"] = str(self.result)
            self.result.write_bytes(b"")
        environment.update(options.pop("env", {}))
        data = document if isinstance(document, bytes) else json.dumps(document).encode() if document else b""
        command = [sys.executable, "-I", *options.pop("flags", ()), str(self.path)]
        return subprocess.run(command, input=data, capture_output=True, env=environment, timeout=60, **options)

    def run(self, name="t", arguments=None, answers=None, states=None, action="run", status=None, **options):
        """Calls a tool. What comes back is the answer, with `stdout` and `stderr` beside it."""
        tool = {"name": name, "arguments": arguments or {}, "answers": answers or {}, "options": {"level": 3}}
        if states:
            tool["dev.toolwire/answers"] = states
        if name is None:
            del tool["name"]
        done = self.start({"tool": tool, "context": {"action": action, "root": "/project"}}, **options)
        answer = Answered(self.result.read_bytes() if options.get("channel") else done.stdout, done)
        assert done.returncode == (answer.is_error if status is None else status), done.stderr.decode()
        return answer


class Answered:
    def __init__(self, data, done):
        parsed = tw.parse(data)
        assert parsed.verdict == "valid", (data, done.stderr.decode())
        self.document = parsed.envelope.to_dict()
        self.content = parsed.envelope.content
        self.texts = [block.text for block in self.content]
        self.data = parsed.structured_content
        self.is_error = parsed.is_error
        self.transient = parsed.transient
        self.trace = parsed.trace
        self.questions = [block.question.id for block in self.content if block.type == "question"]
        self.stdout = done.stdout.decode()
        self.stderr = done.stderr.decode()


@pytest.fixture
def program(tmp_path):
    return lambda code: Program(tmp_path, code)


RENAME = """
    @tw.tool
    def rename(path: str, to: str, ctx: tw.Context) -> tw.Envelope:
        '''Rename a file.'''
        ctx.emit(f"{path} is 3 bytes long.")
        if not ctx.answer("confirm", tw.boolean(f"Rename {path} to {to}?", default=True)):
            return tw.envelope("Left as it was.")
        return tw.envelope(f"Renamed {path} to {to}.")

    @rename.format_arguments
    def _(path, to):
        return f"mv {path} {to}"

    tw.main()
"""


# -- the snippet of the README, from its description to its answer ------------------------------------


def test_a_tool_describes_itself(program):
    answer = program(RENAME).run(None, action="describe")
    assert answer.texts == ["rename: Rename a file."]
    assert answer.data == {
        "toolwire": 1,
        "tools": [
            {
                "name": "rename",
                "description": "Rename a file.",
                "inputSchema": {
                    "type": "object",
                    "properties": {"path": {"type": "string"}, "to": {"type": "string"}},
                    "required": ["path", "to"],
                    "additionalProperties": False,
                },
                "_meta": {"dev.toolwire/warm": True},
            }
        ],
    }


def test_it_asks_and_goes_on_with_the_answer(program):
    rename = program(RENAME)
    arguments = {"path": "a", "to": "b"}
    asked = rename.run("rename", arguments)
    assert asked.texts == ["a is 3 bytes long.", None]
    assert asked.document["content"][1]["question"] == {
        "id": "confirm",
        "text": "Rename a to b?",
        "schema": {"type": "boolean"},
        "default": True,
    }
    assert rename.run("rename", arguments, {"confirm": True}).texts == ["a is 3 bytes long.", "Renamed a to b."]
    assert rename.run("rename", arguments, {"confirm": False}).texts[1] == "Left as it was."
    # Without an answer it cannot go on, and says so by asking again.
    declined = rename.run("rename", arguments, states={"confirm": {"state": "declined"}})
    assert declined.questions == ["confirm"]
    assert not declined.is_error


def test_it_says_what_its_arguments_mean(program):
    rename = program(RENAME)
    assert rename.run("rename", {"path": "a", "to": "b"}, action="format_arguments").texts == ["mv a b"]
    plain = program("@tw.tool\ndef t(a: int = 1):\n    1 / 0\ntw.main()")
    assert plain.run(action="format_arguments").document == {"content": []}


def test_wrong_arguments_are_named(program):
    answer = program(RENAME).run("rename", {"path": 1, "too": "b"})
    assert answer.is_error
    assert "`/path`" in answer.texts[0]
    assert "too" in answer.texts[0]
    assert "to" in answer.texts[0]


def test_calls_that_are_none_get_an_error(program):
    rename = program(RENAME)
    assert "there is no tool `copy`; there is only `rename`" in rename.run("copy").texts[0]
    assert "dance" in rename.run("rename", action="dance").texts[0]
    for document in (b"", b"\xff", b"[]", b'{"tool":{}}'):
        done = rename.start(document, env={"TOOLWIRE_CALL": "stdin"})
        assert done.returncode == 1
        assert tw.parse(done.stdout).is_error


def test_without_a_call_it_tells_what_it_is(program):
    done = program(RENAME).start(None)
    assert done.returncode == 2
    assert done.stdout == b""
    told = done.stderr.decode()
    assert "rename" in told
    assert "Rename a file." in told
    assert "toolwire run" in told


@POSIX
def test_at_a_terminal_it_tells_what_it_is(program):
    import pty

    leader, terminal = pty.openpty()
    path = str(program(RENAME).path)
    done = subprocess.run([sys.executable, "-I", path], stdin=terminal, capture_output=True, timeout=60)
    os.close(leader), os.close(terminal)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"toolwire run" in done.stderr


def test_a_host_without_variables_is_a_host(program):
    call = {"tool": {"name": "rename", "arguments": {"path": "a", "to": "b"}}, "context": {"action": "Run"}}
    done = program(RENAME).start(call, env={"TOOLWIRE_CALL": ""})
    assert done.returncode == 0
    assert tw.parse(done.stdout).envelope.content[1].type == "question"


def test_other_values_of_the_variables_count_as_unset(program):
    rename = program(RENAME)
    assert rename.start(b" \n", env={"TOOLWIRE_CALL": "file"}).returncode == 2
    call = {"tool": {"name": "rename", "arguments": {"path": "a", "to": "b"}}, "context": {"action": "run"}}
    assert tw.parse(rename.start(call, env={"TOOLWIRE_RESULT": ""}).stdout).verdict == "valid"


# -- what is returned -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def t(): pass", {"content": []}),
        ("def t(): return 'x'", {"content": [{"type": "text", "text": "x"}]}),
        ("def t(): return b'caf\\xc3\\xa9'", {"content": [{"type": "text", "text": "café"}]}),
        ("def t(): return tw.text('x')", {"content": [{"type": "text", "text": "x"}]}),
        ("def t(): return [tw.text('x'), 'y']", {"content": [{"type": "text", "text": each} for each in "xy"]}),
        ("def t(): return tw.envelope(structured_content=1.5)", {"content": [], "structuredContent": 1.5}),
        ("def t(): return {'a': (1, None)}", {"content": [], "structuredContent": {"a": [1, None]}}),
        ("def t(): return [1]", {"content": [], "structuredContent": {"result": [1]}}),
        ("def t(): return []", {"content": []}),
        ("def t() -> 'list[int]': return []", {"content": [], "structuredContent": {"result": []}}),
        ("def t() -> int: return 3", {"content": [], "structuredContent": {"result": 3}}),
        ("def t() -> 'dict[str, int]': return {'result': 3}", {"content": [], "structuredContent": {"result": 3}}),
        ("def t() -> 'int | None': return None", {"content": [], "structuredContent": {"result": None}}),
        ("def t() -> 'str | None': return None", {"content": []}),
        ("def t() -> 'dict[str, int]': return None", {"content": []}),
        ("def t() -> 'list[str]': return ['a']", {"content": [], "structuredContent": {"result": ["a"]}}),
        ("def t() -> 'dict[str, int] | None': return {'a': 1}",
         {"content": [], "structuredContent": {"result": {"a": 1}}}),
        ("async def t(): return 'x'", {"content": [{"type": "text", "text": "x"}]}),
        ("def t():\n    yield 'x'\n    yield tw.text('y')", {"content": [{"type": "text", "text": each} for each in "xy"]}),
        ("async def t():\n    yield 'x'", {"content": [{"type": "text", "text": "x"}]}),
        ("def t(ctx): ctx.emit('x', 'y')\nt.__kwdefaults__ = None",
         {"content": [{"type": "text", "text": each} for each in "xy"]}),
        ("def t(*, ctx): return [ctx.options, ctx.root, ctx.action, ctx.arguments]",
         {"content": [], "structuredContent": {"result": [{"level": 3}, "/project", "run", {}]}}),
    ],
)  # fmt: skip
def test_what_a_function_may_return(program, code, expected):
    answer = program(f"@tw.tool\n{code}\ntw.main()").run()
    assert answer.document == expected


def test_data_of_pythons_own_kinds(program):
    code = """
    import dataclasses, datetime, decimal, enum, pathlib, typing, uuid

    class Color(enum.Enum):
        RED = "red"

    class Pair(typing.NamedTuple):
        a: int
        b: float

    @dataclasses.dataclass
    class Report:
        when: datetime.datetime
        took: datetime.timedelta
        path: pathlib.PurePosixPath
        cost: decimal.Decimal
        id: uuid.UUID
        tags: typing.Set[str]
        color: Color
        pair: Pair
        raw: bytes
        by: typing.Dict[Color, int]

    @tw.tool
    def t() -> Report:
        return Report(
            datetime.datetime(2024, 5, 6, 7, 8, tzinfo=datetime.timezone.utc), datetime.timedelta(minutes=90, microseconds=5),
            pathlib.PurePosixPath("a/b"), decimal.Decimal("1.10"), uuid.UUID(int=1), set("edcba"), Color.RED, Pair(1, 2.5),
            b"\\0", {Color.RED: 1},
        )
    tw.main()
    """
    report = program(code)
    data = report.run().data
    assert data == {
        "when": "2024-05-06T07:08:00+00:00",
        "took": "PT1H30M0.000005S",
        "path": "a/b",
        "cost": "1.10",
        "id": "00000000-0000-0000-0000-000000000001",
        "tags": ["a", "b", "c", "d", "e"],
        "color": "red",
        "pair": {"a": 1, "b": 2.5},
        "raw": "AA==",
        "by": {"red": 1},
    }
    [described] = report.run(None, action="describe").data["tools"]
    assert tw.schema.check_value(described["outputSchema"], data) == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("{'a': [1.5, float('nan')]}", ["/a/1", "NaN"]),
        ("{'a': object()}", ["`object`", "/a"]),
        ("{'a': [{1: 2}]}", ["`int`", "str", "/a/0"]),
        ("b'\\xff'", ["resource_from_bytes"]),
        ("'\\ud800'", ["surrogate"]),
        ("[tw.text('a'), 1]", ["1"]),
        ("(lambda a: a.append(a) or {'a': a})([])", ["holds itself"]),
        ("10 ** 400", ["too large"]),
    ],
)
def test_what_has_no_json_form_is_an_error_that_says_so(program, value, words):
    answer = program(f"@tw.tool\ndef t(): return {value}\ntw.main()").run()
    assert answer.is_error
    for word in words:
        assert word in answer.texts[0]


# -- asking ------------------------------------------------------------------------------------------

ASKING = """
    import asyncio, threading

    def ask(ctx):
        return ctx.answer("q", tw.string("Why?"))

    @tw.tool
    def swallow(ctx: tw.Context):
        try:
            ask(ctx)
        except Exception:
            raise RuntimeError("an exception was caught that is none")
        finally:
            ctx.emit("cleaned up")

    @tw.tool
    def swallow_all(ctx: tw.Context):
        try:
            ask(ctx)
        except:
            pass
        return "as if nothing had happened"

    @tw.tool
    def fail_after(ctx: tw.Context):
        try:
            ask(ctx)
        finally:
            1 / 0

    @tw.tool
    async def wait(ctx: tw.Context):
        await asyncio.sleep(0)
        return ask(ctx)

    @tw.tool
    async def gather(ctx: tw.Context):
        async def one():
            return ask(ctx)
        return repr(await asyncio.gather(one(), asyncio.sleep(0), return_exceptions=True))

    @tw.tool
    def in_thread(ctx: tw.Context):
        found = []
        def work():
            try:
                found.append(ask(ctx))
            except tw.Stop:
                pass
        thread = threading.Thread(target=work)
        thread.start(); thread.join()
        return repr(found)

    @tw.tool
    def generate(ctx: tw.Context):
        yield "before"
        yield ask(ctx)

    @tw.tool
    def several(ctx: tw.Context):
        found = ctx.answers({"name": tw.string("Name?"), "size": tw.integer("Size?", minimum=1)}, otherwise="?")
        return found

    @tw.tool
    def states(ctx: tw.Context):
        found = ctx.ask("q", tw.boolean("Sure?"))
        return [found.state, found.source, found.value, found.accepted, ctx.answer("q", tw.boolean("Sure?"), False)]

    tw.main()
"""


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("swallow", [], ["cleaned up"]),
        ("swallow_all", [], []),
        ("fail_after", [], []),
        ("wait", [], []),
        ("gather", [], []),
        ("in_thread", [], []),
        ("generate", ["before"], []),
    ],
)
def test_asking_ends_the_run_whatever_the_author_does(program, name, before, after):
    asked = program(ASKING).run(name)
    assert asked.questions == ["q"]
    assert asked.texts == [*before, None, *after]
    assert not asked.is_error
    assert ("ZeroDivisionError" in asked.stderr) == (name == "fail_after")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="groups of tasks are of Python 3.11")
def test_questions_of_several_tasks(program):
    code = """
    import asyncio

    @tw.tool
    async def t(ctx: tw.Context):
        async def ask(id):
            found.append(ctx.answer(id, tw.boolean("Sure?")))
        found = []
        async with asyncio.TaskGroup() as group:
            group.create_task(ask("a"))
            group.create_task(ask("b"))
        return repr(found)
    tw.main()
    """
    asked = program(code).run()
    assert (asked.questions, asked.stderr) == (["a", "b"], "")
    assert program(code).run(answers={"a": True, "b": False}).texts == ["[True, False]"]


def test_the_answer_comes_back_where_it_was_asked(program):
    asking = program(ASKING)
    assert asking.run("wait", answers={"q": "so"}).texts == ["so"]
    assert asking.run("generate", answers={"q": "so"}).texts == ["before", "so"]
    assert asking.run("gather", answers={"q": "so"}).texts == ["['so', None]"]


def test_several_questions_go_out_together(program):
    asking = program(ASKING)
    assert asking.run("several").questions == ["name", "size"]
    # One that is answered already is not asked again.
    assert asking.run("several", answers={"name": "a"}).questions == ["size"]
    declined = asking.run("several", answers={"name": "a"}, states={"size": {"state": "declined"}})
    assert declined.data == {"name": "a", "size": "?"}


@pytest.mark.parametrize("state", ["declined", "cancelled", "unavailable"])
def test_states_are_told_apart(program, state):
    answer = program(ASKING).run("states", states={"q": {"state": state, "source": "policy"}})
    assert answer.data == {"result": [state, "policy", None, False, False]}


def test_questions_of_pythons_own_types(program):
    code = """
    import dataclasses, enum

    class Color(enum.Enum):
        RED = "red"
        BLUE = "blue"

    @dataclasses.dataclass
    class Size:
        width: int
        height: int = 1
        def __post_init__(self):
            if self.width > 100:
                raise ValueError("that is too wide")

    @tw.tool
    def t(ctx: tw.Context):
        color = ctx.answer("color", tw.select("Which?", Color, default=Color.BLUE))
        size = ctx.answer("size", tw.form("How large?", Size, default=Size(2, 3)))
        return f"{color!r} {size!r}"
    tw.main()
    """
    paint = program(code)
    question = paint.run().document["content"][0]["question"]
    assert question["schema"] == {"type": "string", "enum": ["red", "blue"]}
    assert question["default"] == "blue"
    question = paint.run(answers={"color": "red"}).document["content"][0]["question"]
    assert question["schema"]["required"] == ["width"]
    assert question["default"] == {"width": 2, "height": 3}
    answer = paint.run(answers={"color": "red", "size": {"width": 4}})
    assert answer.texts == ["<Color.RED: 'red'> Size(width=4, height=1)"]
    wide = paint.run(answers={"color": "red", "size": {"width": 400}})
    assert wide.is_error
    assert "that is too wide" in wide.texts[0]


# -- failing -----------------------------------------------------------------------------------------


def test_an_exception_is_an_error_with_its_chain(program):
    code = """
    @tw.tool
    def t(ctx: tw.Context):
        ctx.emit("so far")
        try:
            raise TimeoutError("the server does not answer")
        except TimeoutError as problem:
            raise RuntimeError("the page can't be read") from problem
    tw.main()
    """
    answer = program(code).run()
    assert answer.is_error
    assert answer.texts == ["so far", "the page can't be read"]
    assert answer.trace == ["the server does not answer"]
    assert answer.transient
    # The traceback is for whoever looks for the mistake, and begins with the author's own code.
    assert "RuntimeError: the page can't be read" in answer.stderr
    assert "TimeoutError: the server does not answer" in answer.stderr
    assert "_run.py" not in answer.stderr
    assert answer.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("raised", "text", "status"),
    [
        ("SystemExit", None, 0),
        ("SystemExit(0)", None, 0),
        ("SystemExit(3)", "the tool exited with status 3", 1),
        ("SystemExit('no such thing')", "no such thing", 1),
        ("SystemExit('\\ud800')", "\ufffd", 1),
        ("KeyError('key')", "KeyError: 'key'", 1),
        ("ValueError()", "ValueError", 1),
        ("Exception()", "the tool failed", 1),
        ("urllib.error.HTTPError('u', 503, 'busy', None, None)", "HTTP Error 503: busy", 1),
        ("ValueError('\\ud800')", "\ufffd", 1),
        ("GeneratorExit('odd')", "odd", 1),
        ("tw.Stop", None, 0),
    ],
)
def test_ways_to_end(program, raised, text, status):
    answer = program(f"import urllib.error\n@tw.tool\ndef t(): raise {raised}\ntw.main()").run(status=status)
    assert answer.transient == ("503" in raised)
    assert answer.is_error == bool(status)
    assert len(answer.texts) == (text is not None)
    assert all(text in each for each in answer.texts)


def test_the_traceback_of_a_coroutine_begins_with_the_authors_code(program):
    answer = program("@tw.tool\nasync def t(): 1 / 0\ntw.main()").run()
    assert answer.texts == ["division by zero"]
    assert answer.stderr.splitlines()[1].endswith("in t")


def test_sys_exit_after_emitting_is_an_end(program):
    answer = program("import sys\n@tw.tool\ndef t(ctx: tw.Context):\n  ctx.emit('x')\n  sys.exit()\ntw.main()").run()
    assert answer.texts == ["x"]


def test_hints_without_a_schema_are_named(program):
    code = """
    @tw.tool
    def t(a: int, handler: "callable"):
        pass
    tw.main()
    """
    for action in ("run", "describe"):
        answer = program(code).run(action=action)
        assert answer.is_error
        assert answer.texts[0].startswith("t(): the parameter `handler`: the hint")


def test_two_tools_of_one_name(program):
    code = "@tw.tool\ndef t(): pass\n@tw.tool(name='t')\ndef u(): pass\ntw.main()"
    done = program(code).start(b"{}")
    assert done.returncode == 1
    assert b"two tools have the name `t`" in done.stderr


# -- the answer and the noise -------------------------------------------------------------------------

NOISY = """
    import os, subprocess, sys
    print("while loading")
    @tw.tool
    def t(size: int = 0):
        print("before")
        print("on stderr", file=sys.stderr)
        os.write(1, b"to the descriptor\\n")
        subprocess.run([sys.executable, "-I", "-c",
            "import os; print('from a child', os.environ.get('TOOLWIRE_RESULT'), os.environ.get('TOOLWIRE_CALL'))"])
        print("after", "x" * size)
        return "the answer"
    tw.main()
    print("never")
"""
NOISE = ["while loading", "before", "on stderr", "to the descriptor", "from a child None None", "after "]


def test_noise_goes_to_stderr(program):
    answer = program(NOISY).run()
    assert answer.texts == ["the answer"]
    assert answer.stdout == '{"content":[{"text":"the answer","type":"text"}]}\n'
    # In the order in which it was written.
    assert answer.stderr.splitlines() == NOISE


LOADING = """
    import os, subprocess, sys
    @tw.tool
    def t(): return "the answer"
    print("printed")
    os.write(1, b"to the descriptor\\n")
    subprocess.run([sys.executable, "-I", "-c", "print('from a child')"])
    t()
    @tw.tool
    def other(): return "another"
    print("also printed")
"""
LOADED = "printed\nto the descriptor\nfrom a child\nalso printed\n"


def test_noise_while_the_file_is_loaded(program):
    for flags in ((), ("-u",)):
        answer = program(LOADING + "    tw.main()\n").run(flags=flags)
        assert answer.stdout == '{"content":[{"text":"the answer","type":"text"}]}\n'
        assert answer.stderr == LOADED
    logged = program(LOADING + "    tw.main()\n").run(flags=("-u",), channel=True)
    assert (logged.texts, logged.stdout, logged.stderr) == (["the answer"], LOADED, "")


def test_a_file_that_nobody_calls_prints_where_it_likes(program):
    printed = program(LOADING).start(None, flags=("-u",))
    # It may be about to serve, so what `print` writes waits.
    lines = sorted(printed.stdout.decode().splitlines())
    assert (printed.returncode, lines, printed.stderr) == (0, sorted(LOADED.splitlines()), b"")


def test_with_a_result_channel_stdout_is_log(program):
    answer = program(NOISY).run(channel=True)
    assert answer.texts == ["the answer"]
    assert answer.stderr.splitlines() == ["on stderr"]
    assert sorted(answer.stdout.splitlines()) == sorted(line for line in NOISE if line != "on stderr")


def test_much_noise_and_a_large_answer(program):
    code = """
    @tw.tool
    def t():
        print("x" * 3_000_000)
        return "y" * 8_000_000
    tw.main()
    """
    for channel in (False, True):
        answer = program(code).run(channel=channel)
        assert len(answer.texts[0]) == 8_000_000
        assert len(answer.stdout if channel else answer.stderr) == 3_000_001


@pytest.mark.parametrize("replaced", ["None", "open(os.devnull, 'w')", "io.StringIO()"])
def test_a_stdout_that_the_author_replaced(program, replaced):
    code = f"import io, os, sys\n@tw.tool\ndef t():\n  print('x')\n  return 'y'\nsys.stdout = {replaced}\ntw.main()"
    assert program(code).run().texts == ["y"]


def test_a_channel_that_cannot_be_written(program, tmp_path):
    code = "@tw.tool\ndef t():\n  return 'y'\ntw.main()"
    call = {"tool": {"name": "t"}, "context": {"action": "run"}}
    done = program(code).start(call, env={"TOOLWIRE_RESULT": str(tmp_path / "none" / "result")})
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"the answer can't be written" in done.stderr


@POSIX
def test_a_stdout_that_is_closed(program):
    path = program("@tw.tool\ndef t():\n  return 'y'\ntw.main()").path
    call = b'{"tool":{"name":"t"},"context":{"action":"run"}}'
    command = ["sh", "-c", 'exec "$0" -I "$1" >&-', sys.executable, str(path)]
    done = subprocess.run(command, input=call, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 2
    assert b"the answer can't be written" in done.stderr


@POSIX
@pytest.mark.parametrize("closed", ["0<&-", "2>&-", "0<&- 2>&-"])
def test_descriptors_that_are_closed(program, closed):
    path = program("@tw.tool\ndef t():\n  print('x')\n  return 'y'\ntw.main()").path
    call = b'{"tool":{"name":"t"},"context":{"action":"run"}}'
    command = ["sh", "-c", f'exec "$0" -I "$1" {closed}', sys.executable, str(path)]
    environment = {**os.environ, "TOOLWIRE_CALL": "stdin"}
    done = subprocess.run(command, input=call, stdout=subprocess.PIPE, env=environment, timeout=60)
    if "0" in closed:
        assert tw.parse(done.stdout).is_error
    else:
        assert tw.parse(done.stdout).envelope.content[0].text == "y"


@POSIX
def test_nobody_reads_the_answer(program):
    """No traceback, no end by a signal: a host that has gone is no mistake of the tool."""
    path = program("import time\n@tw.tool\ndef t():\n  time.sleep(0.3)\n  return 'y' * 1_000_000\ntw.main()").path
    call = b'{"tool":{"name":"t"},"context":{"action":"run"}}'
    process = subprocess.Popen(
        [sys.executable, "-I", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(call)
    process.stdin.close()
    process.stdout.close()
    told = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 2
    assert "the answer can't be written" in told
    assert "Traceback" not in told


def test_an_end_without_an_answer_writes_nothing(program):
    code = """
    import os, threading
    @tw.tool
    def t(ctx: tw.Context):
        ctx.emit("half")
        threading.Thread(target=lambda: os._exit(7)).start()
        threading.Event().wait(30)
    tw.main()
    """
    done = program(code).start({"tool": {"name": "t"}, "context": {"action": "run"}})
    assert (done.returncode, done.stdout) == (7, b"")


@POSIX
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_who_is_to_end_writes_no_answer(program, name):
    code = f"""
    import os, signal
    signal.signal(signal.SIGINT, signal.default_int_handler)
    @tw.tool
    def t(ctx: tw.Context):
        ctx.emit("half")
        os.kill(os.getpid(), signal.{name})
        import time; time.sleep(30)
    tw.main()
    """
    done = program(code).start({"tool": {"name": "t"}, "context": {"action": "run"}})
    assert (done.returncode, done.stdout) == (-getattr(signal, name), b"")


def test_an_exception_may_say_itself_whether_it_is_transient(program):
    code = """
    class Told(Exception):
        transient = True
    class Known(ConnectionResetError):
        transient = False
    class Odd(ConnectionResetError):
        transient = "perhaps"
    class Failing(ConnectionResetError):
        @property
        def transient(self): raise ValueError
    @tw.tool
    def t(kind: str):
        raise globals()[kind]("why")
    @tw.tool
    def outer():
        raise ValueError("outer") from Told("inner")
    tw.main()
    """
    tool = program(code)
    found = {kind: tool.run(arguments={"kind": kind}).transient for kind in ("Told", "Known", "Odd", "Failing")}
    assert found == {"Told": True, "Known": False, "Odd": True, "Failing": True}
    # It speaks for itself alone, as the outermost.
    assert not tool.run("outer").transient


def test_what_the_system_says_counts_as_transient(program):
    code = """
    import errno, os, socket, sqlite3
    @tw.tool
    def t(kind: str):
        if kind == "again":
            raise OSError(errno.EAGAIN, "try again")
        if kind == "resolver":
            raise socket.gaierror(socket.EAI_AGAIN, "try again")
        if kind == "group":
            problem = RuntimeError("both failed")
            problem.exceptions = [ValueError("one"), ConnectionResetError("two")]
            raise problem
        if kind == "hidden":
            try:
                raise TimeoutError("late")
            except TimeoutError:
                raise ValueError("wrong") from None
        os.stat("/none")
    tw.main()
    """
    tool = program(code)
    found = {kind: tool.run(arguments={"kind": kind}) for kind in ("again", "resolver", "group", "hidden", "stat")}
    assert {kind for kind, answer in found.items() if answer.transient} == {"again", "resolver", "group"}
    assert found["group"].trace == ["ValueError: one", "ConnectionResetError: two"]
    assert found["hidden"].trace == []


@POSIX
def test_a_copy_of_the_process_writes_no_second_answer(program):
    code = "import os\n@tw.tool\ndef t():\n  child = os.fork()\n  child and os.waitpid(child, 0)\n  return 'x'\ntw.main()"
    assert program(code).run().texts == ["x"]


def test_what_runs_at_exit_runs(program):
    code = "import atexit\n@tw.tool\ndef t(): return 'x'\natexit.register(print, 'bye')\ntw.main()"
    assert program(code).run().stderr == "bye\n"


def test_input_is_at_its_end(program):
    answer = program("@tw.tool\ndef t(): return input()\ntw.main()").run()
    assert answer.is_error


# -- start-up ----------------------------------------------------------------------------------------

def test_a_simple_tool_imports_nothing_heavy(program):
    code = """
    import sys
    @tw.tool
    def t(path: str, limit: int = 3, tags: list = (), *, deep: bool = False, ctx: tw.Context) -> "dict[str, list]":
        '''Count.'''
        ctx.ask("q", tw.boolean("Sure?"))
        return {"modules": [name for name in sys.modules if name.partition(".")[0] != "toolwire"]}
    tw.main()
    """
    bare = subprocess.run([sys.executable, "-I", "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True)
    answer = program(code).run(arguments={"path": "a"}, answers={"q": True})
    # That `main` was never called is noticed at the end; it is built in, and there at once.
    assert set(answer.data["modules"]) - set(bare.stdout.split()) - {"atexit"} == set()


# -- without a process ---------------------------------------------------------------------------------


def test_a_tools_file_can_be_imported(program):
    path = program(RENAME).path
    import importlib.util

    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    ctx = tw.Context({"confirm": True})
    assert module.rename("a", "b", ctx=ctx).content[0].text == "Renamed a to b."
    assert ctx.emitted == ["a is 3 bytes long."]
    with pytest.raises(tw.Stop):
        module.rename("a", "b", tw.Context())
    with pytest.raises(tw.Stop):
        module.rename("a", "b", tw.Context({"confirm": tw.Answer(state="declined")}))
    assert module.rename.__name__ == "rename"
    assert module.rename.__doc__ == "Rename a file."


def test_a_context_for_a_test():
    ctx = tw.Context(options={"a": 1}, root="/project", arguments={"b": 2}, action="format_arguments")
    assert (ctx.options, ctx.root, ctx.arguments, ctx.action) == ({"a": 1}, "/project", {"b": 2}, "format_arguments")
    ctx = tw.Context({"a": None, "b": tw.Answer([1], source="policy"), "c": tw.Answer(state="cancelled", source="user")})
    question = tw.form("?", {})
    assert ctx.answers({"a": question, "b": question, "c": question}, otherwise=0) == {"a": None, "b": [1], "c": 0}
    assert [(ctx.ask(id, question).state, ctx.ask(id, question).source) for id in "abc"] == [
        ("accepted", None),
        ("accepted", "policy"),
        ("cancelled", "user"),
    ]


def test_stop_is_no_exception():
    assert not issubclass(tw.Stop, Exception)


# -- nothing that somebody wrote is dropped (AUTH-26, AUTH-73, AUTH-34) -----------------------------------


NOTES = """
    from dataclasses import dataclass

    @dataclass
    class Notes:
        title: str
        breaking: bool = False

    @tw.tool
    def t(notes: Notes = None, id: int = 1) -> str:
        return repr(notes)

    @tw.tool
    def asks(ctx: tw.Context) -> str:
        return repr(ctx.answer("notes", tw.form("Which notes?", Notes)))

    tw.main()
"""


def test_a_misspelt_member_of_an_argument_is_refused(program):
    notes = program(NOTES)
    fine = notes.run(arguments={"notes": {"title": "Hey", "breaking": True}})
    assert fine.texts == ["Notes(title='Hey', breaking=True)"]
    wrong = notes.run(arguments={"notes": {"title": "Hey", "braking": True}, "idd": 3})
    assert wrong.texts == [
        "the arguments of `t` do not fit:\n"
        "- `/idd`: `idd` is not expected; did you mean `id`?\n"
        "- `/notes/braking`: `notes.braking` is not expected; did you mean `breaking`?"
    ]


def test_a_misspelt_member_of_an_answer_is_refused(program):
    notes = program(NOTES)
    asked = notes.run("asks")
    assert asked.document["content"][0]["question"]["schema"]["additionalProperties"] is False
    assert notes.run("asks", answers={"notes": {"title": "Hey"}}).texts == ["Notes(title='Hey', breaking=False)"]
    wrong = notes.run("asks", answers={"notes": {"title": "Hey", "braking": True}})
    assert wrong.texts == [
        "the answer to `notes` does not fit: `/braking`: `braking` is not expected; did you mean `breaking`?"
    ]
    # The tool has done nothing wrong.
    assert wrong.stderr == ""


def test_a_test_is_told_of_answers_that_do_not_fit():
    with pytest.raises(tw.ToolError, match="the answer to `n` does not fit: the value must be a whole number, not `\"3\"`"):
        tw.Context({"n": "3"}).answer("n", tw.integer("How many?"))
    with pytest.raises(tw.ToolError, match="the answer to `n` does not fit: the value must be at most 5, not `7`"):
        tw.Context({"n": tw.Answer(7)}).ask("n", tw.integer("How many?", maximum=5))


def test_a_page_is_opened_and_asked_for_again():
    login = tw.page("Sign in", "https://example.org/login")
    with pytest.raises(tw.Stop, match="there is no answer to `login`"):
        tw.Context().ask("login", login, again=True)
    opened = tw.Context({"login": tw.Answer(state="opened")})
    assert (opened.ask("login", login).state, opened.ask("login", login).value) == ("opened", None)
    assert opened.answer("login", login) is True
    assert opened.answer("login", login, otherwise=False) is True
    with pytest.raises(tw.Stop, match="the page of `login` is asked for again"):
        opened.ask("login", login, again=True)
    declined = tw.Context({"login": tw.Answer(state="declined")})
    assert declined.ask("login", login, again=True).state == "declined"
    assert declined.answer("login", login, otherwise=False) is False
    with pytest.raises(tw.ToolwireError) as error:
        tw.page("Sign in", "file:///etc/passwd")
    assert (error.value.code, error.value.pointer) == ("bad_argument", "/url")


def test_a_test_is_told_which_answer_is_missing():
    def stopped(ctx):
        with pytest.raises(tw.Stop) as stop:
            ctx.answers({"first": tw.string("First?"), "last": tw.string("Last?")})
        return str(stop.value)

    assert stopped(tw.Context()) == "there is no answer to `first`, `last`: give it to the `Context`"
    assert stopped(tw.Context({"first": "a", "lst": "b"})) == (
        "there is no answer to `last`: give it to the `Context`; there is one to `lst`"
    )
    declined = stopped(tw.Context({"first": "a", "last": tw.Answer(state="declined")}))
    assert declined == "the answer to `last` was not accepted, and the tool requires one: it gives no `otherwise`"


# -- what is expected to go wrong (AUTH-36) ---------------------------------------------------------------


def test_what_is_expected_to_go_wrong_has_no_traceback(program):
    code = """
        @tw.tool
        def t(how: str):
            if how == "bug":
                {}["no such key"]
            try:
                open("/no/such/file")
            except OSError as problem:
                if how == "alone":
                    raise tw.ToolError("busy", transient=True) from None
                if how == "own":
                    raise NoBranch("no branch `x`")
                raise tw.ToolError("there is no such branch") from (problem if how == "caused" else TimeoutError("slow"))

        class NoBranch(tw.ToolError): pass
        tw.main()
    """
    tool = program(code)
    alone = tool.run(arguments={"how": "alone"})
    assert alone.document == {
        "content": [{"type": "text", "text": "busy"}],
        "isError": True,
        "_meta": {"computer.jp/error": {"transient": True}},
    }
    caused = tool.run(arguments={"how": "caused"})
    assert (caused.texts, caused.transient) == (["there is no such branch"], False)
    assert "No such file" in caused.trace[0]
    assert tool.run(arguments={"how": "slow"}).transient
    assert tool.run(arguments={"how": "own"}).texts == ["no branch `x`"]
    assert [tool.run(arguments={"how": how}).stderr for how in ("alone", "caused", "slow", "own")] == [""] * 4
    bug = tool.run(arguments={"how": "bug"})
    assert bug.stderr.startswith("Traceback")
    assert "Traceback" not in bug.texts[0]


# -- a file that never calls `main` -------------------------------------------------------------

CALL = {"tool": {"name": "t"}, "context": {"action": "run"}}
NEVER = "toolwire: `program.py` defines tools and never calls `toolwire.main()`; call it at the end of the file\n"


def test_a_program_that_never_calls_main_says_so(program):
    tool = program("@tw.tool\ndef t() -> str: return 'a'")
    called = tool.start(CALL)
    assert (called.returncode, called.stdout, called.stderr.decode()) == (2, b"", NEVER)
    started = tool.start(None)
    assert (started.returncode, started.stdout, started.stderr.decode()) == (0, b"", NEVER)
    waiting = tool.start(CALL, channel=True)
    assert (waiting.returncode, waiting.stderr.decode()) == (2, NEVER)


def test_a_program_whose_tools_are_imported_says_so_when_it_is_called(program, tmp_path):
    (tmp_path / "library.py").write_text("import toolwire as tw\n@tw.tool\ndef t() -> str: return 'a'\ntw.main()\n", encoding="utf-8")
    tool = program(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport library")
    assert (tool.start(CALL).returncode, tool.start(CALL).stderr.decode()) == (2, NEVER)
    # Nobody has called: it may use them for something of its own.
    assert tool.start(None).stderr == b""


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("print(t())", 0),
        ("t.describe()", 0),
        ("import sys; sys.exit(0)", 0),
        ("import sys; sys.exit(3)", 3),
        ("1 / 0", 1),
        ("if __name__ == '__main__': tw.main()", 2),
        ("import os\nif os.name == 'posix' and os.fork() == 0: raise SystemExit\nt()", 0),
        ("import multiprocessing as m\nif __name__ == '__main__':\n    p = m.get_context('spawn').Process(target=print)\n    p.start(); p.join(); t()", 0),
    ],
)
def test_who_means_it_is_not_bothered(program, more, status):
    done = program(f"@tw.tool\ndef t() -> str: return 'a'\n{more}").start(None)
    assert done.returncode == status
    assert "never calls" not in done.stderr.decode()


def test_lines_that_somebody_types_are_no_program():
    code = "import toolwire as tw\n@tw.tool\ndef t() -> str: return 'a'\n"
    for flags in (["-c", code], ["-i", "-c", code], ["-"]):
        done = subprocess.run([sys.executable, "-I", *flags], input=code.encode() if flags == ["-"] else b"", capture_output=True, timeout=60)
        assert b"never calls" not in done.stderr, done.stderr


def test_what_a_generator_returns_comes_after_what_it_yields(program):
    code = """
    @tw.tool
    def t():
        yield "one"
        return "two"
    tw.main()
    """
    assert program(code).run().texts == ["one", "two"]


def test_a_text_of_another_class_is_a_text(program):
    code = """
    class Text(str): ...
    @tw.tool
    def t():
        return Text("x")
    tw.main()
    """
    assert program(code).run().texts == ["x"]


def test_a_tool_that_cannot_be_described_keeps_no_other_from_it(program):
    code = """
    from typing import Annotated
    @tw.tool
    def good() -> str: return "x"
    @tw.tool
    def bad(a: "Nowhere"): ...
    @tw.tool
    def worse(a: Annotated[str, {"type": "text"}]): ...
    tw.main()
    """
    answer = program(code).run(None, action="describe")
    assert [tool["name"] for tool in answer.data["tools"]] == ["good"]
    problems = answer.document["_meta"]["dev.toolwire/problems"]
    assert "bad(): the parameter `a`" in problems["bad"]
    assert "/inputSchema/properties/a/type" in problems["worse"]
    assert "the tool `bad` can't be described" in answer.stderr
