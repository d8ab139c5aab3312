"""A tool and its host with every public name, for mypy --strict: run by no test, but it would run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Literal

import toolwire as tw
from toolwire.types import EnvelopeDocument, Identity


def answer(paths: list[Path]) -> tw.Envelope:
    blocks: list[tw.Block] = [tw.text(f"{len(paths)} files", annotations={"audience": ["user"], "priority": 0.5})]
    for path in paths:
        blocks.append(tw.resource_from_file(path, mime_type="text/plain"))
    blocks.append(tw.resource("repo:a", blob=b"\x00", name="a", meta={"k": [1]}))
    blocks.append(tw.resource("repo:b", text="b", formatted="**b**"))
    blocks.append(tw.resource_from_bytes(Path("/c"), memoryview(b"c")))
    blocks.append(tw.image(bytearray(b"x"), "image/png"))
    blocks.append(tw.audio(b"x", "audio/wav"))
    blocks.append(tw.resource_link("https://host/", "host", size=1))
    blocks.append(tw.question("q", "Sure?", {"type": "boolean"}, default=None))
    tw.envelope(blocks, is_error=True)
    tw.envelope(block for block in blocks)
    tw.envelope("text", blocks[0])
    tw.envelope(["text", blocks[0]])
    tw.envelope({"type": "text", "text": "as JSON has it"}, tw.text("and as a builder makes it"))
    tw.envelope([{"type": "text", "text": "as JSON has it"}, tw.text("and as a builder makes it")])
    return tw.envelope(*blocks, structured_content=None, status="waiting", meta={"x": 1})


def tool() -> int:
    try:
        print(answer([Path(name) for name in sys.argv[1:]]))
    except OSError as problem:
        print(tw.error(problem, transient=True))
        print(tw.error("no", trace=["why"]))
        return 1
    return 0


def host(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, check=False)
    parsed = tw.receive(done.stdout, exit_code=done.returncode, stderr=done.stderr)
    verdict: Literal["valid", "warnings", "raw"] = parsed.verdict
    for block in parsed.envelope.content:
        if block.type == "question" and block.question is not None:
            print(block.question.id, block.question.schema["type"])
        size: int | None = block.size
        print(block.text or "", block.bytes or b"", size)
    for found in parsed.diagnostics:
        print(found.code.upper(), found.pointer, found.offset, found.severity)
    known: list[Identity] = tw.identify(parsed, root=Path("/project"), limits={"max_depth": 9}, known=[("file:///a", "sha256:")])
    print([each["uri"] for each in tw.identify(parsed.envelope, known=known)], verdict)
    try:
        tw.validate(parsed.raw)
        canonical: bytes = tw.canonicalize(parsed.envelope)
        print(canonical, tw.digest(canonical), tw.normalize_uri("a", root=Path("/")), tw.file_uri(Path("a")))
        tw.validate(parsed)
        print(tw.digest(parsed.envelope.content[0]), tw.receive(b"", signal="SIGTERM"))
    except tw.ToolwireError as error:
        print(error.code, error.pointer, error.offset, [each.code for each in error.diagnostics])
    counts: dict[str, int] = tw.summarize(b"log")["byCode"]
    document: EnvelopeDocument = parsed.envelope.to_dict()
    print(document["content"], document.get("isError"))
    print(counts, [line.parsed.is_raw for line in tw.parse_lines("log", limits={"max_depth": 3})])
    print(tw.explain(parsed, color=True, limits={"max_bytes": 1}))
    return tw.format(parsed, target="terminal", audience="user", max_bytes=1000)


def asked(call: tw.Call) -> str:
    limit: int = call.arguments.get("limit", 10)
    sure: tw.Answer | None = call.answers.get("sure")
    if sure is None or not sure.accepted:
        again = tw.Answer(state="declined", source="assistant")
        secret = tw.questions.find_secret({"id": "q", "text": "?", "schema": {}})
        return f"{again.value} {again.source} {secret['pointer'] if secret else ''}"
    tools = tw.wire.read_description(tw.wire.describe([{"name": "now", "inputSchema": {"type": "object"}}]))
    names: list[str] = [tool["name"] for tool in tools or []]
    question = tw.questions.read_question('{"id":"q","text":"?","schema":{}}')
    print(tw.questions.prompt(question)["kind"], tw.questions.template(question), tw.questions.read_template("true").value, names)
    print(tw.wire.parse_arguments(["a=1"], {"type": "object"}), tw.questions.refusal(host="Ada", about="password"), limit)
    return tw.wire.read_call(str(call.member_json("meta")), carrier="meta").json


async def embedded(program: Path) -> list[str]:
    async def ask(question: tw.PendingQuestion) -> object:
        if question.mismatches or question.tool is None:
            return tw.Answer(state="declined")
        return tw.schema.unwrap_value(question.schema, {"answer": question.default}, answer=True)

    result: tw.RunResult = await tw.run(program, "now", {"zone": "utc"}, answerer=ask, timeout=1.5, root=program.parent)
    try:
        result = tw.run_sync(["python3", program], answerer=lambda question: True, given={"a": 1}, unanswered="fail",
                             on_stderr=sys.stderr.buffer.write, env={"A": "b"}, cwd="/", action="format_arguments",
                             max_tries=2, limits={"max_depth": 20}, refusals={"*": {"service": "Example"}})
    except tw.HostError as error:
        print(error.code, error.message)
    stopped: Literal["timeout", "cancelled", "stdout_limit", "result_limit"] | None = result.stopped
    seconds: float = result.elapsed
    print(stopped, seconds, result.exit_code, result.signal, result.stdout + result.stderr, result.answers["a"].value)
    exchange = tw.wire.Exchange({"tool": {"name": "now"}, "context": {"action": "run"}}, host="Ada", max_rounds=3)
    step = exchange.step()
    if isinstance(step, tw.PendingQuestion):
        print(exchange.handle_answer(step.id, True), exchange.finish()["end"], tw.schema.check_question(step.question))

    async def watch(progress: tw.Progress) -> None:
        share: float | None = progress.fraction
        print(progress.done, progress.total, progress.message, share)

    def follow(message: tw.Message) -> None:
        level: Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] = message.level
        print(level, message.text, message.logger)

    await tw.run(program, on_progress=watch, on_log=follow)
    event: tw.Progress | tw.Message | None = tw.wire.read_event(b"{}")
    print(event)
    listed: tw.ToolList = await tw.list_tools(program, limits={"max_depth": 20})
    again: tw.RunResult = tw.list_tools_sync(program, timeout=1).result
    return [tool["name"] for tool in listed.tools or []] + [again.parsed.verdict]


async def folder() -> int:
    """The tools of a folder; every member of a result has a type."""
    manifest: tw.Manifest = tw.load_manifest(Path("toolwire.toml"))
    described = [tool["name"] for tool in await manifest.list_tools()] + manifest.names

    async def answerer(question: tw.PendingQuestion) -> object:
        who: Literal["user", "assistant"] | None = question.who
        return tw.Answer(True, source="assistant") if who != "user" else None

    result = await manifest.run(described[0], {"path": "a"}, answerer=answerer, timeout=1, inherit=["standard"])
    end: Literal[
        "answered", "repeated", "answer_required", "ambiguous", "bad_question", "bad_given", "unanswered",
        "too_many_rounds", "cancelled",
    ] = result.end
    return len(end) + manifest.run_sync("a").rounds
