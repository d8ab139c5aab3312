# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""JSON Schemas: values checked with them, and the forms that providers of models accept."""

from __future__ import annotations

from ._toolwire import call as _call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types

__all__ = [
    "check_answer",
    "check_question",
    "check_value",
    "lint_schema",
    "project_schema",
    "unwrap_value",
]


def check_value(schema: _types.Document, value: Any) -> list[_types.Mismatch]:
    """Validates a value against a JSON Schema (2020-12). Returns the places where it does not fit, at most 20.
    Nothing is fetched: a `$ref` must refer into the schema itself.

    Fails with `bad_schema` if the schema cannot be used.

    >>> from toolwire import schema
    >>> limited = {'type': 'object', 'properties': {'limit': {'maximum': 9}}}
    >>> schema.check_value(limited, {'limit': 3})
    []
    >>> schema.check_value(limited, {'limit': 30})[0]['message']
    '`limit` must be at most 9, not `30`'
    """
    return _call("check_value", (schema, value,))


def check_answer(question: _types.QuestionInput, value: Any) -> list[_types.Mismatch]:
    """Validates the answer to a question, as `check_value` does.

    Fails with `bad_schema`, with a pointer into the question, if its schema cannot be used.

    >>> from toolwire import schema
    >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer'}}
    >>> schema.check_answer(question, 3.5)[0]['message']
    'the value must be a whole number, not `3.5`'
    """
    return _call("check_answer", (question, value,))


def check_question(question: _types.QuestionInput) -> list[_views.Diagnostic]:
    """Checks a question before it is asked. Returns diagnostics: a default that does not fit the schema, or a
    schema that cannot be used.

    >>> from toolwire import schema
    >>> question = {'id': 'n', 'text': '?', 'schema': {'type': 'integer'}, 'default': 'one'}
    >>> [found.code for found in schema.check_question(question)]
    ['default_mismatch']
    """
    return _call("check_question", (question,))


def project_schema(schema: _types.Document, *, answer: bool | None = None, provider: _types.Provider | None = None) -> _types.Projection:
    """Converts a schema to the part of JSON Schema that a provider of models accepts. `unwrap_value` converts the
    values that a model returns.

    `answer`: Whether the schema is for the answer to a question; then it is always wrapped (default: false).

    `provider`: The provider that gets the schema (default: `common`).

    >>> from toolwire import schema
    >>> projection = schema.project_schema({'type': 'integer', 'minimum': 1})
    >>> projection['wrapped'], projection['losses']
    (True, [{'pointer': '/minimum', 'what': 'minimum'}])
    >>> schema.project_schema({'type': 'boolean'}, answer=True)['schema']['properties']
    {'answer': {'type': 'boolean'}}
    """
    return _call("project_schema", (schema,), {"answer": answer, "provider": provider})


def unwrap_value(schema: _types.Document, value: Any, *, answer: bool | None = None, provider: _types.Provider | None = None) -> Any:
    """Converts a value that fits the projection of a schema to one for the schema itself. The options are those
    that the projection was made with.

    Fails with `bad_argument` if it does not have the member `answer` of a wrapped value.

    `answer`: Whether the schema is for the answer to a question; then it is always wrapped (default: false).

    `provider`: The provider that gets the schema (default: `common`).

    >>> from toolwire import schema
    >>> schema.unwrap_value({'type': 'integer', 'minimum': 1}, {'answer': 3})
    3
    """
    return _call("unwrap_value", (schema, value,), {"answer": answer, "provider": provider})


def lint_schema(schema: _types.Document, *, provider: _types.Provider | None = None) -> list[_views.Diagnostic]:
    """Returns diagnostics about what a provider of models would reject of the schema of a tool's arguments; none
    if the provider accepts it.

    `provider`: The provider that gets the schema (default: `common`).

    >>> from toolwire import schema
    >>> schema.lint_schema({'type': 'object', 'anyOf': []}, provider='anthropic')
    [<toolwire.Diagnostic error schema_refused /anyOf>]
    """
    return _call("lint_schema", (schema,), {"provider": provider})
