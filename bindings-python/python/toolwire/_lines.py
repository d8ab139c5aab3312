"""A program that takes its calls as lines: many in one process, or one that is a session (chapter 22)."""

import os
import signal
import sys
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue

from . import _run
from ._context import Called
from ._current import current
from ._printed import inherit
from ._stdout import complain, flush
from ._toolwire import Envelope, Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Task
    from collections.abc import Sequence
    from typing import Any

    from ._mail import AsyncMail, Mail
    from ._toolwire import LineCall, Turn
    from .author import Tool

# Maximum number of calls of async functions answered at the same time.
AT_ONCE = 32


def run(tools: "Sequence[Tool[..., Any]]", names: "list[str]") -> None:
    """Answers what the host calls, and exits."""
    asynchronous = any(tool._signature.is_async for tool in tools)
    lines = Lines.begin(AT_ONCE if asynchronous else 1)
    if lines is None:
        raise SystemExit(2)
    inherit()
    program = Program(tools, names, lines)
    program.catch()
    try:
        if asynchronous:
            import asyncio

            asyncio.run(program.serve())
        else:
            lines.listen(program.heard)
            program.work()
        flush()
    finally:
        # Also after Ctrl-C: the host's thread must not be in Python when that ends.
        lines.leave()
    raise SystemExit(program.status or lines.status)


class Job:
    """A call until it is answered."""

    def __init__(self, call: "LineCall", turn: "Turn") -> None:
        self.call = call
        self.turn = turn
        self.mail: "Mail | AsyncMail | None" = None
        self.task: "Task[Any] | None" = None
        self.context = copy_context()
        self.context.run(current.set, call)

    def make(self, kind: "type[Called]") -> Called:
        """What the function knows of its call."""
        made = kind._of(self.turn, self.call)
        if self.mail is not None:
            made._mail = self.mail  # type: ignore[attr-defined]
        return made


class Program:
    """The calls that are open. What the host says comes in a thread of its own; async functions run on the event
    loop of the main thread, and plain ones one after another in the main thread, or in one beside the loop."""

    def __init__(self, tools: "Sequence[Tool[..., Any]]", names: "list[str]", lines: Lines) -> None:
        self.tools = tools
        self.names = names
        self.lines = lines
        self.jobs: "dict[int, Job]" = {}
        self.waiting: "SimpleQueue[Job | None]" = SimpleQueue()
        self.loop: "AbstractEventLoop | None" = None
        self.over: "Any" = None
        self.interrupted = False
        self.status = 0

    def catch(self) -> None:
        """Tells Ctrl-C from a KeyboardInterrupt that a function raises."""

        def interrupted(number: int, frame: "Any") -> None:
            self.interrupted = True
            signal.default_int_handler(number, frame)

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupted)

    # What the host's thread does.

    def heard(self, kind: str, subject: "Any", value: "Any") -> None:
        if kind == "call":
            return self.begin(subject)
        job = self.jobs.get(subject)
        if kind == "over":
            self.end()
        elif job is None:
            pass
        elif kind == "end":
            self.tell(job)
        elif job.mail is not None:
            job.mail.give(*value) if kind == "input" else job.mail.answer(*value)

    def begin(self, call: "LineCall") -> None:
        turn = call.open(self.names)
        if isinstance(turn, Envelope):
            return self.write(call, turn)
        job = Job(call, turn)
        self.jobs[call.number] = job
        asynchronous = False
        if turn.action == "run":
            signature = self.tools[self.names.index(turn.name or "")]._signature
            asynchronous = signature.is_async
            if call.is_session and self.keeps_running(signature):
                job.mail = self.mail(call, asynchronous)
        if asynchronous and self.loop is not None:
            self.loop.call_soon_threadsafe(self.start, job)
        else:
            self.waiting.put(job)

    @staticmethod
    def keeps_running(signature: "Any") -> bool:
        try:
            return bool(signature.is_session)
        except TypeError:
            # Something is wrong with its hints, which is the answer of the call.
            return False

    def mail(self, call: "LineCall", asynchronous: bool) -> "Mail | AsyncMail":
        from ._mail import AsyncMail, Mail

        if asynchronous and self.loop is not None:
            return AsyncMail(call, self.loop, lambda: self.interrupted)
        return Mail(call)

    def tell(self, job: Job) -> None:
        """Tells a function to end."""
        if job.mail is not None:
            job.mail.tell()
        elif self.loop is not None:
            self.loop.call_soon_threadsafe(lambda: job.task and job.task.cancel())

    def end(self) -> None:
        """There are no more calls."""
        self.waiting.put(None)
        if self.loop is not None:
            self.loop.call_soon_threadsafe(lambda: self.over.done() or self.over.set_result(None))

    # Plain functions.

    def work(self) -> None:
        while (job := self.waiting.get()) is not None:
            job.context.run(self.respond, job)

    def work_beside(self) -> None:
        try:
            self.work()
        except KeyboardInterrupt:
            # The main thread has it too.
            pass

    def respond(self, job: Job) -> None:
        try:
            answer = _run.respond(job.turn, self.tools, self.names, job.make, _run.finished)
        except BaseException as problem:
            answer = self.failed(job, problem)
        self.answer(job, answer)

    # Async functions.

    async def serve(self) -> None:
        from asyncio import get_running_loop, wait
        from threading import Thread

        self.loop = get_running_loop()
        self.over = self.loop.create_future()
        plain = Thread(target=self.work_beside, name="toolwire plain calls", daemon=True)
        plain.start()
        self.lines.listen(self.heard)
        await self.over
        tasks = [job.task for job in self.jobs.values() if job.task is not None]
        if tasks:
            await wait(tasks)
        await self.loop.run_in_executor(None, plain.join)

    def start(self, job: Job) -> None:
        job.context.run(self._start, job)

    def _start(self, job: Job) -> None:
        assert self.loop is not None
        try:
            begun = _run.begin(job.turn, self.tools, self.names, job.make)
        except BaseException as problem:
            return self.answer(job, self.failed(job, problem))
        if isinstance(begun, Envelope):
            return self.answer(job, begun)
        result, signature, known = begun
        awaited = _run.awaited(result, known)
        job.task = self.loop.create_task(self.caught(awaited))
        if job.mail is not None:
            job.mail.task = job.task  # type: ignore[union-attr]
        done = partial(self.done, job, signature, (awaited, result))
        job.task.add_done_callback(done, context=job.context)

    async def caught(self, awaitable: "Any") -> "tuple[Any, BaseException | None]":
        """What came of it: what a function raises must not end the loop, not even what ends a program."""
        try:
            return await awaitable, None
        except BaseException as problem:
            if self.interrupted and isinstance(problem, KeyboardInterrupt):
                raise
            return None, problem

    def done(self, job: Job, signature: "Any", awaitables: "tuple[Any, ...]", task: "Task[Any]") -> None:
        if self.interrupted:
            return
        if task.cancelled():
            # Before it began. Python would remark that it was never awaited.
            for awaitable in awaitables:
                if hasattr(awaitable, "close"):
                    awaitable.close()
        try:
            found, problem = task.result()
            if problem is not None:
                raise problem
            answer = _run.end(job.turn, found, signature)
        except BaseException as problem:
            answer = self.failed(job, problem)
        self.answer(job, answer)

    # Both.

    def failed(self, job: Job, problem: BaseException) -> Envelope:
        if self.interrupted:
            # Whoever interrupts it wants no answer.
            raise problem if isinstance(problem, KeyboardInterrupt) else KeyboardInterrupt()
        if job.call.is_cancelled and type(problem).__name__ == "CancelledError":
            return job.turn.finish("nothing")
        answer: Envelope = _run.failed(job.turn, problem)
        return answer

    def answer(self, job: Job, answer: Envelope) -> None:
        if not job.call.is_here:
            # A fork of the tool has come to the end of the function: it is done, and says nothing.
            flush()
            os._exit(int(answer.is_error))
        if self.interrupted:
            raise KeyboardInterrupt
        flush()
        self.write(job.call, answer)

    def write(self, call: "LineCall", answer: Envelope) -> None:
        failed = answer.is_error
        try:
            failed = call.result(answer) is False or failed
        except OSError as problem:
            complain(f"toolwire: the answer can't be written: {problem}\n")
            self.status = 2
        self.jobs.pop(call.number, None)
        if call.is_session:
            # It has a process of its own.
            self.status = self.status or int(failed)
            self.end()
