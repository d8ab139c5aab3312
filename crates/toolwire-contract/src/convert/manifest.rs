//! Servers of a manifest: tables `[servers.NAME]` (CONV-31).

use toolwire::json::{Document, Kind, ObjectWriter, array, pointer, string};
use toolwire::mcp::LossReport;
use toolwire::{Code, Error, Json};

use super::client::name;
use super::words::Words;
use super::{ConvertOptions, Entry, Server, Spelled, Variables, toml, written};

/// Reads the members of such a table, given as a JSON object.
pub(super) fn read(input: &str, options: &ConvertOptions) -> Result<(Entry, LossReport), Error> {
    let document = Document::new(input)?;
    let mut out = ObjectWriter::new();
    for (member, value) in document.root().members() {
        match (member.as_ref(), value.kind()) {
            ("command", Kind::Array) => {
                let mut words = value.elements().map(|word| word.raw());
                out.json("command", words.next().unwrap_or("\"\""));
                out.json("args", array(words));
            }
            ("inherit", Kind::Array) => {
                let names = value.elements().filter(|name| !name.is_str("standard"));
                out.json("env_vars", array(names.map(|name| name.raw())));
            }
            ("args" | "env_vars", _) => {
                let message = format!(
                    "there is no key `{member}`; a manifest has the program and its arguments in `command`, and \
                     names of variables in `inherit`"
                );
                return Err(Error::new(
                    Code::BadServerEntry,
                    pointer::join("", &member),
                    None,
                    message,
                ));
            }
            _ => {
                out.json(&member, value.raw());
            }
        }
    }
    let members = match document.root().kind() {
        Kind::Object => written(out.end()),
        _ => Json::new(input)?,
    };
    let spelled = Spelled::read(&members, None)?;
    Ok(spelled.carry(options.name.as_deref(), Variables::Default))
}

/// The table, and its members as a JSON object.
pub(super) fn write(entry: &Entry, report: &mut LossReport) -> Result<(String, Json), Error> {
    let mut words = Words {
        form: "a manifest",
        variables: Variables::Default,
        report,
    };
    let mut out = ObjectWriter::new();
    match &entry.server {
        Server::Program {
            command,
            args,
            env,
            cwd,
        } => {
            let program = words.needed("/command", command)?;
            let args = words.arguments(args);
            let command = std::iter::once(&program).chain(&args);
            out.json("command", array(command.map(|word| string(word))));
            out.optional_json("env", words.environment(env));
            if let Some(cwd) = cwd {
                out.optional("cwd", words.optional("/cwd", cwd));
            }
        }
        Server::Url { url, headers, sse } => {
            out.text("url", words.needed("/url", url)?);
            if *sse {
                out.text("transport", "sse");
            }
            out.optional_json("headers", words.headers(headers));
        }
    }
    let members = written(out.end());
    Ok((toml::table("servers", &name(entry), &members), members))
}
