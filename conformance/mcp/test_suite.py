"""The official conformance suite: its server scenarios against `toolwire serve --http`, and its client
scenarios against `toolwire run`, in each revision.

`exceptions.json` lists what fails and why. It is strict both ways: what fails without being listed fails
the test, and so does what is listed and passes.
"""

import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import APP, HERE, NODE, REVISIONS, TOOLS, TOOLWIRE, environment, serving

SUITE = [NODE, str(APP / "node_modules/@modelcontextprotocol/conformance/dist/index.js")]
EXCEPTIONS = json.loads((HERE / "exceptions.json").read_text(encoding="utf-8"))
# A warning is a SHOULD that is not kept, and needs a reason too.
FAILING = ("FAILURE", "WARNING")
# Those of the extension, which run one by one. A server whose calls become tasks soon, and which keeps little.
TASK_SCENARIOS = (
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-status-notifications",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
)
WITH_TASKS = ("--manifest", str(TOOLS / "tasks.toml"), "--task-after", "300ms", "--max-task-results", "64KiB")
TOOLS_CHANGED = "sep-2575-server-sends-tools-list-changed-on-subscription"
CLIENT_SCENARIOS = (
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
)


def changing(folder):
    """A server of a copy of the fixture tools, which one of them changes."""
    tools = shutil.copytree(TOOLS, folder / "tools")
    return serving("--manifest", str(tools / "toolwire.toml"), "--poll", "100ms")


def checks(folder, leg: str) -> dict:
    """What the suite has written: for each scenario, its checks."""
    found = {}
    for file in sorted(folder.glob("**/checks.json")):
        [name] = re.findall(rf"(?:{leg}-)?(.+)-\d{{4}}-\d\d-\d\dT.*", file.parent.name)
        found[name] = json.loads(file.read_text(encoding="utf-8"))
    return found


def judge(leg: str, ran: dict) -> None:
    """Compares what failed with the exceptions."""
    expected = {}
    for entry in EXCEPTIONS[leg]:
        for scenario in entry["scenarios"]:
            expected.setdefault(scenario, set()).update(entry.get("checks", ["*"]))
    problems = []
    for scenario, all_checks in ran.items():
        allowed = expected.get(scenario, set())
        failed = {check["id"]: check for check in all_checks if check["status"] in FAILING}
        if not all_checks:
            # The peer never came as far as the first check.
            failed["none"] = {"status": "FAILURE", "errorMessage": "nothing was checked"}
        for check_id, check in failed.items():
            if "*" not in allowed and check_id not in allowed:
                why = check.get("errorMessage", "")
                problems.append(f"{scenario}: {check_id} ({check['status']}): {why}")
        if "*" in allowed and not failed:
            problems.append(f"{scenario}: passes, and is an exception")
        seen = {check["id"] for check in all_checks}
        for check_id in (allowed & seen) - set(failed):
            problems.append(f"{scenario}: {check_id} passes, and is an exception")
    assert not problems, "\n".join(problems)


def test_exceptions_name_what_there_is():
    listed = subprocess.run([*SUITE, "list"], capture_output=True, text=True, timeout=60).stdout
    known = re.findall(r"(?m)^  - (\S+)", listed)
    for leg in ("server", "client"):
        for entry in EXCEPTIONS[leg]:
            assert entry["reason"]
            assert set(entry["scenarios"]) <= set(known)
    assert set(CLIENT_SCENARIOS) <= set(known)
    assert set(TASK_SCENARIOS) == {name for name in known if name.startswith("tasks-")}
    assert set(EXCEPTIONS["skipped"]) <= set(TASK_SCENARIOS)


@pytest.mark.parametrize("revision", REVISIONS)
def test_server_scenarios(revision, tmp_path):
    output = tmp_path / "results"
    with changing(tmp_path) as url:
        args = ["server", "--url", url, "--suite", "all", "--spec-version", revision]
        ran = subprocess.run(
            [*SUITE, *args, "--output-dir", str(output)], capture_output=True, text=True, timeout=300
        )
        found = checks(output, "server")
        assert len(found) > 25, ran.stdout + ran.stderr
        # It waits 1.5 s for the news of a changed tool, in which a loaded machine starts no 30 programs.
        late = [check for check in found.get("server-stateless", []) if check["id"] == TOOLS_CHANGED]
        if any(check["status"] == "WARNING" for check in late):
            again = [*args[:3], "--scenario", "server-stateless", "--spec-version", revision]
            subprocess.run(
                [*SUITE, *again, "--output-dir", str(tmp_path / "again")], capture_output=True, timeout=60
            )
            found |= checks(tmp_path / "again", "server")
    judge("server", found)


@pytest.mark.parametrize("scenario", TASK_SCENARIOS)
def test_task_scenarios(scenario, tmp_path):
    output = tmp_path / "results"
    with serving(*WITH_TASKS) as url:
        # A scenario of an extension belongs to no revision of its own.
        args = ["server", "--url", url, "--scenario", scenario]
        ran = subprocess.run(
            [*SUITE, *args, "--output-dir", str(output)], capture_output=True, text=True, timeout=120
        )
    found = checks(output, "server")
    assert found, ran.stdout + ran.stderr
    judge("server", found)
    # What the suite does not check itself is named, with the reason, and what it does is not.
    skipped = any(check["status"] == "SKIPPED" for check in found[scenario])
    assert skipped == (scenario in EXCEPTIONS["skipped"]), found


@pytest.mark.parametrize("revision", REVISIONS[1:])
@pytest.mark.parametrize("scenario", CLIENT_SCENARIOS)
def test_client_scenarios(scenario, revision, tmp_path):
    output = tmp_path / "results"
    program = f"{sys.executable} {HERE / 'client_scenario.py'}"
    args = ["client", "--command", program, "--scenario", scenario, "--spec-version", revision]
    ran = subprocess.run(
        [*SUITE, *args, "--output-dir", str(output)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**environment(), "TOOLWIRE_COMMAND": TOOLWIRE},
    )
    found = checks(output, "client")
    if not found:
        assert "SKIPPED" in ran.stdout, ran.stdout + ran.stderr
        pytest.skip("the scenario is of another revision")
    judge("client", found)
