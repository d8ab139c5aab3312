//! How a tool is run, as JavaScript tells it in JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwire::call::Call;
use toolwire::{Code, Error};
use toolwire_ffi::exchange::read_options;
use toolwire_host::manifest::{Manifest, ManifestTool};
use toolwire_host::{
    CallOptions, Command, Environment, ExchangeOptions, Process, ProcessOptions, Transport,
};

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

/// Which of this process's variables the tool inherits: a word, or names (PROC-50).
#[derive(Deserialize)]
#[serde(untagged)]
enum Inherit {
    Word(String),
    Names(Vec<String>),
}

impl Spec {
    /// Reads how a call is carried out; with a manifest, what that says of the tool holds where `text`
    /// says nothing.
    pub fn read(text: &str, call: Call, manifest: Option<&Manifest>) -> Result<Self> {
        let given: Told<'_> = serde_json::from_str(text)
            .map_err(|error| napi::Error::from_reason(error.to_string()))?;
        let mut words = given.program.into_iter();
        let command = Command::new(words.next().unwrap_or_default()).args(words);
        let tool = match (manifest, &call.name) {
            (Some(manifest), Some(name)) => {
                Some(manifest.tool(name).map_err(|error| fault::host(&error))?)
            }
            _ => None,
        };
        let usual = tool.map_or_else(ProcessOptions::default, ManifestTool::process_options);
        let inherited = match given.inherit {
            None => None,
            Some(Inherit::Word(word)) => Some(word.parse()),
            Some(Inherit::Names(names)) => Some(Environment::from_names(names)),
        };
        let inherited = inherited.transpose().map_err(|error| {
            let message = format!("`inherit`: {error}");
            told(Error::new(Code::BadOption, "/inherit", None, message))
        })?;
        let environment = match (inherited, tool) {
            (Some(inherited), Some(tool)) => tool.environment(inherited),
            (Some(inherited), None) => inherited,
            (None, _) => usual.environment.clone(),
        };
        let variables = given.env.into_iter();
        let environment = variables.fold(environment, |all, (name, value)| all.with(name, value));
        // A time that no clock reaches is no limit.
        let timeout = given
            .timeout
            .and_then(|time| Duration::try_from_secs_f64(time / 1000.0).ok());
        let mut options = ProcessOptions {
            cwd: given.cwd.map(Into::into).or(usual.cwd.clone()),
            environment,
            timeout: timeout.or(usual.timeout),
            ..usual
        };
        for extension in ["js", "mjs", "cjs", "ts", "mts", "cts"] {
            let node = given.node.iter().cloned();
            options
                .interpreters
                .extend(node.map(|node| (extension.to_owned(), node)));
        }
        if let Some(most) = given.max_output {
            options.max_output = most as usize;
        }
        if let Some(limits) = given.limits {
            options.limits = toolwire_ffi::options::limits(limits.get()).map_err(told)?;
        }
        let exchange = match given.exchange {
            Some(exchange) => read_options(exchange.get()).map_err(told)?,
            None => ExchangeOptions::default(),
        };
        let (transport, call, exchange): (Arc<dyn Transport>, _, _) = match (manifest, tool) {
            (_, Some(tool)) => (
                Arc::new(tool.transport(options)),
                tool.complete(call).map_err(|error| fault::host(&error))?,
                tool.exchange_options(exchange),
            ),
            (Some(manifest), None) => (Arc::new(manifest.lister()), call, exchange),
            (None, None) => (Arc::new(Process::new(command, options)), call, exchange),
        };
        Ok(Spec {
            transport,
            call,
            options: CallOptions {
                exchange,
                stderr_events: given.on_stderr,
                tool_events: given.on_event,
                ..CallOptions::default()
            },
            signals: given.signals,
        })
    }
}
