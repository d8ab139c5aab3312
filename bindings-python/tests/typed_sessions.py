"""Sessions of a host, as a strict type checker sees them. It is checked, and not run."""

from __future__ import annotations

from typing import Any

import toolwire as tw


@tw.tool
def now() -> str:
    return "noon"


def said(id: str, message: tw.Message) -> None:
    print(id, message.level, message.text)


async def arrived(id: str, progress: tw.Progress) -> None:
    print(id, progress.fraction)


async def host() -> str:
    sessions = tw.Sessions(
        answerer=lambda question: question.default,
        approve=lambda request: request["action"] == "spawn" or "not today",
        on_state=lambda id, state: print(id.upper(), state.upper()),
        on_progress=arrived,
        on_log=said,
        on_stderr=lambda id, piece: print(id, piece.decode()),
        rules={"turn": "keep"},
    )
    names: list[str] = await sessions.add(now, tw.load_manifest(), ["cat"])
    await sessions.add(["git", "add", "--patch"], session="pty", size=(100, 30), name="stage", description="Stages.")
    parsed: tw.Parsed = await sessions.handle("stage", {"action": "spawn", "id": "a"})
    fetched = await sessions.apply("a", {"text": "y", "enter": True}, until="hunk")
    refusal: dict[str, Any] | None = fetched.refusal
    states: dict[str, str] = await sessions.wait(["a"], any=True)
    handles: list[dict[str, Any]] = await sessions.list()
    await sessions.close()
    return f"{names} {parsed.status} {refusal} {states} {handles}"


def sync_host() -> str | None:
    with tw.SyncSessions(on_log=said, on_stderr=lambda id, piece: print(id, piece.decode())) as sessions:
        sessions.add(now, tw.load_manifest(), ["cat"])
        sessions.add("python3", session="pipe")
        return sessions.handle("now", "{}").status
