//! What reaches a server, or says what a source has.

pub const TOOLS_USAGE: &str = "\
toolwire tools [OPTIONS] SOURCE
       toolwire tools [OPTIONS] -- COMMAND [ARG]...";

pub const TOOLS: &str = "\
A program of Toolwire is run to ask it. A file is marked as a tool (it imports Toolwire's library, or has
the comment line `# toolwire-tool: 1`), or it is a plain program, which is not started: it would do its
usual work. The program of an MCP server stands behind `--`.

Examples:
  toolwire tools -- npx -y my-server
  toolwire tools ./tool.sh
  toolwire tools greet
  toolwire tools --json -- ./server.py
  toolwire tools http://127.0.0.1:8080/mcp --json
  toolwire tools --config servers.json files --yes

Exit codes:
  0  written    1  a program does not describe itself    2  usage
  5  the program could not be started or the server used, or output failed
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const EXPLORE_USAGE: &str = "\
toolwire explore [OPTIONS] SOURCE
       toolwire explore [OPTIONS] -- COMMAND [ARG]...";

pub const EXPLORE: &str = "\
A source is the path of a program, a name (of a tool in toolwire.toml, or of a server in the file of
an MCP client), a URL, or a launch URI such as `mcp+uvx://PACKAGE/COMMAND`. A name that stands in
several places is written `manifest:NAME`, `mcp:NAME` or `CLIENT:NAME`.

Launch URIs, quoted because of the shell:
  mcp+uvx://PACKAGE[@VERSION][/COMMAND]       mcp+npx://PACKAGE[@VERSION][/COMMAND]
  mcp+python://FILE    mcp+node://FILE        mcp+docker://IMAGE    mcp+exec://PROGRAM
  mcp+https://HOST/PATH                       mcp+http://HOST:PORT/PATH
Behind `?`, each separated by `&`: `command=WORD` is a further word of the command line, `with=PACKAGE`
a package beside it, `env=NAME` a variable that it needs, `header=NAME` a header, `cwd=FOLDER` where it
starts, `query=…` the query of the URL itself; `tool=NAME` and then `NAME=VALUE` call a tool, `list=tools`
lists, `resource=URI` reads. A character that has a meaning here is written as %XX.

A command that you did not type, of a launch URI or of a client's file, is shown before its first
start, and starts once you have agreed: at the terminal, by `toolwire trust --server SOURCE`, or
for once by --yes. It gets none of your keys, unless --inherit or its entry names them.

Examples:
  toolwire explore 'mcp+uvx://mcp-server-git@2025.9.25?command=--repository&command=/home/me/code'
  toolwire explore ./tool.sh
  toolwire explore -- ./server.py
  toolwire explore -- npx -y my-server
  toolwire explore 'mcp+npx://my-server'
  toolwire explore http://127.0.0.1:8080/mcp --json
  toolwire explore --config servers.json files --yes

Exit codes:
  0  written    1  you did not agree, or it could not be reached    2  usage, or nobody has agreed
  5  the server could not be used, or output failed
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const SCHEMA_USAGE: &str = "\
toolwire schema [OPTIONS] SOURCE [TOOL]
       toolwire schema [OPTIONS] [TOOL] -- COMMAND [ARG]...";

pub const SCHEMA: &str = "\
`toolwire explore --help` says what a source is. The only tool of a source need not be named.

Examples:
  toolwire schema add -- ./server.py
  toolwire schema add --output -- ./server.py
  toolwire schema add --json -- npx -y my-server

Exit codes:
  0  written    1  you did not agree, or there is no output schema    2  usage, no such tool, or
  nobody has agreed    5  the server could not be used, or output failed
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const HASH_USAGE: &str = "\
toolwire hash [OPTIONS] SOURCE [TOOL]
       toolwire hash [OPTIONS] [TOOL] -- COMMAND [ARG]...";

pub const HASH: &str = "\
A tool has three fingerprints: `contract` of what it takes and gives, `text` of what it says about
itself, and `safety` of what it may do and how it is reached. What makes no difference to callers,
such as the order of members, changes none of them. `--jn` computes the hash of old JN profiles
instead, which any added parameter changes, an optional one too.

`toolwire explore --help` says what a source is.

Examples:
  toolwire hash add -- ./server.py
  toolwire hash --json -- ./server.py
  toolwire hash --jn ./tool.sh

Exit codes:
  0  written    1  you did not agree, or there is no fingerprint    2  usage, no such tool, or
  nobody has agreed    5  the server could not be used, or output failed
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const READ_USAGE: &str = "\
toolwire read [OPTIONS] SOURCE URI
       toolwire read [OPTIONS] URI -- COMMAND [ARG]...
       toolwire read [OPTIONS] --list SOURCE";

pub const READ: &str = "\
`toolwire explore --help` says what a source is. If the tools of a profile's server are not as it
expects, that is reported, or nothing is read, as its `schema_validation` says.

Examples:
  toolwire read --list -- ./notes.py
  toolwire read notes://today -- ./notes.py
  toolwire read notes://today --json -- ./notes.py

Exit codes:
  0  written    1  the server refused, or you did not agree    2  usage, or nobody has agreed
  5  the server could not be used, or output failed
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM; by another signal: 128 plus its number";

pub const CONVERT_USAGE: &str = "\
toolwire convert [OPTIONS] FROM
       toolwire convert [OPTIONS] -- COMMAND [ARG]...";

pub const CONVERT: &str = "\
FROM is a launch URI, a URL, a profile such as `@docs`, the name of a server in the file of an MCP
client, or `FILE#NAME` for a server in a file: that of a client, or a manifest with `[servers.NAME]`.
A file that is a profile, or that has a single server, needs no `#NAME`.

No value of an environment variable or header comes along, only names. What can't be said in the
other form goes to stderr, or with --json into the report. Nothing is started.

Examples:
  toolwire convert 'mcp+uvx://mcp-server-time' --to cursor
  toolwire convert servers.json#files
  toolwire convert servers.json#files --to vscode --name notes
  toolwire convert files --config servers.json --to manifest
  toolwire convert --to claude -- npx -y my-server

Exit codes:
  0  written    1  the form can't say it    2  usage, or a mistake in what is read
  5  input or output failed";

pub const DISCOVER: &str = "\
The files of Claude Desktop, Claude Code, Cursor, VS Code, Zed, Windsurf, Gemini CLI and Codex are
read, those of this workspace too. Nothing is started. What can't be read is reported on stderr.

Examples:
  toolwire discover
  toolwire discover --json
  toolwire discover --json | toolwire get /servers --default '[]'

Exit codes:
  0  written    2  usage    5  output failed";
