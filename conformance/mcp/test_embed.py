"""Servers of other SDKs whose results and questions are Toolwire's: the examples, called by real clients."""

import sys
from pathlib import Path

import pytest
from conftest import APP, HERE, NODE, TOOLWIRE, carry_out, environment

EXAMPLES = HERE.parent.parent / "examples/mcp"
RUST = str(Path(TOOLWIRE).with_name("with-rmcp"))
SERVERS = {
    "with-fastmcp": [sys.executable, str(EXAMPLES / "with_fastmcp.py")],
    "with-python-sdk": [sys.executable, str(EXAMPLES / "with_python_sdk.py")],
    "with-rmcp": [RUST],
    # From where they find the packages.
    "with-typescript-sdk": [NODE, str(APP / "servers/with-typescript-sdk.mjs")],
    "with-typescript-sdk-1": [NODE, str(APP / "servers/with-typescript-sdk-1.mjs")],
}
# Version 1 of the SDK for TypeScript knows no newer revision.
EACH = [
    (server, revision)
    for server in SERVERS
    for revision in ("2025-11-25", "2026-07-28")
    if (server, revision) != ("with-typescript-sdk-1", "2026-07-28")
]
ANSWERS = {
    "yes": ({"action": "accept", "content": {"answer": True}}, "Removed it."),
    "no": ({"action": "accept", "content": {"answer": False}}, "Kept it."),
    "decline": ({"action": "decline"}, "Kept it: the question was declined."),
    "cancel": ({"action": "cancel"}, "Kept it: the question was cancelled."),
    "no-elicitation": (None, "Kept it: the question was unavailable."),
}


@pytest.mark.parametrize(("server", "revision"), EACH, ids=[f"{server}-{revision}" for server, revision in EACH])
@pytest.mark.parametrize("answer", ANSWERS)
def test_a_question_through_the_sdk(server, answer, revision, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("one\n", encoding="utf-8")
    given, expected = ANSWERS[answer]
    command, *args = SERVERS[server]
    report = carry_out(
        "python",
        revision,
        {
            "server": {"command": command, "args": args, "env": {"PATH": environment()["PATH"]}},
            "elicitation": given is not None,
            "answers": [given],
            "calls": [{"name": "remove", "arguments": {"path": str(file)}}],
        },
    )
    assert report["revision"] == revision
    [call] = report["calls"]
    assert "result" in call, call["error"]
    text, *resources = call["result"]["content"]
    assert text["text"] == expected
    assert file.exists() is (answer != "yes")
    if answer == "yes":
        [block] = resources
        assert block["resource"]["text"] == "one\n"
        # A name is no member of a resource in MCP.
        assert "what was removed" in str(call["result"]["_meta"])
    asked = report["elicitations"]
    assert [each["message"] for each in asked] == [f"Remove {file}?"] * (given is not None)
