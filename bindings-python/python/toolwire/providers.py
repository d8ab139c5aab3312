"""Messages of the providers of models: a tool's result, the results of a turn, definitions of tools, and the calls
that a model makes. Nothing is sent, and nothing of an SDK is imported.

>>> from toolwire import providers
>>> block = {'type': 'tool_use', 'id': 'toolu_1', 'name': 'list_files', 'input': {'path': 'a'}}
>>> read = providers.from_call(block, 'anthropic', stop_reason='tool_use')
>>> read['call']['arguments'], read['refusal']
({'path': 'a'}, None)
>>> message = providers.to_message('12 files', read['call'], 'anthropic')
>>> message['message']['content']
[{'type': 'tool_result', 'tool_use_id': 'toolu_1', 'content': '12 files'}]

A provider is `anthropic`, `openai` (Responses), `openai_chat`, `gemini`, `bedrock`, `mistral`, or a framework:
`ai_sdk`, `langchain`, `pydantic_ai`, `openai_agents`. Reports are lists of dicts with `pointer`, `fate` (`kept`,
`moved`, `approximated` or `dropped`) and `reason`.
"""

import json as _json

from ._toolwire import Envelope, Parsed, provider_call, provider_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

__all__ = ["from_call", "to_history", "to_message", "to_tools", "to_turn"]


def to_message(
    data: "Envelope | Parsed | str | bytes",
    call: "Mapping[str, Any]",
    provider: str,
    *,
    family: str | None = None,
    structured: str | None = None,
    resources: str | None = None,
    max_bytes: int | None = None,
    companion: bool | None = None,
    cache: bool | None = None,
    output_schema: bool | None = None,
) -> "dict[str, Any]":
    """A tool's result as the message that answers a call: a dict with `message`, `companion` and `report`.

    The companion is a message of the user with what has no room inside, or None; `to_turn` places it. `structured`
    is `when_empty` or `preferred`, `resources` is `text`, `document` or `search_result`, and `max_bytes` the
    maximum of text.
    """
    return provider_message(
        data,
        _text(
            {
                "provider": provider,
                "call": call,
                "family": family,
                "structured": structured,
                "resources": resources,
                "maxBytes": max_bytes,
                "companion": companion,
                "cache": cache,
                "outputSchema": output_schema,
            }
        ),
    )


def to_turn(
    calls: "Sequence[Mapping[str, Any]]",
    results: "Sequence[Envelope | Parsed | Mapping[str, Any] | str | bytes | None]",
    provider: str,
    *,
    family: str | None = None,
    structured: str | None = None,
    resources: str | None = None,
    max_bytes: int | None = None,
    companion: bool | None = None,
    cache: bool | None = None,
) -> "dict[str, Any]":
    """The messages that answer all calls of a response: a dict with `messages` and `reports`. A result that is None
    is that of a call that was not run.

    >>> from toolwire import providers
    >>> calls = [{'id': 'a', 'name': 'now'}, {'id': 'b', 'name': 'now'}]
    >>> turn = providers.to_turn(calls, ['12:00', None], 'openai')
    >>> [item['output'] for item in turn['messages']]
    ['12:00', '[error]\\n\\nthe call was not run']
    """
    given = {"calls": list(calls), "results": [_result(result) for result in results]}
    options = {
        "provider": provider,
        "family": family,
        "structured": structured,
        "resources": resources,
        "maxBytes": max_bytes,
        "companion": companion,
        "cache": cache,
    }
    return provider_call("to_turn", _text(given), _text(options))


def to_tools(
    tools: "Sequence[Mapping[str, Any]] | str",
    provider: str,
    *,
    family: str | None = None,
    strict: bool | None = None,
    cache: bool | None = None,
    output_schemas: bool | None = None,
) -> "dict[str, Any]":
    """Definitions for a request: a dict with `tools`, `names` (dicts with `tool` and `name`) and `report`. A tool
    that can't be defined is left out and reported.

    >>> from toolwire import providers
    >>> made = providers.to_tools([{'name': 'now', 'inputSchema': {'type': 'object'}}], 'anthropic')
    >>> made['tools']
    [{'name': 'now', 'input_schema': {'type': 'object'}}]
    """
    options = {
        "provider": provider,
        "family": family,
        "strict": strict,
        "cache": cache,
        "outputSchemas": output_schemas,
    }
    return provider_call("to_tools", tools if isinstance(tools, str) else _text(list(tools)), _text(options))


def from_call(
    call: "Mapping[str, Any] | str",
    provider: str,
    *,
    stop_reason: str | None = None,
    is_last: bool | None = None,
    tools: "Sequence[Mapping[str, Any]] | None" = None,
    family: str | None = None,
    strict: bool | None = None,
) -> "dict[str, Any]":
    """What a model has called: a dict with `call`, `refusal`, `history` and `report`.

    If `refusal` is not None, the call is not to be run: it was cut off, or its arguments can't be read. The refusal
    is the envelope to answer with. `history` is the call for later requests. `tools` are those that were given to
    `to_tools`, so that names and arguments come back as the tool has them.

    >>> from toolwire import providers
    >>> block = {'type': 'tool_use', 'id': 'toolu_1', 'name': 'rm', 'input': {'path': '/var'}}
    >>> providers.from_call(block, 'anthropic', stop_reason='max_tokens')['refusal']['isError']
    True
    """
    options = {
        "provider": provider,
        "stopReason": stop_reason,
        "isLast": is_last,
        "tools": None if tools is None else list(tools),
        "family": family,
        "strict": strict,
    }
    return provider_call("from_call", call if isinstance(call, str) else _text(call), _text(options))


def to_history(call: "Mapping[str, Any]", provider: str) -> "dict[str, Any]":
    """A call as it stands in the history of a provider, which may be another than the one that it came from.

    >>> from toolwire import providers
    >>> providers.to_history({'id': 'call_1', 'name': 'now', 'arguments': {}}, 'bedrock')
    {'toolUse': {'toolUseId': 'call_1', 'name': 'now', 'input': {}}}
    """
    return provider_call("to_history", _text(call), _text({"provider": provider}))


def _text(value: "Any") -> str:
    if isinstance(value, dict):
        value = {name: member for name, member in value.items() if member is not None}
    return _json.dumps(value, ensure_ascii=False, default=dict)


def _result(result: "Any") -> "Any":
    if isinstance(result, Parsed):
        result = result.raw
    elif isinstance(result, Envelope):
        result = str(result)
    return result.decode(errors="replace") if isinstance(result, (bytes, bytearray)) else result
