"""Serving the functions of this program, and programs beside them, to MCP clients."""

import sys
from contextvars import copy_context
from functools import cache

from . import _options, _run, author
from ._context import Called
from ._current import current
from ._host import _tell, _unhandled
from ._stdout import complain, flush, hold_stdout
from ._toolwire import Envelope, OpenCall, Serving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from typing_extensions import Unpack

    from ._options import Command, ServeOptions
    from ._toolwire import Functions
    from .author import Tool


async def serve(*tools: "Tool[..., Any] | Command", **options: "Unpack[ServeOptions]") -> None:
    """Serve tools to MCP clients: functions of this program, and programs on disk beside them.

    Each of `tools` is a function with the decorator `tool`, the path of a program, or a list of a program and
    its arguments. Without any, and without a `manifest`, all functions are served that this program has
    defined or imported. Two tools of one name are refused; `prefix` puts the name of each program before those
    of its tools, and `only` and `exclude` choose tools by the names that clients see, or by patterns such as `'git_*'`.

    The server speaks over stdin and stdout, until its client leaves, or over HTTP at the address `http`, such
    as `'127.0.0.1:8080'`, until the task is cancelled or a signal ends it (SIGTERM, SIGHUP, unless the program
    handles it itself). `on_serving` is called with the URL (or with None, for stdio); otherwise the URL is
    written to stderr. An address that others can reach needs `tokens`, a file with a principal, `:` and a
    token on each line, or `no_token`; on the loopback, a token is made that `toolwire` and these libraries find
    if the same user runs them; `hosts` and `origins` name more hosts and web pages
    that may reach it. `state_keys` is a file with the keys that seal what clients hold between two rounds.

    An async function runs on this event loop; any other one runs in a thread of its own, so that it must be
    safe to call twice at once. At most `jobs` (32) tools run at once, and `queue` (256) calls wait. A function
    that is called twice for a question, as in a program of its own, gets the answer at the second time. When a
    call is given up, an async function is cancelled, and another one sees `Context.cancelled`. `timeout` is
    the time limit of each run in seconds. Over stdio, what is printed goes to stderr, since stdout is for
    messages.

    With more than `search_above` tools, clients are shown one to search them and one to call what was found;
    with `plain_schemas`, they are shown schemas without references and keywords of a dialect. Of a result with
    more than `keep_results` bytes of text, a client gets the beginning, and a tool to read and search the rest.

    `root`, `cwd`, `inherit`, `env` and `max_output` are for programs: `inherit` is all variables unless you
    say otherwise. A server that can't be started raises `HostError`.

    >>> import asyncio, toolwire as tw
    >>> @tw.tool
    ... async def now() -> str:
    ...     return 'noon'
    >>> async def once():
    ...     url = asyncio.get_running_loop().create_future()
    ...     serving = asyncio.ensure_future(tw.serve(now, http='127.0.0.1:0', on_serving=url.set_result))
    ...     async with tw.connect(await url) as client:
    ...         result = await client.call('now')
    ...     serving.cancel()
    ...     return result.parsed.envelope.content[0].text
    >>> asyncio.run(once())
    'noon'
    """
    from asyncio import Event, get_running_loop

    arguments = _options.serve(**options)
    functions = [one for one in tools if isinstance(one, author.Tool)]
    programs = [one for one in tools if not isinstance(one, author.Tool)]
    if not tools and arguments["manifest"] is None:
        functions = list(author._tools)
    author._answers = True
    loop = get_running_loop()
    calls = _Calls(functions, loop)
    if functions and arguments["http"] is None:
        hold_stdout()
    serving = Serving(programs, arguments, bool(functions))
    if functions:
        serving.on_call(lambda: calls.take(serving))
    over = Event()
    serving.ending.on_end(lambda: _tell(loop, over.set))
    caught = list(_catch(loop, serving.stop))
    try:
        if arguments["on_serving"] is not None:
            arguments["on_serving"](serving.url)
        elif serving.url is not None:
            complain(f"toolwire: serving at {serving.url}\n")
        await over.wait()
    except BaseException:
        serving.stop()
        try:
            await over.wait()
        except BaseException:
            # Whoever asks twice does not want to wait.
            serving.ending.cancel()
        raise
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
            _signals.discard(number)
    serving.ending.take()


def serve_sync(*tools: "Tool[..., Any] | Command", **options: "Unpack[ServeOptions]") -> None:
    """Serve tools as `serve` does, but block the thread, in which an event loop runs for async functions.
    Ctrl-C ends the server, and raises KeyboardInterrupt.

    >>> import sys, toolwire as tw
    >>> script = '''import toolwire as tw
    ... @tw.tool
    ... def double(number: int) -> int:
    ...     return 2 * number
    ... tw.serve_sync(double)'''
    >>> with tw.connect_sync([sys.executable, '-c', script]) as client:
    ...     client.call('double', {'number': 21}).parsed.structured_content
    {'result': 42}
    """
    import asyncio

    if options.get("http") is None:
        # What a loop logs at its start belongs to no client either.
        hold_stdout()
    asyncio.run(serve(*tools, **options))


class _Calls:
    """The functions that are served, and what becomes of their calls."""

    def __init__(self, tools: "Sequence[Tool[..., Any]]", loop: "AbstractEventLoop | None") -> None:
        self.tools = tools
        self.names = [tool.name for tool in tools]
        for place, name in enumerate(self.names):
            if name in self.names[:place]:
                raise ValueError(f"two tools have the name `{name}`; give one another with `@tool(name=...)`")
        self.loop = loop
        self.context = copy_context()

    def take(self, serving: "Serving | Functions") -> None:
        """Begins the calls that wait, each in a thread: one that hangs keeps nobody from ending."""
        from threading import Thread

        while (call := serving.next_call()) is not None:
            context = self.context.copy()
            context.run(current.set, call)
            Thread(target=context.run, args=(self.work, call), name="toolwire call", daemon=True).start()

    def work(self, call: "OpenCall") -> None:
        """Answers a call as a program of its own would."""
        from concurrent.futures import CancelledError

        turn = call.open(self.names)
        if isinstance(turn, Envelope):
            return call.answer(turn)
        try:
            answer = _run.respond(turn, self.tools, self.names, lambda kind: kind._of(turn, call), self.finished)
        except BaseException as problem:
            # Nobody waits for an answer to a call that was given up.
            given_up = call.is_cancelled and isinstance(problem, CancelledError)
            answer = turn.finish("nothing") if given_up else _run.failed(turn, problem)
        flush()
        call.answer(answer)

    def finished(self, result: "Any", context: Called) -> "Any":
        """What a function gives in the end: a coroutine runs on the loop of the server, or else on one of its own."""
        kind = type(result)
        if self.loop is None or not (hasattr(kind, "__await__") or hasattr(kind, "__anext__")):
            return _run.finished(result, context)
        from asyncio import run_coroutine_threadsafe

        future = run_coroutine_threadsafe(_caught(_run.awaited(result, context)), self.loop)
        call = current.get()
        if isinstance(call, OpenCall):
            call.on_cancel(future.cancel)
        value, problem = future.result()
        if problem is not None:
            raise problem
        return value


async def _caught(awaitable: "Any") -> "tuple[Any, BaseException | None]":
    """What came of it: what a function raises must not end the loop, not even what ends a program."""
    try:
        return await awaitable, None
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        return None, problem


def _catch(loop: "AbstractEventLoop", stop: "Callable[[], None]") -> "Iterator[int]":
    """Has the signals that end this program, and that nobody handles, end the server first."""
    if sys.platform == "win32":
        return
    _leave_to_children()
    for number in _unhandled():
        try:
            loop.add_signal_handler(number, stop)
        except (NotImplementedError, RuntimeError, ValueError):
            # Signals are handled in the main thread alone, and not by every kind of event loop.
            return
        _signals.add(number)
        yield number


_signals: "set[int]" = set()
"""The signals that servers of this process have caught."""


@cache
def _leave_to_children() -> None:
    """Has a forked child, such as one of `multiprocessing`, end by a signal as if nobody caught it here. It shares
    the pipe that wakes the event loop, so that the server would end in its place."""
    import os
    import signal

    # One that comes before the child is set right waits for that.
    def block() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, _signals)

    def unblock() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _signals)

    def in_child() -> None:
        if _signals:
            signal.set_wakeup_fd(-1)
        for number in _signals:
            signal.signal(number, signal.SIG_DFL)
        unblock()
        _signals.clear()

    os.register_at_fork(before=block, after_in_parent=unblock, after_in_child=in_child)
