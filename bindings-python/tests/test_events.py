"""What a tool says while it runs: `progress` and `log` in a tool, `on_progress` and `on_log` in a host."""

import asyncio
import copy
import json
import os
import subprocess
import sys

import pytest
import toolwire as tw

SAYS = """
import time, toolwire as tw
tw.progress(1, 4, "first")
tw.log("warning", "hm", logger="db")
time.sleep(0.2)
tw.progress(4, 4)
"""


def python(code):
    return [sys.executable, "-c", code]


def run_async(*args, **keywords):
    return asyncio.run(tw.run(*args, **keywords))


both = pytest.mark.parametrize("run", [run_async, tw.run_sync], ids=["run", "run_sync"])


class TestHosts:
    @both
    def test_what_a_tool_says_arrives_in_order(self, run):
        seen = []
        result = run(python(SAYS), on_progress=seen.append, on_log=seen.append)
        assert [type(event) for event in seen] == [tw.Progress, tw.Message, tw.Progress]
        first, message, last = seen
        assert (first.done, first.total, first.message, first.fraction) == (1, 4, "first", 0.25)
        assert (message.level, message.text, message.logger) == ("warning", "hm", "db")
        assert (last.done, last.message, last.fraction) == (4, None, 1)
        assert not result.is_error and result.stdout == result.stderr == b""

    @both
    @pytest.mark.parametrize("name, count", [("on_progress", 2), ("on_log", 1)])
    def test_one_may_be_wanted_without_the_other(self, run, name, count):
        seen = []
        run(python(SAYS), **{name: seen.append})
        assert len(seen) == count

    def test_the_functions_can_be_async(self):
        seen = []

        async def watch(event):
            await asyncio.sleep(0)
            seen.append(event)

        run_async(python(SAYS), on_progress=watch, on_log=watch)
        assert len(seen) == 3
        with pytest.raises(TypeError, match="`on_progress` is async"):
            tw.run_sync(python(SAYS), on_progress=watch)

    @both
    @pytest.mark.parametrize("name", ["on_progress", "on_log"])
    def test_what_they_raise_stops_the_tool(self, run, name):
        def watch(event):
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            run(python(SAYS + "time.sleep(60)"), **{name: watch})

    def test_without_them_there_is_no_file(self):
        show = python("import os; print(os.environ.get('TOOLWIRE_EVENTS'))")
        assert tw.run_sync(show, inherit="all").stdout == b"None\n"
        assert tw.run_sync(show, on_log=print).stdout.endswith(b"/events\n")

    def test_a_tool_of_a_manifest_has_them_too(self, tmp_path):
        file = tmp_path / "toolwire.toml"
        file.write_text(f"tools.say = {{ command = {json.dumps(python(SAYS))}, plain = true }}")
        seen = []
        tw.load_manifest(file).run_sync("say", on_progress=seen.append)
        assert len(seen) == 2

    def test_events_are_values(self):
        line = '{"done":1,"total":2,"type":"progress"}'
        progress = tw.wire.read_event(line)
        assert progress.json == line and progress == tw.wire.read_event(line.encode()) == copy.deepcopy(progress)
        assert len({progress, tw.wire.read_event(line)}) == 1
        assert repr(progress) == "<toolwire.Progress 1 of 2>"
        message = tw.wire.read_event('{"type":"log","level":"info","message":"m"}')
        assert repr(message) == '<toolwire.Message info "m">' and message != progress
        assert tw.wire.read_event(b"\n") is None
        with pytest.raises(tw.ToolwireError) as raised:
            tw.wire.read_event('{"type":"log","level":"warn","message":"m"}')
        assert (raised.value.code, raised.value.pointer) == ("bad_event", "/level")


class TestTools:
    @pytest.fixture
    def say(self, tmp_path):
        def say(code, file=None):
            file = tmp_path / "events" if file is None else file
            if not os.path.exists(file):
                file.touch()
            environment = {**os.environ, "TOOLWIRE_EVENTS": str(file)}
            command = python("import toolwire as tw\n" + code)
            subprocess.run(command, env=environment, check=True, timeout=60)
            return [json.loads(line) for line in file.read_text().splitlines()]

        return say

    def test_each_call_is_a_line(self, say):
        assert say("tw.progress(1); tw.progress(2, 3, 'ä'); tw.log('info', 'a\\nb')") == [
            {"type": "progress", "done": 1},
            {"type": "progress", "done": 2, "total": 3, "message": "ä"},
            {"type": "log", "level": "info", "message": "a\nb"},
        ]

    def test_what_is_no_number_is_not_said(self, say):
        assert say("tw.progress(float('nan')); tw.progress(float('inf')); tw.progress(1, float('nan'))") == [
            {"type": "progress", "done": 1}
        ]

    def test_half_characters_do_no_harm(self, say):
        assert say("tw.log('info', 'a\\udcffb')")[0]["message"] == "a\ufffd\ufffd\ufffdb"

    def test_a_tight_loop_writes_little_and_its_end(self, say):
        lines = say("for i in range(100_001): tw.progress(i, 100_000)")
        assert len(lines) < 1000 and lines[-1]["done"] == 100_000

    def test_a_wrong_level_is_refused_whether_or_not_anybody_listens(self):
        with pytest.raises(tw.ToolwireError) as raised:
            tw.log("warn", "m")  # type: ignore[arg-type]
        assert (raised.value.code, raised.value.pointer) == ("bad_argument", "/level")

    @pytest.mark.parametrize("path", ["", "/no/such/folder/events", "/"])
    def test_a_file_that_is_none_does_not_disturb(self, path):
        environment = {**os.environ, "TOOLWIRE_EVENTS": path}
        command = python("import toolwire as tw; tw.progress(1); tw.log('error', 'm')")
        ran = subprocess.run(command, env=environment, capture_output=True, timeout=60)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="it forks")
    def test_forks_and_threads_say_theirs(self, say):
        lines = say(
            "import os, threading\n"
            "def work():\n"
            "    for i in range(100): tw.log('info', 'x' * 2000)\n"
            "pids = [os.fork()]\n"
            "if pids[0]: pids.append(os.fork())\n"
            "threads = [threading.Thread(target=work) for _ in range(3)]\n"
            "[thread.start() for thread in threads]\n"
            "[thread.join() for thread in threads]\n"
            "0 in pids and os._exit(0)\n"
            "[os.waitpid(-1, 0) for _ in pids]"
        )
        assert len(lines) == 900 and all(line["message"] == "x" * 2000 for line in lines)
