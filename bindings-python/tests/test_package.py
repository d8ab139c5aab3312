"""The package as installed: what is in it, what it is called, what importing it costs."""

import doctest
import functools
import importlib
import importlib.metadata
import importlib.resources
import inspect
import json
import pathlib
import re
import subprocess
import sys
import sysconfig

import pytest
import toolwire as tw
from toolwire import _toolwire

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = [name for name in tw.__all__ if name != "__version__"]
# What the package's own Python is built on.
NATIVE = [
    "Ask", "call", "command", "Connection", "Conversation", "Functions", "HostSessions", "Invocation", "LineCall", "Lines",
    "OpenCall", "Serving", "Task", "Turn",
    "after_fork", "guard", "hold_stdout", "set_current", "shutdown", "tools_add", "tools_define", "tools_list",
    "tools_respond",
]  # fmt: skip
API = json.loads((REPOSITORY / "schema" / "api.json").read_text(encoding="utf-8"))
MODULES = {name: importlib.import_module(f"toolwire.{name}") for name in API["modules"]}


def test_it_is_the_installed_wheel():
    site = pathlib.Path(sysconfig.get_path("platlib")).resolve()
    assert site in pathlib.Path(tw.__file__).resolve().parents
    assert REPOSITORY / "bindings-python" not in pathlib.Path(tw.__file__).resolve().parents


def test_the_version_is_the_workspaces():
    cargo = (REPOSITORY / "Cargo.toml").read_text(encoding="utf-8")
    version = re.search(r'^\[workspace\.package\]\nversion = "(.+)"$', cargo, re.MULTILINE)[1]
    assert tw.__version__ == importlib.metadata.version("toolwire") == version


def test_what_a_registry_page_needs():
    page = importlib.metadata.metadata("toolwire")
    assert page["License-Expression"] == "MIT OR Apache-2.0"
    assert page["Requires-Python"] == ">=3.9"
    assert importlib.metadata.requires("toolwire") is None
    assert "## Write a tool" in page.get_payload()
    files = {file.name for file in importlib.metadata.files("toolwire")}
    assert {"LICENSE-MIT", "LICENSE-APACHE", "py.typed", "_toolwire.pyi", "types.py"} <= files


@pytest.mark.parametrize("name", ["LICENSE-MIT", "LICENSE-APACHE"])
def test_the_licences_are_the_repositorys(name):
    [file] = [file for file in importlib.metadata.files("toolwire") if file.name == name]
    assert file.read_text() == (REPOSITORY / name).read_text(encoding="utf-8")


def test_everything_public_is_in_all():
    assert sorted(tw.__all__) == tw.__all__
    compiled = {name for name in vars(_toolwire) if not name.startswith("_")}
    machines = {name for module in API["modules"].values() for name in module.get("classes", [])}
    assert compiled == {name for name in PUBLIC if hasattr(_toolwire, name)} | set(NATIVE) | machines


def test_every_name_of_the_api_is_there():
    named = [row[2] for group in API["names"] for row in group["rows"][1:]]
    assert len(named) > 40 and {name for name in named if not name.startswith("toolwire.")} == set()
    for name in named:
        assert functools.reduce(getattr, name.split(".")[1:], tw), name
    for name, function in API["functions"].items():
        if "module" not in function:
            continue
        parameters = inspect.signature(getattr({**MODULES, "toolwire": tw}[function["module"]], name)).parameters
        options = API["options"].get(function.get("options", ""), {"members": {}})["members"]
        names = [argument for argument, _ in function["args"]] + list(options) + ["limits"] * function.get("reads", False)
        assert list(parameters) == [re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name) for name in names]


def test_the_arguments_of_builders_that_the_specification_fixes():
    text = (REPOSITORY / "docs" / "reference" / "libraries.md").read_text(encoding="utf-8")
    chapter = text.split("\n## Builders\n")[1].split("\n## ")[0]
    checked = 0
    for functions, arguments in re.findall(r"^\| ([a-z_, ]+) \| (.*`.*) \|$", chapter, re.MULTILINE):
        for function in functions.split(", "):
            parameters = inspect.signature(getattr(tw, function)).parameters
            for argument in re.findall(r"`(\w+)`", arguments):
                name = re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), argument)
                assert name in parameters, (function, name)
                checked += 1
    assert checked > 40


def test_every_public_thing_has_a_docstring_with_an_example():
    finder, bare = doctest.DocTestParser(), []
    things = [(name, getattr(tw, name)) for name in PUBLIC]
    things += [(name, getattr(module, name)) for module in MODULES.values() for name in module.__all__]
    for name, thing in things:
        if not finder.get_examples(thing.__doc__ or ""):
            bare.append(name)
    assert bare == []


def members():
    yield "toolwire", tw.__doc__
    things = [(name, getattr(tw, name)) for name in PUBLIC]
    things += [(f"{of}.{name}", getattr(module, name)) for of, module in MODULES.items() for name in module.__all__]
    for name, thing in things:
        yield name, thing.__doc__
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            slots = getattr(thing, "__slots__", None)
            told = slots if isinstance(slots, dict) else {}
            for member, value in sorted(vars(thing).items()):
                if not member.startswith("_"):
                    yield f"{name}.{member}", told.get(member) or value.__doc__
    for name in NATIVE:
        thing = getattr(_toolwire, name)
        yield f"native {name}", thing.__doc__
        for member, value in sorted(vars(thing).items()) if inspect.isclass(thing) else ():
            if not member.startswith("_"):
                yield f"native {name}.{member}", value.__doc__


@pytest.mark.parametrize(("name", "text"), list(members()))
def test_the_examples_in_docstrings(name, text):
    assert text, "no docstring"
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0


def test_the_examples_of_the_readme(tmp_path, monkeypatch):
    """Each fence of Python in README.md runs, in order, in one namespace."""
    monkeypatch.chdir(tmp_path)
    readme = (REPOSITORY / "bindings-python" / "README.md").read_text(encoding="utf-8")
    fences = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(fences) >= 3
    names = {}
    for fence in fences:
        try:
            exec(compile(fence, "README.md", "exec"), names)
        except SystemExit as end:
            assert end.code == 1


def modules_after(statement):
    code = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    return subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True).stdout.split()


def test_importing_brings_in_nothing_else():
    assert modules_after("import toolwire") == ["toolwire", "toolwire._toolwire"]


def test_using_it_brings_in_nothing_else():
    statement = (
        "import toolwire as tw; e = tw.envelope(tw.text('x'), structured_content={'a': [1.5]}); str(e); "
        "tw.envelope([tw.text('x'), {'type': 'text', 'text': 'y'}]); tw.error(ValueError('x')); tw.file_uri('x'); "
        "tw.parse(bytes(e)).envelope.content; tw.format(e); e.structured_content"
    )
    assert modules_after(statement) == ["toolwire", "toolwire._toolwire"]


def test_the_types_are_there_to_import():
    assert "toolwire.types" in modules_after("import toolwire.types")


def test_hostile_input_never_ends_in_a_panic():
    """Whatever fails is an exception of a kind that programs catch."""
    import random

    rng = random.Random(3)
    seed = b'{"content":[{"type":"resource","resource":{"uri":"file:///\xc3\xa9","blob":"aGk="}},{"type":"question",' \
           b'"question":{"id":"q","text":"?","schema":{}}}],"structuredContent":[1e5,"\\ud83d\\ude00"],"_meta":{}}'
    functions = [tw.parse, tw.canonicalize, tw.format, tw.explain, tw.identify, tw.validate, tw.digest, tw.parse_lines]
    for _ in range(3_000):
        data = bytearray(seed)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(data))
            choice = rng.randrange(3)
            if choice == 0:
                data[at] = rng.randrange(256)
            elif choice == 1:
                del data[at : at + rng.randrange(20)]
            else:
                data[at:at] = data[: rng.randrange(40)]
            if not data:
                break
        for function in functions:
            try:
                function(bytes(data))
            except tw.ToolwireError:
                pass
        parsed = tw.parse(bytes(data))
        repr(parsed), repr(parsed.envelope), hash(parsed.envelope), parsed.structured_content, parsed.json
        for block in parsed.envelope.content:
            repr(block), block.bytes, block.question, block.meta, block.to_dict()
