//! What tools a program holds.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use toolwire::call::ToolDescription;
use toolwire::{Code, Limits};

use crate::envelope::PyEnvelope;
use crate::error::raise;
use crate::functions::document_in;
use crate::input::{Keyword, limits, wrong_type};
use crate::to_json::append;
use crate::to_python::json_to_python;

/// The answer of a program that is asked which tools it holds. Each tool is a dict in MCP's form: `name`
/// and `inputSchema`, and optionally `title`, `description`, `outputSchema` and `annotations`.
///
/// >>> import toolwire
/// >>> tool = {'name': 'now', 'description': 'Tell the time.', 'inputSchema': {'type': 'object'}}
/// >>> answer = toolwire.describe([tool])
/// >>> answer.content[0].text
/// 'now: Tell the time.'
/// >>> toolwire.read_description(answer) == [tool]
/// True
#[pyfunction]
pub fn describe(tools: &Bound<'_, PyAny>) -> PyResult<PyEnvelope> {
    let py = tools.py();
    let described =
        toolwire::call::describe(&tools_of(tools)?).map_err(|error| raise(py, &error))?;
    Ok(PyEnvelope::from_document(
        py,
        described.to_json().as_bytes(),
        &Limits::WIDEST,
    ))
}

/// The tools that a program describes, as dicts in MCP's form; None if its answer is not a description,
/// because the program does not know the protocol or has failed. Raises `bad_description` if the description
/// is malformed.
///
/// >>> import toolwire
/// >>> toolwire.read_description('usage: grep [OPTION]... PATTERNS [FILE]...') is None
/// True
#[pyfunction]
#[pyo3(signature = (data, *, max_bytes=None, max_depth=None, max_values=None, max_blocks=None,
    max_diagnostics=None))]
pub fn read_description<'py>(
    data: &Bound<'py, PyAny>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let py = data.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let document = document_in(data, limits)?;
    let tools =
        toolwire::call::read_description(document.parsed()).map_err(|error| raise(py, &error))?;
    tools.map(|tools| tools_to_python(py, &tools)).transpose()
}

/// The tools of an argument, each a dict in MCP's shape.
fn tools_of(tools: &Bound<'_, PyAny>) -> PyResult<Vec<ToolDescription>> {
    let py = tools.py();
    let alone = tools.is_instance_of::<PyDict>()
        || tools.is_instance_of::<PyString>()
        || tools.is_instance_of::<PyBytes>();
    let Some(items) = tools.try_iter().ok().filter(|_| !alone) else {
        let hint = if alone { "; put it into a list" } else { "" };
        let expected = "a list of tools, each a dict with `name` and `inputSchema`";
        return Err(wrong_type(
            tools,
            "tools",
            Code::BadArgument,
            expected,
            hint,
        ));
    };
    let mut text = String::from("[");
    for (index, tool) in items.enumerate() {
        if index > 0 {
            text.push(',');
        }
        let pointer = format!("/structuredContent/tools/{index}");
        append(&tool?, &pointer, Code::BadDescription, &mut text)?;
    }
    text.push(']');
    toolwire::call::read_listed(&text).map_err(|error| raise(py, &error))
}

/// Tools as dicts in MCP's shape.
pub fn tools_to_python<'py>(
    py: Python<'py>,
    tools: &[ToolDescription],
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for tool in tools {
        list.append(json_to_python(py, &tool.to_json())?)?;
    }
    Ok(list)
}
