//! The clients that are known: the table of chapter 20, which a test holds against this one.

use std::fmt;
use std::str::FromStr;

use crate::{UnknownWord, words};

/// A program that starts MCP servers.
///
/// ```
/// use toolwire_host::clients::Client;
///
/// assert_eq!("vscode".parse::<Client>()?.title(), "VS Code");
/// # Ok::<(), toolwire_host::UnknownWord>(())
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

/// Which variables stand in the strings of an entry (CFG-14).
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

impl Syntax {
    /// The syntax as the table of chapter 20 calls it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Syntax::Json => "JSON",
            Syntax::JsonWithComments => "JSON with comments",
            Syntax::Jsonc => "JSONC",
            Syntax::Toml => "TOML",
        }
    }
}

impl Variables {
    /// The variables as the table of chapter 20 writes them.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Variables::None => "none",
            Variables::Default => "`${VAR}`, `${VAR:-default}`",
            Variables::Shell => "`$VAR`, `${VAR}`",
            Variables::Env => "`${env:VAR}`",
            Variables::Editor => "`${env:VAR}`, `${workspaceFolder}`",
        }
    }
}

/// A row of the table.
pub(super) struct Row {
    pub client: Client,
    pub word: &'static str,
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
    /// The member for the URL of a server, the one that is written first.
    pub url: &'static [&'static str],
    /// Members that an entry for a program, and one for a URL, has besides.
    pub types: [Option<(&'static str, &'static str)>; 2],
}

pub(super) const ROWS: [Row; 8] = [
    Row {
        client: Client::Claude,
        word: "claude",
        title: "Claude Desktop",
        user: [
            "$XDG_CONFIG_HOME/Claude/claude_desktop_config.json",
            "~/Library/Application Support/Claude/claude_desktop_config.json",
            "%APPDATA%/Claude/claude_desktop_config.json",
        ],
        folder_variable: None,
        workspace: None,
        key: "mcpServers",
        syntax: Syntax::Json,
        variables: Variables::None,
        url: &[],
        types: [None, None],
    },
    Row {
        client: Client::ClaudeCode,
        word: "claude-code",
        title: "Claude Code",
        user: ["~/.claude.json"; 3],
        folder_variable: Some("CLAUDE_CONFIG_DIR"),
        workspace: Some(".mcp.json"),
        key: "mcpServers",
        syntax: Syntax::Json,
        variables: Variables::Default,
        url: &["url"],
        types: [Some(("type", "stdio")), Some(("type", "http"))],
    },
    Row {
        client: Client::Cursor,
        word: "cursor",
        title: "Cursor",
        user: ["~/.cursor/mcp.json"; 3],
        folder_variable: None,
        workspace: Some(".cursor/mcp.json"),
        key: "mcpServers",
        syntax: Syntax::Jsonc,
        variables: Variables::Editor,
        url: &["url"],
        types: [None, None],
    },
    Row {
        client: Client::Vscode,
        word: "vscode",
        title: "VS Code",
        user: [
            "$XDG_CONFIG_HOME/Code/User/mcp.json",
            "~/Library/Application Support/Code/User/mcp.json",
            "%APPDATA%/Code/User/mcp.json",
        ],
        folder_variable: None,
        workspace: Some(".vscode/mcp.json"),
        key: "servers",
        syntax: Syntax::Jsonc,
        variables: Variables::Editor,
        url: &["url"],
        types: [Some(("type", "stdio")), Some(("type", "http"))],
    },
    Row {
        client: Client::Zed,
        word: "zed",
        title: "Zed",
        user: [
            "$XDG_CONFIG_HOME/zed/settings.json",
            "~/.config/zed/settings.json",
            "%APPDATA%/Zed/settings.json",
        ],
        folder_variable: None,
        workspace: Some(".zed/settings.json"),
        key: "context_servers",
        syntax: Syntax::Jsonc,
        variables: Variables::None,
        url: &["url"],
        types: [Some(("source", "custom")), Some(("source", "custom"))],
    },
    Row {
        client: Client::Windsurf,
        word: "windsurf",
        title: "Windsurf",
        user: ["~/.codeium/windsurf/mcp_config.json"; 3],
        folder_variable: None,
        workspace: None,
        key: "mcpServers",
        syntax: Syntax::Json,
        variables: Variables::Env,
        url: &["serverUrl", "url"],
        types: [None, None],
    },
    Row {
        client: Client::Gemini,
        word: "gemini",
        title: "Gemini CLI",
        user: ["~/.gemini/settings.json"; 3],
        folder_variable: None,
        workspace: Some(".gemini/settings.json"),
        key: "mcpServers",
        syntax: Syntax::JsonWithComments,
        variables: Variables::Shell,
        url: &["httpUrl", "url"],
        types: [None, None],
    },
    Row {
        client: Client::Codex,
        word: "codex",
        title: "Codex",
        user: ["~/.codex/config.toml"; 3],
        folder_variable: Some("CODEX_HOME"),
        workspace: Some(".codex/config.toml"),
        key: "mcp_servers",
        syntax: Syntax::Toml,
        variables: Variables::None,
        url: &["url"],
        types: [None, None],
    },
];

impl Client {
    /// All clients, in the order in which their files are searched.
    pub const ALL: [Client; 8] = [
        Client::Claude,
        Client::ClaudeCode,
        Client::Cursor,
        Client::Vscode,
        Client::Zed,
        Client::Windsurf,
        Client::Gemini,
        Client::Codex,
    ];

    pub(super) fn row(self) -> &'static Row {
        let row = ROWS.iter().find(|row| row.client == self);
        row.expect("each client has a row")
    }

    /// The client as a stable word, such as `claude-code`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.row().word
    }

    /// The client as people call it.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The member of its files that holds the servers.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// How its files are written.
    #[must_use]
    pub fn syntax(self) -> Syntax {
        self.row().syntax
    }

    /// Which variables stand in its entries.
    #[must_use]
    pub fn variables(self) -> Variables {
        self.row().variables
    }

    /// Whether a workspace has a file for it.
    #[must_use]
    pub fn has_workspace_file(self) -> bool {
        self.row().workspace.is_some()
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Client {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        words::find(&Client::ALL, Client::as_str, word)
    }
}
