//! `PtySession`: a program in a pseudo-terminal.

use std::ffi::OsStr;
use std::sync::Arc;

use tokio::sync::mpsc;
use toolwire::session::TerminalInput;
use toolwire::{Error, Json};
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{
    Command, Environment, ProcessOptions, Running, Screen, SessionStart, SessionTransport,
};

use crate::emulator::Size;
use crate::plan::Plan;
use crate::shared::Shared;
use crate::terminal::{Start, drive};

/// So much of what persons do waits to be carried out.
const TYPED: usize = 64;

/// A program in a pseudo-terminal, which knows nothing of sessions (TERM-1): what it prints are blocks, what its
/// screen shows is text, and input is typed.
///
/// ```no_run
/// use std::sync::Arc;
/// use toolwire::call::ToolDescription;
/// use toolwire::Json;
/// use toolwire_host::manifest::SessionKind;
/// use toolwire_host::{Command, SessionTool, Sessions, SessionsOptions};
/// use toolwire_pty::{PtyOptions, PtySession};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let python = PtySession::new(Command::new("python3").arg("-i"), PtyOptions::default());
/// let mut description = ToolDescription::new("python", Json::new(r#"{"type":"object"}"#)?);
/// SessionKind::Pty.describe(&mut description);
/// let sessions = Sessions::new(SessionsOptions::default());
/// sessions.add(SessionTool::new(description, Arc::new(python)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct PtySession {
    plan: Plan,
    options: PtyOptions,
}

/// How a program in a pseudo-terminal is run.
///
/// ```
/// let options = toolwire_pty::PtyOptions::default();
/// assert_eq!((options.columns, options.rows, &*options.term), (80, 24, "xterm-256color"));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PtyOptions {
    /// How many columns its terminal has, from 2 to 500; default 80.
    pub columns: u16,
    /// How many rows its terminal has, from 2 to 500; default 24.
    pub rows: u16,
    /// The variable `TERM`; default `xterm-256color`, which is what is emulated.
    pub term: String,
    /// Its working folder, its environment, interpreters. The rest means nothing here.
    pub process: ProcessOptions,
}

impl Default for PtyOptions {
    fn default() -> Self {
        PtyOptions {
            columns: 80,
            rows: 24,
            term: "xterm-256color".to_owned(),
            process: ProcessOptions::default(),
        }
    }
}

impl PtySession {
    /// A program with arguments. Those of a call mean nothing to it.
    #[must_use]
    pub fn new(command: Command, options: PtyOptions) -> Self {
        PtySession {
            plan: Plan::Fixed(command),
            options,
        }
    }

    /// The program of a tool of a manifest; the arguments of a call stand where its command has them.
    #[must_use]
    pub fn of_tool(tool: ManifestTool, options: PtyOptions) -> Self {
        PtySession {
            plan: Plan::Tool(Box::new(tool)),
            options,
        }
    }

    fn size(&self) -> Result<Size, String> {
        let PtyOptions { columns, rows, .. } = self.options;
        let size = Json::new(format!(r#"{{"size":[{columns},{rows}]}}"#));
        let size = size.and_then(|size| TerminalInput::read(&size));
        match size {
            Ok(_) => Ok(Size { columns, rows }),
            Err(error) => Err(error.message().to_owned()),
        }
    }
}

impl SessionTransport for PtySession {
    fn start(&self, start: SessionStart) -> Running {
        let size = self.size();
        let plan = self.plan.command(&start.call).and_then(|command| {
            let mut options = self.options.process.clone();
            options.grace = start.grace;
            options.environment = environment(&self.options);
            Ok(Start {
                command,
                options,
                size: size.clone()?,
                grace: start.grace,
            })
        });
        let usual = Size {
            columns: 80,
            rows: 24,
        };
        let (typing, typed) = mpsc::channel(TYPED);
        let shared = Arc::new(Shared::new(size.unwrap_or(usual), typing));
        let screen: Arc<dyn Screen> = Arc::clone(&shared) as Arc<dyn Screen>;
        let running = Running::new(|given, told| drive(plan, shared, given, typed, told));
        running.with_screen(screen)
    }

    fn check(&self, input: &Json) -> Result<(), Error> {
        TerminalInput::read(input).map(drop)
    }

    fn prints(&self) -> bool {
        true
    }
}

/// The environment of the program. Its terminal is not that of the host, and takes UTF-8 alone.
/// `NCURSES_NO_UTF8_ACS` has programs draw lines with the characters that there are for them, and not with letters
/// in another character set.
fn environment(options: &PtyOptions) -> Environment {
    let given = &options.process.environment;
    let inherited = given.to_variables();
    let environment = given
        .clone()
        .with("TERM", &options.term)
        .with("NCURSES_NO_UTF8_ACS", "1");
    let names_characters = ["LC_ALL", "LC_CTYPE", "LANG"];
    match names_characters
        .iter()
        .any(|name| inherited.contains_key(OsStr::new(name)))
    {
        true => environment,
        false => environment.with("LC_CTYPE", "C.UTF-8"),
    }
}
