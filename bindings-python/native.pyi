# What of the compiled module is public and declared by hand; stubtest compares it with the binary. What only the
# package itself uses is not declared.
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, final, overload

from typing_extensions import Buffer, Self, TypeAlias

from ._host import RunResult
from .types import (
    Action,
    Annotations,
    AnswerSource,
    AnswerState,
    Asked,
    BlockDocument,
    BlockType,
    DiagnosticCode,
    EnvelopeDocument,
    ErrorMeta,
    Identity,
    Level,
    Limits,
    Mismatch,
    Output,
    Role,
    Secret,
    SessionAction,
    Severity,
    Skipped,
    Status,
    Summary,
    Verdict,
)

_Data: TypeAlias = str | Buffer
_Path: TypeAlias = str | PathLike[str]
# Inside of `Block`, the name `bytes` is its property.
_Bytes: TypeAlias = bytes
_Readable: TypeAlias = Parsed | Envelope | _Data
_Block: TypeAlias = Block | BlockDocument
_Known: TypeAlias = Identity | tuple[str, str] | Mapping[str, Any]

__all__ = [
ALL]

__version__: str


class ToolwireError(ValueError):
    code: DiagnosticCode
    pointer: str
    offset: int | None
    message: str
    diagnostics: Sequence[Diagnostic]

class HostError(OSError):
    code: Literal[
        "tool_not_found",
        "tool_is_directory",
        "tool_not_executable",
        "interpreter_not_found",
        "bad_directory",
        "bad_argument",
        "bad_description",
        "manifest_not_found",
        "bad_manifest",
        "untrusted_manifest",
        "unknown_tool",
        "describe_failed",
        "not_started",
        "not_connected",
        "timeout",
        "unauthorized",
        "no_common_revision",
        "bad_tools",
        "unknown_server",
        "untrusted_server",
        "bad_config",
        "unresolved_config",
        "unexpected_tools",
        "not_served",
        "system_error",
    ]
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
        call: Call | Mapping[str, Any] | _Data,
        *,
        host: str | None = None,
        max_rounds: int | None = None,
        max_tries: int | None = None,
        given: Mapping[str, Any] | None = None,
        unanswered: Literal["ask", "defaults", "decline", "fail"] | None = None,
        refusals: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Self: ...
    def step(self) -> str | PendingQuestion | None: ...
    def handle_result(self, output: _Readable) -> None: ...
    def handle_answer(self, id: str, answer: Any) -> list[Mismatch]: ...
    def finish(self) -> _Exchanged: ...

@final
class SessionMachine:
    def __new__(
        cls,
        id: str,
        *,
        actions: Sequence[SessionAction] | None = None,
        max_blocks: int | None = None,
        max_bytes: int | None = None,
        max_questions: int | None = None,
    ) -> Self: ...
    @property
    def state(self) -> Literal["absent", "running", "waiting", "ending", "stopped"]: ...
    @property
    def question(self) -> Question | None: ...
    def handle(self, event: Mapping[str, Any] | _Data) -> dict[str, Any]: ...
    def possible(self, by: AnswerSource) -> list[SessionAction]: ...

def parse(
    data: _Data,
    *,
    limits: Limits | None = None,
) -> Parsed: ...
def validate(
    data: _Readable,
    *,
    limits: Limits | None = None,
) -> None: ...
def call(name: str, args: tuple[Any, ...], options: Mapping[str, Any] | None = None) -> Any: ...
def canonicalize(
    data: Block | _Readable,
    *,
    limits: Limits | None = None,
) -> bytes: ...
def digest(
    data: Block | _Readable,
    *,
    limits: Limits | None = None,
) -> str: ...
def receive(
    stdout: _Data,
    *,
    exit_code: int | None = None,
    signal: int | str | None = None,
    stderr: _Data | None = None,
    result: _Data | None = None,
    limits: Limits | None = None,
) -> Parsed: ...
def parse_lines(
    data: _Data,
    *,
    limits: Limits | None = None,
) -> list[Line]: ...
def summarize(
    data: _Data,
    *,
    limits: Limits | None = None,
) -> Summary: ...
def format(
    data: _Readable,
    *,
    target: Literal["model", "terminal"] | None = None,
    style: Literal["fence", "xml"] | None = None,
    header: bool | None = None,
    max_bytes: int | None = None,
    audience: Role | None = None,
    nonce: str | None = None,
    color: bool | None = None,
    limits: Limits | None = None,
) -> str: ...
def explain(
    data: _Readable,
    *,
    color: bool | None = None,
    limits: Limits | None = None,
) -> str: ...
def identify(
    data: _Readable,
    *,
    root: _Path | None = None,
    known: Iterable[_Known] | None = None,
    limits: Limits | None = None,
) -> list[Identity]: ...
def normalize_uri(uri: str, *, root: _Path | None = None) -> str: ...
def file_uri(path: _Path) -> str: ...
def text(
    text: str, *, annotations: Annotations | None = None, meta: Mapping[str, Any] | None = None
) -> Block: ...
def resource(
    uri: str,
    *,
    text: str | None = None,
    blob: Buffer | None = None,
    mime_type: str | None = None,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    formatted: str | None = None,
    annotations: Annotations | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Block: ...
def resource_from_bytes(
    path: _Path,
    bytes: Buffer,
    *,
    mime_type: str | None = None,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    formatted: str | None = None,
    annotations: Annotations | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Block: ...
def resource_from_file(
    path: _Path,
    *,
    uri: str | None = None,
    mime_type: str | None = None,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    formatted: str | None = None,
    annotations: Annotations | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Block: ...
def image(
    data: Buffer,
    mime_type: str,
    *,
    annotations: Annotations | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Block: ...
def audio(
    data: Buffer,
    mime_type: str,
    *,
    annotations: Annotations | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Block: ...
def resource_link(
    uri: str,
    name: str,
    *,
    title: str | None = None,
    description: str | None = None,
    mime_type: str | None = None,
    size: int | None = None,
    annotations: Annotations | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Block: ...
def question(
    id: str,
    text: str,
    schema: Mapping[str, Any],
    *,
    default: Any = ...,
    url: str | None = None,
    annotations: Annotations | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Block: ...
@overload
def envelope(
    *blocks: _Block | str,
    structured_content: Any = ...,
    is_error: bool | None = None,
    status: Status | None = None,
    error: ErrorMeta | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Envelope: ...
@overload
def envelope(
    blocks: Iterable[_Block | str],
    /,
    *,
    structured_content: Any = ...,
    is_error: bool | None = None,
    status: Status | None = None,
    error: ErrorMeta | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Envelope: ...
def error(
    message: str | BaseException,
    *,
    transient: bool | None = None,
    trace: Sequence[str] | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Envelope: ...
def progress(done: float, total: float | None = None, message: str | None = None) -> None: ...
def log(level: Level, message: str, *, logger: str | None = None) -> None: ...
