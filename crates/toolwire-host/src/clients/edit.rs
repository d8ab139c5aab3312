//! An entry is put into a file, and nothing else in it changes.

use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use similar::TextDiff;
use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::Result;
use super::error::{ClientError, ClientErrorKind};
use super::file::{servers, tree};
use super::json;
use super::own::OwnServer;
use super::tree::{Node, Value, mistake};
use toolwire_contract::server::{Client, Syntax};

/// What a file becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The whole text.
    pub text: String,
    /// Whether it is another one than before.
    pub changed: bool,
    /// What changes, line by line, as `diff -u` shows it; empty if nothing does.
    pub diff: String,
}

/// The byte order mark with which some editors begin a file.
const MARK: char = '\u{feff}';

/// Puts a server into the text of a client's file, in the place of one of the same name. Everything else
/// stays, byte by byte: comments, order and indentation. `name` is what messages call the file.
///
/// # Errors
///
/// `BadFile` with the line and the column if the text can't be read, or if a value stands where the
/// servers should.
///
/// ```
/// use toolwire_host::clients::{Client, OwnServer, edit};
///
/// let text = "{\n    // mine\n    \"theme\": \"dark\",\n}\n";
/// let server = OwnServer::program("tools", "/usr/bin/toolwire", vec![]);
/// let edit = edit("settings.json", text, Client::Zed, &server)?;
/// assert!(edit.text.starts_with("{\n    // mine\n    \"theme\": \"dark\",\n    \"context_servers\": {"));
/// # Ok::<(), toolwire_host::clients::ClientError>(())
/// ```
pub fn edit(name: &str, text: &str, client: Client, server: &OwnServer) -> Result<Edit> {
    let (mark, body) = match text.strip_prefix(MARK) {
        Some(body) => (&text[..MARK.len_utf8()], body),
        None => ("", text),
    };
    let syntax = client.syntax();
    let before = tree(name, body, syntax)?;
    for entry in servers(name, body, before.as_ref(), client.key())? {
        if entry.name == server.name && entry.node.members().is_none() {
            let message = format!("`{}` must be an object", server.name);
            return Err(mistake(name, body, entry.node.at, &message));
        }
    }
    let members = server.members(client)?;
    let changed = match syntax {
        Syntax::Toml => edit_toml(name, body, client, server, &members)?,
        _ => edit_json(name, body, client, server, &members)?,
    };
    // What follows can't happen; it stands between a mistake of an editor and the user's settings.
    let after = tree(name, &changed, syntax)?;
    if !is_kept(before.as_ref(), after.as_ref(), client.key(), &server.name) {
        let message =
            format!("{name}: it can't be edited without losing something; add the entry by hand");
        return Err(ClientError::new(ClientErrorKind::BadFile, message));
    }
    let text_after = format!("{mark}{changed}");
    Ok(Edit {
        diff: TextDiff::from_lines(text, &text_after)
            .unified_diff()
            .header(name, name)
            .to_string(),
        changed: text_after != text,
        text: text_after,
    })
}

impl OwnServer {
    /// The entry as a file of the client that has nothing else.
    ///
    /// # Errors
    ///
    /// `BadFile` if the client's file has no place for a URL.
    ///
    /// ```
    /// use toolwire_host::clients::{Client, OwnServer};
    ///
    /// let server = OwnServer::program("tools", "/usr/bin/toolwire", vec!["serve".to_owned()]);
    /// let text = server.entry_text(Client::Codex)?;
    /// assert_eq!(text, "[mcp_servers.tools]\ncommand = \"/usr/bin/toolwire\"\nargs = [\"serve\"]\n");
    /// # Ok::<(), toolwire_host::clients::ClientError>(())
    /// ```
    pub fn entry_text(&self, client: Client) -> Result<String> {
        Ok(edit(client.title(), "", client, self)?.text)
    }
}

/// Whether both say the same but for one server.
fn is_kept(before: Option<&Node>, after: Option<&Node>, key: &str, server: &str) -> bool {
    let rest = |tree: Option<&Node>| {
        let mut tree = tree.cloned().unwrap_or_else(|| Node::table([]));
        if let Value::Table(members) = &mut tree.value {
            for member in members.iter_mut().filter(|member| member.name == key) {
                if let Value::Table(servers) = &mut member.node.value {
                    servers.retain(|member| member.name != server);
                }
            }
            members.retain(|member| {
                member.name != key || member.node.members().is_none_or(|all| !all.is_empty())
            });
        }
        tree
    };
    rest(before).says(&rest(after))
}

fn edit_json(
    name: &str,
    text: &str,
    client: Client,
    server: &OwnServer,
    members: &[(String, Node)],
) -> Result<String> {
    let refuse = |message: &str| mistake(name, text, 0, message);
    let root = CstRootNode::parse(text, &json::options(client.syntax()))
        .map_err(|error| refuse(&error.to_string()))?;
    let object = root.object_value_or_create();
    let servers = object.and_then(|object| object.object_value_or_create(client.key()));
    let Some(servers) = servers else {
        return Err(refuse("it must be an object"));
    };
    match servers.object_value(&server.name) {
        Some(entry) => {
            for name in server.contradicting(client) {
                if let Some(member) = entry.get(name) {
                    member.remove();
                }
            }
            for (name, node) in members {
                put(&entry, name, node);
            }
        }
        None => {
            let members = members.iter();
            let members = members.map(|(name, node)| (name.clone(), input(node)));
            servers.append(&server.name, CstInputValue::Object(members.collect()));
        }
    }
    let mut changed = root.to_string();
    // A file that held nothing ends as files of text do.
    if text.trim().is_empty() && !changed.ends_with('\n') {
        changed.push('\n');
    }
    Ok(changed)
}

/// Gives a member its value, unless it has it.
fn put(entry: &CstObject, name: &str, node: &Node) {
    match entry.get(name) {
        Some(member) => {
            let now = member.value().map(|value| value.to_string());
            let now = now.and_then(|now| json::read(name, &now, Syntax::Jsonc).ok().flatten());
            if !now.is_some_and(|now| now.says(node)) {
                member.set_value(input(node));
            }
        }
        None => {
            entry.append(name, input(node));
        }
    }
}

fn input(node: &Node) -> CstInputValue {
    match &node.value {
        Value::Null => CstInputValue::Null,
        Value::Bool(yes) => CstInputValue::Bool(*yes),
        Value::Number(text) => CstInputValue::Number(text.clone()),
        Value::Text(text) => CstInputValue::String(text.clone()),
        Value::List(nodes) => CstInputValue::Array(nodes.iter().map(input).collect()),
        Value::Table(members) => {
            let members = members.iter();
            let members = members.map(|member| (member.name.clone(), input(&member.node)));
            CstInputValue::Object(members.collect())
        }
    }
}

fn edit_toml(
    name: &str,
    text: &str,
    client: Client,
    server: &OwnServer,
    members: &[(String, Node)],
) -> Result<String> {
    let refuse = |message: &str| mistake(name, text, 0, message);
    let parsed = text.parse::<DocumentMut>();
    let mut document = parsed.map_err(|error| refuse(error.message()))?;
    let key = client.key();
    if !document.contains_key(key) {
        let mut table = Table::new();
        // Only the tables of servers have a line of their own.
        table.set_implicit(true);
        document.insert(key, Item::Table(table));
    }
    let is_inline = document.get(key).is_some_and(Item::is_inline_table);
    let servers = document.get_mut(key).and_then(Item::as_table_like_mut);
    let servers = servers.ok_or_else(|| refuse("it must be a table"))?;
    if servers.get(&server.name).is_none() {
        let item = match is_inline {
            true => Item::Value(toml_edit::InlineTable::new().into()),
            false => Item::Table(Table::new()),
        };
        servers.insert(&server.name, item);
    }
    let entry = servers
        .get_mut(&server.name)
        .and_then(Item::as_table_like_mut);
    let entry = entry.ok_or_else(|| refuse("it must be a table"))?;
    for name in server.contradicting(client) {
        entry.remove(name);
    }
    for (name, node) in members {
        put_toml(entry, name, node);
    }
    Ok(document.to_string())
}

/// Gives a key its value, unless it has it; comments beside it stay.
fn put_toml(entry: &mut dyn TableLike, name: &str, node: &Node) {
    let mut value = toml_value(node);
    let now = entry.get(name).and_then(Item::as_value);
    if let Some(now) = now {
        let bare = |value: &toml_edit::Value| value.clone().decorated("", "").to_string();
        if bare(now) == bare(&value) {
            return;
        }
        *value.decor_mut() = now.decor().clone();
    }
    match entry.get_mut(name) {
        Some(item) => *item = Item::Value(value),
        None => {
            entry.insert(name, Item::Value(value));
        }
    }
}

fn toml_value(node: &Node) -> toml_edit::Value {
    match &node.value {
        Value::Text(text) | Value::Number(text) => text.into(),
        Value::Bool(yes) => (*yes).into(),
        Value::Null => "".into(),
        Value::List(nodes) => nodes
            .iter()
            .map(toml_value)
            .collect::<toml_edit::Array>()
            .into(),
        Value::Table(members) => {
            let members = members.iter();
            let members = members.map(|member| (member.name.as_str(), toml_value(&member.node)));
            members.collect::<toml_edit::InlineTable>().into()
        }
    }
}
