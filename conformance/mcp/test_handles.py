"""Programs that keep running, driven by a client that knows nothing of sessions: `toolwire run` over HTTP."""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from conftest import HERE, environment, serving, toolwire

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals of Unix")
MANIFEST = """
[tools.python]
description = "An interpreter."
command = ["python3", "-q", "-i"]
session = "pty"

[tools.sort]
command = "cat"
session = "pipe"
"""


def act(url: str, tool: str, *words: str) -> str:
    ran = toolwire("run", url, tool, *words)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture
def manifest(tmp_path):
    file = tmp_path / "toolwire.toml"
    file.write_text(MANIFEST, encoding="utf-8")
    return file


def test_a_repl_is_driven_over_http(manifest):
    with serving("--manifest", str(manifest)) as url:
        begun = act(url, "python", "action=spawn", "id=calculator")
        handle = re.search(r"has the handle `(\S{32,})`", begun)
        assert handle, begun
        act(url, "python", "action=fetch", f"id={handle[1]}", "until=>>> ", "wait=20")
        typed = 'input={"text": "6 * 7", "enter": true}'
        act(url, "python", "action=apply", f"id={handle[1]}", typed)
        shown = act(url, "python", "action=fetch", f"id={handle[1]}", "view=screen")
        assert "42" in shown, shown
        ended = toolwire("run", url, "python", "action=abort", f"id={handle[1]}")
        assert "stopped" in ended.stdout
        lost = toolwire("run", url, "python", "action=fetch", "id=calculator")
        assert lost.returncode == 1
        assert "there is no handle `calculator`" in lost.stdout


def test_pipes_are_driven_over_http(manifest):
    with serving("--manifest", str(manifest)) as url:
        begun = act(url, "sort", "action=spawn", "id=x")
        handle = re.search(r"has the handle `(\S{32,})`", begun)
        assert handle, begun
        said = act(url, "sort", "action=apply", f"id={handle[1]}", 'input={"text": "over there", "enter": true}')
        if "over there" not in said:
            said = act(url, "sort", "action=fetch", f"id={handle[1]}", "until=over there", "wait=20")
        assert "over there" in said


def test_a_stateless_server_leaves_them_out(manifest):
    text = MANIFEST + '\n[tools.now]\ncommand = "date"\nplain = true\n'
    manifest.write_text(text, encoding="utf-8")
    with serving("--stateless", "--manifest", str(manifest)) as url:
        listed = toolwire("tools", url).stdout
        assert "now" in listed
        assert "python" not in listed


@pytest.fixture
def runtime():
    """A folder for the sockets of session hosts; at the end, none is left."""
    # The path of a socket is short.
    with tempfile.TemporaryDirectory() as folder:
        yield folder
        begun = time.monotonic()
        while any(Path(folder, "toolwire").iterdir()):
            assert time.monotonic() - begun < 30, "a session host is left"
            time.sleep(0.05)


def test_the_example_stages_one_hunk_of_two(tmp_path, runtime):
    def git(*words):
        ran = subprocess.run(["git", *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        return ran.stdout

    git("init", "--quiet")
    file = tmp_path / "lines"
    lines = [f"{number}\n" for number in range(30)]
    file.write_text("".join(lines), encoding="utf-8")
    git("add", "lines")
    lines[2], lines[25] = "two\n", "twenty-five\n"
    file.write_text("".join(lines), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, str(HERE.parent.parent / "examples/mcp/stage_hunks.py"), "twenty-five"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        env={**environment(), "XDG_RUNTIME_DIR": runtime, "TOOLWIRE_SESSION_IDLE": "5s"},
    )
    assert (ran.returncode, ran.stdout) == (0, "hunk 1: n\nhunk 2: y\n"), ran.stderr
    staged = git("diff", "--cached")
    assert "+twenty-five" in staged
    assert "+two\n" not in staged
