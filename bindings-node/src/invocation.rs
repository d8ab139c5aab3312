//! How a program in Node is called, and how its answer gets out.

use std::convert::Infallible;
use std::ffi::OsString;

use napi_derive::napi;
use toolwire_author::invocation::{self, Variables};

use crate::author::Turn;
use crate::fault::{Result, told};
use crate::source::list;

/// The one call that the process answers.
#[napi]
pub struct Invocation {
    inner: invocation::Invocation,
}

#[napi]
impl Invocation {
    /// Takes the call from stdin, and stdout from the rest of the process; nothing if nobody calls.
    /// These are the two variables, which nobody finds in the environment any more.
    #[napi(catch_unwind)]
    pub fn accept(call: Option<String>, result: Option<String>) -> Option<Invocation> {
        let variables = Variables {
            call: call.map(OsString::from),
            result: result.map(OsString::from),
        };
        // A signal ends the process, or waits until JavaScript runs again.
        let go_on = || Ok::<(), Infallible>(());
        let Ok(accepted) = invocation::Invocation::accept(variables, go_on);
        accepted.map(|inner| Invocation { inner })
    }

    /// Reads the call; `names` is a JSON array of the program's tools.
    #[napi(catch_unwind)]
    pub fn open(&self, names: String) -> Result<Turn> {
        Ok(Turn::of(self.inner.open(&list(&names)?)))
    }

    /// Writes the answer where it belongs; gives the exit status.
    #[napi(catch_unwind)]
    pub fn end(&self, answer: String) -> Result<u8> {
        let envelope = toolwire::Envelope::from_json(&answer).map_err(told)?;
        Ok(self.inner.end(&answer, envelope.is_error == Some(true)))
    }
}

/// Keeps what is printed out of the answer before the call is read, if the two variables say that a
/// host has called that offers no result channel. Tells whether it did so.
#[napi(catch_unwind)]
pub fn guard(call: Option<String>, result: Option<String>) -> bool {
    let (call, result) = (call.map(OsString::from), result.map(OsString::from));
    invocation::guard(call.as_deref(), result.as_deref())
}

/// Tells a person what the program is that nobody has called; gives the exit status.
#[napi(catch_unwind)]
pub fn help(program: String, all: String) -> Result<u8> {
    let tools = toolwire::author::read_tools(&all).map_err(told)?;
    Ok(invocation::help(&program, &tools))
}
