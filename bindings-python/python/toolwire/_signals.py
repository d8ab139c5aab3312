"""The signals that end a program at once. `atexit` does not see them, and tools, which have process
groups of their own, do not get them either."""

import signal
import sys

from ._toolwire import end_all

DEADLY = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Guard:
    """While a run of the main thread lives: a signal that ends the program ends its tools first.

    Only where nobody else deals with that signal, be it to ignore it; and other threads can't set
    handlers.
    """

    living = 0

    def __enter__(self):
        # Who has not imported it has one thread.
        threading = sys.modules.get("threading")
        self.counts = threading is None or threading.current_thread() is threading.main_thread()
        if self.counts:
            Guard.living += 1
            replace(signal.SIG_DFL, on_signal)

    def __exit__(self, *problem):
        if self.counts:
            Guard.living -= 1
            if not Guard.living:
                replace(on_signal, signal.SIG_DFL)


def replace(former, handler):
    for number in DEADLY:
        if signal.getsignal(number) == former:
            try:
                signal.signal(number, handler)
            except ValueError:
                # The main thread of another interpreter, or a coroutine that is dropped elsewhere.
                return


def on_signal(number, frame):
    try:
        end_all()
    finally:
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
