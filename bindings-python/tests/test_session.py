"""The state machine of sessions as Python has it; what it does is shown by the conformance cases."""

import json
import pickle

import pytest
import toolwire as tw

SPAWN = {"event": "spawn", "by": "assistant"}
ASK = {"event": "question", "question": {"id": "ok", "text": "Ok?", "schema": {"type": "boolean"}, "default": True}}


def test_a_session_goes_on():
    machine = tw.wire.SessionMachine("staging", actions=["spawn", "fetch", "apply"])
    assert (machine.state, machine.question, machine.possible("assistant")) == ("absent", None, ["spawn"])
    for event in (SPAWN, json.dumps(ASK), json.dumps({"event": "progress", "done": 1}).encode()):
        machine.handle(event)
    assert (machine.state, machine.question.id, machine.question.default) == ("waiting", "ok", True)
    refused = machine.handle({"event": "apply", "by": "assistant", "input": "yes"})["refusal"]
    assert refused["mismatches"] == [{"pointer": "", "message": 'the value must be true or false, not `"yes"`'}]
    machine.handle({"event": "apply", "by": "assistant", "answer": {"state": "accepted", "value": True}})
    assert (machine.state, machine.question) == ("running", None)
    assert repr(machine) == "<toolwire.SessionMachine running>"


def test_input_keeps_its_digits():
    machine = tw.wire.SessionMachine("a", actions=("apply",))
    machine.handle({"event": "spawn", "by": "user"})
    outcome = machine.handle({"event": "apply", "by": "user", "input": 2**64})
    assert outcome["effects"] == [{"effect": "input", "value": 2**64}]


def test_wrong_values():
    for id, options, code, pointer in (
        ("", {}, "bad_argument", "/id"),
        (7, {}, "bad_argument", "/id"),
        ("a", {"actions": "spawn"}, "bad_option", "/actions"),
        ("a", {"max_bytes": 0}, "bad_option", "/maxBytes"),
    ):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.wire.SessionMachine(id, **options)
        assert (caught.value.code, caught.value.pointer) == (code, pointer)
    machine = tw.wire.SessionMachine("a")
    for event, code in ((7, "bad_argument"), ({}, "bad_argument"), (b"\xff", "invalid_utf8"), ("{", "json_truncated")):
        with pytest.raises(tw.ToolwireError) as caught:
            machine.handle(event)
        assert caught.value.code == code
    with pytest.raises(tw.ToolwireError):
        machine.possible("me")
    assert machine.state == "absent"
    with pytest.raises(TypeError):
        pickle.dumps(machine)


GIT = {
    "name": "git",
    "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    "_meta": {"dev.toolwire/actions": ["spawn", "fetch"]},
}


def test_a_model_calls():
    for arguments in ({"action": "spawn", "id": "a", "command": "add", "size": 2**64},
                      b'{"action":"spawn","id":"a","command":"add","size":18446744073709551616}'):
        command = tw.wire.read_command(arguments, GIT)
        assert command == {"action": "spawn", "id": "a", "arguments": {"command": "add", "size": 2**64}}
    assert tw.wire.read_command({"action": "fetch", "id": "a", "wait": 1}, json.dumps(GIT))["wait"] == 1
    for provider in ("common", "openai", "openai_strict", "anthropic", "anthropic_strict", "google"):
        for style in ("flat", "one_of"):
            projection = tw.schema.project_schema(tw.wire.action_schema(GIT, style=style), provider=provider)
            assert tw.schema.lint_schema(projection["schema"], provider=provider) == []
            assert projection["wrapped"] == (style == "one_of")
    assert tw.wire.action_schema(GIT) == tw.wire.action_schema(GIT, style="flat")
    found = tw.schema.lint_schema(tw.wire.action_schema(GIT, style="one_of"), provider="anthropic")
    assert [(one.code, one.pointer) for one in found] == [("schema_refused", "/oneOf")]


def test_wrong_calls():
    for make, code, pointer in (
        (lambda: tw.wire.read_command({"action": "abort", "id": "a"}, GIT), "action_not_offered", "/action"),
        (lambda: tw.wire.read_command({"action": "fetch"}, GIT), "bad_argument", "/id"),
        (lambda: tw.wire.read_command(7, GIT), "bad_argument", "/arguments"),
        (lambda: tw.wire.read_command({}, 7), "bad_argument", "/tool"),
        (lambda: tw.wire.read_command({}, {"name": "git"}), "bad_description", "/inputSchema"),
        (lambda: tw.wire.action_schema(GIT, style="deep"), "bad_option", "/style"),
        (lambda: tw.wire.action_schema(GIT, style=7), "bad_option", "/style"),
        (lambda: tw.schema.project_schema({}, provider="acme"), "bad_option", "/provider"),
        (lambda: tw.schema.lint_schema({}, provider=["openai"]), "bad_option", "/provider"),
        (lambda: tw.schema.lint_schema("{"), "json_truncated", ""),
    ):
        with pytest.raises(tw.ToolwireError) as caught:
            make()
        assert (caught.value.code, caught.value.pointer) == (code, pointer)
