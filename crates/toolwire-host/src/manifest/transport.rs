//! How a call reaches a tool of a manifest, and how all of them say what they take (14.5).

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

use toolwire::author::{Failure, Opened, open};
use toolwire::call::{self, Action, Call, ToolDescription, read_description};
use toolwire::lines::Trace;
use toolwire::{Json, Limits, parse};

use super::advice::unknown;
use super::{Manifest, ManifestTool, Result};
use crate::call::describe_failed;
use crate::{
    Control, HostError, HostErrorKind, LineWorkers, Process, ProcessOptions, Reply, StopReason,
    Transport, check_arguments,
};

type Sending<'a> = Pin<Box<dyn Future<Output = Result<Reply>> + Send + 'a>>;

/// The [`Transport`] to a tool of a manifest; [`ManifestTool::transport`] makes it.
///
/// Arguments that do not fit the manifest's `parameters` are answered with an error, and nothing runs.
/// A program whose tool the manifest does not name is asked for it first, once.
#[derive(Debug, Clone)]
pub struct ManifestTransport {
    tool: ManifestTool,
    options: ProcessOptions,
    warm: Option<Warm>,
}

/// Which workers a warm tool uses.
#[derive(Debug, Clone)]
struct Warm {
    workers: LineWorkers,
    principal: Option<String>,
    trace: Trace,
}

impl Transport for ManifestTransport {
    fn send<'a>(&'a self, document: &'a str, control: &'a Control) -> Sending<'a> {
        Box::pin(self.carry(document, control))
    }

    fn carries_calls(&self) -> bool {
        !self.tool.plain
    }
}

/// What came of describing a tool.
enum Described {
    Tool(Box<ToolDescription>),
    /// The host lost interest before its program had answered.
    Cancelled(Box<Reply>),
}

/// What came of asking a program for the name of its tool.
enum Asked {
    Name(String),
    /// It knows nothing of descriptions, and did its job.
    Job(Box<Reply>),
}

impl ManifestTransport {
    pub(super) fn new(tool: ManifestTool, options: ProcessOptions) -> Self {
        ManifestTransport {
            tool,
            options,
            warm: None,
        }
    }

    /// The same for a warm tool, whose calls are answered by these workers, for this principal if there are
    /// several.
    #[must_use]
    pub fn with_workers(
        mut self,
        workers: &LineWorkers,
        principal: Option<String>,
        trace: Trace,
    ) -> Self {
        self.warm = Some(Warm {
            workers: workers.clone(),
            principal,
            trace,
        });
        self
    }

    async fn carry(&self, document: &str, control: &Control) -> Result<Reply> {
        let mut call = Call::from_json(document.as_bytes(), &Limits::WIDEST).map_err(|error| {
            HostError::new(HostErrorKind::BadArgument, error.message().to_owned())
        })?;
        if call.action == Action::Describe {
            return match self.describe(control).await? {
                Described::Tool(tool) => describing(&[*tool], &BTreeMap::new()),
                Described::Cancelled(reply) => Ok(*reply),
            };
        }
        let fail = |failure| Ok(failed(document, &self.tool.name, failure));
        if let Some(contract) = self.tool.contract() {
            let checked = check_arguments(&self.tool.name, &contract.input_schema, &call.arguments);
            if let Err(failure) = checked {
                return fail(failure);
            }
            call.name = Some(contract.name);
        } else {
            match self.name(control).await? {
                Asked::Name(name) => call.name = Some(name),
                Asked::Job(reply) if call.arguments.as_str() == "{}" => return Ok(*reply),
                Asked::Job(_) => {
                    return fail(Failure::new(format!(
                        "`{}` does not say what it takes, so its arguments did not reach it; list \
                         them in `parameters` in the manifest",
                        self.tool.name
                    )));
                }
            }
        }
        match self.tool.command_with(&call.arguments) {
            Ok(command) => {
                let mut process = Process::new(command, self.options.clone());
                process.plain = self.tool.plain;
                let Some(warm) = &self.warm else {
                    return process.send(&call.to_json(), control).await;
                };
                let mut process = warm.workers.process(process);
                process.principal.clone_from(&warm.principal);
                process.trace.clone_from(&warm.trace);
                process.send(&call.to_json(), control).await
            }
            Err(message) => fail(Failure::new(message)),
        }
    }

    /// The tool of the program that is meant.
    async fn name(&self, control: &Control) -> Result<Asked> {
        if let Some(name) = self.tool.tool.as_ref().or(self.tool.known.get()) {
            return Ok(Asked::Name(name.clone()));
        }
        Ok(match self.ask(control).await? {
            Ok(tool) => Asked::Name(tool.name),
            Err(reply) => {
                if reply.report.stopped.is_none() {
                    // From now on it gets calls, as one does that knows questions but no descriptions.
                    let _ = self.tool.known.set(self.tool.name.clone());
                }
                Asked::Job(reply)
            }
        })
    }

    /// The description of the tool, as the manifest completes it.
    async fn describe(&self, control: &Control) -> Result<Described> {
        let mut tool = match self.tool.unasked(&self.options)? {
            Some(known) => known,
            None => match self.ask(control).await? {
                Ok(tool) => tool,
                Err(reply) if reply.report.stopped == Some(StopReason::Cancelled) => {
                    return Ok(Described::Cancelled(reply));
                }
                Err(reply) => return Err(self.undescribed(*reply)),
            },
        };
        self.tool.describe(&mut tool);
        Ok(Described::Tool(Box::new(tool)))
    }

    /// Asks the program for the tool that is meant; its reply if that describes none.
    async fn ask(&self, control: &Control) -> Result<Result<ToolDescription, Box<Reply>>> {
        let process = Process::new(self.tool.command.clone(), self.options.clone());
        let mut document = Call::describe();
        document.root = self.tool.call(&Json::empty_object())?.root;
        let reply = process.send(&document.to_json(), control).await?;
        let tools = read_description(&reply.parsed).map_err(|error| {
            let (name, place) = (&self.tool.name, error.pointer());
            let message = format!(
                "`{name}`: its program does not describe its tools as it should: at `{place}` {error}"
            );
            HostError::new(HostErrorKind::BadDescription, message)
        })?;
        match tools {
            Some(tools) => self.pick(tools).map(Ok),
            None => Ok(Err(Box::new(reply))),
        }
    }

    fn pick(&self, mut tools: Vec<ToolDescription>) -> Result<ToolDescription> {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let label = &self.tool.name;
        let at = match &self.tool.tool {
            Some(name) => names
                .iter()
                .position(|other| other == name)
                .ok_or_else(|| format!("`{label}`: {}", unknown("tool", name, &names))),
            None => match names.len() {
                1 => Ok(0),
                0 => Err(format!("`{label}`: its program has no tools")),
                _ => {
                    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                    Err(format!(
                        "`{label}`: its program has several tools; set `tool` in the manifest to one of {}",
                        names.join(", ")
                    ))
                }
            },
        };
        let at = at.map_err(|message| HostError::new(HostErrorKind::UnknownTool, message))?;
        let tool = tools.swap_remove(at);
        let _ = self.tool.known.set(tool.name.clone());
        Ok(tool)
    }

    fn undescribed(&self, reply: Reply) -> HostError {
        let name = &self.tool.name;
        if reply.parsed.is_error() {
            let error = describe_failed(&format!("`{name}`"), &reply.parsed, &reply.report);
            return error.with_reply(reply);
        }
        let message = format!(
            "`{name}` does not say what it takes; list its arguments in `parameters` in the manifest, \
             or set `plain = true` if it takes none"
        );
        HostError::new(HostErrorKind::BadDescription, message)
    }
}

/// All tools of a manifest as one program that says what they take: a [`Transport`] for
/// [`list_tools`](crate::list_tools); [`Manifest::lister`] makes it.
///
/// Each program that the manifest does not describe, and that may be asked, is asked, one after the other.
/// A tool that can't be described is left out, and [`ToolList::problems`](crate::ToolList::problems) says why.
#[derive(Debug, Clone)]
pub struct ManifestLister(pub(super) Manifest);

impl Transport for ManifestLister {
    fn send<'a>(&'a self, _: &'a str, control: &'a Control) -> Sending<'a> {
        Box::pin(async {
            let (mut tools, mut problems) = (Vec::new(), BTreeMap::new());
            for tool in self.0.tools.values() {
                let transport = tool.transport(tool.process_options());
                match transport.describe(control).await {
                    Ok(Described::Tool(tool)) => tools.push(*tool),
                    Ok(Described::Cancelled(reply)) => return Ok(*reply),
                    Err(error) => drop(problems.insert(tool.name.clone(), error.to_string())),
                }
            }
            describing(&tools, &problems)
        })
    }
}

/// The answer that describes these tools, and says why others are not among them.
fn describing(tools: &[ToolDescription], problems: &BTreeMap<String, String>) -> Result<Reply> {
    let envelope = call::describe_with(tools, problems).map_err(|error| {
        HostError::new(HostErrorKind::BadDescription, error.message().to_owned())
    })?;
    let document = envelope.to_json();
    Ok(Reply::new(parse(document.into_bytes(), &Limits::WIDEST)))
}

/// The answer of a tool that was not run.
fn failed(document: &str, name: &str, failure: Failure) -> Reply {
    let answer = match open(document.as_bytes(), &[name]) {
        Opened::Turn(turn) => turn.fail(failure),
        Opened::Answered(answer) => *answer,
    };
    Reply::new(parse(answer.to_json().into_bytes(), &Limits::WIDEST))
}
