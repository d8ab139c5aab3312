//! How a program is called, and how its answer gets out (AUTH-40 to AUTH-45): the same for every
//! language. What happens in between, on one call, is [`Turn`](toolwire::author::Turn)'s.
//!
//! A program in Rust has all of it in `Program::main`. The library of another
//! language takes the variables out of its environment, and calls [`Invocation::accept`],
//! [`Invocation::open`] and [`Invocation::end`], in this order; or, if the host writes lines, [`Lines::begin`].

mod environment;
mod lines;
mod outlet;
mod stdin;

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};

use toolwire::Envelope;
use toolwire::author::{self, Opened};
use toolwire::call::ToolDescription;

pub use environment::Variables;
pub use lines::Lines;
use outlet::Outlet;
pub use outlet::take_stdout;
pub use stdin::take_stdin;

/// The exit status of a program that has answered nothing: nobody called, or the answer can't be
/// written (AUTH-40, AUTH-45).
pub(crate) const NO_ANSWER: u8 = 2;

/// The one call that a process answers.
///
/// ```no_run
/// use toolwire::author::{Opened, Returned};
/// use toolwire_author::invocation::{Invocation, Variables};
///
/// // What its language has in its environment, and no child gets any more.
/// let variables = Variables { call: Some("stdin".into()), result: None };
/// let Some(invocation) = Invocation::accept(variables, || std::io::Result::Ok(()))? else {
///     std::process::exit(toolwire_author::invocation::help("./now", &[]).into());
/// };
/// let answer = match invocation.open(&["now"]) {
///     Opened::Turn(turn) => turn.finish(Returned::Text("noon".into())).expect("a text is an answer"),
///     Opened::Answered(answer) => *answer,
/// };
/// std::process::exit(invocation.end(&answer.to_json(), answer.is_error == Some(true)).into());
/// # #[allow(unreachable_code)]
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Invocation {
    call: io::Result<Vec<u8>>,
    outlet: Outlet,
    /// The process that was called; a copy that a fork makes of it answers nothing.
    process: u32,
}

impl Invocation {
    /// Takes the call, from stdin to its end; nothing if nobody calls, so that a person should be
    /// told what this program is (AUTH-40). From now on what is printed does not get into the answer
    /// (AUTH-41).
    ///
    /// `interrupted` is called when a signal arrives while it waits.
    ///
    /// # Errors
    ///
    /// That of `interrupted`. What keeps the call from being read is answered, by
    /// [`Invocation::open`].
    pub fn accept<E>(
        variables: Variables,
        interrupted: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let called = variables.is_call();
        if !called && io::stdin().is_terminal() {
            return Ok(None);
        }
        let outlet = Outlet::of(variables.result.as_deref());
        let call = stdin::read(interrupted)?;
        let nothing = |call: &Vec<u8>| call.trim_ascii().is_empty();
        if !called && call.as_ref().map_or(true, nothing) {
            return Ok(None);
        }
        Ok(Some(Invocation {
            call,
            outlet,
            process: std::process::id(),
        }))
    }

    /// Reads the call document, and looks whether the program holds the tool, as
    /// [`toolwire::author::open`].
    pub fn open<S: AsRef<str>>(&self, names: &[S]) -> Opened {
        match &self.call {
            Ok(document) => author::open(document, names),
            Err(error) => Opened::unreadable(error),
        }
    }

    /// Writes the answer, all of it, and gives the exit status: 1 if it is an error, 2 if it can't be
    /// written, which is reported on stderr, else 0 (AUTH-43, AUTH-45). Remarks on the answer go
    /// there too.
    ///
    /// A copy of the process, such as a fork makes, writes nothing.
    #[must_use]
    pub fn end(&self, answer: &str, is_error: bool) -> u8 {
        if std::process::id() == self.process {
            if let Err(problem) = self.outlet.write(answer) {
                say(&format!(
                    "toolwire: the answer can't be written: {problem}\n"
                ));
                return NO_ANSWER;
            }
            if let Some(remark) = author::remark(answer) {
                say(&format!("toolwire: {remark}\n"));
            }
        }
        u8::from(is_error)
    }
}

/// Keeps what is printed out of the answer even before the call is read, if the two variables say that
/// a host has called that offers no result channel (AUTH-41), or one that writes lines. Tells whether it did so.
pub fn guard(call: Option<&OsStr>, result: Option<&OsStr>) -> bool {
    let guards = environment::is_call(call) && environment::channel(result).is_none();
    (guards || environment::is_lines(call)) && take_stdout().is_some()
}

/// Tells a person on stderr what the program is that nobody has called, and gives its exit status.
#[must_use]
pub fn help(program: &str, tools: &[ToolDescription]) -> u8 {
    say(&toolwire::terminal_safe(
        &author::help(program, tools),
        false,
    ));
    NO_ANSWER
}

/// Writes to stderr, which may be closed; then there is nowhere left to say so.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Tells that a program has tools and was never asked to answer; where a host waits for an answer, the
/// process ends with a status that says so.
pub(crate) fn forgotten() {
    say(
        "toolwire: the program has tools and never calls `Program::main`; return what it gives from `main`\n",
    );
    if environment::is_called() {
        std::process::exit(NO_ANSWER.into());
    }
}

/// Ends an answer whose envelope is at hand.
pub(crate) fn end(invocation: &Invocation, answer: &Envelope) -> u8 {
    invocation.end(&answer.to_json(), answer.is_error == Some(true))
}
