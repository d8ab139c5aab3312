"""The tools of a host under one object: `Tools`, and `SyncTools` for programs that are not async."""

import json

from . import _options
from ._blocking import blocking
from ._sessions import Sessions, SyncSessions
from ._toolwire import parse, tools_add, tools_define, tools_list, tools_respond

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Any, Final

    from typing_extensions import Self, TypeAlias, Unpack

    from ._manifest import Manifest
    from ._options import Command, SessionsOptions, SourceOptions
    from ._toolwire import HostSessions, Parsed, Task
    from .author import Tool
    from .types import ToolDocument

    Source: TypeAlias = "Command | Manifest | Tool[..., Any]"
    # The classes have a method `list`.
    Names: TypeAlias = "list[str]"
    Dicts: TypeAlias = "list[dict[str, Any]]"
    Tasks: TypeAlias = "list[Task]"
    Descriptions: TypeAlias = "list[ToolDocument]"


class ToolTurn:
    """The answer to a model's response. Made by `Tools.respond`.

    >>> import toolwire as tw
    >>> with tw.SyncTools() as tools:
    ...     turn = tools.respond('anthropic', {'content': [{'type': 'text', 'text': 'Done.'}]})
    >>> turn.messages, turn.calls
    ([{'role': 'assistant', 'content': [{'type': 'text', 'text': 'Done.'}]}], [])
    """

    __module__ = "toolwire"
    __slots__ = {
        "messages": "What the next request has behind its messages: the model's turn, then the results.",
        "calls": "The calls, each a dict as `providers.from_call` gives it; none if no tool was called.",
        "results": "What each call has given, as `Parsed`.",
        "reports": "For each call a list of what was repaired in it, and what became of its result.",
    }

    messages: "Dicts"
    calls: "Dicts"
    results: "list[Parsed]"
    reports: "list[Dicts]"

    def __init__(self, *, messages: "Dicts", calls: "Dicts", results: "list[str]", reports: "list[Dicts]") -> None:
        self.messages = messages
        self.calls = calls
        self.results = [parse(result) for result in results]
        self.reports = reports

    def __repr__(self) -> str:
        return f"<toolwire.ToolTurn {', '.join(call['name'] for call in self.calls) or 'no calls'}>"


class _Tools:
    _core: "HostSessions"

    def list(self) -> "Descriptions":
        """The descriptions of the tools, by name."""
        tools: "Descriptions" = tools_list(self._core)
        return tools

    def definitions(
        self,
        provider: str,
        *,
        family: "str | None" = None,
        strict: "bool | None" = None,
        cache: "bool | None" = None,
        output_schemas: "bool | None" = None,
    ) -> "Dicts":
        """The definitions for a request, as `providers.to_tools` makes them. Their names are remembered for
        `respond`. A tool that the provider can't be given is left out."""
        options = {"family": family, "strict": strict, "cache": cache, "output_schemas": output_schemas}
        made: "dict[str, Any]" = tools_define(self._core, provider, options).wait()
        tools: "Dicts" = made["tools"]
        return tools

    def _adding(
        self, sessions: "Sessions | SyncSessions", sources: "tuple[Source, ...]", options: "SourceOptions"
    ) -> "Tasks":
        from . import _manifest, author

        arguments = _options.source(**options)
        own = tuple(source for source in sources if isinstance(source, (author.Tool, _manifest.Manifest)))
        tasks = sessions._adding(own, {name: arguments.get(name) for name in _options.add()}) if own else []
        named = [source for source in sources if not isinstance(source, (author.Tool, _manifest.Manifest))]
        return tasks + [tools_add(self._core, source, arguments) for source in named]

    def _responding(self, provider: str, message: "Any", options: "dict[str, Any]") -> "Task":
        if hasattr(message, "model_dump"):
            message = message.model_dump(mode="json", by_alias=True, exclude_unset=True)
        text = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False, default=str)
        return tools_respond(self._core, provider, text, options)

    def __repr__(self) -> str:
        return f"<toolwire.{type(self).__name__}>"


class Tools(_Tools):
    """The tools of a host, whatever names them: use it with `async with`, or add sources and close it.

    A source is the path of a marked program, of a folder or of a manifest, a URL, a launch URI, a profile (`@NAME`)
    or a name, as `toolwire run` reads it; a list of a program and its arguments, which is a marked tool or else an MCP
    server; what `load_manifest` gives; or a function of this program with the decorator `tool`.

    >>> import asyncio, toolwire as tw
    >>> @tw.tool
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> reply = {'stop_reason': 'tool_use', 'content': [
    ...     {'type': 'tool_use', 'id': 'toolu_1', 'name': 'double', 'input': {'number': 21}}]}
    >>> async def turn():
    ...     async with tw.Tools(double) as tools:
    ...         request = {'tools': tools.definitions('anthropic'), 'messages': []}
    ...         return await tools.respond('anthropic', reply)
    >>> asyncio.run(turn()).messages[1]['content']
    [{'type': 'tool_result', 'tool_use_id': 'toolu_1', 'content': '{"result":42}'}]

    The options are those of `Sessions`, which `sessions` is: the handles of tools that keep running.
    """

    __module__ = "toolwire"

    def __init__(self, *sources: "Source", **options: "Unpack[SessionsOptions]") -> None:
        self.sessions: "Sessions" = Sessions(**options)
        self._core = self.sessions._core
        self._sources = sources

    async def __aenter__(self) -> "Self":
        await self.sessions.__aenter__()
        try:
            await self.add(*self._sources)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: "type[BaseException] | None",
        value: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        await self.close()

    async def add(self, *sources: "Source", **options: "Unpack[SourceOptions]") -> "Names":
        """Add the tools of sources, of which `only` chooses some, and return their names. With `lock`, the path of a
        `toolwire.lock`, they have to be as it says. The other options are those of `Sessions.add` and `connect`."""
        return _names([await self.sessions._ended(task) for task in self._adding(self.sessions, sources, options)])

    async def call(self, name: str, arguments: "Mapping[str, Any] | str | bytes") -> "Parsed":
        """Call a tool as a model does: its result, whatever happens."""
        return await self.sessions.handle(name, arguments)

    async def respond(
        self,
        provider: str,
        message: "Any",
        *,
        family: "str | None" = None,
        structured: "str | None" = None,
        resources: "str | None" = None,
        max_bytes: "int | None" = None,
        companion: "bool | None" = None,
        cache: "bool | None" = None,
    ) -> ToolTurn:
        """Answer a model's whole response, an object of the provider's SDK or JSON: run its calls, and return the
        messages for the next request.

        Calls of tools that only read run side by side, others one by one; if this is cancelled, so are all. Whatever
        the model wrote or a tool does is a result that the model can read. The options are those of
        `providers.to_turn`.
        """
        options = {
            "family": family,
            "structured": structured,
            "resources": resources,
            "max_bytes": max_bytes,
            "companion": companion,
            "cache": cache,
        }
        return ToolTurn(**await self.sessions._ended(self._responding(provider, message, options)))

    async def close(self) -> None:
        """End all tools and connections; nothing of them is left."""
        await self.sessions.close()


class SyncTools(_Tools):
    """The tools of a host, as `Tools` has them, for programs that are not async.

    >>> import toolwire as tw
    >>> @tw.tool
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> with tw.SyncTools(double) as tools:
    ...     tools.call('double', {'number': 21}).structured_content
    {'result': 42}
    """

    __module__ = "toolwire"

    def __init__(self, *sources: "Source", **options: "Unpack[SessionsOptions]") -> None:
        self.sessions: "SyncSessions" = SyncSessions(**options)
        self._core = self.sessions._core
        self._sources = sources

    def __enter__(self) -> "Self":
        try:
            self.add(*self._sources)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        value: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        self.close()

    add: "Final" = blocking(Tools.add)
    respond: "Final" = blocking(Tools.respond)

    def call(self, name: str, arguments: "Mapping[str, Any] | str | bytes") -> "Parsed":
        """Call a tool as a model does: its result, whatever happens."""
        return self.sessions.handle(name, arguments)

    def close(self) -> None:
        """End all tools and connections; nothing of them is left."""
        self.sessions.close()


def _names(added: "Sequence[Any]") -> "Names":
    """The names of what was added, after the warnings."""
    names: "Names" = []
    for one in added:
        if isinstance(one, dict):
            for message in one["warnings"]:
                from warnings import warn

                warn(message, stacklevel=3)
            one = one["names"]
        names += one
    return names
