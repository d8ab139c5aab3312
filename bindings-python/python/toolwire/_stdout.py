"""Python's own part of keeping stdout for the answer: its buffers, and the copy that it has of the environment."""

import os
import sys

from . import _toolwire


def guard():
    """Keeps what is printed out of the answer before the program calls `main` (AUTH-41)."""
    if _toolwire.guard(os.environ.get("TOOLWIRE_CALL"), os.environ.get("TOOLWIRE_RESULT")):
        turned()


def accept():
    """The call; None if nobody calls. A child of the tool finds nothing of it (AUTH-46)."""
    call, result = os.environ.pop("TOOLWIRE_CALL", None), os.environ.pop("TOOLWIRE_RESULT", None)
    invocation = _toolwire.Invocation.accept(call, result)
    if invocation is not None and not result:
        turned()
    return invocation


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
    try:
        os.write(2, text.encode("utf-8", "replace"))
    except OSError:
        pass
