"""Blocking twins of what is asynchronous, where nothing that is awaited waits for a loop."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any, TypeVar

    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")
    R = TypeVar("R")


def at_once(coroutine: "Coroutine[Any, Any, R]") -> "R":
    """The result of a coroutine that never waits for a loop."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise RuntimeError("the coroutine waits for a loop")


def blocking(method: "Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]") -> "Callable[Concatenate[Any, P], R]":
    """The same method for a class whose methods wait in the thread."""

    def wait(self: "Any", /, *args: "P.args", **kwargs: "P.kwargs") -> "R":
        return at_once(method(self, *args, **kwargs))

    for name in ("__doc__", "__module__", "__name__"):
        setattr(wait, name, getattr(method, name))
    return wait
