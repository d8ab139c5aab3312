//! A model's call of a tool that keeps running, and the schema that the model is shown.

use napi_derive::napi;

use crate::fault::{Result, told};

/// What a model's call asks for, as a JSON object; so are its arguments and the tool.
#[napi(catch_unwind)]
pub fn read_command(arguments: String, tool: String) -> Result<String> {
    toolwire_ffi::command::read_command(&arguments, &tool).map_err(told)
}

/// The schema of a model's call of a tool.
#[napi(catch_unwind)]
pub fn action_schema(tool: String, style: String) -> Result<String> {
    toolwire_ffi::command::action_schema(&tool, &style).map_err(told)
}
