# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""Messages of the providers of models: a tool's result, the results of a turn, definitions of tools, and the
calls that a model makes. Nothing is sent, and nothing of an SDK is loaded."""

from __future__ import annotations

from ._toolwire import call as _call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types

__all__ = [
    "from_call",
    "to_history",
    "to_message",
    "to_tools",
    "to_turn",
]


def to_message(data: _types.Readable, call: _types.Document, provider: _types.MessageProvider, *, family: _types.MessageFamily | None | None = None, structured: _types.StructuredPolicy | None = None, resources: _types.ResourceForm | None = None, max_bytes: int | None | None = None, companion: bool | None = None, cache: bool | None = None, output_schema: bool | None = None) -> _types.ProviderMessage:
    """Returns a tool's result as the message that answers a call. The companion has what has no room inside, and
    belongs behind all results of the turn; `to_turn` places it.

    `family`: The family of models, where the provider's rules depend on it.

    `structured`: Which part of the result the model gets (default: `when_empty`).

    `resources`: How resources with text are written (default: `text`).

    `max_bytes`: Maximum size of the text.

    `companion`: Whether media that have no room in a result follow in a message of the user (default: true).

    `cache`: Whether the end of the result is a place to cache up to (default: false).

    `output_schema`: Whether the definition has an output schema, so that the result has to be JSON (OpenAI
    Responses) (default: false).

    >>> from toolwire import providers
    >>> message = providers.to_message('12 files', {'id': 'toolu_1', 'name': 'list_files'}, 'anthropic')
    >>> message['message']['content']
    [{'type': 'tool_result', 'tool_use_id': 'toolu_1', 'content': '12 files'}]
    """
    return _call("to_message", (data, call, provider,), {"family": family, "structured": structured, "resources": resources, "maxBytes": max_bytes, "companion": companion, "cache": cache, "outputSchema": output_schema})


def to_turn(calls: Iterable[_types.Document], results: Iterable[_types.ResultInput], provider: _types.MessageProvider, *, family: _types.MessageFamily | None | None = None, structured: _types.StructuredPolicy | None = None, resources: _types.ResourceForm | None = None, max_bytes: int | None | None = None, companion: bool | None = None, cache: bool | None = None, output_schema: bool | None = None) -> _types.ProviderTurn:
    """Returns the messages that answer all calls of a response. A result of None is that of a call that was not
    run.

    `family`: The family of models, where the provider's rules depend on it.

    `structured`: Which part of the result the model gets (default: `when_empty`).

    `resources`: How resources with text are written (default: `text`).

    `max_bytes`: Maximum size of the text.

    `companion`: Whether media that have no room in a result follow in a message of the user (default: true).

    `cache`: Whether the end of the result is a place to cache up to (default: false).

    `output_schema`: Whether the definition has an output schema, so that the result has to be JSON (OpenAI
    Responses) (default: false).

    >>> from toolwire import providers
    >>> calls = [{'id': 'a', 'name': 'now'}, {'id': 'b', 'name': 'now'}]
    >>> turn = providers.to_turn(calls, ['12:00', None], 'openai')
    >>> [item['output'] for item in turn['messages']]
    ['12:00', '[error]\\n\\nthe call was not run']
    """
    return _call("to_turn", (calls, results, provider,), {"family": family, "structured": structured, "resources": resources, "maxBytes": max_bytes, "companion": companion, "cache": cache, "outputSchema": output_schema})


def to_tools(tools: _types.Document, provider: _types.MessageProvider, *, family: _types.MessageFamily | None | None = None, strict: bool | None = None, cache: bool | None = None, output_schemas: bool | None = None) -> _types.ProviderTools:
    """Returns definitions for a request, and the names of the tools in it. A tool that can't be defined is left
    out and reported.

    `family`: The family of models, where the provider's rules depend on it.

    `strict`: Whether the provider makes sure that arguments fit the schema (default: false).

    `cache`: Whether the definitions get a cache hint (default: false).

    `output_schemas`: Whether output schemas are sent, where the provider takes them (default: false).

    >>> from toolwire import providers
    >>> made = providers.to_tools([{'name': 'now', 'inputSchema': {'type': 'object'}}], 'anthropic')
    >>> made['tools']
    [{'name': 'now', 'input_schema': {'type': 'object'}}]
    """
    return _call("to_tools", (tools, provider,), {"family": family, "strict": strict, "cache": cache, "outputSchemas": output_schemas})


def from_call(call: _types.Document, provider: _types.MessageProvider, *, stop_reason: str | None = None, is_last: bool | None = None, tools: Any | None = None, family: _types.MessageFamily | None = None, strict: bool | None = None) -> _types.FromCall:
    """Returns what a model has called. If there is a refusal, the call is not to be run: it was cut off, or its
    arguments can't be read. The refusal is the envelope to answer with; `history` is the call for later
    requests.

    `stop_reason`: Why the model stopped, in the provider's word.

    `is_last`: Whether it is the last call of its message: only that one can be cut off (default: true).

    `tools`: The tools that were given to `to_tools`, so that names and arguments come back as the tool has
    them.

    `family`: As for `to_tools`.

    `strict`: As for `to_tools` (default: false).

    >>> from toolwire import providers
    >>> block = {'type': 'tool_use', 'id': 'toolu_1', 'name': 'rm', 'input': {'path': '/var'}}
    >>> read = providers.from_call(block, 'anthropic', stop_reason='tool_use')
    >>> read['call']['arguments'], read['refusal']
    ({'path': '/var'}, None)
    >>> providers.from_call(block, 'anthropic', stop_reason='max_tokens')['refusal']['isError']
    True
    """
    return _call("from_call", (call, provider,), {"stopReason": stop_reason, "isLast": is_last, "tools": tools, "family": family, "strict": strict})


def to_history(call: _types.Document, provider: _types.MessageProvider) -> dict[str, Any]:
    """Returns a call as it is in the history of a provider, which may be another one than it came from.

    >>> from toolwire import providers
    >>> providers.to_history({'id': 'call_1', 'name': 'now', 'arguments': {}}, 'bedrock')
    {'toolUse': {'toolUseId': 'call_1', 'name': 'now', 'input': {}}}
    """
    return _call("to_history", (call, provider,))
