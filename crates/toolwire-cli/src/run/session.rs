//! A program under the care of this process: started with what was asked for, watched, and ended when
//! this process is told to end.

use std::cell::OnceCell;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use toolwire::call::{Action, Answer, Call, ToolDescription};
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{
    CallOptions, CallOutcome, Command, Conversation, Environment, Event, ExchangeOptions,
    HostErrorKind, PendingQuestion, Process, ProcessOptions, Reply, Terminal, ToolList, Transport,
};

use super::mode::question;
use super::screen::Screen;
use super::signals::{Signals, unheard};
use super::suspend;
use super::target::Target;
use crate::args::{ColorWhen, ProcessArgs};
use crate::exit::{Failure, Result};
use crate::input;

pub struct Session {
    pub options: ProcessOptions,
    pub signals: Signals,
    pub screen: Screen,
    /// What the tool is told of its workspace.
    pub root: Option<String>,
    suspends: OnceCell<()>,
}

/// What comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Who follows a call: answers the questions of the tool, and sees what it says.
pub trait Follows {
    /// The answer; nothing if the call is to fail, since nobody is there to answer.
    fn answer<'a>(&'a mut self, question: &'a PendingQuestion)
    -> Later<'a, Result<Option<Answer>>>;

    /// Shows what the tool says.
    fn show<'a>(&'a mut self, screen: &'a Screen, event: Event) -> Later<'a, ()> {
        screen.show(event);
        Box::pin(std::future::ready(()))
    }

    /// Done when the call is to be cancelled although no signal has come.
    fn halted(&mut self) -> Later<'_, ()> {
        Box::pin(std::future::pending())
    }
}

/// What came of asking a program for its tools.
pub struct Described {
    /// Nothing if it does not know the protocol, or failed.
    pub tools: Option<Vec<ToolDescription>>,
    pub reply: Reply,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

/// For calls in which nothing is asked.
struct Nobody;

impl Follows for Nobody {
    fn answer<'a>(&'a mut self, _: &'a PendingQuestion) -> Later<'a, Result<Option<Answer>>> {
        Box::pin(std::future::ready(Ok(None)))
    }
}

/// Runs what needs a runtime on one that has a single thread, this one.
pub fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    runtime("a tool")?.block_on(work)
}

/// As [`block_on`], for work that reads this process's stdin: what still waits for it is left behind.
pub fn block_on_and_leave<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = runtime("a client")?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    done
}

fn runtime(whom: &str) -> Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    toolwire_host::build_runtime(&mut builder)
        .map_err(|error| Failure::Io(format!("cannot wait for {whom}: {error}")))
}

/// How a program is run.
pub fn process_options(entry: &ManifestTool, args: &ProcessArgs) -> Result<ProcessOptions> {
    let usual = entry.process_options();
    Ok(ProcessOptions {
        cwd: args.cwd.clone().or(usual.cwd),
        environment: environment(entry, args)?,
        timeout: args.max_time.or(usual.timeout),
        silence: args.timeout,
        max_output: args.max_output.unwrap_or(usual.max_output),
        ..usual
    })
}

impl Session {
    /// Called on a runtime.
    pub fn new(target: &Target, args: &ProcessArgs, color: ColorWhen) -> Result<Session> {
        let signals = Signals::listen()?;
        let screen = Screen::new(&target.label, color);
        tokio::spawn(screen.clone().beat());
        Ok(Session {
            options: process_options(&target.entry, args)?,
            signals,
            screen,
            root: root(&target.entry, args),
            suspends: OnceCell::new(),
        })
    }

    /// Carries out a call that has the terminal for itself.
    ///
    /// # Errors
    ///
    /// What keeps the program from being started, and what `follower` can't go on with: then nothing of
    /// the tool is left either.
    pub async fn call(
        &self,
        transport: Arc<dyn Transport>,
        call: Call,
        exchange: ExchangeOptions,
        follower: &mut dyn Follows,
    ) -> Result<CallOutcome> {
        self.suspend_together()?;
        self.screen.start();
        let outcome = self.carry_out(transport, call, exchange, follower).await;
        self.screen.pause();
        match outcome {
            Ok(_) | Err(Failure::Io(_)) if self.signals.count() > 1 => {
                Err(Failure::Ended(self.signals.outcome()))
            }
            outcome => outcome,
        }
    }

    /// Shows what the tool says, has its questions answered, and cancels the call when this process gets a
    /// signal to end, or `follower` says so; at the second signal it is killed.
    pub async fn carry_out(
        &self,
        transport: Arc<dyn Transport>,
        call: Call,
        exchange: ExchangeOptions,
        follower: &mut dyn Follows,
    ) -> Result<CallOutcome> {
        // Who has the terminal needs nobody to write there, and a description takes no time.
        let listens = self.options.terminal == Terminal::None && call.action == Action::Run;
        let options = CallOptions {
            exchange,
            stderr_events: true,
            tool_events: listens,
            ..CallOptions::default()
        };
        let (conversation, driver) = Conversation::new(transport, call, options);
        tokio::spawn(driver);
        let (mut failure, mut told, mut halted) = (None, 0, false);
        loop {
            let event = tokio::select! {
                biased;
                event = conversation.next() => event,
                () = self.signals.nth(told + 1) => {
                    told += 1;
                    match told {
                        1 => conversation.cancel(),
                        _ => conversation.kill(),
                    }
                    continue;
                }
                () = follower.halted(), if !halted => {
                    halted = true;
                    conversation.cancel();
                    continue;
                }
            };
            match event {
                Some(Event::Question(question)) => {
                    let said = tokio::select! {
                        biased;
                        () = self.signals.nth(told + 1) => continue,
                        said = follower.answer(&question) => said,
                    };
                    let id = &question.question.id;
                    match said {
                        Ok(Some(answer)) => conversation.answer(id, answer),
                        Ok(None) => conversation.fail(id),
                        Err(why) => {
                            failure = Some(why);
                            conversation.cancel();
                        }
                    }
                }
                Some(Event::Done(outcome)) => {
                    return match failure {
                        Some(failure) => Err(failure),
                        None => outcome
                            .map(|outcome| *outcome)
                            .map_err(|error| Failure::Io(error.to_string())),
                    };
                }
                Some(event) => follower.show(&self.screen, event).await,
                None => {}
            }
        }
    }

    /// What comes of some work, unless this process gets a signal to end meanwhile.
    pub async fn unless_ended<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        tokio::select! {
            biased;
            () = self.signals.nth(1) => Err(Failure::Ended(self.signals.outcome())),
            done = work => Ok(done),
        }
    }

    /// From now on Ctrl-Z suspends this process with its tools.
    pub fn suspend_together(&self) -> Result<()> {
        // A tool that has the terminal itself is stopped by it, and this process with the tool.
        if self.options.terminal == Terminal::None && self.suspends.set(()).is_ok() {
            suspend::listen(self.screen.clone()).map_err(|error| unheard(&error))?;
        }
        Ok(())
    }

    /// How the program is run.
    pub fn process(&self, command: Command) -> Process {
        Process::new(command, self.options.clone())
    }

    /// Asks a program what tools it holds; nothing if it answers with a question, as one does that reads
    /// calls but does not know `describe`. It is never told which tool is meant: of a wrong name
    /// it could only say that it is wrong, as one does that knows nothing of calls and fails.
    pub async fn describe(&self, target: &Target) -> Result<Option<Described>> {
        let mut call = Call::describe();
        call.root.clone_from(&self.root);
        let process = Arc::new(self.process(target.entry.command.clone()));
        let exchange = ExchangeOptions::default();
        let outcome = self.call(process, call, exchange, &mut Nobody).await?;
        if question(&outcome.parsed).is_some() {
            return Ok(None);
        }
        match ToolList::from_outcome(outcome) {
            Ok(ToolList { tools, reply, .. }) => Ok(Some(Described {
                tools,
                reply,
                failure: None,
            })),
            // What failed may have been its job.
            Err(error) if error.kind() == HostErrorKind::DescribeFailed => {
                let message = error.to_string();
                let failure = Some(message.clone());
                let reply = error.into_reply().ok_or(Failure::Refused(message))?;
                Ok(Some(Described {
                    tools: None,
                    reply,
                    failure,
                }))
            }
            Err(error) => Err(Failure::Refused(format!("`{}`: {error}", target.label))),
        }
    }
}

/// What `--inherit` says.
pub fn inherited(args: &ProcessArgs) -> Result<Option<Environment>> {
    let read = match &args.inherit[..] {
        [] => return Ok(None),
        [word] if word == "all" => word.parse(),
        names => Environment::from_names(names),
    };
    read.map(Some)
        .map_err(|error| Failure::usage(format!("`--inherit`: {error}")))
}

/// The environment of the tool: what a person runs inherits everything, unless they or the manifest say
/// otherwise.
fn environment(entry: &ManifestTool, args: &ProcessArgs) -> Result<Environment> {
    let base = inherited(args)?.or_else(|| entry.inherit.clone());
    let base = entry.environment(base.unwrap_or_else(Environment::all));
    Ok(with_given(base, args))
}

/// The environment of a program that answers: what the manifest says is for the tool.
pub fn assistant_environment(args: &ProcessArgs) -> Result<Environment> {
    let base = inherited(args)?.unwrap_or_else(Environment::all);
    Ok(with_given(base, args))
}

/// With what `--env` sets.
fn with_given(base: Environment, args: &ProcessArgs) -> Environment {
    let set = args.env.iter();
    set.fold(base, |base, variable| {
        base.with(&variable.name, &variable.value)
    })
}

fn root(entry: &ManifestTool, args: &ProcessArgs) -> Option<String> {
    if let Some(root) = &args.root {
        return Some(input::root(root));
    }
    let root = match entry.root.as_os_str().is_empty() {
        true => std::env::current_dir(),
        false => std::path::absolute(&entry.root),
    };
    // A path that is no text can't stand in a call.
    root.ok().map(PathBuf::into_os_string)?.into_string().ok()
}
