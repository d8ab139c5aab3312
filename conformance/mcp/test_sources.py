"""Servers that `uvx` and `npx` start from their registries, Python ones and Node ones, each in two versions:
explored, called, locked, checked, compared, and used by a profile. `uvx` comes with the peers; that there is none is
a failure."""

import json
import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from conftest import HERE, TOOLWIRE, environment

TIME = "mcp+uvx://mcp-server-time@{}"
EVERYTHING = "mcp+npx://@modelcontextprotocol/server-everything@{}"
# A server, its versions, a tool with arguments, and a part of what that answers.
SERVERS = [
    (TIME, "2026.10.19", "tool=convert_time&source_timezone=UTC&time=12:00&target_timezone=Asia/Tokyo", "21:00"),
    (TIME, "2026.8.18", "tool=convert_time&source_timezone=UTC&time=12:00&target_timezone=Asia/Tokyo", "21:00"),
    (EVERYTHING, "2026.8.31", "tool=get-sum&a=1&b=2", "The sum of 1 and 2 is 3."),
    (EVERYTHING, "2026.7.4", "tool=get-sum&a=1&b=2", "The sum of 1 and 2 is 3."),
]
each_server = pytest.mark.parametrize(("uri", "version", "query", "answer"), SERVERS, ids=lambda value: str(value)[:40])


@pytest.fixture
def toolwire(tmp_path):
    """The command with a home of its own, in a folder with what would mislead a launcher."""
    (tmp_path / "home").mkdir()
    work = tmp_path / "work"
    work.mkdir()
    (work / "package.json").write_text('{"name":"work","bin":"./no/such/file"}', encoding="utf-8")
    (work / "pyproject.toml").write_text("this is no TOML", encoding="utf-8")
    env = {**environment(), "HOME": str(tmp_path / "home"), "SOME_TOKEN": "secret"}
    # What was fetched once is fetched for all of these tests.
    caches = Path(tempfile.gettempdir()) / "toolwire-mcp-caches"
    env = {**env, "UV_CACHE_DIR": str(caches / "uv"), "npm_config_cache": str(caches / "npm")}
    env.pop("XDG_CONFIG_HOME", None)

    def run(*args: str, status: int = 0) -> str:
        ran = subprocess.run(
            [TOOLWIRE, *args],
            cwd=work,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert ran.returncode == status, f"{args}\n{ran.stdout}{ran.stderr}"
        # What was refused is said to people alone.
        return ran.stderr if status == 2 else ran.stdout

    run.work = work
    return run


def launch(toolwire, name: str) -> dict:
    """What the lock holds of how a source is started."""
    lock = (toolwire.work / "toolwire.lock").read_text(encoding="utf-8")
    assert str(toolwire.work) not in lock
    return json.loads(lock)["sources"][name]["launch"]


@each_server
def test_a_launch_uri_needs_no_preparation(toolwire, uri, version, query, answer):
    source = uri.format(version)
    refused = toolwire("tools", source, status=2)
    assert "was never agreed to here" in refused and version in refused
    toolwire("trust", "--server", source)
    listed = json.loads(toolwire("tools", source, "--json", "--connect-timeout", "4m"))
    names = [tool["name"] for tool in listed["tools"]]
    name = query.split("=")[1].split("&")[0]
    assert name in names
    [tool] = json.loads(toolwire("tools", source, name, "--json"))["tools"]
    assert tool["name"] == name
    assert answer in toolwire("run", f"{source}?{query}")
    prints = json.loads(toolwire("tools", source, "--fingerprint", "--json"))
    assert prints["server"] == source.split("://")[1] and set(prints["fingerprints"]) == set(names)


@pytest.mark.parametrize("uri", [TIME, EVERYTHING], ids=["uvx", "npx"])
def test_another_version_is_another_command(toolwire, uri):
    first, second = (version for of, version, _, _ in SERVERS if of == uri)
    toolwire("trust", "--server", uri.format(first))
    assert second in toolwire("tools", uri.format(second), status=2)


def test_resources_are_read(toolwire):
    source = EVERYTHING.format("2026.8.31")
    listed = json.loads(toolwire("read", "--list", "--json", source, "--yes"))
    first = listed["resources"][0]["uri"]
    envelope = json.loads(toolwire("read", source, first, "--json", "--yes"))
    assert envelope["content"][0]["resource"]["uri"] == first
    assert listed["resourceTemplates"]


class Versions:
    """Two versions of a server whose tools differ, as `conformance/published/` has it on record."""

    def __init__(self, name: str, old: str, new: str, call: str):
        self.name, self.old, self.new, self.call = name, old, new, call.split()
        record = next(iter(HERE.parent.glob(f"published/{name}-*-{version(new)}.json")))
        self.record = json.loads(record.read_text(encoding="utf-8"))
        assert self.record["old"] == version(old)

    def verdicts(self, changes: list) -> dict:
        """The gravest verdict on each tool of the record."""
        gravest = {tool["name"]: "same" for tool in self.record["tools"]}
        for change in changes:
            if change["tool"] in gravest:
                both = (gravest[change["tool"]], change["verdict"])
                gravest[change["tool"]] = max(both, key=VERDICTS.index)
        return gravest

    def expected(self) -> dict:
        return {tool["name"]: tool["expected"] for tool in self.record["tools"]}


def version(uri: str) -> str:
    return uri.partition("?")[0].rpartition("@")[2]


# From harmless to grave (DIFF-1).
VERDICTS = ["same", "compatible", "text", "behaviour", "safety", "unknown", "breaking"]
GIT = Versions(
    "git",
    # The older one does not know the second major version of its library.
    "mcp+uvx://mcp-server-git@2025.9.25?with=mcp@1.30.0",
    "mcp+uvx://mcp-server-git@2026.10.19",
    "git_add repo_path=/nowhere files=[]",
)
THINKING = Versions(
    "sequential-thinking",
    "mcp+npx://@modelcontextprotocol/server-sequential-thinking@0.6.2",
    "mcp+npx://@modelcontextprotocol/server-sequential-thinking@2025.11.25",
    "sequentialthinking thought=a nextThoughtNeeded=false thoughtNumber=1 totalThoughts=1",
)
each_pair = pytest.mark.parametrize("pair", [GIT, THINKING], ids=["uvx", "npx"])


@each_pair
def test_what_changed_between_versions_is_told(toolwire, pair):
    told = toolwire("diff", pair.old, pair.new, "--json", "--yes", "--connect-timeout", "4m", status=1)
    diff = json.loads(told)
    assert (diff["verdict"], pair.verdicts(diff["changes"])) == ("breaking", pair.expected())
    for change in diff["changes"]:
        assert (change["verdict"] == "breaking") == ("witness" in change), change
    shown = toolwire("diff", pair.old, pair.new, "--yes", status=1)
    for change in diff["changes"]:
        assert f"{change['verdict']}  {change['what']}  {change['place']}\n" in shown
    assert toolwire("diff", pair.new, pair.new, "--yes") == "same: 0 changes\n"


@each_pair
def test_another_version_is_not_what_was_locked(toolwire, pair):
    def uses(uri: str) -> None:
        """The manifest starts this version from now on."""
        table = toolwire("servers", uri, "--to", "manifest", "--name", "it")
        (toolwire.work / "toolwire.toml").write_text(table, encoding="utf-8")

    uses(pair.old)
    assert toolwire("lock", "--connect-timeout", "4m") == "added  it\n"
    locked = (toolwire.work / "toolwire.lock").read_text(encoding="utf-8")
    assert json.loads(toolwire("check", "--json"))["verdict"] == "same"
    assert "not verified" in toolwire("check", "--offline")

    uses(pair.new)
    change = {"member": "version", "old": version(pair.old), "new": version(pair.new)}
    for offline in (["--offline"], []):
        told = json.loads(toolwire("check", "--json", "--connect-timeout", "4m", *offline, status=1))
        (source,) = told["sources"]
        assert change in [{name: one[name] for name in change} for one in source["launch"]["changes"]]
        changes = [one for tool in source["tools"] for one in tool["changes"]]
        if offline:
            assert (told["verified"], changes, source["verdict"]) == (False, [], "behaviour")
        else:
            assert (told["verified"], pair.verdicts(changes)) == (True, pair.expected())
    assert "breaking  " in toolwire("check", status=1)
    # Nothing is called that is not as it was locked.
    assert toolwire("run", "--locked", "it", *pair.call, status=1) == ""

    assert "there is nobody to ask" in toolwire("lock", "--update", "it", status=2)
    assert (toolwire.work / "toolwire.lock").read_text(encoding="utf-8") == locked
    toolwire("lock", "--update", "it", "--yes")
    assert "as locked" in toolwire("check")


@each_pair
def test_a_profile_tells_another_version(toolwire, pair):
    toolwire("profile", "create", "it", "--from", pair.old, "--yes", "--connect-timeout", "4m")
    assert toolwire("profile", "validate", "it", "--yes").startswith("as `@it` expects: ")
    profile = json.loads(toolwire("profile", "info", "it", "--json"))
    meta = Path(profile["folder"]) / "_meta.json"
    said = json.loads(meta.read_text(encoding="utf-8"))
    new = json.loads(toolwire("servers", pair.new, "--to", "profile"))
    meta.write_text(json.dumps({**said, **new}), encoding="utf-8")
    # Another command is agreed to anew.
    assert version(pair.new) in toolwire("tools", "@it", status=2)
    told = json.loads(toolwire("profile", "diff", "it", "--yes", "--json", status=1))
    changed = {tool for tool, verdict in pair.verdicts(told["diff"]["changes"]).items() if verdict == "breaking"}
    assert changed == {tool for tool, verdict in pair.expected().items() if verdict == "breaking"}
    toolwire("profile", "update", "it", "--yes", "--accept")
    toolwire("profile", "validate", "it", "--yes")


@pytest.mark.parametrize(
    ("uri", "requested", "interpreter", "integrity"),
    [
        ("mcp+uvx://mcp-server-time", "*", "python", False),
        ("mcp+uvx://mcp-server-time@latest", "latest", "python", False),
        ("mcp+uvx://mcp-server-time%3E=2026.8/mcp-server-time", ">=2026.8", "python", False),
        ("mcp+npx://@modelcontextprotocol/server-everything", "*", "node", True),
        ("mcp+npx://@modelcontextprotocol/server-everything@%5E2026.7.4", "^2026.7.4", "node", True),
        ("mcp+npx://@modelcontextprotocol/server-everything/mcp-server-everything", "*", "node", True),
    ],
)
def test_a_lock_says_which_version_was_started(toolwire, uri, requested, interpreter, integrity):
    toolwire("lock", uri, "--yes", "--connect-timeout", "4m")
    locked = launch(toolwire, uri)
    assert locked["requested"] == requested
    assert re.fullmatch(r"2026\.\d+\.\d+", locked["version"])
    assert re.fullmatch(interpreter + r" \d+\.\d+", locked["interpreter"])
    assert locked.get("integrity", "").startswith("sha512-") == integrity
    assert re.search(r"^same: \d+ tools? as locked$", toolwire("check", "--yes", "--connect-timeout", "4m"), re.MULTILINE)
    report = json.loads(toolwire("check", "--offline", "--json"))
    assert "version" in report["sources"][0]["launch"]["notVerified"]


@pytest.mark.parametrize(
    ("words", "old", "new", "integrity"),
    [
        (["uvx", "--from", "mcp-server-time@{}", "mcp-server-time"], "2026.8.18", "latest", False),
        (["uv", "tool", "run", "mcp-server-time@{}"], "2026.8.18", "2026.10.19", False),
        (["npx", "-y", "@modelcontextprotocol/server-everything@{}"], "2026.7.4", "latest", True),
        (["npx", "-y", "-p", "@modelcontextprotocol/server-everything@{}", "mcp-server-everything"],
         "2026.7.4", "2026.8.31", True),
    ],
)  # fmt: skip
def test_another_version_that_is_started_is_told(toolwire, words, old, new, integrity):
    def write(version: str):
        command = json.dumps([word.format(version) for word in words])
        (toolwire.work / "toolwire.toml").write_text(f"[servers.it]\ncommand = {command}\n", encoding="utf-8")

    write(old)
    toolwire("lock", "--connect-timeout", "4m")
    first = launch(toolwire, "it")
    assert (first["version"], "requested" in first) == (old, False)
    assert ("integrity" in first) == integrity
    write(new)
    changes = json.loads(toolwire("check", "--json", "--connect-timeout", "4m", status=1))
    changes = {change["member"]: change for change in changes["sources"][0]["launch"]["changes"]}
    assert changes["version"]["old"] == old
    assert changes["version"]["new"] not in (old, None)
    assert ("requested" in changes, "integrity" in changes) == (new == "latest", integrity)
    assert {change["verdict"] for change in changes.values()} == {"behaviour"}
