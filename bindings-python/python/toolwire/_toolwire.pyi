# The compiled module. Written by hand; stubtest compares it with the binary.
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, final, overload

from typing_extensions import Buffer, NotRequired, Self, TypeAlias

from ._host import RunResult
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
    SessionAction,
    Severity,
    Status,
    ToolDocument,
    Verdict,
)

_Marker: TypeAlias = Literal["comment", "import", "binary"]
_Data: TypeAlias = str | Buffer
_Path: TypeAlias = str | PathLike[str]
_Provider: TypeAlias = Literal["common", "openai", "openai_strict", "anthropic", "anthropic_strict", "google"]
# Inside of `Block`, the name `bytes` is its property.
_Bytes: TypeAlias = bytes
_Readable: TypeAlias = Parsed | Envelope | _Data
_BlockType: TypeAlias = Literal["text", "resource", "question", "image", "audio", "resource_link"]
_Block: TypeAlias = Block | BlockDocument
_Question: TypeAlias = Question | Mapping[str, Any] | _Data
_Revision: TypeAlias = Literal["2025-06-18", "2025-11-25", "2026-07-28"]
_Level: TypeAlias = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
_Ending: TypeAlias = Literal["exited", "crashed", "aborted", "timed_out", "idle", "turn_ended", "host_ended"]
_Known: TypeAlias = Identity | tuple[str, str] | Mapping[str, Any]

__all__ = [
    "Answer",
    "Ask",
    "Block",
    "Call",
    "Connection",
    "Conversation",
    "Diagnostic",
    "Envelope",
    "Exchange",
    "Functions",
    "HostError",
    "HostSessions",
    "Identity",
    "Invocation",
    "Legacy",
    "Line",
    "LineCall",
    "Lines",
    "Manifest",
    "Message",
    "OpenCall",
    "Parsed",
    "PendingQuestion",
    "Progress",
    "Projection",
    "Question",
    "Serving",
    "SessionMachine",
    "Summary",
    "Task",
    "ToolwireError",
    "Turn",
    "__version__",
    "action_schema",
    "after_fork",
    "answer_from_elicit_result",
    "answer_to_elicit_result",
    "audio",
    "call_from_meta",
    "call_to_meta",
    "can_elicit",
    "canonicalize",
    "check_answer",
    "check_lock",
    "check_question",
    "check_value",
    "close_schema",
    "command",
    "compare_profile",
    "convert_server",
    "describe",
    "diff_tools",
    "digest",
    "envelope",
    "error",
    "explain",
    "file_uri",
    "find_hidden",
    "find_marker",
    "find_secret",
    "fingerprint",
    "format",
    "format_launch_uri",
    "format_profile_word",
    "from_elicitation",
    "from_mcp_result",
    "from_mcp_tool",
    "guard",
    "identify",
    "image",
    "jn_hash",
    "lint_schema",
    "log",
    "normalize_uri",
    "parse",
    "parse_arguments",
    "parse_launch_uri",
    "parse_lines",
    "parse_profile_word",
    "progress",
    "project_schema",
    "project_tool",
    "prompt",
    "question",
    "read_call",
    "read_command",
    "read_description",
    "read_event",
    "read_legacy",
    "read_line",
    "read_lock",
    "read_profile",
    "read_profile_files",
    "read_question",
    "read_template",
    "receive",
    "refusal",
    "required_capabilities",
    "resource",
    "resource_from_bytes",
    "resource_from_file",
    "resource_link",
    "set_current",
    "show_hidden",
    "shutdown",
    "summarize",
    "template",
    "terminal_input",
    "text",
    "tidy_input",
    "tidy_output",
    "tidy_schema",
    "to_elicitation",
    "to_input_required",
    "to_mcp_result",
    "to_mcp_tool",
    "unwrap_outcome",
    "update_lock",
    "validate",
    "without_elicitation",
    "write_lock",
    "write_profile",
]

__version__: str

class _Secret(TypedDict):
    pointer: str
    reason: Literal["write_only", "format", "name", "wording"]
    about: Literal["password", "secret"]
    tier: Literal["declared", "suspected"]

_ChangeVerdict: TypeAlias = Literal["same", "compatible", "text", "behaviour", "safety", "unknown", "breaking"]
_ServerForm: TypeAlias = Literal[
    "launch-uri",
    "profile",
    "manifest",
    "mcpServers",
    "claude",
    "claude-code",
    "cursor",
    "vscode",
    "zed",
    "windsurf",
    "gemini",
    "codex",
]

class _Fingerprint(TypedDict):
    contract: str
    text: str
    safety: str

class _Change(TypedDict):
    tool: str
    place: str
    what: str
    verdict: _ChangeVerdict
    old: NotRequired[Any]
    new: NotRequired[Any]
    witness: NotRequired[dict[str, Any]]
    guess: NotRequired[bool]
    message: str
    advice: NotRequired[str]

class _Diff(TypedDict):
    verdict: _ChangeVerdict
    changes: list[_Change]

class _Version(TypedDict):
    text: str
    exact: bool

class _ReadLaunch(TypedDict):
    launch: dict[str, Any]
    uri: str
    command: list[str] | None
    facts: dict[str, Any]
    version: _Version | None

class _ReadWord(TypedDict):
    word: dict[str, Any]
    text: str

class _Hidden(TypedDict):
    kind: Literal["invisible", "bidi", "tag", "variation", "homoglyph", "escape", "control", "marks"]
    offset: int
    length: int
    name: str
    says: NotRequired[str]

class _LockReport(TypedDict):
    verdict: _ChangeVerdict
    verified: bool
    sources: list[dict[str, Any]]

class _ProfileTool(TypedDict):
    name: str
    tool: str
    inputSchema: NotRequired[Any]
    inputSchemaText: NotRequired[str]

class _Profile(TypedDict):
    text: str
    launcher: dict[str, Any]
    launcherText: str
    schemaValidation: Literal["warn", "error", "ignore"]
    tools: list[_ProfileTool]
    testedWith: dict[str, list[Any]]

class _Deviation(TypedDict):
    tool: NotRequired[str]
    what: Literal["gone", "contract", "text", "safety", "unknown", "hash", "no_hash"]
    message: str

class _MappedMember(TypedDict):
    pointer: str
    fate: Literal["kept", "moved", "approximated", "dropped"]
    reason: str

class _Converted(TypedDict):
    entry: dict[str, Any]
    text: str
    members: Any
    report: list[_MappedMember]

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

@final
class Progress:
    @property
    def done(self) -> float: ...
    @property
    def total(self) -> float | None: ...
    @property
    def message(self) -> str | None: ...
    @property
    def fraction(self) -> float | None: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class Message:
    @property
    def level(self) -> _Level: ...
    @property
    def text(self) -> str: ...
    @property
    def logger(self) -> str | None: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

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
class Ask:
    def __new__(cls, kind: str, arguments: Mapping[str, Any] | _Data) -> Self: ...
    @property
    def text(self) -> str: ...
    @property
    def schema(self) -> dict[str, Any]: ...
    @property
    def default(self) -> Any: ...
    @property
    def has_default(self) -> bool: ...
    @property
    def url(self) -> str | None: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

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
    def handle_answer(self, id: str, answer: Any) -> list[tuple[str, str]]: ...
    def finish(self) -> _Exchanged: ...

@final
class Task:
    def wait(self) -> Any: ...
    def on_end(self, wake: Callable[[], object]) -> None: ...
    def take(self) -> Any: ...
    def cancel(self) -> None: ...

@final
class Connection:
    def __new__(cls, arguments: dict[str, Any], signals: Sequence[int]) -> Self: ...
    @property
    def opening(self) -> Task: ...
    def tools(self) -> Task: ...
    def close(self) -> Task: ...

@final
class Serving:
    def __new__(cls, arguments: dict[str, Any], functions: bool) -> Self: ...
    @property
    def ending(self) -> Task: ...
    @property
    def url(self) -> str | None: ...
    def next_call(self) -> OpenCall | None: ...
    def on_call(self, wake: Callable[[], object]) -> None: ...
    def stop(self) -> None: ...

@final
class HostSessions:
    def __new__(cls, options: dict[str, Any], callbacks: Sequence[str], signals: Sequence[int]) -> Self: ...
    def add_program(self, arguments: dict[str, Any], settings: dict[str, Any]) -> Task: ...
    def add_manifest(self, manifest: Manifest, arguments: dict[str, Any], settings: dict[str, Any]) -> Task: ...
    def add_functions(self, arguments: dict[str, Any], settings: dict[str, Any]) -> tuple[Functions, Task]: ...
    def command(self, command: dict[str, Any], arguments: Any) -> Task: ...
    def next_request(self) -> tuple[int, PendingQuestion | dict[str, Any] | None] | None: ...
    def next_notice(self) -> tuple[str, str, str | Progress | Message | bytes] | None: ...
    def on_news(self, wake: Callable[[], object]) -> None: ...
    def answer(self, number: int, answer: Any) -> None: ...
    def approve(self, number: int, granted: bool, reason: str | None) -> None: ...

@final
class Functions:
    def next_call(self) -> OpenCall | None: ...
    def on_call(self, wake: Callable[[], object]) -> None: ...

@final
class OpenCall:
    def open(self, names: Sequence[str]) -> Turn | Envelope: ...
    def answer(self, envelope: Envelope) -> None: ...
    @property
    def is_cancelled(self) -> bool: ...
    def on_cancel(self, wake: Callable[[], object]) -> None: ...

def set_current(current: Callable[[], OpenCall | LineCall | None]) -> None: ...

@final
class Lines:
    @staticmethod
    def begin(calls: int) -> Lines | None: ...
    def listen(self, heard: Callable[[str, Any, Any], object]) -> None: ...
    @property
    def status(self) -> int: ...
    def leave(self) -> None: ...

@final
class LineCall:
    @property
    def number(self) -> int: ...
    @property
    def is_session(self) -> bool: ...
    @property
    def is_here(self) -> bool: ...
    @property
    def trace(self) -> dict[str, str]: ...
    def open(self, names: Sequence[str]) -> Turn | Envelope: ...
    @property
    def ending(self) -> _Ending | None: ...
    @property
    def is_cancelled(self) -> bool: ...
    def output(self, blocks: Sequence[_Block | str]) -> None: ...
    def expect(self, id: str) -> None: ...
    def forget(self, id: str) -> None: ...
    def ask(self, id: str, ask: Ask, person: bool) -> None: ...
    @staticmethod
    def check(asks: Sequence[tuple[str, Ask]], answers: Sequence[Answer]) -> None: ...
    def print(self, data: _Data) -> bool: ...
    def flush(self) -> None: ...
    def result(self, envelope: Envelope) -> bool: ...

@final
class Conversation:
    def __new__(cls, arguments: dict[str, Any], signals: Sequence[int]) -> Self: ...
    def next(self) -> bytes | PendingQuestion | dict[str, Any]: ...
    def try_next(self) -> bytes | PendingQuestion | dict[str, Any] | None: ...
    def on_event(self, wake: Callable[[], object]) -> None: ...
    def answer(self, id: str, answer: Any) -> None: ...
    def cancel(self) -> None: ...
    @property
    def is_over(self) -> bool: ...

@final
class Manifest:
    def __new__(cls, path: _Path | None = None) -> Self: ...
    @property
    def path(self) -> pathlib.Path: ...
    @property
    def names(self) -> list[str]: ...

@final
class PendingQuestion:
    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def schema(self) -> dict[str, Any]: ...
    @property
    def default(self) -> Any: ...
    @property
    def has_default(self) -> bool: ...
    @property
    def default_json(self) -> str | None: ...
    @property
    def url(self) -> str | None: ...
    @property
    def prompt(self) -> dict[str, Any]: ...
    @property
    def question(self) -> Question: ...
    @property
    def context(self) -> list[Block]: ...
    @property
    def shown(self) -> int: ...
    @property
    def mismatches(self) -> list[tuple[str, str]]: ...
    @property
    def tool(self) -> str | None: ...
    @property
    def arguments(self) -> dict[str, Any]: ...
    @property
    def secret(self) -> _Secret | None: ...
    @property
    def warning(self) -> str | None: ...
    @property
    def who(self) -> Literal["user", "assistant"] | None: ...
    @property
    def round(self) -> int: ...
    def to_json(self) -> str: ...

@final
class Projection:
    @property
    def schema(self) -> dict[str, Any]: ...
    @property
    def schema_json(self) -> str: ...
    @property
    def wrapped(self) -> bool: ...
    @property
    def losses(self) -> list[tuple[str, str]]: ...
    def unwrap(self, value: Any) -> Any: ...

@final
class Legacy:
    @property
    def format(self) -> Literal["outcome", "tool_state", "input_text"]: ...
    @property
    def parsed(self) -> Parsed: ...
    @property
    def report(self) -> list[tuple[str, str, str]]: ...

@final
class Turn:
    @classmethod
    def open(cls, document: _Data, names: Sequence[str]) -> Turn | Envelope: ...
    @property
    def name(self) -> str | None: ...
    @property
    def action(self) -> Literal["run", "format_arguments", "describe"]: ...
    @property
    def root(self) -> str | None: ...
    @property
    def arguments(self) -> dict[str, Any]: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def is_pending(self) -> bool: ...
    def emit(self, block: str | Block | Mapping[str, Any]) -> None: ...
    def ask(self, id: str, ask: Ask) -> Answer | None: ...
    def ask_again(self, id: str, ask: Ask) -> Answer | None: ...
    def answers(self, asks: Sequence[tuple[str, Ask]], required: bool) -> list[Answer] | None: ...
    def require(self, id: str, ask: Ask) -> None: ...
    def finish(self, kind: str, value: Any = None) -> Envelope: ...
    def fail(self, failure: Mapping[str, Any]) -> Envelope: ...
    @staticmethod
    def check_tool(tool: Mapping[str, Any]) -> None: ...
    def describe(self, tools: Sequence[Mapping[str, Any]], problems: Mapping[str, str] = ...) -> Envelope: ...

@final
class Invocation:
    @staticmethod
    def accept(call: str | None, result: str | None) -> Invocation | None: ...
    def open(self, names: Sequence[str]) -> Turn | Envelope: ...
    def end(self, answer: Envelope) -> int: ...
    @staticmethod
    def help(program: str, tools: Sequence[Mapping[str, Any]]) -> int: ...

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
    @property
    def url(self) -> str | None: ...
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
    def errors(self) -> int: ...
    @property
    def transient(self) -> int: ...
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
def to_elicitation(
    question: _Question,
    *,
    revision: _Revision,
    context: Sequence[str] | None = None,
    client: str | None = None,
    elicitation_id: str | None = None,
    tool: str | None = None,
    service: str | None = None,
    oauth: str | None = None,
    url: str | None = None,
    up_front: str | None = None,
    app_passwords: str | None = None,
) -> tuple[dict[str, Any], list[tuple[str, str, str]]]: ...
def to_input_required(
    questions: Iterable[_Question],
    *,
    state: str | None = None,
    context: Sequence[str] | None = None,
    client: str | None = None,
    tool: str | None = None,
    service: str | None = None,
    oauth: str | None = None,
    url: str | None = None,
    up_front: str | None = None,
    app_passwords: str | None = None,
) -> tuple[dict[str, Any], list[tuple[str, str, str]]]: ...
def answer_from_elicit_result(
    question: _Question, result: Mapping[str, Any] | _Data, *, revision: _Revision
) -> Answer: ...
def from_elicitation(
    params: Mapping[str, Any] | _Data, *, id: str
) -> tuple[Question, list[tuple[str, str, str]]]: ...
def answer_to_elicit_result(
    params: Mapping[str, Any] | _Data, answer: Answer, *, revision: _Revision
) -> dict[str, Any]: ...
def without_elicitation(
    questions: Iterable[_Question],
    *,
    client: str | None = None,
    tool: str | None = None,
    refusals: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[Envelope, bool]: ...
def can_elicit(
    question: _Question, elicitation: Mapping[str, Any] | None = None, *, revision: _Revision
) -> bool: ...
def required_capabilities(questions: Iterable[_Question]) -> dict[str, Any]: ...
def read_event(line: _Data) -> Progress | Message | None: ...
def progress(done: float, total: float | None = None, message: str | None = None) -> None: ...
def log(level: _Level, message: str, *, logger: str | None = None) -> None: ...
def read_legacy(
    document: _Data,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> Legacy | None: ...
def unwrap_outcome(
    result: _Data | Parsed | Envelope,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> Legacy | None: ...
def read_question(question: _Question) -> Question: ...
def find_secret(question: _Question, context: Sequence[str] = ...) -> _Secret | None: ...
def prompt(question: _Question) -> dict[str, Any]: ...
def template(question: _Question) -> str: ...
def read_template(text: str) -> Answer: ...
def refusal(
    *,
    host: str,
    tool: str | None = None,
    service: str | None = None,
    reason: Literal["refused", "unavailable", "cancelled", "declined"] | None = None,
    about: Literal["password", "secret", "input"] | None = None,
    oauth: str | None = None,
    url: str | None = None,
    up_front: str | None = None,
    app_passwords: str | None = None,
) -> Envelope: ...
def check_value(schema: Mapping[str, Any] | _Data, value: Any) -> list[tuple[str, str]]: ...
def check_question(question: _Question) -> list[Diagnostic]: ...
def project_schema(
    schema: Mapping[str, Any] | _Data, *, answer: bool = False, provider: _Provider = "common"
) -> Projection: ...
def lint_schema(schema: Mapping[str, Any] | _Data, *, provider: _Provider = "common") -> list[Diagnostic]: ...
def read_command(arguments: Mapping[str, Any] | _Data, tool: ToolDocument | _Data) -> dict[str, Any]: ...
def action_schema(
    tool: ToolDocument | _Data, *, style: Literal["one_of", "flat"] = "flat"
) -> dict[str, Any]: ...
def find_marker(file: _Data) -> _Marker | None: ...
def read_line(line: _Data, source: Literal["host", "tool"]) -> str | None: ...
def terminal_input(
    input: str | Mapping[str, Any], *, application_cursor: bool = False, bracketed_paste: bool = False
) -> dict[str, Any]: ...
def fingerprint(
    tool: Mapping[str, Any] | _Data, *, launch: Mapping[str, Any] | None = None, max_schemas: int | None = None
) -> _Fingerprint: ...
def project_tool(
    tool: Mapping[str, Any] | _Data, *, launch: Mapping[str, Any] | None = None, max_schemas: int | None = None
) -> _Fingerprint: ...
def jn_hash(tools: Sequence[Mapping[str, Any]] | _Data) -> str: ...
def diff_tools(
    old: Mapping[str, Any] | Sequence[Mapping[str, Any]] | _Data,
    new: Mapping[str, Any] | Sequence[Mapping[str, Any]] | _Data,
    *,
    open: bool | None = False,
    budget: int | None = None,
) -> _Diff: ...
def parse_launch_uri(uri: str) -> _ReadLaunch: ...
def format_launch_uri(launch: Mapping[str, Any] | _Data) -> str: ...
def parse_profile_word(word: str) -> _ReadWord: ...
def format_profile_word(word: Mapping[str, Any] | _Data) -> str: ...
def find_hidden(text: str) -> list[_Hidden]: ...
def show_hidden(text: str) -> str: ...
def read_lock(data: _Data) -> tuple[dict[str, Any], list[Diagnostic]]: ...
def write_lock(lock: Mapping[str, Any] | _Data) -> str: ...
def update_lock(lock: Mapping[str, Any] | _Data, name: str, now: Mapping[str, Any] | _Data) -> str: ...
def check_lock(
    lock: Mapping[str, Any] | _Data,
    now: Mapping[str, Any] | _Data,
    *,
    offline: bool | None = False,
    open: bool | None = False,
    budget: int | None = None,
) -> _LockReport: ...
def read_profile(profile: Mapping[str, Any] | _Data) -> _Profile: ...
def read_profile_files(files: Mapping[str, str] | _Data) -> _Profile: ...
def write_profile(
    profile: Mapping[str, Any] | _Data, before: Mapping[str, str] | _Data | None = None
) -> dict[str, str]: ...
def compare_profile(
    profile: Mapping[str, Any] | _Data,
    tools: Sequence[Mapping[str, Any]] | _Data,
    *,
    launch: Mapping[str, Any] | None = None,
    max_schemas: int | None = None,
) -> list[_Deviation]: ...
def convert_server(
    server: Mapping[str, Any] | _Data,
    source: _ServerForm,
    target: _ServerForm,
    *,
    name: str | None = None,
    folder: str | None = None,
) -> _Converted: ...
def command(arguments: Sequence[str]) -> int: ...
def check_answer(question: _Question, value: Any) -> list[tuple[str, str]]: ...
def hold_stdout() -> None: ...
def guard(call: str | None, result: str | None) -> bool: ...
def close_schema(schema: Mapping[str, Any] | _Data) -> dict[str, Any]: ...
def tidy_schema(schema: Mapping[str, Any] | _Data) -> dict[str, Any]: ...
def tidy_input(schema: Mapping[str, Any] | _Data) -> dict[str, Any]: ...
def tidy_output(schema: Mapping[str, Any] | _Data) -> tuple[dict[str, Any], bool]: ...
def shutdown() -> None: ...
def after_fork() -> None: ...
def to_mcp_result(
    data: _Readable,
    *,
    revision: _Revision,
    mirror: bool | None = None,
    wrapped: bool | None = None,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> tuple[dict[str, Any], str, list[tuple[str, str, str]]]: ...
def from_mcp_result(
    result: Mapping[str, Any] | _Data,
    *,
    max_bytes: int | None = None,
    max_depth: int | None = None,
    max_values: int | None = None,
    max_blocks: int | None = None,
    max_diagnostics: int | None = None,
) -> tuple[Parsed, list[tuple[str, str, str]]]: ...
def to_mcp_tool(
    tool: ToolDocument | Mapping[str, Any] | _Data, *, revision: _Revision
) -> tuple[dict[str, Any], bool, list[tuple[str, str, str]]]: ...
def from_mcp_tool(
    listed: Mapping[str, Any] | _Data,
) -> tuple[ToolDocument, str, bool, list[tuple[str, str, str]]]: ...
def call_to_meta(call: Call | Mapping[str, Any] | _Data) -> dict[str, Any] | None: ...
def call_from_meta(
    name: str, arguments: Mapping[str, Any], meta: Mapping[str, Any] | _Data | None = None
) -> Call: ...
def provider_message(data: _Readable, options: str) -> Any: ...
def provider_call(name: str, input: str, options: str) -> Any: ...
