# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""The options of what runs: their types, and functions that take them by name and give them as a dict."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal, TypedDict

    from typing_extensions import TypeAlias

    from ._toolwire import Message, PendingQuestion, Progress
    from .types import Limits, Unanswered

    Path: TypeAlias = "str | PathLike[str]"
    Command: TypeAlias = "Path | Sequence[Path]"
    Inherit: TypeAlias = 'Literal["all", "standard"] | Sequence[str]'
    Size: TypeAlias = "tuple[int, int]"
    # Where a function waits on an event loop, its callbacks can be asynchronous.
    Answerer: TypeAlias = Callable[[PendingQuestion], Any]
    Approver: TypeAlias = Callable[[dict[str, Any]], Any]
    OnStderr: TypeAlias = Callable[[bytes], object]
    OnProgress: TypeAlias = Callable[[Progress], object]
    OnLog: TypeAlias = Callable[[Message], object]
    OnHandleState: TypeAlias = Callable[[str, str], object]
    OnHandleProgress: TypeAlias = Callable[[str, Progress], object]
    OnHandleLog: TypeAlias = Callable[[str, Message], object]
    OnHandleStderr: TypeAlias = Callable[[str, bytes], object]
    OnServing: TypeAlias = "Callable[[str | None], object]"

    class RunOptions(TypedDict, total=False):
        """How a tool is called."""

        # Answers the questions; without it they are unavailable.
        answerer: 'Answerer | None'

        # Settings for the tool that no model sees.
        options: 'Mapping[str, Any] | None'

        # The root of the workspace.
        root: 'Path | None'

        # Run the tool, or explain the arguments (default: `run`).
        action: 'Literal["run", "format_arguments"] | None'

        # The name of the host, as people know it; default `Toolwire`.
        host: 'str | None'

        # Maximum number of runs for one result (default: 16).
        max_rounds: 'int | None'

        # Maximum number of wrong answers to one question (default: 3).
        max_tries: 'int | None'

        # Answers that are known beforehand, by question id; their source is `policy`.
        given: 'Mapping[str, Any] | None'

        # What happens to all other questions (default: `ask`).
        unanswered: 'Unanswered | None'

        # What people can do if a tool cannot go on without an answer, by question id; `*` for all others.
        refusals: 'Mapping[str, Mapping[str, str]] | None'

        # Gets stderr live; a piece may begin and end inside a character.
        on_stderr: 'OnStderr | None'

        # Gets how far the tool has come, if it says so. Newer progress replaces what waits.
        on_progress: 'OnProgress | None'

        # Gets the log messages of the tool. If many wait, the oldest are left out.
        on_log: 'OnLog | None'

        # The working directory; default: that of this process.
        cwd: 'Path | None'

        # Which environment variables the program inherits: `standard`, `all`, or a list of names.
        inherit: 'Inherit | None'

        # Environment variables that are set beside those.
        env: 'Mapping[str, str] | None'

        # Time limit for each run; default: none. In seconds.
        timeout: 'float | None'

        # Maximum number of bytes of output (default: 67,108,864).
        max_output: 'int | None'

        # Limits for reading its answer.
        limits: 'Limits | None'

    class ListToolsOptions(TypedDict, total=False):
        """How a program is asked for its tools."""

        # Gets stderr live; a piece may begin and end inside a character.
        on_stderr: 'OnStderr | None'

        # The working directory; default: that of this process.
        cwd: 'Path | None'

        # Which environment variables the program inherits: `standard`, `all`, or a list of names.
        inherit: 'Inherit | None'

        # Environment variables that are set beside those.
        env: 'Mapping[str, str] | None'

        # Time limit for each run; default: none. In seconds.
        timeout: 'float | None'

        # Maximum number of bytes of output (default: 67,108,864).
        max_output: 'int | None'

        # Limits for reading its answer.
        limits: 'Limits | None'

    class ConnectOptions(TypedDict, total=False):
        """How a server is reached and used."""

        # What messages and questions call the server.
        name: 'str | None'

        # The file of an MCP client in which a name is looked up.
        config: 'Path | None'

        # Start a command of a launch URI or a file although nobody has agreed to it (default: false).
        trust: 'bool | None'

        # Headers that are sent to the URL, and to nobody else.
        headers: 'Mapping[str, str] | None'

        # How long the server may take until it is ready (default: 60). In seconds.
        connect_timeout: 'float | None'

        # How long a call may take in all, although the server reports progress (default: 3,600). In seconds.
        max_timeout: 'float | None'

        # Maximum number of bytes of one message (default: 67,108,864).
        max_message: 'int | None'

        # Send the context of calls to a server that does not say that it knows Toolwire (default: false).
        send_context: 'bool | None'

        # The working directory; default: that of this process.
        cwd: 'Path | None'

        # Which environment variables the program inherits: `standard`, `all`, or a list of names.
        inherit: 'Inherit | None'

        # Environment variables that are set beside those.
        env: 'Mapping[str, str] | None'

        # Time limit for each run; default: none. In seconds.
        timeout: 'float | None'

        # Limits for reading its answer.
        limits: 'Limits | None'

    class CallToolOptions(TypedDict, total=False):
        """How a tool of a server is called."""

        # Answers the questions; without it they are unavailable.
        answerer: 'Answerer | None'

        # Settings for the tool that no model sees.
        options: 'Mapping[str, Any] | None'

        # The root of the workspace.
        root: 'Path | None'

        # The name of the host, as people know it; default `Toolwire`.
        host: 'str | None'

        # Maximum number of runs for one result (default: 16).
        max_rounds: 'int | None'

        # Maximum number of wrong answers to one question (default: 3).
        max_tries: 'int | None'

        # Answers that are known beforehand, by question id; their source is `policy`.
        given: 'Mapping[str, Any] | None'

        # What happens to all other questions (default: `ask`).
        unanswered: 'Unanswered | None'

        # What people can do if a tool cannot go on without an answer, by question id; `*` for all others.
        refusals: 'Mapping[str, Mapping[str, str]] | None'

        # Gets stderr live; a piece may begin and end inside a character.
        on_stderr: 'OnStderr | None'

        # Gets how far the tool has come, if it says so. Newer progress replaces what waits.
        on_progress: 'OnProgress | None'

        # Gets the log messages of the tool. If many wait, the oldest are left out.
        on_log: 'OnLog | None'

    class SessionsOptions(TypedDict, total=False):
        """What is set for all handles."""

        # Gets each question that is for a person.
        answerer: 'Answerer | None'

        # Gets each action that needs approval, and says true, false, or why not; default: nobody is asked.
        approve: 'Approver | None'

        # Gets the id of a handle and its new state.
        on_state: 'OnHandleState | None'

        # Gets how far the tool of a handle has come.
        on_progress: 'OnHandleProgress | None'

        # Gets the log messages of the tool of a handle.
        on_log: 'OnHandleLog | None'

        # Gets what the tool of a handle writes to stderr.
        on_stderr: 'OnHandleStderr | None'

        # The rules for tools that have none of their own.
        rules: 'Mapping[str, Any] | None'

        # Maximum number of handles, the stopped ones included (default: 256).
        max_handles: 'int | None'

        # Maximum number of bytes of all buffers together (default: 268,435,456).
        max_memory: 'int | None'

        # How long a stopped handle can be fetched (default: 600). In seconds.
        keep: 'float | None'

        # How long a spawn, and something that is applied, waits for what the tool says to it (default: 1). In seconds.
        first_wait: 'float | None'

        # When nothing was said for so long, what was said is taken to be all for now (default: 0.1). In seconds.
        quiet: 'float | None'

        # Maximum number of bytes of blocks in one answer (default: 65,536).
        max_reply: 'int | None'

        # The longest time that a model can make the host wait (default: 60). In seconds.
        max_wait: 'float | None'

    class AddOptions(TypedDict, total=False):
        """How tools are added to sessions."""

        # Drives any program as one tool: in a pseudo-terminal, or on plain pipes.
        session: 'Literal["pty", "pipe"] | None'

        # The columns and rows of its pseudo-terminal; default: 80 and 24.
        size: 'Size | None'

        # The name of that tool; default: that of its file.
        name: 'str | None'

        # What that tool is, for a model.
        description: 'str | None'

        # The tools of the program that are added; default: all.
        only: 'Sequence[str] | None'

        # The rules for their handles.
        rules: 'Mapping[str, Any] | None'

        # Settings for the tools that no model sees.
        options: 'Mapping[str, Any] | None'

        # The root of the workspace.
        root: 'Path | None'

        # The name of the host, as people know it; default `Toolwire`.
        host: 'str | None'

        # Maximum number of wrong answers to one question (default: 3).
        max_tries: 'int | None'

        # Answers that are known beforehand, by question id; their source is `policy`.
        given: 'Mapping[str, Any] | None'

        # What happens to all other questions (default: `ask`).
        unanswered: 'Unanswered | None'

        # What people can do if a tool cannot go on without an answer, by question id; `*` for all others.
        refusals: 'Mapping[str, Mapping[str, str]] | None'

        # The working directory; default: that of this process.
        cwd: 'Path | None'

        # Which environment variables the program inherits: `standard`, `all`, or a list of names.
        inherit: 'Inherit | None'

        # Environment variables that are set beside those.
        env: 'Mapping[str, str] | None'

        # Time limit for each run; default: none. In seconds.
        timeout: 'float | None'

        # Maximum number of bytes of output (default: 67,108,864).
        max_output: 'int | None'

        # Limits for reading its answer.
        limits: 'Limits | None'

    class SourceOptions(TypedDict, total=False):
        """How the tools of a source are added to `Tools`."""

        # The lock that the source and its tools have to be as; default: none.
        lock: 'Path | None'

        # The tools of the program that are added; default: all.
        only: 'Sequence[str] | None'

        # The rules for their handles.
        rules: 'Mapping[str, Any] | None'

        # Settings for the tools that no model sees.
        options: 'Mapping[str, Any] | None'

        # The root of the workspace.
        root: 'Path | None'

        # The file of an MCP client in which a name is looked up.
        config: 'Path | None'

        # Start a command of a launch URI or a file although nobody has agreed to it (default: false).
        trust: 'bool | None'

        # Headers that are sent to the URL, and to nobody else.
        headers: 'Mapping[str, str] | None'

        # How long the server may take until it is ready (default: 60). In seconds.
        connect_timeout: 'float | None'

        # How long a call may take in all, although the server reports progress (default: 3,600). In seconds.
        max_timeout: 'float | None'

        # Maximum number of bytes of one message (default: 67,108,864).
        max_message: 'int | None'

        # Send the context of calls to a server that does not say that it knows Toolwire (default: false).
        send_context: 'bool | None'

        # The name of the host, as people know it; default `Toolwire`.
        host: 'str | None'

        # Maximum number of wrong answers to one question (default: 3).
        max_tries: 'int | None'

        # Answers that are known beforehand, by question id; their source is `policy`.
        given: 'Mapping[str, Any] | None'

        # What happens to all other questions (default: `ask`).
        unanswered: 'Unanswered | None'

        # What people can do if a tool cannot go on without an answer, by question id; `*` for all others.
        refusals: 'Mapping[str, Mapping[str, str]] | None'

        # The working directory; default: that of this process.
        cwd: 'Path | None'

        # Which environment variables the program inherits: `standard`, `all`, or a list of names.
        inherit: 'Inherit | None'

        # Environment variables that are set beside those.
        env: 'Mapping[str, str] | None'

        # Time limit for each run; default: none. In seconds.
        timeout: 'float | None'

        # Maximum number of bytes of output (default: 67,108,864).
        max_output: 'int | None'

        # Limits for reading its answer.
        limits: 'Limits | None'

    class ServeOptions(TypedDict, total=False):
        """What is served, and how."""

        # The address at which the server listens; default: stdin and stdout.
        http: 'str | None'

        # What the server calls itself.
        name: 'str | None'

        # What the server says about its use.
        instructions: 'str | None'

        # A manifest whose tools are served.
        manifest: 'Path | None'

        # The tools that are served, by the names that clients see; default: all.
        only: 'Sequence[str] | None'

        # Tools that are not served.
        exclude: 'Sequence[str] | None'

        # Maximum number of tools on a page of the list (default: 100).
        page_size: 'int | None'

        # How long a client may take between two rounds (default: 600). In seconds.
        state_lifetime: 'float | None'

        # Put the name of each program before those of its tools (default: false).
        prefix: 'bool | None'

        # The root of the workspace.
        root: 'Path | None'

        # Maximum number of tools that run at once (default: 32).
        jobs: 'int | None'

        # Maximum number of calls that wait (default: 256).
        queue: 'int | None'

        # The number of tools above which clients see a tool that finds the others.
        search_above: 'int | None'

        # Show clients schemas without `$ref` and dialects (default: false).
        plain_schemas: 'bool | None'

        # The bytes of a result above which clients get a preview of it.
        keep_results: 'int | None'

        # A file with the keys that seal what clients hold between two rounds.
        state_keys: 'Path | None'

        # A file with a principal, `:` and a token on each line.
        tokens: 'Path | None'

        # Serve everybody who reaches the address (default: false).
        no_token: 'bool | None'

        # More hosts by which the server may be reached.
        hosts: 'Sequence[str] | None'

        # Web pages that may reach the server.
        origins: 'Sequence[str] | None'

        # Gets the URL, or nothing for stdin and stdout, when clients can connect.
        on_serving: 'OnServing | None'

        # The working directory; default: that of this process.
        cwd: 'Path | None'

        # Which environment variables the program inherits: `standard`, `all`, or a list of names.
        inherit: 'Inherit | None'

        # Environment variables that are set beside those.
        env: 'Mapping[str, str] | None'

        # Time limit for each run; default: none. In seconds.
        timeout: 'float | None'

        # Maximum number of bytes of output (default: 67,108,864).
        max_output: 'int | None'


def run(*, answerer: "Any" = None, options: "Any" = None, root: "Any" = None, action: "Any" = None, host: "Any" = None, max_rounds: "Any" = None, max_tries: "Any" = None, given: "Any" = None, unanswered: "Any" = None, refusals: "Any" = None, on_stderr: "Any" = None, on_progress: "Any" = None, on_log: "Any" = None, cwd: "Any" = None, inherit: "Any" = None, env: "Any" = None, timeout: "Any" = None, max_output: "Any" = None, limits: "Any" = None) -> "dict[str, Any]":
    return locals()


def list_tools(*, on_stderr: "Any" = None, cwd: "Any" = None, inherit: "Any" = None, env: "Any" = None, timeout: "Any" = None, max_output: "Any" = None, limits: "Any" = None) -> "dict[str, Any]":
    return locals()


def connect(*, name: "Any" = None, config: "Any" = None, trust: "Any" = None, headers: "Any" = None, connect_timeout: "Any" = None, max_timeout: "Any" = None, max_message: "Any" = None, send_context: "Any" = None, cwd: "Any" = None, inherit: "Any" = None, env: "Any" = None, timeout: "Any" = None, limits: "Any" = None) -> "dict[str, Any]":
    return locals()


def call(*, answerer: "Any" = None, options: "Any" = None, root: "Any" = None, host: "Any" = None, max_rounds: "Any" = None, max_tries: "Any" = None, given: "Any" = None, unanswered: "Any" = None, refusals: "Any" = None, on_stderr: "Any" = None, on_progress: "Any" = None, on_log: "Any" = None) -> "dict[str, Any]":
    return locals()


def sessions(*, answerer: "Any" = None, approve: "Any" = None, on_state: "Any" = None, on_progress: "Any" = None, on_log: "Any" = None, on_stderr: "Any" = None, rules: "Any" = None, max_handles: "Any" = None, max_memory: "Any" = None, keep: "Any" = None, first_wait: "Any" = None, quiet: "Any" = None, max_reply: "Any" = None, max_wait: "Any" = None) -> "dict[str, Any]":
    return locals()


def add(*, session: "Any" = None, size: "Any" = None, name: "Any" = None, description: "Any" = None, only: "Any" = None, rules: "Any" = None, options: "Any" = None, root: "Any" = None, host: "Any" = None, max_tries: "Any" = None, given: "Any" = None, unanswered: "Any" = None, refusals: "Any" = None, cwd: "Any" = None, inherit: "Any" = None, env: "Any" = None, timeout: "Any" = None, max_output: "Any" = None, limits: "Any" = None) -> "dict[str, Any]":
    return locals()


def source(*, lock: "Any" = None, only: "Any" = None, rules: "Any" = None, options: "Any" = None, root: "Any" = None, config: "Any" = None, trust: "Any" = None, headers: "Any" = None, connect_timeout: "Any" = None, max_timeout: "Any" = None, max_message: "Any" = None, send_context: "Any" = None, host: "Any" = None, max_tries: "Any" = None, given: "Any" = None, unanswered: "Any" = None, refusals: "Any" = None, cwd: "Any" = None, inherit: "Any" = None, env: "Any" = None, timeout: "Any" = None, max_output: "Any" = None, limits: "Any" = None) -> "dict[str, Any]":
    return locals()


def serve(*, http: "Any" = None, name: "Any" = None, instructions: "Any" = None, manifest: "Any" = None, only: "Any" = None, exclude: "Any" = None, page_size: "Any" = None, state_lifetime: "Any" = None, prefix: "Any" = None, root: "Any" = None, jobs: "Any" = None, queue: "Any" = None, search_above: "Any" = None, plain_schemas: "Any" = None, keep_results: "Any" = None, state_keys: "Any" = None, tokens: "Any" = None, no_token: "Any" = None, hosts: "Any" = None, origins: "Any" = None, on_serving: "Any" = None, cwd: "Any" = None, inherit: "Any" = None, env: "Any" = None, timeout: "Any" = None, max_output: "Any" = None) -> "dict[str, Any]":
    return locals()
