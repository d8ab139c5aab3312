# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
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
    Line,
    Message,
    Parsed,
    PendingQuestion,
    Progress,
    Question,
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

# What only tools need, or only hosts, is imported when it is named.
_LATE = {
    "Client": "_connect",
    "SyncClient": "_connect",
    "connect": "_connect",
    "connect_sync": "_connect",
    "RunResult": "_host",
    "ToolList": "_host",
    "list_tools": "_host",
    "list_tools_sync": "_host",
    "run": "_host",
    "run_sync": "_host",
    "Manifest": "_manifest",
    "load_manifest": "_manifest",
    "serve": "_serve",
    "serve_sync": "_serve",
    "Fetched": "_sessions",
    "Sessions": "_sessions",
    "SyncSessions": "_sessions",
    "SyncTools": "_tools",
    "ToolTurn": "_tools",
    "Tools": "_tools",
    "Ask": "author",
    "Context": "author",
    "Session": "author",
    "SessionEnded": "author",
    "Stop": "author",
    "SyncSession": "author",
    "Tool": "author",
    "ToolError": "author",
    "boolean": "author",
    "form": "author",
    "integer": "author",
    "main": "author",
    "multi_select": "author",
    "number": "author",
    "page": "author",
    "select": "author",
    "string": "author",
    "tool": "author",
}
_MODULES = ("contract", "elicitation", "legacy", "mcp", "providers", "questions", "schema", "types", "wire")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import contract, elicitation, legacy, mcp, providers, questions, schema, types, wire
    from ._connect import Client, SyncClient, connect, connect_sync
    from ._host import RunResult, ToolList, list_tools, list_tools_sync, run, run_sync
    from ._manifest import Manifest, load_manifest
    from ._serve import serve, serve_sync
    from ._sessions import Fetched, Sessions, SyncSessions
    from ._tools import SyncTools, ToolTurn, Tools
    from .author import Ask, Context, Session, SessionEnded, Stop, SyncSession, Tool, ToolError, boolean, form, integer, main, multi_select, number, page, select, string, tool
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
    "SyncClient",
    "SyncSession",
    "SyncSessions",
    "SyncTools",
    "Tool",
    "ToolError",
    "ToolList",
    "ToolTurn",
    "Tools",
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
    # A type checker must not see this, or it would believe in any name.
    def __getattr__(name):
        if name not in _LATE and name not in _MODULES:
            raise AttributeError(f"module 'toolwire' has no attribute '{name}'")
        if name in _MODULES:
            return __import__(f"toolwire.{name}", fromlist=("__doc__",))
        module = __import__(f"toolwire.{_LATE[name]}", fromlist=(name,))
        found = globals()[name] = getattr(module, name)
        return found

    def __dir__():
        return sorted({*globals(), *__all__, *_MODULES})
