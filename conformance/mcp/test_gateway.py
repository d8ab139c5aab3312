"""`toolwire serve` in front of servers of the SDKs: a client gets through it what it gets without it."""

import copy
import json

import pytest
from conftest import NEWEST, TOOLWIRE, carry_out, environment
from test_sdk_servers import FILE, RESULTS, SERVERS

CLIENTS = [("python", "2025-11-25"), ("python", NEWEST), ("typescript-1", "2025-11-25"), ("typescript-2", NEWEST)]
OWN = "io.modelcontextprotocol/serverInfo"
# The server of rmcp writes results otherwise in each revision, and a gateway speaks the newest one with it, whatever
# its own client speaks.
SAME_IN_EACH = [name for name in SERVERS if name != "rmcp"]


def plan(command: "list[str]", calls: "list[dict]") -> dict:
    # The clients pass on little of their environment.
    path = {"PATH": environment()["PATH"]}
    return {"server": {"command": command[0], "args": command[1:], "env": path}, "calls": calls}


def patched(document: dict) -> dict:
    """A result or a tool after the patch in its metadata, as any library for RFC 6902 applies it (MCP-20)."""
    meta = dict(document.get("_meta") or {})
    patch = meta.pop("dev.toolwire/patch", [])
    document = {**copy.deepcopy({name: value for name, value in document.items() if name != "_meta"})}
    if meta:
        document["_meta"] = meta
    for operation in patch:
        *way, last = operation["path"].split("/")[1:]
        value = operation.get("value")
        if operation["op"] == "move":
            value = document["structuredContent"]["result"]
        around = document
        for step in way:
            around = around[int(step) if isinstance(around, list) else step]
        if isinstance(around, list):
            place = int(last)
            around[place : place + (operation["op"] != "add")] = [] if operation["op"] == "remove" else [value]
        elif operation["op"] == "remove":
            del around[last]
        else:
            around[last] = value
    return document


def whole(result: dict) -> dict:
    """A result without what a server of MCP says of itself in each."""
    rest = {name: value for name, value in patched(result).items() if name != "resultType"}
    meta = {name: value for name, value in (rest.pop("_meta", None) or {}).items() if name != OWN}
    # Some SDKs leave out what is usual, and write what is absent.
    rest = {name: value for name, value in rest.items() if value is not None and (name, value) != ("isError", False)}
    return {**rest, **({"_meta": meta} if meta else {})}


def tools(report: dict) -> dict:
    """The tools by their names, with what the revision of the client has no place for where it was (MCP-5)."""
    return {
        tool["name"]: {name: value for name, value in patched(tool).items() if value is not None}
        for tool in report["tools"]
    }


@pytest.mark.parametrize("server", SAME_IN_EACH)
@pytest.mark.parametrize(("client", "revision"), CLIENTS)
def test_a_gateway_changes_nothing(server, client, revision):
    command = [*SERVERS[server], str(FILE)]
    calls = [{"name": name} for name in RESULTS]
    # This SDK speaks no other revision, so a client of the newest one can't do without the gateway.
    spoken = "2025-11-25" if server == "typescript-1" else revision
    direct = carry_out(client, spoken, plan(command, calls))
    through = carry_out(client, revision, plan([TOOLWIRE, "serve", "--", *command], calls))
    assert through["revision"] in (revision, None)
    assert tools(through) == tools(direct)
    for one, other in zip(direct["calls"], through["calls"]):
        if "error" in one:
            # What an SDK refuses to send is an error of JSON-RPC, and a result behind the gateway; unless the server
            # may send it in the newer revision that the gateway speaks with it.
            newer = revision != NEWEST and server != "typescript-1"
            assert "error" in other or other["result"]["isError"] or newer, other
            continue
        assert "result" in other, other
        sent, kept = whole(one["result"]), whole(other["result"])
        assert kept == sent, f"{one['name']}\nwithout {json.dumps(sent)}\nthrough {json.dumps(kept)}"


@pytest.mark.parametrize("revision", ["2025-11-25", NEWEST])
def test_resources_and_prompts_are_passed_on(revision):
    command = [*SERVERS["python"], str(FILE)]
    direct = carry_out("python", revision, {**plan(command, []), "offers": True})["offers"]
    through = carry_out("python", revision, {**plan([TOOLWIRE, "serve", "--", *command], []), "offers": True})["offers"]
    assert through == direct
    assert [one["uri"] for one in through["resources"]] == ["notes://today"]
    assert through["contents"][1][0]["text"] == "# friday"
    assert through["messages"][0][0]["content"]["text"] == "Review Monday."
