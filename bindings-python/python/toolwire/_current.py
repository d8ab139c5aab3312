"""Which call the code that runs belongs to, where a process has more than one."""

from contextvars import ContextVar

from ._toolwire import set_current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._toolwire import LineCall, OpenCall

# Threads and tasks that a function starts inherit it as they do any other variable of its context.
current: "ContextVar[OpenCall | LineCall | None]" = ContextVar("toolwire.call", default=None)
set_current(current.get)
