//! A program under the care of this process: started with what was asked for, watched, and ended when
//! this process is told to end.

use std::future::Future;
use std::path::PathBuf;

use toolwire::call::{Call, Tool as Contract, read_description};
use toolwire_host::{
    Environment, HostError, HostErrorKind, Outcome as Ended, RunOptions, Tool, run_until,
};

use super::screen::Screen;
use super::signals::Signals;
use super::target::{Settings, Target};
use crate::args::{ColorWhen, ProcessArgs};
use crate::exit::{Failure, Result};
use crate::input;
use crate::manifest::Inherit;

pub struct Session {
    pub options: RunOptions,
    pub signals: Signals,
    pub screen: Screen,
    /// What the tool is told of its workspace.
    pub root: Option<String>,
    /// The manifest in which the program was not found, for the message if it is nowhere.
    not_in: Option<PathBuf>,
}

/// What a program answers when it is asked to describe itself.
pub enum Described {
    Tools(Vec<Contract>),
    /// It does not know the protocol, or has failed: that was its run.
    Ran(Box<Ended>),
}

/// Runs what needs a runtime on one that has a single thread, this one.
pub fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Io(format!("cannot wait for a tool: {error}")))?;
    runtime.block_on(work)
}

impl Session {
    /// Called on a runtime.
    pub fn new(target: &Target, args: &ProcessArgs, color: ColorWhen) -> Result<Session> {
        let signals = Signals::listen().map_err(|error| {
            Failure::Io(format!(
                "cannot wait for signals: {}",
                crate::exit::reason(&error)
            ))
        })?;
        let screen = Screen::new(&target.label, color);
        tokio::spawn(screen.clone().beat());
        let settings = &target.settings;
        let usual = RunOptions::default();
        let options = RunOptions {
            cwd: args.cwd.clone().or_else(|| settings.cwd.clone()),
            environment: environment(settings, args),
            timeout: args.timeout.or(settings.timeout),
            max_output: args
                .max_output
                .or(settings.max_output)
                .unwrap_or(usual.max_output),
            on_stderr: Some(screen.observer()),
            ..usual
        };
        Ok(Session {
            options,
            signals,
            screen,
            root: root(settings, args),
            not_in: target.not_in.clone(),
        })
    }

    /// Waits for a run, but no longer than to the second signal; dropping it kills the tool.
    pub async fn watch<T>(
        &self,
        run: impl Future<Output = std::result::Result<T, HostError>>,
    ) -> Result<T> {
        self.screen.start();
        let ended = tokio::select! {
            biased;
            ended = run => ended.map_err(|error| self.not_run(&error)),
            () = self.signals.nth(2) => Err(Failure::Ended(self.signals.outcome())),
        };
        self.screen.pause();
        ended
    }

    fn not_run(&self, error: &HostError) -> Failure {
        let message = match &self.not_in {
            Some(manifest) if error.kind() == HostErrorKind::NotFound => {
                format!("{error}; nor is it a tool of `{}`", manifest.display())
            }
            _ => error.to_string(),
        };
        Failure::Io(message)
    }

    /// Runs a program once, with this on its standard input.
    pub async fn once(&self, program: &Tool, stdin: Vec<u8>) -> Result<Ended> {
        let options = RunOptions {
            stdin,
            ..self.options.clone()
        };
        let run = run_until(program, &options, self.signals.nth(1));
        let ended = self.watch(run).await?;
        if ended.by_channel {
            self.screen.log(&ended.stdout);
        }
        Ok(ended)
    }

    /// Asks a program what tools it holds. It is never told which one is meant: of a wrong name it could
    /// only say that it is wrong, as one does that knows nothing of calls and fails.
    pub async fn describe(&self, target: &Target) -> Result<Described> {
        let mut call = Call::describe();
        call.root.clone_from(&self.root);
        let ended = self
            .once(&target.program, call.to_json().into_bytes())
            .await?;
        let read = read_description(&ended.parsed);
        let refuse = |error: toolwire::Error| {
            let place = error.pointer();
            Failure::Refused(format!(
                "`{}` describes itself wrongly, at `{place}`: {error}",
                target.label
            ))
        };
        Ok(match read.map_err(refuse)? {
            None => Described::Ran(Box::new(ended)),
            Some(tools) => Described::Tools(tools),
        })
    }
}

fn environment(settings: &Settings, args: &ProcessArgs) -> Environment {
    let base = match &settings.inherit {
        _ if args.clean_env => Environment::standard(),
        Inherit::All => Environment::all(),
        Inherit::Standard => Environment::standard(),
        Inherit::Only(names) => Environment::only(names),
    };
    let set = settings.env.iter();
    let base = set.fold(base, |base, (name, value)| base.with(name, value));
    args.env.iter().fold(base, |base, variable| {
        let value = match &variable.value {
            Some(value) => Some(value.into()),
            None => std::env::var_os(&variable.name),
        };
        match value {
            Some(value) => base.with(&variable.name, value),
            None => base,
        }
    })
}

fn root(settings: &Settings, args: &ProcessArgs) -> Option<String> {
    if let Some(root) = &args.root {
        return Some(input::root(root));
    }
    let root = match &settings.root {
        Some(root) => std::path::absolute(root),
        None => std::env::current_dir(),
    };
    // A path that is no text can't stand in a call.
    root.ok().map(PathBuf::into_os_string)?.into_string().ok()
}
