//! Launch URIs (CONV-32, CONV-33).

use std::collections::BTreeMap;

use toolwire::json::{pointer, string};
use toolwire::mcp::{Fate, LossReport};
use toolwire::{Error, Json};

use super::words::Words;
use super::{
    ConvertOptions, Entry, Header, Server, Spelled, SpelledServer, Variables, cannot, written,
};
use crate::launch::{self, Launch, Request, format_launch_uri, parse_launch_uri};
use crate::server::variable_name;

/// Reads a launch URI.
pub(super) fn read(input: &str, options: &ConvertOptions) -> Result<(Entry, LossReport), Error> {
    let launch = parse_launch_uri(input)?;
    let mut report = LossReport::default();
    if let Some(request) = &launch.request {
        let (place, what) = match request {
            Request::Tool { .. } => ("/tool", "the call of a tool"),
            Request::List(_) => ("/list", "the list that is asked for"),
            Request::Resource(_) => ("/resource", "the resource that is asked for"),
        };
        report.add(
            place,
            Fate::Dropped,
            &format!("{what} is no part of the server"),
        );
    }
    let launch = match &options.folder {
        Some(folder) => launch.resolved(folder),
        None => {
            if launch.resolved("/") != launch {
                let reason = "a relative path is meant from the folder in which the URI is used";
                report.add("/args", Fate::Approximated, reason);
            }
            launch
        }
    };
    let name = options.name.clone();
    let server = server(&launch, name.as_deref().unwrap_or_default(), &mut report)?;
    Ok((Entry { name, server }, report.finished()))
}

fn server(launch: &Launch, name: &str, report: &mut LossReport) -> Result<Server, Error> {
    match &launch.server {
        launch::Server::Program(program) => {
            let words = launch.command().unwrap_or_default();
            let Some((command, args)) = words.split_first() else {
                return Err(cannot("/command", "the launch URI starts no program"));
            };
            if !program.env.is_empty() {
                report.add("/env", Fate::Kept, "");
            }
            let spelled = SpelledServer::Program {
                command: command.clone(),
                args: args.to_vec(),
                env: BTreeMap::new(),
                env_vars: program.env.clone(),
                cwd: program.cwd.clone(),
            };
            Ok(carry(spelled, name, report))
        }
        launch::Server::Remote(remote) => {
            if !remote.headers.is_empty() {
                report.add("/headers", Fate::Kept, "");
            }
            let mut headers = BTreeMap::new();
            for header in &remote.headers {
                let variable = variable_name(&[name, header]);
                let reason = format!(
                    "a launch URI does not say where its value is; set the variable `{variable}`"
                );
                report.add(
                    pointer::join("/headers", header),
                    Fate::Approximated,
                    &reason,
                );
                let before = String::new();
                headers.insert(header.clone(), Header { before, variable });
            }
            let spelled = SpelledServer::Url {
                url: remote.url.clone(),
                headers: BTreeMap::new(),
                environment_headers: Vec::new(),
                sse: false,
            };
            let mut server = carry(spelled, name, report);
            if let Server::Url { headers: names, .. } = &mut server {
                *names = headers;
            }
            Ok(server)
        }
    }
}

/// A server without the credentials in its words (CONV-12, CONV-13): a launch URI may have been written by hand.
fn carry(server: SpelledServer, name: &str, report: &mut LossReport) -> Server {
    let spelled = Spelled {
        server,
        more: Vec::new(),
    };
    let (entry, mut carried) = spelled.carry(Some(name), Variables::None);
    report.entries.append(&mut carried.entries);
    entry.server
}

/// Writes a launch URI.
pub(super) fn write(entry: &Entry, report: &mut LossReport) -> Result<(String, Json), Error> {
    let mut words = Words {
        form: "a launch URI",
        variables: Variables::None,
        report,
    };
    if entry.name.is_some() {
        words.report.add(
            "/name",
            Fate::Dropped,
            "a launch URI gives the server no name",
        );
    }
    let launch = match &entry.server {
        Server::Program {
            command,
            args,
            env,
            cwd,
        } => {
            let mut argv = vec![words.needed("/command", command)?];
            argv.extend(words.arguments(args));
            if let Some(uvx) = uv_run(&argv) {
                let reason =
                    "`uv run` would also build the project of the current folder; `uvx` does not";
                words.report.add("/command", Fate::Approximated, reason);
                argv = uvx;
            }
            let launch = Launch::from_command(&argv);
            let mut launch = launch.ok_or_else(|| cannot("/command", "there is no program"))?;
            let cwd = cwd.as_ref().and_then(|cwd| words.optional("/cwd", cwd));
            for (name, variable) in env.iter().filter(|(name, variable)| name != variable) {
                let reason = format!(
                    "a launch URI names a variable as the program does; set `{name}` as `{variable}` is"
                );
                words
                    .report
                    .add(pointer::join("/env", name), Fate::Approximated, &reason);
            }
            if let launch::Server::Program(program) = &mut launch.server {
                // A container's command names its variables already.
                let named = program.env.clone();
                let further = env.keys().filter(|name| !named.contains(name));
                program.env.extend(further.cloned());
                if cwd.is_some() {
                    program.cwd = cwd;
                }
            }
            if launch.command().is_some_and(|words| words != argv) {
                // A path with a drive, or a variable that a container is to get, too.
                let reason = "the command of the launch URI is not to the letter the same";
                words.report.add("/command", Fate::Approximated, reason);
            }
            launch
        }
        Server::Url { url, headers, sse } => {
            if *sse {
                let reason = "a launch URI has no word for the old transport of two endpoints";
                words.report.add("/sse", Fate::Dropped, reason);
            }
            for (name, header) in headers {
                let reason = format!(
                    "a launch URI names the header only, not `{}`, which has its value",
                    header.variable
                );
                words
                    .report
                    .add(pointer::join("/headers", name), Fate::Approximated, &reason);
            }
            Launch {
                server: launch::Server::Remote(launch::Remote {
                    url: words.needed("/url", url)?,
                    headers: headers.keys().cloned().collect(),
                }),
                request: None,
            }
        }
    };
    let uri = format_launch_uri(&launch)?;
    let member = written(string(&uri));
    Ok((uri, member))
}

/// The words for `uvx` that start what `uv run --with PACKAGE COMMAND …` starts.
fn uv_run(argv: &[String]) -> Option<Vec<String>> {
    let rest = match argv {
        [uv, run, rest @ ..] if uv == "uv" && run == "run" => rest,
        _ => return None,
    };
    let mut packages = Vec::new();
    let mut rest = rest;
    while let [with, package, more @ ..] = rest
        && with == "--with"
    {
        packages.push(package.clone());
        rest = more;
    }
    let command = rest.first().filter(|word| !word.starts_with('-'))?;
    let (from, with) = packages.split_first()?;
    // What a path or an interpreter names is the project's, not the package's.
    if command.contains(['/', '\\', '.']) || command.starts_with("python") {
        return None;
    }
    let mut words = vec!["uvx".to_owned()];
    for package in with {
        words.extend(["--with".to_owned(), package.clone()]);
    }
    words.extend(["--from".to_owned(), from.clone()]);
    words.extend(rest.iter().cloned());
    Some(words)
}
