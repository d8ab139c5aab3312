"""Calling the tools of MCP servers from Python: `connect`, and `connect_sync` for programs that are not async."""

from . import _options
from ._blocking import blocking
from ._host import RunResult, _converse, _in_this_thread, _on_the_loop, _tell, _unhandled
from ._toolwire import Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from types import TracebackType
    from typing import Any, ClassVar, Final, Optional

    from typing_extensions import Self, Unpack

    from ._options import CallToolOptions, Command, ConnectOptions
    from ._toolwire import Task
    from .types import McpRevision, ToolDocument


class _Client:
    """What is known of a connection."""

    _view: "ClassVar[Any]"
    # The number of calls between a warning and whoever connects.
    _depth: "ClassVar[int]"

    async def _ended(self, task: "Task") -> "Any":
        """Waits for a task."""
        raise NotImplementedError

    async def _opened(self) -> "Self":
        """Connects."""
        try:
            self._learn(await self._ended(self._begin().opening))
        except BaseException:
            await self._close()
            raise
        return self

    async def _close(self) -> None:
        if self._connection is not None:
            await self._ended(self._connection.close())

    def __init__(self, server: "Command", options: "dict[str, Any]") -> None:
        self._asked = server, options
        self._connection: "Optional[Connection]" = None
        self._facts: "dict[str, Any]" = {}

    def _begin(self) -> Connection:
        """Begins to connect."""
        if self._connection is not None:
            raise RuntimeError("this client was connected before; make another one with `connect`")
        self._connection = Connection(*self._asked, _unhandled())
        return self._connection

    def _open(self) -> Connection:
        if self._connection is None:
            raise RuntimeError("this client is not connected yet; use `async with` or `await`")
        return self._connection

    def _learn(self, facts: "dict[str, Any]") -> None:
        """Keeps what is known now, and warns whoever connects."""
        self._facts = facts
        for message in facts.pop("warnings", []):
            from warnings import warn

            warn(message, stacklevel=self._depth)

    @property
    def revision(self) -> "McpRevision":
        """The revision of MCP that is spoken."""
        revision: "McpRevision" = self._facts["revision"]
        return revision

    @property
    def claimed_name(self) -> "str | None":
        """What the server calls itself, which it may choose freely. It is untrusted text."""
        return self._facts.get("claimedName")

    @property
    def instructions(self) -> "str | None":
        """What the server says about its use. It is untrusted text."""
        return self._facts.get("instructions")

    def __repr__(self) -> str:
        return f"<toolwire.{type(self).__name__} {self._facts.get('revision', 'not connected')}>"


class Client(_Client):
    """A connection to an MCP server, made by `connect`. Use it with `async with`, or await it and close it.

    >>> import toolwire as tw
    >>> tw.connect('https://example.org/mcp', headers={'Authorization': 'Bearer …'})
    <toolwire.Client not connected>
    """

    __module__ = "toolwire"

    _view = staticmethod(_on_the_loop)
    _depth = 4

    def __await__(self) -> "Generator[Any, None, Self]":
        return self._opened().__await__()

    async def __aenter__(self) -> "Self":
        return await self._opened()

    async def __aexit__(
        self,
        kind: "type[BaseException] | None",
        value: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        await self.close()

    async def list_tools(self) -> "list[ToolDocument]":
        """The tools, in the order of the server. They are read again once the server says that they changed."""
        tools: "list[ToolDocument]" = await self._ended(self._open().tools())
        return tools

    async def call(
        self, tool: str, arguments: "Mapping[str, Any] | None" = None, **options: "Unpack[CallToolOptions]"
    ) -> RunResult:
        """Call a tool, get what the server asks answered, and return its result.

        The parameters are those of `run`. Whatever the server does, this returns a result: a time-out, an
        error of the protocol or the end of the connection is one with `is_error`. Members about a process say
        nothing here. Cancelling the task cancels the call at the server. If the connection was closed, it
        raises `HostError` with the code `not_connected`.
        """
        given = {"tool": tool, "arguments": arguments, **_options.call(**options)}
        return RunResult(**await _converse(self._open(), given, self._view))

    async def close(self) -> None:
        """End the connection. Calls that still run are cancelled, and nothing of the server's program is left."""
        await self._close()

    async def _ended(self, task: "Task") -> "Any":
        return await _ended(task)


class SyncClient(_Client):
    """A connection to an MCP server, made by `connect_sync`. Use it with `with`, or close it. Its methods are those of
    `Client`, but block the thread; Ctrl-C cancels a call.

    >>> import sys, toolwire as tw
    >>> script = '''import toolwire as tw
    ... @tw.tool
    ... def now() -> str:
    ...     return 'noon'
    ... tw.serve_sync()'''
    >>> with tw.connect_sync([sys.executable, '-c', script]) as client:
    ...     client
    <toolwire.SyncClient 2026-07-28>
    """

    __module__ = "toolwire"

    _view = staticmethod(_in_this_thread)
    _depth = 6

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        value: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        self.close()

    list_tools: "Final" = blocking(Client.list_tools)
    call: "Final" = blocking(Client.call)
    close: "Final" = blocking(Client.close)
    _connect: "Final" = blocking(_Client._opened)

    async def _ended(self, task: "Task") -> "Any":
        return task.wait()


def connect(server: "Command", **options: "Unpack[ConnectOptions]") -> Client:
    """Connect to an MCP server, and call its tools.

    `server` is a list of a program and its arguments, or one word: an http(s) URL, a launch URI such as
    `mcp+uvx://package/command`, or else a name, which is looked up in the files of MCP clients
    as `toolwire run` does it; `config` names one such file. The command of a launch URI or of a file starts only if
    a person has agreed to it (`toolwire trust --server`), or with `trust`. The newest revision of MCP that the server
    speaks too is spoken. If `server` is a profile (`@NAME`) and the tools are not as it expects, this warns, or raises
    `HostError` with the code `unexpected_tools`, as its `schema_validation` says. `name` is what messages and questions call the server. `headers` are sent to the URL and to
    nobody else.

    `connect_timeout` is how many seconds the server may take until it is ready, and to list its tools (60).
    `timeout` is how many seconds a call may be silent: each notice of progress begins them anew, up to
    `max_timeout` in all (an hour). `max_message` is the most bytes of one message (64 MiB). With
    `send_context`, the server gets the context of calls although it does not say that it knows Toolwire.
    `limits`, `cwd`, `inherit` and `env` are those of `run`.

    If the server can't be used, this raises `HostError`; its `code` says why. When this process ends, as `run`
    says, its servers end too.

    >>> import asyncio, sys, toolwire as tw
    >>> script = '''import toolwire as tw
    ... @tw.tool
    ... def double(number: int) -> int:
    ...     return 2 * number
    ... tw.serve_sync(double)'''
    >>> async def doubled():
    ...     async with tw.connect([sys.executable, '-c', script]) as client:
    ...         return await client.call('double', {'number': 21})
    >>> asyncio.run(doubled()).parsed.structured_content
    {'result': 42}
    """
    return Client(server, _options.connect(**options))


def connect_sync(server: "Command", **options: "Unpack[ConnectOptions]") -> SyncClient:
    """Connect to an MCP server as `connect` does, but block the thread.

    >>> import sys, toolwire as tw
    >>> script = '''import toolwire as tw
    ... @tw.tool
    ... def delete(path: str, ctx: tw.Context) -> str:
    ...     return 'Deleted.' if ctx.answer('sure', tw.boolean('Really?')) else 'Kept.'
    ... tw.serve_sync(delete)'''
    >>> with tw.connect_sync([sys.executable, '-c', script]) as client:
    ...     names = [tool['name'] for tool in client.list_tools()]
    ...     result = client.call('delete', {'path': 'a'}, answerer=lambda question: False)
    >>> names, result.parsed.envelope.content[0].text
    (['delete'], 'Kept.')
    """
    client = SyncClient(server, _options.connect(**options))
    client._connect()
    return client


async def _ended(task: "Task") -> "Any":
    """What a task in the background ends with; one that is cancelled is given up."""
    from asyncio import Event, get_running_loop

    over = Event()
    loop = get_running_loop()
    task.on_end(lambda: _tell(loop, over.set))
    try:
        await over.wait()
    except BaseException:
        task.cancel()
        raise
    return task.take()
