"""The tools of the cases in cases/parity.json, in Python. They are there in Node and Rust too."""

from dataclasses import dataclass
from typing import Annotated, Any, Dict, List, Literal, Optional

import toolwire as tw


@dataclass
class Author:
    name: Annotated[str, "The full name."]
    age: Optional[int] = None


@dataclass
class Report:
    text: str
    count: int
    ratio: float
    tags: List[str]
    author: Author
    labels: Dict[str, int]


@tw.tool(title="Everything", read_only=True)
def everything(
    text: str,
    author: Author,
    count: int = 1,
    ratio: float = 0.5,
    loud: bool = False,
    level: Literal["low", "high"] = "low",
    tags: Optional[List[str]] = None,
    labels: Optional[Dict[str, int]] = None,
    extra: Any = None,
) -> Report:
    """Take an argument of each type.

    And give most of them back.

    Args:
        text: Some text.
        count: How often.
        level: How much.
    """
    return Report(text.upper() if loud else text, count, ratio, tags or [], author, labels or {})


@tw.tool
def squares(most: int) -> List[int]:
    """Give a list."""
    return [number * number for number in range(1, most + 1)]


@tw.tool
def interview(ctx: tw.Context) -> str:
    """Ask one thing after the other."""
    ctx.emit("Some questions.", tw.resource("file:///project/a.rs", text="fn main() {}"))
    name = ctx.answer("name", tw.string("Your name?", max_length=20))
    sizes = [{"value": "S", "label": "Small"}, {"value": "M", "label": "Medium", "description": "fits most"}]
    size = ctx.answer("size", tw.select("Which size?", sizes, default="M"), otherwise="M")
    copies = ctx.ask("copies", tw.integer("How many?", minimum=1, maximum=5))
    told = copies.value if copies.state == "accepted" else copies.state
    return f"{name}, {size}, {told}"


@dataclass
class Notes:
    title: str
    author: Author
    breaking: bool = False


@tw.tool
def release(ctx: tw.Context) -> str:
    """Ask for an object."""
    notes = ctx.answer("notes", tw.form("Which notes?", Notes))
    return f"{notes.title} by {notes.author.name}{', breaking' if notes.breaking else ''}"


@tw.tool(destructive=False, idempotent=True, open_world=True)
def failing(how: str) -> None:
    """Fail."""
    if how == "expected":
        raise tw.ToolError("locked", transient=True)
    try:
        raise TimeoutError("no answer in 5 s") if how == "transient" else ValueError("no luck")
    except Exception as problem:
        raise RuntimeError("the page can't be read") from problem


@failing.format_arguments
def _(how: str) -> str:
    return f"fail {how}"


tw.main()
