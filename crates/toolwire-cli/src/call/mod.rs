//! Calling the tools of MCP servers for a person: which server, which tool, who answers, what comes out.

mod server;
mod task;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use toolwire::Json;
use toolwire::call::{Call, ToolDescription};
use toolwire_host::{CallOutcome, ExchangeOptions, manifest};
use toolwire_mcp::client::{Client, ClientError, ClientErrorKind};

use crate::args::{CallArgs, ServerArgs, Verb};
use crate::exit::{Failure, Outcome, Result};
use crate::output::{Out, use_color};
use crate::run::arguments::{self, Members};
use crate::run::given::Given;
use crate::run::router::Router;
use crate::run::{self, HOST, Session, block_on, result};
use server::{Extra, Named, client_options};
use task::Tasks;

/// A call that was asked for.
struct Asked<'a> {
    args: &'a CallArgs,
    /// The tool, where it was named.
    tool: Option<String>,
    words: Vec<String>,
    given: Option<Members>,
    answers: Given,
}

/// Calls what the arguments say and writes the result.
pub fn run(args: &CallArgs, out: &mut Out) -> Result<Outcome> {
    if args.words.is_empty() && args.command.is_empty() {
        return Err(Failure::usage(
            "name the server: its URL, its program or its name; or give its command after `--`",
        ));
    }
    let mut words = args.words.iter();
    let first = match args.command.is_empty() {
        true => words.next().map(OsString::as_os_str),
        false => None,
    };
    let named = Named::find(first, &args.command, &args.server)?;
    let words = words.map(|word| run::text(word));
    let mut words = words.collect::<Result<Vec<String>>>()?;
    let is_name = |word: &String| !word.contains('=') && !word.starts_with('-');
    let tool = words.first().is_some_and(is_name).then(|| words.remove(0));
    let asked = Asked {
        args,
        tool,
        words,
        given: arguments::given(&args.given)?,
        answers: Given::read(&args.answers)?,
    };
    if let (Some(_), Some(tool)) = (&args.task, &asked.tool) {
        return Err(Failure::usage(format!(
            "`--task` goes on with a call that was made, so it takes no tool: leave `{tool}` out"
        )));
    }
    let server_word = first.map(|word| word.to_string_lossy().into_owned());
    let server_word = server_word.unwrap_or_default();
    let tasks = Tasks::new(!named.is_program());
    block_on(async {
        let label = named.label.clone();
        let extra = Extra {
            legacy: args.legacy,
            log_level: args.log.log_level.level(),
            tasks: Some(Arc::clone(&tasks)),
        };
        let (session, client) = connect(named, &args.server, extra, out).await?;
        let called = asked.perform(&session, &client, &label, out).await;
        let outcome = match called {
            // It was told twice to end, so nothing is waited for.
            Err(Failure::Ended(outcome)) => return Err(Failure::Ended(outcome)),
            called => {
                client.close().await;
                if let Some(id) = tasks.left() {
                    out.complain(&format!(
                        "the call goes on as a task of the server; `toolwire call --task {} {}` gets its result",
                        quoted(&id),
                        quoted(&server_word)
                    ));
                }
                called?
            }
        };
        let format = result::asked(args.format, args.json);
        run::tell_what_was_found(outcome.parsed.diagnostics(), out);
        for found in &outcome.report.output_mismatches {
            let place = match &*found.pointer {
                "" => String::new(),
                pointer => format!(" at `{pointer}`"),
            };
            out.complain(&format!(
                "warning: the structured content does not fit its output schema{place}: {}",
                found.message
            ));
        }
        result::write(&outcome.parsed, &outcome.report, format, out)?;
        let interrupted = session.signals.outcome().filter(|_| outcome.cancelled());
        Ok(match interrupted {
            Some(outcome) => outcome,
            None if outcome.parsed.is_error() => Outcome::Negative,
            None => Outcome::Success,
        })
    })
}

/// The tools of a server.
pub fn tools(
    word: Option<&OsStr>,
    command: &[OsString],
    args: &ServerArgs,
    out: &mut Out,
) -> Result<Vec<ToolDescription>> {
    let named = Named::find(word, command, args)?;
    block_on(async {
        let (session, client) = connect(named, args, Extra::default(), out).await?;
        let listed = list(&session, &client).await;
        session.screen.pause();
        if !matches!(listed, Err(Failure::Ended(_))) {
            client.close().await;
        }
        listed
    })
}

/// Starts or reaches a server, unless this process is told to end meanwhile.
async fn connect(
    named: Named,
    args: &ServerArgs,
    extra: Extra,
    out: &Out,
) -> Result<(Session, Client)> {
    let target = named.target();
    let session = Session::new(&target, &args.process(), out.when)?;
    let label = named.label.clone();
    session.screen.show_from(extra.log_level);
    if let Some(tasks) = &extra.tasks {
        tasks.follow(&session);
    }
    let options = client_options(&named, args, extra, &session);
    let program = named.is_program();
    let server = named.server(args, &session)?;
    session.screen.start();
    let connected = tokio::select! {
        biased;
        () = session.signals.nth(1) => return Err(Failure::Ended(session.signals.outcome())),
        connected = Client::connect(&label, &server, &options) => connected,
    };
    session.screen.pause();
    let connected = connected.map_err(|error| match error.kind() {
        ClientErrorKind::NotConnected | ClientErrorKind::Timeout if program => Failure::Io(
            format!("{error}; a program that is no MCP server is run by `toolwire run`"),
        ),
        _ => failure(error),
    });
    Ok((session, connected?))
}

async fn list(session: &Session, client: &Client) -> Result<Vec<ToolDescription>> {
    session.screen.start();
    tokio::select! {
        biased;
        () = session.signals.nth(1) => Err(Failure::Ended(session.signals.outcome())),
        tools = client.tools() => tools.map_err(failure),
    }
}

/// What a server that can't be used means for the command.
fn failure(error: ClientError) -> Failure {
    match error.kind() {
        ClientErrorKind::BadOption => Failure::Wrong(vec![error.to_string()]),
        _ => Failure::Io(error.to_string()),
    }
}

impl Asked<'_> {
    /// The call of the tool that is meant.
    async fn call(&self, session: &Session, client: &Client, label: &str) -> Result<Call> {
        let tools = list(session, client).await?;
        session.screen.pause();
        let tool = pick(tools, self.tool.as_deref(), label)?;
        let schema = Some(&tool.input_schema);
        arguments::refuse_ambiguous(Verb::Call, &self.args.behind, schema, &tool.name)?;
        let arguments =
            arguments::compose(Verb::Call, None, self.given.as_ref(), &self.words, schema)?;
        session.screen.name(&format!("{label}: {}", tool.name));
        let mut call = Call::new(&tool.name, arguments);
        call.root.clone_from(&session.root);
        Ok(call)
    }

    async fn perform(
        self,
        session: &Session,
        client: &Client,
        label: &str,
        out: &mut Out,
    ) -> Result<CallOutcome> {
        let (transport, call) = match &self.args.task {
            Some(id) => {
                session.screen.name(&format!("{label}: task {id}"));
                (client.task(id), Call::new(label, Json::empty_object()))
            }
            None => (client.call(), self.call(session, client, label).await?),
        };
        let mut router = Router {
            label: label.to_owned(),
            server: Some(label.to_owned()),
            given: self.answers,
            questions: BTreeMap::new(),
            assistant: run::assistant(
                session,
                &self.args.answers,
                None,
                &self.args.server.process(),
            )?,
            nobody: run::nobody(&self.args.answers),
            screen: session.screen.clone(),
            signals: session.signals.clone(),
            // Prompts are on a terminal wherever the output goes.
            color: use_color(out.when, true),
        };
        let options = ExchangeOptions {
            host: HOST.to_owned(),
            ..ExchangeOptions::default()
        };
        let outcome = session
            .call(Arc::new(transport), call, options, &mut router)
            .await?;
        run::tell_what_was_not_used(&outcome, &router, out);
        Ok(outcome)
    }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The tool that is meant, of those that a server has.
fn pick(
    mut tools: Vec<ToolDescription>,
    named: Option<&str>,
    server: &str,
) -> Result<ToolDescription> {
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let at = match named {
        Some(name) => names
            .iter()
            .position(|other| *other == name)
            .ok_or_else(|| {
                let message = manifest::unknown("tool", name, &names);
                Failure::Wrong(vec![format!("`{server}`: {message}")])
            })?,
        None if names.len() == 1 => 0,
        None if names.is_empty() => {
            return Err(Failure::Refused(format!("`{server}` has no tools")));
        }
        None => {
            return Err(Failure::Wrong(vec![format!(
                "`{server}` has several tools; name one, and list them with `toolwire tools`"
            )]));
        }
    };
    Ok(tools.swap_remove(at))
}
