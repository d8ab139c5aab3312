# Generated from schema/. Do not edit: run `cargo xtask codegen`.
"""The JSON shapes of envelopes, blocks, diagnostics and identities, for type checkers.

They describe what ``json.loads`` makes of the documents. Objects may have members that no
schema names; those are kept. The package does not import this module by itself.

>>> from toolwire.types import TextBlock
>>> block: TextBlock = {"type": "text", "text": "Check succeeded."}
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

__all__ = [
    "Annotations",
    "AnswerRecord",
    "AnswerSource",
    "AnswerState",
    "AudioBlock",
    "BlockDocument",
    "CallContext",
    "CallDocument",
    "CallTool",
    "Description",
    "Diagnostic",
    "DiagnosticCode",
    "EnvelopeDocument",
    "EnvelopeMeta",
    "ErrorMeta",
    "Identity",
    "ImageBlock",
    "Question",
    "QuestionBlock",
    "Receipt",
    "Report",
    "Resource",
    "ResourceBlock",
    "ResourceLinkBlock",
    "Role",
    "SessionAction",
    "Severity",
    "Status",
    "Summary",
    "TextBlock",
    "ToolAnnotations",
    "ToolDocument",
    "ToolMeta",
    "Verdict",
]


class Annotations(TypedDict, total=False):
    """Whom a block is for, and how much it matters."""

    # Whom the block is for. Absent means everybody.
    audience: List[Role]

    # When the content last changed: a date and time of RFC 3339.
    lastModified: str

    # From 0, which may be left out, to 1, which is needed.
    priority: float


class _AudioBlockRequired(TypedDict):
    """The members that every AudioBlock has."""

    # The bytes, in base64.
    data: str

    # The media type, such as `audio/wav`.
    mimeType: str

    # Always `audio`.
    type: Literal["audio"]


class AudioBlock(_AudioBlockRequired, total=False):
    """A sound."""

    # Data about what it stands in, under keys that begin with a domain of their owner.
    _meta: Dict[str, Any]

    # Whom a block is for, and how much it matters.
    annotations: Annotations


# Data about the envelope. Other keys are kept; they begin with a domain of their owner.
EnvelopeMeta = TypedDict(
    "EnvelopeMeta",
    {
        # More about an error.
        "computer.jp/error": "ErrorMeta",
        # Absent means `stopped`.
        "computer.jp/status": "Status",
    },
    total=False,
)


class ErrorMeta(TypedDict, total=False):
    """More about an error."""

    # The causes, from the nearest to the farthest.
    trace: List[str]

    # Whether the same call may succeed later. Absent means that it will not.
    transient: bool


class _ImageBlockRequired(TypedDict):
    """The members that every ImageBlock has."""

    # The bytes, in base64.
    data: str

    # The media type, such as `image/png`.
    mimeType: str

    # Always `image`.
    type: Literal["image"]


class ImageBlock(_ImageBlockRequired, total=False):
    """A picture."""

    # Data about what it stands in, under keys that begin with a domain of their owner.
    _meta: Dict[str, Any]

    # Whom a block is for, and how much it matters.
    annotations: Annotations


class _QuestionRequired(TypedDict):
    """The members that every Question has."""

    # Ties the answer to the question; no two questions of an envelope share it.
    id: str

    # A JSON Schema for the answer.
    schema: Dict[str, Any]

    # The question itself, on one line.
    text: str


class Question(_QuestionRequired, total=False):
    """What is asked, and what an answer looks like."""

    # The answer that is suggested. Any JSON value; `null` is a value, apart from
    # absent.
    default: Any


class _QuestionBlockRequired(TypedDict):
    """The members that every QuestionBlock has."""

    # What is asked, and what an answer looks like.
    question: Question

    # Always `question`.
    type: Literal["question"]


class QuestionBlock(_QuestionBlockRequired, total=False):
    """A question to a person or a model. The blocks before it are its context."""

    # Data about what it stands in, under keys that begin with a domain of their owner.
    _meta: Dict[str, Any]

    # Whom a block is for, and how much it matters.
    annotations: Annotations


class _ResourceRequired(TypedDict):
    """The members that every Resource has."""

    # What the resource is called everywhere.
    uri: str


class Resource(_ResourceRequired, total=False):
    """Content with a name of its own: either text, or bytes in base64."""

    # Data about what it stands in, under keys that begin with a domain of their owner.
    _meta: Dict[str, Any]

    # Read too, but the annotations of the block go first, member by member.
    annotations: Annotations

    # The content, if it is bytes, in base64.
    blob: str

    # What the resource is about.
    description: str

    # The media type, such as `text/rust`.
    mimeType: str

    # A short name for programs.
    name: str

    # The content, if it is text.
    text: str

    # A name for people.
    title: str


class _ResourceBlockRequired(TypedDict):
    """The members that every ResourceBlock has."""

    # Content with a name of its own: either text, or bytes in base64.
    resource: Resource

    # Always `resource`.
    type: Literal["resource"]


class ResourceBlock(_ResourceBlockRequired, total=False):
    """A resource with its content. The host owns its formatting and knows it again by
    its URI.
    """

    # Data about what it stands in, under keys that begin with a domain of their owner.
    _meta: Dict[str, Any]

    # Whom a block is for, and how much it matters.
    annotations: Annotations

    # The presentation that the tool prefers; it is passed on as it is, and never counts
    # for the identity.
    formatted: str


class _ResourceLinkBlockRequired(TypedDict):
    """The members that every ResourceLinkBlock has."""

    # A short name for programs.
    name: str

    # Always `resource_link`.
    type: Literal["resource_link"]

    # What the resource is called everywhere.
    uri: str


class ResourceLinkBlock(_ResourceLinkBlockRequired, total=False):
    """A resource without its content, which whoever wants it fetches by its URI."""

    # Data about what it stands in, under keys that begin with a domain of their owner.
    _meta: Dict[str, Any]

    # Whom a block is for, and how much it matters.
    annotations: Annotations

    # What the resource is about.
    description: str

    # The media type, such as `text/html`.
    mimeType: str

    # How many bytes the content has.
    size: int

    # A name for people.
    title: str


class _TextBlockRequired(TypedDict):
    """The members that every TextBlock has."""

    # The text.
    text: str

    # Always `text`.
    type: Literal["text"]


class TextBlock(_TextBlockRequired, total=False):
    """Text that the tool has formatted itself; it is passed on as it is."""

    # Data about what it stands in, under keys that begin with a domain of their owner.
    _meta: Dict[str, Any]

    # Whom a block is for, and how much it matters.
    annotations: Annotations


class _EnvelopeDocumentRequired(TypedDict):
    """The members that every EnvelopeDocument has."""

    # The blocks, in the order in which they are shown.
    content: List[BlockDocument]


class EnvelopeDocument(_EnvelopeDocumentRequired, total=False):
    """What a tool says back: blocks for a model or a person, and structured content for
    a program. Unknown members are allowed everywhere and are kept.
    """

    # Data about the envelope. Other keys are kept; they begin with a domain of their
    # owner.
    _meta: EnvelopeMeta

    # Whether the tool failed. Absent means that it did not.
    isError: bool

    # The same result for a program. Any JSON value; `null` is a value, apart from
    # absent.
    structuredContent: Any


class _DiagnosticRequired(TypedDict):
    """The members that every Diagnostic has."""

    # A code of the registry, `schema/diagnostics.json`.
    code: DiagnosticCode

    # A sentence for a person.
    message: str

    # The place as a JSON Pointer into the document; empty for the whole.
    pointer: str

    # How serious a diagnostic is; the registry fixes it for each code.
    severity: Severity


class Diagnostic(_DiagnosticRequired, total=False):
    """One finding about an output. Code and pointer are contract, the message is not."""

    # The place as a byte offset into the output.
    offset: int

    # The JSON text of a block that was skipped, to the letter.
    raw: str


class Summary(TypedDict):
    """How the lines of a log were read."""

    # How many diagnostics there are of each code.
    byCode: Dict[str, int]

    # How many results are errors.
    errors: int

    # How many lines there are.
    lines: int

    # How many are raw text.
    raw: int

    # How many of the errors are transient.
    transient: int

    # How many are valid envelopes.
    valid: int

    # How many are envelopes with warnings.
    warnings: int


class Report(TypedDict):
    """How a tool's output was read: what `toolwire parse --json` writes."""

    # How many blocks are delivered.
    blocks: int

    # What there is to say about the output, in the order of the places.
    diagnostics: List[Diagnostic]

    # The envelope to the letter; for raw text the envelope that stands for it. It need
    # not be valid.
    envelope: Dict[str, Any]

    # Whether the tool failed.
    isError: bool

    # Where the tool stands; `stopped` unless the output says otherwise.
    status: Literal["running", "waiting", "stopped"]

    # An envelope without any warning, an envelope with warnings, or raw text.
    verdict: Verdict


class _IdentityRequired(TypedDict):
    """The members that every Identity has."""

    # The digest of the raw content: the text in UTF-8, or the decoded bytes.
    digest: str

    # Whether `uri` is canonical.
    normalized: bool

    # The block, as a JSON Pointer into the document.
    pointer: str

    # How many bytes the raw content has.
    size: int

    # Whether the URI is not known, known with this digest, or known with another one.
    status: Receipt

    # The canonical URI; if there is none, the URI to the letter.
    uri: str


class Identity(_IdentityRequired, total=False):
    """The identity of a resource that an output holds, and whether it was known before."""

    # The media type that the tool gave.
    mimeType: str

    # The digest under which the URI was known, if the resource changed.
    previous: str


class _AnswerRecordRequired(TypedDict):
    """The members that every AnswerRecord has."""

    # Whether there is a value, and if not, why.
    state: AnswerState


class AnswerRecord(_AnswerRecordRequired, total=False):
    """What became of a question."""

    # Who decided.
    source: AnswerSource


class _CallContextRequired(TypedDict):
    """The members that every CallContext has."""

    # What the tool is to do. `Run` is what earlier hosts wrote for `run`.
    action: Literal[
    "run",
    "Run",
    "format_arguments",
    "describe",
]


class CallContext(_CallContextRequired, total=False):
    """What holds for the call, whatever the tool."""

    # The root of the workspace: an absolute path or a `file:` URI.
    root: str


# The tool and what it gets.
CallTool = TypedDict(
    "CallTool",
    {
        # The accepted values, by the ids of their questions.
        "answers": "Dict[str, Any]",
        # The arguments, as the tool's `inputSchema` says.
        "arguments": "Dict[str, Any]",
        # States and sources of all answers, by the ids of their questions.
        "dev.toolwire/answers": "Dict[str, AnswerRecord]",
        # The tool. Only a program that is asked to describe all of its tools needs
        # none.
        "name": "str",
        # What the host is configured to pass to this tool.
        "options": "Dict[str, Any]",
    },
    total=False,
)


class CallDocument(TypedDict):
    """What a host tells a tool to do (chapter 10 of the specification). Unknown members
    are allowed and are kept.
    """

    # What holds for the call, whatever the tool.
    context: CallContext

    # The tool and what it gets.
    tool: CallTool


class _ToolDocumentRequired(TypedDict):
    """The members that every ToolDocument has."""

    # JSON Schema of the arguments.
    inputSchema: Dict[str, Any]

    # The name by which it is called.
    name: str


class ToolDocument(_ToolDocumentRequired, total=False):
    """A tool, in the shape that MCP has for it."""

    # More about a tool, under names with a domain in front.
    _meta: ToolMeta

    # Hints, which a host trusts no further than the tool.
    annotations: ToolAnnotations

    # What it does, for people and models.
    description: str

    # JSON Schema of the result's `structuredContent`.
    outputSchema: Dict[str, Any]

    # A title for people.
    title: str


class ToolAnnotations(TypedDict, total=False):
    """Hints, which a host trusts no further than the tool."""

    # What it changes may be lost.
    destructiveHint: bool

    # A second call with the same arguments changes nothing more.
    idempotentHint: bool

    # It deals with things outside of a closed world, such as the web.
    openWorldHint: bool

    # It changes nothing.
    readOnlyHint: bool

    # A title for people.
    title: str


# More about a tool, under names with a domain in front.
ToolMeta = TypedDict(
    "ToolMeta",
    {
        # What the tool can be asked to do while it keeps running.
        "dev.toolwire/actions": "List[SessionAction]",
    },
    total=False,
)


class Description(TypedDict):
    """What tools a program holds: the `structuredContent` of its answer to `describe`
    (chapter 10 of the specification). Unknown members are allowed and are kept.
    """

    # The tools, in an order that does not change; no two have the same name.
    tools: List[ToolDocument]

    # Tells a description from other structured content, and which form it has.
    toolwire: int


# One piece of content. `type` tells which; a block of another type is skipped and kept
# raw.
BlockDocument = Union[
    TextBlock,
    ResourceBlock,
    QuestionBlock,
    ImageBlock,
    AudioBlock,
    ResourceLinkBlock,
]


# The person, or the model.
Role = Literal["user", "assistant"]


# Where a tool with a state stands: it runs on, waits for an answer, or has stopped.
Status = Literal["running", "waiting", "stopped"]


# A code of the registry, `schema/diagnostics.json`.
DiagnosticCode = Literal[
    "limit_bytes",
    "invalid_utf8",
    "bom",
    "empty_output",
    "plain_text",
    "json_syntax",
    "json_truncated",
    "trailing_data",
    "control_character",
    "bad_escape",
    "lone_surrogate",
    "non_finite",
    "number_range",
    "duplicate_name",
    "limit_depth",
    "limit_values",
    "limit_blocks",
    "no_content",
    "content_not_array",
    "untyped_content",
    "big_integer",
    "block_not_object",
    "block_type_missing",
    "unknown_block_type",
    "missing_field",
    "wrong_type",
    "both_bodies",
    "no_body",
    "bad_base64",
    "base64_variant",
    "bad_uri",
    "empty_field",
    "ignored_field",
    "out_of_range",
    "bad_role",
    "bad_timestamp",
    "bad_status",
    "duplicate_question_id",
    "waiting_without_question",
    "question_not_waiting",
    "error_without_flag",
    "diagnostics_truncated",
    "nonzero_exit",
    "bad_option",
    "bad_argument",
    "nonce_collision",
    "not_an_envelope",
    "bad_call",
    "unknown_action",
    "bad_description",
    "secret_question",
    "bad_schema",
    "over_budget",
    "default_mismatch",
    "answer_mismatch",
]


# How serious a diagnostic is; the registry fixes it for each code.
Severity = Literal["error", "warning", "note"]


# An envelope without any warning, an envelope with warnings, or raw text.
Verdict = Literal["valid", "warnings", "raw"]


# Whether the URI is not known, known with this digest, or known with another one.
Receipt = Literal["new", "repeat", "changed"]


# Who decided.
AnswerSource = Literal[
    "user",
    "assistant",
    "default",
    "policy",
]


# Whether there is a value, and if not, why.
AnswerState = Literal[
    "accepted",
    "declined",
    "cancelled",
    "unavailable",
]


# Begin, say where it stands, take input, end early.
SessionAction = Literal[
    "spawn",
    "fetch",
    "apply",
    "abort",
]
