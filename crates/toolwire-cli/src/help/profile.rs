//! `toolwire profile`.

pub const PROFILE: &str = "\
A profile says how an MCP server is reached, and what is known of its tools. It is written once and
used by its name wherever a source is: `toolwire run '@docs/search?text=x'`. The profiles of a
project, in `.toolwire/profiles` of this folder or one above it, come before those in your data folder
(XDG_DATA_HOME, or ~/.local/share), and these before those of JN (JN_HOME, or ~/.local/jn). A command
of a profile needs your consent as any other does.

Each use compares the server's tools with the profile. If they differ, `schema_validation` in it says
whether that is a warning (`warn`), refuses the call (`error`), or does not matter (`ignore`).

Examples:
  toolwire profile create docs --from 'mcp+uvx://mcp-server-time'
  toolwire profile list
  toolwire profile info docs
  toolwire profile validate docs --yes

Exit codes:
  0  done    1  not as expected, or you did not agree    2  usage, no such profile, a mistake in it,
  or nobody has agreed    5  the server could not be used, or input or output failed";

pub const PROFILE_LIST: &str = "\
Examples:
  toolwire profile list
  toolwire profile list --type mcp --json
  toolwire profile list --json | toolwire get /profiles

Exit codes:
  0  written    2  usage    5  output failed";

pub const PROFILE_INFO: &str = "\
Examples:
  toolwire profile info docs
  toolwire profile info @docs --json
  toolwire profile info docs --json | toolwire get /folder

Exit codes:
  0  written    2  usage, no such profile, or a mistake in it    5  input or output failed";

pub const PROFILE_CREATE_USAGE: &str = "\
toolwire profile create [OPTIONS] NAME --from SOURCE
       toolwire profile create [OPTIONS] NAME -- COMMAND [ARG]...
       toolwire profile create [OPTIONS] NAME < PROFILE";

pub const PROFILE_CREATE: &str = "\
The server is asked for its tools, as `toolwire tools` does. No secret is written, only names of
variables. `toolwire tools SOURCE --draft` writes the same for you to complete first.

Examples:
  toolwire profile create docs --from 'mcp+uvx://mcp-server-time'
  toolwire profile create notes --project -- ./server.py
  toolwire profile create other < profile.json

Exit codes:
  0  written    1  you did not agree, or it can't be said    2  wrong command line, profile exists,
  profile is invalid, or consent is missing    5  the server could not be used, or input or output
  failed";

pub const PROFILE_VALIDATE: &str = "\
The server is asked for its tools. What is compared are the tools that the profile describes, their
fingerprints, and the hash over all tools if it is a profile of JN.

Examples:
  toolwire profile validate docs
  toolwire profile validate docs --yes --json
  toolwire profile validate docs || toolwire profile diff docs

Exit codes:
  0  as expected    1  not as expected, or you did not agree    2  usage, no such profile, a mistake
  in it, or nobody has agreed    5  the server could not be used, or output failed";

pub const PROFILE_DIFF: &str = "\
`toolwire diff --help` says what the verdicts mean.

Examples:
  toolwire profile diff docs
  toolwire profile diff docs --yes --json
  toolwire profile diff docs --json | toolwire get /diff/verdict

Exit codes:
  0  nothing changed, or it is compatible    1  anything else changed, or you did not agree
  2  usage, no such profile, a mistake in it, or nobody has agreed    5  the server could not be used,
  or output failed";

pub const PROFILE_UPDATE: &str = "\
What has changed is shown, and taken over once you agree: descriptions, parameters and fingerprints,
tools that are new, and none that is gone. Notes, examples and all else in the profile stay. Then the
examples are run again: those of tools that declare that they only read, and others if you agree.

Examples:
  toolwire profile update docs
  toolwire profile update docs --accept --yes
  toolwire profile update docs --json

Exit codes:
  0  written    1  you did not agree, or an example failed or has another type    2  usage, no such
  profile, a mistake in it, or nobody can be asked    5  the server could not be used, or output failed";

pub const PROFILE_REMOVE: &str = "\
Examples:
  toolwire profile remove notes
  toolwire profile remove @other --json
  toolwire profile info docs && toolwire profile remove docs

Exit codes:
  0  removed    2  usage, or no such profile    5  it could not be removed, or output failed";
