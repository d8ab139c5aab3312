//! How a tool is run, as JavaScript tells it in JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwire::{Code, Error};
use toolwire_ffi::exchange::read_options;
use toolwire_host::{CallOptions, Command, Environment, ExchangeOptions, Process, ProcessOptions};

use crate::fault::{Result, told};

/// A tool and how it is called.
pub struct Spec {
    pub process: Process,
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
    pub fn read(text: &str) -> Result<Self> {
        let given: Told<'_> = serde_json::from_str(text)
            .map_err(|error| napi::Error::from_reason(error.to_string()))?;
        let mut words = given.program.into_iter();
        let command = Command::new(words.next().unwrap_or_default()).args(words);
        let environment = match given.inherit {
            None => Ok(Environment::standard()),
            Some(Inherit::Word(word)) => word.parse(),
            Some(Inherit::Names(names)) => Environment::from_names(names),
        };
        let environment = environment.map_err(|error| {
            let message = format!("`inherit`: {error}");
            told(Error::new(Code::BadOption, "/inherit", None, message))
        })?;
        let variables = given.env.into_iter();
        let environment = variables.fold(environment, |all, (name, value)| all.with(name, value));
        let mut options = ProcessOptions {
            cwd: given.cwd.map(Into::into),
            environment,
            // A time that no clock reaches is no limit.
            timeout: given
                .timeout
                .and_then(|time| Duration::try_from_secs_f64(time / 1000.0).ok()),
            ..ProcessOptions::default()
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
        Ok(Spec {
            process: Process::new(command, options),
            options: CallOptions {
                exchange,
                stderr_events: given.on_stderr,
            },
            signals: given.signals,
        })
    }
}
