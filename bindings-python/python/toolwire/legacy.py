# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""The formats that came before envelopes."""

from __future__ import annotations

from ._toolwire import call as _call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types

__all__ = [
    "read_legacy",
    "unwrap_outcome",
]


def read_legacy(document: _types.Output, *, limits: _types.Limits | None = None) -> _types.Legacy | None:
    """Reads a document in a legacy format: `Outcome`, `ToolState`, or a result with `input_text`. Returns None if
    it is in none of them.

    Fails with `bad_legacy` if it has the members of such a format but breaks its rules.

    `limits`: Limits for reading an output that was not read before.

    >>> from toolwire import legacy
    >>> legacy.read_legacy(b'12:00') is None
    True
    >>> read = legacy.read_legacy(b'{"type": "success", "content": "done"}')
    >>> read['format'], read['parsed'].envelope.content[0].text
    ('outcome', 'done')
    """
    return _call("read_legacy", (document,), {"limits": limits})


def unwrap_outcome(result: _types.Readable, *, limits: _types.Limits | None = None) -> _types.Legacy | None:
    """Returns the `Outcome` in the result of an MCP tool as an envelope, if the result is a single text block that
    holds one, and not an error that the outcome denies. Otherwise returns None.

    `limits`: Limits for reading an output that was not read before.

    >>> import json, toolwire
    >>> result = {'content': [{'type': 'text', 'text': '{"type": "success", "content": "done"}'}]}
    >>> toolwire.legacy.unwrap_outcome(toolwire.parse(json.dumps(result)))['parsed'].envelope.content[0].text
    'done'
    """
    return _call("unwrap_outcome", (result,), {"limits": limits})
