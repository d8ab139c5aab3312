//! Calls: what a tool is told to do, what tools a program holds, and arguments as words.

use napi_derive::napi;
use toolwire::Json;
use toolwire::call::{Call, ToolDescription};
use toolwire_ffi::reports::call_json;

use crate::fault::{Result, told};
use crate::json::{Object, array};
use crate::source::{How, limits, list, read, utf8};

/// A call as one JSON object, with its canonical texts: the document, and the members of a `_meta`.
#[napi(catch_unwind)]
pub fn read_call(data: &[u8], how: Option<String>, meta: bool) -> Result<String> {
    let limits = limits(how.as_deref())?;
    let call = match meta {
        true => Call::from_meta(data, &limits),
        false => Call::from_json(data, &limits),
    };
    let call = call.map_err(told)?;
    Ok(Object::new()
        .raw("call", &call_json(&call))
        .text("text", &call.to_json())
        .text("metaText", &call.to_meta())
        .end())
}

/// The canonical text of the envelope that describes the tools of a JSON array.
#[napi(catch_unwind)]
pub fn describe(all: String) -> Result<String> {
    let envelope = toolwire::call::describe(&toolwire::call::read_listed(&all).map_err(told)?)
        .map_err(told)?;
    Ok(envelope.to_json())
}

/// The tools of a description in a JSON array; nothing if the output is no description.
#[napi(catch_unwind)]
pub fn read_description(data: &[u8], how: How<'_>) -> Result<Option<String>> {
    let parsed = read(data, &how)?;
    let tools = toolwire::call::read_description(&parsed).map_err(told)?;
    Ok(tools.map(|tools| array(tools.iter().map(ToolDescription::to_json))))
}

/// The arguments that a JSON array of words stands for, as canonical JSON.
#[napi(catch_unwind)]
pub fn parse_arguments(words: String, input_schema: &[u8]) -> Result<String> {
    let schema = Json::new(utf8(input_schema)?).map_err(told)?;
    let arguments = toolwire::parse_arguments(&list(&words)?, &schema).map_err(told)?;
    Ok(arguments.as_str().to_owned())
}
