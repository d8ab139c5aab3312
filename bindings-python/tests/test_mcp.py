"""Results, tools and calls as MCP has them; what the mapping does is shown by the conformance cases."""

import json

import pytest

import toolwire as tw

REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"]
DIGITS = '{"content":[],"structuredContent":{"n":0.1234567890123456789,"o":12345678901234567890}}'


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_envelope_comes_back_with_all_its_digits(revision):
    mapped = tw.mcp.to_result(DIGITS, revision=revision)
    assert mapped["result"]["structuredContent"]["o"] == 12345678901234567890
    assert {one["fate"] for one in mapped["report"]} == {"kept"}
    read = tw.mcp.from_result(mapped["text"])
    assert str(read["parsed"].envelope) == DIGITS
    returned = {"pointer": "/_meta/dev.toolwire~1patch", "fate": "moved", "reason": "it returned to its place"}
    assert returned in read["report"]


def test_what_was_built_or_read_is_taken_as_it_is():
    envelope = tw.envelope([tw.text("a")])
    one, two, three = (tw.mcp.to_result(each, revision="2025-06-18") for each in (envelope, tw.parse(str(envelope)), str(envelope)))
    assert one == two == three


def test_limits_are_those_of_reading():
    assert tw.mcp.to_result(DIGITS, revision="2025-06-18", limits={"max_bytes": 9})["result"]["content"][0]["text"] == DIGITS
    assert tw.mcp.from_result(DIGITS, limits={"max_bytes": 9})["parsed"].is_raw
    assert tw.mcp.from_result(json.loads(DIGITS))["parsed"].verdict == "warnings"


@pytest.mark.parametrize(
    ("misuse", "code", "pointer"),
    [
        (lambda: tw.mcp.to_result("a", revision="2024-11-05"), "bad_option", "/revision"),
        (lambda: tw.mcp.to_result("a", revision=None), "bad_option", "/revision"),
        (lambda: tw.mcp.to_result("a", revision="2025-06-18", mirror=1), "bad_option", "/mirror"),
        (lambda: tw.mcp.to_result("a", revision="2025-06-18", limits={"max_depth": 9999}), "bad_option", "/maxDepth"),
        (lambda: tw.mcp.from_result(7), "bad_argument", "/result"),
        (lambda: tw.mcp.to_tool({}, revision="2025-06-18"), "bad_description", "/name"),
        (lambda: tw.mcp.from_tool(7), "bad_argument", "/listed"),
        (lambda: tw.mcp.call_from_meta("a", [1]), "bad_call", "/arguments"),
        (lambda: tw.mcp.call_from_meta("a", {}, {"computer.jp/tool": 1}), "bad_call", "/computer.jp~1tool"),
        (lambda: tw.mcp.call_to_meta({}), "bad_call", "/tool"),
    ],
)
def test_misuse_is_named(misuse, code, pointer):
    with pytest.raises(tw.ToolwireError) as caught:
        misuse()
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_a_call_goes_and_comes():
    call = tw.wire.read_call('{"tool":{"name":"a","arguments":{"n":1},"answers":{"q":2}},"context":{"action":"run","root":"/w"}}')
    assert tw.mcp.call_from_meta("a", call.arguments, tw.mcp.call_to_meta(call)) == call
