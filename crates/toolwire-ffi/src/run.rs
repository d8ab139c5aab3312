//! Calls of tools, and lists of them, with options that are read once for all languages.

use std::sync::Arc;

use toolwire::call::{Action, Call};
use toolwire::{Error, Json, Limits};
use toolwire_host::manifest::Manifest;
use toolwire_host::{CallOptions, Command, Conversation, ExchangeOptions, Process, Transport};

use crate::caller::{Caller, Failure};
use crate::calls::Calls;
use crate::connection::Connection;
use crate::options::wrong;
use crate::readers;
use crate::settings::{stem, text};

/// Whose tools are called.
pub enum Tools<'a> {
    /// A program's.
    Program(Command),
    /// A manifest's.
    Manifest(&'a Manifest),
    /// A server's.
    Server(&'a Connection),
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
