"""Tools with every public name of an author, for mypy --strict: run by no test, but it would run."""

from __future__ import annotations

import enum
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, List, Optional

import toolwire as tw


class Branch(enum.Enum):
    MAIN = "main"
    NEXT = "next"


@dataclass
class Size:
    width: int
    height: int = 1


@tw.tool
def rename(path: str, to: str, ctx: tw.Context) -> tw.Envelope:
    sure: bool = ctx.answer("confirm", tw.boolean(f"Rename {path} to {to}?", default=True))
    return tw.envelope(tw.text("Renamed." if sure else "Left as it was."))


@tw.tool(
    name="count-words", title="Count", description="…", read_only=True, destructive=False, idempotent=True, open_world=False
)
async def count(text: str, *, limit: Optional[int] = None) -> dict[str, int]:
    return {"words": len(text.split()[:limit])}


@tw.tool(actions=["apply", "abort"], warm=False)
async def watch(path: str, session: tw.Session) -> str:
    await session.emit("watching", tw.text(path), {"type": "text", "text": "x"})
    session.progress(1, 2, message="half")
    session.log("info", "said", logger="watch")
    branch: Branch = await session.answer("branch", tw.select("Which?", Branch), person=True)
    maybe: int | None = await session.answer("maybe", tw.integer("How many?"), None)
    both: dict[str, Any] = await session.answers({"a": tw.boolean("A?")}, otherwise=False, person=False)
    found: tw.Answer = await session.ask("found", tw.boolean("Sure?"), person=True)
    given = await session.receive(timeout=1.5, otherwise=branch)
    async for given in session.inputs():
        print(given, branch, maybe, both, found.state)
    trace: dict[str, str] = session.trace
    return session.ending or session.root or trace.get("traceparent") or str(session.is_live)


@tw.tool
def beat(session: tw.SyncSession) -> None:
    session.emit("text")
    sure: bool = session.answer("sure", tw.boolean("Sure?"))
    maybe: bool | str = session.answer("sure", tw.boolean("Sure?"), "no", person=True)
    values: dict[str, Any] = session.answers({"a": tw.string("A?")})
    state: str = session.ask("b", tw.string("B?")).state
    for given in session.inputs():
        print(given, sure, maybe, values, state, session.options, session.emitted)
    ending: str | None = session.wait(1)
    if ending == "aborted":
        session.progress(1)


@rename.format_arguments
def show(path: str, to: str) -> str:
    return f"mv {path} {to}"


@tw.tool
def stream(ctx: tw.Context) -> Iterator[tw.Block]:
    yield tw.text(ctx.root or ctx.action)


@tw.tool
async def stream_later() -> AsyncIterator[str]:
    yield "x"


@tw.tool
def ask(ctx: tw.Context) -> List[str]:
    branch: Branch = ctx.answer("branch", tw.select("Which?", Branch, default=Branch.MAIN))
    name: str = ctx.answer("name", tw.select("Which?", ["a", "b"], default="a"))
    names: list[str] = ctx.answer("names", tw.multi_select("Which?", ["a", "b"], min_items=1, max_items=2))
    branches: list[Branch] = ctx.answer("branches", tw.multi_select("Which?", Branch, default=[Branch.MAIN]))
    levels = tw.select("How?", [{"value": 1, "label": "one", "description": "the least"}, {"value": 2}])
    text: str = ctx.answer("text", tw.string("Why?", min_length=1, max_length=9, pattern="^x", format="email", default="x"))
    number: float = ctx.answer("number", tw.number("How hot?", minimum=-273.15, maximum=1e6, default=20))
    integer: int = ctx.answer("integer", tw.integer("How many?", minimum=1, maximum=5, default=2))
    size: Size = ctx.answer("size", tw.form("How large?", Size, default=Size(1)))
    raw: Any = ctx.answer("raw", tw.form("What?", {"type": "object"}, default={}))
    maybe: int | None = ctx.answer("maybe", tw.integer("How many?"), otherwise=None)
    both: dict[str, Any] = ctx.answers({"a": tw.boolean("A?"), "b": levels}, otherwise=None)
    found: tw.Answer = ctx.ask("found", tw.boolean("Sure?"))
    if not found.accepted and found.state == "declined" and found.source == "user":
        ctx.emit("text", tw.text("block"), {"type": "text", "text": "as JSON has it"})
    question: tw.Ask[bool] = tw.boolean("Sure?")
    print(branch.name, branches, text, number + 1, integer, size.width, raw, maybe, both, question.text, question.schema)
    print(ctx.options.get("level"), ctx.arguments, ctx.emitted, question.default, question.read(True))
    return [name, *names]


def test_sessions() -> None:
    session = tw.SyncSession({"sure": iter([True, False])}, inputs=["a", 1], options={}, root="/project")
    nothing: None = beat(session)
    print(nothing, beat.describe(), tw.Session({"branch": "main"}).emitted)


def test() -> None:
    ctx = tw.Context({"confirm": True, "x": tw.Answer(state="declined")}, options={}, root="/project", arguments={})
    made: tw.Envelope = rename("a", "b", ctx=ctx)
    try:
        rename("a", "b", tw.Context())
    except tw.Stop:
        print(made, rename.name, rename.input_schema, rename.output_schema, rename.describe())
    again: str = show("a", "b")
    tw.progress(1, 2, "half")
    tw.log("warning", "hm", logger="db")
    error = tw.ToolError("busy", transient=True)
    transient: bool | None = error.transient
    print(again, transient)


def wrong() -> None:
    """What a type checker must refuse: each comment would be reported if it were not needed."""
    rename("a")  # type: ignore[call-arg]
    rename("a", 2, tw.Context())  # type: ignore[arg-type]
    tw.Context().answer("q", True)  # type: ignore[call-overload]
    tw.ToolError("busy", True)  # type: ignore[call-arg]
    tw.boolean("Sure?", default="yes")  # type: ignore[arg-type]
    tw.log("warn", "hm")  # type: ignore[arg-type]
    tw.unknown  # type: ignore[attr-defined]  # noqa: B018


if __name__ == "__main__":
    tw.main(rename, count)
    tw.main()
