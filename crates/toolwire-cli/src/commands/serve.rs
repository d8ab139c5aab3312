//! `toolwire serve`: tools for MCP clients.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use toolwire::json::ObjectWriter;
use toolwire_host::{
    Environment, HostErrorKind, KeptOptions, Unanswered, WorkerOptions, raise_descriptor_limit,
};
use toolwire_mcp::server::{
    Beforehand, Guard, Guarded, HandleOptions, HttpOptions, HttpServer, LocalToken,
    ProcessSettings, Refused, Reporter, ServeError, ServeOptions, Server, StateKeys, TaskOptions,
    Tokens, serve_stdio,
};

use super::gateway;
use crate::args::{BeforehandArgs, HttpArgs, NonInteractive, Schemas, ServeArgs};
use crate::baseline::Served;
use crate::exit::{Failure, Outcome, Result};
use crate::run::given::Given;
use crate::session;
use crate::{input, run, terminal};

/// For a person who started it at a terminal, where a client would have.
const INVITATION: &str = "an MCP client starts this command and speaks with it over stdin and stdout; \
    `--print-config` prints its entry for a client, `--http` serves at a URL; end with Ctrl-D";

/// `program` is how this process was started.
pub fn run(args: &ServeArgs, program: &OsStr) -> Result<Outcome> {
    if let Some(misfit) = args.client.misfit() {
        return Err(Failure::usage(misfit));
    }
    raise_descriptor_limit();
    let options = options(args, program)?;
    let http = http_options(&args.http)?;
    run::block_on_and_leave(async {
        let signals = run::Signals::listen()?;
        let server = Server::start(options);
        let serving = async {
            match &http {
                Some(options) => serve_http(&server, options.clone(), signals.nth(1)).await,
                None => {
                    terminal::invite(INVITATION);
                    serve_stdio(&server, signals.nth(1)).await
                }
            }
        };
        let served = tokio::select! {
            served = serving => served,
            // What still runs of the tools ends with this process.
            () = signals.nth(2) => return Err(Failure::Ended(signals.outcome())),
        };
        served.map_err(refused)?;
        Ok(signals.outcome().unwrap_or(Outcome::Success))
    })
}

/// Opens the port, and tells where clients connect to as soon as they can.
async fn serve_http(
    server: &Server,
    options: HttpOptions,
    stop: impl Future<Output = ()> + Send,
) -> std::result::Result<(), ServeError> {
    let http = HttpServer::bind(options).await?;
    let mut stop = std::pin::pin!(stop);
    tokio::select! {
        ready = server.ready() => ready?,
        () = stop.as_mut() => return Ok(()),
    }
    let url = http.url();
    terminal::complain(&format!("serving at {url}"));
    if let Some(token) = http.token() {
        terminal::complain(&way_in(&url, token));
    }
    http.serve(server, stop).await
}

/// How a client gets in. What stderr leads to may be a log that others read, so the token is for a terminal alone.
fn way_in(url: &str, token: &LocalToken) -> String {
    if !terminal::are_terminals().1 {
        let file = token.file().display();
        return format!("clients send the token in `{file}`; `toolwire` of this user finds it");
    }
    let header = format!("Bearer {}", token.as_str());
    let headers = ObjectWriter::new().text("Authorization", header).end();
    let mut entry = ObjectWriter::new();
    entry
        .text("type", "http")
        .text("url", url)
        .json("headers", headers);
    format!(
        "`toolwire` of this user finds its token; the entry for another client is {}",
        entry.end()
    )
}

/// How HTTP is served, if it is.
pub fn http_options(args: &HttpArgs) -> Result<Option<HttpOptions>> {
    let Some(address) = args.http else {
        return Ok(None);
    };
    let tokens = match (&args.tokens, args.no_token) {
        (Some(file), _) => Tokens::from_file(file).map(Some),
        (None, true) => Ok(None),
        (None, false) => Tokens::from_environment(),
    };
    let tokens = tokens.map_err(|error| Failure::Io(error.to_string()))?;
    Ok(Some(HttpOptions {
        tokens: tokens.unwrap_or_default(),
        no_token: args.no_token,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        max_body: args.max_body,
        max_connections: args.max_connections,
        max_sessions: args.max_sessions,
        idle: args.idle,
        session_idle: args.session_idle,
        grace: args.grace,
        ..HttpOptions::new(address)
    }))
}

fn refused(error: ServeError) -> Failure {
    let message = error.to_string();
    match error.kind() {
        Some(
            HostErrorKind::BadManifest
            | HostErrorKind::UntrustedManifest
            | HostErrorKind::UnknownTool,
        ) => Failure::Wrong(vec![message]),
        Some(_) => Failure::Io(message),
        None => Failure::Refused(message),
    }
}

fn options(args: &ServeArgs, program: &OsStr) -> Result<ServeOptions> {
    let server = &args.server;
    let keys = match &server.state_keys {
        Some(file) => StateKeys::from_file(file).map(Some),
        None => StateKeys::from_environment(),
    };
    let keys = keys.map_err(|error| Failure::Io(error.to_string()))?;
    let process = settings(args)?;
    let offer = gateway::offer(args, &process)?;
    let usual = ServeOptions::new(offer).map_err(|error| Failure::Io(error.to_string()))?;
    Ok(ServeOptions {
        process,
        page_size: server.page_size,
        poll: server.poll,
        search_above: server.search_above,
        plain_schemas: server.schemas == Schemas::Plain,
        keep: server.keep_results.map(KeptOptions::over),
        jobs: server.jobs,
        queue: server.queue,
        workers: (!server.no_warm).then(WorkerOptions::default),
        keys: keys.unwrap_or_else(|| usual.keys.clone()),
        state_lifetime: server.state_lifetime,
        handles: handles(args, program),
        task_link: keeps_outside(args)
            .then(|| session::tasks::link(program.to_owned(), args.process.root.clone())),
        tasks: (!args.http.stateless).then(|| TaskOptions {
            policy: server.tasks,
            after: server.task_after,
            lifetime: server.task_lifetime,
            max_tasks: server.max_tasks,
            max_bytes: server.max_task_results,
            ..TaskOptions::default()
        }),
        answers: beforehand(&args.questions)?,
        guard: guard(args)?,
        reporter: Reporter::new(terminal::complain),
        ..usual
    })
}

/// What is answered without asking the client.
fn beforehand(args: &BeforehandArgs) -> Result<Beforehand> {
    let given = Mutex::new(Given::read(args)?);
    let mut answers = Beforehand::new(move |question| {
        let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
        given.answer(question).ok().flatten()
    });
    answers.unanswered = match args.non_interactive {
        None => Unanswered::Ask,
        Some(NonInteractive::Defaults) => Unanswered::Defaults,
        Some(NonInteractive::Decline) => Unanswered::Decline,
        Some(NonInteractive::Fail | NonInteractive::Unavailable) => Unanswered::Fail,
    };
    Ok(answers)
}

/// Which tools are not served because they are not as they were locked.
fn guard(args: &ServeArgs) -> Result<Option<Guard>> {
    let served = Served::new(args);
    let Some((strict, file)) = served.lock()? else {
        return Ok(None);
    };
    let mut guard = Guard::new(move |whose, tools| {
        let source = match whose {
            Guarded::Manifest(tool) => toolwire_source::tool(tool),
            Guarded::Program(command) => toolwire_source::command(command.clone()),
            _ => return Ok(Refused::new()),
        };
        served.refused(&source, tools)
    });
    guard.strict = strict;
    guard.file = Some(file);
    Ok(Some(guard))
}

/// Whether what runs on is kept in the user's session host: over stdin and stdout, unless it is not wanted.
fn keeps_outside(args: &ServeArgs) -> bool {
    args.http.http.is_none() && !args.server.no_session_host
}

/// How tools that keep running are offered: over HTTP to clients that may not know of each other's handles, over
/// stdin and stdout to the user's own, whose handles the next server finds, or to one that ends them with itself.
fn handles(args: &ServeArgs, program: &OsStr) -> Option<HandleOptions> {
    let usual = HandleOptions::default();
    let shared = args.http.http.is_some();
    let outlives = shared || keeps_outside(args);
    (!args.http.stateless).then(|| HandleOptions {
        shared,
        max_handles: args.server.max_handles,
        carrier: Some(toolwire_pty::carry),
        link: keeps_outside(args)
            .then(|| session::link(program.to_owned(), args.process.root.clone())),
        idle: args.server.handle_idle.or(usual.idle.filter(|_| outlives)),
        session_time: usual.session_time.filter(|_| outlives),
        ..usual
    })
}

/// How programs are run: in the root, unless another folder is given.
fn settings(args: &ServeArgs) -> Result<ProcessSettings> {
    let process = &args.process;
    let root = process.root.as_ref().map(|root| input::root(root));
    let cwd = match (&process.cwd, &root) {
        (Some(cwd), _) => Some(cwd.clone()),
        (None, Some(root)) if root.starts_with("file:") => None,
        (None, Some(root)) => Some(folder(root)?),
        (None, None) => None,
    };
    let manifest_decides = args.programs.is_empty() && args.command.is_empty();
    let here = || {
        std::env::current_dir()
            .ok()?
            .into_os_string()
            .into_string()
            .ok()
    };
    Ok(ProcessSettings {
        cwd,
        // A manifest has a root of its own.
        root: root.or_else(|| (!manifest_decides).then(here).flatten()),
        inherit: run::inherited(process)?,
        usual: Environment::all(),
        env: process
            .env
            .iter()
            .map(|variable| (variable.name.clone(), variable.value.clone()))
            .collect(),
        timeout: process.max_time,
        silence: process.timeout,
        max_output: process.max_output,
    })
}

fn folder(root: &str) -> Result<PathBuf> {
    let path = PathBuf::from(root);
    match path.is_dir() {
        true => Ok(path),
        false => Err(Failure::Io(format!("`{root}` is no folder"))),
    }
}
