# The compiled module. Written by hand; stubtest compares it with the binary.
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, final, overload

from typing_extensions import Buffer, Self, TypeAlias

from .types import (
    Annotations,
    AnswerSource,
    AnswerState,
    BlockDocument,
    DiagnosticCode,
    EnvelopeDocument,
    ErrorMeta,
    Receipt,
    Role,
    Severity,
    Status,
    ToolDocument,
    Verdict,
)

_Data: TypeAlias = str | Buffer
_Path: TypeAlias = str | PathLike[str]
# Inside of `Block`, the name `bytes` is its property.
_Bytes: TypeAlias = bytes
_Readable: TypeAlias = Parsed | Envelope | _Data
_BlockType: TypeAlias = Literal["text", "resource", "question", "image", "audio", "resource_link"]
_Block: TypeAlias = Block | BlockDocument
_Question: TypeAlias = Question | Mapping[str, Any] | _Data
_Known: TypeAlias = Identity | tuple[str, str] | Mapping[str, Any]

__all__ = [
    "__version__",
    "Answer",
    "Block",
    "Call",
    "Diagnostic",
    "Envelope",
    "Identity",
    "Line",
    "Parsed",
    "Question",
    "Summary",
    "ToolwireError",
    "audio",
    "canonicalize",
    "describe",
    "digest",
    "envelope",
    "error",
    "explain",
    "file_uri",
    "find_secret",
    "format",
    "identify",
    "image",
    "normalize_uri",
    "parse",
    "parse_arguments",
    "parse_lines",
    "prompt",
    "question",
    "read_call",
    "read_description",
    "read_question",
    "read_template",
    "receive",
    "refusal",
    "resource",
    "resource_from_bytes",
    "resource_from_file",
    "resource_link",
    "summarize",
    "template",
    "text",
    "validate",
]

__version__: str

class _Secret(TypedDict):
    pointer: str
    reason: Literal["write_only", "format", "name", "wording"]

class ToolwireError(ValueError):
    code: DiagnosticCode
    pointer: str
    offset: int | None
    message: str
    diagnostics: Sequence[Diagnostic]

@final
class Diagnostic:
    @property
    def code(self) -> DiagnosticCode: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def pointer(self) -> str: ...
    @property
    def offset(self) -> int | None: ...
    @property
    def message(self) -> str: ...
    @property
    def raw(self) -> str | None: ...
    @property
    def help(self) -> str: ...
    @property
    def rule(self) -> str: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Parsed:
    @property
    def verdict(self) -> Verdict: ...
    @property
    def is_raw(self) -> bool: ...
    @property
    def raw(self) -> bytes: ...
    @property
    def envelope(self) -> Envelope: ...
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    @property
    def is_error(self) -> bool: ...
    @property
    def status(self) -> Status: ...
    @property
    def transient(self) -> bool: ...
    @property
    def trace(self) -> list[str]: ...
    @property
    def structured_content(self) -> Any: ...
    @property
    def structured_content_json(self) -> str | None: ...
    @property
    def skipped(self) -> list[tuple[int, str]]: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Answer:
    def __new__(cls, value: Any = ..., *, state: AnswerState | None = None, source: AnswerSource | None = None) -> Self: ...
    @property
    def state(self) -> AnswerState: ...
    @property
    def source(self) -> AnswerSource | None: ...
    @property
    def accepted(self) -> bool: ...
    @property
    def value(self) -> Any: ...
    @property
    def value_json(self) -> str | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Call:
    @property
    def name(self) -> str | None: ...
    @property
    def action(self) -> Literal["run", "format_arguments", "describe"]: ...
    @property
    def root(self) -> str | None: ...
    @property
    def arguments(self) -> dict[str, Any]: ...
    @property
    def arguments_json(self) -> str: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def answers(self) -> dict[str, Answer]: ...
    def to_json(self) -> str: ...
    def to_meta_json(self) -> str: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Envelope:
    @classmethod
    def from_json(cls, data: _Data) -> Envelope: ...
    @property
    def content(self) -> list[Block]: ...
    @property
    def skipped(self) -> list[tuple[int, str]]: ...
    @property
    def structured_content(self) -> Any: ...
    @property
    def structured_content_json(self) -> str | None: ...
    @property
    def has_structured_content(self) -> bool: ...
    @property
    def is_error(self) -> bool: ...
    @property
    def status(self) -> Status: ...
    @property
    def transient(self) -> bool: ...
    @property
    def trace(self) -> list[str]: ...
    @property
    def meta(self) -> dict[str, Any] | None: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> EnvelopeDocument: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Block:
    @property
    def type(self) -> _BlockType: ...
    @property
    def index(self) -> int: ...
    @property
    def pointer(self) -> str: ...
    @property
    def text(self) -> str | None: ...
    @property
    def uri(self) -> str | None: ...
    @property
    def mime_type(self) -> str | None: ...
    @property
    def name(self) -> str | None: ...
    @property
    def title(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...
    @property
    def formatted(self) -> str | None: ...
    @property
    def size(self) -> int | None: ...
    @property
    def bytes(self) -> _Bytes | None: ...
    @property
    def content_bytes(self) -> _Bytes: ...
    @property
    def audience(self) -> list[Role] | None: ...
    @property
    def priority(self) -> float | None: ...
    @property
    def last_modified(self) -> str | None: ...
    @property
    def question(self) -> Question | None: ...
    @property
    def meta(self) -> dict[str, Any] | None: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> BlockDocument: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Question:
    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def schema(self) -> dict[str, Any]: ...
    @property
    def schema_json(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def default_json(self) -> str | None: ...
    @property
    def has_default(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Identity:
    @property
    def pointer(self) -> str: ...
    @property
    def uri(self) -> str: ...
    @property
    def normalized(self) -> bool: ...
    @property
    def digest(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def mime_type(self) -> str | None: ...
    @property
    def status(self) -> Receipt: ...
    @property
    def previous(self) -> str | None: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Line:
    @property
    def number(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def parsed(self) -> Parsed: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Summary:
    @property
    def lines(self) -> int: ...
    @property
    def valid(self) -> int: ...
    @property
    def warnings(self) -> int: ...
    @property
    def raw(self) -> int: ...
    @property
    def by_code(self) -> dict[DiagnosticCode, int]: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...

def parse(
    data: _Data,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> Parsed: ...
def validate(
    data: _Readable,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> None: ...
def canonicalize(
    data: Block | _Readable,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> bytes: ...
def digest(
    data: Block | _Readable,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> str: ...
def receive(
    stdout: _Data,
    *,
    exit_code: int | None = None,
    signal: int | str | None = None,
    stderr: _Data | None = None,
    result: _Data | None = None,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> Parsed: ...
def parse_lines(
    data: _Data,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> list[Line]: ...
def summarize(
    data: _Data,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
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
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> str: ...
def explain(
    data: _Readable,
    *,
    color: bool | None = None,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> str: ...
def identify(
    data: _Readable,
    *,
    root: _Path | None = None,
    known: Iterable[_Known] | None = None,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
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
    annotations: Annotations | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Block: ...
@overload
def envelope(
    *blocks: _Block,
    structured_content: Any = ...,
    is_error: bool | None = None,
    status: Status | None = None,
    error: ErrorMeta | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Envelope: ...
@overload
def envelope(
    blocks: Iterable[_Block],
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
def read_call(
    data: Mapping[str, Any] | _Data,
    *,
    carrier: Literal["document", "meta"] = "document",
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> Call: ...
def parse_arguments(words: Iterable[str], schema: Mapping[str, Any] | _Data) -> dict[str, Any]: ...
def describe(tools: Iterable[ToolDocument | Mapping[str, Any]]) -> Envelope: ...
def read_description(
    data: _Readable,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> list[ToolDocument] | None: ...
def read_question(question: _Question) -> Question: ...
def find_secret(question: _Question) -> _Secret | None: ...
def prompt(question: _Question) -> dict[str, Any]: ...
def template(question: _Question) -> str: ...
def read_template(text: str) -> Answer: ...
def refusal(
    *,
    host: str,
    tool: str | None = None,
    service: str | None = None,
    reason: Literal["refused", "unavailable", "cancelled"] | None = None,
    about: Literal["password", "secret", "input"] | None = None,
    oauth: str | None = None,
    url: str | None = None,
    up_front: str | None = None,
    app_passwords: str | None = None,
) -> Envelope: ...
