//! What a tool's program does with a call.

use napi_derive::napi;
use toolwire::Block;
use toolwire::author::{Ask, Failure, Returned, open};
use toolwire::call::Tool;

use crate::fault::{Result, told};
use crate::json::array;
use crate::source::list;

/// A call that is being answered. It lives as long as JavaScript holds it.
#[napi]
pub struct Turn {
    /// The turn, or the finished answer to what is no call of this program's tools.
    inner: std::result::Result<toolwire::author::Turn, String>,
}

#[napi]
impl Turn {
    /// Reads a call document; `names` is a JSON array of the program's tools.
    #[napi(constructor, catch_unwind)]
    pub fn new(document: &[u8], names: String) -> Result<Self> {
        let inner = open(document, &list(&names)?).map_err(|answer| answer.to_json());
        Ok(Turn { inner })
    }

    /// The finished answer, if there is nothing to be done.
    #[napi(catch_unwind)]
    pub fn refused(&self) -> Option<String> {
        self.inner.as_ref().err().cloned()
    }

    /// The call as a JSON object.
    #[napi(catch_unwind)]
    pub fn call(&self) -> Result<String> {
        Ok(self.turn()?.call().report_json())
    }

    /// Takes a block, as JSON text, into the answer.
    #[napi(catch_unwind)]
    pub fn emit(&mut self, block: String) -> Result<()> {
        let block = Block::from_json(&block).map_err(told)?;
        self.turn_mut()?.emit(block).map_err(told)
    }

    /// The answer to a question as a JSON object; without one the question is pending.
    #[napi(catch_unwind)]
    pub fn ask(&mut self, id: String, ask: String) -> Result<Option<String>> {
        let ask = Ask::read(&ask).map_err(told)?;
        let answer = self.turn_mut()?.ask(&id, &ask).map_err(told)?;
        Ok(answer.map(|answer| answer.to_json()))
    }

    /// Asks again what got no value.
    #[napi(catch_unwind)]
    pub fn insist(&mut self, id: String, ask: String) -> Result<()> {
        let ask = Ask::read(&ask).map_err(told)?;
        self.turn_mut()?.insist(&id, &ask).map_err(told)
    }

    /// Whether a question waits for its answer.
    #[napi(catch_unwind)]
    pub fn is_pending(&self) -> Result<bool> {
        Ok(self.turn()?.is_pending())
    }

    /// The text of the answer: what was emitted and what the function returned, of that kind.
    #[napi(catch_unwind)]
    pub fn finish(&self, kind: String, returned: String) -> Result<String> {
        let returned = Returned::from_json(&kind, &returned).map_err(told)?;
        let answer = self.turn()?.finish(returned).map_err(told)?;
        Ok(answer.to_json())
    }

    /// The text of the answer where the function failed.
    #[napi(catch_unwind)]
    pub fn fail(&self, failure: String) -> Result<String> {
        let failure = Failure::from_json(&failure).map_err(told)?;
        Ok(self.turn()?.fail(failure).to_json())
    }

    /// The text of the answer that describes those tools of a JSON array that the call asks for.
    #[napi(catch_unwind)]
    pub fn describe(&self, all: String) -> Result<String> {
        let tools = toolwire::author::read_tools(&all).map_err(told)?;
        let answer = self.turn()?.describe(&tools).map_err(told)?;
        Ok(answer.to_json())
    }

    fn turn(&self) -> Result<&toolwire::author::Turn> {
        self.inner.as_ref().map_err(|_| refused())
    }

    fn turn_mut(&mut self) -> Result<&mut toolwire::author::Turn> {
        self.inner.as_mut().map_err(|_| refused())
    }
}

fn refused() -> napi::Error {
    napi::Error::from_reason("the call was refused, and its answer is finished")
}

/// What a builder of questions makes, as a JSON object: its text, its schema, its default.
#[napi(catch_unwind)]
pub fn ask_from_args(kind: String, arguments: String) -> Result<String> {
    let ask = Ask::from_json(&kind, &arguments).map_err(told)?;
    Ok(ask.to_json())
}

/// The tools of a JSON array, made ready to be described, in a JSON array.
#[napi(catch_unwind)]
pub fn read_tools(all: String) -> Result<String> {
    let tools = toolwire::author::read_tools(&all).map_err(told)?;
    Ok(array(tools.iter().map(Tool::to_json)))
}

/// What a program tells a person who starts it without a call.
#[napi(catch_unwind)]
pub fn help(program: String, all: String) -> Result<String> {
    let tools = toolwire::author::read_tools(&all).map_err(told)?;
    Ok(toolwire::author::help(&program, &tools))
}

/// Puts stdout aside and sends all that is written there from now on to stderr, also what child
/// processes write. The descriptor is the real stdout, which no child inherits; nothing where that
/// can't be done.
#[napi(catch_unwind)]
pub fn take_stdout() -> Option<i32> {
    #[cfg(unix)]
    {
        use std::os::fd::IntoRawFd as _;
        let kept = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3).ok()?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr()).ok()?;
        Some(kept.into_raw_fd())
    }
    #[cfg(not(unix))]
    None
}
