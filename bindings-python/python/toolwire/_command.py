"""The command `toolwire`: the one in Rust, run in this process."""

import os
import signal
import sys
import sysconfig

from ._toolwire import command


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code."""
    # The command acts on signals itself, and tools inherit what is ignored here, so everything that Python has
    # changed is as the system has it. SIGPIPE stays ignored, as in every program in Rust.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    # A stream that is closed must stay unused: a file that is opened later must not take its place.
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    return command([program(), *sys.argv[1:]])


def program() -> str:
    """What starts this command again, as the host of sessions: its script, which need not be on the PATH."""
    started = sys.argv[0]
    if os.path.basename(started) == "__main__.py":
        # It is `python -m toolwire`.
        started = os.path.join(sysconfig.get_path("scripts"), "toolwire")
    is_script = os.path.basename(started) == "toolwire" and os.path.isfile(started)
    return started if is_script else "toolwire"
