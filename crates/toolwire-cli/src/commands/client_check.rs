//! The first start of a server as a client starts it, before its entry is written.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use toolwire_host::clients::{Client as Reader, OwnServer, Target};
use toolwire_host::{Command, Environment, Observer, ProcessOptions};
use toolwire_mcp::client::{Client, ClientError, ClientOptions, Server};

use crate::exit::{Failure, Result};
use crate::run::block_on;
use crate::terminal;

/// What a desktop starts its programs with, beside `PATH`.
const OF_A_DESKTOP: [&str; 8] = [
    "HOME",
    "LANG",
    "LOGNAME",
    "SHELL",
    "TMPDIR",
    "USER",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
];

/// The `PATH` of programs that a desktop starts.
const PATH: &str = "/usr/bin:/bin:/usr/sbin:/sbin";

/// How long the server may take to list its tools.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts the server of an entry once, and lists its tools. If it serves none, as where the `PATH` of a desktop has
/// another Python without the imports of a tool, the entry gets the `PATH` of this process.
pub fn check(server: &mut OwnServer, reader: Reader, workspace: bool) -> Result<Vec<String>> {
    let of_shell = matches!(reader, Reader::ClaudeCode | Reader::Codex | Reader::Gemini);
    // The file of a workspace is for others, too, whose PATH is another one.
    if of_shell || workspace || cfg!(windows) {
        return listed(server, Environment::all());
    }
    let bare = || {
        let set = OF_A_DESKTOP.iter();
        let set = set.filter_map(|name| Some((*name, env::var_os(name)?)));
        set.fold(Environment::only([""; 0]), |all, (name, value)| {
            all.with(name, value)
        })
    };
    let first = listed(server, bare().with("PATH", PATH));
    if first.as_ref().is_ok_and(|tools| !tools.is_empty()) {
        return first;
    }
    let Target::Program { command, env, .. } = &mut server.target else {
        return first;
    };
    let Some(path) = own_path(Path::new(command)) else {
        return first;
    };
    *env = BTreeMap::from([("PATH".to_owned(), path.clone())]);
    listed(server, bare().with("PATH", path))
}

/// The `PATH` of this process, with the folder of this command first, where a virtual environment has its Python.
fn own_path(command: &Path) -> Option<String> {
    let own = command.parent().map(PathBuf::from);
    let own = own.filter(|folder| folder.join("python3").exists());
    let usual = env::var_os("PATH")?;
    let rest = env::split_paths(&usual)
        .filter(|folder| folder.is_absolute() && own.as_ref() != Some(folder));
    let all: Vec<PathBuf> = own.iter().cloned().chain(rest).collect();
    env::join_paths(all).ok()?.into_string().ok()
}

fn listed(server: &OwnServer, environment: Environment) -> Result<Vec<String>> {
    let Target::Program {
        command, arguments, ..
    } = &server.target
    else {
        return Ok(Vec::new());
    };
    let options = ProcessOptions {
        cwd: Some(PathBuf::from(if cfg!(windows) { "C:\\" } else { "/" })),
        environment,
        ..ProcessOptions::default()
    };
    let program = Server::program(Command::new(command).args(arguments), options);
    let said = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&said);
    let options = ClientOptions {
        on_stderr: Some(Observer::new(move |bytes: &[u8]| {
            let mut said = hears.lock().unwrap_or_else(PoisonError::into_inner);
            said.extend_from_slice(bytes);
        })),
        listen: false,
        ..ClientOptions::default()
    };
    let listing = async {
        let client = Client::connect(&server.name, &program, &options).await?;
        let tools = client.tools().await;
        client.close().await;
        let names = tools?.into_iter().map(|tool| tool.name);
        Ok::<Vec<String>, ClientError>(names.collect())
    };
    block_on(async {
        match tokio::time::timeout(PATIENCE, listing).await {
            Ok(Ok(tools)) => Ok(tools),
            Ok(Err(error)) => {
                let said = said.lock().unwrap_or_else(PoisonError::into_inner);
                terminal::tell(&String::from_utf8_lossy(&said), false);
                Err(Failure::Refused(format!(
                    "the client could not use this entry: {error}"
                )))
            }
            Err(_) => Err(Failure::Refused(format!(
                "the client could not use this entry: the server did not list its tools within {} s",
                PATIENCE.as_secs()
            ))),
        }
    })
}
