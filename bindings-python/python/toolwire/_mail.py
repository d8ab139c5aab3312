"""What a host gives a session, until the function takes it. The host's words come in a thread of their own."""

from collections import deque
from queue import SimpleQueue
from threading import Condition, Thread

from ._context import MISSING, SessionEnded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future, Task
    from collections.abc import Callable
    from typing import Any

    from ._context import Given
    from ._toolwire import Answer, LineCall


class Mail:
    """That of a plain function, which waits in the thread; what is awaited never waits for a loop."""

    def __init__(self, call: "LineCall") -> None:
        self.call = call
        self._changed = Condition()
        # Inputs with their sizes.
        self._inputs: "deque[tuple[Any, int]]" = deque()
        # The questions that wait, and their answers.
        self._answers: "dict[str, Answer | None]" = {}

    # What the host's thread does.

    def give(self, value: "Any", size: int) -> None:
        with self._changed:
            self._inputs.append((value, size))
            self._changed.notify_all()

    def answer(self, name: str, answer: "Answer") -> None:
        with self._changed:
            if name in self._answers:
                self._answers[name] = answer
                self._changed.notify_all()

    def tell(self) -> None:
        with self._changed:
            self._changed.notify_all()

    # What the function does.

    def leave(self) -> None:
        """The function ends by itself, and is not to be kept from it."""

    async def send(self, blocks: "tuple[Given, ...]") -> None:
        self.call.output(blocks)

    async def ask(self, pairs: "list[tuple[str, Any]]", person: bool) -> "list[Answer]":
        asked: "list[str]" = []
        try:
            for name, ask in pairs:
                self.call.expect(name)
                asked.append(name)
                with self._changed:
                    self._answers[name] = None
                self.call.ask(name, ask, person)
            with self._changed:
                self._changed.wait_for(lambda: self.ending or all(self._answers[name] for name in asked))
                found = [self._answers[name] for name in asked]
        finally:
            for name in asked:
                self.call.forget(name)
                self._answers.pop(name, None)
        answers = [answer for answer in found if answer is not None]
        if len(answers) < len(found):
            raise SessionEnded(self.ending or "host_ended")
        return answers

    async def take(self, wait: "float | None") -> "Any":
        """An input, or MISSING if there is none in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._inputs or self.ending, wait)
            if ending := self.ending:
                raise SessionEnded(ending)
            if not self._inputs:
                return MISSING
            value, size = self._inputs.popleft()
            self.call.took(size)
            return value

    def wait(self, seconds: "float | None") -> None:
        with self._changed:
            self._changed.wait_for(lambda: self.ending, seconds)

    @property
    def ending(self) -> "str | None":
        # A fork hears nothing.
        return self.call.ending if self.call.is_here else "host_ended"


class AsyncMail:
    """That of an async function: what it waits for is waited for on its event loop."""

    def __init__(self, call: "LineCall", loop: "AbstractEventLoop", interrupted: "Callable[[], bool]") -> None:
        self.call = call
        self._interrupted = interrupted
        # What is to be written, by a thread of its own: the host may not read. Nobody waits for it at the end.
        self._writes: "SimpleQueue[tuple[Future[None], Callable[..., None], tuple[Any, ...]]]" = SimpleQueue()
        Thread(target=self._write, name="toolwire session", daemon=True).start()
        self.task: "Task[Any] | None" = None
        # Not before the function is cancelled, so that nothing cancels what it does when it has seen this.
        self.ending: "str | None" = None
        self._loop = loop
        self._inputs: "deque[tuple[Any, int]]" = deque()
        self._answers: "dict[str, Future[Answer]]" = {}
        self._waiting: "list[Future[None]]" = []

    # What the host's thread does.

    def give(self, value: "Any", size: int) -> None:
        self._loop.call_soon_threadsafe(self._given, value, size)

    def answer(self, name: str, answer: "Answer") -> None:
        self._loop.call_soon_threadsafe(self._answered, name, answer)

    def tell(self) -> None:
        self._loop.call_soon_threadsafe(self._told)

    # What is done on the loop.

    def _given(self, value: "Any", size: int) -> None:
        self._inputs.append((value, size))
        self._wake()

    def _answered(self, name: str, answer: "Answer") -> None:
        future = self._answers.get(name)
        if future is not None and not future.done():
            future.set_result(answer)

    def _told(self) -> None:
        self.ending = self.call.ending
        if self.task is not None:
            self.task.cancel()
        # Other tasks of the function may be waiting too.
        for future in self._answers.values():
            future.cancel()
        self._wake()

    def _wake(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    # What the function does.

    def leave(self) -> None:
        """The function ends by itself, and is not to be kept from it."""
        self.task = None

    async def send(self, blocks: "tuple[Given, ...]") -> None:
        await self._written(self.call.output, blocks)

    async def _written(self, write: "Callable[..., None]", *arguments: "Any") -> None:
        """Waits until it is written. Whatever else is on the loop goes on."""
        if self._interrupted() or not self.call.is_here:
            # A fork has nobody who writes.
            raise SessionEnded(self.ending or "host_ended")
        future: "Future[None]" = self._loop.create_future()
        self._writes.put((future, write, arguments))
        await future

    def _write(self) -> None:
        while True:
            future, write, arguments = self._writes.get()
            problem: "BaseException | None" = None
            try:
                write(*arguments)
            except BaseException as error:
                problem = error
            try:
                self._loop.call_soon_threadsafe(self._done, future, problem)
            except RuntimeError:
                # The loop has ended.
                return

    @staticmethod
    def _done(future: "Future[None]", problem: "BaseException | None") -> None:
        if future.done():
            return
        if problem is None:
            future.set_result(None)
        else:
            future.set_exception(problem)

    async def ask(self, pairs: "list[tuple[str, Any]]", person: bool) -> "list[Answer]":
        asked: "list[str]" = []
        try:
            for name, ask in pairs:
                self.call.expect(name)
                asked.append(name)
                self._answers[name] = self._loop.create_future()
                await self._written(self.call.ask, name, ask, person)
            if self.ending:
                raise SessionEnded(self.ending)
            return [await self._answers[name] for name in asked]
        finally:
            for name in asked:
                self.call.forget(name)
                self._answers.pop(name, None)

    async def take(self, wait: "float | None") -> "Any":
        """An input, or MISSING if there is none in time."""
        until = None if wait is None else self._loop.time() + wait
        while not self.ending and not self._inputs:
            if until is not None and self._loop.time() > until:
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
        if self.ending:
            raise SessionEnded(self.ending)
        value, size = self._inputs.popleft()
        self.call.took(size)
        return value
