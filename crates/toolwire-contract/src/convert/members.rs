//! Members of an entry: of a client's file, a profile or a manifest.

use std::collections::BTreeMap;

use toolwire::json::{ObjectWriter, array, pointer, string};
use toolwire::mcp::LossReport;
use toolwire::{Error, Json};

use super::words::Words;
use super::{Entry, Form, Header, Server, Syntax, Text, cannot, toml, written};
use crate::pretty::indented;
use crate::server::{OldTransport, Row};

/// The text that has only this server, and the members of its entry.
pub(super) fn write(
    entry: &Entry,
    to: Form,
    report: &mut LossReport,
) -> Result<(String, Json), Error> {
    let members = members(entry, to, report)?;
    if to == Form::Profile {
        return Ok((indented(&members), members));
    }
    let row = to.row();
    let name = name(entry);
    let text = match row.syntax {
        Syntax::Toml => toml::table(row.key, &name, &members),
        _ => {
            let server = ObjectWriter::new().json(&name, members.as_str()).end();
            indented(&written(ObjectWriter::new().json(row.key, server).end()))
        }
    };
    Ok((text, members))
}

/// The name of the server, or else of its program or its host.
pub(super) fn name(entry: &Entry) -> String {
    if let Some(name) = entry.name.as_ref().filter(|name| !name.is_empty()) {
        return name.clone();
    }
    let whole = match &entry.server {
        Server::Program { command, args, .. } => {
            // What a launcher starts says more than the launcher.
            let mut package = args.iter().rev().filter_map(Text::as_literal);
            let package = package.find(|word| !word.starts_with('-'));
            package.or(command.as_literal()).unwrap_or_default()
        }
        Server::Url { url, .. } => {
            let url = url.as_literal().unwrap_or_default();
            let host = url.split_once("://").map_or(url, |(_, rest)| rest);
            host.split(['/', '?', '#', ':']).next().unwrap_or_default()
        }
    };
    let last = whole.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match &last[..last.find(|c| !plain(c)).unwrap_or(last.len())] {
        "" => "server".to_owned(),
        name => name.to_owned(),
    }
}

/// The members, in the order in which people write them.
fn members(entry: &Entry, to: Form, report: &mut LossReport) -> Result<Json, Error> {
    let row = to.row();
    let title = row.title;
    let mut words = Words {
        form: title,
        variables: row.variables,
        report,
    };
    let mut out = ObjectWriter::new();
    if to == Form::Profile {
        out.optional("server", entry.name.as_deref());
    }
    let further = |further: Option<(&str, &str)>, out: &mut ObjectWriter| {
        if let Some((name, value)) = further {
            out.text(name, value);
        }
    };
    match &entry.server {
        Server::Program {
            command,
            args,
            env,
            cwd,
        } => {
            further(row.further[0], &mut out);
            let program = words.needed("/command", command)?;
            let args = words.arguments(args);
            let args = args.iter().map(|arg| string(arg));
            if to == Form::Manifest {
                out.json(
                    "command",
                    array(std::iter::once(string(&program)).chain(args)),
                );
            } else {
                out.text("command", program).json("args", array(args));
            }
            environment(&row, env, &mut words, &mut out);
            match cwd {
                Some(cwd) if row.cwd => {
                    out.optional("cwd", words.optional("/cwd", cwd));
                }
                Some(_) => {
                    words.drop("/cwd", "has no place for the folder in which a server runs");
                }
                None => {}
            }
        }
        Server::Url { url, headers, sse } => {
            let Some(mut key) = row.url.first() else {
                let message =
                    format!("the file of {title} takes no URLs; add the server in its settings");
                return Err(cannot("/url", message));
            };
            let mut member = row.further[1];
            match &row.old {
                _ if !sse => {}
                OldTransport::Member(name) => member = Some((name, "sse")),
                OldTransport::Url(own) => key = own,
                OldTransport::Unknown => {
                    words.drop("/sse", "has no word for the old transport of two endpoints");
                }
            }
            further(member, &mut out);
            out.text(key, words.needed("/url", url)?);
            self::headers(&row, headers, &mut words, &mut out);
        }
    }
    Ok(written(out.end()))
}

/// The variables of a program: by their names, if the client has a way to name one.
fn environment(
    row: &Row,
    env: &BTreeMap<String, String>,
    words: &mut Words<'_>,
    out: &mut ObjectWriter,
) {
    if !row.named || env.is_empty() {
        let texts = env.iter();
        let texts = texts.map(|(name, variable)| (name, Text::variable(variable)));
        out.optional_json("env", words.table("/env", texts));
        return;
    }
    for (name, variable) in env.iter().filter(|(name, variable)| name != variable) {
        let reason = format!(
            "{} passes a variable on under its own name; set `{name}` as `{variable}` is",
            row.title
        );
        words.approximate(&pointer::join("/env", name), &reason);
    }
    out.json("env_vars", array(env.keys().map(|name| string(name))));
}

/// The headers of a server elsewhere, in the same way.
fn headers(
    row: &Row,
    headers: &BTreeMap<String, Header>,
    words: &mut Words<'_>,
    out: &mut ObjectWriter,
) {
    if !row.named {
        let texts = headers.iter().map(|(name, header)| (name, header.text()));
        out.optional_json("headers", words.table("/headers", texts));
        return;
    }
    let mut named = BTreeMap::new();
    for (name, header) in headers {
        let is_authorization = name.eq_ignore_ascii_case("authorization");
        match header.before.as_str() {
            "Bearer " if is_authorization => {
                out.text("bearer_token_env_var", &header.variable);
            }
            "" => {
                named.insert(name, &header.variable);
            }
            _ => words.drop(
                &pointer::join("/headers", name),
                "puts nothing before the value of this header",
            ),
        }
    }
    if !named.is_empty() {
        let mut plain = ObjectWriter::new();
        for (name, variable) in named {
            plain.text(name, variable);
        }
        out.json("env_http_headers", plain.end());
    }
}
