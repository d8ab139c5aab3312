"""`Context`: what a tool knows of its call, and how it asks."""

from ._toolwire import Answer, Block, ToolwireError, Turn, read_call

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


class ToolError(Exception):
    """What did not work, and is no mistake in the tool: a file is not there, a server is busy.

    The message is for a person and a model; the causes are told with it, as those of every exception.
    No traceback is written for it. `transient` says whether the same call may succeed later; if it is
    None, the causes tell.

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

    An answer that does not fit its question is a ToolError; a question that has none ends the run with
    a Stop that names it.
    """

    __module__ = "toolwire"

    __slots__ = ("_emitted", "_prepared", "_turn")

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
        self._prepared = {name: name in values for name in {**states, **values}}

    @classmethod
    def _of(cls, turn: "Any") -> "Context":
        self = cls.__new__(cls)
        self._set(turn)
        return self

    def _set(self, turn: "Any") -> None:
        self._turn = turn
        self._emitted: "list[Given]" = []
        # The ids of the answers that a test has given, and whether they are accepted; None in a program.
        self._prepared: "dict[str, bool] | None" = None

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
        return self._found([(id, ask._native)], False)[0]

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
        found = self._found(pairs, otherwise is MISSING)
        return {
            name: ask.read(answer.value) if answer.accepted else otherwise
            for (name, ask), answer in zip(asks.items(), found)
        }

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
