"""Python's own part of keeping stdout for the answer: its buffers, and the copy that it has of the environment."""

import os
import sys

from . import _toolwire

# The value of `TOOLWIRE_CALL` for calls as lines.
LINES = "lines"


def guard(own):
    """Keeps what is printed out of the answer before the program calls `main` (AUTH-41). `own` says whether the tool
    is in the file that was started, which may be about to serve."""
    if _toolwire.guard(os.environ.get("TOOLWIRE_CALL"), os.environ.get("TOOLWIRE_RESULT")):
        turned()
    elif own and "TOOLWIRE_CALL" not in os.environ:
        try:
            # Then what `print` writes waits in its buffer until then, even if Python would write it at once.
            if not sys.stdout.isatty():
                sys.stdout.reconfigure(write_through=False)
        except (AttributeError, ValueError, OSError):
            pass


def called_by_lines():
    """Whether the host writes its calls as lines (LINE-1). A child of the tool finds nothing of it."""
    if os.environ.get("TOOLWIRE_CALL") != LINES:
        return False
    for name in ("TOOLWIRE_CALL", "TOOLWIRE_RESULT"):
        os.environ.pop(name, None)
    return True


def accept():
    """The call; None if nobody calls. A child of the tool finds nothing of it."""
    call, result = os.environ.pop("TOOLWIRE_CALL", None), os.environ.pop("TOOLWIRE_RESULT", None)
    invocation = _toolwire.Invocation.accept(call, result)
    if invocation is not None and not result:
        turned()
    return invocation


def hold_stdout():
    """Keeps stdout for messages: what was printed and not written yet goes to stderr, as all that follows."""
    _toolwire.hold_stdout()
    turned()


def turned():
    """What `print` writes from now on, and what it has not written yet, goes to stderr."""
    if os.name == "nt":
        os.dup2(2, 1)
    try:
        sys.stdout.flush()
        sys.stdout.reconfigure(line_buffering=True)
    except (AttributeError, ValueError, OSError):
        # No text file: the author has put something else there.
        pass


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, ValueError, OSError):
            # It is closed, or nobody reads it any more; the answer goes another way.
            pass


def complain(text):
    data = text.encode("utf-8", "replace")
    printed = sys.modules.get(f"{__package__}._printed")
    try:
        # It belongs to a call, where there are many.
        printed.printed(data) if printed else os.write(2, data)
    except OSError:
        pass
