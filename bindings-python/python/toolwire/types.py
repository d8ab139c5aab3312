# Generated from schema/. Do not edit: run `cargo xtask codegen`.
"""The JSON shapes of envelopes, blocks, diagnostics and identities, for type checkers.

They describe what ``json.loads`` makes of the documents. Objects may have members that no
schema names; those are kept. The package does not import this module by itself.

>>> from toolwire.types import TextBlock
>>> block: TextBlock = {"type": "text", "text": "Check succeeded."}
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Buffer, TypeAlias

    from . import _toolwire as _views
    from ._options import AddOptions as AddOptions
    from ._options import CallToolOptions as CallToolOptions
    from ._options import ConnectOptions as ConnectOptions
    from ._options import ListToolsOptions as ListToolsOptions
    from ._options import RunOptions as RunOptions
    from ._options import ServeOptions as ServeOptions
    from ._options import SessionsOptions as SessionsOptions

    # An output: text, or bytes.
    Output: TypeAlias = Union[str, Buffer]
    # A JSON value, or its text. All digits of the numbers in a text count.
    Document: TypeAlias = Union[Mapping[str, Any], Sequence[Any], Output]
    # An output, or what was read of one.
    Readable: TypeAlias = Union[_views.Parsed, _views.Envelope, Output]
    # What a tool answered a call with; None if it was not run.
    ResultInput: TypeAlias = Union[Readable, Mapping[str, Any], None]
    QuestionInput: TypeAlias = Union[_views.Question, Mapping[str, Any], Output]
    CallInput: TypeAlias = Union[_views.Call, Mapping[str, Any], Output]

__all__ = [
    "Action",
    "ActionStyle",
    "Alternatives",
    "Annotations",
    "AnswerRecord",
    "AnswerSource",
    "AnswerState",
    "Asked",
    "AudioBlock",
    "BlockDocument",
    "BlockType",
    "BooleanPrompt",
    "CallContext",
    "CallDocument",
    "CallTool",
    "Carrier",
    "Change",
    "ChangeVerdict",
    "Choice",
    "CommandAnswer",
    "ConvertedServer",
    "Description",
    "Deviation",
    "DeviationKind",
    "Diagnostic",
    "DiagnosticCode",
    "Diff",
    "EditorPrompt",
    "EnvelopeDocument",
    "EnvelopeMeta",
    "ErrorMeta",
    "Fate",
    "FieldPrompt",
    "Fingerprint",
    "FormField",
    "FormPrompt",
    "FromCall",
    "FromElicitation",
    "FromResult",
    "FromTool",
    "Hidden",
    "HiddenKind",
    "HostErrorCode",
    "Identity",
    "ImageBlock",
    "InstructionsReport",
    "LaunchChange",
    "LaunchReport",
    "LaunchVersion",
    "Legacy",
    "LegacyFormat",
    "Level",
    "Limits",
    "LineSource",
    "Lock",
    "LockReport",
    "LockState",
    "Loss",
    "MappedMember",
    "Marker",
    "McpRevision",
    "MessageFamily",
    "MessageProvider",
    "Mismatch",
    "ModelCall",
    "MultiSelectPrompt",
    "NumberPrompt",
    "Profile",
    "ProfileTool",
    "Projection",
    "Prompt",
    "Provider",
    "ProviderMessage",
    "ProviderTools",
    "ProviderTurn",
    "Question",
    "QuestionBlock",
    "ReadLaunch",
    "ReadLock",
    "ReadProfileWord",
    "Receipt",
    "RefusalAbout",
    "RefusalReason",
    "Report",
    "Resource",
    "ResourceBlock",
    "ResourceForm",
    "ResourceLinkBlock",
    "Role",
    "SchemaValidation",
    "Secret",
    "SecretAbout",
    "SecretReason",
    "SecretTier",
    "SelectPrompt",
    "ServerForm",
    "SessionAction",
    "SessionCommand",
    "SessionView",
    "Severity",
    "Skipped",
    "SourceReport",
    "Status",
    "StructuredPolicy",
    "Style",
    "Summary",
    "Target",
    "TerminalBytes",
    "TerminalInput",
    "TerminalKey",
    "TerminalKeys",
    "TerminalSize",
    "TerminalText",
    "TextBlock",
    "TextPrompt",
    "TidyOutput",
    "ToElicitation",
    "ToInputRequired",
    "ToResult",
    "ToTool",
    "ToolAnnotations",
    "ToolDocument",
    "ToolMeta",
    "ToolName",
    "ToolReport",
    "Unanswered",
    "UrlPrompt",
    "Verdict",
    "WithoutElicitation",
    "Witness",
]


class Annotations(TypedDict, total=False):
    """The intended readers of a block, and its priority."""

    # The intended readers. If it is absent, the block is for everybody.
    audience: list[Role]

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
    _meta: dict[str, Any]

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
    trace: list[str]

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
    _meta: dict[str, Any]

    # The intended readers of a block, and its priority.
    annotations: Annotations


class _QuestionRequired(TypedDict):
    """The members that every Question has."""

    # The id, by which an answer refers to the question. It is unique in the envelope.
    id: str

    # A JSON Schema for the answer.
    schema: dict[str, Any]

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
    _meta: dict[str, Any]

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
    _meta: dict[str, Any]

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
    _meta: dict[str, Any]

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
    _meta: dict[str, Any]

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
    _meta: dict[str, Any]

    # The intended readers of a block, and its priority.
    annotations: Annotations


class _EnvelopeDocumentRequired(TypedDict):
    """The members that every EnvelopeDocument has."""

    # The blocks, in the order in which they are shown.
    content: list[BlockDocument]


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
    byCode: dict[str, int]

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
    diagnostics: list[Diagnostic]

    # The unchanged envelope; for raw text, the envelope in its place. It may have
    # warnings.
    envelope: dict[str, Any]

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
        "answers": "dict[str, Any]",
        # The arguments, which fit the tool's `inputSchema`.
        "arguments": "dict[str, Any]",
        # The states and sources of all answers, by question id.
        "dev.toolwire/answers": "dict[str, AnswerRecord]",
        # The name of the tool. It is absent only if a program is asked to describe all
        # of its tools.
        "name": "str",
        # The settings that the host passes to this tool.
        "options": "dict[str, Any]",
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
    inputSchema: dict[str, Any]

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
    outputSchema: dict[str, Any]

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
        "dev.toolwire/actions": "list[SessionAction]",
    },
    total=False,
)


class Description(TypedDict):
    """The tools of a program: the `structuredContent` of its answer to `describe`
    (chapter 10 of the specification). Unknown members are allowed and are kept.
    """

    # The tools, in a stable order and with unique names.
    tools: list[ToolDocument]

    # Marks the value as a description, and gives its version.
    toolwire: int


class Fingerprint(TypedDict):
    """What is computed of a tool: digests that begin with `sha256:`, or the texts that
    they are the digests of.
    """

    # The tool's name and its schemas, without words.
    contract: str

    # What people and models read of it.
    text: str

    # Its annotations and actions, and how its server is launched.
    safety: str


class Skipped(TypedDict):
    """A block that was skipped; the diagnostics say why."""

    # Its index in `content`.
    index: int

    # Its JSON text, unchanged.
    json: str


class _ChangeRequired(TypedDict):
    """The members that every Change has."""

    # The name of the tool.
    tool: str

    # A JSON Pointer into the new tool, or into the old one for what is gone.
    place: str

    # What has changed, such as `parameter_removed`.
    what: str

    verdict: ChangeVerdict

    # What has changed, in words.
    message: str


class Change(_ChangeRequired, total=False):
    """What has changed in a tool."""

    old: Any

    new: Any

    # Arguments, a result or a name that shows that the change breaks callers.
    witness: Witness

    # Whether it is a guess, such as a new name.
    guess: bool

    # What a caller has to do, if anything.
    advice: str


class Witness(TypedDict, total=False):
    """A value that is valid for one version of a tool and not for the other."""

    arguments: Any

    result: Any

    name: str


class Diff(TypedDict):
    """The difference between two versions of a tool, or of a list of tools."""

    # The gravest of the changes.
    verdict: ChangeVerdict

    changes: list[Change]


class LaunchVersion(TypedDict):
    """The version of a package that a launch URI names."""

    text: str

    # Whether only one version fits.
    exact: bool


class ReadLaunch(TypedDict):
    """A launch URI that was read."""

    # What it starts and what is wanted of it; `format_launch_uri` takes it.
    launch: dict[str, Any]

    # The URI in canonical form.
    uri: str

    # The program and its arguments; null for a URL.
    command: Union[list[str], None]

    # The facts that count as safety.
    facts: dict[str, Any]

    # The version of the package; null if none is named.
    version: Union[LaunchVersion, None]


class ReadProfileWord(TypedDict):
    """A word that names a profile, which was read."""

    # What `format_profile_word` takes.
    word: dict[str, Any]

    # The word in canonical form.
    text: str


class _HiddenRequired(TypedDict):
    """The members that every Hidden has."""

    kind: HiddenKind

    # Where it begins, in bytes of UTF-8.
    offset: int

    # How long it is, in bytes of UTF-8.
    length: int

    # Its name.
    name: str


class Hidden(_HiddenRequired, total=False):
    """Something that a text hides from its reader."""

    # The text that it stands for, if any.
    says: str


class Lock(TypedDict):
    """A lock file."""

    lockVersion: int

    # What is locked of each source, by its name.
    sources: dict[str, Any]


class ReadLock(TypedDict):
    """A lock file that was read, and warnings about members that are not known."""

    lock: Lock

    diagnostics: list[_views.Diagnostic]


class LaunchChange(TypedDict):
    """A fact of a launch that differs from what is locked."""

    member: str

    verdict: ChangeVerdict

    old: Any

    new: Any


class _LaunchReportRequired(TypedDict):
    """The members that every LaunchReport has."""

    state: LockState

    changes: list[LaunchChange]


class LaunchReport(_LaunchReportRequired, total=False):
    """How the launch of a source compares with what is locked of it."""

    # What only a launcher or an interpreter knows, and was not asked for.
    notVerified: list[str]


class _InstructionsReportRequired(TypedDict):
    """The members that every InstructionsReport has."""

    state: LockState


class InstructionsReport(_InstructionsReportRequired, total=False):
    """How the instructions of a server compare with what is locked of them."""

    diff: str


class _ToolReportRequired(TypedDict):
    """The members that every ToolReport has."""

    name: str

    state: LockState

    verdict: ChangeVerdict

    # The fingerprints that differ.
    fingerprints: list[str]

    changes: list[Change]

    hidden: list[Any]


class ToolReport(_ToolReportRequired, total=False):
    """How a tool compares with what is locked of it."""

    hiddenCount: int

    problem: str


class SourceReport(TypedDict):
    """How a source compares with what is locked of it."""

    name: str

    state: LockState

    verdict: ChangeVerdict

    launch: LaunchReport

    instructions: InstructionsReport

    # The tools that are not the same.
    tools: list[ToolReport]

    # The number of tools that are the same.
    same: int

    # The number of tools that were not compared.
    notVerified: int


class LockReport(TypedDict):
    """How the sources of a lock compare with it."""

    # The gravest of all sources.
    verdict: ChangeVerdict

    # Whether everything could be compared.
    verified: bool

    sources: list[SourceReport]


class _ProfileToolRequired(TypedDict):
    """The members that every ProfileTool has."""

    name: str

    # The server's name for it.
    tool: str


class ProfileTool(_ProfileToolRequired, total=False):
    """A tool of a profile."""

    # The schema of its arguments, if it is known.
    inputSchema: Any

    # The JSON text of the schema, verbatim.
    inputSchemaText: str


class Profile(TypedDict):
    """A profile: a server, its tools, and what is known of them."""

    # The profile as one document, verbatim.
    text: str

    # How the server is reached.
    launcher: dict[str, Any]

    # The JSON text of the launcher, verbatim.
    launcherText: str

    schemaValidation: SchemaValidation

    tools: list[ProfileTool]

    # What each tool was tried with.
    testedWith: dict[str, list[Any]]


class _DeviationRequired(TypedDict):
    """The members that every Deviation has."""

    what: DeviationKind

    message: str


class Deviation(_DeviationRequired, total=False):
    """How the tools of a server differ from what a profile expects."""

    # The tool, if it is about one.
    tool: str


class MappedMember(TypedDict):
    """What became of a member when a document was mapped to another format."""

    # The place in the document that was mapped, as a JSON Pointer.
    pointer: str

    fate: Fate

    # Why; empty for what is kept.
    reason: str


class _ModelCallRequired(TypedDict):
    """The members that every ModelCall has."""

    name: str


class ModelCall(_ModelCallRequired, total=False):
    """A call that a model has made."""

    # Correlates the result; Gemini may leave it out.
    id: str

    # The namespace of the name, at OpenAI.
    namespace: str

    # Absent if they could not be read.
    arguments: dict[str, Any]

    # What the model wrote instead of an object.
    invalid: str

    # Other members of the provider's call: they go into the history unchanged.
    echo: dict[str, Any]


class ProviderMessage(TypedDict):
    """A tool's result as a message."""

    message: Any

    # The message of the user that belongs behind all results of the turn, or null.
    companion: Any

    report: list[MappedMember]


class ProviderTurn(TypedDict):
    """The messages that answer all calls of a response."""

    messages: list[Any]

    # A report for each result.
    reports: list[list[MappedMember]]


class ToolName(TypedDict):
    """The name under which a model knows a tool."""

    tool: str

    name: str


class ProviderTools(TypedDict):
    """Definitions of tools for a request."""

    tools: list[Any]

    names: list[ToolName]

    report: list[MappedMember]


class FromCall(TypedDict):
    """A call of a model that was read."""

    call: ModelCall

    # The envelope to answer with, if the call is not to be run.
    refusal: Union[EnvelopeDocument, None]

    # The call for later requests.
    history: Any

    report: list[MappedMember]


class ConvertedServer(TypedDict):
    """A server in another form."""

    # What was understood of the server.
    entry: dict[str, Any]

    # The server in the other form.
    text: str

    # The same as a value.
    members: Any

    report: list[MappedMember]


class ToResult(TypedDict):
    """An output as the result of an MCP tool."""

    result: dict[str, Any]

    # The result as JSON text, with all digits of all numbers.
    text: str

    report: list[MappedMember]


class FromResult(TypedDict):
    """The result of an MCP tool as an envelope."""

    parsed: _views.Parsed

    report: list[MappedMember]


class ToTool(TypedDict):
    """A tool as MCP lists it."""

    tool: dict[str, Any]

    # Whether the output schema was wrapped; then results are wrapped too.
    wrapped: bool

    report: list[MappedMember]


class FromTool(TypedDict):
    """A tool that an MCP server lists, as a tool of a description."""

    tool: ToolDocument

    # The name by which the server calls it.
    name: str

    # Whether its output schema was wrapped.
    wrapped: bool

    report: list[MappedMember]


class ToElicitation(TypedDict):
    """A question as MCP asks it."""

    params: dict[str, Any]

    report: list[MappedMember]


class FromElicitation(TypedDict):
    """The question that an MCP server asks."""

    question: _views.Question

    report: list[MappedMember]


class ToInputRequired(TypedDict):
    """The result with which a server asks its client."""

    result: dict[str, Any]

    report: list[MappedMember]


class WithoutElicitation(TypedDict):
    """What replaces questions that a client cannot ask."""

    envelope: _views.Envelope

    # Whether there is another way to each of the answers.
    hasWay: bool


class Legacy(TypedDict):
    """A document in a legacy format, as an envelope."""

    format: LegacyFormat

    # The envelope.
    parsed: _views.Parsed

    report: list[MappedMember]


class Secret(TypedDict):
    """The sign that a question asks for a secret."""

    # The place in the question, such as `/schema/format`, or in the texts before it,
    # such as `/context/0`.
    pointer: str

    reason: SecretReason

    about: SecretAbout

    tier: SecretTier


class _ChoiceRequired(TypedDict):
    """The members that every Choice has."""

    value: Union[
    None,
    bool,
    float,
    str,
]

    # The text that a person sees.
    label: str


class Choice(_ChoiceRequired, total=False):
    """A value to choose."""

    description: str


class _BooleanPromptRequired(TypedDict):
    """The members that every BooleanPrompt has."""

    kind: Literal["boolean"]


class BooleanPrompt(_BooleanPromptRequired, total=False):
    """Yes or no."""

    default: bool


class _SelectPromptRequired(TypedDict):
    """The members that every SelectPrompt has."""

    kind: Literal["select"]

    choices: list[Choice]


class SelectPrompt(_SelectPromptRequired, total=False):
    """One of several values."""

    default: Union[
    None,
    bool,
    float,
    str,
]


class _MultiSelectPromptRequired(TypedDict):
    """The members that every MultiSelectPrompt has."""

    kind: Literal["multi_select"]

    choices: list[Choice]


class MultiSelectPrompt(_MultiSelectPromptRequired, total=False):
    """Some of several values."""

    minItems: int

    maxItems: int

    default: list[Any]


class _TextPromptRequired(TypedDict):
    """The members that every TextPrompt has."""

    kind: Literal["text"]


class TextPrompt(_TextPromptRequired, total=False):
    """Text."""

    minLength: int

    maxLength: int

    pattern: str

    format: str

    default: str


class _NumberPromptRequired(TypedDict):
    """The members that every NumberPrompt has."""

    kind: Literal["number"]

    # Whether it must be an integer.
    integer: bool


class NumberPrompt(_NumberPromptRequired, total=False):
    """A number."""

    minimum: float

    maximum: float

    exclusiveMinimum: float

    exclusiveMaximum: float

    default: float


class _FormFieldRequired(TypedDict):
    """The members that every FormField has."""

    name: str

    required: bool

    prompt: FieldPrompt


class FormField(_FormFieldRequired, total=False):
    """A field of a form."""

    title: str

    description: str


class _FormPromptRequired(TypedDict):
    """The members that every FormPrompt has."""

    kind: Literal["form"]

    fields: list[FormField]

    # The text that an editor starts with, for a host without forms.
    template: str


class FormPrompt(_FormPromptRequired, total=False):
    """An object whose members are asked one after the other."""

    default: dict[str, Any]


class _EditorPromptRequired(TypedDict):
    """The members that every EditorPrompt has."""

    kind: Literal["editor"]

    # The text that the editor starts with.
    template: str


class EditorPrompt(_EditorPromptRequired, total=False):
    """Any value, written in an editor."""

    default: Any


class UrlPrompt(TypedDict):
    """A page that a person may open."""

    kind: Literal["url"]

    # The page to open if the person agrees. Show all of it, and open it for nobody
    # else.
    url: str

    host: str


class Mismatch(TypedDict):
    """A place where a value does not fit a schema."""

    # The place in the value, as a JSON Pointer; empty for the whole value.
    pointer: str

    message: str


class Loss(TypedDict):
    """A part of a schema that its projection does not express."""

    # The place in the schema, as a JSON Pointer.
    pointer: str

    # The keyword.
    what: str


class Projection(TypedDict):
    """A schema in the form that a provider of models accepts."""

    schema: dict[str, Any]

    # The schema as JSON text in exact form.
    text: str

    # Whether the value is the member `answer` of what the model returns.
    wrapped: bool

    losses: list[Loss]


class TidyOutput(TypedDict):
    """An output schema in the common form."""

    schema: dict[str, Any]

    # Whether values are wrapped as `result`.
    wrapped: bool


class TerminalBytes(TypedDict, total=False):
    """What a terminal sends for an input, and what is written to pipes unless it is for
    a terminal alone; or a new size.
    """

    typed: str

    piped: str

    eof: bool

    size: list[int]


class _TerminalTextRequired(TypedDict):
    """The members that every TerminalText has."""

    text: str


class TerminalText(_TerminalTextRequired, total=False):
    """Text that is typed."""

    enter: bool

    eof: bool


class TerminalKey(TypedDict):
    """A key that is pressed."""

    key: str


class TerminalKeys(TypedDict):
    """Keys that are pressed one after the other."""

    keys: list[str]


class TerminalSize(TypedDict):
    """A new size: columns and rows."""

    size: list[int]


class _CommandAnswerRequired(TypedDict):
    """The members that every CommandAnswer has."""

    state: AnswerState

    source: AnswerSource


class CommandAnswer(_CommandAnswerRequired, total=False):
    """A model's answer to a question of a session."""

    value: Any


class _SessionCommandRequired(TypedDict):
    """The members that every SessionCommand has."""

    action: SessionAction

    id: str


class SessionCommand(_SessionCommandRequired, total=False):
    """A model's call of a tool that keeps running; the members depend on the action."""

    arguments: dict[str, Any]

    after: int

    wait: float

    until: str

    view: SessionView

    input: Any

    answer: CommandAnswer

    question: str


class Limits(TypedDict, total=False):
    """Limits for reading. Output that exceeds a limit is read as raw text."""

    # Maximum number of bytes of the whole output (default: 67,108,864).
    max_bytes: int

    # Maximum depth of nested arrays and objects (default: 128).
    max_depth: int

    # Maximum number of JSON values (default: 10,000,000).
    max_values: int

    # Maximum number of elements of `content` (default: 100,000).
    max_blocks: int

    # Maximum number of diagnostics that are kept (default: 100).
    max_diagnostics: int


class Alternatives(TypedDict, total=False):
    """What people can do if a question, such as one for a secret, has no answer."""

    # The service that the secret belongs to.
    service: str

    # How to sign in with OAuth: a page, a command or a tool.
    oauth: str

    # A page where the value can be entered, out of band.
    url: str

    # How to supply the value in advance.
    up_front: str

    # The page where app passwords are created.
    app_passwords: str


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


# What a tool is asked to do: run, explain its arguments, or describe the tools of its
# program.
Action = Literal["run", "format_arguments", "describe"]


# The form of a schema for actions: one object for all of them, or one schema for each.
ActionStyle = Literal["flat", "one_of"]


# Whom a question of a manifest's tool is for.
Asked = Literal["user", "assistant"]


# The type of a block.
BlockType = Literal[
    "text",
    "resource",
    "question",
    "image",
    "audio",
    "resource_link",
]


# Where a call is: in a document of its own, or in the `_meta` of an MCP request.
Carrier = Literal["document", "meta"]


# How grave a change is; the gravest last.
ChangeVerdict = Literal[
    "same",
    "compatible",
    "text",
    "behaviour",
    "safety",
    "unknown",
    "breaking",
]


# How a tool differs from what a profile expects.
DeviationKind = Literal[
    "gone",
    "contract",
    "text",
    "safety",
    "unknown",
    "hash",
    "no_hash",
]


# What became of a member when a document was mapped to another format.
Fate = Literal[
    "kept",
    "moved",
    "approximated",
    "dropped",
]


# How something is hidden in a text.
HiddenKind = Literal[
    "invisible",
    "bidi",
    "tag",
    "variation",
    "homoglyph",
    "escape",
    "control",
    "marks",
]


# Why a tool could not be run, or a server not be used.
HostErrorCode = Literal[
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
    "bad_option",
    "bad_lock",
    "not_locked",
    "not_served",
    "system_error",
]


# A format that came before envelopes.
LegacyFormat = Literal["outcome", "tool_state", "input_text"]


# How serious a log message is: a level of syslog and MCP.
Level = Literal[
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
]


# Who wrote a line of the line transport.
LineSource = Literal["host", "tool"]


# How something compares with what is locked of it.
LockState = Literal[
    "same",
    "changed",
    "added",
    "removed",
    "not_verified",
]


# Where a program has its marker: in a comment, by an import, or in the bytes of an
# executable file.
Marker = Literal["comment", "import", "binary"]


# A revision of MCP.
McpRevision = Literal["2025-06-18", "2025-11-25", "2026-07-28"]


# A family of models, or the version of a framework, where the rules of a provider
# depend on it.
MessageFamily = Literal[
    "azure",
    "gemini_2",
    "nova",
    "llama",
    "mistral",
    "text",
    "writer",
    "ai_sdk_6",
]


# A provider's or a framework's form of messages; `openai` is OpenAI Responses.
MessageProvider = Literal[
    "anthropic",
    "openai",
    "openai_chat",
    "gemini",
    "bedrock",
    "mistral",
    "ai_sdk",
    "langchain",
    "pydantic_ai",
    "openai_agents",
]


# A provider of models, or what all of them accept.
Provider = Literal[
    "common",
    "openai",
    "openai_strict",
    "anthropic",
    "anthropic_strict",
    "google",
]


# What was wanted: a password, another secret, or plain input.
RefusalAbout = Literal["password", "secret", "input"]


# Why a question has no answer; `refused` means that it must not be asked in a form.
RefusalReason = Literal[
    "refused",
    "unavailable",
    "cancelled",
    "declined",
]


# How resources with text are written, where a provider has such a part.
ResourceForm = Literal["text", "document", "search_result"]


# What happens if the tools of a server differ from what a profile expects.
SchemaValidation = Literal["warn", "error", "ignore"]


# The kind of secret that a question asks for.
SecretAbout = Literal["password", "secret"]


# Which part of a question shows that it asks for a secret.
SecretReason = Literal[
    "write_only",
    "format",
    "name",
    "wording",
]


# `declared`: never asked in a form. `suspected`, because of its wording: asked of a
# person only.
SecretTier = Literal["declared", "suspected"]


# A form in which a server is named; the last ones are entries in the files of MCP
# clients.
ServerForm = Literal[
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


# Which part of a result a model gets: content, and structured content if there is none;
# or structured content instead of texts.
StructuredPolicy = Literal["when_empty", "preferred"]


# How the content of a resource is enclosed.
Style = Literal["fence", "xml"]


# Who reads a text.
Target = Literal["model", "terminal"]


# What happens to questions without an answer that is known beforehand.
Unanswered = Literal[
    "ask",
    "defaults",
    "decline",
    "fail",
]


# Which part of a terminal a model reads.
SessionView = Literal["screen", "changes", "new"]


# How a field of a form is presented. `default` is present only if the prompt can
# produce it.
FieldPrompt = Union[
    BooleanPrompt,
    SelectPrompt,
    MultiSelectPrompt,
    TextPrompt,
    NumberPrompt,
]


# How a question is presented to a person. `default` is present only if the prompt can
# produce it.
Prompt = Union[
    BooleanPrompt,
    SelectPrompt,
    MultiSelectPrompt,
    TextPrompt,
    NumberPrompt,
    FormPrompt,
    EditorPrompt,
    UrlPrompt,
]


# Input for a program in a terminal or on pipes: text, which is typed as it is, or an
# object.
TerminalInput = Union[
    str,
    TerminalText,
    TerminalKey,
    TerminalKeys,
    TerminalSize,
]
