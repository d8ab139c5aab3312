#!/usr/bin/env python3
"""Tools that ask, with the library: each only sees the answers so far."""

import json
from typing import Any

import toolwire as tw


def flat(properties: "dict[str, Any]", required: "list[str]") -> "dict[str, Any]":
    return {"type": "object", "properties": properties, "required": required}


NAME = flat({"name": {"type": "string"}}, ["name"])
COLOR = flat({"color": {"type": "string"}}, ["color"])
OK = flat({"ok": {"type": "boolean"}}, ["ok"])
ABC = ["option1", "option2", "option3"]


def titled(first: str, *titles: str) -> "list[dict[str, str]]":
    return [{"const": f"{first}{at}", "title": title} for at, title in enumerate(titles, 1)]


@tw.tool
def test_elicitation(ctx: tw.Context, message: str) -> str:
    """Asks for a name and an address.

    Args:
        message: What the user is shown.
    """
    fields = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    schema = flat(fields, ["username", "email"])
    return f"User response: {json.dumps(ctx.answer('user', tw.form(message, schema)))}"


@tw.tool
def test_elicitation_sep1034_defaults(ctx: tw.Context) -> str:
    """Asks with a default for each simple type."""
    states = ["active", "inactive", "pending"]
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": states, "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    given = ctx.answer("profile", tw.form("Is this right?", flat(fields, [])))
    return f"Elicitation completed: action=accept, content={json.dumps(given)}"


@tw.tool
def test_elicitation_sep1330_enums(ctx: tw.Context) -> str:
    """Asks with every way to write a choice."""
    fields = {
        "untitledSingle": {"type": "string", "enum": ABC},
        "titledSingle": {
            "type": "string",
            "oneOf": titled("value", "First Option", "Second Option", "Third Option"),
        },
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ABC}},
        "titledMulti": {
            "type": "array",
            "items": {"anyOf": titled("value", "First Choice", "Second Choice", "Third Choice")},
        },
    }
    given = ctx.answer("choices", tw.form("Which ones?", flat(fields, [])))
    return f"Elicitation completed: action=accept, content={json.dumps(given)}"


@tw.tool
def test_streaming_elicitation(ctx: tw.Context) -> str:
    """Asks for a name while a stream is open."""
    return hello(ctx, "user_name")


@tw.tool
def test_input_required_result_elicitation(ctx: tw.Context) -> str:
    """Asks for a name."""
    return hello(ctx, "user_name")


@tw.tool
def test_input_required_result_request_state(ctx: tw.Context) -> str:
    """Asks for a confirmation; the state is the server's affair."""
    return f"state-ok: {ctx.answer('confirm', tw.form('Please confirm', OK))['ok']}"


@tw.tool
def test_input_required_result_tampered_state(ctx: tw.Context) -> str:
    """Asks for a confirmation that a forged state must not give."""
    return f"confirmed: {ctx.answer('confirm', tw.form('Please confirm', OK))['ok']}"


@tw.tool
def test_input_required_result_multi_round(ctx: tw.Context) -> str:
    """Asks twice, one question after the other."""
    name = ctx.answer("step1", tw.form("Step 1: What is your name?", NAME))["name"]
    color = ctx.answer("step2", tw.form("Step 2: What is your favorite color?", COLOR))["color"]
    return f"{name} likes {color}."


@tw.tool
def test_confirm(ctx: tw.Context) -> str:
    """Asks for yes or no, and says what became of the question."""
    return "yes" if ctx.answer("sure", tw.boolean("Are you sure?")) else "no"


def hello(ctx: tw.Context, question: str) -> str:
    return f"Hello, {ctx.answer(question, tw.form('What is your name?', NAME))['name']}!"


tw.main()
