"""`Context`: what a tool knows of its call, and how it asks."""

from ._toolwire import Answer, Block, Turn, read_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar, overload

    from typing_extensions import TypeAlias

    from ._ask import Ask
    from .types import BlockDocument

    T = TypeVar("T")
    U = TypeVar("U")
    Given: TypeAlias = "Block | BlockDocument | str"
# What stands for a parameter that was not given: None is a value.
MISSING: "Any" = type("Missing", (), {"__slots__": (), "__repr__": lambda self: "..."})()


class Stop(BaseException):
    """The run ends here, because the tool asked a question; with the answer it is called again.

    It is no `Exception`, so that `except Exception` does not swallow it. Nothing is lost if somebody
    does: what is asked stays asked.

    >>> import toolwire as tw
    >>> try:
    ...     tw.Context().answer('confirm', tw.boolean('Go on?'))
    ... except tw.Stop:
    ...     print('no answer yet')
    no answer yet
    """

    __module__ = "toolwire"


class Context:
    """What a tool knows of its call, and how it asks: the parameter of this type is no argument.

    A tool gets one from `main`. In a test, make one with the answers that the tool is to find, a value
    or an `Answer` for each question's id, and call the tool with it:

    >>> import toolwire as tw
    >>> ctx = tw.Context({'confirm': True}, options={'dry': True})
    >>> ctx.answer('confirm', tw.boolean('Go on?')), ctx.options
    (True, {'dry': True})
    >>> declined = tw.Context({'confirm': tw.Answer(state='declined')})
    >>> declined.answer('confirm', tw.boolean('Go on?'), otherwise=False)
    False
    """

    __module__ = "toolwire"

    __slots__ = ("_emitted", "_turn")

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
        turn = Turn.open(bytes(read_call({"tool": tool, "context": context})), ["tool"])
        self._set(turn)

    @classmethod
    def _of(cls, turn: "Any") -> "Context":
        self = cls.__new__(cls)
        self._set(turn)
        return self

    def _set(self, turn: "Any") -> None:
        self._turn = turn
        self._emitted: "list[Given]" = []

    @property
    def action(self) -> str:
        """What the tool is to do: `run`, or `format_arguments`."""
        action: str = self._turn.action
        return action

    @property
    def arguments(self) -> "dict[str, Any]":
        """The arguments as they came, before they were made what the hints say."""
        arguments: "dict[str, Any]" = self._turn.arguments
        return arguments

    @property
    def options(self) -> "dict[str, Any]":
        """What the host is configured to pass to this tool, unseen by a model."""
        options: "dict[str, Any]" = self._turn.options
        return options

    @property
    def root(self) -> "str | None":
        """The root of the workspace, a path or a `file:` URI, if the host says it."""
        root: "str | None" = self._turn.root
        return root

    @property
    def emitted(self) -> "list[Given]":
        """What was emitted so far."""
        return list(self._emitted)

    def emit(self, *blocks: "Given") -> None:
        """Adds blocks, or texts, to the answer, in front of what the tool returns or asks next."""
        for block in blocks:
            self._turn.emit(block)
            self._emitted.append(block)

    def ask(self, id: str, ask: "Ask[Any]") -> "Answer":
        """What became of a question: accepted, declined, cancelled, or unavailable.

        The first time the run ends here, and the question goes out behind the blocks that were
        emitted; then the tool is called again, and gets the answer. So do nothing before a question
        that must not be done twice.
        """
        found: "Answer | None" = self._turn.ask(id, ask._native)
        if found is None:
            raise Stop
        return found

    if TYPE_CHECKING:

        @overload
        def answer(self, id: str, ask: "Ask[T]") -> "T": ...
        @overload
        def answer(self, id: str, ask: "Ask[T]", otherwise: "U") -> "T | U": ...

    def answer(self, id: str, ask: "Ask[Any]", otherwise: "Any" = MISSING) -> "Any":
        """The value of the answer to a question, which is asked as by `ask`.

        If there is none, because it was declined, cancelled or could not be asked, that is
        `otherwise`. Without `otherwise` the tool cannot go on: the host ends the call and says why.
        """
        return self.answers({id: ask}, otherwise)[id]

    def answers(self, asks: "Mapping[str, Ask[Any]]", otherwise: "Any" = MISSING) -> "dict[str, Any]":
        """The values of the answers to several questions, which are asked together."""
        pairs = [(name, ask._native) for name, ask in asks.items()]
        found: "list[Answer] | None" = self._turn.answers(pairs, otherwise is MISSING)
        if found is None:
            raise Stop
        pairs = zip(asks.items(), found)
        return {
            name: ask.read(answer.value) if answer.accepted else otherwise
            for (name, ask), answer in zip(asks.items(), found)
        }
