"""`Session` and `SyncSession`: what a tool that keeps running knows of its call, and how it talks with its host."""

from ._blocking import blocking
from ._context import MISSING, Called, Context, SessionEnded, ToolError
from ._toolwire import LineCall, ToolwireError, log, progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
    from typing import Any, Final, TypeVar, overload

    from ._ask import Ask
    from ._context import Given
    from ._toolwire import Answer
    from .types import Level

    T = TypeVar("T")
    U = TypeVar("U")
# So often a call that was made once looks whether it was given up, in seconds.
PAUSE = 0.05


class _Session(Called):
    """What both kinds of sessions have in common."""

    __slots__ = ("_asked", "_inputs", "_mail", "_over")

    def __init__(
        self,
        answers: "Mapping[str, Any] | None" = None,
        *,
        inputs: "Iterable[Any]" = (),
        options: "Mapping[str, Any] | None" = None,
        root: "str | None" = None,
        arguments: "Mapping[str, Any] | None" = None,
        action: str = "run",
    ) -> None:
        answers = answers or {}
        # A question can be asked again and again here.
        series = {name: answer for name, answer in answers.items() if hasattr(type(answer), "__next__")}
        single = {name: answer for name, answer in answers.items() if name not in series}
        super().__init__(single, options=options, root=root, arguments=arguments, action=action)
        self._inputs: "Iterator[Any]" = iter(inputs)
        self._asked: "dict[str, Any]" = series

    def _set(self, turn: "Any") -> None:
        super()._set(turn)
        # Where the host's words arrive; None if the tool was called once, and in a test.
        self._mail: "Any" = None
        self._inputs = iter(())
        # Whether it has waited for an input that never comes.
        self._over = False
        # The ids of the questions that were asked where each has one answer, and the answers that a test gives
        # to one that is asked several times.
        self._asked = {}

    @property
    def ending(self) -> "str | None":
        """Why the session is to end: `'aborted'`, `'timed_out'`, `'idle'`, `'turn_ended'` or `'host_ended'`. None
        while it goes on."""
        if self._mail is not None:
            return self._mail.ending  # type: ignore[no-any-return]
        if self._over:
            return "turn_ended"
        if self._call is None or not self._call.is_cancelled:
            return None
        return getattr(self._call, "ending", "aborted")

    @property
    def is_live(self) -> bool:
        """Whether the tool keeps running while it is used; False if it was called once, and in a test."""
        return self._mail is not None

    def progress(self, done: float, total: "float | None" = None, message: "str | None" = None) -> None:
        """Says how far the tool has come, as `toolwire.progress` does, from any thread."""
        self._said(progress, done, total, message)

    def log(self, level: "Level", message: str, *, logger: "str | None" = None) -> None:
        """Writes a log message, as `toolwire.log` does, from any thread."""
        self._said(log, level, message, logger=logger)

    def _said(self, say: "Any", *args: "Any", **options: "Any") -> None:
        if self._call is None:
            return say(*args, **options)  # type: ignore[no-any-return]
        from ._current import current

        before = current.set(self._call)
        try:
            say(*args, **options)
        finally:
            current.reset(before)

    def _prepared_input(self, timeout: "float | None") -> "Any":
        """The next input that a test gives where the tool is called once; MISSING if there is none and it need not
        come."""
        if ending := self.ending:
            raise SessionEnded(ending)
        for given in self._inputs:
            return given
        if timeout is not None:
            return MISSING
        self._over = True
        raise SessionEnded("turn_ended")

    def _keep(self, blocks: "tuple[Given, ...]") -> None:
        """Emits blocks where they are part of the one answer."""
        for block in blocks:
            self._turn.emit(block)
            self._emitted.append(block)

    def _at_once(self, pairs: "list[tuple[str, Any]]", required: bool) -> "list[Answer]":
        """The answers where they were given with the call."""
        for name, _ in pairs:
            answers = self._asked.get(name)
            if answers is None:
                self._asked[name] = True
        return [self._next_answer(name, ask, required) for name, ask in pairs]

    def _next_answer(self, name: str, ask: "Any", required: bool) -> "Answer":
        answers = self._asked[name]
        if answers is True:
            return self._found([(name, ask)], required)[0]
        for answer in answers:
            return Context({name: answer})._found([(name, ask)], required)[0]
        return Context()._found([(name, ask)], required)[0]

    def _checked(self, pairs: "list[tuple[str, Any]]", found: "list[Answer]", required: bool) -> "list[Answer]":
        """The answers that the host has given, if the tool can go on with them."""
        try:
            LineCall.check(pairs, found)
        except ToolwireError as problem:
            # The tool has not done it (AUTH-26).
            raise ToolError(problem.message) from None
        for (name, _), answer in zip(pairs, found):
            if required and not answer.accepted and answer.state != "opened":
                if answer.state == "cancelled" and answer.source == "policy":
                    # The answer of a host that is about to end the session comes before its end.
                    self._mail.leave()
                    raise SessionEnded("aborted")
                raise ToolError(f"the question `{name}` has no answer: it is {answer.state}")
        return found

    async def _answers(self, pairs: "list[tuple[str, Any]]", required: bool, person: bool) -> "list[Answer]":
        if self._mail is None:
            return self._at_once(pairs, required)
        return self._checked(pairs, await self._mail.ask(pairs, person), required)

    async def _given(self, asks: "Mapping[str, Ask[Any]]", otherwise: "Any", person: bool) -> "dict[str, Any]":
        """The values of the answers."""
        pairs = [(name, ask._native) for name, ask in asks.items()]
        found = await self._answers(pairs, otherwise is MISSING, person)
        return {
            name: ask.read(answer.value) if answer.accepted else answer.state == "opened" or otherwise
            for (name, ask), answer in zip(asks.items(), found)
        }


class Session(_Session):
    """A session: a call of an async function that keeps running, says things meanwhile, and is told things.

    A parameter with this type hint makes the function's tool one that can be spawned, fetched and, if its
    `actions` say so, applied to and aborted. When the session is to end, the function is cancelled as any
    task of asyncio: it cleans up in `finally`, and may still emit.

    A host can call such a tool as any other too. Then what it emits is in the one answer, there are no inputs,
    and a question ends the run, which the host repeats with the answer.

    In a test, make one with the answers, and the inputs. An iterator gives one answer after another:

    >>> import asyncio, toolwire as tw
    >>> @tw.tool(actions=['apply', 'abort'])
    ... async def echo(session: tw.Session) -> str:
    ...     async for given in session.inputs():
    ...         await session.emit(f'You said {given}.')
    ...     return 'Bye.'
    >>> session = tw.Session(inputs=['hello'])
    >>> asyncio.run(echo(session)), session.emitted
    ('Bye.', ['You said hello.'])
    >>> echo.describe()['_meta']['dev.toolwire/actions']
    ['spawn', 'fetch', 'apply', 'abort']
    """

    __module__ = "toolwire"

    __slots__ = ()

    async def emit(self, *blocks: "Given") -> None:
        """Says something: blocks or texts, which whoever fetches gets. It waits while the host reads nothing."""
        if self._mail is None:
            return self._keep(blocks)
        try:
            await self._mail.send(blocks)
        except BrokenPipeError:
            # Without a host there is nobody to go on for.
            raise SessionEnded("host_ended") from None

    async def ask(self, id: str, ask: "Ask[Any]", *, person: bool = False) -> "Answer":
        """Asks, and waits for the answer: accepted, opened, declined, cancelled or unavailable. Other tasks of
        the function go on meanwhile. With `person`, no model and no rule may answer."""
        return (await self._answers([(id, ask._native)], False, person))[0]

    if TYPE_CHECKING:

        @overload
        async def answer(self, id: str, ask: "Ask[T]", *, person: bool = ...) -> "T": ...
        @overload
        async def answer(self, id: str, ask: "Ask[T]", otherwise: "U", *, person: bool = ...) -> "T | U": ...

    async def answer(
        self, id: str, ask: "Ask[Any]", otherwise: "Any" = MISSING, *, person: bool = False
    ) -> "Any":
        """The value of the answer to a question, which is asked as with `ask`.

        If there is none, because it was declined, cancelled or could not be asked, this returns `otherwise`.
        Without `otherwise` the tool cannot go on: this raises ToolError. For a page that was opened, this
        returns True.
        """
        return (await self._given({id: ask}, otherwise, person))[id]

    async def answers(
        self, asks: "Mapping[str, Ask[Any]]", otherwise: "Any" = MISSING, *, person: bool = False
    ) -> "dict[str, Any]":
        """The values of the answers to several questions, which are asked together."""
        return await self._given(asks, otherwise, person)

    async def inputs(self) -> "AsyncIterator[Any]":
        """What is applied to the session, as JSON values, one after another."""
        try:
            while True:
                yield await self.receive()
        except SessionEnded:
            return

    async def receive(self, timeout: "float | None" = None, otherwise: "Any" = None) -> "Any":
        """The next of them; `otherwise` if none comes within so many seconds, with 0 if none is there. It raises
        SessionEnded if none comes any more."""
        if self._mail is not None:
            given = await self._mail.take(timeout)
        elif (given := self._prepared_input(timeout)) is MISSING and timeout and self._prepared is None:
            await self._pause(timeout)
            self._prepared_input(timeout)
        return otherwise if given is MISSING else given

    async def _pause(self, seconds: "float | None") -> None:
        from asyncio import sleep

        await sleep(seconds or 0)


class SyncSession(_Session):
    """A session as a plain function has it. It is as `Session`, but whatever waits blocks the thread.

    When the session is to end, `ending` says why, `wait` returns, `inputs` ends, and `receive` and a question that is
    open raise SessionEnded. The function should clean up then, and return.

    >>> import toolwire as tw
    >>> @tw.tool(actions=['apply', 'abort'])
    ... def count(session: tw.SyncSession) -> str:
    ...     again, rounds = True, 0
    ...     while again and not session.ending:
    ...         rounds += 1
    ...         session.emit(f'Round {rounds}.')
    ...         again = session.answer('again', tw.boolean('Again?'), otherwise=False)
    ...     return 'Done.'
    >>> session = tw.SyncSession({'again': iter([True, False])})
    >>> count(session), session.emitted
    ('Done.', ['Round 1.', 'Round 2.'])
    """

    __module__ = "toolwire"

    __slots__ = ()

    emit: "Final" = blocking(Session.emit)
    ask: "Final" = blocking(Session.ask)
    answers: "Final" = blocking(Session.answers)
    receive: "Final" = blocking(Session.receive)

    if TYPE_CHECKING:

        @overload
        def answer(self, id: str, ask: "Ask[T]", *, person: bool = ...) -> "T": ...
        @overload
        def answer(self, id: str, ask: "Ask[T]", otherwise: "U", *, person: bool = ...) -> "T | U": ...

        def answer(self, id: str, ask: "Any", otherwise: "Any" = ..., *, person: bool = ...) -> "Any": ...

    else:
        answer = blocking(Session.answer)

    def inputs(self) -> "Iterator[Any]":
        """What is applied to the session, as with `Session.inputs`. It ends when the session is to end."""
        try:
            while True:
                yield self.receive()
        except SessionEnded:
            return

    def wait(self, seconds: "float | None" = None) -> "str | None":
        """Waits until the session is to end, at most so many seconds. Returns why it is to, as `ending`."""
        if self._mail is not None:
            self._mail.wait(seconds)
            return self.ending
        from time import monotonic, sleep

        until = None if seconds is None else monotonic() + seconds
        while not self.ending and (until is None or monotonic() < until):
            sleep(PAUSE if until is None else max(0, min(PAUSE, until - monotonic())))
        return self.ending

    async def _pause(self, seconds: "float | None") -> None:
        self.wait(seconds)
