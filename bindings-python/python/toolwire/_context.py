"""`Context`: what a tool knows of its call, and how it asks."""

from ._toolwire import Answer, Block, ToolwireError, Turn, call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar, overload

    from typing_extensions import Self, TypeAlias

    from ._ask import Ask
    from ._toolwire import LineCall, OpenCall
    from .types import BlockDocument

    T = TypeVar("T")
    U = TypeVar("U")
    Given: TypeAlias = "Block | BlockDocument | str"
# What stands for a parameter that was not given: None is a value.
MISSING: "Any" = type("Missing", (), {"__slots__": (), "__repr__": lambda self: "..."})()

# Where a call belongs in a distributed trace, as W3C names it.
TRACE = ("traceparent", "tracestate", "baggage")


class Stop(BaseException):
    """Ends the run because the tool has asked a question. The tool is called again with the answer.

    It is not an `Exception`, so `except Exception` does not catch it. Catching it changes nothing: the
    question is asked all the same.

    >>> import toolwire as tw
    >>> try:
    ...     tw.Context().answer('confirm', tw.boolean('Go on?'))
    ... except tw.Stop:
    ...     print('no answer yet')
    no answer yet
    """

    __module__ = "toolwire"


class SessionEnded(Stop):
    """Ends what waits in a session that is to end, and with it the function. `reason` says why, as `ending` does.

    That a function fails with it is no failure.

    >>> import toolwire as tw
    >>> session = tw.SyncSession(inputs=['the only one'])
    >>> session.receive()
    'the only one'
    >>> try:
    ...     session.receive()
    ... except tw.SessionEnded as ended:
    ...     print(ended.reason)
    turn_ended
    """

    __module__ = "toolwire"

    def __init__(self, reason: str) -> None:
        super().__init__("the session is to end")
        self.reason = reason


class ToolError(Exception):
    """An expected failure that is not a bug in the tool, such as a missing file or a busy server.

    The message is for people and models. As for every exception, the causes are part of the error, but
    no traceback is written. `transient` says whether the same call may succeed later; if it is None, the
    kinds of the causes decide.

    >>> import toolwire as tw
    >>> @tw.tool
    ... def show(branch: str) -> str:
    ...     raise tw.ToolError(f'there is no branch `{branch}`')
    >>> try:
    ...     show('mian')
    ... except tw.ToolError as error:
    ...     print(error, error.transient)
    there is no branch `mian` None
    """

    __module__ = "toolwire"

    def __init__(self, message: str, *, transient: "bool | None" = None) -> None:
        super().__init__(message)
        self.transient = transient


class Called:
    """What a function knows of its call, and the answers to its questions where it is called once."""

    __slots__ = ("_call", "_emitted", "_prepared", "_turn")

    def __init__(
        self,
        answers: "Mapping[str, Any] | None" = None,
        *,
        options: "Mapping[str, Any] | None" = None,
        root: "str | None" = None,
        arguments: "Mapping[str, Any] | None" = None,
        action: str = "run",
    ) -> None:
        tool: "dict[str, Any]" = {"name": "tool", "arguments": arguments or {}, "options": options or {}}
        values: "dict[str, Any]" = {}
        states: "dict[str, Any]" = {}
        for name, answer in (answers or {}).items():
            if isinstance(answer, Answer):
                states[name] = {"state": answer.state}
                if answer.source is not None:
                    states[name]["source"] = answer.source
                if answer.accepted:
                    values[name] = answer.value
            else:
                values[name] = answer
        tool.update({"answers": values, "dev.toolwire/answers": states})
        context: "dict[str, Any]" = {"action": action}
        if root is not None:
            context["root"] = str(root)
        turn = Turn.open(bytes(call("read_call", ({"tool": tool, "context": context},))), ["tool"])
        self._set(turn)
        self._prepared = {name: name in values for name in {**states, **values}}

    @classmethod
    def _of(cls, turn: "Any", call: "OpenCall | LineCall | None" = None) -> "Self":
        self = cls.__new__(cls)
        self._set(turn)
        self._call = call
        return self

    def _set(self, turn: "Any") -> None:
        self._turn = turn
        # The call, where the process is not there for this one alone.
        self._call: "OpenCall | LineCall | None" = None
        self._emitted: "list[Given]" = []
        # The ids of the answers that a test has given, and whether they are accepted; None in a program.
        self._prepared: "dict[str, bool] | None" = None

    @property
    def action(self) -> str:
        """What the tool is asked to do: `run` or `format_arguments`."""
        action: str = self._turn.action
        return action

    @property
    def arguments(self) -> "dict[str, Any]":
        """The arguments as they were received, before they were converted to the types of the hints."""
        arguments: "dict[str, Any]" = self._turn.arguments
        return arguments

    @property
    def options(self) -> "dict[str, Any]":
        """The settings that the host passes to this tool; no model sees them."""
        options: "dict[str, Any]" = self._turn.options
        return options

    @property
    def root(self) -> "str | None":
        """The root of the workspace, a path or a `file:` URI; None if the host does not say."""
        root: "str | None" = self._turn.root
        return root

    @property
    def trace(self) -> "dict[str, str]":
        """Where the call belongs in a distributed trace: `traceparent`, `tracestate` and `baggage`, as far as
        the host has them. Pass them on to what the tool calls."""
        if self._call is None:
            from os import environ

            return {name: environ[name.upper()] for name in TRACE if environ.get(name.upper())}
        trace: "dict[str, str]" = getattr(self._call, "trace", {})
        return trace

    @property
    def emitted(self) -> "list[Given]":
        """The blocks that were emitted so far and are part of the answer; those of a session are on their way."""
        return list(self._emitted)

    def _found(self, pairs: "list[tuple[str, Any]]", required: bool) -> "list[Answer]":
        """The answers to questions that are asked together; the run ends if one is lacking."""
        try:
            found: "list[Answer] | None" = self._turn.answers(pairs, required)
        except ToolwireError as problem:
            if problem.code != "answer_mismatch":
                raise
            # The tool has not done it (AUTH-26).
            raise ToolError(problem.message) from None
        if found is None:
            raise Stop(self._lacking([name for name, _ in pairs]))
        return found

    def _lacking(self, asked: "list[str]") -> str:
        """Why the run ends: in a test, which answer it has not prepared."""
        if self._prepared is None:
            return "the tool has asked, and is called again with the answer"
        given = self._prepared
        missing = ", ".join(f"`{name}`" for name in asked if name not in given)
        if not missing:
            names = ", ".join(f"`{name}`" for name in asked if not given[name])
            return f"the answer to {names} was not accepted, and the tool requires one: it gives no `otherwise`"
        spare = ", ".join(f"`{name}`" for name in given if name not in asked)
        beside = f"; there is one to {spare}" if spare else ""
        return f"there is no answer to {missing}: give it to the `Context`{beside}"


class Context(Called):
    """The context of a call: its settings, and the functions that ask questions.

    A parameter with this type hint is not an argument of the tool; it receives the context from `main`.
    In a test, make a context with the answers, a value or an `Answer` for each question id, and call the
    tool with it:

    >>> import toolwire as tw
    >>> ctx = tw.Context({'confirm': True}, options={'dry': True})
    >>> ctx.answer('confirm', tw.boolean('Go on?')), ctx.options
    (True, {'dry': True})
    >>> declined = tw.Context({'confirm': tw.Answer(state='declined')})
    >>> declined.answer('confirm', tw.boolean('Go on?'), otherwise=False)
    False

    An answer that does not fit its question raises ToolError. A question without an answer raises Stop,
    whose message names the question.
    """

    __module__ = "toolwire"

    __slots__ = ()

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the answer any more, so that the function should end soon. A program is
        asked to end by a signal instead; this is for functions that `serve` calls."""
        return self._call is not None and self._call.is_cancelled

    def emit(self, *blocks: "Given") -> None:
        """Adds blocks or texts to the answer, before what the tool returns or asks next."""
        for block in blocks:
            self._turn.emit(block)
            self._emitted.append(block)

    def ask(self, id: str, ask: "Ask[Any]", *, again: bool = False) -> "Answer":
        """The answer to a question, with its state: accepted, opened, declined, cancelled or unavailable.

        The first time, this ends the run, and the host asks the question with the emitted blocks as its
        context. Then the tool is called again, and this returns the answer. The code before a question
        runs twice, so ask before you change anything.

        With `again`, a page that was opened is asked again, because the tool has looked and the person is
        not done there.
        """
        if again:
            answer: "Answer | None" = self._turn.ask_again(id, ask._native)
            if answer is None:
                known = id in (self._prepared or ())
                raise Stop(f"the page of `{id}` is asked for again" if known else self._lacking([id]))
        return self._found([(id, ask._native)], False)[0]

    if TYPE_CHECKING:

        @overload
        def answer(self, id: str, ask: "Ask[T]") -> "T": ...
        @overload
        def answer(self, id: str, ask: "Ask[T]", otherwise: "U") -> "T | U": ...

    def answer(self, id: str, ask: "Ask[Any]", otherwise: "Any" = MISSING) -> "Any":
        """The value of the answer to a question, which is asked as with `ask`.

        If there is no answer, because it was declined, cancelled or could not be asked, this returns
        `otherwise`. Without `otherwise` the tool cannot go on: the host ends the call and says why.
        For a page that was opened, this returns True.
        """
        return self.answers({id: ask}, otherwise)[id]

    def answers(self, asks: "Mapping[str, Ask[Any]]", otherwise: "Any" = MISSING) -> "dict[str, Any]":
        """The values of the answers to several questions, which are asked together."""
        pairs = [(name, ask._native) for name, ask in asks.items()]
        found = self._found(pairs, otherwise is MISSING)
        return {
            name: ask.read(answer.value) if answer.accepted else answer.state == "opened" or otherwise
            for (name, ask), answer in zip(asks.items(), found)
        }
