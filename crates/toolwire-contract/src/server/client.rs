//! The clients that are known: the table of `docs/reference/client-files.md`, which a test holds against this one.

/// A program that starts MCP servers.
///
/// ```
/// use toolwire_contract::server::Client;
///
/// assert_eq!("vscode".parse::<Client>()?.title(), "VS Code");
/// # Ok::<(), toolwire::UnknownWord>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Client {
    /// Claude Desktop.
    Claude,
    /// Claude Code.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    Vscode,
    /// Zed.
    Zed,
    /// Windsurf.
    Windsurf,
    /// Gemini CLI.
    Gemini,
    /// Codex.
    Codex,
}

/// How a file is written.
///
/// ```
/// use toolwire_contract::server::{Client, Syntax};
///
/// assert_eq!(Client::Codex.syntax(), Syntax::Toml);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Syntax {
    /// JSON (RFC 8259).
    Json,
    /// JSON with comments.
    JsonWithComments,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML 1.0.
    Toml,
}

/// Which variables stand in the strings of an entry.
///
/// ```
/// use toolwire_contract::server::{Client, Variables};
///
/// assert_eq!(Client::Gemini.variables(), Variables::Shell);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Variables {
    /// None: every string is meant to the letter.
    None,
    /// `${VAR}` and `${VAR:-default}`.
    Default,
    /// `$VAR` and `${VAR}`.
    Shell,
    /// `${env:VAR}`.
    Env,
    /// `${env:VAR}`, `${workspaceFolder}` and others of editors.
    Editor,
}

/// How a form of entries is written: a row of the table.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// What it is called in messages.
    pub title: &'static str,
    /// The user's file: on Linux, on macOS and on Windows.
    pub user: [&'static str; 3],
    /// A variable that names another folder for the last component of the user's file.
    pub folder_variable: Option<&'static str>,
    /// The file in a workspace.
    pub workspace: Option<&'static str>,
    /// The member that holds the servers.
    pub key: &'static str,
    pub syntax: Syntax,
    pub variables: Variables,
    /// The members for the URL of a server, the one that is written first.
    pub url: &'static [&'static str],
    /// Members that an entry for a program, and one for a URL, has besides.
    pub further: [Option<(&'static str, &'static str)>; 2],
    /// How an entry says that a server speaks the old transport of two endpoints.
    pub old: OldTransport,
    /// Whether there is a place for the folder in which a program runs.
    pub cwd: bool,
    /// Whether variables stand in members of their own, by their names.
    pub named: bool,
}

/// How an entry says that a server speaks the old transport of two endpoints.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OldTransport {
    /// Not at all.
    Unknown,
    /// By the value `sse` of this member.
    Member(&'static str),
    /// By this member for its URL.
    Url(&'static str),
}

impl Row {
    /// What most have in common.
    pub(crate) const USUAL: Row = Row {
        title: "",
        user: [""; 3],
        folder_variable: None,
        workspace: None,
        key: "mcpServers",
        syntax: Syntax::Json,
        variables: Variables::None,
        url: &["url"],
        further: [None; 2],
        old: OldTransport::Unknown,
        cwd: false,
        named: false,
    };
}

const TYPES: [Option<(&str, &str)>; 2] = [Some(("type", "stdio")), Some(("type", "http"))];

/// The clients in the order of [`Client::ALL`].
const ROWS: [Row; 8] = [
    Row {
        user: [
            "$XDG_CONFIG_HOME/Claude/claude_desktop_config.json",
            "~/Library/Application Support/Claude/claude_desktop_config.json",
            "%APPDATA%/Claude/claude_desktop_config.json",
        ],
        title: "Claude Desktop",
        url: &[],
        ..Row::USUAL
    },
    Row {
        user: ["~/.claude.json"; 3],
        folder_variable: Some("CLAUDE_CONFIG_DIR"),
        workspace: Some(".mcp.json"),
        title: "Claude Code",
        variables: Variables::Default,
        further: TYPES,
        old: OldTransport::Member("type"),
        ..Row::USUAL
    },
    Row {
        user: ["~/.cursor/mcp.json"; 3],
        workspace: Some(".cursor/mcp.json"),
        syntax: Syntax::Jsonc,
        title: "Cursor",
        variables: Variables::Editor,
        ..Row::USUAL
    },
    Row {
        user: [
            "$XDG_CONFIG_HOME/Code/User/mcp.json",
            "~/Library/Application Support/Code/User/mcp.json",
            "%APPDATA%/Code/User/mcp.json",
        ],
        workspace: Some(".vscode/mcp.json"),
        key: "servers",
        syntax: Syntax::Jsonc,
        title: "VS Code",
        variables: Variables::Editor,
        further: TYPES,
        old: OldTransport::Member("type"),
        cwd: true,
        ..Row::USUAL
    },
    Row {
        user: [
            "$XDG_CONFIG_HOME/zed/settings.json",
            "~/.config/zed/settings.json",
            "%APPDATA%/Zed/settings.json",
        ],
        workspace: Some(".zed/settings.json"),
        key: "context_servers",
        syntax: Syntax::Jsonc,
        title: "Zed",
        further: [Some(("source", "custom")); 2],
        ..Row::USUAL
    },
    Row {
        user: ["~/.codeium/windsurf/mcp_config.json"; 3],
        title: "Windsurf",
        variables: Variables::Env,
        url: &["serverUrl", "url"],
        ..Row::USUAL
    },
    Row {
        user: ["~/.gemini/settings.json"; 3],
        workspace: Some(".gemini/settings.json"),
        syntax: Syntax::JsonWithComments,
        title: "Gemini CLI",
        variables: Variables::Shell,
        url: &["httpUrl", "url"],
        old: OldTransport::Url("url"),
        cwd: true,
        ..Row::USUAL
    },
    Row {
        user: ["~/.codex/config.toml"; 3],
        folder_variable: Some("CODEX_HOME"),
        workspace: Some(".codex/config.toml"),
        key: "mcp_servers",
        syntax: Syntax::Toml,
        title: "Codex",
        cwd: true,
        named: true,
        ..Row::USUAL
    },
];

toolwire::closed_words!(Client, "a client", {
    Claude => "claude",
    ClaudeCode => "claude-code",
    Cursor => "cursor",
    Vscode => "vscode",
    Zed => "zed",
    Windsurf => "windsurf",
    Gemini => "gemini",
    Codex => "codex",
});

impl Client {
    pub(crate) fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The client as people call it.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::server::Client::Gemini.title(), "Gemini CLI");
    /// ```
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The member of its files that holds the servers.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::server::Client::Zed.key(), "context_servers");
    /// ```
    #[must_use]
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// How its files are written.
    ///
    /// ```
    /// use toolwire_contract::server::{Client, Syntax};
    ///
    /// assert_eq!(Client::Vscode.syntax(), Syntax::Jsonc);
    /// ```
    #[must_use]
    pub fn syntax(self) -> Syntax {
        self.row().syntax
    }

    /// Which variables stand in its entries.
    ///
    /// ```
    /// use toolwire_contract::server::{Client, Variables};
    ///
    /// assert_eq!(Client::Claude.variables(), Variables::None);
    /// ```
    #[must_use]
    pub fn variables(self) -> Variables {
        self.row().variables
    }

    /// The user's file on Linux, on macOS and on Windows, as in `docs/reference/client-files.md`.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::server::Client::Cursor.user_files()[0], "~/.cursor/mcp.json");
    /// ```
    #[must_use]
    pub fn user_files(self) -> [&'static str; 3] {
        self.row().user
    }

    /// The environment variable that names another folder for the last component of the user's file.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::server::Client::Codex.folder_variable(), Some("CODEX_HOME"));
    /// ```
    #[must_use]
    pub fn folder_variable(self) -> Option<&'static str> {
        self.row().folder_variable
    }

    /// The file in a workspace.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::server::Client::ClaudeCode.workspace_file(), Some(".mcp.json"));
    /// ```
    #[must_use]
    pub fn workspace_file(self) -> Option<&'static str> {
        self.row().workspace
    }

    /// The members that may hold the URL of a server, the one that is written first; none if the client's file
    /// has no place for a URL.
    ///
    /// ```
    /// use toolwire_contract::server::Client;
    ///
    /// assert_eq!(Client::Windsurf.url_members(), ["serverUrl", "url"]);
    /// ```
    #[must_use]
    pub fn url_members(self) -> &'static [&'static str] {
        self.row().url
    }

    /// The members that an entry for a program, and one for a URL, has besides: a name and its value.
    ///
    /// ```
    /// use toolwire_contract::server::Client;
    ///
    /// assert_eq!(Client::Vscode.further_members(), [Some(("type", "stdio")), Some(("type", "http"))]);
    /// ```
    #[must_use]
    pub fn further_members(self) -> [Option<(&'static str, &'static str)>; 2] {
        self.row().further
    }
}
