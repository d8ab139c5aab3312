"""What a program prints that takes many calls: it belongs to the call in which it is printed."""

import io
import os
import sys

from ._current import current
from ._toolwire import LineCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Printed(io.RawIOBase):
    """The bytes of `sys.stdout` and `sys.stderr`. What belongs to no call goes to stderr."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: "Any") -> int:
        data = bytes(data)
        printed(data)
        return len(data)

    def flush(self) -> None:
        call = current.get()
        if isinstance(call, LineCall):
            call.flush()


def printed(data: bytes) -> None:
    call = current.get()
    if isinstance(call, LineCall) and call.print(data):
        return
    while data:
        data = data[os.write(2, data) :]


def attribute() -> None:
    """Has what Python code prints from now on belong to its call."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None or getattr(stream, "encoding", None) is None:
            # It is closed, or the author has put something else there.
            continue
        stream.flush()
        raw: "Any" = Printed(descriptor)
        text = io.TextIOWrapper(raw, "utf-8", "backslashreplace", newline="\n", write_through=True)
        setattr(sys, name, text)


def inherit() -> None:
    """Has threads that a function starts belong to its call, as its tasks do."""
    import threading
    from contextvars import copy_context

    start = threading.Thread.start

    def started(self: "Any") -> None:
        if current.get() is not None:
            run, context = self.run, copy_context()
            self.run = lambda: context.run(run)
        start(self)

    threading.Thread.start = started  # type: ignore[method-assign]
