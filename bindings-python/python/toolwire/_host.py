"""Running tools from Python: `run` and `list_tools`, and the same for programs that are not async."""

import atexit
import time

from ._signals import Guard
from ._toolwire import Answer, Asking, Exchange, Process, Program, end_all, read_call, read_description

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal, NoReturn, Optional

    from typing_extensions import TypeAlias

    from ._toolwire import Diagnostic, Parsed
    from .types import ToolDocument

    Path: TypeAlias = "str | PathLike[str]"
    Command: TypeAlias = "Path | Sequence[Path]"
    Action: TypeAlias = 'Literal["run", "format_arguments"]'
    End: TypeAlias = (
        'Literal["answered", "repeated", "insisted", "ambiguous", "bad_question", "bad_given", "unanswered", '
        '"too_many_rounds", "cancelled"]'
    )
    OnStderr: TypeAlias = "Optional[Callable[[bytes], object]]"
    Stopped: TypeAlias = 'Literal["timeout", "cancelled", "stdout_limit", "result_limit"]'
    Unanswered: TypeAlias = 'Literal["ask", "defaults", "decline", "fail"]'

# A run that is not over when the interpreter ends is ended with it.
atexit.register(end_all)

# So often a program that waits for a tool looks for Ctrl-C, in seconds; the end of a tool wakes it.
TICK = 0.05


class RunResult:
    """What a call of a tool came to. Made by `run` and `run_sync`.

    >>> import toolwire as tw
    >>> result = tw.run_sync(['python3', '-c', 'print("hello")'])
    >>> result.parsed.envelope.content[0].text, result.exit_code, result.rounds
    ('hello\\n', 0, 1)
    """

    __slots__ = {
        "parsed": "The result: the tool's last answer, or the error envelope that stands for it.",
        "answers": "What became of each question, by its id.",
        "rounds": "How often the tool was run.",
        "end": "Why the call came to its end: `answered`, or what was wrong with a question.",
        "diagnostics": "What is to be said of the questions: defaults that do not fit, questions for secrets.",
        "stdout": "What the last run wrote to stdout; its log, if it answered by the result channel.",
        "stderr": "The end of what the last run wrote to stderr.",
        "stopped": "Why the last run was stopped; None if it ended by itself.",
        "exit_code": "The last run's exit status; None if a signal ended it.",
        "signal": "The signal that ended the last run, or None.",
        "elapsed": "From the first start to the result in seconds, the time for answers included.",
    }

    parsed: "Parsed"
    answers: "dict[str, Answer]"
    rounds: int
    end: "End"
    diagnostics: "list[Diagnostic]"
    stdout: bytes
    stderr: bytes
    stopped: "Stopped | None"
    exit_code: "int | None"
    signal: "int | None"
    elapsed: float

    def __init__(self, **members: "Any") -> None:
        for name, value in members.items():
            setattr(self, name, value)

    @property
    def is_error(self) -> bool:
        """Whether the tool reports an error, or the host does in its place."""
        return self.parsed.is_error

    def __repr__(self) -> str:
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        return f"<toolwire.RunResult {self.end} after {rounds}: {self.parsed!r}>"


class Listed:
    """What a program says of its tools. Made by `list_tools` and `list_tools_sync`.

    >>> import toolwire as tw
    >>> listed = tw.list_tools_sync(['python3', '-c', 'print("hello")'])
    >>> listed.tools is None, listed.result.stdout
    (True, b'hello\\n')
    """

    __slots__ = {
        "tools": "Its tools, as dicts in MCP's shape; None if it does not know the protocol, or failed.",
        "result": "What the run came to: without tools, the job that the program has done instead.",
    }

    tools: "list[ToolDocument] | None"
    result: RunResult

    def __init__(self, tools: "list[ToolDocument] | None", result: RunResult) -> None:
        self.tools = tools
        self.result = result

    def __repr__(self) -> str:
        told = self.result.parsed if self.tools is None else [tool["name"] for tool in self.tools]
        return f"<toolwire.Listed {told!r}>"


class _Call:
    """One call with all its runs and questions; who runs and who answers is for the two forms."""

    __slots__ = ("exchange", "last", "started")

    def __init__(
        self, tool: str, arguments: "Any", options: "Any", root: "Any", action: str, **keywords: "Any"
    ) -> None:
        document: "dict[str, Any]" = {
            "tool": {
                "name": tool,
                "arguments": {} if arguments is None else arguments,
                "options": {} if options is None else options,
            },
            "context": {"action": action},
        }
        if root is not None:
            document["context"]["root"] = root.__fspath__() if hasattr(root, "__fspath__") else root
        self.exchange = Exchange(read_call(document), **keywords)
        self.started = time.monotonic()
        self.last: "Any" = None

    def ended(self, process: "Process") -> None:
        self.last = process.result()
        self.exchange.received(self.last[0])

    def result(self) -> RunResult:
        return _left(self.last, self.started, **self.exchange.finish())


def _left(last: "Any", started: float, **exchanged: "Any") -> RunResult:
    """What there is after the last run."""
    _, stdout, stderr, stopped, exit_code, signal = last
    return RunResult(
        **exchanged,
        stdout=stdout,
        stderr=stderr,
        stopped=stopped,
        exit_code=exit_code,
        signal=signal,
        elapsed=time.monotonic() - started,
    )


def _answer(given: "Any") -> Answer:
    if isinstance(given, Answer):
        return given
    # Nothing is what a function gives that has no answer. JSON's null is `Answer(None)`.
    return Answer(state="unavailable", source="policy") if given is None else Answer(given)


async def run(
    program: "Command",
    tool: "str | None" = None,
    arguments: "Mapping[str, Any] | None" = None,
    *,
    answerer: "Callable[[Asking], Any | Awaitable[Any]] | None" = None,
    given: "Mapping[str, Any] | None" = None,
    unanswered: "Unanswered | None" = None,
    refusals: "Mapping[str, Mapping[str, str]] | None" = None,
    host: "str | None" = None,
    options: "Mapping[str, Any] | None" = None,
    root: "Path | None" = None,
    action: "Action" = "run",
    timeout: "float | None" = None,
    max_output: "int | None" = None,
    limits: "Mapping[str, int] | None" = None,
    max_rounds: "int | None" = None,
    max_tries: "int | None" = None,
    cwd: "Path | None" = None,
    env: "Mapping[str, str] | None" = None,
    clean_env: bool = False,
    on_stderr: "OnStderr" = None,
) -> RunResult:
    """Call a tool, have its questions answered, and read what it says.

    `program` is a file or a name on the `PATH`, or a list of it and its own arguments; there is no
    shell. `tool` is which of its tools is called, with `arguments`; a program without tools needs
    neither.

    `answerer` is called with an `Asking` for each question, and gives the value, or an `Answer` that
    says more, or None if there is no answer; it may be async. What does not fit the question's schema
    is asked for again, with what was wrong in `asking.mismatches`, `max_tries` times at most (3), and
    a tool is run `max_rounds` times at most (16). Without an answerer, questions are unavailable.
    `given` has answers that are known beforehand, by id; `unanswered` says what becomes of all others:
    `'ask'`, `'defaults'`, `'decline'` or `'fail'`. A question for a secret reaches nobody. `host` is
    your program's name, for what people are told where there is no answer; `refusals` says what they
    can do then, by id or under `'*'`, with `service`, `oauth`, `url`, `up_front` and `app_passwords`
    as for `refusal`.

    `options` and `root` go into the call; `timeout`, in seconds, and `max_output`, in bytes, hold for
    each run of the tool. `limits` are those of `parse`, as in `{'max_depth': 20}`, for reading its
    answer. It gets the variables that a program needs to find its way and those in `env`;
    with `clean_env` only the latter. `on_stderr` is called, on the loop, with what comes on stderr, as
    bytes that may begin and end inside of a character; if the loop falls far behind, the oldest bytes
    are left out.

    Whatever the tool does is a result. What keeps it from being run is a `HostError`; what `answerer`
    and `on_stderr` raise ends the tool and comes out of here. Cancelling the task ends the tool and
    waits for its end: it is asked to end first, and killed after two seconds. A signal that ends this
    program (SIGTERM, SIGHUP) ends the tool first, unless the program deals with that signal itself or
    runs the tool outside of its main thread.

    >>> import asyncio, toolwire as tw
    >>> result = asyncio.run(tw.run(['python3', '-c', 'print("hello")']))
    >>> result.parsed.envelope.content[0].text
    'hello\\n'
    """
    native = Program(
        program,
        cwd=cwd,
        env=env,
        clean_env=clean_env,
        timeout=timeout,
        max_output=max_output,
        limits=limits,
        watch_stderr=on_stderr is not None,
    )
    call = _Call(
        native.name if tool is None else tool, arguments, options, root, action,
        host=host, max_rounds=max_rounds, max_tries=max_tries, given=given, unanswered=unanswered,
        refusals=refusals,
    )  # fmt: skip
    while True:
        step = call.exchange.step()
        if isinstance(step, str):
            call.ended(await _ended(native, step, on_stderr))
        elif step is None:
            return call.result()
        else:
            answer = answerer(step) if answerer is not None else None
            if answer is not None and hasattr(answer, "__await__"):
                answer = await answer
            call.exchange.answered(step.id, _answer(answer))


def run_sync(
    program: "Command",
    tool: "str | None" = None,
    arguments: "Mapping[str, Any] | None" = None,
    *,
    answerer: "Callable[[Asking], Any] | None" = None,
    given: "Mapping[str, Any] | None" = None,
    unanswered: "Unanswered | None" = None,
    refusals: "Mapping[str, Mapping[str, str]] | None" = None,
    host: "str | None" = None,
    options: "Mapping[str, Any] | None" = None,
    root: "Path | None" = None,
    action: "Action" = "run",
    timeout: "float | None" = None,
    max_output: "int | None" = None,
    limits: "Mapping[str, int] | None" = None,
    max_rounds: "int | None" = None,
    max_tries: "int | None" = None,
    cwd: "Path | None" = None,
    env: "Mapping[str, str] | None" = None,
    clean_env: bool = False,
    on_stderr: "OnStderr" = None,
) -> RunResult:
    """Call a tool as `run` does; the thread waits, and Ctrl-C ends the tool.

    `answerer` and `on_stderr` are called on the same thread.

    >>> import toolwire as tw
    >>> script = '''import sys, json
    ... answers = json.load(sys.stdin)['tool']['answers']
    ... ask = {'type': 'question', 'question': {'id': 'who', 'text': 'Who?', 'schema': {'type': 'string'}}}
    ... print('Hello ' + answers['who'] if answers else json.dumps({'content': [ask]}))'''
    >>> result = tw.run_sync(['python3', '-c', script], answerer=lambda asking: 'Ada')
    >>> result.parsed.envelope.content[0].text, result.rounds
    ('Hello Ada\\n', 2)
    """
    native = Program(
        program,
        cwd=cwd,
        env=env,
        clean_env=clean_env,
        timeout=timeout,
        max_output=max_output,
        limits=limits,
        watch_stderr=on_stderr is not None,
    )
    call = _Call(
        native.name if tool is None else tool, arguments, options, root, action,
        host=host, max_rounds=max_rounds, max_tries=max_tries, given=given, unanswered=unanswered,
        refusals=refusals,
    )  # fmt: skip
    while True:
        step = call.exchange.step()
        if isinstance(step, str):
            call.ended(_ended_sync(native, step, on_stderr))
        elif step is None:
            return call.result()
        else:
            answer = answerer(step) if answerer is not None else None
            if hasattr(answer, "__await__"):
                _refuse_async(answer)
            call.exchange.answered(step.id, _answer(answer))


async def list_tools(
    program: "Command",
    *,
    timeout: "float | None" = None,
    max_output: "int | None" = None,
    limits: "Mapping[str, int] | None" = None,
    cwd: "Path | None" = None,
    env: "Mapping[str, str] | None" = None,
    clean_env: bool = False,
    on_stderr: "OnStderr" = None,
) -> Listed:
    """Ask a program which tools it holds.

    A program that does not know the protocol does its job instead, so only ask one that a person has
    named as a tool; `tools` is None then, and `result` is that of the job. What says that it is a
    description and is none is a `ToolwireError`. The other parameters are those of `run`.

    >>> import asyncio, toolwire as tw
    >>> listed = asyncio.run(tw.list_tools(['python3', '-c', 'print("hello")']))
    >>> listed.tools is None, listed.result.exit_code
    (True, 0)
    """
    native = Program(
        program,
        cwd=cwd,
        env=env,
        clean_env=clean_env,
        timeout=timeout,
        max_output=max_output,
        limits=limits,
        watch_stderr=on_stderr is not None,
    )
    started = time.monotonic()
    return _listed(await _ended(native, _DESCRIBE, on_stderr), started)


def list_tools_sync(
    program: "Command",
    *,
    timeout: "float | None" = None,
    max_output: "int | None" = None,
    limits: "Mapping[str, int] | None" = None,
    cwd: "Path | None" = None,
    env: "Mapping[str, str] | None" = None,
    clean_env: bool = False,
    on_stderr: "OnStderr" = None,
) -> Listed:
    """Ask a program which tools it holds, as `list_tools` does; the thread waits.

    >>> import toolwire as tw
    >>> tools = [{'name': 'now', 'inputSchema': {'type': 'object'}}]
    >>> script = f'import toolwire as tw; print(tw.describe({tools}))'
    >>> import sys
    >>> tw.list_tools_sync([sys.executable, '-c', script]).tools == tools
    True
    """
    native = Program(
        program,
        cwd=cwd,
        env=env,
        clean_env=clean_env,
        timeout=timeout,
        max_output=max_output,
        limits=limits,
        watch_stderr=on_stderr is not None,
    )
    started = time.monotonic()
    return _listed(_ended_sync(native, _DESCRIBE, on_stderr), started)


def _listed(process: "Process", started: float) -> Listed:
    last = process.result()
    parsed = last[0]
    result = _left(last, started, parsed=parsed, answers={}, rounds=1, end="answered", diagnostics=[])
    return Listed(read_description(parsed), result)


_DESCRIBE = str(read_call({"tool": {}, "context": {"action": "describe"}}))


async def _ended(program: "Program", document: str, on_stderr: "OnStderr") -> "Process":
    """One run, to its end, whatever happens to the task meanwhile."""
    from asyncio import CancelledError, get_running_loop, wait
    from contextvars import copy_context
    from functools import partial

    loop = get_running_loop()
    end = loop.create_future()
    problems: "list[BaseException]" = []

    def wake() -> None:
        ended = process.ended
        piece = process.stderr()
        if piece and on_stderr is not None and not problems:
            try:
                on_stderr(piece)
            except Exception as problem:
                problems.append(problem)
                process.cancel()
        if ended and not end.done():
            end.set_result(None)

    cancelled = None
    with Guard():
        process = program.start(document, partial(loop.call_soon_threadsafe, wake, context=copy_context()))
        while not end.done():
            try:
                await wait([end])
            except CancelledError as error:
                # The task ends when the tool has: that is a matter of two seconds at most.
                cancelled = error
                process.cancel()
    if cancelled is not None:
        raise cancelled
    if problems:
        raise problems[0]
    return process


def _ended_sync(program: "Program", document: str, on_stderr: "OnStderr") -> "Process":
    with Guard():
        process = program.start(document)
        try:
            ended = False
            while not ended:
                # A signal is seen by Python between two waits.
                process.wait(TICK)
                ended = process.ended
                piece = process.stderr()
                if piece and on_stderr is not None:
                    on_stderr(piece)
        except BaseException:
            process.cancel()
            process.join()
            raise
    return process


def _refuse_async(answer: "Any") -> "NoReturn":
    if hasattr(answer, "close"):
        answer.close()
    raise TypeError("`answerer` is async, which needs `await run(…)`; `run_sync` takes a plain function")
