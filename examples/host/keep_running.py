#!/usr/bin/env python3
"""A host whose model can use tools that keep running: all that such a host has to write.

    python examples/host/keep_running.py [PROGRAM…]

Without a program, it has the tools of the nearest toolwire.toml. The model is whoever writes calls to stdin, one JSON object a line, such as
{"tool": "git", "arguments": {"action": "spawn", "id": "staging"}}; each answer is printed as the model reads it.
"""

import asyncio
import json
import sys

import toolwire as tw


def ask_person(question: tw.PendingQuestion) -> tw.Answer:
    # What is for a person alone comes here. This host has nobody at a terminal.
    print(f"[nobody answers: {question.text}]", file=sys.stderr)
    return tw.Answer(state="unavailable", source="policy")


def log(id: str, message: tw.Message) -> None:
    print(f"[{id}: {message.text!r}]", file=sys.stderr)


async def main(programs: "list[str]") -> None:
    async with tw.Sessions(answerer=ask_person, on_log=log, rules={"turn": "abort", "idle_time": 600}) as sessions:
        if programs:
            await sessions.add(*programs)
        else:
            await sessions.add(tw.load_manifest())
        while line := await asyncio.to_thread(sys.stdin.readline):
            call = json.loads(line)
            answer = await sessions.handle(call["tool"], call["arguments"])
            print(tw.format(answer, audience="assistant"), flush=True)
            # Handles that wait or have stopped meanwhile are told with the next message.
            for news in await sessions.announcements():
                print(f"[{news['text']}]", flush=True)
        await sessions.end_of_turn()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
