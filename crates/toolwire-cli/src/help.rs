//! The end of each help text: examples, which the tests run, and exit codes (CLI-3).

pub const TOP: &str = "\
Examples:
  toolwire describe ./tool.py          its tools and their arguments
  toolwire run ./tool.py rename path=a to=b --answer confirm=true
  my-tool | toolwire explain           how a host reads it, and what to fix
  my-tool | toolwire format            what a model gets to see
  toolwire validate --lines calls.ndjson

Exit codes:
  0  success; the envelope is valid
  1  the input is not valid or was refused, or the result of the tool is an error
  2  the command line is wrong
  3  an envelope with warnings (parse, explain)
  4  raw text (parse, explain)
  5  a file could not be read, a program could not be started, or the output could not be written
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM (run, describe);
                 by another signal: 128 plus its number";

pub const SERVE: &str = "\
Speaks MCP in the revisions 2025-06-18, 2025-11-25 and 2026-07-28, whichever the client knows.
Programs are asked for their tools, so each must be able to describe itself, or be named in a
manifest. One that can't be described is reported on stderr and left out. A changed program or
manifest is noticed while the server runs.

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
  toolwire serve --inherit standard,GITHUB_TOKEN --timeout 1m --jobs 8 ./tool.py
  toolwire serve --state-keys keys.txt -- ./tool.py --verbose

Exit codes:
  0  the client has left
  1  there is nothing to serve: names collide, or no tool could be described
  2  the command line or the manifest is wrong
  5  a manifest or a file with keys could not be read
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM";

pub const RUN_USAGE: &str = "\
toolwire run [OPTIONS] ./PROGRAM [TOOL] [ARGUMENT]...
       toolwire run [OPTIONS] NAME [ARGUMENT]...          (a tool of toolwire.toml)
       toolwire run [OPTIONS] [TOOL] [ARGUMENT]... -- COMMAND [ARG]...";

pub const RUN: &str = "\
A program gets a call (arguments and answers) if a manifest names it, if it is marked as one that
reads calls (it imports Toolwire's library, or has the comment line `# toolwire-tool: 1`), or if
--call or an option for questions is given. Any other program is run once, as from a shell, with an
empty stdin. Arguments that might not reach a program are refused before it runs.

A program that is marked or named in a manifest is first asked to describe itself. Questions are
asked at the terminal, unless an option answers them. Ctrl-C cancels the call, a second Ctrl-C kills
the tool, and Ctrl-Z suspends the command and the tool.

Arguments are written as `name=value`, `--name value` or `--name=value`, booleans also as `--name`
or `--no-name`, and members of objects as `author.name=Ada`. After the program, an option that has
the name of one of the options above is that option.

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
  toolwire run ./tool.py rename path=a to=b --answer confirm=true
  toolwire run ./tool.py rename --args '{\"path\":\"a\",\"to\":\"b\"}' --non-interactive defaults
  toolwire run ./tool.py rename path=a to=b --assistant './assistant --yes'
  toolwire run ./tool.py rename --path a --to=b --answer confirm=yes
  toolwire run ./tool.py search text=main --json --timeout 10s --max-output 1MB
  toolwire run --call ./tool.py search text=main     if the program is not marked
  toolwire run -- echo hello                          any program, with its own arguments
  toolwire run greet name=Ada

Exit codes:
  0  done    1  the result is an error    2  usage, or arguments that do not fit
  5  the program could not be started, or input or output failed
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const DESCRIBE_USAGE: &str = "\
toolwire describe [OPTIONS] ./PROGRAM
       toolwire describe [OPTIONS] NAME                     (a tool of toolwire.toml)
       toolwire describe [OPTIONS] -- COMMAND [ARG]...";

pub const DESCRIBE: &str = "\
The program is run to ask it. A program that does not know this request would do its usual work
instead. Therefore it must be marked as one that reads calls (it imports Toolwire's library, or has
the comment line `# toolwire-tool: 1`), or be named as a tool in toolwire.toml.

Examples:
  toolwire describe ./tool.py
  toolwire describe ./tool.py --json
  toolwire describe -- ./tool.py --quiet
  toolwire describe greet

Exit codes:
  0  written    1  it does not describe itself    2  usage    5  the program could not be started
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const LIST: &str = "\
Examples:
  toolwire list
  toolwire list --json
  toolwire list --manifest toolwire.toml

Exit codes:
  0  written    2  usage, or a mistake in the manifest    5  there is none, or output failed";

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

pub const CALL_USAGE: &str = "\
toolwire call [OPTIONS] URL TOOL [ARGUMENT]...
       toolwire call [OPTIONS] ./PROGRAM TOOL [ARGUMENT]...
       toolwire call [OPTIONS] NAME TOOL [ARGUMENT]...    (of a file of an MCP client)
       toolwire call [OPTIONS] TOOL [ARGUMENT]... -- COMMAND [ARG]...";

pub const CALL: &str = "\
The server speaks MCP, in one of the revisions 2025-06-18, 2025-11-25 and 2026-07-28. Its program is
started for the call, and nothing of it is left afterwards. What it asks is asked at the terminal,
beside the name of the server, unless an option answers it; a password is never asked for.

Arguments are written as `toolwire run` has them. After the server, an option that has the name of
one of the options above is that option.

Tokens come from the environment or from the file of --config, never from the command line. They
are sent to the origin of the URL alone. Servers that want OAuth are not supported.

Examples:
  toolwire call add a=1 b=2 -- npx -y my-server
  toolwire call ./server.py add a=1 b=2 --json
  toolwire call http://127.0.0.1:8080/mcp add a=1 b=2 --timeout 30s
  toolwire call https://example.org/mcp search text=x --header-env Authorization=TOKEN
  toolwire call --config servers.json files add --a 1 --b=2
  toolwire call files add a=1 b=2 --config servers.json --json

Exit codes:
  0  done    1  the result is an error    2  usage, or arguments that do not fit
  5  the server could not be used, or input or output failed
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const TOOLS_USAGE: &str = "\
toolwire tools [OPTIONS] URL
       toolwire tools [OPTIONS] ./PROGRAM
       toolwire tools [OPTIONS] NAME                      (of a file of an MCP client)
       toolwire tools [OPTIONS] -- COMMAND [ARG]...";

pub const TOOLS: &str = "\
Examples:
  toolwire tools -- npx -y my-server
  toolwire tools ./server.py --json
  toolwire tools http://127.0.0.1:8080/mcp --json
  toolwire tools --config servers.json files

Exit codes:
  0  written    2  usage    5  the server could not be used, or output failed
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const PARSE: &str = "\
Examples:
  toolwire parse answer.json
  my-tool | toolwire parse --json
  toolwire parse --exit-status 1 --stderr errors.txt answer.json
  toolwire parse --lines calls.ndjson
  toolwire parse --lines --summary --json calls.ndjson

Exit codes:
  0  valid    3  with warnings    4  raw text    2  usage    5  input or output failed
  If there are several outputs, the highest code is used.";

pub const VALIDATE: &str = "\
Examples:
  toolwire validate answer.json
  my-tool | toolwire validate --quiet
  toolwire validate --allow-warnings answer.json answer2.json
  toolwire validate --lines calls.ndjson
  toolwire validate --json answer.json

Exit codes:
  0  all are valid    1  at least one is not    2  usage    5  input or output failed";

pub const CANONICALIZE: &str = "\
The bytes are written without a line feed, so that they can be hashed. On a terminal, a line feed is
added, and characters that could control the terminal are written as JSON escapes.

Examples:
  toolwire canonicalize answer.json > canonical.json
  my-tool | toolwire canonicalize | sha256sum
  toolwire canonicalize --lines calls.ndjson
  toolwire canonicalize --json answer.json

Exit codes:
  0  written    1  not strict JSON    2  usage    5  input or output failed";

pub const DIGEST: &str = "\
Examples:
  toolwire digest answer.json
  toolwire digest answer.json answer2.json
  my-tool | toolwire digest --json
  toolwire digest --lines calls.ndjson

Exit codes:
  0  written    1  not strict JSON    2  usage    5  input or output failed";

pub const GET: &str = "\
A string is written as its text, any other value as JSON, so that a tool written in shell can read
its call.

Examples:
  my-tool | toolwire get /content/0/text
  toolwire get /structuredContent answer.json --default none
  toolwire get /content/0 answer.json --json

Exit codes:
  0  written    1  not strict JSON, or there is no such value    2  usage    5  input or output failed";

pub const FORMAT: &str = "\
The text ends with a line feed that `--max-bytes` does not count; `--json` has the text without it.
On a terminal, whatever `--for` says, characters that could control the terminal are made visible.

Examples:
  my-tool | toolwire format
  toolwire format --for terminal answer.json
  toolwire format --style xml --header answer.json
  toolwire format --max-bytes 2kB --audience assistant answer.json
  toolwire format --lines calls.ndjson
  toolwire format --untrusted answer.json
  toolwire format --untrusted=7f3a9c41d2e85b06 answer.json
  toolwire format --exit-status 2 --stderr errors.txt answer.json

Exit codes:
  0  written    1  refused, for example because the nonce occurs in the text    2  usage
  5  input or output failed";

pub const EXPLAIN: &str = "\
Examples:
  toolwire explain answer.json
  my-tool | toolwire explain
  toolwire explain --exit-status 1 --stderr errors.txt answer.json
  toolwire explain --json answer.json
  toolwire explain --lines calls.ndjson

Exit codes:
  0  valid    3  with warnings    4  raw text    2  usage    5  input or output failed
  If there are several outputs, the highest code is used.";

pub const IDENTIFY: &str = "\
Examples:
  toolwire identify answer.json
  toolwire identify --root . answer.json
  toolwire identify --json answer.json > seen.json
  toolwire identify --known seen.json answer2.json
  toolwire identify --lines calls.ndjson

Exit codes:
  0  written    1  a URI or a known identity was refused    2  usage
  5  input or output failed";

pub const URI: &str = "\
Examples:
  toolwire uri 'file:///project/./src/../README.md'
  toolwire uri 'C:\\project\\README.md' 'HTTP://Example.com:80/%7Eme'
  toolwire uri --root . src/main.rs
  printf '%s\\n' src/a.rs src/b.rs | toolwire uri --root file:///project --json

Exit codes:
  0  all were normalized    1  one was refused    2  usage    5  input or output failed";

pub const COMPLETIONS: &str = "\
Add this line to the file that your shell reads at its start:
  bash  ~/.bashrc                   eval \"$(toolwire completions bash)\"
  zsh   ~/.zshrc, after `compinit`  eval \"$(toolwire completions zsh)\"
  fish  ~/.config/fish/config.fish  toolwire completions fish | source

In these shells, the names in the manifest, the tools of a program, and their arguments and values
are completed too. To do this, a program is run only if it belongs to a manifest that is trusted, or
if its file is marked and nobody but you and root can write to it. In other shells, only commands
and options are completed.

Examples:
  toolwire completions bash > toolwire.bash
  toolwire completions zsh > _toolwire
  toolwire completions fish > toolwire.fish
  toolwire completions powershell > toolwire.ps1

Exit codes:
  0  written    2  usage    5  output failed";

pub const SESSION: &str = "\
A tool that keeps running is a handle, under an id of your choice that is unique in the workspace:
the folder of the nearest `toolwire.toml`, or else the current folder; `--root` names another.
Handles live in a small host process of your own, which is started when it is needed. It ends one
minute after all tools have stopped and all that they said was fetched; what nobody fetches is kept
for 10 minutes. `TOOLWIRE_SESSION_IDLE=10s` in the environment of the first command says otherwise
than one minute.

What a tool has said goes to stdout, and how it stands to stderr.

Examples:
  toolwire session spawn greeter --pipe -- cat
  toolwire session apply greeter hello --enter --until hello
  toolwire session fetch greeter --wait 2s
  toolwire session list
  toolwire session abort greeter

Exit codes:
  0  done; for `wait`, all tools have ended well
  1  refused, or the tool has failed
  2  the command line is wrong, or arguments, input or answers do not fit
  5  a program could not be started, or the session host could not be used
  6  the text of `--until` has not come, or the time of `wait` is over
  7  `wait`: a tool waits for an answer, or for a person to type
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const SESSION_SPAWN_USAGE: &str = "\
toolwire session spawn [OPTIONS] ID ./PROGRAM [TOOL] [ARGUMENT]...
       toolwire session spawn [OPTIONS] ID NAME [ARGUMENT]...       (a tool of toolwire.toml)
       toolwire session spawn [OPTIONS] ID -- COMMAND [ARG]...";

pub const SESSION_SPAWN: &str = "\
A tool that describes itself gets a call and keeps running if its description lists session
actions; any other tool runs once, and its questions wait for answers. A command that does not
describe itself runs on plain pipes, or with --pty in a pseudo-terminal. It gets the environment and
the folder of this command.

Examples:
  toolwire session spawn words --pipe -- cat
  toolwire session spawn shell --pty --size 120x40 -- sh
  toolwire session spawn answer ./tool.sh path=a --wait 1s
  toolwire session spawn hello greet name=Ada --json
  toolwire session spawn server --pipe --until ready -- sh -c 'echo ready; sleep 1'

Exit codes:
  0  spawned    1  refused, or the tool has failed    2  usage, or arguments that do not fit
  5  the program or the session host could not be started    6  the text of --until has not come
  129, 130, 143  ended by a signal; the tool goes on";

pub const SESSION_FETCH: &str = "\
Writes what is new: each block once, and at most --max-bytes at once; stderr says what is left. What
was written can be read again with --after: a fetch with --after N writes what came after block N,
and forgets the blocks up to it. --after 0 writes all that is kept, which is up to 1 MiB, of a tool
that has stopped for 10 minutes. The line on stderr says the last number, and what was dropped.

--until waits for a text in what is new. What an earlier command has written does not count: give
--until to `spawn` and `apply` to wait for what they bring about.

Without --screen, --changes or --new, the screen is written if the program draws on all of it, as
an editor does; otherwise what it has printed.

Examples:
  toolwire session fetch words
  toolwire session fetch words --wait 1s --json
  toolwire session fetch shell --screen
  toolwire session fetch words --after 0 --max-bytes 16K

Exit codes:
  0  written    1  refused, or the tool has failed    2  usage
  5  the session host could not be used    6  the text of --until has not come
  129, 130, 143  ended by a signal";

pub const SESSION_APPLY: &str = "\
A text is typed as it is, and Enter pressed after it only with --enter. An open question is answered
with --answer, or with a text, read in the same way: `yes` answers a question for true or false.
Questions that ask for secrets, and passwords that a program reads from its terminal, are for a
person: see `toolwire session attach`. Only ctrl-c can be pressed there by anybody.

Of what the program shows in answer to --until, the text that was typed does not count if it comes
first, as the echo of a terminal does. The echo of later lines, or on a whole screen, counts.

Examples:
  toolwire session apply words 'hello world' --enter
  toolwire session apply words --input-json '\"a line\\n\"'
  echo hello | toolwire session apply words --file -
  toolwire session apply asking --answer confirm=true
  toolwire session apply shell 'echo $((6 * 7))' --enter --until 42

Exit codes:
  0  applied    1  refused, or the tool has failed    2  usage, or input that does not fit
  5  the session host could not be used    6  the text of --until has not come
  129, 130, 143  ended by a signal";

pub const SESSION_ABORT: &str = "\
The tool is told to end; one that does not is asked by a signal after 2 seconds, and killed after 2
more. What it said since the last fetch is written. Several tools are ended at once.

Examples:
  toolwire session abort words
  toolwire session abort words shell --json
  toolwire session abort --all

Exit codes:
  0  ended    1  refused    2  usage
  5  the session host could not be used    129, 130, 143  ended by a signal";

pub const SESSION_LIST: &str = "\
A row has the id, the tool, and how it stands: `running`, with its progress; `running, waits for a
person to type`; `waits for an answer`, with the question; `stopped`, with its exit status.

Examples:
  toolwire session list
  toolwire session list --json
  toolwire session list --root .

Exit codes:
  0  written    2  usage    5  the session host could not be used
  129, 130, 143  ended by a signal";

pub const SESSION_WAIT: &str = "\
Waits for tools, and says how they stand. It exits with 0 only if all of them have ended well: by
themselves, with exit status 0. So `toolwire session wait tests && ./deploy` deploys what passed.
A tool that needs somebody is not waited for any longer.

Examples:
  toolwire session wait done
  toolwire session wait done asking --any || test $? = 7
  toolwire session wait done --timeout 10m --json

Exit codes:
  0  all have ended well
  1  one has failed, crashed or was aborted; or there is no such handle
  2  usage    5  the session host could not be used    6  the time of --timeout is over
  7  one waits for an answer, or for a person to type
  129, 130, 143  ended by a signal";

pub const SESSION_ATTACH: &str = "\
For a person at a terminal. The program of a handle with a pseudo-terminal gets this terminal, with
its size, until you press Ctrl-] or it ends; it goes on when you leave. Sequences for the clipboard
and the title of the window are left out. A handle without a terminal shows what it says, and asks
its questions; one that has stopped shows what is left, and how it ended.

Examples:
  toolwire session attach shell
  toolwire session attach shell --detach-key ctrl-a
  toolwire session attach asking

Exit codes:
  0  left, or it has ended    1  refused    2  usage
  5  the session host could not be used    129, 130, 143  ended by a signal";
