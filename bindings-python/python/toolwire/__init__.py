"""Write, read and run tools with typed results that every host and language reads the same way.

Write an answer:

>>> import toolwire as tw
>>> print(tw.envelope(tw.text('3 files checked'), structured_content={'files': 3}))
{"content":[{"text":"3 files checked","type":"text"}],"structuredContent":{"files":3}}

Read any output of a tool:

>>> parsed = tw.parse('not an envelope')
>>> parsed.verdict, parsed.envelope.content[0].text
('raw', 'not an envelope')
"""

import os as _os

# Nothing else is imported here: a tool is a process, so import time is part of every call.
from ._toolwire import (
    Answer,
    Block,
    Call,
    Diagnostic,
    Envelope,
    Exchange,
    HostError,
    Identity,
    Legacy,
    Line,
    Message,
    Parsed,
    PendingQuestion,
    Progress,
    Projection,
    Question,
    SessionMachine,
    Summary,
    ToolwireError,
    __version__,
    action_schema,
    answer_from_elicit_result,
    answer_to_elicit_result,
    audio,
    call_from_meta,
    call_to_meta,
    can_elicit,
    canonicalize,
    check_answer,
    check_lock,
    check_question,
    check_value,
    compare_profile,
    convert_server,
    describe,
    diff_tools,
    digest,
    envelope,
    error,
    explain,
    file_uri,
    find_hidden,
    find_marker,
    find_secret,
    fingerprint,
    format,
    format_launch_uri,
    format_profile_word,
    from_elicitation,
    from_mcp_result,
    from_mcp_tool,
    identify,
    image,
    jn_hash,
    lint_schema,
    log,
    normalize_uri,
    parse,
    parse_arguments,
    parse_launch_uri,
    parse_lines,
    parse_profile_word,
    progress,
    project_schema,
    project_tool,
    prompt,
    question,
    read_call,
    read_command,
    read_description,
    read_event,
    read_legacy,
    read_line,
    read_lock,
    read_profile,
    read_profile_files,
    read_question,
    read_template,
    receive,
    refusal,
    required_capabilities,
    resource,
    resource_from_bytes,
    resource_from_file,
    resource_link,
    show_hidden,
    summarize,
    template,
    terminal_input,
    text,
    to_elicitation,
    to_input_required,
    to_mcp_result,
    to_mcp_tool,
    unwrap_outcome,
    update_lock,
    validate,
    without_elicitation,
    write_lock,
    write_profile,
)

if _os.environ.get("TOOLWIRE_CALL") == "lines":
    # Before anybody keeps the streams as they are, as `logging` does.
    from ._printed import attribute as _attribute

    _attribute()

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._connect import Client, SyncClient, connect, connect_sync
    from ._host import RunResult, ToolList, list_tools, list_tools_sync, run, run_sync
    from ._manifest import Manifest, load_manifest
    from ._serve import serve, serve_sync
    from ._sessions import Fetched, Sessions, SyncSessions
    from .author import (
        Ask,
        Context,
        Session,
        SessionEnded,
        Stop,
        SyncSession,
        Tool,
        ToolError,
        boolean,
        form,
        integer,
        main,
        multi_select,
        number,
        page,
        select,
        string,
        tool,
    )
__all__ = [
    "Answer",
    "Ask",
    "Block",
    "Call",
    "Client",
    "Context",
    "Diagnostic",
    "Envelope",
    "Exchange",
    "Fetched",
    "HostError",
    "Identity",
    "Legacy",
    "Line",
    "Manifest",
    "Message",
    "Parsed",
    "PendingQuestion",
    "Progress",
    "Projection",
    "Question",
    "RunResult",
    "Session",
    "SessionEnded",
    "SessionMachine",
    "Sessions",
    "Stop",
    "Summary",
    "SyncClient",
    "SyncSession",
    "SyncSessions",
    "Tool",
    "ToolError",
    "ToolList",
    "ToolwireError",
    "__version__",
    "action_schema",
    "answer_from_elicit_result",
    "answer_to_elicit_result",
    "audio",
    "boolean",
    "call_from_meta",
    "call_to_meta",
    "can_elicit",
    "canonicalize",
    "check_answer",
    "check_lock",
    "check_question",
    "check_value",
    "compare_profile",
    "connect",
    "connect_sync",
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
    "form",
    "format",
    "format_launch_uri",
    "format_profile_word",
    "from_elicitation",
    "from_mcp_result",
    "from_mcp_tool",
    "identify",
    "image",
    "integer",
    "jn_hash",
    "lint_schema",
    "list_tools",
    "list_tools_sync",
    "load_manifest",
    "log",
    "main",
    "multi_select",
    "normalize_uri",
    "number",
    "page",
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
    "run",
    "run_sync",
    "select",
    "serve",
    "serve_sync",
    "show_hidden",
    "string",
    "summarize",
    "template",
    "terminal_input",
    "text",
    "to_elicitation",
    "to_input_required",
    "to_mcp_result",
    "to_mcp_tool",
    "tool",
    "unwrap_outcome",
    "update_lock",
    "validate",
    "without_elicitation",
    "write_lock",
    "write_profile",
]

if not TYPE_CHECKING:
    # What only tools need, or only hosts, is imported when it is named. A type checker must not see
    # this, or it would believe in any name.
    def __getattr__(name):
        if name.startswith("_") or name not in __all__:
            raise AttributeError(f"module 'toolwire' has no attribute '{name}'")
        if name in ("RunResult", "ToolList", "list_tools", "list_tools_sync", "run", "run_sync"):
            from . import _host as module
        elif name in ("Client", "SyncClient", "connect", "connect_sync"):
            from . import _connect as module
        elif name in ("serve", "serve_sync"):
            from . import _serve as module
        elif name in ("Fetched", "Sessions", "SyncSessions"):
            from . import _sessions as module
        elif name in ("Manifest", "load_manifest"):
            from . import _manifest as module
        else:
            from . import author as module

        found = globals()[name] = getattr(module, name)
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
