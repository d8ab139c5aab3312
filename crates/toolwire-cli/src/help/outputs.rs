//! What a tool has written, and completions.

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
  toolwire canonicalize --digest answer.json answer2.json

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
  toolwire format --for anthropic answer.json
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
  toolwire identify --uri --root . src/main.rs
  printf '%s\\n' src/a.rs src/b.rs | toolwire identify --uri --root file:///project --json

Exit codes:
  0  written    1  a URI or a known identity was refused    2  usage
  5  input or output failed";

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
