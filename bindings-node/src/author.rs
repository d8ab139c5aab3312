//! What a tool's program does with a call.

use std::collections::HashMap;
use std::sync::Arc;

use napi_derive::napi;
use serde::Deserialize;
use serde_json::value::RawValue;
use toolwire::author::{Ask, Failure, Opened, Returned, open};
use toolwire::call::ToolDescription;
use toolwire::{Block, Json};
use toolwire_ffi::answers::check_answers;
use toolwire_ffi::lines::LineCall;
use toolwire_ffi::reports::call_json;
use toolwire_schema::{CheckError, check_value};

use crate::fault::{Result, told};
use crate::json::array;
use crate::source::list;

/// A call that is being answered. It lives as long as JavaScript holds it.
#[napi]
pub struct Turn {
    inner: Opened,
    /// The line that it came as, in a program that stays.
    line: Option<Arc<LineCall>>,
}

impl Turn {
    pub fn of(inner: Opened) -> Self {
        Turn { inner, line: None }
    }

    pub fn of_line(inner: Opened, line: Arc<LineCall>) -> Self {
        let line = Some(line);
        Turn { inner, line }
    }

    /// The line that it came as.
    pub fn line(&self) -> Result<&LineCall> {
        let none = || napi::Error::from_reason("the call did not come as a line");
        self.line.as_deref().ok_or_else(none)
    }

    /// The call as a JSON object, unless it was refused.
    pub fn told(&self) -> Option<String> {
        match &self.inner {
            Opened::Turn(turn) => Some(call_json(turn.call())),
            Opened::Answered(_) => None,
        }
    }
}

/// A question that is asked, with its id.
#[derive(Deserialize)]
struct Asked<'a>(String, #[serde(borrow)] &'a RawValue);

#[napi]
impl Turn {
    /// Reads a call document; `names` is a JSON array of the program's tools.
    #[napi(constructor, catch_unwind)]
    pub fn new(document: &[u8], names: String) -> Result<Self> {
        Ok(Turn::of(open(document, &list(&names)?)))
    }

    /// The finished answer, if there is nothing to be done.
    #[napi(catch_unwind)]
    pub fn refused(&self) -> Option<String> {
        match &self.inner {
            Opened::Turn(_) => None,
            Opened::Answered(answer) => Some(answer.to_json()),
        }
    }

    /// The call as a JSON object.
    #[napi(catch_unwind)]
    pub fn call(&self) -> Result<String> {
        Ok(call_json(self.turn()?.call()))
    }

    /// The places where the arguments do not fit a schema, in a JSON array; it is JSON text.
    #[napi(catch_unwind)]
    pub fn mismatches(&self, schema: String) -> Result<String> {
        let schema = Json::new(schema).map_err(told)?;
        match check_value(&schema, &self.turn()?.call().arguments) {
            Ok(()) => Ok("[]".to_owned()),
            Err(CheckError::Mismatches(found)) => Ok(array(found.iter().map(|one| one.to_json()))),
            Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => Err(told(error)),
        }
    }

    /// Takes a block, as JSON text, into the answer.
    #[napi(catch_unwind)]
    pub fn emit(&mut self, block: String) -> Result<()> {
        let block = Block::from_json(&block).map_err(told)?;
        self.turn_mut()?.emit(block).map_err(told)
    }

    /// The answer to a question as a JSON object, as it came; without one the question is pending.
    #[napi(catch_unwind)]
    pub fn ask(&mut self, id: String, ask: String) -> Result<Option<String>> {
        let ask = Ask::read(&ask).map_err(told)?;
        let answer = self.turn_mut()?.ask(&id, &ask).map_err(told)?;
        Ok(answer.map(|answer| answer.to_json()))
    }

    /// As `ask`, but a page that was opened is asked again.
    #[napi(catch_unwind)]
    pub fn ask_again(&mut self, id: String, ask: String) -> Result<Option<String>> {
        let ask = Ask::read(&ask).map_err(told)?;
        let answer = self.turn_mut()?.ask_again(&id, &ask).map_err(told)?;
        Ok(answer.map(|answer| answer.to_json()))
    }

    /// The answers to questions that are asked together, a JSON array of ids and asks, as a JSON array;
    /// nothing if the run has to end here. One that does not fit is refused with `answer_mismatch`.
    #[napi(catch_unwind)]
    pub fn answers(&mut self, asks: String, required: bool) -> Result<Option<String>> {
        let refused = |error: serde_json::Error| napi::Error::from_reason(error.to_string());
        let asked: Vec<Asked<'_>> = serde_json::from_str(&asks).map_err(refused)?;
        let mut asks = Vec::with_capacity(asked.len());
        for Asked(id, ask) in asked {
            asks.push((id, Ask::read(ask.get()).map_err(told)?));
        }
        let asks: Vec<(&str, &Ask)> = asks.iter().map(|(id, ask)| (id.as_str(), ask)).collect();
        let answers = self.turn_mut()?.answers(&asks, required).map_err(told)?;
        check_answers(&asks, answers.as_deref().unwrap_or_default()).map_err(told)?;
        Ok(answers.map(|answers| array(answers.iter().map(toolwire::call::Answer::to_json))))
    }

    /// Asks although there is an answer that was not accepted.
    #[napi(catch_unwind)]
    pub fn require(&mut self, id: String, ask: String) -> Result<()> {
        let ask = Ask::read(&ask).map_err(told)?;
        self.turn_mut()?.require(&id, &ask).map_err(told)
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

    /// The text of the answer that describes those tools of a JSON array that the call asks for, and says why
    /// others can't be described.
    #[napi(catch_unwind)]
    pub fn describe(
        &self,
        all: String,
        problems: Option<HashMap<String, String>>,
    ) -> Result<String> {
        let tools = toolwire::author::read_tools(&all).map_err(told)?;
        let problems = problems.into_iter().flatten().collect();
        let answer = self.turn()?.describe(&tools, &problems).map_err(told)?;
        Ok(answer.to_json())
    }

    fn turn(&self) -> Result<&toolwire::author::Turn> {
        match &self.inner {
            Opened::Turn(turn) => Ok(turn),
            Opened::Answered(_) => Err(refused()),
        }
    }

    fn turn_mut(&mut self) -> Result<&mut toolwire::author::Turn> {
        match &mut self.inner {
            Opened::Turn(turn) => Ok(turn),
            Opened::Answered(_) => Err(refused()),
        }
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

/// Refuses a tool whose schemas nothing can be checked with.
#[napi(catch_unwind)]
pub fn check_tool(tool: String) -> Result<()> {
    let tool = ToolDescription::from_json(&tool).map_err(told)?;
    toolwire_schema::check_tool(&tool).map_err(told)
}

/// The tools of a JSON array, made ready to be described, in a JSON array.
#[napi(catch_unwind)]
pub fn read_tools(all: String) -> Result<String> {
    let tools = toolwire::author::read_tools(&all).map_err(told)?;
    Ok(array(tools.iter().map(ToolDescription::to_json)))
}
