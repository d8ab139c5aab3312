"""The tools of a folder: `load_manifest`, and running them by name."""

from . import _options
from ._blocking import at_once
from ._host import RunResult, _converse, _in_this_thread, _listed, _on_the_loop
from ._toolwire import Manifest as Read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from typing_extensions import Unpack

    from ._host import ToolList
    from ._options import Path, RunOptions
    from .types import ToolDocument


def load_manifest(path: "Path | None" = None) -> "Manifest":
    """Read a folder's tools from its manifest, `toolwire.toml`.

    `path` is the file. Without it, it is the nearest `toolwire.toml`, in the current folder or the
    nearest one above it that has one.

    A `HostError` says what is wrong, with a `code`: `manifest_not_found`; `bad_manifest` for a mistake,
    whose message begins with the file, the line and the column; or `untrusted_manifest` for one that
    was found, that others could have written, and that nobody has trusted with `toolwire trust`. A
    manifest whose path you give is used whoever wrote it.

    >>> import tempfile, pathlib, toolwire as tw
    >>> file = pathlib.Path(tempfile.mkdtemp(), 'toolwire.toml')
    >>> _ = file.write_text('''[tools.greet]
    ... command = ["echo", "Hello,", "{who}"]
    ... parameters.who = { type = "string", description = "whom to greet" }
    ... ''')
    >>> manifest = tw.load_manifest(file)
    >>> manifest.names
    ['greet']
    >>> manifest.run_sync('greet', {'who': 'Ada'}).parsed.envelope.content[0].text
    'Hello, Ada\\n'
    """
    return Manifest(path)


class ManifestTools(list["ToolDocument"]):
    """The tools of a manifest, and why others are not among them. Made by `Manifest.list_tools`."""

    problems: "dict[str, str]"
    """The reasons, by the names of the tools."""

    def __init__(self, listed: "ToolList") -> None:
        super().__init__(listed.tools or [])
        meta = listed.result.parsed.envelope.meta or {}
        self.problems = dict(meta.get("dev.toolwire/problems", {}))


class Manifest:
    """The tools of a folder. Made by `load_manifest`.

    >>> import toolwire as tw
    >>> try:
    ...     tw.load_manifest('./no/toolwire.toml')
    ... except tw.HostError as error:
    ...     print(error.code)
    manifest_not_found
    """

    __slots__ = ("_read",)

    def __init__(self, path: "Path | None" = None) -> None:
        self._read = Read(path)

    @property
    def path(self) -> str:
        """The file, as an absolute path."""
        return str(self._read.path)

    @property
    def names(self) -> "list[str]":
        """The names of the tools, in alphabetical order."""
        return self._read.names

    async def list_tools(self) -> "ManifestTools":
        """Describe all tools, as dicts in MCP's shape: name, title, description, input schema.

        A program that the manifest does not describe with `parameters` is asked if it is marked as a
        tool, or if the manifest says `describe = true`. A tool that can't be described is left out;
        `problems` of the list says why, by name.

        >>> import asyncio, tempfile, pathlib, toolwire as tw
        >>> file = pathlib.Path(tempfile.mkdtemp(), 'toolwire.toml')
        >>> _ = file.write_text('tools.today = { command = "date", plain = true, description = "The date." }')
        >>> tools = asyncio.run(tw.load_manifest(file).list_tools())
        >>> tools[0]['name'], tools[0].get('description')
        ('today', 'The date.')
        """
        return ManifestTools(_listed(await _converse(self._read, _options.list_tools(), _on_the_loop, True)))

    def list_tools_sync(self) -> "ManifestTools":
        """Describe all tools, as `list_tools` does; the thread waits."""
        return ManifestTools(_listed(at_once(_converse(self._read, _options.list_tools(), _in_this_thread, True))))

    async def run(
        self, tool: str, arguments: "Mapping[str, Any] | None" = None, **options: "Unpack[RunOptions]"
    ) -> RunResult:
        """Call a tool by its name in the manifest, as `toolwire.run` calls a program.

        What the manifest says of the tool holds; what is given here comes before it. Arguments that do
        not fit the manifest's `parameters` are answered with an error for the model, and nothing runs.
        Questions that the manifest answers itself do not reach `answerer`. For all others
        `question.who` is `'user'`, `'assistant'` or None; an answer from the source `'assistant'` to a
        question for the user is not taken.

        A name that is not there is a `HostError` with the code `unknown_tool`.
        """
        return RunResult(**await _converse(self._read, self._call(tool, arguments, options), _on_the_loop))

    def run_sync(
        self, tool: str, arguments: "Mapping[str, Any] | None" = None, **options: "Unpack[RunOptions]"
    ) -> RunResult:
        """Call a tool by its name, as `run` does; the thread waits, and Ctrl-C ends the tool."""
        return RunResult(**at_once(_converse(self._read, self._call(tool, arguments, options), _in_this_thread)))

    def _call(self, tool: str, arguments: "Any", options: "RunOptions") -> "dict[str, Any]":
        return {"tool": tool, "arguments": arguments, **_options.run(**options)}

    def __repr__(self) -> str:
        return f"<toolwire.Manifest {self.path}: {', '.join(self.names) or 'no tools'}>"

