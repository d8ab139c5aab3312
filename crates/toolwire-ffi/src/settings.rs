//! What the options of `connect`, `serve` and sessions come to, and how a program is run.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use toolwire::json::Document;
use toolwire::{Error, Json, terminal_safe};
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{Command, KeptOptions, ProcessOptions, SessionRules, TurnEnd};
use toolwire_mcp::client::{ClientOptions, Header};
use toolwire_mcp::server::{
    HttpOptions, ManifestOffer, Offer, ProcessSettings, Reporter, ServeOptions,
};

use crate::caller::{Caller, Failure};
use crate::options::{Unit, wrong};
use crate::readers;
use crate::servers::{Named, Reach, ServerError};

/// A server, as it is named.
pub enum Server<'a> {
    /// One word.
    Word(&'a str),
    /// A program and its arguments.
    Command(Command),
}

/// The name of a program's file.
pub(crate) fn stem(program: &Command) -> String {
    let stem = Path::new(program.program()).file_stem();
    stem.unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn text(path: PathBuf) -> String {
    path.to_string_lossy().into_owned()
}

impl readers::ProcessOptions {
    /// How a program is run: as the tool of a manifest says where nothing is given.
    pub(crate) fn options(&self, tool: Option<&ManifestTool>, caller: &Caller) -> ProcessOptions {
        let usual = tool.map_or_else(ProcessOptions::default, ManifestTool::process_options);
        let inherited = match (self.inherit.clone(), tool) {
            (Some(inherited), Some(tool)) => tool.environment(inherited),
            (inherited, _) => inherited.unwrap_or_else(|| usual.environment.clone()),
        };
        let set = self.env.iter();
        let interpreters = caller.interpreters.iter();
        let interpreters = interpreters.map(|(of, path)| ((*of).to_owned(), path.clone()));
        ProcessOptions {
            cwd: self.cwd.clone().or(usual.cwd),
            environment: set.fold(inherited, |all, (name, value)| all.with(name, value)),
            interpreters: usual.interpreters.into_iter().chain(interpreters).collect(),
            timeout: self.timeout.or(usual.timeout),
            max_output: self.max_output.unwrap_or(usual.max_output),
            limits: self.limits.unwrap_or(usual.limits),
            ..usual
        }
    }
}

/// What is served, and where.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// How the server behaves, and which programs it has.
    pub options: ServeOptions,
    /// Whether there are functions too, whose calls [`Functions::next_call`] gives.
    pub functions: bool,
    /// A file with the keys of `requestState`; otherwise they are from the environment.
    pub state_keys: Option<PathBuf>,
    /// Over HTTP, if not over stdin and stdout.
    pub http: Option<HttpOptions>,
    /// A file with tokens; otherwise they are from the environment.
    pub tokens: Option<PathBuf>,
}

/// The server that is meant, and how it is used.
pub(crate) fn server(
    server: Server<'_>,
    options: &str,
    caller: &Caller,
) -> Result<(Named, ClientOptions), Failure> {
    let given = readers::connect_job(options, caller.unit)?;
    let asked = readers::server_options_in(&given)?;
    let mut process = readers::process_options_in(&given)?;
    let env = std::mem::take(&mut process.env);
    let mut start = process.options(None, caller);
    let client = client(&asked, &start);
    start.timeout = None;
    let reach = Reach {
        options: start,
        env,
        headers: headers(&asked),
        config: asked.config,
        trust: asked.trust,
    };
    let mut named = match server {
        Server::Word(word) => Named::word(word, reach)?,
        Server::Command(command) => Named::command(command, reach)?,
    };
    if let Some(name) = asked.name {
        named.label = name;
    }
    Ok((named, client))
}

/// How a server is used whose program, if it has one, is started like this.
pub(crate) fn client(asked: &readers::ServerOptions, start: &ProcessOptions) -> ClientOptions {
    let usual = ClientOptions::default();
    ClientOptions {
        connect_timeout: asked.connect_timeout.unwrap_or(usual.connect_timeout),
        timeout: start.timeout,
        max_timeout: asked.max_timeout.unwrap_or(usual.max_timeout),
        max_message: asked.max_message.unwrap_or(usual.max_message),
        limits: start.limits,
        send_context: asked.send_context,
        ..usual
    }
}

pub(crate) fn headers(asked: &readers::ServerOptions) -> Vec<Header> {
    let headers = asked.headers.iter();
    headers
        .map(|(name, value)| Header::new(name, value))
        .collect()
}

/// What is served: these programs, and functions if there are some.
pub(crate) fn served(
    programs: Vec<Command>,
    functions: bool,
    options: &str,
    caller: &Caller,
) -> Result<Wanted, Failure> {
    let given = readers::serve_job(options, caller.unit)?;
    let asked = readers::serve_options_in(&given)?;
    let process = readers::process_options_in(&given)?;
    let offer = Offer {
        programs,
        manifest: asked.manifest.map(|path| ManifestOffer {
            path: Some(path),
            names: Vec::new(),
        }),
        only: asked.only,
        except: [asked.exclude, asked.except].concat(),
        prefix: asked.prefix,
        ..Offer::default()
    };
    let usual = ServeOptions::new(offer).map_err(ServerError::from)?;
    let options = ServeOptions {
        process: ProcessSettings {
            cwd: process.cwd.or_else(|| asked.root.clone()),
            root: asked.root.map(text),
            inherit: process.inherit,
            env: process.env.into_iter().collect(),
            timeout: process.timeout,
            max_output: process.max_output,
            ..ProcessSettings::default()
        },
        name: asked.name.unwrap_or_else(|| usual.name.clone()),
        instructions: asked.instructions,
        page_size: asked.page_size.unwrap_or(usual.page_size),
        jobs: asked.jobs.unwrap_or(usual.jobs),
        queue: asked.queue.unwrap_or(usual.queue),
        state_lifetime: asked.state_lifetime.unwrap_or(usual.state_lifetime),
        search_above: asked.search_above,
        plain_schemas: asked.plain_schemas,
        keep: asked.keep_results.map(KeptOptions::over),
        reporter: Reporter::new(|message| eprintln!("toolwire: {}", terminal_safe(message, false))),
        ..usual
    };
    let mut http = asked.http.map(|given| http_of(&given, caller.unit));
    if let Some(Ok((_, options))) = &mut http {
        options.no_token |= asked.no_token;
        options.hosts.extend(asked.hosts);
        options.origins.extend(asked.origins);
        options.tokens = asked.tokens.or(options.tokens.take());
    }
    let http = http.transpose()?;
    Ok(Wanted {
        options,
        functions,
        state_keys: asked.state_keys,
        tokens: http.as_ref().and_then(|(_, http)| http.tokens.clone()),
        http: http.map(http_options),
    })
}

/// Where HTTP is served: an address, or an object with `address` and all that there is to say.
fn http_of(given: &Json, unit: Unit) -> Result<(SocketAddr, readers::HttpOptions), Error> {
    let document = Document::new(given.as_str())?;
    let (address, place, text) = match document.root().as_str() {
        Some(address) => (Some(address.into_owned()), "/http", "{}"),
        None => (None, "/http/address", given.as_str()),
    };
    let read = || {
        let given = readers::http_job(text, unit)?;
        let inner = readers::http_address_in(&given)?.address;
        Ok((inner, readers::http_options_in(&given)?))
    };
    let (inner, options) = read()
        .map_err(|error: Error| wrong(format!("/http{}", error.pointer()), error.message()))?;
    let text = address.or(inner).unwrap_or_default();
    let address = text.parse().map_err(|_| {
        let shown = terminal_safe(&text, false);
        let message =
            format!("`http` is an address with a port, such as `127.0.0.1:8080`, not `{shown}`");
        wrong(place, message)
    })?;
    Ok((address, options))
}

/// The rules for handles.
pub(crate) fn rules_of(given: &Json, unit: Unit) -> Result<SessionRules, Error> {
    let given = readers::rules_job(given.as_str(), unit)?;
    let mut rules = readers::session_rules_in(&given)?;
    let wait = readers::turn_options_in(&given)?.turn_wait;
    if let (TurnEnd::Wait(time), Some(wait)) = (&mut rules.turn, wait) {
        *time = wait;
    }
    Ok(rules)
}

fn http_options((address, options): (SocketAddr, readers::HttpOptions)) -> HttpOptions {
    let usual = HttpOptions::new(address);
    HttpOptions {
        no_token: options.no_token,
        hosts: options.hosts,
        origins: options.origins,
        max_body: options.max_body.unwrap_or(usual.max_body),
        max_connections: options.max_connections.unwrap_or(usual.max_connections),
        max_sessions: options.max_sessions.unwrap_or(usual.max_sessions),
        idle: options.idle.unwrap_or(usual.idle),
        session_idle: options.session_idle.unwrap_or(usual.session_idle),
        grace: options.grace.unwrap_or(usual.grace),
        ..usual
    }
}
