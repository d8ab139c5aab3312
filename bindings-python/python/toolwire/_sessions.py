"""Tools that keep running, in a host: `Sessions`, and `SyncSessions` for programs that are not async."""

from . import _options
from ._blocking import blocking
from ._host import _tell, _unhandled
from ._toolwire import HostSessions, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from asyncio import Task as AsyncTask
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Any, Final, Optional

    from typing_extensions import Self, Unpack

    from ._manifest import Manifest
    from ._options import AddOptions, Command, SessionsOptions
    from ._toolwire import Functions, Parsed, Task
    from .author import Tool

    # The classes have a method `list`.
    Names = list[str]
    Dicts = list[dict[str, Any]]


class Fetched:
    """The answer to a command on a handle. Made by `Sessions` and `SyncSessions`.

    >>> import toolwire as tw
    >>> with tw.SyncSessions() as sessions:
    ...     fetched = sessions.fetch('staging')
    >>> fetched.state, fetched.refusal['code']
    ('absent', 'unknown_handle')
    """

    __module__ = "toolwire"
    __slots__ = {
        "id": "The id of the handle.",
        "state": "Its state: `absent`, `running`, `waiting`, `ending` or `stopped`.",
        "parsed": "The envelope to send back.",
        "refusal": "Why the command was refused and what is possible instead, a dict; None if it was not.",
    }

    id: str
    state: str
    parsed: "Parsed"
    refusal: "dict[str, Any] | None"

    def __init__(self, **members: "Any") -> None:
        for name, value in members.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        why = "" if self.refusal is None else f" {self.refusal['code']}"
        return f"<toolwire.Fetched {self.id} {self.state}{why}>"


class _Sessions:
    """What both kinds of sessions know of their commands."""

    def __init__(self, **options: "Unpack[SessionsOptions]") -> None:
        given = _options.sessions(**options)
        for name in _CALLBACKS:
            if given[name] is not None and not callable(given[name]):
                raise TypeError(f"`{name}` is a function, not {type(given[name]).__name__}")
        self._callbacks: "dict[str, Any]" = given
        self._core = HostSessions(given, _unhandled())
        self._functions: "list[Functions]" = []
        self._begin()

    def _begin(self) -> None:
        """Prepares for requests."""
        raise NotImplementedError

    async def _ended(self, task: "Task") -> "Any":
        """Waits for a task, and calls what calls back meanwhile."""
        raise NotImplementedError

    def _adding(self, tools: "tuple[Any, ...]", arguments: "dict[str, Any]") -> "list[Task]":
        """Begins to add tools."""
        from . import _manifest, author

        if arguments["name"] is not None and len(tools) != 1:
            raise TypeError("`name` is that of one program; add the others by themselves")
        added: "list[Task]" = []
        if functions := [tool for tool in tools if isinstance(tool, author.Tool)]:
            author._answers = True
            calls, task = self._core.add_functions(arguments)
            self._take(functions, calls)
            added.append(task)
        for program in tools:
            if not isinstance(program, author.Tool):
                read = program._read if isinstance(program, _manifest.Manifest) else program
                added.append(self._core.add(read, arguments))
        return added

    def _asked(self, asked: "Any") -> "Any":
        """What the callback says to a request."""
        return self._callbacks["approve" if isinstance(asked, dict) else "answerer"](asked)

    def _take(self, functions: "list[Tool[..., Any]]", calls: "Functions") -> None:
        """Has the calls of functions answered."""
        raise NotImplementedError

    async def _do(self, command: "dict[str, Any]", arguments: "Any" = None) -> "Any":
        return await self._ended(self._core.command(command, arguments))

    def __repr__(self) -> str:
        return f"<toolwire.{type(self).__name__}>"


_CALLBACKS = ("answerer", "approve", "on_state", "on_progress", "on_log", "on_stderr")


def _fetched(told: "dict[str, Any]") -> Fetched:
    return Fetched(
        id=told["id"], state=told["state"], parsed=parse(told["envelope"]), refusal=told.get("refusal")
    )


def _command(do: str, **members: "Any") -> "dict[str, Any]":
    return {"do": do, **{name: value for name, value in members.items() if value is not None}}


def _applied(arguments: "dict[str, Any]") -> "dict[str, Any]":
    """Input, if it was given, and an answer, if that was."""
    members = _command("apply", **{name: arguments[name] for name in ("id", "question", "by", "wait", "until")})
    if arguments["answer"] is not None:
        members["answer"] = arguments["answer"]
    if arguments["input"] is not _NOTHING:
        members["input"] = arguments["input"]
    return members


class _Nothing:
    def __repr__(self) -> str:
        return "..."


_NOTHING = _Nothing()


class Sessions(_Sessions):
    """Tools that keep running, each under an id: use it with `async with`, or close it.

    `handle` takes a model's call and gives the envelope to send back. That is all a host has to write:

    >>> import asyncio, sys, toolwire as tw
    >>> script = '''import toolwire as tw
    ... @tw.tool
    ... def double(number: int) -> int:
    ...     return 2 * number
    ... tw.main()'''
    >>> async def host():
    ...     async with tw.Sessions() as sessions:
    ...         await sessions.add([sys.executable, '-c', script])
    ...         return await sessions.handle('double', {'number': 21})
    >>> asyncio.run(host()).structured_content
    {'result': 42}

    `answerer` gets each question that is for a person, as in `run`. `approve` gets a dict for each action that needs
    approval (`tool`, `id`, `action`, `by`, `arguments`) and says True, False, or why not. `on_state`, `on_progress`,
    `on_log` and `on_stderr` get the id of a handle, and its new state, a `Progress`, a `Message`, or what its tool wrote
    to stderr as bytes. They may all be async. No tool waits for the last four: of states and progress each handle's newest
    waits, and of log messages and stderr the oldest are left out if more than 1,024 notices or 1 MiB wait.
    `rules` is a dict: `turn` (`'abort'`, `'wait'`, `'keep'` or `'ask'`; what becomes of a handle at the end of a
    turn), `turn_wait`, `approve` (the actions that need approval; by default `['spawn']`), `session_time`,
    `idle_time`, `grace`, `max_blocks`, `max_bytes` and `max_questions`. `max_handles` (256) and `max_memory` (256
    MiB) are for all handles together; `keep` is for how long a stopped handle can be fetched (600); `first_wait` (1),
    `quiet` (0.1) and `max_wait` (60) say how long commands wait. All times are in seconds. `max_reply` (65,536) is the
    most bytes of blocks in one answer.
    """

    __module__ = "toolwire"

    def _begin(self) -> None:
        self._loop: "Optional[AbstractEventLoop]" = None
        self._asking: "dict[int, AsyncTask[None]]" = {}
        self._telling: "Optional[AsyncTask[None]]" = None

    async def __aenter__(self) -> "Self":
        self._listen()
        return self

    async def __aexit__(
        self,
        kind: "type[BaseException] | None",
        value: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        await self.close()

    def _listen(self) -> "AbstractEventLoop":
        """Takes the requests on this loop from now on."""
        from asyncio import get_running_loop

        if self._loop is None:
            self._loop = loop = get_running_loop()
            self._core.on_news(lambda: _tell(loop, self._hear))
        return self._loop

    def _hear(self) -> None:
        """Begins to call back for what waits."""
        from asyncio import ensure_future

        if self._telling is None:
            self._telling = ensure_future(self._notify())

        while (request := self._core.next_request()) is not None:
            number, asked = request
            if asked is None:
                if task := self._asking.pop(number, None):
                    task.cancel()
                continue
            self._asking[number] = ensure_future(self._reply(number, asked))

    async def _reply(self, number: int, asked: "Any") -> None:
        try:
            said = self._asked(asked)
            if hasattr(said, "__await__"):
                said = await said
            _say(self._core, number, asked, said)
        except BaseException as problem:
            _refuse(self._core, number, asked)
            if not isinstance(problem, Exception):
                raise
            self._failed(problem)
        finally:
            self._asking.pop(number, None)

    async def _notify(self) -> None:
        """Tells of what happens, one thing after the other."""
        from asyncio import sleep

        try:
            while (notice := self._core.next_notice()) is not None:
                name, id, what = notice
                try:
                    told = self._callbacks[name](id, what)
                    if hasattr(told, "__await__"):
                        await told
                except Exception as problem:
                    self._failed(problem)
                # A tool may say things without end, and others have their turn.
                await sleep(0)
        finally:
            self._telling = None

    def _failed(self, problem: Exception) -> None:
        assert self._loop is not None
        told = {"message": "a callback of `toolwire.Sessions` failed", "exception": problem}
        self._loop.call_exception_handler(told)

    def _take(self, functions: "list[Tool[..., Any]]", calls: "Functions") -> None:
        from ._serve import _Calls

        answering = _Calls(functions, self._listen())
        self._functions.append(calls)
        calls.on_call(lambda: answering.take(calls))

    async def _ended(self, task: "Task") -> "Any":
        from ._connect import _ended

        self._listen()
        return await _ended(task)

    async def add(
        self, *tools: "Tool[..., Any] | Manifest | Command", **options: "Unpack[AddOptions]"
    ) -> "Names":
        """Add tools, and return their names: programs, each a path or a list of a program and its arguments,
        functions of this program with the decorator `tool`, and what `load_manifest` gives.

        A program is asked for its tools, of which `only` chooses some. Those with session actions are driven by a
        model with these; any other is called as `run` calls it, and its arguments are its own. A function of this
        program runs once at each call, also one that takes a session; for that, add a program.

        With `session`, any program is one tool that is driven without knowing anything: with `'pty'` in a
        pseudo-terminal, whose `size` is its columns and rows (80 and 24), with `'pipe'` on plain pipes. Its `name` is
        that of its file unless you give one, and `description` is for the model. A manifest says all that of its
        tools itself, and what is given here comes before it.

        The other parameters are those of `run` and, for `rules`, those of `Sessions`.

        >>> import toolwire as tw
        >>> with tw.SyncSessions() as sessions:
        ...     sessions.add(['sort'], session='pipe')
        ...     said = sessions.handle('sort', {'action': 'spawn', 'id': 'a'})
        ...     keys = {'text': 'b\\na', 'enter': True, 'eof': True}
        ...     sessions.handle('sort', {'action': 'apply', 'id': 'a', 'input': keys}).envelope.content[0].text
        ['sort']
        'a\\nb\\n'
        """
        names: "Names" = []
        for task in self._adding(tools, _options.add(**options)):
            names += await self._ended(task)
        return names

    async def handle(self, tool: str, arguments: "Mapping[str, Any] | str | bytes") -> "Parsed":
        """Take a model's call, and return the envelope to send back, whatever happens."""
        return parse(await self._do(_command("handle", tool=tool), arguments))

    async def spawn(
        self,
        id: str,
        tool: str,
        arguments: "Mapping[str, Any] | str | bytes | None" = None,
        *,
        by: "str | None" = None,
        label: "str | None" = None,
        after: "int | None" = None,
        wait: "float | None" = None,
        until: "str | None" = None,
    ) -> Fetched:
        """Start a tool under an id, and wait briefly for what it says. `by` is `'policy'` for what the host does of
        its own accord (the default), `'user'` for a person and `'assistant'` for a model."""
        command = _command("spawn", id=id, tool=tool, by=by, label=label, after=after, wait=wait, until=until)
        return _fetched(await self._do(command, arguments))

    async def fetch(
        self,
        id: str,
        *,
        by: "str | None" = None,
        after: "int | None" = None,
        wait: "float | None" = None,
        until: "str | None" = None,
        view: "str | None" = None,
    ) -> Fetched:
        """What a handle has said since, after waiting up to `wait` seconds for something new, or for a text."""
        return _fetched(await self._do(_command("fetch", id=id, by=by, after=after, wait=wait, until=until, view=view)))

    async def apply(
        self,
        id: str,
        input: "Any" = _NOTHING,
        *,
        answer: "Mapping[str, Any] | None" = None,
        question: "str | None" = None,
        by: "str | None" = None,
        wait: "float | None" = None,
        until: "str | None" = None,
    ) -> Fetched:
        """Give a handle input, or the value of its question's answer; or an `answer` with `state` and `value`."""
        return _fetched(await self._do(_applied(locals())))

    async def abort(self, id: str, *, by: "str | None" = None) -> Fetched:
        """End a handle."""
        return _fetched(await self._do(_command("abort", id=id, by=by)))

    async def wait(self, ids: "Sequence[str]", *, any: bool = False, time: "float | None" = None) -> "dict[str, str]":
        """Wait until all of these handles, or any, wait for somebody or have stopped: their states."""
        told = await self._do(_command("wait", ids=list(ids), any=any, time=time))
        return {one["id"]: one["state"] for one in told}

    async def list(self) -> "Dicts":
        """The handles: `id`, `tool`, `state`, `since` (Unix time), `label`, `question` and `person`."""
        told: "Dicts" = await self._do(_command("list"))
        return told

    async def tools(self) -> "Dicts":
        """The descriptions of the tools."""
        told: "Dicts" = await self._do(_command("tools"))
        return told

    async def end_of_turn(self) -> None:
        """End a turn: what still runs is treated as the rules say, and has then ended if it was to."""
        await self._do(_command("end_of_turn"))

    async def announcements(self) -> "Dicts":
        """The handles that wait or have stopped, each once: `id`, `tool`, `label`, `state` and a `text`."""
        told: "Dicts" = await self._do(_command("announcements"))
        return told

    async def close(self) -> None:
        """End all handles; nothing of their tools is left."""
        from asyncio import current_task

        await self._do(_command("close"))
        for task in list(self._asking.values()):
            task.cancel()
        self._hear()
        if self._telling is not None and self._telling is not current_task():
            # The last that has happened is told too.
            await self._telling


class SyncSessions(_Sessions):
    """Tools that keep running, as `Sessions` has them, for programs that are not async: its methods block the thread,
    and call what calls back meanwhile. A question that comes between two calls waits for the next.

    >>> import sys, toolwire as tw
    >>> script = '''import toolwire as tw
    ... @tw.tool
    ... def double(number: int) -> int:
    ...     return 2 * number
    ... tw.main()'''
    >>> with tw.SyncSessions() as sessions:
    ...     sessions.add([sys.executable, '-c', script])
    ...     sessions.handle('double', {'number': 21}).structured_content
    ['double']
    {'result': 42}
    """

    __module__ = "toolwire"

    def _begin(self) -> None:
        from threading import Event

        self._news = Event()
        self._core.on_news(self._news.set)

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        value: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        self.close()

    async def _ended(self, task: "Task") -> "Any":
        over = False

        def end() -> None:
            nonlocal over
            over = True
            self._news.set()

        task.on_end(end)
        try:
            while not over:
                self._news.clear()
                self._requests()
                # What has come since is not waited for.
                if not self._notify() and not over:
                    self._news.wait()
        except BaseException:
            task.cancel()
            raise
        return task.take()

    def _notify(self) -> bool:
        """Tells of one thing that has happened; whether there was one."""
        if (notice := self._core.next_notice()) is None:
            return False
        name, id, what = notice
        _plain(self._callbacks[name](id, what))
        return True

    def _requests(self) -> None:
        while (request := self._core.next_request()) is not None:
            number, asked = request
            if asked is None:
                continue
            try:
                _say(self._core, number, asked, _plain(self._asked(asked)))
            except BaseException:
                _refuse(self._core, number, asked)
                raise

    def _take(self, functions: "list[Tool[..., Any]]", calls: "Functions") -> None:
        from ._serve import _Calls

        answering = _Calls(functions, None)
        self._functions.append(calls)
        calls.on_call(lambda: answering.take(calls))

    add: "Final" = blocking(Sessions.add)
    handle: "Final" = blocking(Sessions.handle)
    spawn: "Final" = blocking(Sessions.spawn)
    fetch: "Final" = blocking(Sessions.fetch)
    apply: "Final" = blocking(Sessions.apply)
    abort: "Final" = blocking(Sessions.abort)
    wait: "Final" = blocking(Sessions.wait)
    list: "Final" = blocking(Sessions.list)
    tools: "Final" = blocking(Sessions.tools)
    end_of_turn: "Final" = blocking(Sessions.end_of_turn)
    announcements: "Final" = blocking(Sessions.announcements)
    _done: "Final" = blocking(_Sessions._do)

    def close(self) -> None:
        """End all handles; nothing of their tools is left."""
        self._done(_command("close"))
        while self._notify():
            pass


def _plain(said: "Any") -> "Any":
    """What a callback gave, unless that is to be awaited."""
    if hasattr(said, "__await__"):
        if hasattr(said, "close"):
            said.close()
        raise TypeError("a callback is async, which needs `Sessions`; `SyncSessions` takes plain functions")
    return said


def _say(core: HostSessions, number: int, asked: "Any", said: "Any") -> None:
    """Replies with what a callback gave."""
    if isinstance(asked, dict):
        core.approve(number, said is True, said if isinstance(said, str) else None)
    else:
        core.answer(number, said)


def _refuse(core: HostSessions, number: int, asked: "Any") -> None:
    """Replies where a callback failed: no approval, and no answer."""
    if isinstance(asked, dict):
        core.approve(number, False, None)
    else:
        core.answer(number, None)
