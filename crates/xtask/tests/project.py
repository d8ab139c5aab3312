"""What the tests of the project in Python share; `cargo xtask test` runs them on what it has built."""

import os
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(os.environ.get("TOOLWIRE_TARGET", ROOT / "target"))
DEBUG = TARGET / "debug"
# The package for Node, with the examples beside it.
APP = DEBUG / "node"
PYTHON = os.environ.get("PYTHON", sys.executable)
NODE = os.environ.get("NODE", "node")

# What was built is found first, and commits are the same wherever and whenever they are made.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in ("TOOLWIRE_CALL", "TOOLWIRE_RESULT")},
    "PATH": os.pathsep.join([str(DEBUG), *(str(Path(it).parent) for it in (PYTHON, NODE)), os.environ["PATH"]]),
    "PYTHONPATH": str(DEBUG / "python"),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    "LC_ALL": "C",
}


def run(*words, check=True, cwd=ROOT, given="", **env):
    """What a program writes to stdout. Its exit status counts only with `check`: an error is an answer too."""
    ran = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        input=given,
        capture_output=True,
        encoding="utf-8",
        env={**ENVIRONMENT, **env},
        timeout=600,
    )
    assert not check or ran.returncode == 0, f"{words} ended with {ran.returncode}:\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


# Its first line is the one below the opening; `name` is the file that it is, `excerpt`, or nothing.
Fence = namedtuple("Fence", "line language name text")


def pages():
    """README.md and the pages of `docs/`, except the reference, most of which is generated."""
    docs = (page for page in (ROOT / "docs").rglob("*.md") if (ROOT / "docs/reference") not in page.parents)
    return sorted(str(page.relative_to(ROOT)) for page in [ROOT / "README.md", *docs])


def read(page):
    return (ROOT / page).read_text("utf-8")


def parts(page):
    """The fences of a page, and the lines outside of them with their numbers."""
    fences, prose, lines = [], [], enumerate(page.splitlines(), 1)
    for number, line in lines:
        if not line.startswith("```"):
            prose.append((number, line))
            continue
        text = []
        for _, inside in lines:
            if inside == "```":
                break
            text.append(inside + "\n")
        language, _, name = line[3:].partition(" ")
        fences.append(Fence(number + 1, language, name, "".join(text)))
    return fences, prose
