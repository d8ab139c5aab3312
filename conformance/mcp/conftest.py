"""What the tests with real peers share. `cargo xtask test mcp` installs the peers and runs them."""

import json
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOOLS = HERE / "tools"
NEWEST = "2026-07-28"
REVISIONS = ("2025-06-18", "2025-11-25", NEWEST)

NODE = os.environ.get("TOOLWIRE_MCP_NODE", "node")
APP = Path(os.environ.get("TOOLWIRE_MCP_APP", "."))
TOOLWIRE = os.environ.get("TOOLWIRE_COMMAND", "toolwire")

# Each client, and the revisions that it can be made to speak: the older SDKs ask for their newest one.
CLIENTS = {
    "typescript-1": ([NODE, str(APP / "clients/typescript_1.mjs")], ("2025-11-25",)),
    "typescript-2": ([NODE, str(APP / "clients/typescript_2.mjs")], ("2025-11-25", NEWEST)),
    "python": ([sys.executable, str(HERE / "clients/python_sdk.py")], ("2025-11-25", NEWEST)),
    "fastmcp": ([sys.executable, str(HERE / "clients/fastmcp_client.py")], ("2025-11-25", NEWEST)),
    "rmcp": ([os.environ.get("TOOLWIRE_MCP_RUST", "toolwire-mcp-peer")], REVISIONS),
}
EACH = [(name, revision) for name, (_, revisions) in CLIENTS.items() for revision in revisions]

each_client = pytest.mark.parametrize(
    ("client", "revision"), EACH, ids=[f"{name}-{revision}" for name, revision in EACH]
)

# A run that everybody waits for has one peer a language, and the newest revision.
ALL_PEERS = os.environ.get("TOOLWIRE_MCP_PEERS") == "all"
OTHER_PEERS = {"typescript-1", "with-typescript-sdk-1", "fastmcp", "with-fastmcp"}


def pytest_collection_modifyitems(config, items):
    if not ALL_PEERS:
        config.hook.pytest_deselected(items=[item for item in items if not is_quick(item)])
        items[:] = filter(is_quick, items)


def is_quick(item) -> bool:
    """Whether a test is run without `TOOLWIRE_MCP_PEERS=all`: the suite always, downloaded servers and types never."""
    module = item.module.__name__
    if module in ("test_suite", "test_sources", "test_types"):
        return module == "test_suite"
    params = item.callspec.params if hasattr(item, "callspec") else {}
    peers = {params.get("client"), params.get("server")}
    return not peers & OTHER_PEERS and params.get("revision", NEWEST) == NEWEST


def environment() -> dict:
    """The environment of a peer: `python3` and `toolwire` are those that are tested."""
    first = [str(Path(sys.executable).parent), str(Path(TOOLWIRE).parent)]
    path = os.pathsep.join([*first, os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def carry_out(client: str, revision: str, plan: dict, seconds: float = 240) -> dict:
    """What a client reports of a plan; `clients/README.md` describes both."""
    command, _ = CLIENTS[client]
    ran = subprocess.run(
        command,
        input=json.dumps({"revision": revision, **plan}),
        capture_output=True,
        text=True,
        timeout=seconds,
        env=environment(),
    )
    if ran.returncode or not ran.stdout.strip():
        pytest.fail(f"{client} ended with {ran.returncode}:\n{ran.stdout}\n{ran.stderr}", pytrace=False)
    return json.loads(ran.stdout.splitlines()[-1])


def toolwire(*args: str, stdin: str = "", seconds: float = 240) -> subprocess.CompletedProcess:
    """Runs the command."""
    return subprocess.run(
        [TOOLWIRE, *args],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=seconds,
        env=environment(),
    )


@contextmanager
def serving(*args: str, **env: str):
    """`toolwire serve --http` with these arguments; gives its URL."""
    open_to_all = [] if "TOOLWIRE_HTTP_TOKENS" in env else ["--no-token"]
    with subprocess.Popen(
        [TOOLWIRE, "serve", "--http", "127.0.0.1:0", *open_to_all, *args],
        stderr=subprocess.PIPE,
        text=True,
        env={**environment(), **env},
    ) as server:
        try:
            said = ""
            url = None
            # It may report tools that it leaves out before.
            while not url:
                line = server.stderr.readline()
                assert line, f"`toolwire serve` says: {said}"
                said += line
                url = re.search(r"serving at (https?://\S+)", line)
            # A pipe that nobody reads would stop the server when it is full.
            threading.Thread(target=server.stderr.read, daemon=True).start()
            yield url[1]
        finally:
            server.terminate()
