"""Where a call comes from, and where the answer goes.

What the author prints must not get into the answer. A host that offers a result channel takes stdout
for log; for any other host, stdout is kept for the answer and everything else that is written to it,
by child processes too, goes to stderr.
"""

import os
import sys

STDIN, STDOUT, STDERR = 0, 1, 2


def read_call():
    """The call document; None if nobody calls, so that a person should be told what this is."""
    # A tool may start other tools: they have other calls and other answers.
    expected = os.environ.pop("TOOLWIRE_CALL", None) == "stdin"
    try:
        if not expected and os.isatty(STDIN):
            return None
        data = read_all(STDIN)
    except OSError:
        data = b""
    return data if expected or data.strip() else None


def read_all(descriptor):
    parts = []
    while True:
        part = os.read(descriptor, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


# What stdout was, once it is taken over: a descriptor, or None if it was closed.
taken = []


def guard():
    """Takes stdout over before the program calls `main`, if a host that offers no channel has called."""
    if os.environ.get("TOOLWIRE_CALL") == "stdin" and not os.environ.get("TOOLWIRE_RESULT"):
        take_stdout()


def take_stdout():
    """Lets all that is written to stdout go to stderr from now on; gives what stdout was."""
    if not taken:
        taken.append(turned())
    return taken[0]


def turned():
    try:
        os.fstat(STDERR)
    except OSError:
        # It is closed. Its number must not be given to something else.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != STDERR:
            os.dup2(nowhere, STDERR)
            os.close(nowhere)
    try:
        stdout = os.dup(STDOUT)
    except OSError:
        # It is closed, so nobody waits for an answer.
        return None
    os.dup2(STDERR, STDOUT)
    try:
        # What was printed before is still in the buffer, and now goes to stderr too.
        sys.stdout.flush()
        sys.stdout.reconfigure(line_buffering=True)
    except (AttributeError, ValueError, OSError):
        # No text file: the author has put something else there.
        pass
    return stdout


class Channel:
    """Where the answer of this process goes: the file that the host has named, or what stdout was."""

    def __init__(self):
        self.path = os.environ.pop("TOOLWIRE_RESULT", None)
        self.process = os.getpid()
        self.stdout = None if self.path else take_stdout()

    def write(self, answer):
        """Writes the answer, all at once. False if it can't be written, which is told (AUTH-45)."""
        flush()
        if os.getpid() != self.process:
            # A copy of the process that `os.fork` has made: the answer is the first one's.
            return True
        try:
            if self.path:
                binary = getattr(os, "O_BINARY", 0)
                # Not to stdout where that fails: it would stand in the log there.
                return write_all(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | binary, 0o600), answer)
            if self.stdout is not None:
                return write_all(self.stdout, answer + b"\n")
            problem = "stdout is closed"
        except OSError as error:
            problem = error
        complain(f"toolwire: the answer can't be written: {problem}\n")
        return False


def write_all(descriptor, data):
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left[: 1 << 20]) :]
    finally:
        os.close(descriptor)
    return True


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, ValueError, OSError):
            # It is closed, or nobody reads it any more; the answer goes another way.
            pass


def complain(text):
    try:
        os.write(STDERR, text.encode("utf-8", "replace"))
    except OSError:
        pass
