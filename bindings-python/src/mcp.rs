//! Results, tools and calls as MCP has them.

use pyo3::prelude::*;
use toolwire::call::{Call, ToolDescription};
use toolwire::mcp::{self, LossReport};
use toolwire::{Json, Limits};

use crate::call::{PyCall, text_in};
use crate::document::Document;
use crate::error::raise;
use crate::functions::document_in;
use crate::input::{Keyword, detached, document_of, limits, options_json};
use crate::parsed::PyParsed;
use crate::reading::Reading;
use crate::to_python::json_to_python;

/// What became of each member: a JSON Pointer, a fate and a reason.
type Report = Vec<(String, String, String)>;

fn report_of(report: LossReport) -> Report {
    let entries = report.entries.into_iter();
    entries
        .map(|one| (one.pointer, one.fate.to_string(), one.reason))
        .collect()
}

/// The value of a document.
fn json_of(document: &Bound<'_, PyAny>, name: &str) -> PyResult<Json> {
    let (py, bytes) = (document.py(), document_of(document, name)?);
    Json::new(text_in(py, bytes.as_bytes())?).map_err(|error| raise(py, &error))
}

/// An output as the result of an MCP tool that the clients of a revision accept: as a dict; as JSON text, with
/// all digits of all numbers; and what became of its members: tuples of a JSON Pointer into the envelope, a fate
/// (`kept`, `moved`, `approximated` or `dropped`) and a reason. What MCP has no member for is in `_meta`, from where `from_mcp_result` restores it.
///
/// Structured content without a text block is repeated as text, unless `mirror` is False. `wrapped` is what
/// `to_mcp_tool` says of the tool.
///
/// >>> import toolwire
/// >>> result, text, report = toolwire.to_mcp_result('12:00', revision='2025-11-25')
/// >>> result
/// {'content': [{'text': '12:00', 'type': 'text'}]}
/// >>> text
/// '{"content":[{"text":"12:00","type":"text"}]}'
/// >>> report
/// [('/content', 'kept', '')]
#[pyfunction]
#[pyo3(signature = (data, *, revision, mirror=None, wrapped=None, max_bytes=None, max_depth=None,
    max_values=None, max_blocks=None, max_diagnostics=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword arguments are how Python names options"
)]
pub fn to_mcp_result<'py>(
    data: &Bound<'py, PyAny>,
    revision: &Bound<'py, PyAny>,
    mirror: Keyword<'_, 'py>,
    wrapped: Keyword<'_, 'py>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<(Bound<'py, PyAny>, String, Report)> {
    let py = data.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let options = options_json(&[
        ("revision", Some(revision)),
        ("mirror", mirror),
        ("wrapped", wrapped),
    ])?;
    let options = toolwire_ffi::mcp::result_options(options.as_deref().unwrap_or("{}"));
    let options = options.map_err(|error| raise(py, &error))?;
    let document = document_in(data, limits)?;
    let mapped = mcp::to_result(document.parsed(), &options);
    let result = json_to_python(py, mapped.json.as_str())?;
    Ok((result, mapped.json.to_string(), report_of(mapped.report)))
}

/// The result of a tool of any MCP server, as an envelope, and what became of its members: tuples as those of
/// `to_mcp_result`. What another Toolwire put into `_meta` is restored, unless it would contradict the rest.
/// What is not a result at all is read as text.
///
/// >>> import toolwire
/// >>> result = {'content': [{'type': 'text', 'text': '12:00'}], 'resultType': 'complete'}
/// >>> parsed, report = toolwire.from_mcp_result(result)
/// >>> parsed.envelope.content[0].text
/// '12:00'
/// >>> report[1]
/// ('/resultType', 'moved', 'every envelope is a complete result')
#[pyfunction]
#[pyo3(signature = (result, *, max_bytes=None, max_depth=None, max_values=None, max_blocks=None,
    max_diagnostics=None))]
pub fn from_mcp_result(
    result: &Bound<'_, PyAny>,
    max_bytes: Keyword<'_, '_>,
    max_depth: Keyword<'_, '_>,
    max_values: Keyword<'_, '_>,
    max_blocks: Keyword<'_, '_>,
    max_diagnostics: Keyword<'_, '_>,
) -> PyResult<(PyParsed, Report)> {
    let py = result.py();
    let limits = limits(
        py,
        max_bytes,
        max_depth,
        max_values,
        max_blocks,
        max_diagnostics,
    )?;
    let bytes = document_of(result, "result")?;
    let bytes = bytes.as_bytes();
    let read = detached(py, bytes.len(), || mcp::from_result(bytes, &limits));
    let raw = pyo3::types::PyBytes::new(py, read.parsed.raw());
    let document = Document::new(Reading::owned(raw, read.parsed), limits);
    Ok((PyParsed::new(document), report_of(read.report)))
}

/// A tool of a description as an element of MCP's list of tools, whether its output schema was wrapped, and
/// what became of its members: tuples as those of `to_mcp_result`. If it was wrapped, results of the tool are
/// to be wrapped too. Raises `bad_description` if it is not a tool.
///
/// >>> import toolwire
/// >>> tool = {'name': 'list', 'inputSchema': {'type': 'object'}, 'outputSchema': {'type': 'array'}}
/// >>> listed, wrapped, report = toolwire.to_mcp_tool(tool, revision='2025-06-18')
/// >>> listed['outputSchema']['properties'], wrapped
/// ({'result': {'type': 'array'}}, True)
#[pyfunction]
#[pyo3(signature = (tool, *, revision))]
pub fn to_mcp_tool<'py>(
    tool: &Bound<'py, PyAny>,
    revision: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, bool, Report)> {
    let py = tool.py();
    let options = options_json(&[("revision", Some(revision))])?;
    let options = toolwire_ffi::mcp::result_options(options.as_deref().unwrap_or("{}"));
    let revision = options.map_err(|error| raise(py, &error))?.revision;
    let bytes = document_of(tool, "tool")?;
    let tool = ToolDescription::from_json(&text_in(py, bytes.as_bytes())?);
    let mapped = mcp::to_tool(&tool.map_err(|error| raise(py, &error))?, revision);
    let listed = json_to_python(py, mapped.json.as_str())?;
    Ok((listed, mapped.wrapped, report_of(mapped.report)))
}

/// A tool as any MCP server lists it, as a tool of a description; the name by which the server calls it;
/// whether its output schema was wrapped; and what became of its members: tuples as those of `to_mcp_result`.
/// Small mistakes of servers are mended. Raises `bad_description` at one that can't be.
///
/// >>> import toolwire
/// >>> tool, name, wrapped, report = toolwire.from_mcp_tool({'name': 'get time', 'inputSchema': {}})
/// >>> tool, name
/// ({'inputSchema': {'type': 'object'}, 'name': 'get_time'}, 'get time')
#[pyfunction]
pub fn from_mcp_tool<'py>(
    listed: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, String, bool, Report)> {
    let py = listed.py();
    let read = mcp::from_tool(&json_of(listed, "listed")?).map_err(|error| raise(py, &error))?;
    let tool = json_to_python(py, &read.tool.to_json())?;
    Ok((tool, read.name, read.wrapped, report_of(read.report)))
}

/// What of a call travels in the `_meta` of an MCP request, as a dict; None if it says nothing that the request
/// does not say itself. `call` is a `Call`, or a call document.
///
/// >>> import toolwire
/// >>> call = {'tool': {'name': 'now', 'answers': {}}, 'context': {'action': 'run'}}
/// >>> toolwire.call_to_meta(call) is None
/// True
/// >>> call['tool']['answers'] = {'zone': 'UTC'}
/// >>> toolwire.call_to_meta(call)['computer.jp/tool']['answers']
/// {'zone': 'UTC'}
#[pyfunction]
pub fn call_to_meta<'py>(call: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = call.py();
    let meta = match call.cast::<PyCall>() {
        Ok(call) => mcp::call_to_meta(call.get().core()),
        Err(_) => {
            let bytes = document_of(call, "call")?;
            let call = Call::from_json(bytes.as_bytes(), &Limits::WIDEST);
            mcp::call_to_meta(&call.map_err(|error| raise(py, &error))?)
        }
    };
    meta.map(|meta| json_to_python(py, meta.as_str()))
        .transpose()
}

/// The call that an MCP request makes. The name and the arguments are those of the request; answers, options
/// and context are from its `_meta`. Raises `bad_call` or `unknown_action` if `meta` does not hold a call.
///
/// >>> import toolwire
/// >>> meta = {'computer.jp/tool': {'answers': {'zone': 'UTC'}}}
/// >>> call = toolwire.call_from_meta('now', {}, meta)
/// >>> call.name, call.answers['zone'].value
/// ('now', 'UTC')
#[pyfunction]
#[pyo3(signature = (name, arguments, meta=None))]
pub fn call_from_meta(
    name: &str,
    arguments: &Bound<'_, PyAny>,
    meta: Keyword<'_, '_>,
) -> PyResult<PyCall> {
    let arguments_json = crate::schema::value_of(arguments, "arguments")?.0;
    let meta = meta.map(|meta| json_of(meta, "meta")).transpose()?;
    let call = mcp::call_from_meta(name, &arguments_json, meta.as_ref());
    call.map(PyCall::new)
        .map_err(|error| raise(arguments.py(), &error))
}
