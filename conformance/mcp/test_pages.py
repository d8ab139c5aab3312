"""The commands on MCP in README.md, in the page on profiles and in docs/reference/command.md, run as they stand: a person's answers, a client's calls.

Ports are replaced by free ones, since others may use those of the page, and `npx` starts what is installed.
A line that no test here runs is a failure.
"""

import json
import os
import re
import select
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest
from conftest import APP, HERE, NODE, TOOLWIRE, carry_out, environment

pty = pytest.importorskip("pty", reason="the pages show a shell of Unix")

REPOSITORY = HERE.parent.parent
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
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


SERVE = commands(section(README, "Serve tools over MCP"))
CALLING, _, PROFILES = section(README, "Call any MCP server").partition("\n### Profiles\n")
CALL = commands(CALLING)
TERMINAL = commands(section(REFERENCE, "MCP servers"))


@pytest.fixture
def place(tmp_path):
    """A folder with the tool and the manifest of README.md, as a user has them, and a home of their own."""
    page = tmp_path / "page"
    page.mkdir()
    (page / "tool.py").write_text(fences(README, "python")[0], encoding="utf-8")
    (page / "a").write_text("", encoding="utf-8")
    manifest = fences(section(README, "A manifest for a folder"), "toml")[0]
    (page / "toolwire.toml").write_text(manifest, encoding="utf-8")
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for args in (["init", "--quiet"], ["add", "."], [*identity, "commit", "--quiet", "-m", "Name the tools"]):
        subprocess.run(["git", *args], cwd=page, check=True)
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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listed(place: Path, line: str) -> list:
    """The names of the tools that a server over stdio has for a client."""
    env = surroundings(place)
    server = {"command": "sh", "args": ["-c", f"cd '{place}' && exec {line}"], "env": env}
    report = carry_out("python", "2026-07-28", {"server": server})
    return [tool["name"] for tool in report["tools"]]


class Background:
    """A script that serves until the end of a test, and the URL of each of its servers."""

    def __init__(self, place: Path, script: str) -> None:
        self.ports = sorted(set(re.findall(r"127\.0\.0\.1:(\d+)", script)))
        self.urls = []
        for port in self.ports:
            free = free_port()
            script = script.replace(f"127.0.0.1:{port}", f"127.0.0.1:{free}")
            self.urls.append(f"http://127.0.0.1:{free}/mcp")
        self.process = subprocess.Popen(
            ["sh", "-c", script + "\nwait"],
            cwd=place,
            env=surroundings(place),
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> list:
        # Each says where it is, and then where its token is.
        lines = [self.process.stderr.readline() for _ in self.urls for _ in range(2)]
        assert sum("serving at" in line for line in lines) == len(self.urls), lines
        return self.urls

    def __exit__(self, *_) -> None:
        os.killpg(self.process.pid, 15)
        self.process.communicate()


STDIO = {
    "toolwire serve ./tool.py": ["rename"],
    "toolwire serve": ["log", "rename"],
    "toolwire serve --only log --timeout 1m": ["log"],
    "toolwire serve --only rename,get-sum ./tool.py -- npx -y @modelcontextprotocol/server-everything": [
        "get-sum",
        "rename",
    ],
}
HTTP = "toolwire serve --http 127.0.0.1:8080"
PRINT = "toolwire serve ./tool.py --print-config cursor"


def test_each_line_on_serving_is_run():
    assert set(SERVE) == {*STDIO, HTTP, PRINT, f"{PRINT} --install"}


@pytest.mark.parametrize("line", STDIO)
def test_serving_over_stdio(place, line):
    assert listed(place, line) == STDIO[line]


def test_serving_over_http(place):
    with Background(place, HTTP) as [url]:
        assert run(place, f"toolwire tools {url}").splitlines()[0].split()[0] == "log"


def test_entries_of_clients(place):
    shown = json.loads(run(place, PRINT))
    shown = type_in(place, f"{PRINT} --install", "y\r")
    assert "+" in shown
    [file] = (place.parent / "home").glob(".cursor/mcp.json")
    [(name, entry)] = json.loads(file.read_text(encoding="utf-8"))["mcpServers"].items()
    assert name == "tool"
    assert str(place / "tool.py") in entry["args"]


@pytest.mark.skipif(not shutil.which("openssl"), reason="the page makes its keys with openssl")
def test_several_servers_with_one_key(place):
    [script] = fences(section(README, "Serve tools over MCP"), "sh")
    with Background(place, script) as urls:
        assert len(urls) == 2
        for url in urls:
            assert "rename" in run(place, f"toolwire tools {url}")


LOCAL = "http://127.0.0.1:8080/mcp"
OVER_HTTP = {
    f"toolwire tools {LOCAL} --json": '"inputSchema"',
    f"toolwire call {LOCAL} log limit=3": "Name the tools",
    f"TOKEN=… toolwire call {LOCAL} log --header-env Authorization=TOKEN": "Name the tools",
}
BY_NAME = [
    "toolwire call tool rename path=a to=b",
    "toolwire call cursor:tool rename path=a to=b",
    "toolwire call files rename path=a to=b --config servers.json --yes",
]
SHOWN = [line for line, shown in CALL.items() if shown]
ANSWERED = [line for line in CALL if "--answer" in line]


def test_each_line_on_calling_is_run():
    assert set(CALL) == {*OVER_HTTP, *BY_NAME, *SHOWN, *ANSWERED}
    assert len(SHOWN) == 3
    assert len(ANSWERED) == 1


@pytest.mark.parametrize("line", SHOWN)
def test_a_call_looks_as_the_page_shows_it(place, line):
    shown = type_in(place, line, "y", "\r")
    for expected in CALL[line].splitlines():
        assert expected in shown, shown


def test_calling_over_http(place):
    with Background(place, HTTP) as [url]:
        for line, expected in OVER_HTTP.items():
            token = (place.parent / "home/.local/state/toolwire/http" / url.split("/")[2].replace(":", "-")).read_text()
            line = line.replace("TOKEN=…", f"TOKEN={token.strip()}")
            assert expected in run(place, line.replace(LOCAL, url))


@pytest.mark.parametrize("line", [*BY_NAME, *ANSWERED])
def test_calling_by_name(place, line):
    run(place, f"{PRINT} --install --yes")
    [file] = (place.parent / "home").glob(".cursor/mcp.json")
    entry = json.loads(file.read_text(encoding="utf-8"))["mcpServers"]["tool"]
    (place / "servers.json").write_text(json.dumps({"mcpServers": {"files": entry}}), encoding="utf-8")
    # A person agrees to what the client's file says, once.
    assert "Run it" not in run(place, "toolwire trust --server tool")
    shown = run(place, line) if line in ANSWERED else type_in(place, line, "y", "\r")
    assert "Renamed a to b." in shown
    assert (place / "b").exists()


def test_the_lines_on_profiles(place):
    lines = commands(PROFILES)
    kept = place.parent / "home"
    for line, expected in lines.items():
        # The launch URI is agreed to, and then the profile's own command.
        shown = type_in(place, line, "y\r", "y\r")
        for text in expected.splitlines():
            assert text.replace("/home/me", str(kept)) in shown, shown
    assert len(lines) == 5


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


def test_the_line_of_the_crate():
    page = (REPOSITORY / "crates/toolwire-mcp/README.md").read_text(encoding="utf-8")
    for line in re.findall(r"`(toolwire (?:call|tools) [^`]+)`", page):
        assert line in CALL


def test_the_examples_are_served_and_called(place):
    page = (REPOSITORY / "examples/README.md").read_text(encoding="utf-8")
    [serve, call] = [line for line in page.splitlines() if re.match("toolwire (serve|call) ", line)]
    (place / "examples").symlink_to(REPOSITORY / "examples")
    (place / "people.csv").write_text("name,city\nAda,London\n", encoding="utf-8")
    assert listed(place, serve) == ["commit_commit", "query_query"]
    assert "London" in run(place, call)
