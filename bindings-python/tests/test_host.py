"""Running tools: the two forms, questions, cancelling, and that nothing is left of a run."""

import asyncio
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import pytest
import toolwire as tw
from toolwire import _toolwire

ASKS = """
import json, sys
call = json.load(sys.stdin)
answers = call["tool"]["answers"]
ask = lambda id, schema, **more: {"type": "question", "question": {"id": id, "text": id + "?", "schema": schema, **more}}
blocks = [{"type": "text", "text": "before"}]
if "name" not in answers:
    blocks += [ask("name", {"type": "string", "minLength": 2}, default="Eve"), ask("age", {"type": "integer"})]
else:
    blocks.append({"type": "text", "text": f"{answers['name']} is {answers.get('age')}"})
print(json.dumps({"content": blocks}))
"""
SLEEPS = "import sys, time; print('awake', flush=True); print('up', file=sys.stderr, flush=True); time.sleep(60)"
# It tells its number, starts a child, and sleeps.
NESTS = (
    "import os, subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
    "print(os.getpid(), child.pid, file=sys.stderr, flush=True); time.sleep(60)"
)


def python(code, *arguments):
    return [sys.executable, "-c", code, *arguments]


def run_async(*args, **keywords):
    return asyncio.run(tw.run(*args, **keywords))


def list_async(*args, **keywords):
    return asyncio.run(tw.list_tools(*args, **keywords))


both = pytest.mark.parametrize("run", [run_async, tw.run_sync], ids=["run", "run_sync"])
both_lists = pytest.mark.parametrize("list_tools", [list_async, tw.list_tools_sync], ids=["list", "list_sync"])


def texts(result):
    return [block.text for block in result.parsed.envelope.content]


def is_alive(process):
    """Whether there is such a process that is not dead; the dead are somebody's to be waited for."""
    try:
        state = pathlib.Path(f"/proc/{int(process)}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(condition):
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to that")


@both
class TestRunning:
    def test_a_program_that_knows_nothing_of_this(self, run):
        result = run(python("import sys; print(sys.argv[1]); print('why', file=sys.stderr)", "$HOME; it's"))
        assert texts(result) == ["$HOME; it's\n"]
        assert (result.exit_code, result.signal, result.stopped, result.end) == (0, None, None, "answered")
        assert (result.stdout, result.stderr, result.rounds) == (b"$HOME; it's\n", b"why\n", 1)
        assert (result.answers, result.diagnostics, result.is_error) == ({}, [], False)
        assert 0 < result.elapsed < 60
        assert repr(result) == "<toolwire.RunResult answered after 1 round: <toolwire.Parsed raw: 12 bytes, plain_text>>"

    def test_the_call(self, run, tmp_path):
        code = "import os, sys; print(sys.stdin.read(), os.environ['TOOLWIRE_CALL'], os.getcwd(), sep='\\n')"
        result = run(python(code), "rename", {"path": "ä", "deep": [1.5, None]}, options={"dry": True},
                     root=tmp_path, cwd=tmp_path, action="format_arguments")
        document, how, cwd = texts(result)[0].splitlines()
        call = tw.wire.read_call(document)
        assert (call.name, call.arguments, call.options) == ("rename", {"path": "ä", "deep": [1.5, None]}, {"dry": True})
        assert (call.root, call.action, call.answers) == (str(tmp_path), "format_arguments", {})
        assert (how, os.path.realpath(cwd)) == ("stdin", os.path.realpath(tmp_path))

    @pytest.mark.parametrize(("name", "called"), [("a b.tool.py", "a b.tool"), (".py", ".py")])
    def test_a_file_is_called_by_its_name(self, run, tmp_path, name, called):
        file = tmp_path / name
        file.write_text(f"#!{sys.executable}\nimport json, sys; print(json.load(sys.stdin)['tool']['name'])\n")
        file.chmod(0o700)
        assert texts(run(file)) == texts(run([file])) == texts(run(str(file))) == [called + "\n"]

    def test_the_environment(self, run, monkeypatch):
        code = "import os; print(os.environ.get('SECRET'), os.environ.get('PATH'), os.environ.get('OWN'))"
        monkeypatch.setenv("SECRET", "s")
        monkeypatch.setenv("PATH", "/usr/bin:/bin")
        assert texts(run(python(code), env={"OWN": "é"})) == ["None /usr/bin:/bin é\n"]
        for inherit, expected in [
            ("standard", "None /usr/bin:/bin None\n"),
            ("all", "s /usr/bin:/bin None\n"),
            ([], "None None None\n"),
            (("SECRET", "OWN"), "s None None\n"),
            (["standard", "SECRET"], "s /usr/bin:/bin None\n"),
        ]:
            assert texts(run(python(code), inherit=inherit)) == [expected], inherit
        assert texts(run(python(code), inherit=[], env={"OWN": "o"})) == ["None None o\n"]
        assert texts(run(python(code), inherit="all", env={"SECRET": "x"})) == ["x /usr/bin:/bin None\n"]

    def test_a_proxys_credentials_stay_here(self, run, monkeypatch):
        monkeypatch.setenv("HTTPS_PROXY", "http://ada:p@ss@proxy:3128")
        monkeypatch.setenv("http_proxy", "http://ada:p/ss@proxy:3128")
        code = "import os; print(os.environ.get('HTTPS_PROXY'), os.environ.get('http_proxy'))"
        assert texts(run(python(code))) == ["http://proxy:3128 None\n"]
        assert texts(run(python(code), inherit=["HTTPS_PROXY"])) == ["http://ada:p@ss@proxy:3128 None\n"]

    @pytest.mark.parametrize(("inherit", "message"), [
        ("HOME", "must be `all`, `standard` or a list of variable names, not `HOME`"),
        (["standart"], "did you mean `standard`?"),
        (["all", "HOME"], "`all` stands for every variable"),
        ([""], "can't be the name of a variable"),
        (["A=b"], "can't be the name of a variable"),
        ([1], "a list of variable names"),
        (1, "a list of variable names"),
        ({"HOME": "x"}, "a list of variable names"),
        (b"all", "`bytes` has no JSON form"),
    ])
    def test_wrong_words_for_the_environment(self, run, inherit, message):
        with pytest.raises(tw.ToolwireError) as caught:
            run(python("print(1)"), inherit=inherit)
        assert caught.value.code == "bad_option"
        assert caught.value.pointer == ("/inherit/0" if inherit == [1] else "/inherit")
        assert message in str(caught.value)

    def test_how_it_ends(self, run):
        failed = run(python("import sys; print('no', file=sys.stderr); sys.exit(3)"))
        assert (failed.exit_code, failed.signal, failed.is_error) == (3, None, True)
        assert (texts(failed), failed.parsed.trace) == (["no"], ["the tool exited with status 3"])
        killed = run(python("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
        assert (killed.exit_code, killed.signal, killed.is_error) == (None, 9, True)

    def test_what_stops_it(self, run):
        late = run(python(SLEEPS), timeout=3)
        assert (late.stopped, late.is_error, late.parsed.transient) == ("timeout", True, True)
        assert texts(late)[1] == "awake\n"
        assert late.stderr == b"up\n"
        much = run(python("while True: print('x' * 1000)"), max_output=5000)
        assert (much.stopped, len(much.stdout)) == ("stdout_limit", 5000)

    def test_the_limits_of_reading(self, run):
        code = """print('{"content":[],"structuredContent":[[1]]}')"""
        for limits in (None, {}, {"max_depth": 20, "max_blocks": None}):
            assert run(python(code), limits=limits).parsed.verdict == "valid"
        shallow = run(python(code), limits={"max_depth": 2}).parsed
        assert (shallow.is_raw, [found.code for found in shallow.diagnostics]) == (True, ["limit_depth"])
        assert pickle.loads(pickle.dumps(shallow)) == shallow

    def test_what_keeps_it_from_being_run(self, run, tmp_path):
        for arguments, code in (
            ({"program": "./no/such/tool"}, "tool_not_found"),
            ({"program": tmp_path}, "tool_is_directory"),
            ({"program": python("1"), "cwd": tmp_path / "none"}, "bad_directory"),
            ({"program": python("1", "\0")}, "bad_argument"),
            ({"program": python("1"), "env": {"A=B": "1"}}, "bad_argument"),
        ):
            with pytest.raises(tw.HostError) as caught:
                run(**arguments)
            assert (caught.value.code, caught.value.pointer, caught.value.offset) == (code, "", None)
            assert caught.value.message == str(caught.value) != ""
            assert isinstance(caught.value, OSError)

    @pytest.mark.parametrize(("keywords", "code", "pointer"), [
        ({"timeout": 0}, "bad_option", "/timeout"),
        ({"timeout": float("nan")}, "bad_option", "/timeout"),
        ({"timeout": "1"}, "bad_option", "/timeout"),
        ({"max_output": -1}, "bad_option", "/maxOutput"),
        ({"env": ["A=1"]}, "bad_option", "/env"),
        ({"env": {"A": 1}}, "bad_option", "/env/A"),
        ({"cwd": 7}, "bad_option", "/cwd"),
        ({"unanswered": "guess"}, "bad_option", "/unanswered"),
        ({"max_rounds": 0}, "bad_option", "/maxRounds"),
        ({"max_tries": 0}, "bad_option", "/maxTries"),
        ({"limits": 7}, "bad_option", "/limits"),
        ({"limits": {"maxDepth": 7}}, "bad_option", "/maxDepth"),
        ({"limits": {7: 7}}, "bad_option", "/limits"),
        ({"limits": {"max_depth": -1}}, "bad_option", "/maxDepth"),
        ({"host": ""}, "bad_option", "/host"),
        ({"given": {"a": {1}}}, "bad_option", "/given/a"),
        ({"program": 7}, "bad_argument", "/program"),
        ({"program": []}, "bad_argument", "/program"),
        ({"program": ["a", 7]}, "bad_argument", "/program/1"),
        ({"program": b"a"}, "bad_argument", "/program"),
        ({"arguments": [1]}, "bad_option", "/arguments"),
        ({"arguments": {"a": {1}}}, "bad_option", "/arguments/a"),
        ({"tool": ""}, "bad_option", "/tool"),
        ({"action": "walk"}, "bad_option", "/action"),
    ])
    def test_what_is_refused_before_anything_is_run(self, run, keywords, code, pointer):
        with pytest.raises(tw.ToolwireError) as caught:
            run(**{"program": python("1"), **keywords})
        assert (caught.value.code, caught.value.pointer) == (code, pointer)

    def test_stderr_live(self, run, tmp_path):
        pieces = []
        # It says the next thing when the last one has been heard.
        code = """
import os, sys, time
for n in range(3):
    print(n, file=sys.stderr, flush=True)
    while not os.path.exists(os.path.join(sys.argv[1], str(n))):
        time.sleep(0.01)
"""

        def watch(piece):
            (tmp_path / str(len(pieces))).touch()
            pieces.append(piece)

        result = run([*python(code), str(tmp_path)], on_stderr=watch)
        assert pieces == [b"0\n", b"1\n", b"2\n"]
        assert result.stderr == b"0\n1\n2\n"

    def test_what_on_stderr_raises_ends_the_tool(self, run):
        seen = []

        def watch(piece):
            seen.append(piece)
            raise LookupError("enough")

        with pytest.raises(LookupError, match="enough"):
            run(python(NESTS), on_stderr=watch)
        [pids] = seen
        # The tool itself has ended by then; what it had started is gone as soon as the system has reaped it.
        assert not is_alive(pids.split()[0])
        wait_until(lambda: not any(map(is_alive, pids.split())))


@both
class TestQuestions:
    def test_an_answerer(self, run):
        askings = []

        def answer(asking):
            askings.append(asking)
            return {"name": "Ada", "age": tw.Answer(36, source="assistant")}[asking.id]

        result = run(python(ASKS), "greet", {"a": 1}, answerer=answer)
        assert texts(result) == ["before", "Ada is 36"]
        assert (result.rounds, result.end) == (2, "answered")
        assert result.answers == {"name": tw.Answer("Ada"), "age": tw.Answer(36, source="assistant")}
        name, age = askings
        assert (name.id, name.text, name.schema) == ("name", "name?", {"type": "string", "minLength": 2})
        assert (name.default, name.has_default, age.default, age.has_default) == ("Eve", True, None, False)
        assert name.prompt == {"kind": "text", "minLength": 2, "default": "Eve"}
        assert [block.text for block in name.context] == ["before"]
        assert (name.shown, age.shown, name.mismatches) == (0, 1, [])
        assert (name.tool, name.arguments, name.round) == ("greet", {"a": 1}, 1)
        assert name.question == tw.questions.read_question({"id": "name", "text": "name?", "schema": name.schema, "default": "Eve"})
        assert result.parsed.envelope.meta["dev.toolwire/answers"]["age"] == {"source": "assistant", "state": "accepted"}

    def test_a_wrong_answer_is_asked_for_again(self, run):
        told = []

        def answer(asking):
            told.append(asking.mismatches)
            return ["x", 7, "Ada", 36][len(told) - 1]

        result = run(python(ASKS), answerer=answer)
        assert texts(result)[1] == "Ada is 36"
        assert [found.code for found in result.diagnostics] == ["answer_mismatch"] * 2
        assert told[0] == told[3] == []
        assert [one["pointer"] for one in told[1] + told[2]] == ["", ""]

    @pytest.mark.parametrize(("keywords", "tries"), [({}, 3), ({"max_tries": 1}, 1), ({"max_tries": 5}, 5)])
    def test_how_often_it_is_asked_for(self, run, keywords, tries):
        told = []
        result = run(python(ASKS), answerer=lambda asking: told.append(asking.id) or 7.5, **keywords)
        assert told == ["name"] * tries + ["age"] * tries
        assert {answer.state for answer in result.answers.values()} == {"unavailable"}

    def test_no_answer(self, run):
        for answerer in (None, lambda asking: None):
            result = run(python(ASKS), answerer=answerer, host="Ada's")
            assert result.is_error
            assert result.end == "answer_required"
            assert result.answers["name"] == tw.Answer(state="unavailable", source="policy")
            assert "Ada's" in texts(result)[-1]
        declined = run(python(ASKS), answerer=lambda asking: tw.Answer(state="declined"))
        assert declined.answers["name"].state == "declined"

    def test_known_beforehand(self, run):
        result = run(python(ASKS), given={"name": "Bo", "age": 3})
        assert texts(result) == ["before", "Bo is 3"]
        assert {answer.source for answer in result.answers.values()} == {"policy"}
        defaults = run(python(ASKS), unanswered="defaults", answerer=lambda asking: "never")
        assert texts(defaults)[1] == "Eve is None"
        assert defaults.answers["name"].source == "default"
        assert run(python(ASKS), unanswered="fail").end == "unanswered"
        assert run(python(ASKS), unanswered="decline").answers["age"].state == "declined"

    def test_null_is_a_value(self, run):
        code = ASKS.replace('{"type": "string", "minLength": 2}', "{}")
        result = run(python(code), answerer=lambda asking: tw.Answer(None) if asking.id == "name" else 1)
        assert texts(result)[1] == "None is 1"

    def test_what_the_answerer_raises_comes_out(self, run):
        def answer(asking):
            raise LookupError(asking.id)

        with pytest.raises(LookupError, match="name"):
            run(python(ASKS), answerer=answer)
        with pytest.raises(tw.ToolwireError, match="set"):
            run(python(ASKS), answerer=lambda asking: {1})

    def test_secrets_reach_nobody(self, run):
        asked = []
        code = ASKS.replace('"minLength": 2', '"format": "password"')
        result = run(python(code), answerer=asked.append)
        assert result.is_error
        assert [asking.id for asking in asked] == ["age"]
        assert result.answers["name"].source == "policy"

    def test_what_seems_to_be_a_secret_is_for_a_person_alone(self, run):
        ask = tw.question("login", "Your password, please", {"type": "string", "minLength": 5})
        code = f"""
import json, sys
call = json.load(sys.stdin)
print({str(tw.envelope(ask))!r} if not call["tool"].get("dev.toolwire/answers") and not call["tool"]["answers"] else
      json.dumps(call["tool"]["answers"]))
"""
        asked = []

        def answer(asking):
            asked.append((asking.secret["tier"], "main password" in asking.warning, [one["message"] for one in asking.mismatches]))
            return "abc" if len(asked) == 1 else "hunter2"

        result = run(python(code), answerer=answer, given={"login": "given"})
        assert asked == [("suspected", True, []), ("suspected", True, ["the answer does not fit the schema"])]
        assert texts(result) == ['{"login": "hunter2"}\n']
        answered = result.answers["login"]
        assert (answered.state, answered.source, answered.value) == ("accepted", "user", None)
        assert "abc" not in str(result.diagnostics) and "hunter2" not in str(result.diagnostics)
        result = run(python(code), answerer=lambda asking: tw.Answer("hunter2", source="assistant"))
        assert (result.answers["login"].state, result.answers["login"].source) == ("unavailable", "policy")
        assert result.diagnostics[0].code == "secret_question"

    def test_what_to_do_where_nobody_is_asked(self, run):
        ask = tw.question("login", "Your password, please", {"type": "string"})
        insists = f"print({str(tw.envelope(ask))!r})"
        result = run(python(insists), refusals={"login": {"service": "Example", "up_front": "the variable KEY"}})
        assert result.end == "answer_required"
        assert "a password for Example" in texts(result)[0]
        assert "(the variable KEY)" in texts(result)[0]
        for wrong in ({"upFront": "x"}, {"url": 1}, "x"):
            with pytest.raises(tw.ToolwireError) as caught:
                run(python(insists), refusals={"*": wrong})
            assert (caught.value.code, caught.value.pointer) == ("bad_option", "/refusals/*"), wrong
        with pytest.raises(tw.ToolwireError) as caught:
            run(python(insists), refusals="x")
        assert caught.value.pointer == "/refusals"

    def test_a_result_can_be_pickled(self, run):
        for result in (run(python(ASKS), given={"name": "Bo", "age": 3}), run(python(ASKS)), run(python("exit(1)")),
                       run(python("print(1)")), run(python(SLEEPS), timeout=0.3)):
            again = pickle.loads(pickle.dumps(result.parsed))
            assert again == result.parsed
            assert str(again.envelope) == str(result.parsed.envelope)


class TestAsync:
    def test_an_async_answerer_is_awaited_on_the_loop(self):
        async def main():
            loop = asyncio.get_running_loop()

            async def answer(asking):
                assert asyncio.get_running_loop() is loop
                await asyncio.sleep(0)
                return {"name": "Ada", "age": 36}[asking.id]

            return await tw.run(python(ASKS), answerer=answer)

        assert texts(asyncio.run(main()))[1] == "Ada is 36"

    def test_an_async_answerer_needs_a_loop(self):
        async def answer(asking):
            raise AssertionError("never awaited")

        with pytest.raises(TypeError, match="run_sync"):
            tw.run_sync(python(ASKS), answerer=answer)

    def test_the_loop_goes_on(self):
        async def main():
            ticks = []

            async def tick():
                while True:
                    ticks.append(1)
                    await asyncio.sleep(0.01)

            ticking = asyncio.ensure_future(tick())
            await tw.run(python("import time; time.sleep(0.5)"))
            ticking.cancel()
            return len(ticks)

        assert asyncio.run(main()) >= 10

    def test_many_at_once(self):
        async def main():
            runs = [tw.run(python(f"print({n})")) for n in range(20)]
            return [texts(result)[0] for result in await asyncio.gather(*runs)]

        assert asyncio.run(main()) == [f"{n}\n" for n in range(20)]

    def test_cancelling_ends_the_tool_and_waits_for_it(self):
        async def main():
            pids = asyncio.get_running_loop().create_future()
            task = asyncio.ensure_future(tw.run(python(NESTS), on_stderr=lambda piece: pids.set_result(piece.split())))
            found = await pids
            assert all(map(is_alive, found))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not is_alive(found[0])
            return found

        wait_until(lambda found=asyncio.run(main()): not any(map(is_alive, found)))

    def test_cancelling_again_does_not_leave_it_behind(self):
        stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + NESTS

        async def main():
            pids = asyncio.get_running_loop().create_future()
            task = asyncio.ensure_future(tw.run(python(stubborn), on_stderr=lambda piece: pids.set_result(piece.split())))
            found = await pids
            for _ in range(3):
                task.cancel()
                await asyncio.sleep(0.05)
            with pytest.raises(asyncio.CancelledError):
                await task
            wait_until(lambda: not any(map(is_alive, found)))  # killed, perhaps not gone yet

        asyncio.run(main())

    def test_a_time_limit_around_it(self):
        async def main():
            started = time.monotonic()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(tw.run(python(SLEEPS)), 0.3)
            return time.monotonic() - started

        assert asyncio.run(main()) < 30

    def test_cancelling_while_somebody_thinks(self):
        async def main():
            asked = asyncio.Event()

            async def answer(asking):
                asked.set()
                await asyncio.sleep(60)

            task = asyncio.ensure_future(tw.run(python(ASKS), answerer=answer))
            await asked.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(main())

    def test_callbacks_see_the_context_variables_of_the_caller(self):
        import contextvars

        variable = contextvars.ContextVar("variable")
        seen = []

        async def main():
            variable.set("mine")
            await tw.run(python("import sys; sys.stderr.write('x')"), on_stderr=lambda piece: seen.append(variable.get()))

        asyncio.run(main())
        assert seen == ["mine"]

    def test_a_loop_that_falls_behind_loses_nothing(self):
        pieces = []

        async def main():
            code = "import sys; sys.stderr.write('x' * 3_000_000 + 'end')"
            task = asyncio.ensure_future(tw.run(python(code), on_stderr=pieces.append))
            await asyncio.sleep(0)
            time.sleep(1)  # noqa: ASYNC251  this is the loop that falls behind
            await task

        asyncio.run(main())
        assert b"".join(pieces) == b"x" * 3_000_000 + b"end"

    def test_a_run_whose_loop_is_closed_ends_when_it_is_noticed(self):
        code = "import os, sys, time\nwhile True: print(os.getpid(), file=sys.stderr, flush=True); time.sleep(0.05)"
        pids = []

        async def main():
            task = asyncio.ensure_future(tw.run(python(code), on_stderr=lambda piece: pids.extend(piece.split())))
            task._log_destroy_pending = False
            while not pids:
                await asyncio.sleep(0.01)

        loop = asyncio.new_event_loop()
        loop.run_until_complete(main())
        loop.close()
        wait_until(lambda: not is_alive(pids[0]))


@both_lists
class TestListing:
    TOOLS = [{"name": "now", "inputSchema": {"type": "object"}, "description": "Tell the time."}]

    def test_tools(self, list_tools):
        code = f"import toolwire as tw, sys; assert 'describe' in sys.stdin.read(); print(tw.wire.describe({self.TOOLS}))"
        listed = list_tools(python(code), timeout=60)
        assert (type(listed), listed.tools, repr(listed)) == (tw.ToolList, self.TOOLS, "<toolwire.ToolList ['now']>")
        assert (listed.result.exit_code, listed.result.rounds, listed.result.end) == (0, 1, "answered")

    def test_a_program_that_does_not_say(self, list_tools):
        listed = list_tools(python("import sys; print('hello'); print('why', file=sys.stderr)"))
        assert listed.tools is None
        assert texts(listed.result) == ["hello\n"]
        assert (listed.result.stderr, listed.result.answers, listed.result.diagnostics) == (b"why\n", {}, [])
        assert 0 < listed.result.elapsed < 60
        assert repr(listed) == "<toolwire.ToolList <toolwire.Parsed raw: 6 bytes, plain_text>>"

    def test_a_program_that_fails(self, list_tools):
        asked = "the program failed when it was asked for its tools"
        with pytest.raises(tw.HostError) as caught:
            list_tools(python("import no_such_module"))
        error = caught.value
        assert error.code == "describe_failed"
        assert str(error) == error.message == f"{asked} (exit status 1): ModuleNotFoundError: No module named 'no_such_module'"
        assert (type(error.result), error.result.exit_code, error.result.is_error) == (tw.RunResult, 1, True)
        assert error.result.stderr.startswith(b"Traceback")
        with pytest.raises(tw.HostError, match="asked for its tools: the tool did not end within 0.3 s") as caught:
            list_tools(python(SLEEPS), timeout=0.3)
        assert (caught.value.code, caught.value.result.stopped) == ("describe_failed", "timeout")
        with pytest.raises(tw.HostError) as caught:
            list_tools("./no/such/tool")
        assert (caught.value.code, caught.value.result) == ("tool_not_found", None)

    def test_a_wrong_description(self, list_tools):
        code = """print('{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":""}]}}')"""
        with pytest.raises(tw.ToolwireError) as caught:
            list_tools(python(code))
        assert caught.value.code == "bad_description"
        with pytest.raises(tw.HostError):
            list_tools("./no/such/tool")


class TestExchange:
    CALL = {"tool": {"name": "t", "arguments": {"a": 1}}, "context": {"action": "run"}}
    ASK = tw.question("ok", "Ok?", {"type": "boolean"})

    def test_by_hand(self):
        exchange = tw.wire.Exchange(tw.wire.read_call(self.CALL))
        assert tw.wire.read_call(exchange.step()) == tw.wire.read_call(self.CALL)
        exchange.handle_result(tw.envelope("look", self.ASK))
        asking = exchange.step()
        assert (type(asking), asking.id) == (tw.PendingQuestion, "ok")
        assert exchange.handle_answer("other", True) != []
        assert exchange.handle_answer("ok", "yes") == [{"pointer": "", "message": 'the value must be true or false, not `"yes"`'}]
        assert exchange.step().mismatches == [{"pointer": "", "message": 'the value must be true or false, not `"yes"`'}]
        assert exchange.handle_answer("ok", tw.Answer(True, source="assistant")) == []
        assert tw.wire.read_call(exchange.step()).answers["ok"].source == "assistant"
        exchange.handle_result(b"done")
        assert exchange.step() is None
        result = exchange.finish()
        assert (result["end"], result["rounds"]) == ("answered", 2)
        assert [found.code for found in result["diagnostics"]] == ["answer_mismatch"]
        assert result["parsed"].raw == b"done"
        assert result["answers"] == {"ok": tw.Answer(True, source="assistant")}
        for again in (exchange.finish, exchange.step, lambda: exchange.handle_answer("ok", True)):
            with pytest.raises(tw.ToolwireError):
                again()

    def test_given_up(self):
        exchange = tw.wire.Exchange(self.CALL)
        exchange.handle_result(tw.envelope(self.ASK))
        result = exchange.finish()
        assert result["end"] == "cancelled"
        assert result["parsed"].is_error
        assert pickle.loads(pickle.dumps(result["parsed"])) == result["parsed"]

    def test_a_default_that_does_not_fit_is_told(self):
        exchange = tw.wire.Exchange(self.CALL)
        exchange.handle_result(tw.envelope(tw.question("ok", "Ok?", {"type": "boolean"}, default="yes")))
        exchange.handle_answer("ok", True)
        exchange.handle_result("done")
        assert [found.code for found in exchange.finish()["diagnostics"]] == ["default_mismatch"]

    def test_refused(self):
        for call, keywords, code in (({}, {}, "bad_call"), (7, {}, "bad_argument"), (self.CALL, {"max_tries": 0}, "bad_option")):
            with pytest.raises(tw.ToolwireError) as caught:
                tw.wire.Exchange(call, **keywords)
            assert caught.value.code == code


def script(tmp_path, text):
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(text).replace("NESTS", repr(python(NESTS))))
    return [sys.executable, "-I", str(file)]


def test_what_a_tool_prints_does_not_hold_up_its_listeners(tmp_path):
    tool = tmp_path / "tool.py"
    tool.write_text(
        "import toolwire as tw\n@tw.tool\ndef p() -> str:\n    print('printed')\n    return 'ok'\ntw.main()\n"
    )
    call = tw.run(tool, "p", {}, on_stderr=lambda piece: None, timeout=20)
    result = asyncio.run(asyncio.wait_for(call, 60))
    assert result.parsed.envelope.content[0].text == "ok"


class TestEnding:
    """What is left when the program that runs tools ends, in whatever way."""

    def ends(self, tmp_path, text, with_signal=None):
        """Runs a program that writes the numbers of a tool's processes to stdout, and ends."""
        with subprocess.Popen(script(tmp_path, text), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            pids = program.stdout.readline().split()
            assert len(pids) == 2, program.stderr.read()
            if with_signal is not None:
                program.send_signal(with_signal)
            error = program.stderr.read().decode()
            program.wait(60)
        wait_until(lambda: not any(map(is_alive, pids)))
        return program.returncode, error

    def test_ctrl_c_in_run_sync(self, tmp_path):
        code, error = self.ends(
            tmp_path,
            """
            import toolwire as tw
            try:
                tw.run_sync(NESTS, on_stderr=lambda piece: print(piece.decode(), end="", flush=True))
            except KeyboardInterrupt:
                raise SystemExit(7)
            """,
            signal.SIGINT,
        )
        assert (code, error) == (7, "")

    def test_ctrl_c_in_run(self, tmp_path):
        code, error = self.ends(
            tmp_path,
            """
            import asyncio, toolwire as tw
            try:
                asyncio.run(tw.run(NESTS, on_stderr=lambda piece: print(piece.decode(), end="", flush=True)))
            except KeyboardInterrupt:
                raise SystemExit(7)
            """,
            signal.SIGINT,
        )
        assert (code, error) == (7, "")

    CALLS = {
        "run": "asyncio.run(tw.run(NESTS, on_stderr=show))",
        "run_sync": "tw.run_sync(NESTS, on_stderr=show)",
        "list_tools": "asyncio.run(tw.list_tools(NESTS, on_stderr=show))",
        "list_tools_sync": "tw.list_tools_sync(NESTS, on_stderr=show)",
    }
    SHOW = """
import asyncio, signal, sys, toolwire as tw
def show(piece): print(piece.decode(), end="", flush=True)
"""

    @pytest.mark.parametrize("call", CALLS)
    @pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"])
    def test_a_signal_that_ends_the_program(self, tmp_path, call, name):
        # Ctrl-C is Python's own, unless somebody has given it back to the system.
        code = f"signal.signal(signal.{name}, signal.SIG_DFL)\n{self.CALLS[call]}"
        ended = self.ends(tmp_path, self.SHOW + code, getattr(signal, name))
        assert ended == (-getattr(signal, name), "")

    @pytest.mark.parametrize("name", ["SIGKILL", "SIGABRT", "SIGALRM", "SIGUSR1"])
    def test_a_signal_that_nobody_can_see_to(self, tmp_path, name):
        ended = self.ends(tmp_path, self.SHOW + self.CALLS["run_sync"], getattr(signal, name))
        assert ended == (-getattr(signal, name), "")

    def test_a_program_that_is_killed_and_its_fork_that_goes_on(self, tmp_path):
        code = """
import os, queue, threading, time
pieces = queue.Queue()
threading.Thread(target=tw.run_sync, args=(NESTS,), kwargs=dict(on_stderr=pieces.put)).start()
piece = pieces.get()
if os.fork() == 0:
    os.closerange(0, 3)
    time.sleep(60)
    os._exit(0)
show(piece)
time.sleep(60)
"""
        assert self.ends(tmp_path, self.SHOW + code, signal.SIGKILL) == (-signal.SIGKILL, "")

    def test_a_program_that_broken_pipes_end(self, tmp_path):
        code = """
import signal, toolwire as tw
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
for _ in range(3):
    tw.run_sync(["true"], arguments={"a": "x" * 3_000_000})
print("here")
"""
        ended = subprocess.run(script(tmp_path, code), stdout=subprocess.PIPE)
        assert (ended.returncode, ended.stdout) == (0, b"here\n")

    def test_a_signal_in_one_of_many_runs(self, tmp_path):
        code = """
async def main():
    await tw.run([sys.executable, "-c", "1"])
    await asyncio.gather(tw.run([sys.executable, "-c", "1"]), tw.run(NESTS, on_stderr=show))
asyncio.run(main())
"""
        assert self.ends(tmp_path, self.SHOW + code, signal.SIGTERM) == (-signal.SIGTERM, "")

    def test_a_signal_and_a_tool_that_does_not_want_to_end(self, tmp_path):
        code = """
program, flag, tool = NESTS
ignores = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
tw.run_sync([program, flag, ignores + tool], on_stderr=show)
"""
        assert self.ends(tmp_path, self.SHOW + code, signal.SIGTERM) == (-signal.SIGTERM, "")

    def test_a_signal_that_the_program_deals_with(self, tmp_path):
        code = """
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
tw.run_sync(NESTS, on_stderr=show)
"""
        assert self.ends(tmp_path, self.SHOW + code, signal.SIGTERM) == (7, "")

    def test_a_signal_that_the_loop_deals_with(self, tmp_path):
        code = """
async def main():
    task = asyncio.ensure_future(tw.run(NESTS, on_stderr=show))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        sys.exit(8)
asyncio.run(main())
"""
        assert self.ends(tmp_path, self.SHOW + code, signal.SIGTERM) == (8, "")

    def test_a_signal_that_is_ignored(self, tmp_path):
        code = """
signal.signal(signal.SIGHUP, signal.SIG_IGN)
try:
    tw.run_sync(NESTS, on_stderr=show, timeout=1)
finally:
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
"""
        assert self.ends(tmp_path, self.SHOW + code, signal.SIGHUP) == (0, "")

    def test_the_end_of_the_interpreter_in_the_middle_of_a_run(self, tmp_path):
        code, error = self.ends(
            tmp_path,
            """
            import asyncio, sys, threading, toolwire as tw
            begun = threading.Event()
            def watch(piece):
                print(piece.decode(), end="", flush=True)
                begun.set()
            threading.Thread(target=tw.run_sync, args=[NESTS], kwargs={"on_stderr": watch}, daemon=True).start()
            begun.wait()
            sys.exit(3)
            """,
        )
        assert (code, error) == (3, "")

    def test_a_loop_that_is_left_alone(self, tmp_path):
        code, error = self.ends(
            tmp_path,
            """
            import asyncio, sys, toolwire as tw
            begun = asyncio.Event()
            def watch(piece):
                print(piece.decode(), end="", flush=True)
                begun.set()
            async def main():
                global task
                task = asyncio.ensure_future(tw.run(NESTS, on_stderr=watch))
                task._log_destroy_pending = False
                while not begun.is_set():
                    await asyncio.sleep(0.01)
            loop = asyncio.new_event_loop()
            loop.run_until_complete(main())
            sys.exit(4)
            """,
        )
        assert code == 4, error

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
    def test_a_forked_child_does_not_wait_for_its_parents_runs(self, tmp_path):
        code, error = self.ends(
            tmp_path,
            """
            import os, sys, threading, toolwire as tw
            begun = threading.Event()
            def watch(piece):
                print(piece.decode(), end="", flush=True)
                begun.set()
            threading.Thread(target=tw.run_sync, args=[NESTS], kwargs={"on_stderr": watch}, daemon=True).start()
            begun.wait()
            child = os.fork()
            if child == 0:
                assert tw.run_sync([sys.executable, "-c", "print(1)"]).stdout == b"1\\n"
                sys.exit(5)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
            """,
        )
        assert code == 0, error


def test_importing_the_package_imports_nothing_of_this():
    code = (
        "import sys, toolwire as tw; assert not {'asyncio', 'threading', 'toolwire._host'} & set(sys.modules);"
        "tw.run_sync(['true']); assert not {'asyncio', 'threading', 'typing'} & set(sys.modules); print('ok')"
    )
    assert subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True).stdout == b"ok\n"


def test_a_call_has_one_result():
    call = _toolwire.Conversation("true", {}, [], False)
    assert call.next()["exit_code"] == 0
    assert call.is_over
    for again in (call.next, call.try_next):
        with pytest.raises(RuntimeError, match="over"):
            again()


@both
def test_a_file_in_python_is_run_by_the_python_of_the_host(run, tmp_path):
    """Not by another one that is on the PATH or in a virtual environment."""
    file = tmp_path / "tool.py"
    file.write_text("import sys; print(sys.executable)")
    other = tmp_path / "bin" / "python"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho another")
    other.chmod(0o755)
    (tmp_path / "bin" / "python3").symlink_to(other)
    for env in ({"PATH": str(other.parent)}, {"VIRTUAL_ENV": str(tmp_path)}):
        assert texts(run(file, env=env)) == [sys.executable + "\n"]
