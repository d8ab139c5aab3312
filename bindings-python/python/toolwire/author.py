"""A tool in Python: a plain function with type hints.

>>> import toolwire as tw
>>> @tw.tool
... def greet(name: str, loud: bool = False) -> str:
...     \"\"\"Greet somebody.\"\"\"
...     return f'Hello {name}' + '!' * loud
>>> greet('Ada', loud=True)
'Hello Ada!'
>>> greet.input_schema['required']
['name']

With `toolwire.main()` at the end, the file is a program that a host can call.
"""

import sys

from ._context import Context, SessionEnded, Stop, ToolError
from ._signature import Signature, local_names
from ._stdout import guard
from ._toolwire import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Generic, TypeVar, overload

    from typing_extensions import ParamSpec

    from ._ask import Ask, boolean, form, integer, multi_select, number, page, select, string
    from ._session import Session, SyncSession
    from .types import SessionAction

    P = ParamSpec("P")
    R = TypeVar("R")
    F = TypeVar("F", bound=Callable[..., Any])

    class _Of(Generic[P, R]):
        """What a tool's function takes and gives, for type checkers."""

else:

    class _Of:
        """A generic class that knows nothing of its parameters when the program runs."""

        def __class_getitem__(cls, parameters):
            return cls

    def __getattr__(name):
        # A tool that asks nothing need not pay for it.
        if name not in __all__:
            raise AttributeError(f"module 'toolwire.author' has no attribute '{name}'")
        if name in ("Session", "SyncSession"):
            from . import _session as module
        else:
            from . import _ask as module

        return getattr(module, name)


__all__ = [
    "Ask",
    "Context",
    "Session",
    "SessionEnded",
    "Stop",
    "SyncSession",
    "Tool",
    "ToolError",
    "boolean",
    "form",
    "integer",
    "main",
    "multi_select",
    "number",
    "page",
    "select",
    "string",
    "tool",
]

# What a tool that keeps running can be asked to do, and what each of them can.
ACTIONS = ("spawn", "fetch", "apply", "abort")
ALWAYS = ("spawn", "fetch")
# The tools of this program, in the order of their definitions.
_tools: "list[Tool[..., Any]]" = []
# Whether `main` was called; whether somebody has used a tool without it; whether the program's own file
# has defined one.
_answers = False
_used = False
_own = False


class Tool(_Of["P", "R"]):
    """A function that is a tool. Calling it calls the function, for example in a test.

    Made by the decorator `tool`. Its schemas are made when they are first used. A type hint without a
    schema raises TypeError, which names the function and the parameter.

    >>> import toolwire as tw
    >>> @tw.tool
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> double(3), double.input_schema['properties']
    (6, {'number': {'type': 'integer'}})
    """

    __module__ = "toolwire"

    def __init__(
        self,
        function: "Callable[P, R]",
        document: "dict[str, Any]",
        locals: "dict[str, Any] | None" = None,
        actions: "Sequence[str] | None" = None,
        warm: bool = True,
    ) -> None:
        self._function = function
        self._signature = Signature(function, locals)
        self._document = document
        self._actions = actions
        self._warm = warm
        self._format: "tuple[Callable[..., Any], Signature] | None" = None
        self.name: str = document.get("name") or self._signature.name
        # As functools.wraps has it, so that `help` and `inspect` see the function.
        self.__wrapped__ = function
        self.__name__: str = self._signature.name
        # A `partial` has none of these, or those of its own class.
        named = function if hasattr(function, "__qualname__") else self._signature.function
        self.__qualname__ = named.__qualname__
        self.__module__ = named.__module__
        self.__doc__ = named.__doc__

    def __call__(self, *args: "P.args", **kwargs: "P.kwargs") -> "R":
        global _used
        _used = True
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<toolwire.Tool {self.name}>"

    @property
    def input_schema(self) -> "dict[str, Any]":
        """The JSON Schema of the arguments."""
        schema: "dict[str, Any]" = self.describe()["inputSchema"]
        return schema

    @property
    def output_schema(self) -> "dict[str, Any] | None":
        """The JSON Schema of `structuredContent`; None if the function returns no data."""
        return self.describe().get("outputSchema")

    def describe(self) -> "dict[str, Any]":
        """The description of this tool for a host, in the form that MCP uses."""
        from ._doc import read

        global _used
        _used = True
        description, parameters = read(self.__doc__ or "")
        document = {"description": description, **self._document, "name": self.name}
        if not document["description"]:
            del document["description"]
        meta = self._meta()
        if meta:
            document["_meta"] = meta
        document["inputSchema"] = call("tidy_input", (self._signature.input(parameters)[0],))
        output = self._signature.output(docs=True)
        if output is not None:
            document["outputSchema"] = call("tidy_output", (output,))["schema"]
        return document

    def _meta(self) -> "dict[str, Any]":
        """What the tool's program can do beside answering one call (LINE-2)."""
        meta: "dict[str, Any]" = {}
        if self._signature.is_session:
            given = ACTIONS if self._actions is None else (*ALWAYS, *self._actions)
            meta["dev.toolwire/actions"] = [word for word in ACTIONS if word in given]
        elif self._actions is not None:
            raise self._signature.refuse("a tool with `actions` needs a parameter with the hint `Session` or `SyncSession`")
        if self._warm:
            meta["dev.toolwire/warm"] = True
        return meta

    def format_arguments(self, function: "F") -> "F":
        """Registers a preview: a function that says what a call would do, for the person who allows it.

        It takes the same parameters, or some of them, and must not change anything. What it returns is
        shown in place of the arguments.
        """
        signature = Signature(function, self._signature.scope.locals)
        for name in signature.names:
            if name not in self._signature.names and name != signature.context:
                raise signature.refuse(f"`{self.name}` has no parameter `{name}`")
        self._format = function, signature
        return function


if TYPE_CHECKING:

    @overload
    def tool(function: "Callable[P, R]", /) -> "Tool[P, R]": ...
    @overload
    def tool(
        *,
        name: "str | None" = None,
        title: "str | None" = None,
        description: "str | None" = None,
        read_only: "bool | None" = None,
        destructive: "bool | None" = None,
        idempotent: "bool | None" = None,
        open_world: "bool | None" = None,
        actions: "Sequence[SessionAction] | None" = None,
        warm: bool = True,
    ) -> "Callable[[Callable[P, R]], Tool[P, R]]": ...


def tool(
    function: "Any" = None,
    /,
    *,
    name: "str | None" = None,
    title: "str | None" = None,
    description: "str | None" = None,
    read_only: "bool | None" = None,
    destructive: "bool | None" = None,
    idempotent: "bool | None" = None,
    open_world: "bool | None" = None,
    actions: "Sequence[SessionAction] | None" = None,
    warm: bool = True,
) -> "Any":
    """Turns a function into a tool of this program. Use it with or without keyword arguments.

    The name, the description and the schemas come from the function, its docstring and its type hints;
    keyword arguments override them. The hints for hosts are `read_only` (the tool changes nothing),
    `destructive` (it may destroy something), `idempotent` (repeating a call has no further effect) and
    `open_world` (it reaches beyond this machine).

    A function with a parameter of the type `Session` or `SyncSession` can be spawned and fetched. `actions` says
    what else: `'apply'` gives it input, `'abort'` ends it; both, if nothing is said. With `warm=False`, each call
    gets a process of its own.

    >>> import toolwire as tw
    >>> @tw.tool(title='Count words', read_only=True)
    ... def count(text: str) -> int:
    ...     return len(text.split())
    >>> count.describe()['annotations']
    {'readOnlyHint': True}
    """
    document: "dict[str, Any]" = {}
    for key, word in (("name", name), ("title", title), ("description", description)):
        if word is not None:
            document[key] = word
    hints = {
        "readOnlyHint": read_only,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": open_world,
    }
    given = {key: hint for key, hint in hints.items() if hint is not None}
    if given:
        document["annotations"] = given
    chosen = None if actions is None else _checked(actions)
    caller = sys._getframe(1)
    locals = local_names(caller)
    own = caller.f_globals.get("__name__") == "__main__"
    program = None if _tools else _program(caller)

    def decorate(function: "Any") -> "Any":
        made: "Tool[..., Any]" = Tool(function, document, locals, chosen, warm)
        if not _tools:
            # What the rest of the program's file prints must not get into the answer (AUTH-41).
            guard(own)
            _watch(program)
        if own:
            global _own
            _own = True
        _tools.append(made)
        return made

    return decorate if function is None else decorate(function)


def _checked(actions: "Any") -> "tuple[str, ...]":
    """The words of a list of actions; any other raises TypeError."""
    if isinstance(actions, (str, bytes)):
        raise TypeError(f"`actions` is a list of words, such as `['apply', 'abort']`, not `{actions!r}`")
    words = tuple(actions)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"`actions` is a list of words, and one of them is of the type {type(word).__name__}")
        if word not in ACTIONS:
            raise TypeError(f"`{word}` is no action; there are `apply` and `abort`, beside `spawn` and `fetch`")
    return words


def main(*tools: "Tool[..., Any]") -> None:
    """Answers the call that the program was started with, and exits.

    `tools` are the tools that the program holds, by default all that it has defined or imported. In a
    module that is being imported this does nothing, so a test can import a tool's file.

    The call is read from stdin. Without a call, because a person has started the program, it prints the
    tools that it holds. The exit status is 1 if the answer is an error, 2 if there is no call or the
    answer cannot be written, and 0 otherwise.

    >>> import toolwire as tw
    >>> @tw.tool
    ... def now() -> str:
    ...     return 'noon'
    >>> tw.main()       # ends the program, at the end of its file
    """
    caller = sys._getframe(1)
    if caller.f_code.co_name == "<module>" and caller.f_globals.get("__name__") != "__main__":
        return
    global _answers
    _answers = True
    held = tools or tuple(_tools)
    names = [each.name for each in held]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ValueError(f"two tools have the name `{name}`; give one another with `@tool(name=...)`")
    from ._run import run

    run(held, names)


def _program(frame: "Any") -> "Any":
    """The frame of the file that Python was started with, as seen from one that it has led to."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__":
            return frame
        frame = frame.f_back
    return None


def _watch(program: "Any") -> None:
    """Sees to it that a program which never calls `main` says so at its end."""
    import atexit
    import os

    process = os.getpid()
    # Python forgets it before the end. Lines that somebody types have none, nor has a notebook.
    file: "str | None" = program and program.f_globals.get("__file__")
    if file and file.startswith("<"):
        file = None

    def at_exit() -> None:
        if not _answers and os.getpid() == process:
            from ._forgotten import tell

            tell(program, file, _own and not _used)

    atexit.register(at_exit)
