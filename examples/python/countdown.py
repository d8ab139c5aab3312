#!/usr/bin/env python3
"""Count down, second by second: a tool that keeps running.

    toolwire session spawn launch examples/python/countdown.py start=30
    toolwire session fetch launch --wait 2s
    toolwire session apply launch 3
    toolwire session abort launch

While it counts, a number that is applied to it is where it goes on. At the end it asks, and waits for the answer
where it stands.
"""

from typing import Annotated

import toolwire as tw


@tw.tool(actions=["apply", "abort"])
async def countdown(
    session: tw.Session,
    start: Annotated[int, "Where to begin.", {"minimum": 1, "maximum": 1000}] = 10,
    step: Annotated[float, "How long a step takes, in seconds.", {"minimum": 0, "maximum": 60}] = 1,
) -> str:
    """Count down, and ask before the launch."""
    try:
        left = start
        while left > 0:
            session.progress(max(start - left, 0), start)
            await session.emit(str(left))
            left -= 1
            given = await session.receive(timeout=step)
            # From a shell it comes as text.
            if str(given).isdecimal() and 1 <= int(given) <= 1000:
                left = int(given)
            elif given is not None:
                await session.emit(f"a number from 1 to 1000 is needed, not {given!r}")
        return "Lift-off." if await session.answer("launch", tw.boolean("Launch?")) else "Scrubbed."
    finally:
        if session.ending:
            # A real tool would stop its motors here.
            await session.emit(f"the tanks are drained ({session.ending})")


tw.main()
