#!/usr/bin/env python3
"""Commit what is staged in a git repository; asks for the message, and before it commits.

    toolwire run examples/python/commit.py
    toolwire run examples/python/commit.py message="Fix the fence" repository=../other

The same tool is there in Node, Rust and shell; the first three answer with the same bytes.
"""

import subprocess
from typing import Optional, TypedDict

import toolwire as tw


class Committed(TypedDict):
    committed: bool
    commit: Optional[str]
    message: str


def git(repository: str, *arguments: str) -> str:
    ran = subprocess.run(["git", "-C", repository, *arguments], capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(f"git {arguments[0]}: {ran.stderr.strip()}")
    return ran.stdout.strip()


@tw.tool(title="Commit", destructive=False, open_world=False)
def commit(ctx: tw.Context, message: Optional[str] = None, repository: str = ".") -> Committed:
    """Commit what is staged in a git repository.

    Args:
        message: The message of the commit; asked for if it is left out.
        repository: The folder of the repository.
    """
    staged = git(repository, "diff", "--cached", "--stat")
    if not staged:
        raise RuntimeError("nothing is staged; stage it with `git add` first")
    ctx.emit(staged)
    if message is None:
        message = ctx.answer("message", tw.string("What is the message of the commit?", min_length=1, max_length=72))
    if not ctx.answer("confirm", tw.boolean(f"Commit as “{message}”?", default=True)):
        ctx.emit("Left as it was.")
        return {"committed": False, "commit": None, "message": message}
    git(repository, "commit", "--quiet", "-m", message)
    head = git(repository, "rev-parse", "HEAD")
    ctx.emit(f"Committed as {head}.")
    return {"committed": True, "commit": head, "message": message}


@commit.format_arguments
def _(message: Optional[str] = None, repository: str = ".") -> str:
    return f"git -C {repository} commit -m “{message or '…'}”"


tw.main()
