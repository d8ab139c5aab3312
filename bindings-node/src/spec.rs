//! How a tool is run, as JavaScript tells it in JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwire::call::Call;
use toolwire::{Code, Error};
use toolwire_ffi::readers;
use toolwire_ffi::servers::{Named, Reach};
use toolwire_ffi::sessions::{AddOptions, Added};
use toolwire_host::manifest::{Manifest, ManifestTool};
use toolwire_host::{
    CallOptions, Command, Environment, ExchangeOptions, Process, ProcessOptions, Transport,
};
use toolwire_mcp::client::{ClientOptions, Header};
use toolwire_mcp::server::ProcessSettings;

use crate::fault::{self, Result, told};

/// A tool and how it is called.
pub struct Spec {
    pub transport: Arc<dyn Transport>,
    pub call: Call,
    pub options: CallOptions,
    /// The signals that nobody handles, which end the tools before they end Node.
    pub signals: Vec<i32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    program: Vec<String>,
    cwd: Option<String>,
    /// What runs files in JavaScript and TypeScript.
    node: Option<PathBuf>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    inherit: Option<Inherit>,
    /// In milliseconds.
    timeout: Option<f64>,
    max_output: Option<f64>,
    #[serde(borrow)]
    limits: Option<&'a RawValue>,
    #[serde(borrow)]
    exchange: Option<&'a RawValue>,
    on_stderr: bool,
    on_event: bool,
    signals: Vec<i32>,
}

/// Which of this process's variables the tool inherits: a word, or names.
#[derive(Deserialize)]
#[serde(untagged)]
enum Inherit {
    Word(String),
    Names(Vec<String>),
}

impl<'a> Told<'a> {
    fn read(text: &'a str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| napi::Error::from_reason(error.to_string()))
    }

    fn command(&self) -> Command {
        let mut words = self.program.iter();
        Command::new(words.next().cloned().unwrap_or_default()).args(words)
    }

    /// How questions are handled.
    fn exchange(&self) -> Result<ExchangeOptions> {
        match self.exchange {
            Some(exchange) => readers::exchange_options(exchange.get()).map_err(told),
            None => Ok(ExchangeOptions::default()),
        }
    }

    /// How the process is run: as the tool of a manifest is, where nothing else is said. With the variables
    /// that are set.
    fn process_options(&self, tool: Option<&ManifestTool>) -> Result<ProcessOptions> {
        let mut options = self.start_options(tool)?;
        let variables = self.env.iter();
        options.environment = variables.fold(options.environment, |all, (name, value)| {
            all.with(name, value)
        });
        Ok(options)
    }

    fn inherited(&self) -> Result<Option<Environment>> {
        let inherited = match &self.inherit {
            None => None,
            Some(Inherit::Word(word)) => Some(word.parse()),
            Some(Inherit::Names(names)) => Some(Environment::from_names(names)),
        };
        inherited.transpose().map_err(|error| {
            let message = format!("`inherit`: {error}");
            told(Error::new(Code::BadOption, "/inherit", None, message))
        })
    }

    fn start_options(&self, tool: Option<&ManifestTool>) -> Result<ProcessOptions> {
        let usual = tool.map_or_else(ProcessOptions::default, ManifestTool::process_options);
        let inherited = self.inherited()?;
        let environment = match (inherited, tool) {
            (Some(inherited), Some(tool)) => tool.environment(inherited),
            (Some(inherited), None) => inherited,
            (None, _) => usual.environment.clone(),
        };
        let mut options = ProcessOptions {
            cwd: self.cwd.clone().map(Into::into).or(usual.cwd.clone()),
            environment,
            timeout: time(self.timeout).or(usual.timeout),
            ..usual
        };
        for extension in ["js", "mjs", "cjs", "ts", "mts", "cts"] {
            let node = self.node.iter().cloned();
            options
                .interpreters
                .extend(node.map(|node| (extension.to_owned(), node)));
        }
        if let Some(most) = self.max_output {
            options.max_output = most as usize;
        }
        if let Some(limits) = self.limits {
            options.limits = readers::limits(limits.get()).map_err(told)?;
        }
        Ok(options)
    }
}

/// A time that no clock reaches is no limit.
pub fn time(milliseconds: Option<f64>) -> Option<Duration> {
    milliseconds.and_then(|time| Duration::try_from_secs_f64(time / 1000.0).ok())
}

/// How the programs of a server are run, and the root of the workspace.
pub fn process_settings(text: &str, root: Option<String>) -> Result<ProcessSettings> {
    let given = Told::read(text)?;
    Ok(ProcessSettings {
        inherit: given.inherited()?,
        cwd: given.cwd.map(Into::into),
        root,
        env: given.env.into_iter().collect(),
        timeout: time(given.timeout),
        max_output: given.max_output.map(|most| most as usize),
        ..ProcessSettings::default()
    })
}

/// A server and how it is used.
pub struct ServerSpec {
    pub named: Named,
    pub options: ClientOptions,
    pub signals: Vec<i32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldOfServer {
    /// One word that names a server, where `program` has none.
    word: Option<String>,
    /// What messages call it.
    name: Option<String>,
    /// The file in which a name is looked up.
    config: Option<PathBuf>,
    /// The lock of a source of `Tools`.
    lock: Option<PathBuf>,
    /// Whether a command may start that comes from a launch URI or a file.
    #[serde(default)]
    trust: bool,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// In milliseconds.
    connect_timeout: Option<f64>,
    max_timeout: Option<f64>,
    /// In bytes.
    max_message: Option<f64>,
    #[serde(default)]
    send_context: bool,
}

impl ToldOfServer {
    fn client_options(&self, start: &ProcessOptions) -> ClientOptions {
        let usual = ClientOptions::default();
        ClientOptions {
            connect_timeout: time(self.connect_timeout).unwrap_or(usual.connect_timeout),
            timeout: start.timeout,
            max_timeout: time(self.max_timeout).unwrap_or(usual.max_timeout),
            max_message: self
                .max_message
                .map_or(usual.max_message, |most| most as usize),
            limits: start.limits,
            send_context: self.send_context,
            ..usual
        }
    }

    fn headers(&self) -> Vec<Header> {
        let headers = self.headers.iter();
        headers
            .map(|(name, value)| Header::new(name, value))
            .collect()
    }
}

/// Reads a source of `Tools`, as [`ServerSpec::read`] reads a server.
pub fn read_source(text: &str, server: &str) -> Result<(Added, AddOptions)> {
    let given = Told::read(text)?;
    let server: ToldOfServer = serde_json::from_str(server)
        .map_err(|error| napi::Error::from_reason(error.to_string()))?;
    let mut options = AddOptions::default();
    options.process = given.process_options(None)?;
    options.client = server.client_options(&options.process);
    options.headers = server.headers();
    options.env.clone_from(&given.env);
    options.exchange = given.exchange()?;
    options.trust = server.trust;
    options.lock = server.lock;
    options.places.config = server.config;
    let added = match server.word {
        Some(word) => Added::Word(word.into()),
        None => Added::Command(given.command()),
    };
    Ok((added, options))
}

impl ServerSpec {
    /// Reads which server is meant: `text` is that of a call, `server` what is said of servers alone.
    pub fn read(text: &str, server: &str) -> Result<Self> {
        let given = Told::read(text)?;
        let server: ToldOfServer = serde_json::from_str(server)
            .map_err(|error| napi::Error::from_reason(error.to_string()))?;
        let start = given.start_options(None)?;
        let options = server.client_options(&start);
        let reach = Reach {
            options: start,
            env: given.env.clone(),
            headers: server.headers(),
            config: server.config,
            trust: server.trust,
        };
        let mut named = match &server.word {
            Some(word) => Named::word(word, reach),
            None => Named::command(given.command(), reach),
        }
        .map_err(|error| fault::server(&error))?;
        if let Some(name) = server.name {
            named.label = name;
        }
        Ok(ServerSpec {
            named,
            options,
            signals: given.signals,
        })
    }
}

/// Reads how a program is run, and how its questions are handled.
pub fn read_process(text: &str) -> Result<(Process, ExchangeOptions)> {
    let given = Told::read(text)?;
    let process = Process::new(given.command(), given.process_options(None)?);
    Ok((process, given.exchange()?))
}

/// Reads how the programs of a manifest are run, and how their questions are handled.
pub fn read_manifest_tools(
    text: &str,
    manifest: &Manifest,
) -> Result<(Vec<(ManifestTool, ProcessOptions)>, ExchangeOptions)> {
    let given = Told::read(text)?;
    let tools = manifest.tools.values();
    let tools = tools.map(|tool| Ok((tool.clone(), given.process_options(Some(tool))?)));
    Ok((tools.collect::<Result<_>>()?, given.exchange()?))
}

impl Spec {
    /// Reads how a call is carried out; with a manifest, what that says of the tool holds where `text`
    /// says nothing. With a server, it is the server that carries it.
    pub fn read(
        text: &str,
        call: Call,
        manifest: Option<&Manifest>,
        server: Option<Arc<dyn Transport>>,
    ) -> Result<Self> {
        let given = Told::read(text)?;
        let tool = match (manifest, &call.name) {
            (Some(manifest), Some(name)) => {
                Some(manifest.tool(name).map_err(|error| fault::host(&error))?)
            }
            _ => None,
        };
        let exchange = given.exchange()?;
        let (stderr_events, tool_events) = (given.on_stderr, given.on_event);
        let signals = given.signals.clone();
        let (transport, call, exchange): (Arc<dyn Transport>, _, _) = match (manifest, tool, server)
        {
            (_, _, Some(server)) => (server, call, exchange),
            (_, Some(tool), None) => (
                Arc::new(tool.transport(given.process_options(Some(tool))?)),
                tool.complete(call).map_err(|error| fault::host(&error))?,
                tool.exchange_options(exchange),
            ),
            (Some(manifest), None, None) => (Arc::new(manifest.lister()), call, exchange),
            (None, None, None) => {
                let options = given.process_options(None)?;
                let command = given.command();
                (Arc::new(Process::new(command, options)), call, exchange)
            }
        };
        Ok(Spec {
            transport,
            call,
            options: CallOptions {
                exchange,
                stderr_events,
                tool_events,
                ..CallOptions::default()
            },
            signals,
        })
    }
}
