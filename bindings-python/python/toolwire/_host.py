"""Running tools from Python: `run` and `list_tools`, and the same for programs that are not async."""

import atexit
import os
import signal

from . import _options
from ._blocking import at_once
from ._toolwire import Conversation, Message, PendingQuestion, Progress, after_fork, call, shutdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any, Literal

    from typing_extensions import TypeAlias, Unpack

    from ._options import Command, ListToolsOptions, RunOptions
    from ._toolwire import Answer, Diagnostic, Parsed
    from .types import ToolDocument

    # One string, since type checkers do not join them.
    End: TypeAlias = """Literal[
        "answered", "repeated", "answer_required", "ambiguous", "bad_question", "bad_given", "unanswered",
        "too_many_rounds", "cancelled",
    ]"""
    Next: TypeAlias = Callable[[], Awaitable[Any]]
    Settle: TypeAlias = Callable[[str, Any], Awaitable[Any]]
    View: TypeAlias = Callable[[Conversation], tuple[Next, Settle]]
    Stopped: TypeAlias = 'Literal["timeout", "cancelled", "stdout_limit", "result_limit"]'

# A call that is not over when the interpreter ends is ended with it.
atexit.register(shutdown)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=after_fork)

# What ends this program, and is passed on to its tools, unless somebody handles it.
DEADLY = [getattr(signal, name) for name in ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _unhandled() -> "list[int]":
    """Those of them that nobody handles."""
    return [number for number in DEADLY if signal.getsignal(number) == signal.SIG_DFL]


def _tell(loop: "AbstractEventLoop", what: "Callable[[], object]") -> None:
    """Has something done on an event loop, from any thread."""
    try:
        loop.call_soon_threadsafe(what)
    except RuntimeError:
        # The loop is closed, and nobody waits.
        pass


class RunResult:
    """The result of a call of a tool. Made by `run` and `run_sync`.

    >>> import toolwire as tw
    >>> result = tw.run_sync(['python3', '-c', 'print("hello")'])
    >>> result.parsed.envelope.content[0].text, result.exit_code, result.rounds
    ('hello\\n', 0, 1)
    """

    __slots__ = {
        "parsed": "The tool's last answer, or the error envelope in its place.",
        "answers": "The answers to the questions, by id.",
        "rounds": "The number of runs of the tool.",
        "end": "Why the call ended: `answered`, or what was wrong with a question.",
        "diagnostics": "Diagnostics about questions: defaults and answers that do not fit, questions for secrets.",
        "stdout": "The stdout of the last run; a log, if the tool answered through the result channel.",
        "stderr": "The end of the stderr of the last run.",
        "stopped": "Why the last run was stopped; None if it ended by itself.",
        "exit_code": "The last run's exit status; None if a signal ended it, or if there was no run.",
        "signal": "The signal that ended the last run, or None.",
        "elapsed": "Seconds from the first start to the result, including the time for answers.",
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
        """Whether the result is an error, from the tool or from the host."""
        return self.parsed.is_error

    def __repr__(self) -> str:
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        return f"<toolwire.RunResult {self.end} after {rounds}: {self.parsed!r}>"


class ToolList:
    """The tools of a program. Made by `list_tools` and `list_tools_sync`.

    >>> import toolwire as tw
    >>> listed = tw.list_tools_sync(['python3', '-c', 'print("hello")'])
    >>> listed.tools is None, listed.result.stdout
    (True, b'hello\\n')
    """

    __slots__ = {
        "tools": "The tools, as dicts in MCP's form; None if the program does not know the protocol.",
        "result": "The result of the run. Without tools, it is that of the program's usual work.",
    }

    tools: "list[ToolDocument] | None"
    result: RunResult

    def __init__(self, tools: "list[ToolDocument] | None", result: RunResult) -> None:
        self.tools = tools
        self.result = result

    def __repr__(self) -> str:
        told = self.result.parsed if self.tools is None else [tool["name"] for tool in self.tools]
        return f"<toolwire.ToolList {told!r}>"


async def run(
    program: "Command",
    tool: "str | None" = None,
    arguments: "Mapping[str, Any] | None" = None,
    **options: "Unpack[RunOptions]",
) -> RunResult:
    """Call a tool, get its questions answered, and return its result.

    `program` is a file, a name on the `PATH`, or a list of it and its own arguments; no shell is
    involved. `tool` is the tool to call, with `arguments`; a program without tools needs neither.

    `answerer` is called with a `PendingQuestion` for each question. It returns the value, an `Answer`, or
    None if there is no answer; it can be async. If the value does not fit the question's schema, the
    question is asked again, with the reasons in `question.mismatches`, for at most `max_tries` wrong
    answers (3). The tool is run at most `max_rounds` times (16). Without an answerer, questions are
    unavailable. `given` holds answers that are known beforehand, by question id; `unanswered` says what
    happens to all other questions: `'ask'`, `'defaults'`, `'decline'` or `'fail'`. A question that declares
    a secret reaches nobody. `host` is the name of your program in texts for people. `refusals` says what
    people can do if there is no answer, by question id or under `'*'`, with `service`, `oauth`, `url`,
    `up_front` and `app_passwords` as for `refusal`.

    `options` and `root` are parts of the call. `timeout`, in seconds, and `max_output`, in bytes, apply to
    each run of the tool. `limits` are the limits of `parse`, such as `{'max_depth': 20}`, for reading its
    answer. `inherit` says which of your environment variables the tool gets: `'standard'`, those that
    programs need, without your keys and tokens; `'all'`; or a list of names, in which `'standard'` stands
    for the standard ones, as in `['standard', 'GITHUB_TOKEN']`. `env` sets others in addition. `on_stderr`
    gets stderr live, as bytes that may begin and end inside a character; it can be async. The tool waits
    while more than a megabyte has not been taken yet; its time limit keeps running. `on_progress` and
    `on_log` get what the tool says with `progress` and `log` while it runs; they can be async too. The
    tool does not wait for them: while one is slow, progress is replaced by the next, and of many log
    messages the oldest are left out.

    Whatever the tool does, this returns a result. If the tool cannot be run, it raises `HostError`. An
    exception of `answerer`, `on_stderr`, `on_progress` or `on_log` stops the tool and is passed on.
    Cancelling the task stops the tool and waits for its end: it is asked to end, and killed after two
    seconds. A signal that ends this program (SIGTERM, SIGHUP, SIGQUIT) stops the tool first, unless the
    program handles that signal itself. If this program is killed, its tools are killed too.

    >>> import asyncio, toolwire as tw
    >>> result = asyncio.run(tw.run(['python3', '-c', 'print("hello")']))
    >>> result.parsed.envelope.content[0].text
    'hello\\n'
    """
    given = {"tool": tool, "arguments": arguments, **_options.run(**options)}
    return RunResult(**await _converse(program, given, _on_the_loop))


def run_sync(
    program: "Command",
    tool: "str | None" = None,
    arguments: "Mapping[str, Any] | None" = None,
    **options: "Unpack[RunOptions]",
) -> RunResult:
    """Call a tool as `run` does, but block the thread. Ctrl-C stops the tool.

    `answerer`, `on_stderr`, `on_progress` and `on_log` are called on the same thread.

    >>> import toolwire as tw
    >>> script = '''import sys, json
    ... answers = json.load(sys.stdin)['tool']['answers']
    ... ask = {'type': 'question', 'question': {'id': 'who', 'text': 'Who?', 'schema': {'type': 'string'}}}
    ... print('Hello ' + answers['who'] if answers else json.dumps({'content': [ask]}))'''
    >>> result = tw.run_sync(['python3', '-c', script], answerer=lambda question: 'Ada')
    >>> result.parsed.envelope.content[0].text, result.rounds
    ('Hello Ada\\n', 2)
    """
    given = {"tool": tool, "arguments": arguments, **_options.run(**options)}
    return RunResult(**at_once(_converse(program, given, _in_this_thread)))


async def list_tools(program: "Command", **options: "Unpack[ListToolsOptions]") -> ToolList:
    """Ask a program which tools it holds.

    A program that does not know the protocol does its usual work instead; `tools` is then None, and
    `result` is the result of that. So only ask a program that a person has named as a tool. A program that
    fails or is stopped raises `HostError` with the code `describe_failed`: its message ends with the
    program's last words, and `result` is the result of the run. An invalid description raises
    `ToolwireError`. The other parameters are those of `run`.

    >>> import asyncio, toolwire as tw
    >>> listed = asyncio.run(tw.list_tools(['python3', '-c', 'print("hello")']))
    >>> listed.tools is None, listed.result.exit_code
    (True, 0)
    """
    return _listed(await _converse(program, _options.list_tools(**options), _on_the_loop, True))


def list_tools_sync(program: "Command", **options: "Unpack[ListToolsOptions]") -> ToolList:
    """Ask a program which tools it holds, as `list_tools` does, but block the thread.

    >>> import toolwire as tw
    >>> tools = [{'name': 'now', 'inputSchema': {'type': 'object'}}]
    >>> script = f'import toolwire as tw; print(tw.wire.describe({tools}))'
    >>> import sys
    >>> tw.list_tools_sync([sys.executable, '-c', script]).tools == tools
    True
    """
    return _listed(at_once(_converse(program, _options.list_tools(**options), _in_this_thread, True)))


def _listed(members: "dict[str, Any]") -> ToolList:
    failure = members.pop("failure", None)
    result = RunResult(**members)
    if failure is not None:
        failure.result = result
        raise failure
    return ToolList(call("read_description", (result.parsed,)), result)


async def _converse(
    program: "Any", options: "dict[str, Any]", view: "View", describes: bool = False
) -> "dict[str, Any]":
    """Begins a call and deals with its events until there is a result: the members of a `RunResult`."""
    answerer, on_stderr = options.get("answerer"), options["on_stderr"]
    on_progress, on_log = options.get("on_progress"), options.get("on_log")
    conversation = Conversation(program, options, _unhandled(), describes)
    next_event, settled = view(conversation)
    try:
        while True:
            event = await next_event()
            if isinstance(event, PendingQuestion):
                answer = answerer(event) if answerer is not None else None
                conversation.answer(event.id, await settled("answerer", answer))
            elif isinstance(event, bytes):
                await settled("on_stderr", on_stderr(event))
            elif isinstance(event, Progress):
                if on_progress is not None:
                    await settled("on_progress", on_progress(event))
            elif isinstance(event, Message):
                if on_log is not None:
                    await settled("on_log", on_log(event))
            else:
                return event  # type: ignore[no-any-return]
    except GeneratorExit:
        # Nobody waits any more, which ends the call too.
        raise
    except BaseException:
        conversation.cancel()
        # That is a matter of two seconds, so who is impatient meanwhile waits as well.
        while not conversation.is_over:
            try:
                await next_event()
            except GeneratorExit:
                raise
            except BaseException:
                continue
        raise


def _on_the_loop(conversation: Conversation) -> "tuple[Next, Settle]":
    """Waits as other tasks do."""
    from asyncio import Event, get_running_loop, sleep
    from functools import partial

    news = Event()
    conversation.on_event(partial(get_running_loop().call_soon_threadsafe, news.set))

    async def next_event() -> "Any":
        # One event each turn, or a tool that says much would leave others none.
        await sleep(0)
        while (event := conversation.try_next()) is None:
            news.clear()
            await news.wait()
        return event

    async def settled(name: str, value: "Any") -> "Any":
        return await value if hasattr(value, "__await__") else value

    return next_event, settled


def _in_this_thread(conversation: Conversation) -> "tuple[Next, Settle]":
    """Waits without a loop: what is awaited here never is something that others could do meanwhile."""

    async def next_event() -> "Any":
        return conversation.next()

    async def settled(name: str, value: "Any") -> "Any":
        if not hasattr(value, "__await__"):
            return value
        if hasattr(value, "close"):
            value.close()
        raise TypeError(f"`{name}` is async, which needs `await run(…)`; `run_sync` takes a plain function")

    return next_event, settled
