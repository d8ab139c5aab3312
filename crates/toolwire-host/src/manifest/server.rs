//! The servers of a manifest.

use std::collections::BTreeMap;
use std::path::{MAIN_SEPARATOR, Path};

use serde::Deserialize;
use toolwire::Json;

use super::Words;
use super::entry::{inherit, program};
use crate::Environment;

/// An MCP server: a program that is started, or the address of one elsewhere. `${NAME}` and
/// `${NAME:-otherwise}` in a string stand for environment variables.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table: a program or a URL"
)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "server"))]
pub struct ServerEntry {
    /// The program and its arguments, never read by a shell. A relative path begins at the manifest's folder.
    #[serde(deserialize_with = "program")]
    #[cfg_attr(test, schemars(with = "super::entry::schema::Program"))]
    pub command: Option<Words>,
    /// The address of a server elsewhere, which speaks Streamable HTTP.
    pub url: Option<String>,
    /// Environment variables that are set for the program.
    pub env: BTreeMap<String, String>,
    /// Headers of each request to the URL.
    pub headers: BTreeMap<String, String>,
    /// The folder in which the program runs, from the manifest's. If not given, it is the caller's, or an empty
    /// one for a launcher such as `uvx` and `npx`.
    pub cwd: Option<String>,
    /// The environment variables that the program inherits, as for a tool; the standard ones if not given.
    #[serde(deserialize_with = "inherit")]
    #[cfg_attr(test, schemars(with = "super::entry::schema::Inherit"))]
    pub inherit: Option<Environment>,
}

/// An MCP server that a manifest names.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ManifestServer {
    /// Its name.
    pub name: String,
    /// How it is reached, in the form of an entry of `mcpServers`: with `command` and `args`, or with `url`.
    /// Paths are absolute; variables are not replaced.
    pub launcher: Json,
    /// The environment variables that its program inherits, if the manifest says.
    pub inherit: Option<Environment>,
    /// Whether the manifest says in which folder its program runs.
    pub names_folder: bool,
}

impl ManifestServer {
    pub(super) fn new(folder: &Path, name: String, entry: ServerEntry) -> ManifestServer {
        let mut members = serde_json::Map::new();
        if let Some((program, arguments)) = entry.command.as_deref().and_then(<[_]>::split_first) {
            let is_path = program.contains(['/', MAIN_SEPARATOR]) && !program.starts_with("${");
            let program = match is_path {
                true => folder.join(program).to_string_lossy().into_owned(),
                false => program.clone(),
            };
            members.insert("command".to_owned(), program.into());
            members.insert("args".to_owned(), arguments.into());
        }
        if let Some(url) = entry.url {
            members.insert("url".to_owned(), url.into());
        }
        let names_folder = entry.cwd.is_some();
        if let Some(cwd) = entry.cwd {
            let cwd = match cwd.starts_with("${") {
                true => cwd,
                false => folder.join(cwd).to_string_lossy().into_owned(),
            };
            members.insert("cwd".to_owned(), cwd.into());
        }
        for (key, table) in [("env", entry.env), ("headers", entry.headers)] {
            if !table.is_empty() {
                let table = table
                    .into_iter()
                    .map(|(name, value)| (name, value.into()))
                    .collect();
                members.insert(key.to_owned(), serde_json::Value::Object(table));
            }
        }
        let text = serde_json::Value::Object(members).to_string();
        ManifestServer {
            name,
            launcher: Json::new(text).unwrap_or_else(|_| Json::empty_object()),
            inherit: entry.inherit,
            names_folder,
        }
    }
}
