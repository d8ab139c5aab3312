"""`serve` and `connect` of the package for Python, with the SDKs' own clients and servers."""

import asyncio
import json
import sys

import pytest
import toolwire as tw
from conftest import HERE, carry_out, each_client, environment
from test_embed import SERVERS as ASKING
from test_sdk_servers import FILE, RESULTS, SERVERS
from test_servers import EVERYTHING

EXAMPLE = HERE.parent.parent / "examples/mcp/serve_functions.py"


@each_client
def test_functions_are_served_to_every_client(client, revision):
    note = {"name": "note", "arguments": {"title": "a", "text": "one two"}}
    report = carry_out(
        client,
        revision,
        {
            "server": {"command": sys.executable, "args": [str(EXAMPLE)], "env": {"PATH": environment()["PATH"]}},
            "elicitation": True,
            "answers": [{"action": "accept", "content": {"answer": True}}, {"action": "decline"}],
            "calls": [note, note, note, {"name": "search", "arguments": {"word": "two"}}],
        },
    )
    results = [call["result"] for call in report["calls"]]
    texts = [result["content"][0]["text"] for result in results[:3]]
    assert texts[:2] == ["Written down.", "Written down."]
    assert results[2]["isError"] is True and "declined" in texts[2]
    assert results[3]["structuredContent"] == {"result": ["a"]}


@pytest.mark.parametrize("server", SERVERS)
def test_servers_of_the_sdks_are_called(server):
    async def run():
        async with tw.connect([*SERVERS[server], str(FILE)], env=environment()) as client:
            listed = {tool["name"] for tool in await client.list_tools()}
            assert set(RESULTS) <= listed
            name = next(name for name, result in RESULTS.items() if result["content"][0]["type"] == "text")
            same = await asyncio.gather(*[client.call(name) for _ in range(3)])
            return name, [one.parsed.envelope.content[0].text for one in same]

    name, texts = asyncio.run(run())
    assert texts == [RESULTS[name]["content"][0]["text"]] * 3


@pytest.mark.parametrize("server", ASKING)
def test_what_a_server_of_an_sdk_asks_goes_to_the_answerer(server, tmp_path):
    asked = []

    def answerer(question):
        asked.append(question.text)
        return {"answer": True} if question.schema["type"] == "object" else True

    for answer in (answerer, lambda question: tw.Answer(state="declined")):
        file = tmp_path / "notes.txt"
        file.write_text("one\n", encoding="utf-8")
        with tw.connect_sync(ASKING[server], env=environment()) as client:
            result = client.call("remove", {"path": str(file)}, answerer=answer)
        removed = answer is answerer
        words = "Removed it." if removed else "Kept it: the question was declined."
        assert result.parsed.envelope.content[0].text == words
        assert file.exists() is not removed
    assert len(asked) == 1


def test_progress_of_the_reference_server():
    heard = []
    with tw.connect_sync(EVERYTHING, env=environment()) as client:
        assert client.claimed_name and client.revision == "2025-11-25"
        arguments = {"duration": 1, "steps": 4}
        result = client.call("trigger-long-running-operation", arguments, on_progress=heard.append)
    assert not result.is_error, json.dumps(str(result.parsed.envelope))
    assert [one.done for one in heard][-1] == 4
