//! How a tool is run, as JavaScript tells it in JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwire::Limits;
use toolwire_host::{CallOptions, Environment, ExchangeOptions, RunOptions, Tool};

use crate::fault::{Result, told};

/// A tool and how it is called.
pub struct Spec {
    pub tool: Tool,
    pub options: CallOptions,
    /// Whether JavaScript wants to see stderr live, and to answer questions.
    pub on_stderr: bool,
    pub asks: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    program: Vec<String>,
    cwd: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    clean_env: bool,
    /// In milliseconds.
    timeout: Option<f64>,
    max_output: Option<f64>,
    #[serde(borrow)]
    limits: Option<&'a RawValue>,
    #[serde(borrow)]
    exchange: Option<&'a RawValue>,
    on_stderr: bool,
    asks: bool,
}

impl Spec {
    pub fn read(text: &str) -> Result<Self> {
        let given: Told<'_> = serde_json::from_str(text)
            .map_err(|error| napi::Error::from_reason(error.to_string()))?;
        let mut words = given.program.into_iter();
        let tool = Tool::new(words.next().unwrap_or_default()).args(words);
        let environment = match given.clean_env {
            true => Environment::only(Vec::<String>::new()),
            false => Environment::standard(),
        };
        let variables = given.env.into_iter();
        let environment = variables.fold(environment, |all, (name, value)| all.with(name, value));
        let mut run = RunOptions {
            cwd: given.cwd.map(Into::into),
            environment,
            // A time that no clock reaches is no limit.
            timeout: given
                .timeout
                .and_then(|time| Duration::try_from_secs_f64(time / 1000.0).ok()),
            ..RunOptions::default()
        };
        if let Some(most) = given.max_output {
            run.max_output = most as usize;
        }
        if let Some(limits) = given.limits {
            run.limits = Limits::from_json(limits.get()).map_err(told)?;
        }
        let exchange = match given.exchange {
            Some(exchange) => ExchangeOptions::from_json(exchange.get()).map_err(told)?,
            None => ExchangeOptions::default(),
        };
        Ok(Spec {
            tool,
            options: CallOptions { run, exchange },
            on_stderr: given.on_stderr,
            asks: given.asks,
        })
    }
}
