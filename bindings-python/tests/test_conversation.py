"""What goes on beside a call: slow readers, forks, signals, threads, and what is left at the end."""

import asyncio
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import pytest
import toolwire as tw

LINUX = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="it looks into /proc")
FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def hold_the_lock(seconds):
    """Sums for about so long, on any machine, in one go, which holds Python's lock all the time."""
    begun = time.monotonic()
    sum(range(5_000_000))
    sum(range(int(5_000_000 * seconds / (time.monotonic() - begun))))


# It says that it is there, and tells a file when it is asked to end, which takes it a moment.
CLEANS = """
import pathlib, signal, sys, time
def clean(number, frame):
    time.sleep(0.3)
    pathlib.Path(sys.argv[1]).write_text("cleaned")
    sys.exit(0)
signal.signal(signal.SIGTERM, clean)
import os
print(os.getpid(), file=sys.stderr, flush=True)
time.sleep(60)
"""
STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), file=sys.stderr, flush=True)
time.sleep(60)
"""
ASKS = """
import json
print(json.dumps({"content": [{"type": "question", "question": {"id": "q", "text": "?", "schema": {"type": "boolean"}}}]}))
"""


def python(code, *arguments):
    return [sys.executable, "-c", code, *map(str, arguments)]


def run_async(*args, **keywords):
    return asyncio.run(tw.run(*args, **keywords))


both = pytest.mark.parametrize("run", [run_async, tw.run_sync], ids=["run", "run_sync"])


def is_alive(process):
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    stat = pathlib.Path(f"/proc/{int(process)}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(condition, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to that")


class TestSlowReaders:
    SAYS_MUCH = "import sys; sys.stderr.write('x' * 5_000_000 + 'end')"

    @both
    def test_everything_arrives(self, run):
        pieces = []

        def watch(piece):
            time.sleep(0.02)
            pieces.append(piece)

        result = run(python(self.SAYS_MUCH), on_stderr=watch)
        assert (result.exit_code, b"".join(pieces)) == (0, b"x" * 5_000_000 + b"end")

    def test_an_async_reader_is_awaited(self):
        pieces = []

        async def watch(piece):
            await asyncio.sleep(0.02)
            pieces.append(piece)

        run_async(python(self.SAYS_MUCH), on_stderr=watch)
        assert b"".join(pieces) == b"x" * 5_000_000 + b"end"

    def test_an_async_reader_needs_a_loop(self):
        async def watch(piece):
            raise AssertionError("never awaited")

        for call in (tw.run_sync, tw.list_tools_sync):
            with pytest.raises(TypeError, match="`on_stderr` is async"):
                call(python("import sys; print('x', file=sys.stderr)"), on_stderr=watch)

    @pytest.mark.parametrize("wait", [time.sleep, hold_the_lock],
                             ids=["asleep", "holding the lock"])
    @both
    def test_a_time_out_is_not_delayed(self, run, wait, tmp_path):
        code = """
import pathlib, signal, sys, time
started = time.monotonic()
def end(number, frame):
    pathlib.Path(sys.argv[1]).write_text(str(time.monotonic() - started))
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
print("x", file=sys.stderr, flush=True)
for _ in range(600):
    time.sleep(0.1)
    print("more", file=sys.stderr, flush=True)
"""
        file = tmp_path / "ended"
        begun = time.monotonic()
        slept = []

        def watch(piece):
            if not slept:
                slept.append(piece)
                wait(8)

        result = run(python(code, file), on_stderr=watch, timeout=2)
        assert result.stopped == "timeout"
        ended = float(file.read_text())
        assert ended < 5
        assert time.monotonic() - begun > ended + 1, "the reader was not slow"

    def test_others_have_their_turn_between_events(self):
        turns, seen = [0], []

        async def others():
            while True:
                turns[0] += 1
                await asyncio.sleep(0)

        def watch(piece):
            seen.append(turns[0])
            time.sleep(0.02)

        async def main():
            going = asyncio.ensure_future(others())
            await tw.run(python("import sys\nwhile True: sys.stderr.write('x' * 1000)"), on_stderr=watch, timeout=3)
            going.cancel()

        asyncio.run(main())
        assert len(seen) > 2
        assert len(set(seen)) == len(seen)


@both
class TestAnswers:
    def test_none_is_no_answer(self, run):
        asked = []
        result = run(python(ASKS), answerer=lambda question: asked.append(question.id))
        assert (asked, result.answers["q"]) == (["q"], tw.Answer(state="unavailable", source="policy"))

    def test_what_an_answerer_raises_leaves_nothing(self, run, tmp_path):
        def answer(question):
            raise LookupError(question.id)

        with pytest.raises(LookupError, match="q"):
            run(python(ASKS), answerer=answer)
        assert run(python("print(1)")).stdout == b"1\n"


class TestCancelling:
    @pytest.mark.parametrize("call", [tw.run, tw.list_tools])
    def test_the_tool_may_clean_up(self, call, tmp_path):
        file = tmp_path / "file"

        async def main():
            there = asyncio.Event()
            task = asyncio.ensure_future(call(python(CLEANS, file), on_stderr=lambda piece: there.set()))
            await there.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert file.read_text() == "cleaned"

        asyncio.run(main())

    def test_what_on_stderr_raises_lets_the_tool_clean_up(self, tmp_path):
        def watch(piece):
            raise LookupError

        with pytest.raises(LookupError):
            tw.list_tools_sync(python(CLEANS, tmp_path / "file"), on_stderr=watch)
        assert (tmp_path / "file").read_text() == "cleaned"

    def test_cancelled_before_there_was_a_process(self):
        async def main():
            task = asyncio.ensure_future(tw.run(python(ASKS), answerer=lambda question: True))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(main())

    def test_a_call_that_nobody_waits_for_any_more(self, tmp_path):
        there = []
        call = tw.run(python(CLEANS, tmp_path / "file"), on_stderr=there.append)

        async def main():
            # What an event loop does with a coroutine, but for letting go of it in the middle.
            waiting = call.send(None)
            while not there:
                await asyncio.sleep(0.01)
                waiting = call.send(None) if waiting is None or waiting.done() else waiting
            call.close()

        asyncio.run(main())
        wait_until((tmp_path / "file").exists)

@pytest.fixture
def program(tmp_path):
    """Runs a program that writes the numbers of its tools' processes to stdout, until it ends."""

    def ends(code, number=None, tools=1):
        file = tmp_path / "program.py"
        head = "import asyncio, os, signal, sys, threading, time, toolwire as tw\n" \
            "def show(piece): os.write(1, piece)\n" \
            f"def python(code, *words): return [sys.executable, '-c', code, *words]\n" \
            f"FILE, CLEANS, STUBBORN = {str(tmp_path / 'file')!r}, {CLEANS!r}, {STUBBORN!r}\n"
        file.write_text(head + textwrap.dedent(code))
        with subprocess.Popen([sys.executable, "-I", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            pids = [int(process.stdout.readline()) for _ in range(tools)]
            begun = time.monotonic()
            if number is not None:
                process.send_signal(number)
            error = process.stderr.read().decode()
            process.wait(60)
        took = time.monotonic() - begun
        assert error == ""
        wait_until(lambda: not any(map(is_alive, pids)))
        return process.returncode, took, tmp_path / "file"

    return ends


class TestSignals:
    @pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
    @pytest.mark.parametrize("call", ["tw.run_sync({}, on_stderr=show)", "asyncio.run(tw.run({}, on_stderr=show))"])
    def test_a_tool_may_clean_up(self, program, name, call):
        number = getattr(signal, name)
        code, took, file = program(call.format("python(CLEANS, FILE)") + "\nprint('went on', file=sys.stderr)", number)
        assert (code, file.read_text()) == (-number, "cleaned")
        assert took < 30

    def test_one_that_does_not_want_to_end_is_killed(self, program):
        code, took, _ = program("tw.run_sync(python(STUBBORN), on_stderr=show)", signal.SIGTERM)
        assert code == -signal.SIGTERM
        assert 1.5 < took < 30

    def test_in_another_thread(self, program):
        code, _, file = program(
            """
            threading.Thread(target=tw.run_sync, args=[python(CLEANS, FILE)], kwargs={"on_stderr": show}).start()
            time.sleep(60)
            """,
            signal.SIGTERM,
        )
        assert (code, file.read_text()) == (-signal.SIGTERM, "cleaned")

    def test_when_nothing_goes_on_any_more(self, program):
        code, took, _ = program("tw.run_sync(['true'])\nshow(b'999999\\n')\ntime.sleep(60)", signal.SIGTERM)
        assert code == -signal.SIGTERM
        assert took < 30

    def test_one_that_was_handled_for_a_while(self, program):
        code, _, file = program(
            """
            tw.run_sync(["true"])
            signal.signal(signal.SIGTERM, lambda number, frame: None)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            tw.run_sync(python(CLEANS, FILE), on_stderr=show)
            """,
            signal.SIGTERM,
        )
        assert (code, file.read_text()) == (-signal.SIGTERM, "cleaned")

    def test_none_is_handled_in_python(self):
        numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
        handlers = lambda: [signal.getsignal(number) for number in numbers]  # noqa: E731
        before, seen = handlers(), []
        tw.run_sync(python("import sys; print('x', file=sys.stderr)"), on_stderr=lambda piece: seen.append(handlers()))
        assert seen == [before]
        assert handlers() == before

    def test_one_that_is_set_meanwhile_stays(self, program):
        code, _, file = program(
            """
            def watch(piece):
                signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
                show(piece)
            tw.run_sync(python(CLEANS, FILE), on_stderr=watch)
            """,
            signal.SIGTERM,
        )
        assert (code, file.read_text()) == (7, "cleaned")


@FORKS
class TestForks:
    def test_a_signal_ends_a_fork_at_once_and_none_of_its_parents_tools(self, program):
        code, _, _ = program(
            """
            begun = threading.Event()
            tool = []
            def watch(piece):
                tool.append(int(piece))
                show(piece)
                begun.set()
            threading.Thread(target=tw.run_sync, args=[python(CLEANS, FILE)], kwargs={"on_stderr": watch}, daemon=True).start()
            begun.wait()
            child = os.fork()
            if child == 0:
                time.sleep(60)
            time.sleep(0.2)
            os.kill(child, signal.SIGTERM)
            before = time.monotonic()
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM
            assert time.monotonic() - before < 30
            time.sleep(0.5)
            os.kill(tool[0], 0)
            assert not os.path.exists(FILE)
            """
        )
        assert code == 0

    def test_the_call_of_the_parent_says_so_in_the_child(self, program):
        code, _, _ = program(
            """
            child = []
            def watch(piece):
                child.append(os.fork())
                if child[-1]:
                    show(piece)
                    assert os.waitstatus_to_exitcode(os.waitpid(child[-1], 0)[1]) == 6
                    raise LookupError
            try:
                tw.run_sync(python(STUBBORN), on_stderr=watch)
            except RuntimeError as error:
                assert "fork" in str(error), error
                os._exit(6)
            except LookupError:
                assert child[-1]
            """
        )
        assert code == 0

    @pytest.mark.parametrize("way", ["fork", "forkserver", "spawn"])
    def test_processes_of_multiprocessing_have_tools_of_their_own(self, program, way):
        code, _, _ = program(
            f"""
            import multiprocessing
            def work(number):
                return tw.run_sync([sys.executable, "-c", f"print({{number}})"]).stdout
            if __name__ == "__main__":
                show(b"999999\\n")
                tw.run_sync(["true"])
                with multiprocessing.get_context({way!r}).Pool(2) as pool:
                    assert pool.map(work, range(4)) == [b"0\\n", b"1\\n", b"2\\n", b"3\\n"]
            """
        )
        assert code == 0

    def test_forks_in_the_middle_of_calls(self, program):
        """A fork that happens at any moment of its parent's calls can begin its own, and end."""
        code, took, _ = program(
            """
            show(b"999999\\n")
            # Python itself can't fork while another thread imports.
            tw.run_sync(["true"])
            stop = False
            def busy():
                while not stop:
                    tw.run_sync(["true"], on_stderr=print)
            threads = [threading.Thread(target=busy) for _ in range(4)]
            for thread in threads:
                thread.start()
            for _ in range(60):
                child = os.fork()
                if child == 0:
                    assert tw.run_sync(["true"]).exit_code == 0
                    os._exit(0)
                assert os.waitpid(child, 0)[1] == 0
            stop = True
            """
        )
        assert code == 0


class TestTheEndOfTheInterpreter:
    @pytest.mark.parametrize("call", ["tw.run_sync({}, on_stderr=watch)", "asyncio.run(tw.run({}, on_stderr=watch))"])
    def test_tools_end_with_it(self, program, call):
        code, took, file = program(
            f"""
            begun = threading.Event()
            def watch(piece):
                show(piece)
                begun.set()
            def work():
                {call.format("python(CLEANS, FILE)")}
            threading.Thread(target=work, daemon=True).start()
            begun.wait()
            sys.exit(3)
            """
        )
        assert (code, file.read_text()) == (3, "cleaned")
        assert took < 30

    def test_it_does_not_wait_for_ever(self, program):
        code, took, _ = program(
            """
            begun = threading.Event()
            def watch(piece):
                show(piece)
                begun.set()
            threading.Thread(target=tw.run_sync, args=[python(STUBBORN)], kwargs={"on_stderr": watch}, daemon=True).start()
            begun.wait()
            sys.exit(3)
            """
        )
        assert code == 3
        assert took < 30


@LINUX
class TestResources:
    def threads(self):
        return [pathlib.Path(f"/proc/self/task/{task}/comm").read_text().strip() for task in os.listdir("/proc/self/task")]

    def test_many_calls_at_once_use_no_thread_each(self):
        most = []

        async def main():
            async def look():
                while True:
                    most.append(len(self.threads()))
                    await asyncio.sleep(0.02)

            looking = asyncio.ensure_future(look())
            code = "import sys, time; print('x', file=sys.stderr); time.sleep(0.3)"
            results = await asyncio.gather(*[tw.run(["python3", "-c", code], on_stderr=lambda piece: None) for _ in range(50)])
            looking.cancel()
            return results

        before = len(self.threads())
        assert {result.exit_code for result in asyncio.run(main())} == {0}
        assert max(most) <= before + 4

    def test_a_thousand_runs_leave_nothing(self):
        def files():
            return len(os.listdir("/proc/self/fd"))

        def memory():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        async def some(count):
            for _ in range(count):
                await tw.run("true", on_stderr=print)

        def round(count):
            for _ in range(count):
                assert tw.run_sync("true").exit_code == 0
            asyncio.run(some(count))

        round(50)
        before, memory_before = files(), memory()
        alone = len(self.threads())
        round(500)
        assert files() == before
        # The driver's thread, and one that tells of events and is given up when it has had nothing to do.
        deadline = time.monotonic() + 60
        while len(self.threads()) > alone or self.threads().count("toolwire") > 2:
            assert time.monotonic() < deadline, self.threads()
            time.sleep(0.05)
        assert memory() - memory_before < 4 * 1024 * 1024
        children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children")
        assert not children.exists() or children.read_text() == ""
