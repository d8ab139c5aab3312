//! The servers that a file names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toolwire::Json;
use toolwire_contract::convert::Form;
use toolwire_contract::server::{Client, MEMBERS, Spelled, SpelledServer, Syntax, Variables};

use super::entry::{Entry, Target};
use super::error::{ClientError, ClientErrorKind};
use super::places::{Place, Scope, Surroundings};
use super::tree::{Member, Node, mistake, position};
use super::write::{FileText, read_text};
use super::{Result, json, toml};

/// A file that was read: which servers it names.
pub(super) struct ClientFile {
    pub client: Option<Client>,
    pub scope: Option<Scope>,
    pub path: PathBuf,
    folder: PathBuf,
    pub(super) form: Form,
    variables: Variables,
    text: String,
    pub(super) servers: Vec<Member>,
}

/// The server `name` of a file that was named, whoever wrote it, or its only one.
///
/// # Errors
///
/// `BadFile` for a mistake in the file; `UnknownServer` if there is none of that name; `System` if it
/// can't be read.
pub fn read_file(path: &Path, name: Option<&str>, surroundings: &Surroundings) -> Result<Entry> {
    let file = ClientFile::named(path, surroundings)?;
    file.entry(&file.meant(path, name)?)
}

/// The server of this name that a text says how to reach, in the form of an entry of `mcpServers`: that of a
/// profile, which stands in this file. `folder` is that of its project.
///
/// # Errors
///
/// `BadFile` for a mistake in it.
pub fn read_entry(
    name: &str,
    text: &str,
    path: &Path,
    scope: Scope,
    folder: &Path,
) -> Result<Entry> {
    let shown = path.display().to_string();
    let Some(node) = tree(&shown, text, Syntax::Json)? else {
        return Err(mistake(&shown, text, 0, "it says nothing of a server"));
    };
    let file = ClientFile {
        client: None,
        scope: Some(scope),
        path: path.to_owned(),
        folder: folder.to_owned(),
        form: Form::McpServers,
        variables: Variables::Default,
        text: text.to_owned(),
        servers: vec![Member {
            name: name.to_owned(),
            at: 0,
            node,
        }],
    };
    file.entry(name)
}

/// What names the servers in a file of which nothing else is known, and how they are then read. In TOML, `servers` is
/// that of a manifest.
const KEYS: [(&str, Form, Variables); 4] = [
    ("mcpServers", Form::McpServers, Variables::Default),
    ("servers", Form::Client(Client::Vscode), Variables::Editor),
    (
        "context_servers",
        Form::Client(Client::Zed),
        Variables::None,
    ),
    ("mcp_servers", Form::Client(Client::Codex), Variables::None),
];

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
            form: Form::Client(*client),
            variables: client.variables(),
            text: text.text,
            servers,
        })
    }

    /// Reads a file that was named: as that of a client, if its place or name tells which.
    pub(super) fn named(path: &Path, surroundings: &Surroundings) -> Result<ClientFile> {
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
        let has = |key: &str| tree.as_ref().is_some_and(|tree| tree.get(key).is_some());
        let Some((key, form, variables)) = KEYS.into_iter().find(|(key, ..)| has(key)) else {
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
            form: match form {
                Form::Client(Client::Vscode) if is_toml => Form::Manifest,
                form => form,
            },
            variables,
            text,
            servers,
        })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.iter().map(|member| member.name.as_str())
    }

    /// The name of the server that is meant: the one that was named, or the only one.
    pub(super) fn meant(&self, path: &Path, name: Option<&str>) -> Result<String> {
        let names: Vec<&str> = self.names().collect();
        let unknown = |message: String| {
            let message = format!("{}: {message}", path.display());
            ClientError::new(ClientErrorKind::UnknownServer, message)
        };
        match (name, &names[..]) {
            (None, [only]) => Ok((*only).to_owned()),
            (None, []) => Err(unknown("it names no servers".to_owned())),
            (None, _) => {
                let names = names.join("`, `");
                Err(unknown(format!("name one of its servers: `{names}`")))
            }
            (Some(name), _) if names.contains(&name) => Ok(name.to_owned()),
            (Some(name), _) => Err(unknown(crate::manifest::unknown("server", name, &names))),
        }
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
    for client in Client::ALL.iter().copied() {
        let user = surroundings.user_file(client);
        if let Some(place) = user.filter(|place| place.path == path) {
            return Some(place);
        }
        if let Some(name) = client.workspace_file()
            && path.ends_with(name)
        {
            let above = path.ancestors().nth(name.split('/').count());
            return Some(Place {
                client,
                scope: Scope::Workspace,
                path: path.to_owned(),
                folder: above.unwrap_or(path).to_owned(),
            });
        }
        let file = client.user_files()[0]
            .rsplit('/')
            .next()
            .unwrap_or_default();
        // `mcp.json`, `settings.json` and `config.toml` may be anybody's.
        let tells = [
            "claude_desktop_config.json",
            ".claude.json",
            "mcp_config.json",
        ];
        if tells.contains(&file) && path.ends_with(file) {
            return Some(Place {
                client,
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

impl Reader<'_> {
    fn entry(&self, member: &Member) -> Result<Entry> {
        let node = &member.node;
        let Some(members) = node.members() else {
            return Err(self.refuse(node.at, "", "it must be an object"));
        };
        let spelled = Spelled::read(&self.known(node)?, self.file.client);
        let spelled = spelled.map_err(|error| self.mistake(node, &error))?;
        let (mut environment_headers, mut passed_on) = (BTreeMap::new(), Vec::new());
        let target = match spelled.server {
            SpelledServer::Program {
                command,
                args: arguments,
                env,
                env_vars,
                cwd,
            } => {
                passed_on = env_vars;
                Target::Program {
                    command,
                    arguments,
                    env,
                    cwd: cwd.map(PathBuf::from),
                }
            }
            SpelledServer::Url {
                url,
                headers,
                environment_headers: named,
                sse,
            } => {
                environment_headers = named;
                Target::Url { url, headers, sse }
            }
        };
        let more = members
            .iter()
            .filter(|one| !MEMBERS.contains(&one.name.as_str()));
        let json = |node: &Node| serde_json::from_str(&node.to_json()).unwrap_or_default();
        let more = more.map(|one| (one.name.clone(), json(&one.node)));
        Ok(Entry {
            name: member.name.clone(),
            client: self.file.client,
            scope: self.file.scope,
            path: self.file.path.clone(),
            line: position(&self.file.text, member.at).line,
            target,
            more: more.collect(),
            folder: self.file.folder.clone(),
            node: node.clone(),
            form: self.file.form,
            variables: self.file.variables,
            environment_headers,
            passed_on,
        })
    }

    /// The members that are understood, as JSON; all others are kept as they are.
    fn known(&self, node: &Node) -> Result<Json> {
        let members = node.members().unwrap_or_default().iter();
        let known = members.filter(|one| MEMBERS.contains(&one.name.as_str()));
        let known = Node::table(known.map(|one| (one.name.clone(), one.node.clone())));
        Json::new(known.to_json()).map_err(|error| self.refuse(node.at, "", error.message()))
    }

    /// The same mistake, where it stands in the file.
    fn mistake(&self, node: &Node, error: &toolwire::Error) -> ClientError {
        let steps: Vec<_> = error.pointer().split('/').skip(1).collect();
        let at = node.step_to(&steps).unwrap_or(node).at;
        // Zed's object for a command has the members of an entry.
        let key = match steps[..] {
            ["command", key, ..] => key,
            [key, ..] => key,
            [] => "",
        };
        self.refuse(at, key, error.message())
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
