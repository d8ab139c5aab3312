# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""What a host sends and reads that runs programs in its own way."""

from __future__ import annotations

from ._toolwire import Exchange, SessionMachine, call as _call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types

__all__ = [
    "Exchange",
    "SessionMachine",
    "action_schema",
    "describe",
    "find_marker",
    "parse_arguments",
    "read_call",
    "read_command",
    "read_description",
    "read_event",
    "read_line",
    "terminal_input",
]


def read_call(data: _types.Document, *, carrier: _types.Carrier | None = None, limits: _types.Limits | None = None) -> _views.Call:
    """Reads a call document, which a tool gets on stdin, strictly.

    Fails with `bad_call` at the first mistake, and with `unknown_action`.

    `carrier`: Where the call is (default: `document`).

    `limits`: Limits for reading.

    >>> from toolwire import wire
    >>> wire.read_call('{"tool": {"name": "now"}, "context": {"action": "run"}}').name
    'now'
    >>> meta = {'computer.jp/tool': {'name': 'now'}, 'computer.jp/context': {'action': 'describe'}}
    >>> wire.read_call(meta, carrier='meta').action
    'describe'
    """
    return _call("read_call", (data,), {"carrier": carrier, "limits": limits})


def describe(tools: Iterable[_types.Document]) -> _views.Envelope:
    """Returns the envelope with which a program answers that is asked which tools it holds: one line for each
    tool, and the tools in the structured content. Each tool has `name` and `inputSchema`, and optionally
    `title`, `description`, `outputSchema` and `annotations`.

    Fails with `bad_description` at the first tool that a reader would refuse.

    >>> from toolwire import wire
    >>> tool = {'name': 'now', 'description': 'Tell the time.', 'inputSchema': {'type': 'object'}}
    >>> answer = wire.describe([tool])
    >>> answer.content[0].text
    'now: Tell the time.'
    >>> wire.read_description(answer) == [tool]
    True
    """
    return _call("describe", (tools,))


def read_description(data: _types.Readable, *, limits: _types.Limits | None = None) -> list[_types.ToolDocument] | None:
    """Returns the tools that a program describes; None if its answer is not a description, because the program
    does not know the protocol or has failed.

    Fails with `bad_description` if the description is malformed.

    `limits`: Limits for reading an output that was not read before.

    >>> from toolwire import wire
    >>> wire.read_description('usage: grep [OPTION]... PATTERNS [FILE]...') is None
    True
    """
    return _call("read_description", (data,), {"limits": limits})


def parse_arguments(words: Iterable[str], schema: _types.Document) -> dict[str, Any]:
    """Parses arguments such as `limit=3` or `author.name=Ada` into values, with the types of the input schema.

    Fails with `bad_argument`, with the pointer of the argument and a message for the person who wrote it.

    >>> from toolwire import wire
    >>> schema = {'type': 'object', 'properties': {'path': {'type': 'string'}, 'limit': {'type': 'integer'}}}
    >>> wire.parse_arguments(['path=1', 'limit=3'], schema)
    {'limit': 3, 'path': '1'}
    """
    return _call("parse_arguments", (words, schema,))


def read_event(line: _types.Output) -> Union[_views.Progress, _views.Message] | None:
    """Reads a line of an events file; None if it is empty or of a type that is not known.

    >>> from toolwire import wire
    >>> wire.read_event('{"type": "progress", "done": 3, "total": 12}')
    <toolwire.Progress 3 of 12>
    """
    return _call("read_event", (line,))


def find_marker(file: _types.Output) -> _types.Marker | None:
    """Finds the marker of a program in the bytes of its file; None if it has none. A program with a marker takes
    calls.

    >>> from toolwire import wire
    >>> wire.find_marker('#!/bin/sh\\n# toolwire-tool: 1\\n')
    'comment'
    """
    return _call("find_marker", (file,))


def read_line(line: _types.Output, source: _types.LineSource) -> str | None:
    """Reads a line of the line transport. Returns its JSON text as Toolwire writes it, without members that are
    not known; None if the line is of a type that is not known.

    Fails with `bad_line`.

    >>> from toolwire import wire
    >>> wire.read_line('{"call": 1, "type": "end", "reason": "aborted", "new": 1}', 'host')
    '{"type":"end","call":1,"reason":"aborted"}'
    """
    return _call("read_line", (line, source,))


def terminal_input(input: _types.TerminalInput, *, application_cursor: bool | None = None, bracketed_paste: bool | None = None) -> _types.TerminalBytes:
    """Returns what a terminal sends for an input, and what is written to a program on pipes.

    `application_cursor`: Whether the program has switched on application cursor keys (default: false).

    `bracketed_paste`: Whether the program has switched on bracketed paste (default: false).

    >>> from toolwire import wire
    >>> wire.terminal_input({'text': 'y', 'enter': True})
    {'typed': 'y\\r', 'piped': 'y\\n', 'eof': False}
    >>> wire.terminal_input({'key': 'up'}, application_cursor=True)['typed']
    '\\x1bOA'
    """
    return _call("terminal_input", (input,), {"applicationCursor": application_cursor, "bracketedPaste": bracketed_paste})


def read_command(arguments: _types.Document, tool: _types.Document) -> _types.SessionCommand:
    """Reads the arguments with which a model calls a tool that keeps running. The tool's own arguments are in
    `arguments`, wherever the model put them. `tool` is the tool of a description.

    Fails with `action_not_offered` if the tool lists no such action, and with `bad_argument` at the first other
    mistake; the message says what is possible.

    >>> from toolwire import wire
    >>> tool = {'name': 'git', 'inputSchema': {'type': 'object'}, '_meta': {'dev.toolwire/actions': ['spawn', 'fetch']}}
    >>> wire.read_command({'action': 'spawn', 'id': 'staging', 'command': 'stage'}, tool)
    {'action': 'spawn', 'id': 'staging', 'arguments': {'command': 'stage'}}
    """
    return _call("read_command", (arguments, tool,))


def action_schema(tool: _types.Document, *, style: _types.ActionStyle | None = None) -> dict[str, Any]:
    """Returns the schema that a model is shown for a tool that keeps running. `project_schema` converts it to what
    a provider accepts.

    `style`: The form of the schema (default: `flat`).

    >>> from toolwire import wire
    >>> tool = {'name': 'git', 'inputSchema': {'type': 'object'}, '_meta': {'dev.toolwire/actions': ['spawn', 'fetch']}}
    >>> wire.action_schema(tool)['required']
    ['action', 'id']
    """
    return _call("action_schema", (tool,), {"style": style})
