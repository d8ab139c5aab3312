"""Messages of providers; what becomes of each block is shown by the conformance cases."""

import pytest

import toolwire as tw
from toolwire import providers

TOOLS = [{"name": "files.list", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}}]


def test_a_turn_from_the_definitions_to_the_next_message():
    made = providers.to_tools(TOOLS, "openai_chat")
    name = made["tools"][0]["function"]["name"]
    assert made["names"] == [{"tool": "files.list", "name": name}] and "." not in name
    calls = [
        {"id": "a", "type": "function", "function": {"name": name, "arguments": '{"path":"a"}'}},
        {"id": "b", "type": "function", "function": {"name": name, "arguments": '{"path":"/v'}},
    ]
    read = [providers.from_call(call, "openai_chat", stop_reason="length", is_last=call is calls[-1], tools=TOOLS) for call in calls]
    assert [one["call"]["name"] for one in read] == ["files.list"] * 2
    assert [one["refusal"] is None for one in read] == [True, False]
    assert [one["history"] for one in read] == calls
    picture = tw.envelope([tw.text("look"), tw.image(b"\x89PNG\r\n\x1a\n", "image/png")])
    turn = providers.to_turn([one["call"] for one in read], [picture, read[1]["refusal"]], "openai_chat")
    assert [message["role"] for message in turn["messages"]] == ["tool", "tool", "user"]
    assert turn["messages"][1]["content"].startswith("[error]\n\n`files.list` was not run")
    assert turn["reports"][0][1]["fate"] == "moved"


@pytest.mark.parametrize("data", ["12:00", b"12:00", tw.parse("12:00"), tw.envelope([tw.text("12:00")])])
def test_an_output_is_anything_that_can_be_read(data):
    call = {"id": "1", "name": "now"}
    assert providers.to_message(data, call, "openai")["message"]["output"] == "12:00"
    assert providers.to_turn([call], [data], "openai")["messages"][0]["output"] == "12:00"


def test_options_that_are_wrong_are_named():
    with pytest.raises(tw.ToolwireError) as caught:
        providers.to_message("", {"name": "now"}, "openrouter")
    assert (caught.value.code, caught.value.pointer) == ("bad_option", "/provider")
    history = providers.to_history({"id": "call_1", "name": "a.b", "arguments": {"n": 1}}, "mistral")
    assert len(history["id"]) == 9 and history["function"]["arguments"] == '{"n":1}'
