//! A program that holds tools.

use std::any::Any;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use toolwire::Envelope;
use toolwire::author::{Caller, Failure, Opened, Returned, open, read_tools};
use toolwire::call::{Action, BINARY_MARKER, ToolDescription};
use toolwire_schema::check_tool;

use crate::context::Origin;
use crate::invocation::{self, Invocation, Variables};
use crate::{Context, Tool, serving};

/// A program that holds tools and answers the calls of hosts.
///
/// ```no_run
/// use std::process::ExitCode;
/// use toolwire_author::{Context, Program, Error, Tool};
///
/// /// Tell the time.
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Now {}
///
/// fn now(_: Now, _: &Context) -> Result<String, Error> {
///     Ok(format!("{:?}", std::time::SystemTime::now()))
/// }
///
/// fn main() -> ExitCode {
///     Program::new().tool(Tool::new("now", now)).main()
/// }
/// ```
///
/// A program that is dropped without a call of [`Program::main`] says so on stderr. If a host waits for its
/// answer, it also exits with status 2.
#[derive(Default)]
#[must_use = "a program answers no call unless its `main` is called"]
pub struct Program {
    tools: Vec<Tool>,
    /// Whether it has been asked to answer.
    answers: AtomicBool,
}

impl Drop for Program {
    fn drop(&mut self) {
        if !*self.answers.get_mut() && !self.tools.is_empty() && !std::thread::panicking() {
            invocation::forgotten();
        }
    }
}

impl Program {
    /// A program without tools.
    ///
    /// ```
    /// let program = toolwire_author::Program::new();
    /// ```
    pub fn new() -> Self {
        Program::default()
    }

    /// Adds a tool. Names must be unique.
    ///
    /// ```
    /// use toolwire_author::{Context, Program, Error, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn first(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// # fn second(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    ///
    /// let program = Program::new().tool(Tool::new("first", first)).tool(Tool::new("second", second));
    /// ```
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Answers one call document without a process, for tests.
    ///
    /// ```
    /// use toolwire_author::{Context, Program, Error, Tool};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Hello {
    ///     name: String,
    /// }
    ///
    /// fn hello(args: Hello, _: &Context) -> Result<String, Error> {
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
        self.answers.store(true, Ordering::Relaxed);
        self.answered(open(call, &self.names()), Origin::default())
    }

    /// Answers one call document in the process of its caller: what the function says by
    /// [`progress`](crate::progress) and [`log`](crate::log) goes there, and
    /// [`Context::is_cancelled`] tells whether the answer is still wanted.
    ///
    /// ```
    /// use toolwire_author::{Context, Error, Program, Tool};
    ///
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn now(_: Args, _: &Context) -> Result<String, Error> { Ok("noon".into()) }
    /// let program = Program::new().tool(Tool::new("now", now));
    /// # #[derive(Debug)]
    /// # struct Host;
    /// # impl toolwire::author::Caller for Host {
    /// #     fn progress(&self, _: &toolwire::event::Progress) {}
    /// #     fn message(&self, _: &toolwire::event::Message) {}
    /// #     fn is_cancelled(&self) -> bool { false }
    /// # }
    /// # let caller = std::sync::Arc::new(Host);
    /// let call = br#"{"tool":{"name":"now"},"context":{"action":"run"}}"#;
    /// assert!(program.answer_to(call, caller).to_json().contains("noon"));
    /// ```
    #[must_use]
    pub fn answer_to(&self, call: &[u8], caller: Arc<dyn Caller>) -> Envelope {
        self.answers.store(true, Ordering::Relaxed);
        let opened = open(call, &self.names());
        let origin = Origin {
            caller: Some(Arc::clone(&caller)),
            ..Origin::default()
        };
        crate::events::heard_by(&caller, || self.answered(opened, origin))
    }

    fn names(&self) -> Vec<&str> {
        self.tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    fn answered(&self, opened: Opened, origin: Origin) -> Envelope {
        let turn = match opened {
            Opened::Turn(turn) => turn,
            Opened::Answered(answer) => return *answer,
        };
        let (name, action) = (turn.call().name.clone(), turn.call().action);
        let tool = self
            .tools
            .iter()
            .find(|tool| Some(&tool.name) == name.as_ref());
        let is_run = action == Action::Run;
        let function = match tool {
            Some(tool) if is_run => Some(&tool.run),
            Some(tool) if action == Action::FormatArguments => tool.format_arguments.as_ref(),
            // A call that is no description names a tool of the program: the core has seen to it.
            _ => {
                let (tools, problems) = self.described();
                let answer = turn.describe(&tools, &problems);
                return answer.unwrap_or_else(|error| turn.fail(Failure::new(error.to_string())));
            }
        };
        let stays = is_run && tool.is_some_and(Tool::is_session);
        let live = origin.live.filter(|_| stays);
        let context = Context::new(turn, Origin { live, ..origin });
        let returned = function.map_or(Ok(Returned::Nothing), |run| {
            guarded(|| run(&context.call().arguments, &context))
        });
        context.finish(returned)
    }

    /// Answers the call that the process was started for (AUTH-40 to AUTH-43): reads it from stdin, and writes
    /// the answer to stdout or to the result channel. Anything else that the tool prints goes to stderr, or
    /// stays on stdout if there is a result channel. Without a call, it prints to stderr how to run the tool.
    ///
    /// Call it before the program starts a thread. It removes the variables of the call from the environment,
    /// which Rust allows only while there is a single thread. A tool that needs an async runtime
    /// starts it in its function.
    ///
    /// A host that starts the program to stay (chapter 22) gets the answers of many calls, one after the other, or
    /// has a tool keep running; everything that is printed then goes to stderr.
    ///
    /// The exit status is 0, or 1 if the answer is an error, or 2 if there is no call or the answer could not
    /// be written.
    ///
    /// It also puts a marker into the program's file, by which `toolwire run` and other hosts see that
    /// the program reads calls before they start it.
    ///
    /// ```no_run
    /// fn main() -> std::process::ExitCode {
    ///     toolwire_author::Program::new().main()
    /// }
    /// ```
    #[must_use]
    pub fn main(self) -> ExitCode {
        self.answers.store(true, Ordering::Relaxed);
        // Hosts look for it in the program's file, so no linker may leave it out.
        black_box(BINARY_MARKER);
        let variables = Variables::take();
        if variables.is_lines() {
            let answer = |opened, origin| self.answered(opened, origin);
            return ExitCode::from(serving::serve(&self.names(), answer));
        }
        match Invocation::accept(variables, || Ok::<(), Infallible>(())) {
            Ok(Some(invocation)) => {
                let answer = self.answered(invocation.open(&self.names()), Origin::default());
                ExitCode::from(invocation::end(&invocation, &answer))
            }
            Ok(None) => self.help(),
            Err(never) => match never {},
        }
    }

    /// The tools, and why others can't be described.
    fn described(&self) -> (Vec<ToolDescription>, BTreeMap<String, String>) {
        let (mut tools, mut problems) = (Vec::new(), BTreeMap::new());
        for tool in &self.tools {
            let read = read_tools(&Value::Array(vec![tool.to_value()]).to_string());
            let checked = read.and_then(|read| {
                read.iter().try_for_each(check_tool)?;
                Ok(read)
            });
            match checked {
                Ok(read) => tools.extend(read),
                Err(error) => drop(problems.insert(tool.name.clone(), error.to_string())),
            }
        }
        (tools, problems)
    }

    fn help(&self) -> ExitCode {
        let program = std::env::args().next().unwrap_or_default();
        let (tools, _) = self.described();
        ExitCode::from(invocation::help(&program, &tools))
    }
}

/// Runs a function; a panic is a failure too, so that the host gets an answer.
fn guarded(run: impl FnOnce() -> Result<Returned, Failure>) -> Result<Returned, Failure> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|panic| Err(Failure::new(panicked(panic.as_ref()))))
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().copied();
    match said.or_else(|| panic.downcast_ref::<String>().map(String::as_str)) {
        Some(said) => format!("the tool panicked: {said}"),
        None => "the tool panicked".to_owned(),
    }
}
