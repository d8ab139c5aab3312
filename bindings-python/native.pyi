# What of the compiled module is public and declared by hand; stubtest compares it with the binary. What only the
# package itself uses is not declared.
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, final, overload

from typing_extensions import Buffer, Self, TypeAlias

from . import types as _types
from ._host import RunResult

# Inside of `Block`, the name `bytes` is its property.
_Bytes: TypeAlias = bytes

__all__ = [
ALL]

__version__: str


class ToolwireError(ValueError):
    code: _types.DiagnosticCode
    pointer: str
    offset: int | None
    message: str
    diagnostics: Sequence[Diagnostic]

class HostError(OSError):
    code: _types.HostErrorCode
    pointer: str
    offset: int | None
    message: str
    result: RunResult | None

# The views.
class _Exchanged(TypedDict):
    parsed: Parsed
    answers: dict[str, Answer]
    rounds: int
    end: str
    diagnostics: list[Diagnostic]

@final
class Exchange:
    def __new__(
        cls,
        call: Call | Mapping[str, Any] | _types.Output,
        *,
        host: str | None = None,
        max_rounds: int | None = None,
        max_tries: int | None = None,
        given: Mapping[str, Any] | None = None,
        unanswered: Literal["ask", "defaults", "decline", "fail"] | None = None,
        refusals: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Self: ...
    def step(self) -> str | PendingQuestion | None: ...
    def handle_result(self, output: _types.Readable) -> None: ...
    def handle_answer(self, id: str, answer: Any) -> list[_types.Mismatch]: ...
    def finish(self) -> _Exchanged: ...

@final
class SessionMachine:
    def __new__(
        cls,
        id: str,
        *,
        actions: Sequence[_types.SessionAction] | None = None,
        max_blocks: int | None = None,
        max_bytes: int | None = None,
        max_questions: int | None = None,
    ) -> Self: ...
    @property
    def state(self) -> Literal["absent", "running", "waiting", "ending", "stopped"]: ...
    @property
    def question(self) -> Question | None: ...
    def handle(self, event: Mapping[str, Any] | _types.Output) -> dict[str, Any]: ...
    def possible(self, by: _types.AnswerSource) -> list[_types.SessionAction]: ...

def call(name: str, args: tuple[Any, ...], options: Mapping[str, Any] | None = None) -> Any: ...
def progress(done: float, total: float | None = None, message: str | None = None) -> None: ...
def log(level: _types.Level, message: str, *, logger: str | None = None) -> None: ...
