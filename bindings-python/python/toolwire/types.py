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
    """The intended readers of a block, and its priority."""

    # The intended readers. If it is absent, the block is for everybody.
    audience: List[Role]

    # The time when the content last changed: an RFC 3339 timestamp.
    lastModified: str

    # The priority, from 0 (optional) to 1 (required).
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

    # Data about the object that contains it. The names of its members begin with a
    # domain of their author.
    _meta: Dict[str, Any]

    # The intended readers of a block, and its priority.
    annotations: Annotations


# Data about the envelope. Other members are kept; their names begin with a domain of
# their author.
EnvelopeMeta = TypedDict(
    "EnvelopeMeta",
    {
        # More about an error.
        "computer.jp/error": "ErrorMeta",
        # The default is `stopped`.
        "computer.jp/status": "Status",
    },
    total=False,
)


class ErrorMeta(TypedDict, total=False):
    """More about an error."""

    # The messages of the causes, nearest first.
    trace: List[str]

    # Whether the same call may succeed later. The default is false.
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
    """An image."""

    # Data about the object that contains it. The names of its members begin with a
    # domain of their author.
    _meta: Dict[str, Any]

    # The intended readers of a block, and its priority.
    annotations: Annotations


class _QuestionRequired(TypedDict):
    """The members that every Question has."""

    # The id, by which an answer refers to the question. It is unique in the envelope.
    id: str

    # A JSON Schema for the answer.
    schema: Dict[str, Any]

    # The question itself, on one line.
    text: str


class Question(_QuestionRequired, total=False):
    """A question and the form of its answer."""

    # The suggested answer. Any JSON value; `null` is a value, which differs from an
    # absent member.
    default: Any

    # A page where the person answers, so that the host never sees what is entered. No
    # value answers such a question: the host opens the page if the person agrees.
    url: str


class _QuestionBlockRequired(TypedDict):
    """The members that every QuestionBlock has."""

    # A question and the form of its answer.
    question: Question

    # Always `question`.
    type: Literal["question"]


class QuestionBlock(_QuestionBlockRequired, total=False):
    """A question to a person or a model. The blocks before it are its context."""

    # Data about the object that contains it. The names of its members begin with a
    # domain of their author.
    _meta: Dict[str, Any]

    # The intended readers of a block, and its priority.
    annotations: Annotations


class _ResourceRequired(TypedDict):
    """The members that every Resource has."""

    # The URI of the resource.
    uri: str


class Resource(_ResourceRequired, total=False):
    """Content that has a URI: either text, or bytes in base64."""

    # Data about the object that contains it. The names of its members begin with a
    # domain of their author.
    _meta: Dict[str, Any]

    # Read as well, but each member of the block's annotations takes precedence.
    annotations: Annotations

    # The content in base64, if it is bytes.
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

    # Content that has a URI: either text, or bytes in base64.
    resource: Resource

    # Always `resource`.
    type: Literal["resource"]


class ResourceBlock(_ResourceBlockRequired, total=False):
    """A resource with its content. The host formats it, and recognizes it by its URI."""

    # Data about the object that contains it. The names of its members begin with a
    # domain of their author.
    _meta: Dict[str, Any]

    # The intended readers of a block, and its priority.
    annotations: Annotations

    # The presentation that the tool prefers. It is passed on unchanged, and is not part
    # of the identity.
    formatted: str


class _ResourceLinkBlockRequired(TypedDict):
    """The members that every ResourceLinkBlock has."""

    # A short name for programs.
    name: str

    # Always `resource_link`.
    type: Literal["resource_link"]

    # The URI of the resource.
    uri: str


class ResourceLinkBlock(_ResourceLinkBlockRequired, total=False):
    """A link to a resource, whose content is not included."""

    # Data about the object that contains it. The names of its members begin with a
    # domain of their author.
    _meta: Dict[str, Any]

    # The intended readers of a block, and its priority.
    annotations: Annotations

    # What the resource is about.
    description: str

    # The media type, such as `text/html`.
    mimeType: str

    # The size of the content in bytes.
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
    """Text, which is passed on unchanged."""

    # Data about the object that contains it. The names of its members begin with a
    # domain of their author.
    _meta: Dict[str, Any]

    # The intended readers of a block, and its priority.
    annotations: Annotations


class _EnvelopeDocumentRequired(TypedDict):
    """The members that every EnvelopeDocument has."""

    # The blocks, in the order in which they are shown.
    content: List[BlockDocument]


class EnvelopeDocument(_EnvelopeDocumentRequired, total=False):
    """The answer of a tool: blocks for a model or a person, and structured content for a
    program. Unknown members are allowed everywhere and are kept.
    """

    # Data about the envelope. Other members are kept; their names begin with a domain
    # of their author.
    _meta: EnvelopeMeta

    # Whether the call failed. The default is false.
    isError: bool

    # The result for programs. Any JSON value; `null` is a value, which differs from an
    # absent member.
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
    """A finding about an output. Code and pointer are stable; the wording of the message
    is not.
    """

    # The place as a byte offset into the output.
    offset: int

    # The unchanged JSON text of a block that was skipped.
    raw: str


class Summary(TypedDict):
    """Counts of the lines of a log."""

    # The number of diagnostics by code.
    byCode: Dict[str, int]

    # The number of results that are errors.
    errors: int

    # The number of lines.
    lines: int

    # The number of lines that are raw text.
    raw: int

    # The number of errors that are transient.
    transient: int

    # The number of valid envelopes.
    valid: int

    # The number of envelopes with warnings.
    warnings: int


class Report(TypedDict):
    """The result of reading a tool's output, as printed by `toolwire parse --json`."""

    # The number of blocks, without those that were skipped.
    blocks: int

    # The diagnostics, in the order of the output.
    diagnostics: List[Diagnostic]

    # The unchanged envelope; for raw text, the envelope in its place. It may have
    # warnings.
    envelope: Dict[str, Any]

    # Whether the call failed.
    isError: bool

    # The state of the tool; `stopped` unless the output says otherwise.
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

    # The size of the content in bytes.
    size: int

    # Whether the URI is not known, known with this digest, or known with another one.
    status: Receipt

    # The canonical URI; if there is none, the URI as it was written.
    uri: str


class Identity(_IdentityRequired, total=False):
    """The identity of a resource in an output, and whether it was known before."""

    # The media type that the tool gave.
    mimeType: str

    # The digest that was known for the URI, if the resource has changed.
    previous: str


class _AnswerRecordRequired(TypedDict):
    """The members that every AnswerRecord has."""

    # Whether there is a value, and if not, why.
    state: AnswerState


class AnswerRecord(_AnswerRecordRequired, total=False):
    """The answer to a question."""

    # Who decided.
    source: AnswerSource


class _CallContextRequired(TypedDict):
    """The members that every CallContext has."""

    # What the tool is asked to do. Earlier hosts wrote `Run` for `run`.
    action: Literal[
    "run",
    "Run",
    "format_arguments",
    "describe",
]


class CallContext(_CallContextRequired, total=False):
    """The context of the call, independent of the tool."""

    # The root of the workspace: an absolute path or a `file:` URI.
    root: str


# The tool and its input.
CallTool = TypedDict(
    "CallTool",
    {
        # The values of accepted answers, by question id.
        "answers": "Dict[str, Any]",
        # The arguments, which fit the tool's `inputSchema`.
        "arguments": "Dict[str, Any]",
        # The states and sources of all answers, by question id.
        "dev.toolwire/answers": "Dict[str, AnswerRecord]",
        # The name of the tool. It is absent only if a program is asked to describe all
        # of its tools.
        "name": "str",
        # The settings that the host passes to this tool.
        "options": "Dict[str, Any]",
    },
    total=False,
)


class CallDocument(TypedDict):
    """The call of a tool by a host (chapter 10 of the specification). Unknown members
    are allowed and are kept.
    """

    # The context of the call, independent of the tool.
    context: CallContext

    # The tool and its input.
    tool: CallTool


class _ToolDocumentRequired(TypedDict):
    """The members that every ToolDocument has."""

    # JSON Schema of the arguments.
    inputSchema: Dict[str, Any]

    # The name of the tool.
    name: str


class ToolDocument(_ToolDocumentRequired, total=False):
    """A tool, in the form that MCP uses."""

    # More about a tool. The names of members begin with a domain.
    _meta: ToolMeta

    # Hints about the tool. A host should trust them no more than the tool itself.
    annotations: ToolAnnotations

    # What the tool does, for people and models.
    description: str

    # JSON Schema of the result's `structuredContent`.
    outputSchema: Dict[str, Any]

    # A title for people.
    title: str


class ToolAnnotations(TypedDict, total=False):
    """Hints about the tool. A host should trust them no more than the tool itself."""

    # The tool may destroy something.
    destructiveHint: bool

    # Repeating a call with the same arguments has no further effect.
    idempotentHint: bool

    # The tool reaches beyond this machine, for example to the web.
    openWorldHint: bool

    # The tool changes nothing.
    readOnlyHint: bool

    # A title for people.
    title: str


# More about a tool. The names of members begin with a domain.
ToolMeta = TypedDict(
    "ToolMeta",
    {
        # What the tool can be asked to do while it keeps running.
        "dev.toolwire/actions": "List[SessionAction]",
    },
    total=False,
)


class Description(TypedDict):
    """The tools of a program: the `structuredContent` of its answer to `describe`
    (chapter 10 of the specification). Unknown members are allowed and are kept.
    """

    # The tools, in a stable order and with unique names.
    tools: List[ToolDocument]

    # Marks the value as a description, and gives its version.
    toolwire: int


# One piece of content. `type` says which kind; a block of an unknown type is skipped
# and kept raw.
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


# The state of a long-running tool: it keeps running, waits for an answer, or has
# stopped.
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
    "bad_url",
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
    "bad_legacy",
    "unknown_action",
    "bad_description",
    "bad_event",
    "bad_line",
    "secret_question",
    "bad_schema",
    "schema_refused",
    "over_budget",
    "default_mismatch",
    "answer_mismatch",
    "cannot_elicit",
    "bad_elicitation",
    "unknown_handle",
    "handle_exists",
    "handle_stopped",
    "action_not_offered",
    "no_question",
    "person_only",
    "bad_tool",
    "limit_schemas",
    "no_jn_hash",
    "bad_launch_uri",
    "value_in_launch_uri",
    "bad_profile_word",
    "bad_profile",
    "bad_server_entry",
    "cannot_convert",
    "bad_lock",
    "newer_lock",
    "unknown_lock_member",
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
    "opened",
    "declined",
    "cancelled",
    "unavailable",
]


# Start, report the state, take input, end early.
SessionAction = Literal[
    "spawn",
    "fetch",
    "apply",
    "abort",
]
