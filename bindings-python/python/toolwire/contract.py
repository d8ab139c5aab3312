# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""What callers rely on: fingerprints, differences, lock files, launch URIs, profiles and hidden text. Nothing
here reads a file, opens a connection or starts a program."""

from __future__ import annotations

from ._toolwire import call as _call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types

__all__ = [
    "check_lock",
    "compare_profile",
    "convert_server",
    "diff_tools",
    "find_hidden",
    "fingerprint",
    "format_launch_uri",
    "format_profile_word",
    "jn_hash",
    "parse_launch_uri",
    "parse_profile_word",
    "project_tool",
    "read_lock",
    "read_profile",
    "read_profile_files",
    "show_hidden",
    "update_lock",
    "write_lock",
    "write_profile",
]


def fingerprint(tool: _types.Document, *, launch: Mapping[str, Any] | None = None, max_schemas: int | None = None) -> _types.Fingerprint:
    """Computes the fingerprints of a tool as MCP lists it. Two tools with the same `contract` take the same
    arguments and return the same results.

    Fails with `bad_tool` if it is no tool, and with `limit_schemas`.

    `launch`: Facts about how its server is launched, which count as safety.

    `max_schemas`: Maximum number of schemas in one schema of the tool (default: 100,000).

    >>> from toolwire import contract
    >>> tool = {'name': 'find', 'inputSchema': {'type': 'object', 'required': ['a', 'b']}}
    >>> same = {'name': 'find', 'inputSchema': {'required': ['b', 'a'], 'type': 'object'}}
    >>> contract.fingerprint(tool) == contract.fingerprint(same)
    True
    >>> reworded = contract.fingerprint({**tool, 'description': 'Finds it.'})
    >>> [name for name, digest in contract.fingerprint(tool).items() if digest != reworded[name]]
    ['text']
    """
    return _call("fingerprint", (tool,), {"launch": launch, "maxSchemas": max_schemas})


def project_tool(tool: _types.Document, *, launch: Mapping[str, Any] | None = None, max_schemas: int | None = None) -> _types.Fingerprint:
    """Returns the three texts whose digests `fingerprint` computes, to see why two tools have different ones.

    `launch`: Facts about how its server is launched, which count as safety.

    `max_schemas`: Maximum number of schemas in one schema of the tool (default: 100,000).

    >>> from toolwire import contract
    >>> contract.project_tool({'name': 'now', 'inputSchema': {}})['contract']
    '{"contract":1,"input":{"dialect":"2020-12","schemas":[{}]},"name":"now"}'
    """
    return _call("project_tool", (tool,), {"launch": launch, "maxSchemas": max_schemas})


def jn_hash(tools: _types.Document) -> str:
    """Computes the MD5 that JN keeps of a list of tools in its profiles: 32 hexadecimal digits. Use it for old
    profiles only, and `fingerprint` for anything else.

    Fails with `no_jn_hash` if JN cannot compute it, as for a parameter without `type`.

    >>> from toolwire import contract
    >>> contract.jn_hash([{'name': 'now', 'inputSchema': {'properties': {}}}])
    '9c9839c5bd05ef71ddd43a5c94b15743'
    """
    return _call("jn_hash", (tools,))


def diff_tools(old: _types.Document, new: _types.Document, *, open: bool | None = None, budget: int | None = None) -> _types.Diff:
    """Compares two versions of a tool, or of a list of tools. Returns the gravest `verdict` and the `changes`.

    Fails with `bad_argument` if one of them is neither a tool nor a list of tools.

    `open`: Take schemas as written, so that arguments which they do not declare are allowed (default: false).

    `budget`: Maximum number of steps for one pair of schemas (default: 200,000).

    >>> from toolwire import contract
    >>> old = {'name': 'find', 'inputSchema': {'type': 'object', 'properties': {'q': {'type': 'string'}}}}
    >>> new = {'name': 'find', 'inputSchema': {'type': 'object', 'properties': {}}}
    >>> diff = contract.diff_tools(old, new)
    >>> diff['verdict'], diff['changes'][0]['what'], diff['changes'][0]['place']
    ('breaking', 'parameter_removed', '/inputSchema/properties/q')
    """
    return _call("diff_tools", (old, new,), {"open": open, "budget": budget})


def parse_launch_uri(uri: str) -> _types.ReadLaunch:
    """Reads a launch URI: `mcp+` and a launcher, `://`, and what it starts. Nothing is started.

    Fails with `bad_launch_uri`.

    >>> from toolwire import contract
    >>> read = contract.parse_launch_uri('mcp+uvx://biomcp-python@1.2/biomcp?command=run')
    >>> read['command']
    ['uvx', '--from', 'biomcp-python==1.2', 'biomcp', 'run']
    >>> contract.format_launch_uri(read['launch'])
    'mcp+uvx://biomcp-python@1.2/biomcp?command=run'
    """
    return _call("parse_launch_uri", (uri,))


def format_launch_uri(launch: _types.Document) -> str:
    """Writes a launch, as `parse_launch_uri` returns it, as a launch URI in canonical form.

    >>> from toolwire import contract
    >>> launch = contract.parse_launch_uri('mcp+npx://@upstash/context7-mcp')['launch']
    >>> contract.format_launch_uri(launch)
    'mcp+npx://@upstash/context7-mcp'
    """
    return _call("format_launch_uri", (launch,))


def parse_profile_word(word: str) -> _types.ReadProfileWord:
    """Reads a word that names a profile, such as `@biomcp/search?gene=BRAF`.

    >>> from toolwire import contract
    >>> contract.parse_profile_word('@biomcp/search?gene=BRAF')['word']['profile']
    'biomcp'
    """
    return _call("parse_profile_word", (word,))


def format_profile_word(word: _types.Document) -> str:
    """Writes a word, as `parse_profile_word` returns it, in canonical form.

    >>> from toolwire import contract
    >>> contract.format_profile_word({'profile': 'biomcp'})
    '@biomcp'
    """
    return _call("format_profile_word", (word,))


def find_hidden(text: str) -> list[_types.Hidden]:
    """Finds what a text hides from its reader: invisible characters, controls, letters of another script and the
    like.

    >>> from toolwire import contract
    >>> [(found['kind'], found['offset']) for found in contract.find_hidden('de\\u200blete')]
    [('invisible', 2)]
    """
    return _call("find_hidden", (text,))


def show_hidden(text: str) -> str:
    """Returns the text with everything that `find_hidden` finds made visible.

    >>> from toolwire import contract
    >>> contract.show_hidden('de\\u200blete')
    'de<U+200B ZERO WIDTH SPACE>lete'
    """
    return _call("show_hidden", (text,))


def read_lock(data: _types.Document) -> _types.ReadLock:
    """Reads the text of a lock file. The diagnostics are about members that are not known.

    Fails with `newer_lock` for a lock of a newer version, and with `bad_lock` for anything else that is no
    lock.

    >>> from toolwire import contract
    >>> read = contract.read_lock('{"lockVersion": 1, "sources": {}}')
    >>> read['lock']['sources'], read['diagnostics']
    ({}, [])
    """
    return _call("read_lock", (data,))


def write_lock(lock: _types.Document) -> str:
    """Writes a lock as the text of its file. The same lock always has the same text. If the lock is given as text,
    all digits of its numbers are kept.

    >>> from toolwire import contract
    >>> contract.write_lock({'sources': {}, 'lockVersion': 1})
    '{\\n  "lockVersion": 1,\\n  "sources": {}\\n}\\n'
    """
    return _call("write_lock", (lock,))


def update_lock(lock: _types.Document, name: str, now: _types.Document) -> str:
    """Replaces one source of a lock by what it is now, and returns the text of the lock file. `now` has any of
    `launch`, `instructions` and `tools`; the tools are as MCP lists them.

    >>> from toolwire import contract
    >>> now = {'tools': [{'name': 'now', 'inputSchema': {'type': 'object'}}]}
    >>> text = contract.update_lock({'lockVersion': 1, 'sources': {}}, 'clock', now)
    >>> list(contract.read_lock(text)['lock']['sources']['clock']['tools'])
    ['now']
    """
    return _call("update_lock", (lock, name, now,))


def check_lock(lock: _types.Document, now: _types.Document, *, offline: bool | None = None, open: bool | None = None, budget: int | None = None) -> _types.LockReport:
    """Compares a lock with what its sources are now. `now` has one member, `sources`, with what `update_lock`
    takes for each source.

    `offline`: Compare only how the sources are launched (default: false).

    `open`: Take schemas as written, so that arguments which they do not declare are allowed (default: false).

    `budget`: Maximum number of steps for one pair of schemas (default: 200,000).

    >>> from toolwire import contract
    >>> now = {'tools': [{'name': 'now', 'inputSchema': {'type': 'object'}}]}
    >>> lock = contract.update_lock({'lockVersion': 1, 'sources': {}}, 'clock', now)
    >>> contract.check_lock(lock, {'sources': {'clock': now}})['verdict']
    'same'
    >>> contract.check_lock(lock, {'sources': {'clock': {'tools': []}}})['verdict']
    'breaking'
    """
    return _call("check_lock", (lock, now,), {"offline": offline, "open": open, "budget": budget})


def read_profile(profile: _types.Document) -> _types.Profile:
    """Reads a profile that is one document, in any shape that JN knows, with its comments.

    Fails with `bad_profile`.

    >>> from toolwire import contract
    >>> profile = contract.read_profile('{"command": "biomcp", "tools": {"search": {"tool": "find"}}}')
    >>> profile['launcher'], profile['tools']
    ({'command': 'biomcp'}, [{'name': 'search', 'tool': 'find'}])
    """
    return _call("read_profile", (profile,))


def read_profile_files(files: _types.Document) -> _types.Profile:
    """Reads a profile that is a folder: the texts of its files by their names.

    >>> from toolwire import contract
    >>> files = {'_meta.json': '{"command": "biomcp"}', 'search.json': '{"notes": "prose"}'}
    >>> [tool['name'] for tool in contract.read_profile_files(files)['tools']]
    ['search']
    """
    return _call("read_profile_files", (files,))


def write_profile(profile: _types.Document, before: _types.Document | None = None) -> dict[str, str]:
    """Writes a profile as the files of a folder: their texts by their names. `profile` is one document. `before`
    is what the folder holds now; what did not change is kept verbatim.

    >>> from toolwire import contract
    >>> list(contract.write_profile({'command': 'biomcp', 'tools': {'search': {}}}))
    ['_meta.json', 'search.json']
    """
    return _call("write_profile", (profile, before,))


def compare_profile(profile: _types.Document, tools: _types.Document, *, launch: Mapping[str, Any] | None = None, max_schemas: int | None = None) -> list[_types.Deviation]:
    """Compares the tools of a server, a list as MCP has it, with what a profile expects of them.

    `launch`: Facts about how its server is launched, which count as safety.

    `max_schemas`: Maximum number of schemas in one schema of the tool (default: 100,000).

    >>> from toolwire import contract
    >>> profile = {'command': 'biomcp', 'tools': {'search': {}}}
    >>> [(it['tool'], it['what']) for it in contract.compare_profile(profile, [])]
    [('search', 'gone')]
    """
    return _call("compare_profile", (profile, tools,), {"launch": launch, "maxSchemas": max_schemas})


def convert_server(server: _types.Document, source: _types.ServerForm, target: _types.ServerForm, *, name: str | None = None, folder: str | None = None) -> _types.ConvertedServer:
    """Converts a server from one form to another. Only the names of environment variables and headers are taken
    over, not their values.

    `name`: The name of the server.

    `folder`: The folder that its relative paths are relative to.

    >>> from toolwire import contract
    >>> entry = {'command': 'uvx', 'args': ['biomcp-python']}
    >>> contract.convert_server(entry, 'mcpServers', 'launch-uri')['text']
    'mcp+uvx://biomcp-python'
    """
    return _call("convert_server", (server, source, target,), {"name": name, "folder": folder})
