//! Entries in the files of clients (CONV-20 to CONV-23).

use std::collections::BTreeMap;

use toolwire::json::{ObjectWriter, array, pointer, string};
use toolwire::mcp::{Fate, LossReport};
use toolwire::{Error, Json};

use super::words::Words;
use super::{
    Client, ConvertOptions, Entry, Header, Server, Spelled, Syntax, Text, Variables, cannot, toml,
    written,
};
use crate::pretty::indented;

/// Reads the members of an entry.
pub(super) fn read(
    input: &str,
    client: Option<Client>,
    options: &ConvertOptions,
) -> Result<(Entry, LossReport), Error> {
    let spelled = Spelled::read(&Json::new(input)?, client)?;
    Ok(spelled.carry(options.name.as_deref(), variables(client)))
}

fn variables(client: Option<Client>) -> Variables {
    client.map_or(Variables::Default, Client::variables)
}

/// The file that has only this server, and the members of its entry.
pub(super) fn write(
    entry: &Entry,
    client: Option<Client>,
    report: &mut LossReport,
) -> Result<(String, Json), Error> {
    let members = members(entry, client, report)?;
    let name = name(entry);
    let key = client.map_or("mcpServers", Client::key);
    let text = match client.map(Client::syntax) {
        Some(Syntax::Toml) => toml::table(key, &name, &members),
        _ => {
            let server = ObjectWriter::new().json(&name, members.as_str()).end();
            let file = ObjectWriter::new().json(key, server).end();
            indented(&file)
        }
    };
    Ok((text, members))
}

/// What the server is called: by its name, or by its program or its host.
pub(super) fn name(entry: &Entry) -> String {
    if let Some(name) = entry.name.as_ref().filter(|name| !name.is_empty()) {
        return name.clone();
    }
    let whole = match &entry.server {
        Server::Program { command, args, .. } => {
            // What a launcher starts says more than the launcher.
            let package = args.iter().rev().filter_map(Text::as_literal);
            let package = package.into_iter().find(|word| !word.starts_with('-'));
            package
                .or(command.as_literal())
                .unwrap_or_default()
                .to_owned()
        }
        Server::Url { url, .. } => {
            let url = url.as_literal().unwrap_or_default();
            let host = url.split_once("://").map_or(url, |(_, rest)| rest);
            host.split(['/', '?', '#', ':'])
                .next()
                .unwrap_or_default()
                .to_owned()
        }
    };
    let last = whole.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = last.find(|c| !plain(c)).unwrap_or(last.len());
    match &last[..end] {
        "" => "server".to_owned(),
        name => name.to_owned(),
    }
}

/// The members of the entry, in the order in which people write them (CONV-20).
fn members(entry: &Entry, client: Option<Client>, report: &mut LossReport) -> Result<Json, Error> {
    let title = client.map_or("an entry of `mcpServers`", Client::title);
    let mut words = Words {
        form: title,
        variables: variables(client),
        report,
    };
    let further = client.map_or([None, None], Client::further_members);
    let mut out = ObjectWriter::new();
    match &entry.server {
        Server::Program {
            command,
            args,
            env,
            cwd,
        } => {
            if let Some((name, value)) = further[0] {
                out.text(name, value);
            }
            out.text("command", words.needed("/command", command)?);
            let args = words.arguments(args);
            out.json("args", array(args.iter().map(|arg| string(arg))));
            environment(client, env, &mut words, &mut out);
            if let Some(cwd) = cwd {
                let takes = [Client::Vscode, Client::Gemini, Client::Codex];
                match client.is_none_or(|client| takes.contains(&client)) {
                    true => {
                        out.optional("cwd", words.optional("/cwd", cwd));
                    }
                    false => {
                        let reason =
                            format!("{title} has no place for the folder in which a server runs");
                        words.report.add("/cwd", Fate::Dropped, &reason);
                    }
                }
            }
        }
        Server::Url { url, headers, sse } => {
            let key = match client.map(Client::url_members) {
                None => "url",
                // There, the first is for the newer transport only.
                Some(keys) if client == Some(Client::Gemini) && *sse => {
                    keys.last().copied().unwrap_or("url")
                }
                Some([key, ..]) => *key,
                Some([]) => {
                    let message = format!(
                        "the file of {title} takes no URLs; add the server in its settings"
                    );
                    return Err(cannot("/url", message));
                }
            };
            let further = match further[1] {
                Some(("type", _)) if *sse => Some(("type", "sse")),
                None if client.is_none() && *sse => Some(("type", "sse")),
                other => other,
            };
            if let Some((name, value)) = further {
                out.text(name, value);
            }
            let tells = matches!(
                client,
                None | Some(Client::ClaudeCode | Client::Vscode | Client::Gemini)
            );
            if *sse && !tells {
                let reason = format!("{title} has no word for the old transport of two endpoints");
                words.report.add("/sse", Fate::Dropped, &reason);
            }
            out.text(key, words.needed("/url", url)?);
            self::headers(client, headers, &mut words, &mut out);
        }
    }
    Ok(written(out.end()))
}

/// The variables of a program: by their names, if the client has a way to name one (CONV-21).
fn environment(
    client: Option<Client>,
    env: &BTreeMap<String, String>,
    words: &mut Words<'_>,
    out: &mut ObjectWriter,
) {
    if env.is_empty() {
        return;
    }
    if client == Some(Client::Codex) {
        for (name, variable) in env.iter().filter(|(name, variable)| name != variable) {
            let reason = format!(
                "Codex passes a variable on under its own name; set `{name}` as `{variable}` is"
            );
            words
                .report
                .add(pointer::join("/env", name), Fate::Approximated, &reason);
        }
        out.json("env_vars", array(env.keys().map(|name| string(name))));
        return;
    }
    out.optional_json("env", words.environment(env));
}

/// The headers of a server elsewhere, in the same way.
fn headers(
    client: Option<Client>,
    headers: &BTreeMap<String, Header>,
    words: &mut Words<'_>,
    out: &mut ObjectWriter,
) {
    if client != Some(Client::Codex) {
        out.optional_json("headers", words.headers(headers));
        return;
    }
    let mut plain = ObjectWriter::new();
    let mut any = false;
    for (name, header) in headers {
        let is_authorization = name.eq_ignore_ascii_case("authorization");
        match header.before.as_str() {
            "Bearer " if is_authorization => {
                out.text("bearer_token_env_var", &header.variable);
            }
            "" => {
                plain.text(name, &header.variable);
                any = true;
            }
            _ => {
                let reason = "Codex puts nothing before the value of this header";
                words
                    .report
                    .add(pointer::join("/headers", name), Fate::Dropped, reason);
            }
        }
    }
    if any {
        out.json("env_http_headers", plain.end());
    }
}
