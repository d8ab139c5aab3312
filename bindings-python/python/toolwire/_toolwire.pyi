# Generated from schema/api.json and bindings-python/native.pyi. Do not edit: run `cargo xtask codegen`.
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
    "Answer",
    "Ask",
    "Block",
    "Call",
    "Diagnostic",
    "Envelope",
    "Exchange",
    "HostError",
    "Line",
    "Message",
    "Parsed",
    "PendingQuestion",
    "Progress",
    "Question",
    "SessionMachine",
    "ToolwireError",
    "__version__",
    "audio",
    "call",
    "canonicalize",
    "digest",
    "envelope",
    "error",
    "explain",
    "file_uri",
    "format",
    "identify",
    "image",
    "log",
    "normalize_uri",
    "parse",
    "parse_lines",
    "progress",
    "question",
    "receive",
    "resource",
    "resource_from_bytes",
    "resource_from_file",
    "resource_link",
    "summarize",
    "text",
    "validate",
]

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

@final
class Diagnostic:
    """A finding about an output. `code`, `pointer` and `offset` are stable; the wording can change."""

    @property
    def code(self) -> _types.DiagnosticCode:
        """A code from the registry, such as `missing_field`."""
    @property
    def severity(self) -> _types.Severity:
        """`error`, `warning` or `note`."""
    @property
    def pointer(self) -> str:
        """The place as a JSON Pointer into the document; empty for the whole."""
    @property
    def offset(self) -> int | None:
        """The place as a byte offset into the output, or None."""
    @property
    def message(self) -> str:
        """A sentence for a person."""
    @property
    def raw(self) -> str | None:
        """The unchanged JSON text of a block that was skipped, or None."""
    @property
    def help(self) -> str:
        """What to do about it."""
    @property
    def rule(self) -> str:
        """The id of the rule in the specification."""
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Progress:
    """How far a tool has come."""

    @property
    def done(self) -> float:
        """How much is done, in any unit. It can go back, for example where a tool begins its next step."""
    @property
    def total(self) -> float | None:
        """How much there is to do, or None if that is not known."""
    @property
    def message(self) -> str | None:
        """What the tool does just now, or None. It is untrusted text."""
    @property
    def fraction(self) -> float | None:
        """The share that is done, from 0 to 1; None if the total is not known."""
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Message:
    """A log message of a tool."""

    @property
    def level(self) -> _types.Level:
        """How serious it is: a level of syslog and MCP, from `debug` to `emergency`."""
    @property
    def text(self) -> str:
        """What the tool says. It is untrusted text."""
    @property
    def logger(self) -> str | None:
        """The part of the tool that says it, or None. The host's own remarks are from `toolwire`."""
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Parsed:
    """The result of reading an output."""

    @property
    def verdict(self) -> _types.Verdict:
        """`valid`, `warnings` (something in it was skipped or ignored) or `raw` (it is not an envelope)."""
    @property
    def is_raw(self) -> bool:
        """Whether the output is raw text and not an envelope, which is not an error."""
    @property
    def raw(self) -> _Bytes:
        """The unchanged output."""
    @property
    def envelope(self) -> Envelope:
        """The envelope. For raw text, it has a single text block."""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics, in the order of the output."""
    @property
    def is_error(self) -> bool:
        """Whether the result is an error."""
    @property
    def status(self) -> _types.Status:
        """`running`, `waiting` or `stopped`; stopped if the output does not say."""
    @property
    def transient(self) -> bool:
        """Whether the tool says that a retry may help."""
    @property
    def trace(self) -> list[str]:
        """The messages of the causes of an error, nearest first."""
    @property
    def structured_content(self) -> Any:
        """The structured content; None if it is null or absent."""
    @property
    def skipped(self) -> list[_types.Skipped]:
        """The blocks that were skipped: dicts with their `index` in `content` and their unchanged `json` text."""
    def member_json(self, name: Literal["structured_content"]) -> str | None: ...
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Answer:
    """The answer to a question."""

    def __new__(cls, value: Any = ..., *, state: _types.AnswerState | None = None, source: _types.AnswerSource | None = None) -> Self: ...
    @property
    def state(self) -> _types.AnswerState:
        """`accepted`, `opened`, `declined`, `cancelled` or `unavailable`."""
    @property
    def source(self) -> _types.AnswerSource | None:
        """`user`, `assistant`, `default` or `policy`; None if it is not known."""
    @property
    def accepted(self) -> bool:
        """Whether there is a value."""
    @property
    def value(self) -> Any:
        """The value; None if it is null or if there is none."""
    def member_json(self, name: Literal["value"]) -> str | None: ...
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PendingQuestion:
    """A pending question, with everything that is needed to answer it."""

    @property
    def id(self) -> str:
        """The question's id."""
    @property
    def text(self) -> str:
        """The short text to show."""
    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the answer."""
    @property
    def default(self) -> Any:
        """The default, if it fits the schema; None if it is null or if there is none."""
    @property
    def has_default(self) -> bool:
        """Whether there is a default that fits; it may be null."""
    @property
    def url(self) -> str | None:
        """The page where the person answers, if not in a form; otherwise None. The only answer with which a person agrees to open it is `Answer(state='opened')`."""
    @property
    def prompt(self) -> dict[str, Any]:
        """How a person is asked, as returned by `prompt`."""
    @property
    def question(self) -> Question:
        """The question as the tool asks it."""
    @property
    def context(self) -> list[Block]:
        """The blocks before it, which explain it."""
    @property
    def shown(self) -> int:
        """How many of the blocks of `context` were already the context of the previous question."""
    @property
    def mismatches(self) -> list[_types.Mismatch]:
        """The places where the previous answer does not fit, each a dict with `pointer` and `message`. Empty at first."""
    @property
    def tool(self) -> str | None:
        """The tool that asks, or None."""
    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that the tool was called with."""
    @property
    def secret(self) -> _types.Secret | None:
        """The sign that the question seems to ask for a secret, as returned by `find_secret`, or None. Such a question is for a person only: only an answer from the source `user` is accepted, and the input must be neither shown nor stored."""
    @property
    def warning(self) -> str | None:
        """The warning to show above such a question, or None."""
    @property
    def who(self) -> _types.Asked | None:
        """Who should answer, if a manifest says so: `user` or `assistant`, else None. Only a person can answer a question for the user."""
    @property
    def round(self) -> int:
        """The number of calls of the tool so far; 1 at the first question."""
    def member_json(self, name: Literal["schema", "default", "arguments"]) -> str | None: ...
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Call:
    """A call of a tool."""

    @property
    def name(self) -> str | None:
        """The tool; None if a program is asked to describe all of its tools."""
    @property
    def action(self) -> _types.Action:
        """`run`, `format_arguments` or `describe`."""
    @property
    def root(self) -> str | None:
        """The root of the workspace, an absolute path or a `file:` URI, or None."""
    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments."""
    @property
    def options(self) -> dict[str, Any]:
        """The settings that the host passes to this tool."""
    @property
    def answers(self) -> dict[str, Answer]:
        """The answers to questions so far, by id."""
    @property
    def meta(self) -> dict[str, Any]:
        """The two members of `_meta` that hold the call in an MCP request."""
    def member_json(self, name: Literal["arguments", "options", "meta"]) -> str | None: ...
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __bytes__(self) -> _Bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Envelope:
    """The answer of a tool."""

    @property
    def content(self) -> list[Block]:
        """The blocks, in order. Malformed and unknown blocks are in `skipped`."""
    @property
    def skipped(self) -> list[_types.Skipped]:
        """The blocks that were skipped: dicts with their `index` in `content` and their `json` text."""
    @property
    def structured_content(self) -> Any:
        """The structured content; None if it is null or absent."""
    @property
    def has_structured_content(self) -> bool:
        """Whether there is structured content; it may be null."""
    @property
    def is_error(self) -> bool:
        """Whether the tool reports an error."""
    @property
    def status(self) -> _types.Status:
        """`running`, `waiting` or `stopped`; stopped if the envelope does not say."""
    @property
    def transient(self) -> bool:
        """Whether the tool says that a retry may help."""
    @property
    def trace(self) -> list[str]:
        """The messages of the causes of an error, nearest first."""
    @property
    def meta(self) -> dict[str, Any] | None:
        """The member `_meta`, or None."""
    def member_json(self, name: Literal["structured_content", "meta"]) -> str | None: ...
    def to_dict(self) -> _types.EnvelopeDocument: ...
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __bytes__(self) -> _Bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    @classmethod
    def from_json(cls, data: _types.Output) -> Self: ...
    def __hash__(self) -> int: ...

@final
class Block:
    """One block of an envelope."""

    @property
    def type(self) -> _types.BlockType:
        """`text`, `resource`, `question`, `image`, `audio` or `resource_link`."""
    @property
    def index(self) -> int:
        """Its index in the `content` of the envelope, counting skipped blocks; 0 for a block that was built."""
    @property
    def pointer(self) -> str:
        """Its place as a JSON Pointer."""
    @property
    def text(self) -> str | None:
        """The text of a text block, or of a resource with text. A question has its own `text`."""
    @property
    def uri(self) -> str | None:
        """The URI of a resource or resource link."""
    @property
    def mime_type(self) -> str | None:
        """The MIME type."""
    @property
    def name(self) -> str | None:
        """The name of a resource or resource link."""
    @property
    def title(self) -> str | None:
        """The title of a resource or resource link."""
    @property
    def description(self) -> str | None:
        """The description of a resource or resource link."""
    @property
    def formatted(self) -> str | None:
        """How the tool wants a resource to be shown; never part of its identity."""
    @property
    def size(self) -> int | None:
        """The size in bytes, as given by a resource link."""
    @property
    def bytes(self) -> _Bytes | None:
        """The decoded bytes of an image, an audio or a resource with a blob."""
    @property
    def content_bytes(self) -> _Bytes:
        """The content as bytes, for text and binary blocks. Digests are computed from it."""
    @property
    def audience(self) -> list[_types.Role] | None:
        """The intended readers: a list of `user` and `assistant`."""
    @property
    def priority(self) -> float | None:
        """The priority, from 0 to 1."""
    @property
    def last_modified(self) -> str | None:
        """When it was last changed, as an RFC 3339 date and time."""
    @property
    def question(self) -> Question | None:
        """The question of a question block."""
    @property
    def meta(self) -> dict[str, Any] | None:
        """The member `_meta`."""
    def member_json(self, name: Literal["meta"]) -> str | None: ...
    def to_dict(self) -> _types.BlockDocument: ...
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Question:
    """The question in a question block."""

    @property
    def id(self) -> str:
        """The id, which its answer refers to."""
    @property
    def text(self) -> str:
        """The short text to show."""
    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the answer."""
    @property
    def default(self) -> Any:
        """The default answer; None if it is null or absent."""
    @property
    def has_default(self) -> bool:
        """Whether there is a default; it may be null."""
    @property
    def url(self) -> str | None:
        """The page where the person answers, if not in a form; otherwise None."""
    def member_json(self, name: Literal["schema", "default"]) -> str | None: ...
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Ask:
    """What a tool asks for: the text that is shown, the JSON Schema of the answer, and a default."""

    def __new__(cls, kind: str, arguments: _types.Document) -> Self: ...
    @property
    def text(self) -> str:
        """The short text to show."""
    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the answer."""
    @property
    def default(self) -> Any:
        """The answer that is suggested; None if it is null or absent."""
    @property
    def has_default(self) -> bool:
        """Whether there is a default, be it null."""
    @property
    def url(self) -> str | None:
        """The page where the person answers, if not in a form."""
    def member_json(self, name: Literal["schema", "default"]) -> str | None: ...
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Line:
    """One line of a log."""

    @property
    def number(self) -> int:
        """The number of the line, from 1, counting blank lines."""
    @property
    def offset(self) -> int:
        """The byte offset of the line in the log. Offsets in its diagnostics count from there."""
    @property
    def parsed(self) -> Parsed:
        """The result of reading the line."""
    @property
    def json(self) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def parse(data: _types.Output, *, limits: _types.Limits | None = None) -> Parsed: ...
def validate(data: _types.Readable, *, limits: _types.Limits | None = None) -> None: ...
def canonicalize(data: _types.Readable | Block, *, limits: _types.Limits | None = None) -> _Bytes: ...
def digest(data: _types.Readable | Block, *, limits: _types.Limits | None = None) -> str: ...
def format(data: _types.Readable, *, target: _types.Target | None = None, style: _types.Style | None = None, header: bool | None = None, max_bytes: int | None = None, audience: _types.Role | None = None, nonce: str | None = None, color: bool | None = None, limits: _types.Limits | None = None) -> str: ...
def explain(data: _types.Readable, *, color: bool | None = None, limits: _types.Limits | None = None) -> str: ...
def identify(data: _types.Readable, *, root: str | PathLike[str] | None = None, known: Iterable[_types.Identity | tuple[str, str] | Mapping[str, Any]] | None = None, limits: _types.Limits | None = None) -> list[_types.Identity]: ...
def normalize_uri(uri: str, *, root: str | PathLike[str] | None = None) -> str: ...
def file_uri(path: str | PathLike[str]) -> str: ...
def receive(stdout: _types.Output, *, exit_code: int | None = None, signal: int | str | None = None, stderr: _types.Output | None = None, result: _types.Output | None = None, limits: _types.Limits | None = None) -> Parsed: ...
def parse_lines(data: _types.Output, *, limits: _types.Limits | None = None) -> list[Line]: ...
def summarize(data: _types.Output, *, limits: _types.Limits | None = None) -> _types.Summary: ...
def text(text: str, *, annotations: _types.Annotations | None = None, meta: Mapping[str, Any] | None = None) -> Block: ...
def resource(uri: str, *, text: str | None = None, blob: Buffer | None = None, mime_type: str | None = None, name: str | None = None, title: str | None = None, description: str | None = None, formatted: str | None = None, annotations: _types.Annotations | None = None, meta: Mapping[str, Any] | None = None) -> Block: ...
def resource_from_bytes(path: str | PathLike[str], bytes: Buffer, *, mime_type: str | None = None, name: str | None = None, title: str | None = None, description: str | None = None, formatted: str | None = None, annotations: _types.Annotations | None = None, meta: Mapping[str, Any] | None = None) -> Block: ...
def resource_from_file(path: str | PathLike[str], *, uri: str | None = None, mime_type: str | None = None, name: str | None = None, title: str | None = None, description: str | None = None, formatted: str | None = None, annotations: _types.Annotations | None = None, meta: Mapping[str, Any] | None = None) -> Block: ...
def image(data: Buffer, mime_type: str, *, annotations: _types.Annotations | None = None, meta: Mapping[str, Any] | None = None) -> Block: ...
def audio(data: Buffer, mime_type: str, *, annotations: _types.Annotations | None = None, meta: Mapping[str, Any] | None = None) -> Block: ...
def resource_link(uri: str, name: str, *, title: str | None = None, description: str | None = None, mime_type: str | None = None, size: int | None = None, annotations: _types.Annotations | None = None, meta: Mapping[str, Any] | None = None) -> Block: ...
def question(id: str, text: str, schema: Mapping[str, Any], *, default: Any = ..., url: str | None = None, annotations: _types.Annotations | None = None, meta: Mapping[str, Any] | None = None) -> Block: ...
@overload
def envelope(*blocks: Block | _types.BlockDocument | str, structured_content: Any = ..., is_error: bool | None = None, status: _types.Status | None = None, error: _types.ErrorMeta | None = None, meta: Mapping[str, Any] | None = None) -> Envelope: ...
@overload
def envelope(blocks: Iterable[Block | _types.BlockDocument | str], /, *, structured_content: Any = ..., is_error: bool | None = None, status: _types.Status | None = None, error: _types.ErrorMeta | None = None, meta: Mapping[str, Any] | None = None) -> Envelope: ...
def error(message: str | BaseException, *, transient: bool | None = None, trace: Iterable[str] | None = None, meta: Mapping[str, Any] | None = None) -> Envelope: ...
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
