"""The commands that start published servers, in docs/reference/command.md and in the page on profiles, and those in
the page on examples, run as they stand. `npx` starts what is installed.
"""

import json
import os
import re
import select
import subprocess
import time
from pathlib import Path

import pytest
from conftest import APP, HERE, NODE, TOOLWIRE, carry_out, environment

pty = pytest.importorskip("pty", reason="the pages show a shell of Unix")

REPOSITORY = HERE.parent.parent
REFERENCE = (REPOSITORY / "docs/reference/command.md").read_text(encoding="utf-8")
EVERYTHING = APP / "node_modules/@modelcontextprotocol/server-everything/dist/index.js"


def section(page: str, title: str) -> str:
    _, found = page.split(f"\n## {title}\n", 1)
    return found.split("\n## ", 1)[0]


def fences(text: str, language: str) -> list:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", text)


def commands(text: str) -> dict:
    """The lines of a page that begin with `$`, without their comments, and what is shown below each."""
    found = {}
    for fence in fences(text, "console"):
        for part in re.split(r"(?m)^\$ ", fence)[1:]:
            line, _, shown = part.partition("\n")
            found[re.sub(r"\s+# .*", "", line).strip()] = shown.strip()
    return found


TERMINAL = commands(section(REFERENCE, "MCP servers"))


@pytest.fixture
def place(tmp_path):
    """A folder of a user, and a home of their own."""
    page = tmp_path / "page"
    page.mkdir()
    (tmp_path / "home").mkdir()
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "toolwire").symlink_to(TOOLWIRE)
    npx = f'#!/bin/sh\n[ "$*" = "-y @modelcontextprotocol/server-everything" ] && exec "{NODE}" "{EVERYTHING}"\nexit 9\n'
    (bin / "npx").write_text(npx, encoding="utf-8")
    (bin / "npx").chmod(0o755)
    return page


def surroundings(place: Path) -> dict:
    env = environment()
    home = place.parent / "home"
    path = os.pathsep.join([str(place.parent / "bin"), env["PATH"]])
    plain = {name: value for name, value in env.items() if not name.startswith("XDG_")}
    return {**plain, "PATH": path, "HOME": str(home), "TERM": "xterm", "NO_COLOR": "1"}


def run(place: Path, line: str, status: int = 0) -> str:
    """What a command writes to stdout where nobody can answer."""
    ran = subprocess.run(
        ["sh", "-c", line],
        cwd=place,
        env=surroundings(place),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == status, f"{line}\n{ran.stdout}{ran.stderr}"
    return ran.stdout.strip()


def type_in(place: Path, line: str, *answers: str) -> str:
    """What a terminal shows at the end of a command, to which a person gives these answers."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(place)
        os.execvpe("sh", ["sh", "-c", f"exec {line}"], surroundings(place))
    shown, left, until = "", list(answers), time.monotonic() + 60
    while time.monotonic() < until:
        ready, _, _ = select.select([terminal], [], [], 1)
        if ready:
            try:
                shown += os.read(terminal, 65536).decode(errors="replace")
            except OSError:  # how Linux tells that the other side is closed
                break
            continue
        # Nothing for a second, and a question at the end: it waits for an answer.
        if left and "?" in shown:
            os.write(terminal, left.pop(0).encode())
    else:
        os.kill(pid, 9)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", shown)
    assert status == 0, f"{line}\n{shown}"
    return shown


def listed(place: Path, line: str) -> list:
    """The names of the tools that a server over stdio has for a client."""
    env = surroundings(place)
    server = {"command": "sh", "args": ["-c", f"cd '{place}' && exec {line}"], "env": env}
    report = carry_out("python", "2026-07-28", {"server": server})
    return [tool["name"] for tool in report["tools"]]


def test_the_way_to_a_profile(place):
    page = (REPOSITORY / "examples/profiles/README.md").read_text(encoding="utf-8")
    # Its blocks stand within a list.
    page = page.replace("\n   ", "\n")
    [completed] = fences(page, "json")
    lines = commands(page)
    for line, expected in lines.items():
        if "profile create" in line:
            profile = place / "profile.json"
            draft = json.loads(profile.read_text(encoding="utf-8"))
            for name, more in json.loads(f"{{{completed}}}").items():
                draft["tools"][name].update(more)
            profile.write_text(json.dumps(draft), encoding="utf-8")
        shown = type_in(place, line, "y\r")
        for text in expected.splitlines():
            assert text in shown, shown
    assert len(lines) == 9


def test_the_lines_of_the_chapter(place):
    everything = [line for line in TERMINAL if "server-everything" in line]
    assert len(everything) == len(TERMINAL) - 1
    for line in everything:
        shown = " ".join(run(place, line).split())
        for expected in TERMINAL[line].splitlines():
            assert " ".join(expected.strip("…").split()) in shown, shown


def test_the_examples_are_served_and_called(place):
    page = (REPOSITORY / "examples/README.md").read_text(encoding="utf-8")
    [serve, call] = [line for line in page.splitlines() if re.match("toolwire serve |toolwire run .* -- ", line)]
    (place / "examples").symlink_to(REPOSITORY / "examples")
    (place / "people.csv").write_text("name,city\nAda,London\n", encoding="utf-8")
    assert listed(place, serve) == ["commit_commit", "query_query"]
    assert "London" in run(place, call)
