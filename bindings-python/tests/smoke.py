"""A check without any test library, for every Python that the wheel serves: prints one line."""

import pickle
import sys

import toolwire as tw

envelope = tw.envelope(tw.text("café"), tw.resource("file:///a", blob=b"\xff"), structured_content={"n": [1, 2.5, None]})
assert pickle.loads(pickle.dumps(envelope)) == envelope
assert tw.parse(memoryview(bytes(envelope))).verdict == "valid"
assert tw.parse(str(envelope)).structured_content == {"n": [1, 2.5, None]}
assert [block.type for block in envelope.content] == ["text", "resource"]
assert tw.parse("\ud800").diagnostics[0].code == "invalid_utf8"
assert len(tw.parse_lines(b"a\nb\n")) == 2
try:
    tw.canonicalize("[NaN]")
except tw.ToolwireError as error:
    assert (error.code, error.offset) == ("non_finite", 1)
else:
    raise AssertionError("NaN was accepted")


@tw.tool
def rename(path: str, tags: "list[str] | None" = None, *, ctx: tw.Context) -> str:
    return path if ctx.answer("confirm", tw.boolean("Sure?")) else "-"


assert rename.input_schema["properties"]["tags"] == {"type": ["array", "null"], "items": {"type": "string"}}
assert rename("a", ctx=tw.Context({"confirm": True})) == "a"
print("toolwire", tw.__version__, "works on Python", sys.version.split()[0])
