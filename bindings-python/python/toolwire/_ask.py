"""What a tool can ask for: thin over the core, which makes the schema of each kind."""

from . import _toolwire
from ._context import MISSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Generic, TypeVar, overload

    from typing_extensions import TypeAlias

    T = TypeVar("T")
    Choice: TypeAlias = "str | int | float | bool | None | Mapping[str, Any]"

    class _Of(Generic[T]):
        """What the answer is, for type checkers."""

else:

    class _Of:
        """A generic class that knows nothing of its parameters when the program runs."""

        __slots__ = ()

        def __class_getitem__(cls, parameters):
            return cls


class Ask(_Of["T"]):
    """A question without its id: a short text, the schema of the answer, and an optional default.

    Made by `boolean`, `select`, `multi_select`, `string`, `number`, `integer`, `form` and `page`.

    >>> import toolwire as tw
    >>> ask = tw.integer('How many?', minimum=1, default=3)
    >>> ask.text, ask.schema, ask.default
    ('How many?', {'minimum': 1, 'type': 'integer'}, 3)
    """

    __module__ = "toolwire"

    __slots__ = ("_convert", "_native")

    def __init__(self, kind: str, arguments: "dict[str, Any]", convert: "Callable[[Any], T] | None" = None) -> None:
        given = {name: value for name, value in arguments.items() if value is not None}
        default = arguments["default"]
        if default is MISSING:
            del given["default"]
        else:
            given["default"] = default
        self._native = _toolwire.Ask(kind, given)
        self._convert = convert

    @property
    def text(self) -> str:
        """The short text to show."""
        return self._native.text

    @property
    def schema(self) -> "dict[str, Any]":
        """The JSON Schema of the answer."""
        return self._native.schema

    @property
    def default(self) -> "Any":
        """The suggested answer as a JSON value; None if it is null or absent."""
        return self._native.default

    @property
    def url(self) -> "str | None":
        """The page where the person answers, if it was made by `page`."""
        return self._native.url

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ask) and self._native == other._native

    def __hash__(self) -> int:
        return hash(self._native)

    def __repr__(self) -> str:
        return repr(self._native)

    def read(self, value: "Any") -> "T":
        """Converts the value of an answer to the type of this question: an Enum member, a dataclass.

        The value must fit the schema. ValueError if it cannot be converted.

        >>> import enum, toolwire as tw
        >>> Branch = enum.Enum('Branch', {'MAIN': 'main', 'NEXT': 'next'})
        >>> tw.select('Which branch?', Branch).read('main')
        <Branch.MAIN: 'main'>
        """
        if self._convert is None:
            found: "T" = value
            return found
        from ._hints import Misfit

        try:
            return self._convert(value)
        except Misfit as misfit:
            told = "; ".join(f"`{place}`: {why}" if place else why for place, why in misfit.pointers())
            raise ValueError(f"the answer to `{self.text}` does not fit: {told}") from misfit.__cause__


def boolean(text: str, *, default: bool = MISSING) -> "Ask[bool]":
    """A yes-or-no question.

    >>> import toolwire as tw
    >>> tw.boolean('Overwrite it?', default=False).schema
    {'type': 'boolean'}
    """
    return Ask("boolean", {"text": text, "default": default})


if TYPE_CHECKING:

    @overload
    def select(text: str, choices: "type[T]", *, default: "T" = ...) -> "Ask[T]": ...
    @overload
    def select(text: str, choices: "Iterable[str]", *, default: str = ...) -> "Ask[str]": ...
    @overload
    def select(text: str, choices: "Iterable[Choice]", *, default: "Any" = ...) -> "Ask[Any]": ...


def select(text: str, choices: "Any", *, default: "Any" = MISSING) -> "Ask[Any]":
    """A question for one of several values.

    Each choice is a str, a number, a bool or None, or a dict with a `value` and the `label` and
    `description` that a person sees. The choices can also be an Enum; the answer is then a member.

    >>> import toolwire as tw
    >>> tw.select('Which branch?', ['main', 'develop'], default='main').schema
    {'enum': ['main', 'develop'], 'type': 'string'}
    """
    listed, convert = _choices(choices)
    return Ask("select", {"text": text, "choices": listed, "default": _plain(default)}, convert)


if TYPE_CHECKING:

    @overload
    def multi_select(
        text: str,
        choices: "type[T]",
        *,
        min_items: "int | None" = None,
        max_items: "int | None" = None,
        default: "Iterable[T]" = ...,
    ) -> "Ask[list[T]]": ...
    @overload
    def multi_select(
        text: str,
        choices: "Iterable[str]",
        *,
        min_items: "int | None" = None,
        max_items: "int | None" = None,
        default: "Iterable[str]" = ...,
    ) -> "Ask[list[str]]": ...
    @overload
    def multi_select(
        text: str,
        choices: "Iterable[Choice]",
        *,
        min_items: "int | None" = None,
        max_items: "int | None" = None,
        default: "Iterable[Any]" = ...,
    ) -> "Ask[list[Any]]": ...


def multi_select(
    text: str,
    choices: "Any",
    *,
    min_items: "int | None" = None,
    max_items: "int | None" = None,
    default: "Any" = MISSING,
) -> "Ask[list[Any]]":
    """A question for any number of several values. The choices are as for `select`.

    >>> import toolwire as tw
    >>> tw.multi_select('Which files?', ['a', 'b', 'c'], min_items=1, default=['a']).default
    ['a']
    """
    listed, convert = _choices(choices)
    arguments = {"text": text, "choices": listed, "minItems": min_items, "maxItems": max_items}
    arguments["default"] = default if default is MISSING else _plain(list(default))
    return Ask("multi_select", arguments, convert and (lambda values: [convert(value) for value in values]))


def string(
    text: str,
    *,
    min_length: "int | None" = None,
    max_length: "int | None" = None,
    pattern: "str | None" = None,
    format: "str | None" = None,
    default: str = MISSING,
) -> "Ask[str]":
    """A question for text. `pattern` is a regular expression, `format` a format of JSON Schema.

    Do not ask for secrets: a host refuses such a question, because others could read the answer.

    >>> import toolwire as tw
    >>> tw.string('A title?', max_length=72).schema
    {'maxLength': 72, 'type': 'string'}
    """
    arguments = {"text": text, "minLength": min_length, "maxLength": max_length, "pattern": pattern, "format": format}
    return Ask("string", {**arguments, "default": default})


def number(
    text: str, *, minimum: "float | None" = None, maximum: "float | None" = None, default: float = MISSING
) -> "Ask[float]":
    """A question for a number.

    >>> import toolwire as tw
    >>> tw.number('How hot?', minimum=-273.15).schema
    {'minimum': -273.15, 'type': 'number'}
    """
    return Ask("number", {"text": text, "minimum": minimum, "maximum": maximum, "default": default}, float)


def integer(
    text: str, *, minimum: "int | None" = None, maximum: "int | None" = None, default: int = MISSING
) -> "Ask[int]":
    """A question for an integer.

    >>> import toolwire as tw
    >>> tw.integer('How many?', minimum=1, maximum=5, default=2).schema
    {'maximum': 5, 'minimum': 1, 'type': 'integer'}
    """
    return Ask("integer", {"text": text, "minimum": minimum, "maximum": maximum, "default": default}, int)


if TYPE_CHECKING:

    @overload
    def form(text: str, schema: "type[T]", *, default: "T" = ...) -> "Ask[T]": ...
    @overload
    def form(text: str, schema: "Mapping[str, Any]", *, default: "Any" = ...) -> "Ask[Any]": ...


def form(text: str, schema: "Any", *, default: "Any" = MISSING) -> "Ask[Any]":
    """A question for any other value, such as an object with several fields.

    `schema` is a JSON Schema, or a type such as a dataclass, a TypedDict or a pydantic model. With a
    type, the answer is a value of that type.

    >>> import dataclasses, toolwire as tw
    >>> Size = dataclasses.make_dataclass('Size', [('width', int), ('height', int)])
    >>> ask = tw.form('How large?', Size, default=Size(80, 24))
    >>> ask.schema['required'], ask.default, ask.read({'width': 40, 'height': 12})
    (['width', 'height'], {'width': 80, 'height': 24}, Size(width=40, height=12))
    """
    convert = None
    if isinstance(schema, type) or not hasattr(schema, "keys"):
        schema, convert = _of_type(schema)
    return Ask("form", {"text": text, "schema": schema, "default": _plain(default)}, convert)


def page(text: str, url: str) -> "Ask[bool]":
    """Asks a person to open a page, for example to sign in, so that the host never sees what is entered there.

    The host shows the URL and opens it only if the person agrees. The answer then has the state `opened`
    and no value; `Context.answer` returns True for it. Look for yourself whether the person is done, and
    ask again with `Context.ask(..., again=True)` if not.

    >>> import toolwire as tw
    >>> tw.page('Sign in', 'https://example.org/login').url
    'https://example.org/login'
    """
    return Ask("page", {"text": text, "url": url, "default": MISSING})


def _choices(choices: "Any") -> "tuple[Any, Any]":
    if not hasattr(choices, "__members__"):
        # A single text would become its letters.
        return (choices if isinstance(choices, (str, bytes, dict)) else list(choices)), None
    members = list(choices)

    def convert(value: "Any") -> "Any":
        return next((member for member in members if member.value == value), value)

    values = [_plain(member) for member in members]
    if not all(isinstance(value, str) for value in values):
        # A number alone says little to a person.
        return [{"value": value, "label": member.name} for value, member in zip(values, members)], convert
    return values, convert


def _plain(value: "Any") -> "Any":
    if value is MISSING or type(value) in (str, int, float, bool):
        return value
    from ._plain import plain

    return plain(value)


def _of_type(hint: "Any") -> "tuple[dict[str, Any], Any]":
    import sys

    from ._hints import NoSchema, Scope, Unresolved
    from ._schema import Maker

    frame = sys._getframe(2)
    maker = Maker(docs=True)
    try:
        schema, convert = maker.plan(hint, Scope(frame.f_globals, frame.f_locals))
    except (NoSchema, Unresolved) as problem:
        raise TypeError(f"form(): {problem}") from problem.__cause__
    return _toolwire.call("tidy_schema", (maker.document(schema),)), convert
