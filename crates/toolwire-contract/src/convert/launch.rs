//! Launch URIs.

use std::collections::BTreeMap;

use toolwire::json::{pointer, string};
use toolwire::mcp::{Fate, LossReport};
use toolwire::{Error, Json};

use super::words::Words;
use super::{ConvertOptions, Entry, Server, Spelled, SpelledServer, Variables, cannot, written};
use crate::launch::{Launch, Launcher, Request, format_launch_uri, parse_launch_uri};
use crate::server::{Header, variable_name};

/// Reads a launch URI. It may have been written by hand, with credentials in its words.
pub(super) fn read(input: &str, options: &ConvertOptions) -> Result<(Entry, LossReport), Error> {
    let mut launch = parse_launch_uri(input)?;
    let mut report = LossReport::default();
    if let Some(request) = &launch.request {
        let (place, what) = match request {
            Request::Tool { .. } => ("/tool", "the call of a tool"),
            Request::List { .. } => ("/list", "the list that is asked for"),
            Request::Resource { .. } => ("/resource", "the resource that is asked for"),
        };
        let reason = format!("{what} is no part of the server");
        report.add(place, Fate::Dropped, &reason);
    }
    match &options.folder {
        Some(folder) => launch = launch.resolved(folder),
        None if launch.resolved("/") != launch => {
            let reason = "a relative path is meant from the folder in which the URI is used";
            report.add("/args", Fate::Approximated, reason);
        }
        None => {}
    }
    let name = options.name.as_deref();
    let server = match launch.command() {
        Some(mut words) => {
            if !launch.env.is_empty() {
                report.add("/env", Fate::Kept, "");
            }
            SpelledServer::Program {
                command: words.remove(0),
                args: words,
                env: BTreeMap::new(),
                env_vars: launch.env,
                cwd: launch.cwd,
            }
        }
        None => {
            let mut headers = BTreeMap::new();
            for header in launch.headers {
                let variable = variable_name(&[name.unwrap_or_default(), &header]);
                let reason = "a launch URI does not say where its value is; set the variable";
                let reason = format!("{reason} `{variable}`");
                let place = pointer::join("/headers", &header);
                report.add(place, Fate::Approximated, &reason);
                let before = String::new();
                headers.insert(header, Header { before, variable });
            }
            SpelledServer::Url {
                environment_headers: headers,
                url: launch.target,
                headers: BTreeMap::new(),
                sse: false,
            }
        }
    };
    let more = Vec::new();
    let (entry, mut carried) = Spelled { server, more }.carry(name, Variables::None);
    report.entries.append(&mut carried.entries);
    Ok((entry, report.finished()))
}

/// Writes a launch URI.
pub(super) fn write(entry: &Entry, report: &mut LossReport) -> Result<(String, Json), Error> {
    let mut words = Words {
        form: "a launch URI",
        variables: Variables::None,
        report,
    };
    if entry.name.is_some() {
        words.drop("/name", "gives the server no name");
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
                words.approximate("/command", reason);
                argv = uvx;
            }
            let launch = Launch::from_command(&argv);
            let mut launch = launch.ok_or_else(|| cannot("/command", "there is no program"))?;
            let cwd = cwd.as_ref().and_then(|cwd| words.optional("/cwd", cwd));
            for (name, variable) in env.iter().filter(|(name, variable)| name != variable) {
                let reason = format!(
                    "a launch URI names a variable as the program does; set `{name}` as `{variable}` is"
                );
                words.approximate(&pointer::join("/env", name), &reason);
            }
            // A container's command names its variables already.
            let named = launch.env.clone();
            let further = env.keys().filter(|name| !named.contains(name));
            launch.env.extend(further.cloned());
            launch.cwd = cwd;
            if launch.command().is_some_and(|words| words != argv) {
                // A path with a drive, or a variable that a container is to get, too.
                let reason = "the command of the launch URI is not to the letter the same";
                words.approximate("/command", reason);
            }
            launch
        }
        Server::Url { url, headers, sse } => {
            if *sse {
                words.drop("/sse", "has no word for the old transport of two endpoints");
            }
            for (name, header) in headers {
                let reason = format!(
                    "a launch URI names the header only, not `{}`, which has its value",
                    header.variable
                );
                words.approximate(&pointer::join("/headers", name), &reason);
            }
            Launch {
                headers: headers.keys().cloned().collect(),
                ..Launch::new(Launcher::Http, words.needed("/url", url)?)
            }
        }
    };
    let uri = format_launch_uri(&launch)?;
    let member = written(string(&uri));
    Ok((uri, member))
}

/// The words for `uvx` that start what `uv run --with PACKAGE COMMAND …` starts.
fn uv_run(argv: &[String]) -> Option<Vec<String>> {
    let mut rest = match argv {
        [uv, run, rest @ ..] if uv == "uv" && run == "run" => rest,
        _ => return None,
    };
    let mut packages = Vec::new();
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
    let with = with.iter().map(|package| ("--with", package));
    for (option, package) in with.chain([("--from", from)]) {
        words.extend([option.to_owned(), package.clone()]);
    }
    words.extend(rest.iter().cloned());
    Some(words)
}
