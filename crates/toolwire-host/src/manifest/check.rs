//! What a manifest has to be beyond what its types say.

use std::collections::BTreeMap;

use serde::Deserialize;
use toolwire::Json;
use toolwire::schema::value_keywords;

use super::advice::{self, unknown};
use super::entry::program;
use super::server::ServerEntry;
use super::source::Source;
use super::{LockPolicy, ManifestTool, Result, SessionKind, Words};
use crate::HostError;

/// The keys of a parameter that say nothing of its values.
const ANNOTATIONS: [&str; 7] = [
    "optional",
    "$comment",
    "default",
    "deprecated",
    "description",
    "examples",
    "title",
];

/// The tools of a folder, for `toolwire run NAME`.
#[derive(Deserialize, Debug, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "toolwire.toml"))]
pub struct File {
    /// The program that answers questions where an assistant is to, as an argument vector.
    #[serde(deserialize_with = "program")]
    #[cfg_attr(test, schemars(with = "super::entry::schema::Program"))]
    pub assistant: Option<Words>,
    /// What happens to a tool that is not as `toolwire.lock` says: `refuse` it, `warn` (the default), or `ignore`
    /// that.
    #[cfg_attr(test, schemars(with = "super::entry::schema::Locked"))]
    pub locked: Option<LockPolicy>,
    /// The tools by their names: 1 to 128 letters, digits, `_`, `-` and `.`.
    #[cfg_attr(test, schemars(schema_with = "schema::tools"))]
    pub tools: BTreeMap<String, ManifestTool>,
    /// MCP servers by their names, which are like those of tools.
    #[cfg_attr(test, schemars(schema_with = "schema::servers"))]
    pub servers: BTreeMap<String, ServerEntry>,
}

/// Reads the file into its types and judges what they cannot.
pub fn file(source: &Source) -> Result<File> {
    let read = toml::de::Deserializer::parse(&source.text).and_then(File::deserialize);
    let file = read.map_err(|error| source.refuse_toml(&error))?;
    for (name, entry) in &file.tools {
        named(source, &["tools", name], "tool", name)?;
        tool(source, name, entry)?;
    }
    for (name, entry) in &file.servers {
        named(source, &["servers", name], "server", name)?;
        if file.tools.contains_key(name) {
            let message = format!("there is a tool `{name}` too; give one of them another name");
            return Err(source.refuse_at(&["servers", name], &message));
        }
        server(source, name, entry)?;
    }
    Ok(file)
}

/// Refuses what is no name.
fn named(source: &Source, at: &[&str], what: &str, name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if name.is_empty() || name.len() > 128 || !name.chars().all(plain) {
        let message =
            format!("a {what}'s name is 1 to 128 letters of ASCII, digits, `_`, `-` and `.`");
        return Err(source.refuse_at(at, &message));
    }
    Ok(())
}

fn server(source: &Source, name: &str, entry: &ServerEntry) -> Result<()> {
    let refuse = |keys: &[&str], message: &str| -> HostError {
        source.refuse_at(&[&["servers", name], keys].concat(), message)
    };
    let only = |program: bool, keys: [(&'static str, bool); 3]| {
        let (owner, other) = match program {
            true => ("a program", "a URL"),
            false => ("a URL", "a program"),
        };
        let given = keys.into_iter().find(|(_, given)| *given);
        given.map_or(Ok(()), |(key, _)| {
            let message = format!("only {owner} has it, and this server is {other}");
            Err(refuse(&[key], &message))
        })
    };
    match (&entry.command, &entry.url) {
        (None, None) => Err(refuse(&[], "`command` or `url` is missing")),
        (Some(_), Some(_)) => {
            let message = "a server has a program or a URL; leave out one of `command` and `url`";
            Err(refuse(&["url"], message))
        }
        (Some(_), None) => {
            let headers = ("headers", !entry.headers.is_empty());
            only(false, [headers, ("", false), ("", false)])
        }
        (None, Some(_)) => {
            let env = ("env", !entry.env.is_empty());
            let cwd = ("cwd", entry.cwd.is_some());
            only(true, [env, cwd, ("inherit", entry.inherit.is_some())])
        }
    }
}

fn tool(source: &Source, name: &str, entry: &ManifestTool) -> Result<()> {
    let refuse = |keys: &[&str], message: &str| -> HostError {
        source.refuse_at(&[&["tools", name], keys].concat(), message)
    };
    if entry.template.program().is_empty() {
        return Err(refuse(&[], "`command` is missing: the program to run"));
    }
    let empty = Default::default();
    let parameters = entry.parameters.as_ref().unwrap_or(&empty);
    let names: Vec<&str> = parameters.keys().map(String::as_str).collect();
    let known: Vec<&str> = ANNOTATIONS.into_iter().chain(value_keywords()).collect();
    for (name, parameter) in parameters {
        let mut keywords = parameter.schema.keys();
        if let Some(key) = keywords.find(|key| !known.contains(&key.as_str())) {
            let message = unknown("key", key, &known);
            return Err(refuse(&["parameters", name, key], &message));
        }
    }
    if let Some(words) = advice::split(entry.template.only_program(), source.folder()) {
        let program = entry.template.program();
        let message = format!(
            "there is no program `{program}`, and a string is not split at spaces: write `command = {words}`"
        );
        return Err(refuse(&["command"], &message));
    }
    let used = entry.template.names();
    for name in &used {
        if !parameters.contains_key(*name) {
            let message = match parameters.is_empty() {
                true => {
                    format!("`{{{name}}}` is not a known argument; describe it in `parameters`")
                }
                false => unknown("parameter", name, &names),
            };
            return Err(refuse(&["command"], &message));
        }
    }
    for name in entry.template.conditions() {
        let kind = parameters[name].schema.get("type");
        if kind.is_none_or(|kind| kind.0 != "boolean") {
            let message = "it is a condition in the command, so its `type` must be `boolean`";
            return Err(refuse(&["parameters", name], message));
        }
    }
    if entry.session.is_some() && entry.says_plain == Some(false) {
        let message = "a program that is driven like this gets no calls; leave out `plain`";
        return Err(refuse(&["plain"], message));
    }
    if entry.size.is_some() && entry.session != Some(SessionKind::Pty) {
        let message = "only a terminal has a size; set `session = \"pty\"`";
        return Err(refuse(&["size"], message));
    }
    if entry.gets_no_call() {
        if let Some(name) = names.iter().find(|name| !used.contains(*name)) {
            let message =
                format!("`{{{name}}}` does not occur in the command, so it would be lost");
            return Err(refuse(&["parameters", name], &message));
        }
        let none = [Json::default(), Json::empty_object()];
        let has_options = !none.contains(&entry.options);
        let useless = [
            ("tool", entry.tool.is_some()),
            ("options", has_options),
            ("questions", !entry.questions.is_empty()),
            ("refusals", !entry.refusals.is_empty()),
            ("assistant", entry.assistant.is_some()),
            ("warm", entry.warm == Some(true)),
            ("describe", entry.asked),
        ];
        if let Some((key, _)) = useless.iter().find(|(_, given)| *given) {
            let message = "the program gets no call, so this cannot be passed to it";
            return Err(refuse(&[key], message));
        }
        if entry.parameters.is_none() && !entry.arguments.is_empty() {
            return Err(refuse(
                &["arguments"],
                "the program takes none; see `parameters`",
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod schema {
    use schemars::{Schema, SchemaGenerator, json_schema};

    pub fn tools(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z0-9_.-]{1,128}$" },
            "additionalProperties": generator.subschema_for::<super::ManifestTool>(),
        })
    }

    pub fn servers(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z0-9_.-]{1,128}$" },
            "additionalProperties": generator.subschema_for::<super::ServerEntry>(),
        })
    }
}
