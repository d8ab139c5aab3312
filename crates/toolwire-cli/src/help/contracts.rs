//! What changed since somebody looked.

pub const DIFF_USAGE: &str = "\
toolwire diff [OPTIONS] OLD NEW
       toolwire diff [OPTIONS] OLD -- COMMAND [ARG]...";

pub const DIFF: &str = "\
OLD and NEW are sources, as `toolwire tools --help` says; or files whose names end in `.json`, with
MCP's list of tools, one tool, or what `toolwire tools --json` writes; or `-` for such a text on
stdin; or an entry of a lock: `toolwire.lock#NAME`, or `toolwire.lock#NAME/TOOL`.

`compatible` is proven: whatever callers sent is still taken, and what comes back is what they knew.
`breaking` is shown by an example. `unknown` is neither. `behaviour`, `safety` and `text` are for a
person to look at; what a text hides from its reader is made visible.

Examples:
  toolwire diff old.json new.json
  toolwire diff toolwire.lock#greet greet
  toolwire diff old.json --json -- ./server.py
  toolwire diff 'mcp+npx://my-server@1.0.0' 'mcp+npx://my-server@2.0.0'
  toolwire diff old.json -- npx -y my-server

Exit codes:
  0  nothing changed that fails (--fail-on)    1  something did, or you did not agree
  2  usage, no such name, or nobody has agreed    5  a source could not be used, or output failed";

pub const LOCK_USAGE: &str = "\
toolwire lock [OPTIONS] [SOURCE]...
       toolwire lock [OPTIONS] --update [SOURCE]...
       toolwire lock [OPTIONS] -- COMMAND [ARG]...";

pub const LOCK: &str = "\
`toolwire tools --help` says what a source is. Of each it is written down what its tools take and
say, what a server says of its use, and how it is started: of a package of uvx or npx the version that
was really started, and the Python or Node that runs it; no value of a variable or header, and no
credential. Keep the file with your code.

What is locked stays as it is, whatever the source says now: `toolwire check` says what has changed,
and `toolwire lock --update` accepts it after you have seen it. A source that is gone leaves the lock
in the same way. Where nobody can be asked, --yes accepts. A command after `--` is locked as the launch
URI that starts it, by which `toolwire check` starts it again.

Examples:
  toolwire lock
  toolwire lock -- ./server.py
  toolwire lock --update greet
  toolwire lock 'mcp+npx://my-server@1.0.0'
  toolwire lock -- npx -y my-server

Exit codes:
  0  written    1  something has changed, or you did not accept it    2  usage, a mistake in the lock
  or the manifest, or nobody could be asked    5  a source could not be used, or the lock not written";

pub const CHECK_USAGE: &str = "toolwire check [OPTIONS] [SOURCE]...";

pub const CHECK: &str = "\
Asks each source, and compares what it says with `toolwire.lock`. Changes are reported as by
`toolwire diff`, with a verdict; `toolwire lock --update` accepts it. Where a launcher does not say
which version it has started, or with --offline, that is not verified.

In CI, --yes starts what the lock names. --markdown writes what a review or the summary of a job
shows, and `--format github` the annotations of GitHub Actions. What fails is what a reviewer must
read: not an edited script alone, and nothing that is compatible. --fail-on sets it: `text` fails on
text, safety and breaking, `any` on every change.

Examples:
  toolwire check
  toolwire check greet
  toolwire check --json
  toolwire check --offline
  toolwire check --yes --markdown
  toolwire check --yes --format github --fail-on text

Exit codes:
  0  nothing changed that fails (--fail-on)    1  something did, or is not locked
  2  usage, a mistake in the lock or the manifest, or nobody has agreed to a command
  5  a source could not be used, or there is no lock";
