"""`toolwire.mcp_sdk` in the official SDK for Python, called by its own client."""

import asyncio
import re

import pytest
from conftest import HERE
from fastmcp import Client as FastClient
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, ElicitResult, InputRequiredResult

import toolwire as tw
from toolwire import mcp_sdk

REVISIONS = ("2025-11-25", "2026-07-28")
NAME = {"id": "name", "text": "Your name?", "schema": {"type": "string", "minLength": 2}}
AGE = {"id": "age", "text": "Your age?", "schema": {"type": "integer"}}
PAGE = {"id": "login", "text": "Sign in", "schema": {"type": "boolean"}, "url": "https://example.org/login"}
SECRET = {"id": "pin", "text": "Your PIN?", "schema": {"type": "string", "writeOnly": True}}

each_revision = pytest.mark.parametrize("revision", REVISIONS)


def accept(answer: object) -> ElicitResult:
    return ElicitResult(action="accept", content={"answer": answer})


def states(answers: dict) -> str:
    told = [f"{name} {answer.state} {answer.source} {answer.value!r}" for name, answer in answers.items()]
    return ", ".join(told)


def call(revision: str, questions: list, *given: ElicitResult, can_ask: bool = True) -> "tuple[str, list]":
    """What a tool that asks these questions says of the answers, and what the client was asked."""
    server = MCPServer("asks")

    @server.tool()
    async def asks(ctx: Context) -> "CallToolResult | InputRequiredResult":
        try:
            answers = await mcp_sdk.ask(ctx, *questions)
        except (ValueError, tw.ToolwireError) as error:
            return mcp_sdk.result(ctx, tw.envelope([tw.text(f"failed: {error}")]))
        if isinstance(answers, InputRequiredResult):
            return answers
        return mcp_sdk.result(ctx, tw.envelope([tw.text(states(answers))]))

    left, asked = list(given), []

    async def answer(_context, params):
        asked.append(params)
        return left.pop(0)

    async def run() -> str:
        mode = revision if revision == REVISIONS[-1] else "legacy"
        async with Client(server, mode=mode, elicitation_callback=answer if can_ask else None) as client:
            result = await client.call_tool("asks", {})
        assert not left
        return "\n".join(block.text for block in result.content)

    return asyncio.run(run()), asked


@each_revision
def test_what_a_user_does_becomes_an_answer(revision):
    for given, expected in [
        (accept("Ada"), "name accepted user 'Ada'"),
        (ElicitResult(action="decline"), "name declined user None"),
        (ElicitResult(action="cancel"), "name cancelled user None"),
    ]:
        said, asked = call(revision, [NAME], given)
        assert said == expected
        assert [params.message for params in asked] == ["Your name?"]


@each_revision
def test_several_questions_are_answered_in_one_round(revision):
    said, asked = call(revision, [NAME, AGE], accept("Ada"), accept(36))
    assert said == "name accepted user 'Ada', age accepted user 36"
    assert len(asked) == 2


@each_revision
def test_a_page_is_opened(revision):
    for action, state in [("accept", "opened"), ("decline", "declined"), ("cancel", "cancelled")]:
        said, [asked] = call(revision, [PAGE], ElicitResult(action=action))
        assert said == f"login {state} user None"
        assert (asked.mode, asked.url) == ("url", PAGE["url"])


@each_revision
def test_a_client_that_cannot_ask_gets_no_request(revision):
    said, asked = call(revision, [NAME, PAGE], can_ask=False)
    assert said == "name unavailable policy None, login unavailable policy None"
    assert asked == []


@each_revision
def test_a_secret_is_not_asked_for(revision):
    said, asked = call(revision, [SECRET, NAME])
    assert "secret" in said
    assert asked == []


def test_what_does_not_fit_does_not_reach_the_tool():
    said, _ = call("2025-11-25", [NAME], accept("A"))
    assert "the answer to `name` does not fit" in said
    said, asked = call("2026-07-28", [NAME], accept("A"), accept("Ada"))
    assert said == "name accepted user 'Ada'"
    assert len(asked) == 2


@each_revision
def test_the_page_of_the_package(revision):
    """What README.md of the package shows is a server of FastMCP that asks."""
    page = (HERE.parent.parent / "bindings-python/README.md").read_text(encoding="utf-8")
    [fence] = re.findall(r"(?ms)^```py\n(.*?)^```", page)
    names: dict = {"__name__": "page"}
    exec(compile(fence, "README.md", "exec"), names)

    async def answer(_message, _type, params, _context):
        assert params.message == "Your name?"
        return accept("Ada")

    async def run() -> str:
        mode = revision if revision == REVISIONS[-1] else "legacy"
        async with FastClient(names["server"], mode=mode, elicitation_handler=answer) as client:
            result = await client.call_tool_mcp("greet", {"greeting": "Good morning"})
        [block] = result.content
        return block.text

    assert asyncio.run(run()) == "Good morning Ada"
