"""Python values as JSON has them, where there is one sensible way: what a tool returns."""

import sys

NONE = type(None)


# More levels than a reader takes; a value that holds itself has no end.
DEEPEST = 150


class TooDeep(Exception):
    """A value that is nested too deep, or holds itself."""


def plain(value):
    """The value made of dict, list, str, int, float, bool and None.

    What has no JSON form is left in its place: whoever writes the JSON refuses it there.
    """
    try:
        return plainer(value, 0)
    except TooDeep:
        return value


def plainer(value, depth):
    kind = type(value)
    if kind in (str, int, float, bool, NONE):
        return value
    if depth > DEEPEST:
        raise TooDeep
    if kind is dict:
        return {name(key): plainer(item, depth + 1) for key, item in value.items()}
    if kind in (list, tuple):
        return [plainer(item, depth + 1) for item in value]
    return other(value, kind, depth + 1)


def name(key):
    """The name of a member. A number stays one, and is refused: `1` and `"1"` would become the same."""
    if is_member(key):
        key = key.value
    return str.__str__(key) if isinstance(key, str) else key


def is_member(value):
    """Whether the value is a member of an Enum."""
    enum = sys.modules.get("enum")
    return enum is not None and isinstance(value, enum.Enum)


def other(value, kind, depth):
    if is_member(value):
        return plainer(value.value, depth)
    if hasattr(kind, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if hasattr(kind, "__dataclass_fields__"):
        fields = kind.__dataclass_fields__.values()
        return {
            field.name: plainer(getattr(value, field.name), depth)
            for field in fields
            if field._field_type.name == "_FIELD"
        }
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return {field: plainer(item, depth) for field, item in zip(kind._fields, value)}
    if isinstance(value, (set, frozenset)):
        return ordered(plainer(item, depth) for item in value)
    for base in (str, bool, int, float):
        if isinstance(value, base):
            return base.__str__(value) if base is str else base(value)
    if isinstance(value, (list, tuple)):
        return [plainer(item, depth) for item in value]
    if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):
        return {name(key): plainer(value[key], depth) for key in value.keys()}
    if isinstance(value, (bytes, bytearray, memoryview)):
        from binascii import b2a_base64

        # A view may have gaps.
        return b2a_base64(bytes(value), newline=False).decode("ascii")
    return text(value, kind)


def ordered(items):
    """The members of a set in an order that does not change from one run to the next."""
    items = list(items)
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=repr)


def text(value, kind):
    """What is written as text: dates, paths, identifiers, exact numbers."""
    loaded = sys.modules.get
    datetime = loaded("datetime")
    if datetime and isinstance(value, datetime.timedelta):
        from ._time import shown

        return shown(value)
    if datetime and isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    for module, cls in (("pathlib", "PurePath"), ("uuid", "UUID"), ("decimal", "Decimal"), ("fractions", "Fraction")):
        if loaded(module) and isinstance(value, getattr(loaded(module), cls)):
            return str(value)
    if loaded("numpy") and hasattr(kind, "tolist"):
        return plain(value.tolist())
    if loaded("pydantic_core"):
        try:
            return loaded("pydantic_core").to_jsonable_python(value, by_alias=True)
        except Exception:
            # pydantic does not know it either.
            return value
    return value
