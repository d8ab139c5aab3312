//! What reaches a server, or says what a source has.

pub const TOOLS_USAGE: &str = "\
toolwire tools [OPTIONS]                       (of the manifest)
       toolwire tools [OPTIONS] SOURCE [TOOL]
       toolwire tools [OPTIONS] [TOOL] -- COMMAND [ARG]...";

pub const TOOLS: &str = "\
Without a source, the tools and servers of the nearest `toolwire.toml` are listed, and nothing is
started. Of a source there is a row for each tool; a single one is shown with its arguments.

A source is the path of a program, a name (of a tool in toolwire.toml, or of a server in the file of
an MCP client), @PROFILE, a URL, or a launch URI such as `mcp+uvx://PACKAGE/COMMAND`. A name that
stands in several places is written `manifest:NAME`, `mcp:NAME` or `CLIENT:NAME`. A program of Toolwire
is run to ask it. A file is marked as a tool (it imports Toolwire's library, or has the comment line
`# toolwire-tool: 1`), or it is a plain program, which is not started: it would do its usual work. The
program of an MCP server stands behind `--`.

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

Fingerprints are `contract` of what a tool takes and gives, `text` of what it says about itself, and
`safety` of what it may do and how it is reached. What makes no difference to callers, such as the
order of members, changes none of them.

Examples:
  toolwire tools
  toolwire tools --json
  toolwire tools ./tool.py
  toolwire tools ./tool.py rename
  toolwire tools --only 'a*' --except again -- ./server.py
  toolwire tools add --schema -- ./server.py
  toolwire tools --fingerprint -- ./server.py
  toolwire tools --draft -- npx -y my-server
  toolwire tools 'mcp+uvx://mcp-server-git@2025.9.25?command=--repository&command=/home/me/code'
  toolwire tools http://127.0.0.1:8080/mcp --json
  toolwire tools --config servers.json files --yes

Exit codes:
  0  written    1  a program does not describe itself, or you did not agree
  2  usage, no such tool, a mistake in the manifest, or nobody has agreed
  5  the source could not be used, there is no manifest, or output failed";

pub const READ_USAGE: &str = "\
toolwire read [OPTIONS] SOURCE URI
       toolwire read [OPTIONS] URI -- COMMAND [ARG]...
       toolwire read [OPTIONS] --list SOURCE";

pub const READ: &str = "\
`toolwire tools --help` says what a source is. If the tools of a profile's server are not as it
expects, that is reported, or nothing is read, as its `schema_validation` says.

Examples:
  toolwire read --list -- ./notes.py
  toolwire read notes://today -- ./notes.py
  toolwire read notes://today --json -- ./notes.py

Exit codes:
  0  written    1  the server refused, or you did not agree    2  usage, or nobody has agreed
  5  the server could not be used, or output failed";

pub const SERVERS_USAGE: &str = "\
toolwire servers [OPTIONS]
       toolwire servers [OPTIONS] SERVER [--to FORM]
       toolwire servers [OPTIONS] [--to FORM] -- COMMAND [ARG]...";

pub const SERVERS: &str = "\
Without SERVER, the files of Claude Desktop, Claude Code, Cursor, VS Code, Zed, Windsurf, Gemini CLI and
Codex are read, those of this workspace too. What can't be read is reported on stderr.

SERVER is a launch URI, a URL, a profile such as `@docs`, the name of a server in the file of an MCP
client, or `FILE#NAME` for a server in a file: that of a client, or a manifest with `[servers.NAME]`.
A file that is a profile, or that has a single server, needs no `#NAME`. No value of an environment
variable or header comes along, only names. What can't be said in the other form goes to stderr, or
with --json into the report.

Nothing is started.

Examples:
  toolwire servers
  toolwire servers --json | toolwire get /servers --default '[]'
  toolwire servers 'mcp+uvx://mcp-server-time' --to cursor
  toolwire servers servers.json#files
  toolwire servers servers.json#files --to vscode --name notes
  toolwire servers files --config servers.json --to manifest
  toolwire servers --to claude -- npx -y my-server

Exit codes:
  0  written    1  the form can't say it    2  usage, or a mistake in what is read
  5  input or output failed";
