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
    HostError,
    Identity,
    Line,
    Message,
    Parsed,
    PendingQuestion,
    Progress,
    Question,
    Summary,
    ToolwireError,
    __version__,
    audio,
    canonicalize,
    digest,
    envelope,
    error,
    explain,
    file_uri,
    format,
    identify,
    image,
    log,
    normalize_uri,
    parse,
    parse_lines,
    progress,
    question,
    receive,
    resource,
    resource_from_bytes,
    resource_from_file,
    resource_link,
    summarize,
    text,
    validate,
)

if _os.environ.get("TOOLWIRE_CALL") == "lines":
    # Before anybody keeps the streams as they are, as `logging` does.
    from ._printed import attribute as _attribute

    _attribute()

_MODULES = ("contract", "elicitation", "legacy", "mcp", "questions", "schema", "types", "wire")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import contract, elicitation, legacy, mcp, questions, schema, types, wire
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
    "Fetched",
    "HostError",
    "Identity",
    "Line",
    "Manifest",
    "Message",
    "Parsed",
    "PendingQuestion",
    "Progress",
    "Question",
    "RunResult",
    "Session",
    "SessionEnded",
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
    "audio",
    "boolean",
    "canonicalize",
    "connect",
    "connect_sync",
    "digest",
    "envelope",
    "error",
    "explain",
    "file_uri",
    "form",
    "format",
    "identify",
    "image",
    "integer",
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
    "parse_lines",
    "progress",
    "question",
    "receive",
    "resource",
    "resource_from_bytes",
    "resource_from_file",
    "resource_link",
    "run",
    "run_sync",
    "select",
    "serve",
    "serve_sync",
    "string",
    "summarize",
    "text",
    "tool",
    "validate",
]

if not TYPE_CHECKING:
    # What only tools need, or only hosts, is imported when it is named. A type checker must not see
    # this, or it would believe in any name.
    def __getattr__(name):
        if name in _MODULES:
            import importlib

            return importlib.import_module(f"toolwire.{name}")
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
        return sorted({*globals(), *__all__, *_MODULES})
