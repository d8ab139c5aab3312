"""What a host gives a session, until the function takes it. The host's words come in a thread of their own."""

from collections import deque
from threading import Condition

from ._context import MISSING
from ._toolwire import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future, Task
    from typing import Any

    from ._context import Given
    from ._toolwire import LineCall

# So many inputs are kept; until one is taken, the host waits with everything else that it has to say.
MOST = 100


def _over() -> Answer:
    """The answer of a host that has gone."""
    return Answer(state="cancelled", source="policy")


def _once(name: str, waiting: "dict[str, Any]") -> None:
    if name in waiting:
        raise ValueError(f"another question has the id `{name}`: give each its own")


class Mail:
    """That of a plain function."""

    def __init__(self, call: "LineCall") -> None:
        self.call = call
        self._changed = Condition()
        self._inputs: "deque[Any]" = deque()
        # The questions that wait, and their answers.
        self._answers: "dict[str, Answer | None]" = {}
        self._over = False

    # What the host's thread does.

    def give(self, value: "Any") -> None:
        with self._changed:
            self._changed.wait_for(lambda: len(self._inputs) < MOST or self._over)
            self._inputs.append(value)
            self._changed.notify_all()

    def answer(self, name: str, answer: Answer) -> None:
        with self._changed:
            if name in self._answers:
                self._answers[name] = answer
                self._changed.notify_all()

    def tell(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """There is nothing more to be heard, or nobody to hear it."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    # What the function does.

    def send(self, blocks: "tuple[Given, ...]") -> None:
        self.call.output(blocks)

    def ask(self, pairs: "list[tuple[str, Any]]") -> "list[Answer]":
        names = [name for name, _ in pairs]
        with self._changed:
            for name in names:
                _once(name, self._answers)
            self._answers.update(dict.fromkeys(names))
        try:
            for name, ask in pairs:
                self.call.ask(name, ask)
            with self._changed:
                self._changed.wait_for(lambda: self._over or all(self._answers[name] for name in names))
                return [self._answers[name] or _over() for name in names]
        finally:
            with self._changed:
                for name in names:
                    del self._answers[name]

    def take(self, wait: "float | None") -> "Any":
        """An input, or MISSING if there is none in time, or none any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._inputs or self._is_over(), wait)
            if not self._inputs:
                return MISSING
            value = self._inputs.popleft()
            self._changed.notify_all()
            return value

    def wait(self, seconds: "float | None") -> bool:
        with self._changed:
            return self._changed.wait_for(self._is_over, seconds)

    def _is_over(self) -> bool:
        return self._over or self.call.is_cancelled


class AsyncMail:
    """That of an async function: what it waits for is waited for on its event loop."""

    def __init__(self, call: "LineCall", loop: "AbstractEventLoop") -> None:
        self.call = call
        self.task: "Task[Any] | None" = None
        self._loop = loop
        self._inputs: "deque[Any]" = deque()
        self._answers: "dict[str, Future[Answer]]" = {}
        self._waiting: "list[Future[None]]" = []
        # How many inputs are on their way or here, as both threads count them.
        self._room = Condition()
        self._held = 0
        self._over = False

    # What the host's thread does.

    def give(self, value: "Any") -> None:
        with self._room:
            self._room.wait_for(lambda: self._held < MOST or self._over)
            self._held += 1
        self._loop.call_soon_threadsafe(self._given, value)

    def answer(self, name: str, answer: Answer) -> None:
        self._loop.call_soon_threadsafe(self._answered, name, answer)

    def tell(self) -> None:
        self._loop.call_soon_threadsafe(self._told)

    def close(self) -> None:
        with self._room:
            self._over = True
            self._room.notify_all()

    # What is done on the loop.

    def _given(self, value: "Any") -> None:
        self._inputs.append(value)
        self._wake()

    def _answered(self, name: str, answer: Answer) -> None:
        future = self._answers.get(name)
        if future is not None and not future.done():
            future.set_result(answer)

    def _told(self) -> None:
        if self.task is not None:
            self.task.cancel()
        self._wake()

    def _wake(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    # What the function does.

    async def send(self, blocks: "tuple[Given, ...]") -> None:
        # The host may not read; whatever else is on the loop goes on.
        await self._loop.run_in_executor(None, self.call.output, blocks)

    async def ask(self, pairs: "list[tuple[str, Any]]") -> "list[Answer]":
        names = [name for name, _ in pairs]
        for name in names:
            _once(name, self._answers)
        futures = {name: self._loop.create_future() for name in names}
        self._answers.update(futures)
        try:
            for name, ask in pairs:
                await self._loop.run_in_executor(None, self.call.ask, name, ask)
            return [await future for future in futures.values()]
        finally:
            for name in names:
                del self._answers[name]

    async def take(self, wait: "float | None") -> "Any":
        """An input, or MISSING if there is none in time, or none any more."""
        until = None if wait is None else self._loop.time() + wait
        while not self._inputs:
            if self._over or self.call.is_cancelled or (until is not None and self._loop.time() > until):
                return MISSING
            future: "Future[None]" = self._loop.create_future()
            self._waiting.append(future)
            # One turn of the loop later at the earliest, so that what has arrived is here.
            timer = None if until is None else self._loop.call_at(until, self._wake)
            try:
                await future
            finally:
                self._waiting.remove(future)
                if timer is not None:
                    timer.cancel()
        with self._room:
            self._held -= 1
            self._room.notify_all()
        return self._inputs.popleft()
