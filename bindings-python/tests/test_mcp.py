"""Results, tools and calls as MCP has them; what the mapping does is shown by the conformance cases."""

import json

import pytest

import toolwire as tw

REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"]
DIGITS = '{"content":[],"structuredContent":{"n":0.1234567890123456789,"o":12345678901234567890}}'


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_envelope_comes_back_with_all_its_digits(revision):
    result, text, report = tw.to_mcp_result(DIGITS, revision=revision)
    assert result["structuredContent"]["o"] == 12345678901234567890
    assert {fate for _, fate, _ in report} == {"kept"}
    parsed, report = tw.from_mcp_result(text)
    assert str(parsed.envelope) == DIGITS
    assert ("/_meta/dev.toolwire~1patch", "moved", "it returned to its place") in report


def test_what_was_built_or_read_is_taken_as_it_is():
    envelope = tw.envelope([tw.text("a")])
    one, two, three = (tw.to_mcp_result(each, revision="2025-06-18") for each in (envelope, tw.parse(str(envelope)), str(envelope)))
    assert one == two == three


def test_limits_are_those_of_reading():
    assert tw.to_mcp_result(DIGITS, revision="2025-06-18", max_bytes=9)[0]["content"][0]["text"] == DIGITS
    assert tw.from_mcp_result(DIGITS, max_bytes=9)[0].is_raw
    assert tw.from_mcp_result(json.loads(DIGITS))[0].verdict == "warnings"


@pytest.mark.parametrize(
    ("misuse", "code", "pointer"),
    [
        (lambda: tw.to_mcp_result("a", revision="2024-11-05"), "bad_option", "/revision"),
        (lambda: tw.to_mcp_result("a", revision=None), "bad_option", "/revision"),
        (lambda: tw.to_mcp_result("a", revision="2025-06-18", mirror=1), "bad_option", "/mirror"),
        (lambda: tw.to_mcp_result("a", revision="2025-06-18", max_depth=9999), "bad_option", "/maxDepth"),
        (lambda: tw.from_mcp_result(7), "bad_argument", "/result"),
        (lambda: tw.to_mcp_tool({}, revision="2025-06-18"), "bad_description", "/name"),
        (lambda: tw.from_mcp_tool([]), "bad_argument", "/listed"),
        (lambda: tw.call_from_meta("a", [1]), "bad_call", "/arguments"),
        (lambda: tw.call_from_meta("a", {}, {"computer.jp/tool": 1}), "bad_call", "/computer.jp~1tool"),
        (lambda: tw.call_to_meta({}), "bad_call", "/tool"),
    ],
)
def test_misuse_is_named(misuse, code, pointer):
    with pytest.raises(tw.ToolwireError) as caught:
        misuse()
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_a_call_goes_and_comes():
    call = tw.read_call('{"tool":{"name":"a","arguments":{"n":1},"answers":{"q":2}},"context":{"action":"run","root":"/w"}}')
    assert tw.call_from_meta("a", call.arguments, tw.call_to_meta(call)) == call
