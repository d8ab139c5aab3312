"""`toolwire run` and `toolwire tools` with servers of the SDKs: what they emit is read, whole and unchanged."""

import json
import os
import re
import sys
from unittest.mock import ANY

import pytest
from conftest import APP, HERE, NODE, environment, toolwire

FILE = HERE / "servers/results.json"
RESULTS = json.loads(FILE.read_text(encoding="utf-8"))
SERVERS = {
    "typescript-1": [NODE, str(APP / "peers/typescript_1.mjs")],
    "typescript-2": [NODE, str(APP / "peers/typescript_2.mjs")],
    "python": [sys.executable, str(HERE / "servers/python_sdk.py")],
    "fastmcp": [sys.executable, str(HERE / "servers/fastmcp_server.py")],
    "rmcp": [os.environ.get("TOOLWIRE_MCP_RUST", "toolwire-mcp-peer"), "serve"],
}
each_server = pytest.mark.parametrize("server", SERVERS)


def call(server: str, *words: str) -> "tuple[dict, str]":
    """The envelope that a call comes to, and what is said on stderr."""
    ran = toolwire("run", "--json", *words, "--", *SERVERS[server], str(FILE))
    assert ran.stdout, ran.stderr
    assert ran.returncode == bool(json.loads(ran.stdout).get("isError")), ran.stderr
    return json.loads(ran.stdout), ran.stderr


def only_text(envelope: dict) -> str:
    [block] = envelope["content"]
    return block["text"]


# These SDKs want an object, and answer with an error of their own.
REFUSED = {(server, name) for server in ("typescript-1", "fastmcp") for name in ("list", "number")}


@each_server
@pytest.mark.parametrize("name", RESULTS)
def test_what_sdks_emit_is_read(server, name):
    envelope, said = call(server, name)
    if (server, name) in REFUSED:
        assert envelope["isError"] is True
        assert re.search("record|must be a dict", only_text(envelope))
        return
    expected = dict(RESULTS[name])
    meta = envelope.get("_meta", {})
    if "io.modelcontextprotocol/serverInfo" in meta:
        # The newest revision has the name of the server in every result.
        expected["_meta"] = {**expected.get("_meta", {}), "io.modelcontextprotocol/serverInfo": ANY}
    if server in ("python", "fastmcp"):
        expected.setdefault("isError", False)
    if (server, name) == ("typescript-2", "number"):
        # This SDK repeats structured content as text where there is none.
        expected["content"] = [{"type": "text", "text": "7"}]
    assert envelope == expected, said


@pytest.mark.parametrize("server", ["python", "fastmcp"])
def test_what_an_sdk_makes_of_a_list_is_read(server):
    envelope, _ = call(server, "squares", "below=3")
    assert envelope["structuredContent"] == {"result": [0, 1, 4]}
    assert [block["type"] for block in envelope["content"]] != []


@each_server
def test_tools_of_sdks_are_listed(server):
    ran = toolwire("tools", "--json", "--", *SERVERS[server], str(FILE))
    assert ran.returncode == 0, ran.stderr
    tools = {tool["name"]: tool for tool in json.loads(ran.stdout)["tools"]}
    assert set(tools) >= set(RESULTS)
    assert all(tool["inputSchema"]["type"] == "object" for tool in tools.values())

# In 2026-07-28, from servers that are less careful: the text of a result, and the envelope that it is read as.
BARE = {
    "no-type": ('{"content":[{"type":"text","text":"a"}]}', {"content": [{"type": "text", "text": "a"}]}),
    "no-content": ('{"structuredContent":{"a":1}}', {"content": [], "structuredContent": {"a": 1}}),
    "a-list": ('{"content":[],"structuredContent":[1.10]}', {"content": [], "structuredContent": [1.10]}),
    "a-text": ('{"content":[],"structuredContent":"a"}', {"content": [], "structuredContent": "a"}),
    "null": ('{"content":[],"structuredContent":null}', {"content": [], "structuredContent": None}),
    "unknown": ('{"content":[{"type":"video"}],"more":7}', {"content": [{"type": "video"}], "more": 7}),
}


@pytest.mark.parametrize("name", BARE)
def test_what_is_no_result_to_an_sdk_is_read(name, tmp_path):
    text, expected = BARE[name]
    file = tmp_path / "canned.json"
    file.write_text(json.dumps({"results": {name: text}}), encoding="utf-8")
    ran = toolwire("run", "--json", name, "--", sys.executable, str(HERE / "canned_server.py"), str(file))
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == expected
