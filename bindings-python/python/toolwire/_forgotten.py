"""A program that has tools and never calls `main` says so, in place of nothing."""

import os
import sys

from ._stdout import complain, flush


def tell(program, file, expected):
    """At the end of the process. `program` is the frame of its `file`, as far as they are known; `expected` says
    that the file has tools of its own and never used them."""
    called = os.environ.get("TOOLWIRE_CALL") in ("stdin", "lines")
    if raised() or not ran_through(program):
        return
    if called:
        if answered(os.environ.get("TOOLWIRE_RESULT")):
            return
    elif not expected or file is None or sys.flags.interactive or hasattr(sys, "ps1"):
        return
    name = f"`{os.path.basename(file)}`" if file else "the program"
    complain(f"toolwire: {name} defines tools and never calls `toolwire.main()`; call it at the end of the file\n")
    if called:
        flush()
        # The status that Python ends with can't be changed any more in another way.
        os._exit(2)


def raised():
    """Whether an exception has ended the program."""
    return getattr(sys, "last_exc", None) is not None or getattr(sys, "last_type", None) is not None


def ran_through(frame):
    """Whether the file came to its end, and did not leave before by `sys.exit`."""
    if frame is None or frame.f_lasti < 0:
        return True
    from opcode import opname

    return opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")


def answered(result):
    """Whether there is something in the result channel already."""
    try:
        return bool(result) and os.path.getsize(result) > 0
    except OSError:
        return False
