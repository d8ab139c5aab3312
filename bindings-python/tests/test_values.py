"""Python values to JSON and back: exact, or refused with the place."""

import collections
import dataclasses
import datetime
import decimal
import enum
import json
import math
import pathlib
import random
import struct
import types
import uuid

import pytest
import toolwire as tw


def written(value):
    return json.loads(str(tw.envelope(structured_content=value)))["structuredContent"]


def there_and_back(value):
    return tw.envelope(structured_content=value).structured_content


def refusal(value):
    with pytest.raises(tw.ToolwireError) as caught:
        tw.envelope(structured_content=value)
    return caught.value


class Colour(enum.IntEnum):
    RED = 7


class Word(str, enum.Enum):
    YES = "yes"


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, -1, 2**53 - 1, -(2**53) + 1, 0.5, -1e-7, 1e300, 5e-324, "", "é😀\x00\x1f\"\\/", [], {}, [[[]]],
     {"a": {"b": [1, "x", None]}}, {"": 0, "~/": 1}],
)
def test_the_same_value_comes_back(value):
    assert there_and_back(value) == value
    assert type(there_and_back(value)) is type(value)


def test_tuples_subclasses_and_mappings():
    assert there_and_back((1, (2,))) == [1, [2]]
    assert there_and_back({"e": Colour.RED, "w": Word.YES}) == {"e": 7, "w": "yes"}
    assert there_and_back(collections.OrderedDict(b=1, a=2)) == {"a": 2, "b": 1}
    assert there_and_back(types.MappingProxyType({"a": 1})) == {"a": 1}
    assert there_and_back(collections.defaultdict(list, a=[1])) == {"a": [1]}


def test_whole_numbers_are_read_exactly_whatever_their_size():
    for number in (2**53 + 1, 2**63, -(2**63) - 1, 2**64 + 1, 10**308 + 1):
        parsed = tw.parse('{"content":[],"structuredContent":%d}' % number)
        assert parsed.structured_content == number
        assert isinstance(parsed.structured_content, int)


def test_a_whole_number_that_a_double_cannot_hold_keeps_its_digits():
    for number in (2**53 + 1, -(2**63) - 1, 10**308 + 1):
        envelope = tw.envelope(structured_content={"n": number})
        assert str(number) in str(envelope)
        parsed = tw.parse(bytes(envelope))
        assert [found.code for found in parsed.diagnostics] == ["big_integer"]
        assert parsed.structured_content == {"n": number}
        assert isinstance(parsed.structured_content["n"], int)
    assert refusal({"n": 10**309}).pointer == "/structuredContent/n"


def test_random_doubles_come_back_bit_for_bit():
    rng = random.Random(7)
    for _ in range(20_000):
        [number] = struct.unpack("<d", rng.getrandbits(64).to_bytes(8, "little"))
        if math.isfinite(number) and (abs(number) < 2**53 or number != int(number)):
            assert there_and_back([number]) == [number]


def test_random_values_are_the_ones_that_the_json_module_reads():
    rng = random.Random(11)

    def value(depth):
        kind = rng.randrange(8 if depth else 6)
        if kind == 0:
            return rng.choice([None, True, False])
        if kind == 1:
            return rng.randrange(-(10**15), 10**15)
        if kind == 2:
            return rng.uniform(-1e9, 1e9)
        if kind < 6:
            return "".join(chr(rng.choice([9, 34, 92, 65, 233, 8364, 55295, 57344, 128512])) for _ in range(rng.randrange(6)))
        if kind == 6:
            return [value(depth - 1) for _ in range(rng.randrange(4))]
        return {str(value(0)): value(depth - 1) for _ in range(rng.randrange(4))}

    for _ in range(2_000):
        it = value(4)
        assert written(it) == it
        assert there_and_back(it) == it


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"a": [0, math.nan]}, "/structuredContent/a/1"),
        (math.inf, "/structuredContent"),
        ({"x/y~": -math.inf}, "/structuredContent/x~1y~0"),
        (["\ud800"], "/structuredContent/0"),
        ({"ok": {"\udfff": 1}}, None),
        ([10**400], "/structuredContent/0"),
        ([10**9999], "/structuredContent/0"),
        ([{1: 2}], "/structuredContent/0"),
        ({None: 2}, "/structuredContent"),
        ([b"x"], "/structuredContent/0"),
        ([{1, 2}], "/structuredContent/0"),
        ([decimal.Decimal(1)], "/structuredContent/0"),
        ([object()], "/structuredContent/0"),
    ],
)
def test_what_json_cannot_say_is_refused_with_its_place(value, pointer):
    error = refusal(value)
    assert error.code == "bad_argument"
    if pointer is not None:
        assert error.pointer == pointer


@dataclasses.dataclass
class Point:
    x: int


class Plain(enum.Enum):
    ONE = object()


class Scalar:
    """What a scalar of NumPy has."""

    def item(self):
        return 1

    def tolist(self):
        return 1


class Array(Scalar):
    def __iter__(self):
        return iter([])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (datetime.date(2026, 1, 2), "a value of type `date` has no JSON form; give `value.isoformat()`"),
        (datetime.datetime(2026, 1, 2), "a value of type `datetime` has no JSON form; give `value.isoformat()`"),
        (datetime.timedelta(1), "a value of type `timedelta` has no JSON form; give `value.total_seconds()`"),
        (ValueError("x"), "a value of type `ValueError` has no JSON form; give `str(value)`"),
        (decimal.Decimal("1.5"), "a value of type `Decimal` has no JSON form; give `str(value)`"),
        (uuid.UUID(int=1), "a value of type `UUID` has no JSON form; give `str(value)`"),
        (pathlib.PurePosixPath("/a"), "a value of type `PurePosixPath` has no JSON form; give `str(value)`"),
        ({1}, "a value of type `set` has no JSON form; give `sorted(value)` or `list(value)`"),
        (frozenset(), "a value of type `frozenset` has no JSON form; give `sorted(value)` or `list(value)`"),
        (iter([]), "a value of type `list_iterator` has no JSON form; give `list(value)`"),
        (collections.deque(), "a value of type `deque` has no JSON form; give `list(value)`"),
        (Scalar(), "a value of type `Scalar` has no JSON form; give `value.item()`"),
        (Array(), "a value of type `Array` has no JSON form; give `value.tolist()`"),
        (Point(1), "a value of type `Point` has no JSON form; give `dataclasses.asdict(value)`"),
        (Plain.ONE, "a value of type `Plain` has no JSON form; give `value.value`"),
        (tw.text("x"), "a value of type `Block` has no JSON form; give `value.to_dict()`"),
        (b"x", "a value of type `bytes` has no JSON form; give its text, or its base64: "
               "`base64.b64encode(value).decode()`"),
        (object(), "a value of type `object` has no JSON form; give None, bool, int, float, str, list, tuple or a mapping"),
    ],
    ids=lambda it: type(it).__name__,
)
def test_what_to_give_instead(value, message):
    error = refusal({"a": [value]})
    assert (error.pointer, error.message) == ("/structuredContent/a/0", message)


def test_a_value_that_holds_itself_is_refused_where_it_does():
    ring = []
    ring.append({"again": ring})
    error = refusal({"a": ring})
    assert (error.code, error.pointer) == ("bad_argument", "/structuredContent/a/0/again")
    assert error.message == "the value at `/structuredContent/a` holds itself, and JSON has no cycles"
    with pytest.raises(tw.ToolwireError) as caught:
        tw.text("x", meta={"a/b": ring})
    assert caught.value.pointer == "/meta/a~1b/0/again"
    wide = []
    wide.extend([wide] * 50)
    assert refusal(wide).pointer == "/structuredContent/0"
    for container in (ring, wide):
        container.clear()


def test_the_same_value_twice_is_no_cycle():
    one = {"a": [1]}
    assert there_and_back([one, one, {"b": one}]) == [one, one, {"b": one}]


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize("levels", [128, 500, 100_000])
def test_a_value_deeper_than_readers_go_is_refused_in_few_words(levels):
    assert there_and_back(nested(127)) == nested(127)
    error = refusal({"a": nested(levels - 1)})
    assert (error.code, error.pointer) == ("bad_argument", "/structuredContent")
    assert error.message == "the value is nested deeper than 127 levels, as no reader takes it"


def test_a_value_without_an_end_is_refused():
    class Endless(collections.abc.Mapping):
        def __getitem__(self, key):
            return Endless()

        def __iter__(self):
            return iter("a")

        def __len__(self):
            return 1

    assert refusal(Endless()).pointer == "/structuredContent"


def test_a_mapping_that_misbehaves_raises_its_own_error():
    class Broken(collections.abc.Mapping):
        def __getitem__(self, key):
            raise RuntimeError("broken")

        def __iter__(self):
            return iter("ab")

        def __len__(self):
            return 2

    with pytest.raises(RuntimeError, match="broken"):
        tw.envelope(structured_content=Broken())
