"""What the SDKs' clients strip and reject: the facts on which the mapping of results is built.

If a new version of an SDK behaves otherwise, this fails, and the mapping may be able to keep more.
"""

import json
import sys

import pytest
from conftest import HERE, carry_out, each_client

FACTS = json.loads((HERE / "facts.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def canned(tmp_path_factory):
    """The server that answers with the results of the facts, byte by byte."""
    file = tmp_path_factory.mktemp("facts") / "canned.json"
    results = {name: fact["result"] for name, fact in FACTS.items()}
    file.write_text(json.dumps({"results": results}), encoding="utf-8")
    return {"command": sys.executable, "args": [str(HERE / "canned_server.py"), str(file)]}


@each_client
def test_what_is_kept(client, revision, canned):
    plan = {"server": canned, "calls": [{"name": name} for name in FACTS]}
    report = carry_out(client, revision, plan)
    found = {call["name"]: outcome(call) for call in report["calls"]}
    assert found == {name: expected(fact, client, revision) for name, fact in FACTS.items()}


def outcome(call: dict) -> "str | list[str]":
    """`rejected`, or the pointers of what is missing or changed."""
    if "error" in call:
        return "rejected"
    sent = json.loads(FACTS[call["name"]]["result"])
    sent.pop("resultType", None)
    return list(differences(sent, call["result"], ""))


def expected(fact: dict, client: str, revision: str) -> "str | list[str]":
    """What the most specific entry says: client and revision, client, revision, all."""
    outcomes = fact["outcomes"]
    for key in (f"{client} {revision}", client, revision, "all"):
        if key in outcomes:
            return outcomes[key]
    raise KeyError(f"no outcome for {client} {revision}")


def differences(sent, kept, pointer: str):
    if isinstance(sent, dict) and isinstance(kept, dict):
        for name, value in sent.items():
            place = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if name not in kept:
                yield place
            else:
                yield from differences(value, kept[name], place)
    elif isinstance(sent, list) and isinstance(kept, list) and len(sent) == len(kept):
        for at, (one, other) in enumerate(zip(sent, kept)):
            yield from differences(one, other, f"{pointer}/{at}")
    elif sent != kept or isinstance(sent, bool) != isinstance(kept, bool):
        yield pointer
