//! The servers that a file names (CFG-11 to CFG-14).

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::error::{ClientError, ClientErrorKind};
use super::places::{Place, Scope, Surroundings};
use super::table::{Client, ROWS, Syntax, Variables};
use super::tree::{Member, Node, Value, mistake, position};
use super::write::{FileText, read_text};
use super::{Result, json, toml};

/// A server as a file describes it; variables are not replaced yet.
#[derive(Clone)]
#[non_exhaustive]
pub struct Entry {
    /// Its name in the file.
    pub name: String,
    /// The client whose file it is, if that is known.
    pub client: Option<Client>,
    /// Whose file it is; nothing for a file that was named.
    pub scope: Option<Scope>,
    /// The file.
    pub path: PathBuf,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// How it is reached.
    pub target: Target,
    /// The members that only its client knows, as they are.
    pub more: serde_json::Map<String, serde_json::Value>,
    /// The folder of the workspace.
    pub(super) folder: PathBuf,
    pub(super) node: Node,
    variables: Variables,
    /// Headers whose values are in the environment: the header, what stands before, and the variable.
    environment_headers: Vec<(String, &'static str, String)>,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum Target {
    /// A program that is started.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// Variables that are set for it.
        env: BTreeMap<String, String>,
        /// The folder in which it runs.
        cwd: Option<PathBuf>,
    },
    /// A server elsewhere.
    Url {
        /// Its address.
        url: String,
        /// Headers of each request.
        headers: BTreeMap<String, String>,
        /// Whether it speaks the old transport of two endpoints.
        sse: bool,
    },
}

/// A server, ready to be started or connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolved {
    /// Its name.
    pub name: String,
    /// How it is reached; all variables are replaced.
    pub target: Target,
    /// Whether its results may be an `Outcome`, which came before envelopes (CFG-17).
    pub legacy: bool,
    /// Whether it gets the context of calls, although it does not declare that it knows Toolwire (CFG-17).
    pub context: bool,
}

/// The member of an entry that is for Toolwire (CFG-17).
const OWN: &str = "dev.toolwire";

/// Without the values of variables and headers, which may be secrets.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Program {
                command,
                arguments,
                env,
                cwd,
            } => f
                .debug_struct("Program")
                .field("command", command)
                .field("arguments", arguments)
                .field("env", &env.keys())
                .field("cwd", cwd)
                .finish(),
            Target::Url { url, headers, sse } => f
                .debug_struct("Url")
                .field("url", url)
                .field("headers", &headers.keys())
                .field("sse", sse)
                .finish(),
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("path", &self.path)
            .field("line", &self.line)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

/// A file that was read: which servers it names.
pub(super) struct ClientFile {
    pub client: Option<Client>,
    pub scope: Option<Scope>,
    pub path: PathBuf,
    folder: PathBuf,
    variables: Variables,
    text: String,
    servers: Vec<Member>,
}

/// The server `name` of a file that was named, whoever wrote it, or its only one (CFG-16).
///
/// # Errors
///
/// `BadFile` for a mistake in the file; `UnknownServer` if there is none of that name; `System` if it
/// can't be read.
pub fn read_file(path: &Path, name: Option<&str>, surroundings: &Surroundings) -> Result<Entry> {
    let file = ClientFile::named(path, surroundings)?;
    let names: Vec<&str> = file.names().collect();
    let shown = path.display();
    let unknown = |message: String| {
        let message = format!("{shown}: {message}");
        ClientError::new(ClientErrorKind::UnknownServer, message)
    };
    match (name, &names[..]) {
        (None, [only]) => file.entry(only),
        (None, []) => Err(unknown("it names no servers".to_owned())),
        (None, _) => {
            let names = names.join("`, `");
            Err(unknown(format!("name one of its servers: `{names}`")))
        }
        (Some(name), _) if names.contains(&name) => file.entry(name),
        (Some(name), _) => Err(unknown(crate::manifest::unknown("server", name, &names))),
    }
}

impl ClientFile {
    /// Reads the file of a client.
    pub fn read(place: &Place, text: FileText, surroundings: &Surroundings) -> Result<ClientFile> {
        let Place {
            client,
            scope,
            path,
            folder,
        } = place;
        let name = path.display().to_string();
        let tree = tree(&name, &text.text, client.syntax())?;
        let mut servers = servers(&name, &text.text, tree.as_ref(), client.key())?;
        if *client == Client::ClaudeCode && *scope == Scope::User {
            // The servers of a folder come before those of all folders, as they do in Claude Code.
            let projects = tree.as_ref().and_then(|tree| tree.get("projects"));
            for folder in surroundings.folder.ancestors() {
                let project = folder.to_str().and_then(|folder| projects?.get(folder));
                for member in self::servers(&name, &text.text, project, client.key())? {
                    servers.retain(|other| other.name != member.name);
                    servers.push(member);
                }
                if project.is_some() {
                    break;
                }
            }
        }
        Ok(ClientFile {
            client: Some(*client),
            scope: Some(*scope),
            path: path.clone(),
            folder: folder.clone(),
            variables: client.variables(),
            text: text.text,
            servers,
        })
    }

    /// Reads a file that was named: as that of a client, if its place or name tells which.
    fn named(path: &Path, surroundings: &Surroundings) -> Result<ClientFile> {
        let text = read_text(path, surroundings.max_bytes)?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if let Some(place) = of_client(&path, surroundings) {
            let mut file = ClientFile::read(&place, text, surroundings)?;
            file.scope = None;
            return Ok(file);
        }
        let name = path.display().to_string();
        let text = text.text;
        let is_toml = path
            .extension()
            .is_some_and(|extension| extension == "toml");
        let syntax = if is_toml { Syntax::Toml } else { Syntax::Jsonc };
        let tree = tree(&name, &text, syntax)?;
        let keys = ["mcpServers", "servers", "context_servers", "mcp_servers"];
        let key = |key: &&&str| tree.as_ref().is_some_and(|tree| tree.get(key).is_some());
        let Some(key) = keys.iter().find(key) else {
            let message = "it has none of the members `mcpServers`, `servers` and `context_servers`, \
                           and TOML no `mcp_servers`, which would name servers";
            return Err(mistake(&name, &text, 0, message));
        };
        let servers = servers(&name, &text, tree.as_ref(), key)?;
        Ok(ClientFile {
            client: None,
            scope: None,
            path,
            folder: surroundings.folder.clone(),
            variables: match *key {
                "mcpServers" => Variables::Default,
                "servers" => Variables::Editor,
                _ => Variables::None,
            },
            text,
            servers,
        })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.iter().map(|member| member.name.as_str())
    }

    /// The server with this name, which the file has.
    pub fn entry(&self, name: &str) -> Result<Entry> {
        let member = self.servers.iter().find(|member| member.name == name);
        let member = member.expect("the file has this server");
        let reader = Reader {
            file: self,
            server: &member.name,
        };
        reader.entry(member)
    }
}

/// The client whose file has this path or a path that ends like it.
fn of_client(path: &Path, surroundings: &Surroundings) -> Option<Place> {
    for row in &ROWS {
        let user = surroundings.user_file(row.client);
        if let Some(place) = user.filter(|place| place.path == path) {
            return Some(place);
        }
        if let Some(name) = row.workspace
            && path.ends_with(name)
        {
            let above = path.ancestors().nth(name.split('/').count());
            return Some(Place {
                client: row.client,
                scope: Scope::Workspace,
                path: path.to_owned(),
                folder: above.unwrap_or(path).to_owned(),
            });
        }
        let file = row.user[0].rsplit('/').next().unwrap_or_default();
        // `mcp.json`, `settings.json` and `config.toml` may be anybody's.
        let tells = [
            "claude_desktop_config.json",
            ".claude.json",
            "mcp_config.json",
        ];
        if tells.contains(&file) && path.ends_with(file) {
            return Some(Place {
                client: row.client,
                scope: Scope::User,
                path: path.to_owned(),
                folder: surroundings.folder.clone(),
            });
        }
    }
    None
}

pub(super) fn tree(name: &str, text: &str, syntax: Syntax) -> Result<Option<Node>> {
    match syntax {
        Syntax::Toml => toml::read(name, text).map(Some),
        _ => json::read(name, text, syntax),
    }
}

/// The members of the table under this key; none if it is not there.
pub(super) fn servers(
    name: &str,
    text: &str,
    tree: Option<&Node>,
    key: &str,
) -> Result<Vec<Member>> {
    let Some(tree) = tree else {
        return Ok(Vec::new());
    };
    if tree.members().is_none() {
        return Err(mistake(name, text, tree.at, "it must be an object"));
    }
    match tree.get(key) {
        None => Ok(Vec::new()),
        Some(node) => match node.members() {
            Some(members) => Ok(members.to_vec()),
            None => {
                let message = format!("`{key}` must be an object of servers by their names");
                Err(mistake(name, text, node.at, &message))
            }
        },
    }
}

/// Reads one server.
struct Reader<'f> {
    file: &'f ClientFile,
    server: &'f str,
}

/// Members that are understood; all others are kept as they are.
const KNOWN: [&str; 15] = [
    "command",
    "args",
    "env",
    "cwd",
    "type",
    "transport",
    "url",
    "httpUrl",
    "serverUrl",
    "headers",
    "http_headers",
    "env_http_headers",
    "bearer_token_env_var",
    "source",
    "envFile",
];

impl Reader<'_> {
    fn entry(&self, member: &Member) -> Result<Entry> {
        let node = &member.node;
        let Some(members) = node.members() else {
            return Err(self.refuse(node.at, "", "it must be an object"));
        };
        let mut environment_headers = Vec::new();
        let target = self.target(node, &mut environment_headers)?;
        let more = members
            .iter()
            .filter(|one| !KNOWN.contains(&one.name.as_str()));
        let more = more.map(|one| (one.name.clone(), one.node.to_json()));
        Ok(Entry {
            name: member.name.clone(),
            client: self.file.client,
            scope: self.file.scope,
            path: self.file.path.clone(),
            line: position(&self.file.text, member.at).0,
            target,
            more: more.collect(),
            folder: self.file.folder.clone(),
            node: node.clone(),
            variables: self.file.variables,
            environment_headers,
        })
    }

    fn target(
        &self,
        node: &Node,
        environment_headers: &mut Vec<(String, &'static str, String)>,
    ) -> Result<Target> {
        if let Some(command) = node.get("command") {
            if let Some(file) = node.get("envFile") {
                let message = "a file of variables is not read; write them into `env`, or set them";
                return Err(self.refuse(file.at, "envFile", message));
            }
            // Zed wrote `{"path": …, "args": …, "env": …}` for the command, before it was a string.
            let (command, rest) = match command.members() {
                Some(_) => (self.text(command, "path")?, command),
                None => (self.text(node, "command")?, node),
            };
            let Some(command) = command.filter(|command| !command.is_empty()) else {
                return Err(self.refuse(node.at, "command", "name a program"));
            };
            return Ok(Target::Program {
                command,
                arguments: self.texts(rest, "args")?,
                env: self.table(rest, "env")?,
                cwd: self.text(node, "cwd")?.map(PathBuf::from),
            });
        }
        let keys: &[&str] = match self.file.client {
            Some(client) => client.row().url,
            None => &["url", "httpUrl", "serverUrl"],
        };
        for key in keys {
            let Some(url) = self.text(node, key)? else {
                continue;
            };
            let kind = match self.text(node, "type")? {
                Some(kind) => Some(kind),
                None => self.text(node, "transport")?,
            };
            let is_gemini = self.file.client == Some(Client::Gemini);
            let sse = match kind.as_deref() {
                Some(kind) => kind.eq_ignore_ascii_case("sse"),
                // There, a URL without a type is that of the old transport.
                None => is_gemini && *key == "url",
            };
            let mut headers = self.table(node, "headers")?;
            headers.extend(self.table(node, "http_headers")?);
            for (header, variable) in self.table(node, "env_http_headers")? {
                environment_headers.push((header, "", variable));
            }
            if let Some(variable) = self.text(node, "bearer_token_env_var")? {
                environment_headers.push(("Authorization".to_owned(), "Bearer ", variable));
            }
            return Ok(Target::Url { url, headers, sse });
        }
        let message = match keys {
            [] => "name a program in `command`".to_owned(),
            keys => format!(
                "name a program in `command`, or a server's URL in `{}`",
                keys[0]
            ),
        };
        Err(self.refuse(node.at, "", &message))
    }

    fn text(&self, node: &Node, key: &str) -> Result<Option<String>> {
        match node.get(key) {
            None => Ok(None),
            Some(node) => match &node.value {
                Value::Text(text) => Ok(Some(text.clone())),
                Value::Null => Ok(None),
                _ => Err(self.refuse(node.at, key, "it must be a string")),
            },
        }
    }

    fn texts(&self, node: &Node, key: &str) -> Result<Vec<String>> {
        let wrong = |node: &Node| self.refuse(node.at, key, "it must be an array of strings");
        match node.get(key).map(|node| (node, &node.value)) {
            None | Some((_, Value::Null)) => Ok(Vec::new()),
            Some((_, Value::List(nodes))) => {
                let texts = nodes.iter().map(|node| {
                    let text = node.as_text().map(str::to_owned);
                    text.ok_or_else(|| wrong(node))
                });
                texts.collect()
            }
            Some((node, _)) => Err(wrong(node)),
        }
    }

    /// An object of strings; numbers and booleans are taken as they are written.
    fn table(&self, node: &Node, key: &str) -> Result<BTreeMap<String, String>> {
        let wrong = |node: &Node| self.refuse(node.at, key, "it must be an object of strings");
        match node.get(key).map(|node| (node, &node.value)) {
            None | Some((_, Value::Null)) => Ok(BTreeMap::new()),
            Some((_, Value::Table(members))) => {
                let texts = members.iter().map(|member| {
                    let text = match &member.node.value {
                        Value::Text(text) | Value::Number(text) => text.clone(),
                        Value::Bool(yes) => yes.to_string(),
                        _ => return Err(wrong(&member.node)),
                    };
                    Ok((member.name.clone(), text))
                });
                texts.collect()
            }
            Some((node, _)) => Err(wrong(node)),
        }
    }

    fn refuse(&self, at: usize, key: &str, message: &str) -> ClientError {
        let name = self.file.path.display().to_string();
        let keys = match key {
            "" => self.server.to_owned(),
            key => format!("{}.{key}", self.server),
        };
        mistake(&name, &self.file.text, at, &format!("`{keys}`: {message}"))
    }
}

impl Entry {
    /// Where it stands, for messages: `/home/me/.cursor/mcp.json:12`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.path.display(), self.line)
    }

    /// The same with values in the place of variables (CFG-14), and with the folder in which a program
    /// of a workspace runs.
    ///
    /// # Errors
    ///
    /// `Unresolved` if a variable has no value here; the message says which and what to do.
    pub fn resolve(&self, surroundings: &Surroundings) -> Result<Resolved> {
        let expand = |text: &str| {
            let value = super::variables::expand(text, self.variables, surroundings, &self.folder);
            value.map_err(|message| self.unresolved(&message))
        };
        let table = |table: &BTreeMap<String, String>| -> Result<BTreeMap<String, String>> {
            let values = table.iter();
            let values = values.map(|(name, value)| Ok((name.clone(), expand(value)?)));
            values.collect()
        };
        let target = match &self.target {
            Target::Program {
                command,
                arguments,
                env,
                cwd,
            } => {
                let cwd = match cwd.as_ref().and_then(|cwd| cwd.to_str()) {
                    Some(cwd) => Some(self.folder.join(expand(cwd)?)),
                    // Clients start the servers of a workspace there.
                    None => (self.scope != Some(Scope::User)).then(|| self.folder.clone()),
                };
                let arguments = arguments.iter().map(|text| expand(text));
                Target::Program {
                    command: expand(command)?,
                    arguments: arguments.collect::<Result<_>>()?,
                    env: table(env)?,
                    cwd,
                }
            }
            Target::Url { url, headers, sse } => {
                let mut headers = table(headers)?;
                for (header, before, variable) in &self.environment_headers {
                    let Some(value) = surroundings.variables.get(variable) else {
                        return Err(self.unresolved(&format!(
                            "the environment variable `{variable}` is not set; set it and try again"
                        )));
                    };
                    headers.insert(header.clone(), format!("{before}{value}"));
                }
                Target::Url {
                    url: expand(url)?,
                    headers,
                    sse: *sse,
                }
            }
        };
        Ok(Resolved {
            name: self.name.clone(),
            target,
            legacy: self.own("legacy")?,
            context: self.own("context")?,
        })
    }

    /// What the entry says to Toolwire.
    fn own(&self, name: &str) -> Result<bool> {
        match self.more.get(OWN) {
            None => Ok(false),
            Some(serde_json::Value::Object(own)) => match own.get(name) {
                None => Ok(false),
                Some(serde_json::Value::Bool(set)) => Ok(*set),
                Some(_) => Err(self.unresolved(&format!("`{OWN}.{name}` must be true or false"))),
            },
            Some(_) => Err(self.unresolved(&format!("`{OWN}` must be an object"))),
        }
    }

    fn unresolved(&self, message: &str) -> ClientError {
        let message = format!("{}: `{}`: {message}", self.place(), self.name);
        ClientError::new(ClientErrorKind::Unresolved, message)
    }

    /// What would be started or connected to, a line for each part, as the file writes it: to be shown
    /// before it is approved. The text is the file's: make it safe for a terminal.
    #[must_use]
    pub fn shown(&self) -> Vec<String> {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut lines = vec![format!("server   {}", quoted(&self.name))];
        lines.push(format!("file     {}", self.place()));
        if let Some(own) = self.more.get(OWN) {
            lines.push(format!("toolwire {own}"));
        }
        match &self.target {
            Target::Program {
                command,
                arguments,
                env,
                cwd,
            } => {
                lines.push(format!("program  {}", quoted(command)));
                lines.extend(
                    arguments
                        .iter()
                        .map(|text| format!("argument {}", quoted(text))),
                );
                let set = env.iter();
                lines.extend(set.map(|(name, value)| format!("variable {name}={}", quoted(value))));
                let folder = cwd.as_deref().unwrap_or(&self.folder);
                lines.push(format!("folder   {}", folder.display()));
            }
            Target::Url { url, headers, .. } => {
                lines.push(format!("url      {}", quoted(url)));
                let set = headers.iter();
                lines
                    .extend(set.map(|(name, value)| format!("header   {name}: {}", quoted(value))));
                for (header, before, variable) in &self.environment_headers {
                    lines.push(format!("header   {header}: {before}${variable}"));
                }
            }
        }
        lines
    }
}
