//! A program that holds tools.

use std::any::Any;
use std::io::{self, IsTerminal, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use serde_json::Value;
use toolwire::author::{self, Failure, Returned, exit_status, open, read_tools};
use toolwire::call::Action;
use toolwire::{Envelope, Error, Limits};

use crate::channel::Channel;
use crate::stop::Stop;
use crate::tool::Function;
use crate::{Context, Tool};

/// A program that holds tools and answers the calls of hosts.
///
/// ```no_run
/// use std::process::ExitCode;
/// use toolwire_author::{Context, Program, Stop, Tool};
///
/// /// Tell the time.
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Now {}
///
/// fn now(_: Now, _: &mut Context) -> Result<String, Stop> {
///     Ok(format!("{:?}", std::time::SystemTime::now()))
/// }
///
/// fn main() -> ExitCode {
///     Program::new().tool(Tool::new("now", now)).main()
/// }
/// ```
#[derive(Default)]
pub struct Program {
    tools: Vec<Tool>,
}

impl Program {
    /// A program without tools.
    ///
    /// ```
    /// let program = toolwire_author::Program::new();
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Program::default()
    }

    /// Adds a tool. Each has a name of its own.
    ///
    /// ```
    /// use toolwire_author::{Context, Program, Stop, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn first(_: Args, _: &mut Context) -> Result<(), Stop> { Ok(()) }
    /// # fn second(_: Args, _: &mut Context) -> Result<(), Stop> { Ok(()) }
    ///
    /// let program = Program::new().tool(Tool::new("first", first)).tool(Tool::new("second", second));
    /// ```
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Answers one call document, as a test does that needs no process.
    ///
    /// ```
    /// use toolwire_author::{Context, Program, Stop, Tool};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Hello {
    ///     name: String,
    /// }
    ///
    /// fn hello(args: Hello, _: &mut Context) -> Result<String, Stop> {
    ///     Ok(format!("Hello, {}!", args.name))
    /// }
    ///
    /// let program = Program::new().tool(Tool::new("hello", hello));
    /// let call = br#"{"tool":{"name":"hello","arguments":{"name":"Ada"}},"context":{"action":"run"}}"#;
    /// let answer = program.answer(call);
    /// assert_eq!(answer.to_json(), r#"{"content":[{"text":"Hello, Ada!","type":"text"}]}"#);
    /// ```
    #[must_use]
    pub fn answer(&self, call: &[u8]) -> Envelope {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        let turn = match open(call, &names) {
            Ok(turn) => turn,
            Err(answer) => return *answer,
        };
        let (name, action) = (turn.call().name.clone(), turn.call().action);
        let tool = self
            .tools
            .iter()
            .find(|tool| Some(&tool.name) == name.as_ref());
        let function = match (action, tool) {
            (Action::Run, Some(tool)) => Some(&tool.run),
            (Action::FormatArguments, Some(tool)) => tool.format_arguments.as_ref(),
            // A call that is no description names a tool of the program: the core has seen to it.
            _ => {
                let answer = self.described().and_then(|tools| turn.describe(&tools));
                return answer.unwrap_or_else(|error| turn.fail(Failure::new(error.to_string())));
            }
        };
        let mut context = Context { turn };
        let returned = function.map_or(Ok(Returned::Nothing), |run| guarded(run, &mut context));
        let turn = context.turn;
        match returned {
            Ok(returned) => turn.finish(returned).unwrap_or_else(|error| {
                let message = format!("what the tool returned is no answer: {error}");
                turn.fail(Failure::new(message))
            }),
            Err(stop) => turn.fail(stop.into_failure().unwrap_or_default()),
        }
    }

    /// Answers the call that the process was started for (AUTH-40 to AUTH-43): reads it from stdin,
    /// and writes the answer where the host wants it. What the tool prints meanwhile goes to stderr, or
    /// stays on stdout if the host gave a result channel. Without a call it tells a person how to
    /// run the tool, on stderr.
    ///
    /// The exit status is 0; 1 if the answer is an error; 2 without a call, or where the answer could
    /// not be written.
    ///
    /// ```no_run
    /// fn main() -> std::process::ExitCode {
    ///     toolwire_author::Program::new().main()
    /// }
    /// ```
    #[must_use]
    pub fn main(self) -> ExitCode {
        let stdin = io::stdin();
        let called = std::env::var_os("TOOLWIRE_CALL").is_some_and(|how| how == "stdin");
        if !called && stdin.is_terminal() {
            return self.help();
        }
        let channel = Channel::open();
        let mut call = Vec::new();
        // One byte more than is allowed is enough for the core to refuse it.
        let most = Limits::default().max_bytes as u64 + 1;
        let read = stdin.lock().take(most).read_to_end(&mut call);
        if read.is_ok() && !called && call.trim_ascii().is_empty() {
            return self.help();
        }
        let answer = match read {
            Ok(_) => self.answer(&call),
            Err(error) => {
                let message = format!("the call can't be read: {error}");
                unread(message)
            }
        };
        match channel.write(&answer.to_json()) {
            Ok(()) => ExitCode::from(exit_status(&answer)),
            Err(error) => {
                // There is nowhere left to say that stderr can't be written.
                let _ = writeln!(io::stderr(), "the answer can't be written: {error}");
                ExitCode::from(2)
            }
        }
    }

    fn described(&self) -> Result<Vec<toolwire::call::Tool>, Error> {
        let tools = self.tools.iter().map(Tool::to_value).collect();
        read_tools(&Value::Array(tools).to_string())
    }

    fn help(&self) -> ExitCode {
        let program = std::env::args().next().unwrap_or_default();
        let text = match self.described() {
            Ok(tools) => author::help(&program, &tools),
            Err(error) => format!("{error}\n"),
        };
        // There is nowhere left to say that stderr can't be written.
        let _ = io::stderr().write_all(toolwire::terminal_safe(&text, false).as_bytes());
        ExitCode::from(2)
    }
}

/// The answer where there is not even a call.
fn unread(message: String) -> Envelope {
    let options = toolwire::build::ErrorOptions::default();
    toolwire::build::error(&message, options).unwrap_or_default()
}

/// Runs a function; a panic is a failure too, so that the host gets an answer.
fn guarded(run: &Function, context: &mut Context) -> Result<Returned, Stop> {
    let arguments = context.call().arguments.as_str().to_owned();
    catch_unwind(AssertUnwindSafe(|| run(&arguments, context)))
        .unwrap_or_else(|panic| Err(Stop::failed(panicked(panic.as_ref()))))
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().copied();
    match said.or_else(|| panic.downcast_ref::<String>().map(String::as_str)) {
        Some(said) => format!("the tool panicked: {said}"),
        None => "the tool panicked".to_owned(),
    }
}
