//! Programs that are tools, and those of a manifest.

pub const SERVE: &str = "\
Speaks MCP in the revisions 2025-06-18, 2025-11-25 and 2026-07-28, whichever the client knows.
Programs are asked for their tools, so each must be able to describe itself, or be named in a
manifest. One that can't be described is reported on stderr and left out. A changed program or
manifest is noticed while the server runs. A tool that differs from `toolwire.lock` is reported; with
--locked it is not served.

A tool's questions are asked through the client (elicitation). A client that has no elicitation gets
an error that names the other ways that the manifest knows (`refusals`).

A program that can take many calls in one process is kept for them; for any other, each call is a
process of its own. A call is stopped when its client cancels it, and all are when stdin ends or on
SIGTERM. A tool that keeps running goes on: its handle is in the session host of the workspace,
where the next server finds it, and `toolwire session` too. Over HTTP it ends with the server.

Keys for `requestState` are 32 random bytes each in base64 or hexadecimal, as
`openssl rand -base64 32` writes them. Servers that stand behind one address need the same keys;
over HTTP, clients of the two older revisions also need each request with an `Mcp-Session-Id` to
reach the same server.

Examples:
  toolwire serve ./tool.py
  toolwire serve ./tool.py --print-config cursor
  toolwire serve ./tool.py ./other.sh --prefix
  toolwire serve --only greet --root .
  toolwire serve --search-above 40 --keep-results 32KiB ./tool.py
  toolwire serve --inherit standard,GITHUB_TOKEN --timeout 1m --jobs 8 ./tool.py
  toolwire serve ./tool.py --answer confirm=true --non-interactive decline
  toolwire serve --state-keys keys.txt -- ./tool.py --verbose

Exit codes:
  0  the client has left
  1  there is nothing to serve: names collide, or no tool could be described
  2  the command line or the manifest is wrong
  5  a manifest or a file with keys could not be read";

pub const RUN_USAGE: &str = "\
toolwire run [OPTIONS] SOURCE [TOOL] [ARGUMENT]...
       toolwire run [OPTIONS] TOOL [ARGUMENT]... -- COMMAND [ARG]...
       toolwire run [OPTIONS] -- COMMAND [ARG]...         (any program)";

pub const RUN: &str = "\
A source is ./PROGRAM, a NAME (of toolwire.toml or of a server in a client's file), @PROFILE, a URL or
a launch URI. A program gets a call (arguments and answers) if a manifest names it, if it is marked as
a tool (it imports Toolwire's library, or has the comment line `# toolwire-tool: 1`), or if --call or
an option for questions is given. Any other program is run once, as from a shell, with an empty stdin.
Arguments that might not reach a program are refused before it runs.

COMMAND is run like any other program. If a TOOL, an ARGUMENT or --args precedes it, it starts a marked
tool or an MCP server, which has the tool.

A program that is marked or named in a manifest is first asked to describe itself. Questions are
asked at the terminal, unless an option answers them; a password is never asked for. Ctrl-C cancels
the call, a second Ctrl-C kills the tool, and Ctrl-Z suspends the command and the tool.

A server speaks MCP, in one of the revisions 2025-06-18, 2025-11-25 and 2026-07-28. Its program is
started for the call, and ends with it. The tools of a profile's server are compared with the profile:
`schema_validation` decides whether a difference is reported or refuses the call, and --ignore-schema
leaves it out for once. Tokens come from the environment or the file of --config, never from the
command line, and are sent to the origin of the URL alone. Servers that want OAuth are not supported.

A command that you did not type, of a launch URI or of a client's file, is shown before its first
start, and starts once you have agreed: at the terminal, by `toolwire trust --server SOURCE`, or
for once by --yes.

Arguments are written as `name=value`, `--name value` or `--name=value`, booleans also as `--name`
or `--no-name`, and members of objects as `author.name=Ada`. Options stand before the source;
everything after it belongs to the tool.

With --each, stdin has a JSON object of arguments on each line, and each result is a line of JSON.
Questions are asked at the terminal. With --resume FILE the same command goes on after a break. A
record for which nothing was called, since it was wrong, may be mended by then.

A tool that differs from `toolwire.lock` is reported; with --locked it is refused before it is called,
and so is one that is not locked.

Assistants: the program of `--assistant` is run for each question. It reads one JSON object:
  {\"toolwire\":1,
   \"tool\":{\"name\":\"rename\",\"arguments\":{\"path\":\"a\",\"to\":\"b\"}},
   \"question\":{\"id\":\"confirm\",\"text\":\"Replace b?\",\"schema\":{\"type\":\"boolean\"}},
   \"context\":[{\"type\":\"text\",\"text\":\"b exists already.\"}],
   \"schema\":{…},       the JSON Schema of {\"answer\":VALUE}, in the form that APIs of models accept
   \"mismatches\":[…]}   why the previous answer did not fit: [{\"pointer\":\"…\",\"message\":\"…\"}]
It prints one of these and exits with status 0. After anything else it is asked again, up to three
times in all:
  {\"answer\":VALUE}    {\"state\":\"declined\"}    {\"state\":\"unavailable\"}
Questions for passwords and other secrets never reach it. `examples/assistant/ask_model.py` in the
repository is an assistant that uses the HTTP API of a model.

Examples:
  toolwire run ./tool.py search text=main
  toolwire run --answer confirm=true ./tool.py rename path=a to=b
  toolwire run --args '{\"path\":\"a\",\"to\":\"b\"}' --non-interactive defaults ./tool.py rename
  toolwire run --assistant './assistant --yes' ./tool.py rename path=a to=b
  toolwire run --answer confirm=yes ./tool.py rename --path a --to=b
  toolwire run --json --timeout 10s --max-output 1MB ./tool.py search text=main
  toolwire run --call ./tool.py search text=main     if the program is not marked
  toolwire run -- echo hello                          any program, with its own arguments
  toolwire run greet name=Ada
  toolwire run --each --jobs 4 ./tool.py search < records.ndjson
  toolwire run add a=1 b=2 -- npx -y my-server        a tool of an MCP server
  toolwire run --timeout 30s http://127.0.0.1:8080/mcp add a=1 b=2
  toolwire run --header-env Authorization=TOKEN https://example.org/mcp search text=x
  toolwire run --config servers.json --yes files add --a 1 --b=2
  toolwire run 'mcp+uvx://mcp-server-time' get_current_time timezone=UTC
  toolwire run '@docs/add?a=1&b=2'
  toolwire run --each --resume journal --retry 3 add b=2 -- ./server.py < records.ndjson >> results

Exit codes:
  0  done    1  the result is an error    2  usage, or arguments that do not fit
  5  the program could not be started or the server used, or input or output failed";

pub const INIT_USAGE: &str = "\
toolwire init [OPTIONS]                              (a new tool)
       toolwire init [OPTIONS] ./PROGRAM
       toolwire init [OPTIONS] -- COMMAND [ARG]...";

pub const INIT: &str = "\
Writes a tool that runs, and its entry in the nearest `toolwire.toml`, or in a new one. No file
is overwritten, and the existing entries of the manifest are not changed.

For a program that there is already, it proposes an entry. A program that is marked as a tool
describes itself. Any other is started with `--help`, after asking, and the entry has the description,
options, positionals and choices that argparse, click, typer, clap and others print there. Look at it:
what a help does not say, such as the type of a value, is not in it. A subcommand has its own entry.

Examples:
  toolwire init --language python --name greet-somebody
  toolwire init --language sh --yes
  toolwire init --yes ./resize.py
  toolwire init --yes -- ./many.py add

Exit codes:
  0  written    1  you did not agree, or the help could not be read    2  usage, the name or the file
  exists, or nobody could be asked    5  the program could not be started, or the files not written";

pub const TRUST: &str = "\
A manifest that belongs to neither you nor root, or that others can write to, is not used until you
trust it. Trust applies to its path and its present content: after a change, trust it again.
Manifests and folders that the variable TOOLWIRE_TRUSTED_MANIFESTS names are trusted, whatever they
contain.

Examples:
  toolwire trust
  toolwire trust toolwire.toml --json
  toolwire trust --remove

Exit codes:
  0  done    2  usage, or a mistake in the manifest    5  there is none, or output failed";
