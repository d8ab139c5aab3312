# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""Results, tools and calls as MCP has them."""

from __future__ import annotations

from ._toolwire import call as _call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types

__all__ = [
    "call_from_meta",
    "call_to_meta",
    "from_result",
    "from_tool",
    "to_result",
    "to_tool",
]


def to_result(data: _types.Readable, *, revision: _types.McpRevision, mirror: bool | None = None, wrapped: bool | None = None, limits: _types.Limits | None = None) -> _types.ToResult:
    """Returns an output as the result of an MCP tool that the clients of a revision accept. What MCP has no member
    for goes to `_meta`, from where `from_result` restores it.

    `revision`: The revision that the client speaks.

    `mirror`: Repeat structured content without a text block as text (default: true).

    `wrapped`: Whether `to_tool` wrapped the output schema of the tool (default: false).

    `limits`: Limits for reading.

    >>> from toolwire import mcp
    >>> mapped = mcp.to_result('12:00', revision='2025-11-25')
    >>> mapped['text']
    '{"content":[{"text":"12:00","type":"text"}]}'
    >>> mapped['report']
    [{'pointer': '/content', 'fate': 'kept', 'reason': ''}]
    """
    return _call("to_result", (data,), {"revision": revision, "mirror": mirror, "wrapped": wrapped, "limits": limits})


def from_result(result: _types.Document, *, limits: _types.Limits | None = None) -> _types.FromResult:
    """Returns the result of a tool of any MCP server as an envelope. What another Toolwire put into `_meta` is
    restored, unless it would contradict the rest. What is not a result at all is read as text.

    `limits`: Limits for reading an output that was not read before.

    >>> from toolwire import mcp
    >>> result = {'content': [{'type': 'text', 'text': '12:00'}], 'resultType': 'complete'}
    >>> read = mcp.from_result(result)
    >>> read['parsed'].envelope.content[0].text
    '12:00'
    >>> read['report'][1]['reason']
    'every envelope is a complete result'
    """
    return _call("from_result", (result,), {"limits": limits})


def to_tool(tool: _types.Document, *, revision: _types.McpRevision) -> _types.ToTool:
    """Returns a tool of a description as an element of MCP's list of tools.

    Fails with `bad_description` if it is not a tool.

    `revision`: The revision that the client speaks.

    >>> from toolwire import mcp
    >>> tool = {'name': 'list', 'inputSchema': {'type': 'object'}, 'outputSchema': {'type': 'array'}}
    >>> listed = mcp.to_tool(tool, revision='2025-06-18')
    >>> listed['tool']['outputSchema']['properties'], listed['wrapped']
    ({'result': {'type': 'array'}}, True)
    """
    return _call("to_tool", (tool,), {"revision": revision})


def from_tool(listed: _types.Document) -> _types.FromTool:
    """Returns a tool as any MCP server lists it as a tool of a description. Small mistakes of servers are
    corrected.

    Fails with `bad_description` at a mistake that cannot be corrected.

    >>> from toolwire import mcp
    >>> read = mcp.from_tool({'name': 'get time', 'inputSchema': {}})
    >>> read['tool'], read['name']
    ({'inputSchema': {'type': 'object'}, 'name': 'get_time'}, 'get time')
    """
    return _call("from_tool", (listed,))


def call_to_meta(call: _types.CallInput) -> dict[str, Any] | None:
    """Returns what of a call travels in the `_meta` of an MCP request; None if the request itself has all of it.

    >>> from toolwire import mcp
    >>> call = {'tool': {'name': 'now', 'answers': {}}, 'context': {'action': 'run'}}
    >>> mcp.call_to_meta(call) is None
    True
    >>> call['tool']['answers'] = {'zone': 'UTC'}
    >>> mcp.call_to_meta(call)['computer.jp/tool']['answers']
    {'zone': 'UTC'}
    """
    return _call("call_to_meta", (call,))


def call_from_meta(name: str, arguments: Any, meta: _types.Document | None = None) -> _views.Call:
    """Returns the call that an MCP request makes. The name and the arguments are those of the request; answers,
    options and context are from its `_meta`.

    Fails with `bad_call` or `unknown_action` if `meta` does not hold a call.

    >>> from toolwire import mcp
    >>> meta = {'computer.jp/tool': {'answers': {'zone': 'UTC'}}}
    >>> call = mcp.call_from_meta('now', {}, meta)
    >>> call.name, call.answers['zone'].value
    ('now', 'UTC')
    """
    return _call("call_from_meta", (name, arguments, meta,))
