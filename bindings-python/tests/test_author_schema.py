"""What type hints mean: the schemas that they give, and the values that a function gets."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import pathlib
import sys
import typing
import uuid
from typing import Annotated, Any, Dict, FrozenSet, List, Literal, NamedTuple, Optional, Set, Tuple, Union

import annotated_types
import pydantic
import pytest
import toolwire as tw
from toolwire._hints import Misfit
from typing_extensions import NotRequired, Required, TypeAliasType, TypedDict

CLOSED = {"type": "object", "additionalProperties": False}
STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
COLOR = {"type": "string", "enum": ["red", "blue"]}


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Name(str):
    pass


class Odd:
    pass


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0

    def __post_init__(self):
        if self.x < 0:
            raise ValueError("x is negative")


@dataclasses.dataclass
class Node:
    """A node of a tree.

    Attributes:
        value: What it holds.
    """

    value: int
    inner: "List[Node]" = dataclasses.field(default_factory=list)
    count: typing.ClassVar[int] = 0
    seen: bool = dataclasses.field(default=False, init=False)
    label: str = dataclasses.field(default="", metadata={"description": "For people."})
    scale: dataclasses.InitVar[int] = 1


class Pair(NamedTuple):
    a: int
    b: Color = Color.RED


class Movie(TypedDict, total=False):
    title: Required[str]
    year: int
    day: "datetime.date"


class Series(Movie):
    seasons: "NotRequired[int]"
    host: str


T = typing.TypeVar("T")


@dataclasses.dataclass
class Box(typing.Generic[T]):
    item: T


class Model(pydantic.BaseModel):
    count: int = pydantic.Field(ge=1, description="How many.")
    at: Optional[datetime.datetime] = None
    inner: "Optional[Model]" = None


class Flat(pydantic.BaseModel):
    count: int = pydantic.Field(alias="howMany")


Json = TypeAliasType("Json", "Union[int, List[Json]]")
UserId = typing.NewType("UserId", int)


def schema_of(hint):
    def f(x): ...

    f.__annotations__ = {"x": hint}
    schema = tw.Tool(f, {}).input_schema
    found = schema["properties"]["x"]
    return {**found, "$defs": schema["$defs"]} if "$defs" in schema else found


def read(hint, value):
    """What a function gets for a value, after the checks that a call makes."""

    def f(x): ...

    f.__annotations__ = {"x": hint}
    tool = tw.Tool(f, {})
    assert tw.schema.check_value(tool.input_schema, {"x": value}) == []
    schema, converts = tool._signature.input()
    return tool._signature.convert({"x": value}, converts)["x"]


UTC = datetime.timezone.utc
DAY = datetime.date(2024, 5, 6)
CASES = [
    (str, STRING, "a", "a"),
    (int, INTEGER, 3.0, 3),
    (float, NUMBER, 3, 3.0),
    (bool, {"type": "boolean"}, True, True),
    (None, {"type": "null"}, None, None),
    (Any, {}, [1], [1]),
    (object, {}, "a", "a"),
    (Optional[int], {"type": ["integer", "null"]}, None, None),
    (Union[int, str], {"anyOf": [INTEGER, STRING]}, "a", "a"),
    (Union[Color, datetime.date, None], {"anyOf": [COLOR, {"type": "string", "format": "date"}, {"type": "null"}]},
     "2024-05-06", DAY),
    (list, {"type": "array", "items": {}}, [1], [1]),
    (List[int], {"type": "array", "items": INTEGER}, [1.0], [1]),
    (collections.abc.Sequence, {"type": "array", "items": {}}, [1], [1]),
    (typing.Iterable[str], {"type": "array", "items": STRING}, ["a"], ["a"]),
    (Set[int], {"type": "array", "items": INTEGER, "uniqueItems": True}, [1, 2], {1, 2}),
    (FrozenSet[str], {"type": "array", "items": STRING, "uniqueItems": True}, ["a"], frozenset("a")),
    (tuple, {"type": "array", "items": {}}, [1], (1,)),
    (Tuple[int, ...], {"type": "array", "items": INTEGER}, [1], (1,)),
    (Tuple[int, Color], {"type": "array", "prefixItems": [INTEGER, COLOR], "minItems": 2, "maxItems": 2},
     [1, "red"], (1, Color.RED)),
    (dict, {"type": "object", "additionalProperties": True}, {"a": 1}, {"a": 1}),
    (Dict[str, Any], {"type": "object", "additionalProperties": True}, {"a": 1}, {"a": 1}),
    (Dict[str, float], {"type": "object", "additionalProperties": NUMBER}, {"a": 1}, {"a": 1.0}),
    (typing.Mapping[Literal["a", "b"], int],
     {"type": "object", "additionalProperties": INTEGER, "propertyNames": {"type": "string", "enum": ["a", "b"]}},
     {"a": 1}, {"a": 1}),
    (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, "b", "b"),
    (Literal["a", 1, None], {"enum": ["a", 1, None]}, 1, 1),
    (Literal["a"], {"type": "string", "const": "a"}, "a", "a"),
    (Literal[Color.RED], {"type": "string", "const": "red"}, "red", Color.RED),
    (Literal[1, True], {"enum": [1, True]}, True, True),
    (Color, COLOR, "red", Color.RED),
    (Level, {"type": "integer", "enum": [1]}, 1, Level.LOW),
    (Access, {"type": "integer", "minimum": 0}, 3, Access.READ | Access.WRITE),
    (Name, STRING, "a", Name("a")),
    (UserId, INTEGER, 3, 3),
    (datetime.datetime, {"type": "string", "format": "date-time"}, "2024-05-06T07:08:09.1234567Z",
     datetime.datetime(2024, 5, 6, 7, 8, 9, 123456, UTC)),
    (datetime.date, {"type": "string", "format": "date"}, "2024-05-06", DAY),
    (datetime.time, {"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]"}, "07:08", datetime.time(7, 8)),
    (datetime.timedelta, {"type": "string", "format": "duration"}, "P1DT2H3M4S",
     datetime.timedelta(days=1, hours=2, minutes=3, seconds=4)),
    (uuid.UUID, {"type": "string", "format": "uuid"}, str(uuid.UUID(int=1)), uuid.UUID(int=1)),
    (pathlib.Path, {"type": "string", "format": "path"}, "a/b", pathlib.Path("a/b")),
    (decimal.Decimal, {"type": "string", "format": "decimal"}, "1.10", decimal.Decimal("1.10")),
    (bytes, {"type": "string", "contentEncoding": "base64"}, "AQI=", b"\1\2"),
    (Annotated[str, "What it is."], {"type": "string", "description": "What it is."}, "a", "a"),
    (Annotated[int, {"minimum": 1}, "At least one."], {"type": "integer", "minimum": 1, "description": "At least one."}, 1, 1),
    (Annotated[int, annotated_types.Interval(ge=1, lt=9), annotated_types.MultipleOf(2)],
     {"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 2}, 2, 2),
    (Annotated[List[int], annotated_types.Len(1, 3)],
     {"type": "array", "items": INTEGER, "minItems": 1, "maxItems": 3}, [1], [1]),
    (Annotated[str, pydantic.Field(min_length=1, pattern="^a", description="A word.")],
     {"type": "string", "minLength": 1, "pattern": "^a", "description": "A word."}, "a", "a"),
    (Point, {**CLOSED, "properties": {"x": NUMBER, "y": {"type": "number", "default": 0}}, "required": ["x"]},
     {"x": 1}, Point(1.0)),
    (Annotated[Point, {"additionalProperties": True}],
     {"type": "object", "properties": {"x": NUMBER, "y": {"type": "number", "default": 0}}, "required": ["x"],
      "additionalProperties": True},
     {"x": 1, "more": 2}, Point(1.0)),
    (Pair, {**CLOSED, "properties": {"a": INTEGER, "b": {**COLOR, "default": "red"}}, "required": ["a"]},
     {"a": 1, "b": "blue"}, Pair(1, Color.BLUE)),
    (Movie, {**CLOSED, "required": ["title"],
             "properties": {"title": STRING, "year": INTEGER, "day": {"type": "string", "format": "date"}}},
     {"title": "a", "day": "2024-05-06"}, {"title": "a", "day": DAY}),
    (Series, {**CLOSED, "required": ["title", "host"],
              "properties": {"title": STRING, "year": INTEGER, "day": {"type": "string", "format": "date"},
                             "seasons": INTEGER, "host": STRING}},
     {"title": "a", "host": "b"}, {"title": "a", "host": "b"}),
    (Box[datetime.date], {**CLOSED, "required": ["item"], "properties": {"item": {"type": "string", "format": "date"}}},
     {"item": "2024-05-06"}, Box(DAY)),
    (Box[Annotated[int, {"minimum": 1}]],
     {**CLOSED, "required": ["item"], "properties": {"item": {"type": "integer", "minimum": 1}}}, {"item": 1}, Box(1)),
    (List[Box[List[int]]],
     {"type": "array", "items": {**CLOSED, "required": ["item"],
                                 "properties": {"item": {"type": "array", "items": INTEGER}}}},
     [{"item": [1]}], [Box([1])]),
    (Flat, {**CLOSED, "title": "Flat", "required": ["howMany"], "properties": {"howMany": {"type": "integer", "title": "Howmany"}}},
     {"howMany": 1}, Flat(howMany=1)),
    (pydantic.AnyUrl, {"type": "string", "format": "uri", "minLength": 1}, "https://a/", pydantic.AnyUrl("https://a/")),
    ("List[Color]", {"type": "array", "items": COLOR}, ["red"], [Color.RED]),
    ("Optional['Color']", {"type": ["string", "null"], "enum": ["red", "blue", None]}, "red", Color.RED),
    ("int | None", {"type": ["integer", "null"]}, 1, 1),
    ("dict[str, list[Color] | None]",
     {"type": "object", "additionalProperties": {"type": ["array", "null"], "items": COLOR}}, {"a": ["red"]}, {"a": [Color.RED]}),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "schema", "value", "expected"), CASES, ids=lambda it: str(it)[:40])
def test_a_hint_and_its_values(hint, schema, value, expected):
    found = schema_of(hint)
    if hint is Flat:
        # pydantic's own titles are tidied by the core, whose matter that is.
        found = {**found, "title": "Flat"}
        found["properties"]["howMany"]["title"] = "Howmany"
    assert found == schema
    got = read(hint, value)
    assert got == expected
    assert type(got) is type(expected)


class Extra(TypedDict, extra_items="datetime.date"):
    name: str


class Open(TypedDict, closed=False):
    name: str


class Shut(TypedDict, closed=True):
    name: str


class Told(pydantic.BaseModel, extra="ignore"):
    name: str


class Keeping(pydantic.BaseModel, extra="allow"):
    name: str


class Strict(pydantic.BaseModel, extra="forbid"):
    name: str


class Around(pydantic.BaseModel):
    told: Told
    strict: Strict
    flat: List[Flat] = []


@pytest.mark.parametrize("hint", [Point, Pair, Movie, Box[int], Flat, Shut, Strict, Around, Union[Point, Pair], List[Point], Optional[Flat]])
def test_a_misspelt_member_is_refused(hint):
    """AUTH-73: it would be dropped, and its default taken."""
    value = {"x": 1, "a": 1, "title": "a", "item": 1, "howMany": 1, "name": "a", "told": {"name": "a"}, "strict": {"name": "a"}}
    inner = schema_of(hint)
    inner = inner.get("items", inner.get("anyOf", [inner])[0] if "anyOf" in inner else inner)
    given = {name: value[name] for name in inner["required"]}
    around = (lambda it: [it]) if hint == List[Point] else (lambda it: it)
    read(hint, around(given))
    schema = {"type": "object", "properties": {"x": schema_of(hint)}}
    found = tw.schema.check_value(schema, {"x": around({**given, "unknown_member": 1})})
    assert found, hint
    assert all("not expected" in one["message"] or "alternatives" in one["message"] for one in found)


@pytest.mark.parametrize(
    ("hint", "value", "expected"),
    [
        (Extra, {"name": "a", "day": "2024-05-06"}, {"name": "a", "day": DAY}),
        (Open, {"name": "a", "more": 1}, {"name": "a", "more": 1}),
        (Told, {"name": "a", "more": 1}, Told(name="a")),
        (Keeping, {"name": "a", "more": 1}, Keeping(name="a", more=1)),
        (Around, {"told": {"name": "a", "more": 1}, "strict": {"name": "b"}}, Around(told=Told(name="a"), strict=Strict(name="b"))),
    ],
    ids=lambda it: str(it)[:40],
)
def test_a_type_can_say_that_it_takes_more(hint, value, expected):
    assert read(hint, value) == expected


def test_of_two_types_the_one_is_taken_that_drops_nothing():
    @dataclasses.dataclass
    class Short:
        a: int

    @dataclasses.dataclass
    class Long:
        a: int
        b: int = 0

    assert read(Union[Short, Long], {"a": 1, "b": 2}) == Long(1, 2)


def test_what_a_tool_returns_may_have_more():
    @tw.tool
    def f() -> Point: ...

    assert "additionalProperties" not in f.output_schema


def test_pydantic_says_the_same():
    """Whoever moves a parameter into a model, or back, gets the schema that was there."""
    hints = [str, bool, int, Annotated[int, annotated_types.Ge(0)], float, Optional[str], Literal["a", "b"], Color, Level]
    hints += [Literal["a"], List[int], list, Dict[str, int], Dict[str, Any], dict, Any, Point, Movie, Union[int, str]]
    hints += [datetime.datetime, datetime.date, datetime.timedelta, uuid.UUID, pathlib.Path, Set[int], Tuple[int, str]]
    model = pydantic.create_model("M", **{f"x{at}": (hint, ...) for at, hint in enumerate(hints)})
    closed = tw._toolwire.call("close_schema", (model.model_json_schema(),))
    theirs = tw._toolwire.call("tidy_schema", (closed,))["properties"]
    for at, hint in enumerate(hints):
        assert {key: value for key, value in theirs[f"x{at}"].items() if key != "title"} == schema_of(hint), hint


def test_what_leads_back_to_itself():
    found = schema_of(Node)
    assert found["$ref"] == "#/$defs/Node"
    assert found["$defs"]["Node"] == {
        "type": "object",
        "description": "A node of a tree.",
        "properties": {
            "value": {"type": "integer", "description": "What it holds."},
            "inner": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            "label": {"type": "string", "default": "", "description": "For people."},
            "scale": {"type": "integer", "default": 1},
        },
        "required": ["value"],
        "additionalProperties": False,
    }
    assert read(Node, {"value": 1, "inner": [{"value": 2}]}) == Node(1, [Node(2)])
    assert schema_of(Json)["$defs"]["Json"] == {"anyOf": [INTEGER, {"type": "array", "items": {"$ref": "#/$defs/Json"}}]}
    assert read(Json, [1, [2.0]]) == [1, [2]]
    assert read(Model, {"count": 1, "inner": {"count": 2}}) == Model(count=1, inner=Model(count=2))


def test_two_classes_of_one_name():
    def make(kind):
        @dataclasses.dataclass
        class Same:
            value: kind
            inner: "Optional[Same]" = None

        return Same

    one, two = make(int), make(str)
    found = schema_of(Tuple[one, two])
    assert sorted(found["$defs"]) == ["Same", "Same_2"]
    assert read(Tuple[one, two], [{"value": 1}, {"value": "a"}]) == (one(1), two("a"))


def test_a_dataclass_and_a_model_of_one_name():
    Inner = pydantic.create_model("Node", count=(int, ...))
    Outer = pydantic.create_model("Outer", node=(Inner, ...), other=(Optional[Inner], None))

    @dataclasses.dataclass
    class Node:
        model: Outer
        inner: "Optional[Node]" = None

    value = {"model": {"node": {"count": 1}}, "inner": {"model": {"node": {"count": 2}}}}
    got = read(Node, value)
    assert got.inner.model.node.count == 2
    assert list(schema_of(Node)["$defs"]) == ["Node_2"]


@pytest.mark.parametrize(
    ("hint", "value", "expected"),
    [
        (datetime.datetime, "2024-13-06T07:08:09Z", [("/x", "this is no date-time")]),
        (datetime.date, "tomorrow", [("/x", "this is no date")]),
        (datetime.time, "25:00", [("/x", "this is no time")]),
        (datetime.timedelta, "PT", [("/x", "this is no duration")]),
        (decimal.Decimal, "a", [("/x", "this is no decimal")]),
        (uuid.UUID, "a", [("/x", "this is no uuid")]),
        (bytes, "a", [("/x", "this is no base64")]),
        (List[Point], [{"x": 1}, {"x": -1}], [("/x/1", "x is negative")]),
        (Dict[str, Tuple[datetime.date, int]], {"a/b": ["a", 1]}, [("/x/a~1b/0", "this is no date")]),
        (Model, {"count": 1, "inner": {"count": "a", "at": "b"}}, None),
    ],
)
def test_what_fits_the_schema_and_still_is_none(hint, value, expected):
    def f(x): ...

    f.__annotations__ = {"x": hint}
    signature = tw.Tool(f, {})._signature
    with pytest.raises(Misfit) as caught:
        signature.convert({"x": value}, signature.input()[1])
    if expected is None:
        assert [place for place, _ in caught.value.pointers()] == ["/x/inner/count", "/x/inner/at"]
    else:
        assert caught.value.pointers() == expected


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (typing.Callable[[int], int], ["`x`", "Callable", "no JSON Schema"]),
        (Odd, ["`x`", "Odd`", "no JSON Schema"]),
        (Dict[int, str], ["keys of a JSON object are strings", "`int`"]),
        (Literal[b"a"], ["b'a'"]),
        ("Unknown", ["`Unknown`", "TYPE_CHECKING"]),
        ("List[Unknown]", ["`Unknown`", "`List[Unknown]`"]),
        (Union, ["no JSON Schema"]),
        (Literal, ["no JSON Schema"]),
        ("int |", ["can't be evaluated"]),
        ("3 + 'a'", ["can't be evaluated"]),
    ],
)
def test_a_hint_without_a_schema(hint, words):
    with pytest.raises(TypeError) as caught:
        schema_of(hint)
    assert str(caught.value).startswith("f(): the parameter `x`: ")
    for word in words:
        assert word in str(caught.value)


def test_a_member_that_has_the_name_of_its_type():
    code = (
        "from __future__ import annotations\nimport dataclasses, toolwire as tw\nfrom datetime import date\n"
        "@dataclasses.dataclass\nclass Event:\n    date: date | None = None\n    kind: Kind = 'a'\n"
        "    class Kind(str): ...\n"
        "@tw.tool\ndef f(event: Event): ...\n"
    )
    module = sys.modules["some_module"] = type(sys)("some_module")
    try:
        exec(code, module.__dict__)
        properties = module.f.input_schema["properties"]["event"]["properties"]
    finally:
        del sys.modules["some_module"]
    assert properties == {"date": {"type": ["string", "null"], "format": "date"}, "kind": {**STRING, "default": "a"}}


def test_a_place_within_a_class_is_named():
    @dataclasses.dataclass
    class Job:
        run: typing.Callable[[], None]

    with pytest.raises(TypeError, match=r"f\(\): the parameter `x`: `Job.run`: the hint"):
        schema_of(Job)


# -- functions ---------------------------------------------------------------------------------------


def test_parameters_of_every_kind():
    @tw.tool
    def f(a, /, b: int, c: int = 2, *, d: Color = Color.RED, e: str, ctx: tw.Context, **rest: float):
        return [a, b, c, d, e, rest]

    schema = f.input_schema
    assert schema["required"] == ["a", "b", "e"]
    assert schema["properties"]["a"] == {}
    assert schema["properties"]["c"] == {"type": "integer", "default": 2}
    assert schema["properties"]["d"] == {**COLOR, "default": "red"}
    assert schema["additionalProperties"] == NUMBER
    assert "ctx" not in schema["properties"]
    signature = f._signature
    _, converts = signature.input()
    values = signature.convert({"a": 1, "b": 2.0, "e": "x", "d": "blue", "more": 1}, converts)
    assert signature.call(f, values, tw.Context()) == [1, 2, 2, Color.BLUE, "x", {"more": 1.0}]


class Text(str):
    pass


SIMPLE = [str, int, float, bool, dict, list, tuple, None, Any, Text, Optional[int], Optional[float], Union[None, str]]
SIMPLE += [Union[int, float], Union[int, str, None], "Optional['int']", "int", "tw.Context"]


@pytest.mark.parametrize("hint", SIMPLE)
@pytest.mark.parametrize("value", ["a", 1, 1.0, 1.5, True, None, {}, [], [1], {"a": 1}])
def test_what_is_certain_is_what_the_check_would_say(hint, value):
    """The short way for simple arguments must never take what the schema refuses, nor give something else."""

    def f(x, y=1): ...

    f.__annotations__ = {"x": hint}
    signature = tw.Tool(f, {})._signature
    for arguments in ({"x": value}, {"x": value, "y": value}, {"x": value, "z": 1}, {"y": 1}):
        found = signature.certain(arguments)
        if found is not None:
            schema, converts = signature.input()
            assert tw.schema.check_value(tw.Tool(f, {}).input_schema, arguments) == []
            expected = signature.convert(arguments, converts)
            assert found == expected
            assert [type(each) for each in found.values()] == [type(each) for each in expected.values()]


def test_what_is_certain():
    def f(a: str, b: float = 1, *, c: "int | None" = None, ctx: tw.Context): ...

    signature = tw.Tool(f, {})._signature
    assert signature.certain({"a": "x", "b": 2}) == {"a": "x", "b": 2.0}
    assert signature.certain({"a": "x", "c": 1}) == {"a": "x", "c": 1}
    assert signature.certain({"a": "x", "c": None}) == {"a": "x", "c": None}
    # Another language's whole number, a hint that is not simple, an argument that there is not.
    for arguments in ({"a": 1}, {"a": None}, {"a": "x", "c": 1.0}, {"a": "x", "ctx": 1}, {"a": "x", "d": 1}, {"b": 1.0}):
        assert signature.certain(arguments) is None


def test_a_positional_parameter_that_is_left_out():
    def f(a, b=2, /, c=3):
        return a, b, c

    signature = tw.Tool(f, {})._signature
    assert signature.call(f, {"a": 1, "c": 4}, None) == (1, 2, 4)


def test_the_context_is_found():
    def by_hint(where: tw.Context): ...
    def by_text(where: "tw.Context"): ...
    def by_name(ctx): ...
    def optional(where: Optional[tw.Context] = None): ...
    def quoted(where: "Optional['tw.Context']" = None): ...
    def other(ctx: int): ...
    def two(a: tw.Context, b: tw.Context): ...

    found = [tw.Tool(each, {})._signature.context for each in (by_hint, by_text, by_name, optional, quoted, other)]
    assert found == ["where", "where", "ctx", "where", "where", ""]
    with pytest.raises(TypeError, match="both `a` and `b` are the context"):
        tw.Tool(two, {}).describe()


def test_what_cannot_be_a_tool():
    with pytest.raises(TypeError, match=r"f\(\): `\*rest` has no name"):

        @tw.tool
        def f(*rest): ...

    with pytest.raises(TypeError, match="is no function"):
        tw.tool(print)
    with pytest.raises(TypeError, match=r"g\(\): the parameter `a`: write `Annotated"):

        @tw.tool
        def g(a: int = pydantic.Field(3)): ...

        g.describe()
    with pytest.raises(TypeError, match="`h` has no parameter `b`"):

        @tw.tool
        def h(a: int): ...

        @h.format_arguments
        def show(b): ...


def test_a_decorated_function():
    import functools

    def traced(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            return "traced", function(*args, **kwargs)

        return inner

    @tw.tool
    @traced
    def f(a: int):
        """Do it."""
        return a

    assert f.input_schema["required"] == ["a"]
    assert f(3) == ("traced", 3)


def test_defaults_without_a_json_form_are_left_out():
    def f(a=object(), b=float("nan"), c=pathlib.PurePosixPath("a"), d=None, e=(1, 2)): ...

    properties = tw.Tool(f, {}).input_schema["properties"]
    assert properties == {"a": {}, "b": {}, "c": {"default": "a"}, "d": {}, "e": {"default": [1, 2]}}


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (None, None),
        (str, None),
        (bytes, None),
        (Any, None),
        (dict, None),
        (list, None),
        (tw.Envelope, None),
        (Optional[tw.Envelope], None),
        (List[tw.Block], None),
        (List[Union[tw.Block, str]], None),
        (typing.Iterator[str], None),
        (Optional[str], None),
        (Union[str, Dict[str, int]], None),
        (int, {"type": "object", "properties": {"result": INTEGER}, "required": ["result"]}),
        (Annotated[str, "A text."], None),
        (List[str], {"type": "object", "properties": {"result": {"type": "array", "items": STRING}}, "required": ["result"]}),
        (Union[Point, tw.Envelope], {"type": "object", "properties": {"x": NUMBER, "y": NUMBER}, "required": ["x", "y"]}),
        (Optional[int], {"type": "object", "properties": {"result": {"type": ["integer", "null"]}}, "required": ["result"]}),
        (Dict[str, int], {"type": "object", "additionalProperties": INTEGER}),
        ("Dict[str, int]", {"type": "object", "additionalProperties": INTEGER}),
    ],
    ids=str,
)
def test_what_a_function_returns(hint, schema):
    def f(): ...

    f.__annotations__ = {"return": hint}
    assert tw.Tool(f, {}).output_schema == schema


def test_a_return_hint_without_a_schema():
    def f() -> "Odd": ...

    with pytest.raises(TypeError, match=r"f\(\): what it returns: the hint `.*Odd`"):
        tw.Tool(f, {}).describe()


# -- descriptions ------------------------------------------------------------------------------------


def google(path, limit, tags):
    """Search files.

    It looks everywhere.

    Args:
        path (str): Where to
            look.
        limit: At most: so many.
        *tags (dict[str, int], optional): The tags.

            Of any kind.

    Returns:
        What it found.

    Example:
        search("a")
    """


def numpy(path, limit, tags):
    """
    Search files.

    It looks everywhere.

    Parameters
    ----------
    path : str
        Where to
        look.
    limit, other : int, default 3
        At most: so many.
    tags
        The tags.

        Of any kind.

    Returns
    -------
    str
        What it found.

    Example
    -------
    search("a")
    """


def rest(path, limit, tags):
    """Search files.

    It looks everywhere.

    :param str path: Where to
        look.
    :param limit: At most: so many.
    :type limit: int
    :param tags: The tags.
    :returns: What it found.
    :raises OSError: if not
    """


@pytest.mark.parametrize("function", [google, numpy, rest])
def test_docstrings(function):
    described = tw.Tool(function, {}).describe()
    assert described["description"].startswith("Search files.\n\nIt looks everywhere.")
    assert "found" not in described["description"]
    assert ("search(" in described["description"]) == (function is not rest)
    told = {name: schema["description"] for name, schema in described["inputSchema"]["properties"].items()}
    assert told.pop("tags").startswith("The tags.")
    assert told == {"path": "Where to look.", "limit": "At most: so many."}


def test_descriptions_that_are_given():
    hints = {"read_only": True, "destructive": False, "idempotent": True, "open_world": False}

    @tw.tool(name="a-b", title="T", description="D", warm=False, **hints)
    def f(a: Annotated[int, "From the hint."], b: int):
        """Summary.

        Args:
            a: From the docstring.
        """

    assert f.describe() == {
        "name": "a-b",
        "title": "T",
        "description": "D",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "integer", "description": "From the hint."}, "b": INTEGER},
            "required": ["a", "b"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    }


@pytest.mark.parametrize("doc", [None, "", "   ", "Args:", "Args:\n", ":param", "Parameters\n-----", "x\nArgs:\n  : y\n  z\n"])
def test_odd_docstrings(doc):
    def f(a): ...

    f.__doc__ = doc
    assert "description" not in tw.Tool(f, {}).describe()["inputSchema"]["properties"]["a"]


def test_hints_of_a_function_within_a_function():
    @dataclasses.dataclass
    class Local:
        a: "Inner"

    class Inner(TypedDict):
        b: int

    @tw.tool
    def f(x: "List[Local]"): ...

    with pytest.raises(TypeError, match="the name `Inner`"):
        # A class knows its module and itself, but not the function around it.
        f.describe()

    @tw.tool
    def g(x: "List[Inner]"): ...

    assert g.input_schema["properties"]["x"]["items"]["required"] == ["b"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of Python 3.12")
def test_type_parameters_and_aliases():
    names = {}
    code = (
        "import dataclasses, toolwire as tw\n"
        "type Ids = list[int]\n"
        "type Pair[T] = tuple[T, T]\n"
        "@dataclasses.dataclass\nclass Box[T]:\n    item: T\n    many: 'list[T]'\n"
        "@tw.tool\ndef f(a: Ids, b: Pair[str], c: Box[bool]): ...\n"
    )
    exec(code, names)
    properties = names["f"].input_schema["properties"]
    assert properties["a"] == {"type": "array", "items": INTEGER}
    assert properties["b"]["prefixItems"] == [STRING, STRING]
    assert properties["c"]["properties"]["many"] == {"type": "array", "items": {"type": "boolean"}}


@dataclasses.dataclass
class Page(typing.Generic[T]):
    first: Box[T]
    rest: "List[Box[T]]" = dataclasses.field(default_factory=list)
    next: "Optional[Page[T]]" = None


@dataclasses.dataclass
class Ints(Box[int]):
    name: str = ""


@dataclasses.dataclass
class More(Ints):
    more: bool = False


class Held(TypedDict, typing.Generic[T]):
    box: Box[T]


class HeldInts(Held[int]):
    name: str


Tree = Union[Dict[str, "Tree"], List["Tree"], str, int, None]


@pytest.mark.parametrize(
    ("hint", "right", "wrong"),
    [
        (Page[int], {"first": {"item": 1}, "next": {"first": {"item": 2}}}, {"first": {"item": "x"}}),
        (Page[int], {"first": {"item": 1}}, {"first": {"item": 1}, "rest": [{"item": "x"}]}),
        (Page[int], {"first": {"item": 1}}, {"first": {"item": 1}, "next": {"first": {"item": "x"}}}),
        (Ints, {"item": 1}, {"item": "x"}),
        (More, {"item": 1}, {"item": "x"}),
        (Held[int], {"box": {"item": 1}}, {"box": {"item": "x"}}),
        (HeldInts, {"box": {"item": 1}, "name": ""}, {"box": {"item": "x"}, "name": ""}),
        (Tree, {"a": [1, None, {"b": "c"}]}, {"a": [1.5]}),
        (Annotated[str, pydantic.AfterValidator(lambda text: int(text) and text)], "1", "x"),
        (Annotated[str, annotated_types.Predicate(str.islower)], "a", "A"),
        (Annotated[List[Annotated[int, annotated_types.Predicate(bool)]], "some"], [1], [0]),
    ],
)
def test_what_a_hint_says_inside_is_checked(hint, right, wrong):
    read(hint, right)
    with pytest.raises((AssertionError, Misfit)):
        read(hint, wrong)


def test_what_pydantic_does_to_a_value_is_done():
    assert read(Annotated[str, pydantic.StringConstraints(strip_whitespace=True)], " x ") == "x"


def test_an_alias_of_a_parameter_is_refused():
    @tw.tool
    def f(sender: Annotated[str, pydantic.Field(alias="from")]): ...

    with pytest.raises(TypeError, match=r"f\(\): the parameter `sender`: an alias .* call the parameter `from`"):
        f.describe()


def test_what_a_partial_gives_is_no_argument():
    import functools

    def f(a: int, b: str, c: int = 2) -> str:
        return f"{a} {b} {c}"

    partial = functools.partial(f, 1, c=5)
    for made in (partial, functools.wraps(f)(partial)):
        tool = tw.tool(name="f")(made)
        assert list(tool.input_schema["properties"]) == ["b"]
        assert tool(b="x") == "1 x 5"
