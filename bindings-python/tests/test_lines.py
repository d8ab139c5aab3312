"""Programs that take their calls as lines: warm calls and sessions, as real processes with a host's lines by hand."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
import toolwire as tw

POSIX = pytest.mark.skipif(os.name != "posix", reason="it takes signals or descriptors as POSIX has them")
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# So long a slow machine may take for something that takes no time.
PATIENCE = 60


HEAD = "import asyncio, os, sys, threading, time\nimport toolwire as tw\n"


class Program:
    """A tool's program, and what its host says and hears."""

    def __init__(self, folder, code, max_line=None, call="lines", **options):
        path = folder / "program.py"
        path.write_text(HEAD + textwrap.dedent(code) + "\ntw.main()\n")
        keep = {key: value for key, value in os.environ.items() if not key.startswith(("TOOLWIRE", "PYTHON"))}
        environment = {**keep, "TOOLWIRE_CALL": call, **options.pop("env", {})}
        self.errors = (folder / "stderr").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-I", *options.pop("flags", ()), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
            **options,
        )
        # Nothing in here may hang for ever.
        self.guard = threading.Timer(PATIENCE * 2, self.process.kill)
        self.guard.start()
        if call == "lines":
            hello = {"type": "hello", "toolwire": 1, "versions": [1]}
            self.say(**hello, **({"maxLine": max_line} if max_line else {}))
            self.hello = self.hear()
            assert self.hello["type"] == "hello" and self.hello["version"] == 1

    def say(self, **line):
        self.write(json.dumps(line).encode() + b"\n")

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), (line, self.stderr())
        return json.loads(line)

    def call(self, number, name="t", arguments=None, session=False, root="/project", answers=None, action="run", **more):
        tool = {"name": name, "arguments": arguments or {}, "answers": answers or {}}
        document = {"tool": tool, "context": {"action": action, "root": root}}
        self.say(type="call", call=number, document=document, **({"session": True} if session else {}), **more)

    def spawn(self, name="t", **arguments):
        self.call(1, name, arguments, session=True)

    def answer(self, id, value=None, state="accepted", source="user"):
        answer = {"state": state, "source": source, **({"value": value} if state == "accepted" else {})}
        self.say(type="answer", call=1, id=id, answer=answer)

    def input(self, value):
        self.say(type="input", call=1, input=value)

    def abort(self, call=1):
        self.say(type="end", call=call, reason="aborted")

    def heard(self, kind):
        """The next line, which is of this type."""
        line = self.hear()
        assert line["type"] == kind, (line, self.stderr())
        return line

    def output(self):
        return [block["text"] for block in self.heard("output")["blocks"]]

    def result(self, call=None):
        line = self.heard("result")
        assert call in (None, line["call"])
        return tw.parse(json.dumps(line["envelope"])).envelope

    def results(self, count):
        """The results of so many calls, in whatever order, and what was said besides."""
        found, others = {}, []
        while len(found) < count:
            line = self.hear()
            if line["type"] == "result":
                assert line["call"] not in found
                found[line["call"]] = tw.parse(json.dumps(line["envelope"])).envelope
            else:
                assert line["call"] not in found, "it was said after the result"
                others.append(line)
        return found, others

    def end(self):
        """The exit status, when the host has nothing more to say."""
        self.process.stdin.close()
        return self.status()

    def status(self):
        status = self.process.wait(PATIENCE)
        self.rest = self.process.stdout.read()
        return status

    def stderr(self):
        self.errors.flush()
        with open(self.errors.name, encoding="utf-8", errors="replace") as errors:
            return errors.read()

    def close(self):
        self.guard.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            try:
                stream.close()
            except OSError:
                pass


@pytest.fixture
def program(tmp_path):
    made = []

    def make(code, **options):
        made.append(Program(tmp_path, code, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def texts(envelope):
    return [block.text for block in envelope.content]


# -- what a session does -------------------------------------------------------------------------------

WATCH = """
    @tw.tool(actions=["apply", "abort"])
    async def t(path: str, session: tw.Session) -> str:
        try:
            await session.emit(f"watching {path}", tw.text("really"))
            session.progress(1, 2, "half")
            session.log("info", "a line", logger="watch")
            again = await session.answer("rerun", tw.boolean("Run again?"), otherwise=False)
            await session.emit(f"again: {again}")
            async for given in session.inputs():
                if given == "stop":
                    return "stopped"
                await session.emit(f"got {given!r}")
        finally:
            await session.emit(f"cleaned up: {session.ending}")
"""

SYNC_WATCH = """
    @tw.tool(actions=["apply", "abort"])
    def t(path: str, session: tw.SyncSession) -> str:
        try:
            session.emit(f"watching {path}", tw.text("really"))
            session.progress(1, 2, "half")
            session.log("info", "a line", logger="watch")
            again = session.answer("rerun", tw.boolean("Run again?"), otherwise=False)
            session.emit(f"again: {again}")
            for given in session.inputs():
                if given == "stop":
                    return "stopped"
                session.emit(f"got {given!r}")
        finally:
            session.emit(f"cleaned up: {session.ending}")
"""

BOTH = pytest.mark.parametrize("code", [WATCH, SYNC_WATCH], ids=["async", "plain"])


def begun(program, code):
    it = program(code)
    it.spawn(path="src")
    assert it.output() == ["watching src", "really"]
    assert it.heard("event")["event"] == {"type": "progress", "done": 1, "total": 2, "message": "half"}
    event = it.heard("event")["event"]
    assert event == {"type": "log", "level": "info", "message": "a line", "logger": "watch"}
    question = it.heard("question")
    assert question["question"] == {"id": "rerun", "text": "Run again?", "schema": {"type": "boolean"}}
    assert "person" not in question
    return it


@BOTH
def test_a_session_emits_asks_is_fed_and_returns(program, code):
    it = begun(program, code)
    it.answer("rerun", True)
    assert it.output() == ["again: True"]
    for value, shown in [({"a": [1, 2**70]}, "{'a': [1, 1180591620717411303424]}"), ("y", "'y'"), (None, "None")]:
        it.input(value)
        assert it.output() == [f"got {shown}"]
    it.input("stop")
    assert it.output() == ["cleaned up: None"]
    assert texts(it.result()) == ["stopped"]
    # A session has a process of its own, which ends with it, although its host says no word.
    assert it.status() == 0 and it.rest == b"" and it.stderr() == ""


@BOTH
@pytest.mark.parametrize("while_it", ["asks", "takes input"])
def test_a_session_that_is_to_end_cleans_up(program, code, while_it):
    it = begun(program, code)
    if while_it != "asks":
        it.answer("rerun", state="declined")
        assert it.output() == ["again: False"]
    it.abort()
    assert it.output() == ["cleaned up: aborted"]
    result = it.result()
    assert texts(result) == [] and not result.is_error
    assert it.status() == 0 and it.stderr() == ""


@BOTH
def test_a_host_that_has_gone_ends_a_session(program, code):
    it = begun(program, code)
    it.process.stdin.close()
    assert it.output() == ["cleaned up: host_ended"]
    assert texts(it.result()) == []
    assert it.status() == 0


@BOTH
def test_without_an_answer_a_session_that_needs_one_fails(program, code):
    it = begun(program, code.replace(", otherwise=False", ""))
    it.answer("rerun", state="declined")
    assert it.output() == ["cleaned up: None"]
    result = it.result()
    assert texts(result) == ["the question `rerun` has no answer: it is declined"] and result.is_error
    assert it.status() == 1


@BOTH
def test_an_answer_of_a_host_that_ends_the_session_is_no_failure(program, code):
    # The answer comes before the end (SES-11).
    it = begun(program, code.replace(", otherwise=False", ""))
    it.answer("rerun", state="cancelled", source="policy")
    it.abort()
    assert it.output()[0].startswith("cleaned up: ")
    result = it.result()
    assert texts(result) == [] and not result.is_error


@BOTH
def test_an_answer_that_does_not_fit_fails(program, code):
    it = begun(program, code)
    it.answer("rerun", "perhaps")
    assert it.output() == ["cleaned up: None"]
    assert texts(it.result())[0].startswith("the answer to `rerun` does not fit: ")
    assert it.status() == 1


def test_questions_side_by_side_and_one_for_the_user_alone(program):
    it = program("""
        @tw.tool
        async def t(session: tw.Session) -> str:
            async def asks(name):
                return await session.answer(name, tw.string(f"{name}?"))
            both = asyncio.gather(asks("a"), asks("b"))
            found = await session.answers({"c": tw.integer("c?"), "d": tw.integer("d?")}, person=True)
            first = asyncio.ensure_future(session.ask("e", tw.string("e?")))
            await asyncio.sleep(0)
            try:
                await session.emit("asked")
                await session.ask("e", tw.string("f?"))
            except tw.ToolwireError as error:
                return f"{await both} {found} {error.code} {error.pointer} {error.message}"
    """)
    it.spawn()
    asked = {line["question"]["id"]: line for line in (it.heard("question") for _ in range(4))}
    assert sorted(name for name, line in asked.items() if line.get("person")) == ["c", "d"]
    for name, value in [("d", 4), ("c", 3), ("b", "B"), ("a", "A")]:
        it.answer(name, value)
    assert it.heard("question")["question"]["id"] == "e" and it.output() == ["asked"]
    expected = "['A', 'B'] {'c': 3, 'd': 4} bad_argument /id another question has the id `e`: give each its own"
    assert texts(it.result()) == [expected]


def test_a_question_can_be_asked_again(program):
    it = program("""
        @tw.tool
        def t(session: tw.SyncSession) -> str:
            rounds = 1
            while session.answer("again", tw.boolean("Again?")):
                rounds += 1
            return f"{rounds} rounds"
    """)
    it.spawn()
    for again in (True, True, False):
        assert it.heard("question")["question"]["id"] == "again"
        it.answer("again", again)
    assert texts(it.result()) == ["3 rounds"]


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_inputs_with_a_limit_of_time(program, kind):
    code = """
        @tw.tool
        async def t(session: tw.Session) -> str:
            await session.emit(f"early: {await session.receive(timeout=0)}")
            async for given in session.inputs():
                await session.emit("go on")
                break
            later, missing = [], object()
            while len(later) < 3:
                given = await session.receive(0.05, otherwise=missing)
                if given is not missing:
                    later.append(given)
            return f"{later}"
    """
    if kind == "plain":
        code = code.replace("async ", "").replace("await ", "").replace("tw.Session", "tw.SyncSession")
    it = program(code)
    it.spawn()
    assert it.output() == ["early: None"]
    it.input("begin")
    assert it.output() == ["go on"]
    for value in (1, None, 3):
        it.input(value)
    assert texts(it.result()) == ["[1, None, 3]"]


def test_a_plain_session_waits_until_it_is_to_end(program):
    it = program("""
        @tw.tool
        def t(session: tw.SyncSession) -> str:
            assert session.wait(0.01) is None and session.is_live
            session.emit("waiting")
            why = session.wait()
            assert list(session.inputs()) == []
            try:
                session.ask("late", tw.boolean("Really?"))
            except tw.SessionEnded as ended:
                assert isinstance(ended, tw.Stop)
            try:
                session.receive(timeout=0)
            except tw.SessionEnded as ended:
                return f"{why}: {ended.reason}: {ended}"
    """)
    it.spawn()
    assert it.output() == ["waiting"]
    it.input("too late")
    it.say(type="end", call=1, reason="timed_out")
    assert it.heard("question")["question"]["id"] == "late"
    assert texts(it.result()) == ["timed_out: timed_out: the session is to end"]


def test_a_session_of_a_tool_that_there_is_not(program):
    it = program(SYNC_WATCH)
    it.spawn("w")
    assert texts(it.result()) == ["there is no tool `w`; there is only `t`"]
    assert it.status() == 1


def test_tasks_and_threads_of_a_session(program):
    it = program("""
        @tw.tool
        async def t(session: tw.Session) -> str:
            async def feed():
                async for given in session.inputs():
                    await session.emit(f"task got {given}")
                await asyncio.sleep(0)
            feeding = asyncio.ensure_future(feed())
            thread = threading.Thread(target=session.progress, args=(1,))
            thread.start()
            thread.join()
            await asyncio.to_thread(tw.progress, 2) if sys.version_info >= (3, 9) else tw.progress(2)
            try:
                await session.ask("go", tw.boolean("Go?"))
            finally:
                await feeding
                await session.emit("both ended")
    """)
    it.spawn()
    assert [it.heard("event")["event"]["done"] for _ in range(2)] == [1, 2]
    it.heard("question")
    it.input(7)
    assert it.output() == ["task got 7"]
    it.abort()
    assert it.output() == ["both ended"]
    assert texts(it.result()) == []


def test_generators_are_sessions_too(program):
    it = program("""
        @tw.tool
        async def a(session: tw.Session):
            yield "one"
            yield tw.text("two")

        @tw.tool
        def b(session: tw.SyncSession):
            yield "three"
    """)
    it.spawn("a")
    assert it.output() + it.output() == ["one", "two"]
    assert texts(it.result()) == [] and it.status() == 0
    it = program("""
        @tw.tool
        def b(session: tw.SyncSession):
            yield "three"
    """)
    it.spawn("b")
    assert it.output() == ["three"]
    assert it.result().content == []


@pytest.mark.parametrize("refused, code", [
    ("tw.question('a', 'A?', {})", "bad_argument"),
    ("{'type': 'video'}", "bad_argument"),
])
def test_what_no_reader_takes_is_not_emitted(program, refused, code):
    it = program(f"""
        @tw.tool
        async def t(session: tw.Session) -> str:
            try:
                await session.emit("fine", {refused})
            except tw.ToolwireError as error:
                return error.code
    """)
    it.spawn()
    assert texts(it.result()) == [code]


# -- the same tool, called once ------------------------------------------------------------------------


def once(program, code, **call):
    """The envelope of a call that is none of a session: as a line, which is the same as on stdin."""
    it = program(code)
    it.call(1, **call)
    envelope = it.results(1)[0][1]
    document = {"tool": {"name": "t", "arguments": call.get("arguments") or {}, "answers": call.get("answers") or {}}}
    document["context"] = {"action": "run", "root": "/project"}
    alone = program(code, call="stdin")
    alone.write(json.dumps(document).encode())
    alone.process.stdin.close()
    printed = alone.process.stdout.read()
    assert tw.canonicalize(printed) == tw.canonicalize(str(envelope))
    assert it.end() == 0 and alone.status() == int(envelope.is_error)
    return envelope


@BOTH
def test_a_session_tool_that_is_called_once(program, code):
    asked = once(program, code, arguments={"path": "src"})
    assert [block.type for block in asked.content] == ["text", "text", "question", "text"]
    answered = once(program, code, arguments={"path": "src"}, answers={"rerun": True})
    # There is no input, and so nothing to go on for.
    assert texts(answered) == ["watching src", "really", "again: True", "cleaned up: turn_ended"]


def test_a_question_that_is_asked_twice_has_the_same_answer(program):
    answer = once(program, """
        @tw.tool
        def t(session: tw.SyncSession) -> str:
            return " ".join(str(session.answer("again", tw.boolean("Again?"))) for _ in range(3))
    """, answers={"again": True})
    assert texts(answer) == ["True True True"] and not answer.is_error


# -- warm calls ----------------------------------------------------------------------------------------


def test_plain_calls_come_one_after_the_other_in_the_main_thread(program):
    it = program("""
        running = []

        @tw.tool
        def t(n: int, ctx: tw.Context) -> str:
            running.append(n)
            assert running == [n] and threading.current_thread() is threading.main_thread()
            time.sleep(0.005)
            running.clear()
            assert "TOOLWIRE_CALL" not in os.environ and "lines" not in os.environ.values()
            return f"{n} {ctx.root} {ctx.trace}"
    """)
    assert it.hello["calls"] == 1
    trace = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "baggage": "user=7"}
    for n in range(20):
        it.call(n, arguments={"n": n}, root=f"/project/{n}", **({"trace": trace} if n == 3 else {}))
    found, others = it.results(20)
    assert others == []
    assert [texts(found[n]) for n in range(20)] == [[f"{n} /project/{n} {trace if n == 3 else {}}"] for n in range(20)]
    assert it.end() == 0 and it.stderr() == ""


def test_async_calls_run_side_by_side_and_do_not_mix(program):
    it = program("""
        arrived, everybody = [], None

        @tw.tool
        async def t(n: int) -> str:
            global everybody
            everybody = everybody or asyncio.Event()
            print(f"{n} begins", end=" ")
            tw.progress(n)
            arrived.append(n)
            if len(arrived) == 32:
                everybody.set()
            await everybody.wait()
            print("and", n, "goes on")
            await asyncio.sleep(0)
            print(f"{n} ends", file=sys.stderr)
            await asyncio.get_running_loop().run_in_executor(None, lambda: None)
            tw.log("info", str(n))
            return f"{n}" * 20_000
    """)
    assert it.hello["calls"] == 32
    for n in range(32):
        it.call(n, arguments={"n": n})
    found, others = it.results(32)
    for n in range(32):
        assert texts(found[n]) == [f"{n}" * 20_000]
        mine = [line for line in others if line["call"] == n]
        printed = "".join(line["text"] for line in mine if line["type"] == "stderr")
        assert printed == f"{n} begins and {n} goes on\n{n} ends\n"
        events = [line["event"] for line in mine if line["type"] == "event"]
        assert [event.get("done", event.get("message")) for event in events] == [n, str(n)]
    assert it.end() == 0 and it.stderr() == ""


def test_plain_and_async_tools_of_one_program(program):
    it = program("""
        began = threading.Event()

        @tw.tool
        def plain(n: int) -> str:
            began.set()
            return f"plain {n}"

        @tw.tool
        async def later(n: int) -> str:
            while not began.is_set():
                await asyncio.sleep(0.001)
            return f"later {n}"
    """)
    it.call(0, "later", {"n": 0})
    it.call(1, "plain", {"n": 1})
    found, _ = it.results(2)
    assert texts(found[0]) == ["later 0"] and texts(found[1]) == ["plain 1"]
    it.call(2, "plain", action="describe")
    described = it.result(2)
    assert "plain" in texts(described)[0]
    assert it.end() == 0


def test_what_is_printed_belongs_to_its_call_wherever_that_can_be_told(program):
    it = program("""
        import logging, subprocess
        logging.basicConfig(format="%(message)s")

        @tw.tool
        def t() -> str:
            logging.warning("logged")
            sys.stdout.buffer.write(b"bytes \\xff\\n")
            print("cut", end="", flush=True)
            print(" off", end="")
            thread = threading.Thread(target=lambda: (print(", threaded"), tw.log("info", "threaded")))
            thread.start()
            thread.join()
            os.write(1, b"by number\\n")
            subprocess.run([sys.executable, "-c", "import sys; print('child', sys.stdin.read())"])
            print("\\ud800 odd")
            return "done"
    """)
    it.call(5)
    found, others = it.results(1)
    printed = "".join(line["text"] for line in others if line["type"] == "stderr")
    assert printed == "logged\nbytes \ufffd\ncut off, threaded\n\\ud800 odd\n"
    assert [line["event"]["message"] for line in others if line["type"] == "event"] == ["threaded"]
    assert texts(found[5]) == ["done"] and it.end() == 0
    # What no Python code has printed, nobody can tell.
    assert it.stderr() == "by number\nchild \n"


def test_what_is_printed_can_be_long(program):
    it = program("""
        @tw.tool
        def t() -> None:
            print("aé€😀" * 20_000, end="")
            sys.stdout.buffer.write(b"\\xff" * 20_000 + b"\\n")
            print("\\n" * 3 + "z" * 30_000)
    """)
    it.call(1)
    _, others = it.results(1)
    parts = [line["text"] for line in others]
    assert "".join(parts) == "aé€😀" * 20_000 + "\ufffd" * 20_000 + "\n" * 4 + "z" * 30_000 + "\n"
    assert max(len(part.encode()) for part in parts) <= 3 * 8192


def test_calls_that_come_as_lines_have_the_same_answers(program, tmp_path):
    cases = json.loads((REPOSITORY / "conformance" / "cases" / "parity.json").read_text(encoding="utf-8"))
    code = (REPOSITORY / "conformance" / "tools" / "parity.py").read_text(encoding="utf-8")
    it = program(code.replace("tw.main()", ""))
    compared = 0
    for number, case in enumerate(cases["cases"] if isinstance(cases, dict) else cases):
        expected = case["expect"].get("result", {}).get("text")
        if isinstance(expected, dict):
            expected = expected["$reference"]
        try:
            document = json.loads(case["input"]["text"])
        except ValueError:
            # A line that is none ends the program.
            continue
        # What is no call ends the program.
        if expected is not None and isinstance(document.get("tool"), dict):
            it.write(b'{"type":"call","call":%d,"document":%s}\n' % (number, case["input"]["text"].encode()))
            line = {"type": None}
            while line["type"] != "result":
                data = it.process.stdout.readline()
                line = json.loads(data)
            assert data.decode() == f'{{"type":"result","call":{number},"envelope":{expected}}}\n', case["id"]
            compared += 1
    assert compared > 20


def test_a_thread_that_a_call_leaves_behind_is_heard_in_no_other(program):
    it = program("""
        go_on = threading.Event()
        done = threading.Event()

        def behind():
            go_on.wait()
            tw.progress(99)
            tw.log("info", "late")
            print("late")
            done.set()

        @tw.tool
        def t(first: bool) -> str:
            if first:
                threading.Thread(target=behind).start()
            else:
                go_on.set()
                done.wait()
            return "ok"
    """)
    it.call(0, arguments={"first": True})
    assert texts(it.result(0)) == ["ok"]
    it.call(1, arguments={"first": False})
    found, others = it.results(1)
    assert texts(found[1]) == ["ok"] and others == []
    assert it.end() == 0


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_what_goes_wrong_in_a_call_is_its_failure_alone(program, kind):
    it = program(f"""
        class Own(BaseException): pass

        @tw.tool
        {kind} t(how: str) -> str:
            if how == "exit": sys.exit(3)
            if how == "text": sys.exit("no more")
            if how == "zero": sys.exit()
            if how == "interrupt": raise KeyboardInterrupt
            if how == "own": raise Own("mine")
            if how == "error": raise ValueError("bad") from OSError("cause")
            if how == "odd": return {{1: object()}}
            return "fine"
    """)
    wrong = ["exit", "text", "zero", "interrupt", "own", "error", "odd", "fine"]
    for n, how in enumerate(wrong):
        it.call(n, arguments={"how": how})
    it.call(len(wrong), arguments={"hwo": "fine"})
    it.call(len(wrong) + 1, "u")
    found, others = it.results(len(wrong) + 2)
    assert [found[n].is_error for n in range(len(found))] == [True, True, False, True, True, True, True, False, True, True]
    assert texts(found[0]) == ["the tool exited with status 3"] and texts(found[1]) == ["no more"]
    assert texts(found[4]) == ["Own: mine"] and texts(found[5]) == ["ValueError: bad"] and found[5].trace == ["OSError: cause"]
    assert texts(found[7]) == ["fine"] and "`how`" in texts(found[8])[0]
    assert texts(found[9]) == ["there is no tool `u`; there is only `t`"]
    # A traceback belongs to its call.
    assert {line["call"] for line in others if "ValueError: bad" in line.get("text", "")} == {5}
    it.call(99, arguments={"how": "fine"})
    assert texts(it.result(99)) == ["fine"] and it.end() == 0


def test_a_call_that_is_given_up(program):
    it = program("""
        @tw.tool
        async def later(ctx: tw.Context) -> str:
            ctx.emit("began")
            print("waits")
            try:
                await asyncio.sleep(3600)
            finally:
                print("cleaned up")

        @tw.tool
        def plain(ctx: tw.Context) -> str:
            print("waits")
            while not ctx.cancelled:
                time.sleep(0.001)
            return "given up"
    """)
    it.call(1, "later")
    it.call(2, "plain")
    assert {it.heard("stderr")["call"] for _ in range(2)} == {1, 2}
    it.abort(1)
    it.abort(2)
    found, others = it.results(2)
    assert texts(found[1]) == ["began"] and texts(found[2]) == ["given up"]
    assert [line["text"] for line in others] == ["cleaned up\n"]
    # It may be over before it begins.
    for n in range(3, 23):
        it.write(b"".join(json.dumps(line).encode() + b"\n" for line in (
            {"type": "call", "call": n, "document": {"tool": {"name": "later"}, "context": {"action": "run"}}},
            {"type": "end", "call": n, "reason": "aborted"},
        )))
    found, _ = it.results(20)
    assert not any(answer.is_error for answer in found.values())
    assert it.end() == 0 and "never awaited" not in it.stderr()


def test_a_warm_call_asks_in_its_answer(program):
    it = program("""
        @tw.tool
        async def t(ctx: tw.Context) -> str:
            return "sure" if ctx.answer("sure", tw.boolean("Sure?")) else "not"
    """)
    it.call(1)
    assert [block.type for block in it.result(1).content] == ["question"]
    it.call(2, answers={"sure": False})
    assert texts(it.result(2)) == ["not"]


# -- what goes wrong with the process ------------------------------------------------------------------


@pytest.mark.parametrize("line", [b"{]\n", b"Hello\n", b'{"type":"call","call":"1"}\n', b'{"type":"input"}\n', b'{"type":"ca'])
def test_a_broken_line_ends_the_program(program, line):
    it = program("""
        @tw.tool
        async def t() -> str:
            print("waits")
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                return "ended"
    """)
    it.call(1)
    it.heard("stderr")
    it.write(line)
    if not line.endswith(b"\n"):
        it.process.stdin.close()
    assert texts(it.result(1)) == ["ended"]
    assert it.status() == 2
    assert it.stderr().startswith("toolwire: the host's lines can't be read: ")


@pytest.mark.parametrize("first", [b"", b'{"type":"call","call":1}\n', b'{"type":"hello","toolwire":1,"versions":[7]}\n', b"GET / HTTP/1.1\n"])
def test_a_host_that_does_not_say_hello(tmp_path, first):
    path = tmp_path / "program.py"
    path.write_text("import toolwire as tw\n@tw.tool\ndef t(): pass\ntw.main()\n")
    environment = {**os.environ, "TOOLWIRE_CALL": "lines"}
    done = subprocess.run([sys.executable, str(path)], input=first, capture_output=True, env=environment, timeout=PATIENCE)
    assert done.returncode == 2 and done.stdout == b"" and done.stderr.startswith(b"toolwire: ")


def test_a_program_that_never_calls_main_says_so(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("import toolwire as tw\n@tw.tool\ndef t(): pass\nprint('loose')\n")
    environment = {**os.environ, "TOOLWIRE_CALL": "lines"}
    done = subprocess.run([sys.executable, str(path)], input=b"", capture_output=True, env=environment, timeout=PATIENCE)
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr.decode().startswith("loose\ntoolwire: `program.py` defines tools and never calls")


@POSIX
def test_a_host_that_does_not_read_stops_the_tool(program):
    it = program("""
        beats = 0

        @tw.tool
        async def t(session: tw.Session) -> str:
            async def beat():
                global beats
                while True:
                    beats += 1
                    await asyncio.sleep(0.001)
            beating = asyncio.ensure_future(beat())
            for nth in range(2000):
                before = beats
                await session.emit(f"{nth} " + "x" * 10_000)
            beating.cancel()
            peak = 0
            if sys.platform == "linux":
                # What `resource` tells is also that of the process which has forked this one.
                peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
            return f"{peak} {beats}"
    """)
    it.spawn()
    time.sleep(0.5)
    assert it.process.poll() is None
    for nth in range(2000):
        assert it.output()[0].startswith(f"{nth} ")
    used, beats = texts(it.result())[0].split()
    # 20 MB were said; and the loop went on while nobody read.
    assert int(used) < 80_000 and int(beats) > 20
    assert it.status() == 0


DEAF = """
    @tw.tool
    def t(how: str, session: tw.SyncSession) -> str:
        session.emit("deaf")
        if how == "ask":
            return session.answer("go", tw.string("Go on?"))
        return session.wait(600)
"""
ASYNC_DEAF = """
    @tw.tool
    async def t(how: str, session: tw.Session) -> str:
        await session.emit("deaf")
        if how == "ask":
            return await session.answer("go", tw.string("Go on?"))
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            return session.ending
"""


@pytest.mark.parametrize("code", [DEAF, ASYNC_DEAF], ids=["plain", "async"])
def test_answers_and_the_end_pass_inputs_that_nobody_takes(program, code):
    it = program(code)
    line = json.dumps({"type": "input", "call": 1, "input": "one more"}).encode() + b"\n"
    it.spawn(how="ask")
    assert it.output() == ["deaf"] and it.hear()["type"] == "question"
    it.write(line * 500)
    it.answer("go", "on")
    assert texts(it.result()) == ["on"]
    assert it.end() == 0 and "lost" not in it.stderr()

    it = program(code)
    it.spawn(how="sleep")
    assert it.output() == ["deaf"]
    it.write(line * 10_500)
    it.abort()
    assert texts(it.result()) == ["aborted"]
    assert it.end() == 0 and it.stderr().count("input is lost") == 1


def test_inputs_wait_in_order_and_what_has_no_room_is_lost(program):
    it = program("""
        @tw.tool
        def t(session: tw.SyncSession) -> str:
            session.answer("go", tw.boolean("Go on?"))
            kept = [session.receive(0, "none") for _ in range(10_001)]
            return f"{kept == [*range(10_000), 'none']}"
    """)
    it.spawn()
    assert it.hear()["type"] == "question"
    for number in range(10_010):
        it.input(number)
    it.answer("go", True)
    assert texts(it.result()) == ["True"]


def test_a_line_that_the_host_does_not_take(program):
    it = program("""
        @tw.tool
        def t(session: tw.SyncSession) -> str:
            try:
                session.emit("x" * 5000)
            except tw.ToolwireError as error:
                session.emit(f"{error.code}: {error.message.partition(',')[0]}")
            return "y" * 5000
    """, max_line=2000)
    it.spawn()
    assert it.output() == ["over_budget: this is 5063 bytes long"]
    result = it.result()
    assert result.is_error and "the host takes lines of at most 2000 bytes" in texts(result)[0]
    # The function has returned something else, and the status is that of the result.
    assert it.end() == 1


@POSIX
@pytest.mark.parametrize("kind", ["def", "async def"])
def test_ctrl_c_ends_the_program_without_an_answer(program, kind):
    it = program(f"""
        @tw.tool
        {kind} t() -> str:
            try:
                print("waits")
                {"time" if kind == "def" else "await asyncio"}.sleep(3600)
            finally:
                os.write(2, b"cleaned up\\n")
    """)
    it.call(1)
    it.heard("stderr")
    it.process.send_signal(signal.SIGINT)
    assert it.status() in (-signal.SIGINT, 130)
    assert it.rest == b"" and "cleaned up\n" in it.stderr()


@POSIX
@BOTH
@pytest.mark.parametrize("how", ["emit", "print"])
def test_ctrl_c_ends_a_program_whose_host_does_not_read(program, code, how):
    kind = "async def" if code is WATCH else "def"
    wait = "await " if code is WATCH and how == "emit" else ""
    it = program(f"""
        @tw.tool
        {kind} t(session: tw.{"Session" if code is WATCH else "SyncSession"}) -> None:
            try:
                os.write(2, b"begun\\n")
                while True:
                    {wait}{"session.emit" if how == "emit" else "print"}("x" * 100_000)
            finally:
                os.write(2, b"cleaned up\\n")
    """)
    it.spawn()
    end = time.monotonic() + PATIENCE
    while "begun\n" not in it.stderr():
        assert time.monotonic() < end, "it never begins"
        time.sleep(0.01)
    # Until then, the pipe is full.
    time.sleep(0.5)
    it.process.send_signal(signal.SIGINT)
    assert it.process.wait(PATIENCE) in (-signal.SIGINT, 130)
    assert "cleaned up\n" in it.stderr() and b'"result"' not in it.process.stdout.read()


@POSIX
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@BOTH
def test_a_fork_of_a_session(program, code):
    kind, wait, hint = ("async def", "await ", "Session") if code is WATCH else ("def", "", "SyncSession")
    it = program(f"""
        import warnings
        warnings.simplefilter("ignore")

        @tw.tool
        {kind} t(session: tw.{hint}) -> str:
            {wait}session.emit("before")
            child = os.fork()
            if child == 0:
                session.progress(1)
                {wait}session.emit("from the child")
                {wait}session.ask("child", tw.boolean("Really?"))
                return "never heard"
            return str(os.waitpid(child, 0)[1])
    """)
    it.spawn()
    assert it.output() == ["before"]
    assert texts(it.result()) == ["0"]
    assert it.status() == 0 and it.rest == b""


@POSIX
def test_a_program_that_is_killed_leaves_no_half_of_a_line(program):
    it = program("""
        @tw.tool
        async def t() -> str:
            return "x" * 1000
    """)
    for n in range(50):
        it.call(n)
    it.process.kill()
    assert it.status() == -signal.SIGKILL
    assert it.rest == b"" or it.rest.endswith(b"\n")


@POSIX
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_fork_says_nothing_and_ends(program, kind):
    it = program(f"""
        import warnings
        warnings.simplefilter("ignore")

        @tw.tool
        {kind} t(n: int) -> str:
            child = os.fork()
            if child == 0:
                tw.progress(1)
                print("from the child")
                return "never heard"
            return f"{{n}} {{os.waitpid(child, 0)[1]}}"
    """)
    for n in range(3):
        it.call(n, arguments={"n": n})
        found, others = it.results(1)
        assert texts(found[n]) == [f"{n} 0"] and others == []
    assert it.end() == 0
    assert it.stderr() == "from the child\n" * 3


@POSIX
def test_processes_of_multiprocessing(program):
    it = program("""
        import multiprocessing

        def work(n):
            print("worker")
            return n * n

        @tw.tool
        def t() -> str:
            with multiprocessing.get_context("fork").Pool(2) as pool:
                return str(pool.map(work, [1, 2, 3]))
    """, flags=("-W", "ignore"))
    it.call(1)
    assert texts(it.result(1)) == ["[1, 4, 9]"]
    assert it.end() == 0


def test_what_a_program_that_runs_once_does_not_import(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import sys\nbefore = set(sys.modules)\nimport toolwire as tw\n@tw.tool\ndef t() -> str:\n"
        "    return ' '.join(set(sys.modules) - before)\ntw.main()\n"
    )
    call = json.dumps({"tool": {"name": "t"}, "context": {"action": "run"}}).encode()
    environment = {**os.environ, "TOOLWIRE_CALL": "stdin"}
    command = [sys.executable, "-I", str(path)]
    done = subprocess.run(command, input=call, capture_output=True, env=environment, timeout=PATIENCE)
    loaded = set(tw.parse(done.stdout).envelope.content[0].text.split())
    assert "toolwire._toolwire" in loaded
    for name in ("asyncio", "threading", "queue", "toolwire._lines", "toolwire._session", "toolwire._printed", "toolwire._current"):
        assert name not in loaded


# -- how it is declared --------------------------------------------------------------------------------


def test_a_session_tool_lists_its_actions():
    @tw.tool
    def all_of_them(session: tw.SyncSession): ...

    @tw.tool(actions=["abort"])
    async def some(session: tw.Session): ...

    @tw.tool(actions=[], warm=False)
    def none(session: "tw.SyncSession", path: str): ...

    @tw.tool
    def no_session(session: str): ...

    key = "dev.toolwire/actions"
    assert all_of_them.describe()["_meta"] == {key: ["spawn", "fetch", "apply", "abort"], "dev.toolwire/warm": True}
    assert some.describe()["_meta"][key] == ["spawn", "fetch", "abort"]
    assert none.describe()["_meta"] == {key: ["spawn", "fetch"]}
    assert none.input_schema["properties"] == {"path": {"type": "string"}}
    assert no_session.describe()["_meta"] == {"dev.toolwire/warm": True}
    assert list(no_session.input_schema["properties"]) == ["session"]


def test_a_session_that_is_declared_wrong():
    def plain(session: tw.Session): ...

    async def later(session: tw.SyncSession): ...

    def both(session: tw.SyncSession, ctx: tw.Context): ...

    def neither(path: str): ...

    for function, words in [
        (plain, "the parameter `session` is a `Session`: a plain function takes a `SyncSession`"),
        (later, "the parameter `session` is a `SyncSession`: a plain function takes a `SyncSession`, and an async one a `Session`"),
        (both, "both `session` and `ctx` are the context of the call; one is enough"),
    ]:
        with pytest.raises(TypeError, match=words):
            tw.tool(function).describe()
    with pytest.raises(TypeError, match="a tool with `actions` needs a parameter with the hint `Session` or `SyncSession`"):
        tw.tool(actions=["abort"])(neither).describe()
    for actions in ("abort", ["stop"], [1], 3):
        with pytest.raises(TypeError):
            tw.tool(actions=actions)


@pytest.mark.parametrize("session", [True, False])
def test_a_tool_that_is_declared_wrong_answers_so(program, session):
    it = program("""
        @tw.tool
        def t(session: tw.Session) -> None: ...

        @tw.tool
        async def u(a: "nowhere.Nothing", session: tw.Session) -> None: ...
    """)
    for number, name in enumerate(["t", "u"]):
        if number and session:
            break
        it.call(number, name, {"a": 1} if number else {}, session=session)
        found, others = it.results(1)
        assert found[number].is_error and "TypeError" in "".join(line["text"] for line in others)


def test_a_session_in_a_test():
    @tw.tool
    async def counts(session: tw.Session) -> int:
        total = 0
        async for given in session.inputs():
            total += given
        assert session.ending == "turn_ended" and not session.is_live
        if await session.answer("print", tw.boolean("Print it?")):
            await session.emit(f"It is {total}.")
        session.progress(1)
        session.log("info", "done")
        return total

    import asyncio

    session = tw.Session({"print": True}, inputs=[1, 2], root="/project", options={"a": 1})
    assert asyncio.run(counts(session)) == 3
    assert session.emitted == ["It is 3."] and session.root == "/project" and session.options == {"a": 1}
    with pytest.raises(tw.Stop, match="there is no answer to `print`"):
        asyncio.run(counts(tw.Session()))

    series = tw.SyncSession({"a": iter([1, tw.Answer(state="declined")])})
    assert series.answer("a", tw.integer("A?")) == 1
    assert series.ask("a", tw.integer("A?")).state == "declined"
    with pytest.raises(tw.Stop, match="there is no answer to `a`"):
        series.ask("a", tw.integer("A?"))
    with pytest.raises(tw.ToolError, match="does not fit"):
        tw.SyncSession({"a": iter(["x"])}).answer("a", tw.integer("A?"))
    begun = time.monotonic()
    assert tw.SyncSession().wait(0.01) is None and time.monotonic() - begun >= 0.01
