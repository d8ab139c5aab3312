//! Running the tools of MCP servers for a person: which tool, who answers, what comes out.

mod each;
mod server;
mod several;
mod task;

use std::sync::Arc;

use toolwire::Json;
use toolwire::call::Call;
use toolwire_host::{CallOutcome, ExchangeOptions};
use toolwire_mcp::client::{Client, ClientError, ClientErrorKind, ListedTool};
use toolwire_source::Source;

use crate::args::{RunArgs, ServerArgs, quoted};
use crate::baseline::{Baseline, callable};
use crate::each::check_format;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::run::arguments::{self, Members, Verb};
use crate::run::given::Given;
use crate::run::router::Router;
use crate::run::{self, AN_ARGUMENT, HOST, Session, block_on, choose, result};
use server::Extra;
pub use server::Reach;
pub use several::several;
use task::Tasks;

/// A call that was asked for.
struct Asked<'a> {
    args: &'a RunArgs,
    /// The tool, where it was named.
    tool: Option<String>,
    words: Vec<String>,
    /// Arguments that the source itself gives.
    of_source: Vec<String>,
    given: Option<Members>,
    answers: Given,
    baseline: Baseline,
}

/// Calls a tool of a server.
pub fn with(source: Source, args: &RunArgs, out: &mut Out) -> Result<Outcome> {
    let baseline = Baseline::of_profile(&source, &args.expect)?;
    let (mut tool, words) = run::parted(&args.words[usize::from(args.command.is_empty())..])?;
    if let (Some(_), Some(tool)) = (&args.task, &tool) {
        return Err(Failure::usage(format!(
            "`--task` goes on with a call that was made, so it takes no tool: leave `{tool}` out"
        )));
    }
    if let Some(fixed) = source.tool() {
        if let Some(tool) = tool {
            return Err(Failure::Wrong(vec![format!(
                "`{}` names the tool `{fixed}`, so `{tool}` cannot name another; an argument is written \
                 `name=value`",
                source.label
            )]));
        }
        tool = Some(fixed.to_owned());
    }
    if args.each.each {
        check_format(args.format)?;
    }
    let manifest = &args.server.source.manifest;
    let baseline = baseline.with_lock(&source, &args.locked, manifest, out)?;
    let asked = Asked {
        args,
        tool,
        words,
        of_source: source.arguments(),
        given: arguments::given(&args.given)?,
        answers: Given::read(&args.answers.beforehand)?,
        baseline,
    };
    let word = source.word.clone().unwrap_or_default();
    let reach = Reach::prepare(source, &args.server)?;
    let listen = args.each.each && asked.baseline.is_locked();
    let tasks = Tasks::new(!reach.is_program());
    block_on(async {
        let label = reach.label().to_owned();
        let extra = || Extra {
            legacy: args.legacy,
            log_level: args.log.log_level.0,
            tasks: Some(Arc::clone(&tasks)),
            listen,
        };
        let (session, client) = connect(&reach, &args.server, extra(), out).await?;
        if args.each.each {
            return asked.each(&reach, &extra, &session, client, out).await;
        }
        let called = asked.perform(&session, &client, &label, out).await;
        let outcome = match called {
            // It was told twice to end, so nothing is waited for.
            Err(Failure::Ended(outcome)) => return Err(Failure::Ended(outcome)),
            called => {
                client.close().await;
                if let Some(id) = tasks.left() {
                    out.complain(&format!(
                        "the call goes on as a task of the server; `toolwire run --task {} {}` gets its result",
                        quoted(&id),
                        quoted(&word)
                    ));
                }
                called?
            }
        };
        let format = result::asked(args.format, args.json);
        run::tell_what_was_found(outcome.parsed.diagnostics(), out);
        run::tell_output_mismatches(&outcome.report, out);
        result::write(&outcome.parsed, &outcome.report, format, out)?;
        let interrupted = session.signals.outcome().filter(|_| outcome.cancelled());
        Ok(match interrupted {
            Some(outcome) => outcome,
            None if outcome.parsed.is_error() => Outcome::Negative,
            None => Outcome::Success,
        })
    })
}

/// Starts or reaches a server, asks it something, and ends the connection.
pub fn at_server<T>(
    source: Source,
    args: &ServerArgs,
    out: &Out,
    ask: impl AsyncFnOnce(&Client) -> std::result::Result<T, ClientError>,
) -> Result<T> {
    let reach = Reach::prepare(source, args)?;
    block_on(async {
        let (session, client) = connect(&reach, args, Extra::default(), out).await?;
        session.screen.start();
        let told = session.unless_ended(ask(&client)).await;
        session.screen.pause();
        let told = told.and_then(|told| told.map_err(failure));
        if !matches!(told, Err(Failure::Ended(_))) {
            client.close().await;
        }
        told
    })
}

/// What calls are told, for each connection anew.
type Extras<'a> = dyn Fn() -> Extra + 'a;

/// Starts or reaches a server, for a process that watches it from now on.
async fn connect(
    reach: &Reach,
    args: &ServerArgs,
    extra: Extra,
    out: &Out,
) -> Result<(Session, Client)> {
    let target = reach.target();
    let session = Session::new(&target, &args.of_program(), out.when)?;
    session.screen.show_from(extra.log_level);
    if let Some(tasks) = &extra.tasks {
        tasks.follow(&session);
    }
    session.screen.start();
    let client = open(reach, args, extra, &session).await;
    session.screen.pause();
    Ok((session, client?))
}

/// Starts or reaches a server, unless this process gets a signal to end meanwhile.
async fn open(reach: &Reach, args: &ServerArgs, extra: Extra, session: &Session) -> Result<Client> {
    let options = reach.options(args, extra, session);
    let program = reach.is_program();
    let server = reach.server(args, session)?;
    let connecting = Client::connect(reach.label(), &server, &options);
    session
        .unless_ended(connecting)
        .await?
        .map_err(|error| match error.kind() {
            ClientErrorKind::NotConnected | ClientErrorKind::Timeout if program => {
                Failure::Io(format!(
                    "{error}; a program that is no MCP server is run by `toolwire run -- COMMAND`"
                ))
            }
            _ => failure(error),
        })
}

/// How questions are dealt with.
fn exchange() -> ExchangeOptions {
    ExchangeOptions {
        host: HOST.to_owned(),
        ..ExchangeOptions::default()
    }
}

/// All tools that are listed.
async fn list(session: &Session, client: &Client) -> Result<Vec<ListedTool>> {
    session.screen.start();
    let listed = session.unless_ended(client.listing()).await;
    session.screen.pause();
    listed?.map_err(failure)
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
    async fn call(
        &self,
        session: &Session,
        client: &Client,
        label: &str,
        out: &mut Out,
    ) -> Result<Call> {
        let listed = list(session, client).await?;
        self.baseline.before_use(&callable(&listed), out)?;
        let (as_listed, tool) = choose(&listed, self.tool.as_deref(), label, AN_ARGUMENT)?;
        self.baseline.before_call(Some(as_listed), out)?;
        let schema = Some(&tool.input_schema);
        let of_source = arguments::from_words(&self.of_source, schema)?;
        let arguments = arguments::compose(
            Verb::RunAtServer,
            Some(&of_source),
            self.given.as_ref(),
            &self.words,
            schema,
        )?;
        session.screen.name(&format!("{label}: {}", tool.name));
        let mut call = Call::new(&tool.name, arguments);
        call.root.clone_from(&session.root);
        Ok(call)
    }

    /// Who answers the questions of the server.
    fn router(&mut self, session: &Session, label: &str, out: &Out) -> Result<Router> {
        let given = std::mem::take(&mut self.answers);
        Ok(Router {
            server: Some(label.to_owned()),
            ..Router::of_run(label, session, self.args, given, None, out)?
        })
    }

    async fn perform(
        mut self,
        session: &Session,
        client: &Client,
        label: &str,
        out: &mut Out,
    ) -> Result<CallOutcome> {
        let (transport, call) = match &self.args.task {
            Some(id) => {
                // Nobody says of which tool the task is, unless the source does.
                if self.baseline.is_locked() {
                    let listed = list(session, client).await?;
                    self.baseline.before_task(&listed, out)?;
                }
                // The call was made before, so that its result is not kept back.
                let tools = self.baseline.tools(client).await.map_err(failure)?;
                self.baseline.report(&tools, out)?;
                session.screen.name(&format!("{label}: task {id}"));
                (client.task(id), Call::new(label, Json::empty_object()))
            }
            None => {
                let call = self.call(session, client, label, out).await?;
                (client.call(), call)
            }
        };
        let tool = match self.args.task {
            Some(_) => self.tool.clone(),
            None => call.name.clone(),
        };
        let mut router = self.router(session, label, out)?;
        let outcome = session
            .call(Arc::new(transport), call, exchange(), &mut router)
            .await?;
        run::tell_what_was_not_used(&outcome, &router, out);
        if let Some(tool) = tool {
            self.baseline.after_call(&tool, &outcome.parsed, out);
        }
        Ok(outcome)
    }
}
