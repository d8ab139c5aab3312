//! How a server is reached.

use std::sync::Arc;

use toolwire::event::Level;
use toolwire_host::Command;
use toolwire_mcp::client::{ClientOptions, Header, Server, TaskWatcher};
use toolwire_source::{Folder, OpenFolder, Program, Reached, Source};

use super::task::Tasks;
use crate::args::ServerArgs;
use crate::exit::{Failure, Result};
use crate::run::{Session, Target};
use crate::source;

/// A server that may be started or reached.
pub struct Reach {
    source: Source,
    /// Holds the folder in which its program runs.
    folder: OpenFolder,
}

/// What only some commands are told about a call.
#[derive(Default)]
pub struct Extra {
    pub legacy: bool,
    pub log_level: Option<Level>,
    pub tasks: Option<Arc<Tasks>>,
    /// Whether the server is to say when its tools change.
    pub listen: bool,
}

impl Reach {
    /// Has a person agree to what nobody typed, and makes the folder in which it starts.
    pub fn prepare(source: Source, args: &ServerArgs) -> Result<Reach> {
        source::agree(&source, &args.source)?;
        let folder = match &source.reached {
            Reached::Program(program) if args.process.cwd.is_none() => program.folder.open()?,
            _ => Folder::Current.open()?,
        };
        Ok(Reach { source, folder })
    }

    /// What messages call it.
    pub fn label(&self) -> &str {
        &self.source.label
    }

    /// Whether it is a program that is started.
    pub fn is_program(&self) -> bool {
        matches!(self.source.reached, Reached::Program(_))
    }

    /// What the process of this command needs to know of it.
    pub fn target(&self) -> Target {
        let mut target = match &self.source.reached {
            Reached::Program(program) => {
                let Program {
                    command,
                    env,
                    inherits,
                    ..
                } = &**program;
                let mut target = Target::of_program(command.clone(), false);
                target.entry.env.clone_from(env);
                target.entry.inherit.clone_from(inherits);
                target.entry.cwd = self.folder.path().map(Into::into);
                target
            }
            _ => Target::of_program(Command::new(""), false),
        };
        target.label.clone_from(&self.source.label);
        target
    }

    /// The server, with the headers of `--header-env`.
    pub fn server(&self, args: &ServerArgs, session: &Session) -> Result<Server> {
        if let Some(header) = args.reach.header_env.first().filter(|_| self.is_program()) {
            return Err(Failure::usage(format!(
                "`--header-env {}=…` is for servers with a URL; give a program its secrets with \
                 `--inherit standard,{}`",
                header.header, header.variable
            )));
        }
        let headers = args.reach.header_env.iter();
        let headers = headers.map(|given| Ok(Header::new(&given.header, value(given)?)));
        let headers = headers.collect::<Result<Vec<Header>>>()?;
        Ok(self.source.server(session.options.clone(), &headers)?)
    }

    /// How the server is used.
    pub fn options(&self, args: &ServerArgs, extra: Extra, session: &Session) -> ClientOptions {
        let usual = ClientOptions::default();
        ClientOptions {
            connect_timeout: args.reach.connect_timeout.unwrap_or(usual.connect_timeout),
            timeout: args.process.silence_of_server(),
            max_timeout: args.process.max_time.unwrap_or(usual.max_timeout),
            max_message: args.process.max_output.unwrap_or(usual.max_message),
            send_context: args.reach.toolwire || self.source.context,
            legacy: extra.legacy || self.source.legacy,
            log_level: extra.log_level,
            listen: extra.listen,
            task_watcher: extra.tasks.map(|tasks| tasks as Arc<dyn TaskWatcher>),
            on_stderr: Some(session.screen.observer()),
            ..usual
        }
    }
}

/// The value of a header, from the environment. A token for `Authorization` may stand there alone.
fn value(given: &crate::args::HeaderVariable) -> Result<String> {
    let variable = &given.variable;
    let value = std::env::var(variable).map_err(|_| {
        Failure::Wrong(vec![format!(
            "the environment variable `{variable}` is not set, or is no text"
        )])
    })?;
    let value = value.trim().to_owned();
    let bare = given.header.eq_ignore_ascii_case("authorization") && !value.contains(' ');
    Ok(if bare {
        format!("Bearer {value}")
    } else {
        value
    })
}
