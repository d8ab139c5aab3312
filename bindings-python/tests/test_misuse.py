"""Wrong values into everything that is public: a typed error each time, no panic, and Python goes on."""

import asyncio
import inspect
import random
import sys
import threading

import pytest
import toolwire as tw

DOCUMENT = '{"content":[{"type":"text","text":"a"},{"type":"x"}],"structuredContent":{"n":[1]}}'
QUESTION = {"id": "q", "text": "Which?", "schema": {"type": "array", "items": {"enum": ["a", "b"]}}, "default": ["a"]}


class Own(Exception):
    """What a value raises by itself must come out as it is."""


class Hostile:
    def __getattr__(self, name):
        raise Own(name)

    def fail(self, *_):
        raise Own

    __iter__ = __len__ = __getitem__ = __eq__ = __str__ = __repr__ = __index__ = __float__ = __bool__ = fail
    __hash__ = None


class Text(str):
    def __str__(self):
        raise Own

    __repr__ = __len__ = __str__


class Endless(dict):
    def items(self):
        while True:
            yield "a", 1
            raise Own

    def keys(self):
        yield "a"
        raise Own

    __iter__ = keys


def deep(make, count=5000):
    value = None
    for _ in range(count):
        value = make(value)
    return value


def ring():
    value = []
    value.append(value)
    return value


def released():
    view = memoryview(b"abc")
    view.release()
    return view


VALUES = {
    "None": lambda: None,
    "True": lambda: True,
    "zero": lambda: 0,
    "negative": lambda: -1,
    "past 64 bits": lambda: 2**70,
    "5,000 digits": lambda: 10**4999,
    "fraction": lambda: 1.5,
    "not a number": lambda: float("nan"),
    "endless": lambda: float("inf"),
    "complex": lambda: 1j,
    "empty": lambda: "",
    "text": lambda: "text",
    "half a pair": lambda: "\ud800",
    "zero character": lambda: "a\0b",
    "document": lambda: DOCUMENT,
    "question": lambda: dict(QUESTION),
    "bytes": lambda: b"\xff\x00",
    "bytearray": lambda: bytearray(b"{}"),
    "released view": released,
    "view with steps": lambda: memoryview(b"abcdef")[::2],
    "list": lambda: [],
    "list of all": lambda: [None, 1, "a", b"b", {}, object()],
    "dict": lambda: {},
    "dict of numbers": lambda: {1: 2, None: 3},
    "dict of itself": lambda: (lambda d: d.update(a=d) or d)({}),
    "ring": ring,
    "deep list": lambda: deep(lambda value: [value]),
    "deep dict": lambda: deep(lambda value: {"a": value}),
    "deep tuple": lambda: deep(lambda value: (value,)),
    "deep block": lambda: deep(lambda value: {"type": "text", "text": "a", "_meta": {"x": value}}),
    "set": lambda: {1, 2},
    "generator": lambda: (i for i in range(3)),
    "function": lambda: len,
    "class": lambda: dict,
    "instance": object,
    "hostile": Hostile,
    "hostile text": lambda: Text("abc"),
    "hostile dict": lambda: Endless(a=1),
    "exception": lambda: ValueError("x"),
    "parsed": lambda: tw.parse(DOCUMENT),
    "block": lambda: tw.text("a"),
    "envelope": lambda: tw.envelope([tw.text("a")]),
}

# Those run programs, or take the process over; the others only the library makes.
CALLS = {"run", "run_sync", "list_tools", "list_tools_sync", "connect", "connect_sync", "serve", "serve_sync"}
LEFT_OUT = CALLS | {"main", "Ask", "Context", "Session", "SyncSession"}


def objects():
    parsed = tw.parse(DOCUMENT)
    return [
        parsed,
        parsed.envelope if hasattr(parsed, "envelope") else parsed,
        tw.envelope([tw.text("a")]),
        tw.text("a"),
        tw.image(b"abc", "image/png"),
        tw.questions.read_question(QUESTION),
        tw.questions.read_template("[1]"),
        tw.Stop(),
    ]


def functions():
    modules = [getattr(tw, name) for name in ("contract", "elicitation", "legacy", "mcp", "questions", "schema", "wire")]
    for module in (tw, *modules):
        for name in sorted(module.__all__):
            thing = getattr(module, name)
            if name in LEFT_OUT or not callable(thing):
                continue
            if isinstance(thing, type) and issubclass(thing, BaseException):
                continue
            yield name, thing
    for thing in objects():
        for name in dir(type(thing)):
            if name.startswith("_") or not callable(getattr(thing, name)):
                continue
            yield f"{type(thing).__name__}.{name}", getattr(thing, name)


FUNCTIONS = dict(functions())


def names(function):
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def used(result):
    """What was given back must be usable as well."""
    if inspect.iscoroutine(result):
        result.close()
    elif hasattr(result, "__next__"):
        for _ in zip(range(3), result):
            pass
    elif result is not None:
        repr(result)


def held(what, function, *arguments, **keywords):
    try:
        used(function(*arguments, **keywords))
    except (tw.ToolwireError, tw.HostError) as error:
        assert error.code and isinstance(str(error), str), what
    except Own:
        pass
    except OSError:
        assert what.startswith("resource_from_file"), what
    except ValueError as error:
        # Going through the value failed, and Python's own words say why.
        assert "released" in what or "carrier=half a pair" in what, f"{what}: {error}"
    # A wrong number of arguments, or a keyword that there is not, is Python's own to refuse.
    except TypeError as error:
        assert "panicked" not in str(error), what
    # `PanicException` is no `Exception`.
    except BaseException as error:
        raise AssertionError(f"{what}: {type(error).__name__}: {str(error)[:300]}") from None


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_values_are_refused_with_a_typed_error(name):
    function = FUNCTIONS[name]
    parameters = names(function)
    good = {"data": DOCUMENT, "question": QUESTION, "text": "a", "id": "q", "uri": "file:///a"}
    for what, make in VALUES.items():
        for count in range(4):
            # The value in each place, with something usable before it.
            before = [good.get(p.name, "a") for p in parameters[:count] if p.kind is not p.KEYWORD_ONLY]
            held(f"{name}({count}: {what})", function, *before, make())
        for parameter in parameters:
            if parameter.kind is not parameter.KEYWORD_ONLY:
                continue
            needed = {
                p.name: good.get(p.name, "a")
                for p in parameters
                if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
            }
            needed[parameter.name] = make()
            held(f"{name}({parameter.name}={what})", function, **needed)
    assert tw.parse(DOCUMENT).verdict == "warnings"


@pytest.mark.parametrize("name", sorted(CALLS))
def test_wrong_options_of_a_call_are_refused_with_a_typed_error(name):
    function = getattr(tw, name)

    # So that a server that there could be does not take this program's stdin.
    usual = {"http": "127.0.0.1:0"} if name.startswith("serve") else {}

    def called(*arguments, **keywords):
        result = function(*arguments, **{**usual, **keywords})
        return asyncio.run(awaited(result)) if hasattr(result, "__await__") else result

    async def awaited(result):
        return await result

    for what, make in VALUES.items():
        for parameter in names(function):
            # What a callback raises is passed on.
            if parameter.name == "on_serving":
                continue
            if parameter.name in ("program", "command", "args", "arguments", "tool", "server", "tools"):
                held(f"{name}({what})", called, make())
            else:
                held(f"{name}({parameter.name}={what})", called, ["/no/such/program"], **{parameter.name: make()})


def test_threads_misuse_all_at_once():
    wrong = []

    def work(seed):
        chance = random.Random(seed)
        try:
            for _ in range(300):
                name = chance.choice(sorted(FUNCTIONS))
                what = chance.choice(sorted(VALUES))
                held(f"{name}({what})", FUNCTIONS[name], VALUES[what]())
        except BaseException as error:
            wrong.append(error)

    shared = tw.parse(DOCUMENT)
    readers = [threading.Thread(target=lambda: [shared.json for _ in range(300)]) for _ in range(2)]
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)] + readers
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong
    assert sys.getrecursionlimit() >= 1000
