//! What the options of `run`, `connect`, `serve` and sessions come to, read once for all languages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolwire::call::{Action, Call};
use toolwire::{Error, Json, Limits, terminal_safe};
use toolwire_host::manifest::{Manifest, ManifestTool};
use toolwire_host::{
    CallOptions, Command, Conversation, ExchangeOptions, HostError, Process, ProcessOptions,
    Transport,
};
use toolwire_mcp::client::{ClientOptions, Header};
use toolwire_mcp::server::{
    HttpOptions, ManifestOffer, Offer, ProcessSettings, Reporter, ServeError, ServeOptions,
};

use crate::calls::Calls;
use crate::connection::Connection;
use crate::options::{Http, wrong};
use crate::readers;
use crate::servers::{Named, Reach, ServerError};
use crate::serving::Wanted;

pub use crate::options::{FUNCTION, Unit};

/// Why something does not begin: an option or argument is wrong, or it can't be done.
#[derive(Debug)]
pub enum Failure {
    /// An option or an argument is wrong.
    Refused(Error),
    /// It can't be done.
    Failed(ServerError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Refused(error)
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        Failure::Failed(error)
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Failure::Failed(error.into())
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        Failure::Failed(error.into())
    }
}

/// Who begins it.
#[derive(Debug)]
pub struct Caller {
    /// In what it gives times.
    pub unit: Unit,
    /// The signals, by their numbers, that end the tools before they end the process: those that nobody handles.
    pub signals: Vec<i32>,
    /// What runs files with some extensions.
    pub interpreters: Vec<(&'static str, PathBuf)>,
}

/// Whose tools are called.
pub enum Tools<'a> {
    /// A program's.
    Program(Command),
    /// A manifest's.
    Manifest(&'a Manifest),
    /// A server's.
    Server(&'a Connection),
}

/// A server, as it is named.
pub enum Server<'a> {
    /// One word.
    Word(&'a str),
    /// A program and its arguments.
    Command(Command),
}

/// A call that goes on.
pub struct Run {
    /// Its events.
    pub conversation: Conversation,
    /// The limits for reading its result.
    pub limits: Limits,
}

impl Calls {
    /// Calls a tool; `options` is a JSON object, in which [`FUNCTION`] stands for a callback.
    ///
    /// # Errors
    ///
    /// `bad_option` and `bad_argument`, and why there is no such tool.
    pub fn run(&self, tools: &Tools<'_>, options: &str, caller: &Caller) -> Result<Run, Failure> {
        let given = match tools {
            Tools::Server(_) => readers::call_job(options, caller.unit)?,
            _ => readers::run_job(options, caller.unit)?,
        };
        let asked = readers::call_options_in(&given)?;
        let watch = readers::watch_options_in(&given)?;
        let process = readers::process_options_in(&given)?;
        let exchange = readers::exchange_options_in(&given)?;
        let (transport, call, exchange, limits): (Arc<dyn Transport>, _, _, _) = match tools {
            Tools::Server(server) => {
                let call = call_of(asked, None)?;
                (server.transport()?, call, exchange, server.limits())
            }
            Tools::Manifest(manifest) => {
                let tool = manifest.tool(asked.tool.as_deref().unwrap_or_default())?;
                let options = process.options(Some(tool), caller);
                let call = tool.complete(call_of(asked, None)?)?;
                let (exchange, limits) = (tool.exchange_options(exchange), options.limits);
                (Arc::new(tool.transport(options)), call, exchange, limits)
            }
            Tools::Program(command) => {
                let call = call_of(asked, Some(command))?;
                let options = process.options(None, caller);
                let limits = options.limits;
                let process = Process::new(command.clone(), options);
                (Arc::new(process), call, exchange, limits)
            }
        };
        self.converse(transport, call, exchange, &watch, limits, caller)
    }

    /// Asks a program or a manifest for its tools.
    ///
    /// # Errors
    ///
    /// `bad_option`.
    pub fn list(&self, tools: &Tools<'_>, options: &str, caller: &Caller) -> Result<Run, Failure> {
        let given = readers::list_tools_job(options, caller.unit)?;
        let watch = readers::watch_options_in(&given)?;
        let options = readers::process_options_in(&given)?.options(None, caller);
        let (transport, limits): (Arc<dyn Transport>, _) = match tools {
            Tools::Server(server) => (server.transport()?, server.limits()),
            Tools::Manifest(manifest) => (Arc::new(manifest.lister()), Limits::WIDEST),
            Tools::Program(command) => {
                let limits = options.limits;
                (Arc::new(Process::new(command.clone(), options)), limits)
            }
        };
        let exchange = ExchangeOptions::default();
        self.converse(
            transport,
            Call::describe(),
            exchange,
            &watch,
            limits,
            caller,
        )
    }

    fn converse(
        &self,
        transport: Arc<dyn Transport>,
        call: Call,
        exchange: ExchangeOptions,
        watch: &readers::WatchOptions,
        limits: Limits,
        caller: &Caller,
    ) -> Result<Run, Failure> {
        let options = CallOptions {
            exchange,
            stderr_events: watch.on_stderr,
            tool_events: watch.on_progress || watch.on_log,
            ..CallOptions::default()
        };
        let conversation = self.start(transport, call, options, &caller.signals)?;
        Ok(Run {
            conversation,
            limits,
        })
    }
}

/// The call that the options say. A program that knows nothing of calls is one tool, named after its file.
fn call_of(asked: readers::CallOptions, program: Option<&Command>) -> Result<Call, Error> {
    let name = match (asked.tool, program) {
        (Some(name), _) if name.is_empty() => return Err(wrong("/tool", "`tool` is empty")),
        (Some(name), _) => name,
        (None, Some(program)) => stem(program),
        (None, None) => return Err(wrong("/tool", "give the name of the tool")),
    };
    if asked.action == Some(Action::Describe) {
        let message = "`action` is `run` or `format_arguments`; a list of tools describes them";
        return Err(wrong("/action", message));
    }
    let mut call = Call::new(&name, asked.arguments.unwrap_or_else(Json::empty_object));
    call.options = asked.options.unwrap_or_else(Json::empty_object);
    call.root = asked.root.map(text);
    call.action = asked.action.unwrap_or(Action::Run);
    Ok(call)
}

/// The name of a program's file.
pub(crate) fn stem(program: &Command) -> String {
    let stem = Path::new(program.program()).file_stem();
    stem.unwrap_or_default().to_string_lossy().into_owned()
}

fn text(path: PathBuf) -> String {
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
    let timeout = process.timeout.take();
    let start = process.options(None, caller);
    let usual = ClientOptions::default();
    let client = ClientOptions {
        connect_timeout: asked.connect_timeout.unwrap_or(usual.connect_timeout),
        timeout,
        max_timeout: asked.max_timeout.unwrap_or(usual.max_timeout),
        max_message: asked.max_message.unwrap_or(usual.max_message),
        limits: start.limits,
        send_context: asked.send_context,
        ..usual
    };
    let headers = asked.headers.into_iter();
    let reach = Reach {
        options: start,
        env,
        headers: headers
            .map(|(name, value)| Header::new(name, value))
            .collect(),
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
    let usual = ServeOptions::new(offer)?;
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
        reporter: Reporter::new(|message| eprintln!("toolwire: {}", terminal_safe(message, false))),
        ..usual
    };
    let mut http = asked.http;
    if let Some(Http { options, .. }) = &mut http {
        options.no_token |= asked.no_token;
        options.hosts.extend(asked.hosts);
        options.origins.extend(asked.origins);
        options.tokens = asked.tokens.or(options.tokens.take());
    }
    Ok(Wanted {
        options,
        functions,
        state_keys: asked.state_keys,
        tokens: http.as_ref().and_then(|http| http.options.tokens.clone()),
        http: http.map(http_options),
    })
}

fn http_options(Http { address, options }: Http) -> HttpOptions {
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

impl From<HostError> for ServerError {
    fn from(error: HostError) -> Self {
        ServerError::new(error.kind().as_str(), error.to_string())
    }
}
