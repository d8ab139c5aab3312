//! A model's call of a tool that keeps running, and the schema that the model is shown.

use pyo3::prelude::*;

use crate::call::schema_of;
use crate::error::raise;
use crate::input::Keyword;
use crate::schema::word_of;
use crate::to_python::json_to_python;

/// Read the arguments with which a model calls a tool that keeps running. Returns a dict with the `action`, the `id`
/// and the members of the action; the tool's own arguments are in `arguments`, wherever they stood.
///
/// `tool` is the tool of a description. Raises `action_not_offered` if it lists no such action, and `bad_argument` at
/// the first other place that is wrong; the message says what is possible instead.
///
/// >>> import toolwire
/// >>> tool = {'name': 'git', 'inputSchema': {'type': 'object'}, '_meta': {'dev.toolwire/actions': ['spawn', 'fetch']}}
/// >>> toolwire.read_command({'action': 'spawn', 'id': 'staging', 'command': 'stage'}, tool)
/// {'action': 'spawn', 'id': 'staging', 'arguments': {'command': 'stage'}}
#[pyfunction]
pub fn read_command<'py>(
    arguments: &Bound<'py, PyAny>,
    tool: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = arguments.py();
    let (arguments, tool) = (schema_of(arguments, "arguments")?, schema_of(tool, "tool")?);
    let command = toolwire_ffi::command::read_command(arguments.as_str(), tool.as_str());
    json_to_python(py, &command.map_err(|error| raise(py, &error))?)
}

/// Make the schema that a model is shown for a tool that keeps running, from the tool's own schema and its actions:
/// `'flat'`, one object for all actions, or `'one_of'`, with a schema for each. `project_schema` makes of it what a
/// provider accepts.
///
/// >>> import toolwire
/// >>> tool = {'name': 'git', 'inputSchema': {'type': 'object'}, '_meta': {'dev.toolwire/actions': ['spawn', 'fetch']}}
/// >>> toolwire.action_schema(tool)['required']
/// ['action', 'id']
#[pyfunction]
#[pyo3(signature = (tool, *, style=None), text_signature = "(tool, *, style='flat')")]
pub fn action_schema<'py>(
    tool: &Bound<'py, PyAny>,
    style: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = tool.py();
    let tool = schema_of(tool, "tool")?;
    let style = word_of(style, "style")?;
    let style = style.as_deref().unwrap_or("flat");
    let schema = toolwire_ffi::command::action_schema(tool.as_str(), style);
    json_to_python(py, &schema.map_err(|error| raise(py, &error))?)
}
