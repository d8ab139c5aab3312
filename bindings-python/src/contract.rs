//! Contracts of tools: fingerprints, differences, locks, launch URIs, profiles, and what a text hides.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PyMemoryView, PyString};
use toolwire::{Code, Error};
use toolwire_ffi::contract;

use crate::call::text_in;
use crate::diagnostic::PyDiagnostic;
use crate::error::raise;
use crate::input::{Keyword, bytes_of, document_of, options_json, text_of};
use crate::to_json::alone;
use crate::to_python::json_to_python;

/// Compute the fingerprints of a tool as MCP lists it: a dict of three digests. `contract` is that of its name and
/// its schemas without words, `text` that of what a reader sees of it, `safety` that of its annotations and actions.
///
/// `launch` is a dict of facts about how its server is started, which count as safety. `max_schemas` is the most
/// schemas that one schema of the tool may consist of; default 100,000. A schema that is given as JSON text keeps all
/// digits of its numbers.
///
/// >>> import toolwire
/// >>> tool = {'name': 'find', 'inputSchema': {'type': 'object', 'required': ['a', 'b']}}
/// >>> same = {'name': 'find', 'inputSchema': {'required': ['b', 'a'], 'type': 'object'}}
/// >>> toolwire.fingerprint(tool) == toolwire.fingerprint(same)
/// True
/// >>> reworded = toolwire.fingerprint({**tool, 'description': 'Finds it.'})
/// >>> [name for name, digest in toolwire.fingerprint(tool).items() if digest != reworded[name]]
/// ['text']
#[pyfunction]
#[pyo3(signature = (tool, *, launch=None, max_schemas=None))]
pub fn fingerprint<'py>(
    tool: &Bound<'py, PyAny>,
    launch: Keyword<'_, '_>,
    max_schemas: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (tool, py) = document_text(tool, "tool")?;
    let options = fingerprint_options(launch, max_schemas)?;
    value(py, py.detach(|| contract::fingerprint(&tool, &options)))
}

/// Give the three texts whose digests `fingerprint` computes, to see why two tools do not have the same: a dict of
/// str. The options are those of `fingerprint`.
///
/// >>> import toolwire
/// >>> toolwire.project_tool({'name': 'now', 'inputSchema': {}})['contract']
/// '{"contract":1,"input":{"dialect":"2020-12","schemas":[{}]},"name":"now"}'
#[pyfunction]
#[pyo3(signature = (tool, *, launch=None, max_schemas=None))]
pub fn project_tool<'py>(
    tool: &Bound<'py, PyAny>,
    launch: Keyword<'_, '_>,
    max_schemas: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (tool, py) = document_text(tool, "tool")?;
    let options = fingerprint_options(launch, max_schemas)?;
    value(py, py.detach(|| contract::project_tool(&tool, &options)))
}

/// Compute the MD5 that JN keeps of a list of tools in its profiles: 32 hexadecimal digits. It is for old profiles
/// only; use `fingerprint` for anything else. Raises ToolwireError where JN cannot compute it, as for a parameter
/// without `type`.
///
/// >>> import toolwire
/// >>> toolwire.jn_hash([{'name': 'now', 'inputSchema': {'properties': {}}}])
/// '9c9839c5bd05ef71ddd43a5c94b15743'
#[pyfunction]
pub fn jn_hash(tools: &Bound<'_, PyAny>) -> PyResult<String> {
    let (tools, py) = text_or_value(tools, "tools")?;
    told(py, py.detach(|| contract::jn_hash(&tools)))
}

/// Find what has changed from an old tool to a new one, or from an old list of tools to a new one. Returns a dict
/// with the gravest `verdict` and the `changes`. Each of these has `tool`, `place`, `what`, `verdict` and `message`
/// (what changed), and some have `advice` (what a caller has to do), `old`, `new`, `guess` or `witness`.
///
/// The verdicts are, the gravest last, `same`, `compatible`, `text`, `behaviour`, `safety`, `unknown` and `breaking`.
/// With `open`, schemas are taken to the letter: arguments that they do not declare are allowed. `budget` is the most
/// steps that are spent on a schema.
///
/// >>> import toolwire
/// >>> old = {'name': 'find', 'inputSchema': {'type': 'object', 'properties': {'q': {'type': 'string'}}}}
/// >>> new = {'name': 'find', 'inputSchema': {'type': 'object', 'properties': {}}}
/// >>> diff = toolwire.diff_tools(old, new)
/// >>> diff['verdict'], diff['changes'][0]['what'], diff['changes'][0]['place']
/// ('breaking', 'parameter_removed', '/inputSchema/properties/q')
#[pyfunction]
#[pyo3(signature = (old, new, *, open=None, budget=None), text_signature = "(old, new, *, open=False, budget=None)")]
pub fn diff_tools<'py>(
    old: &Bound<'py, PyAny>,
    new: &Bound<'py, PyAny>,
    open: Keyword<'_, '_>,
    budget: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (old, py) = text_or_value(old, "old")?;
    let (new, _) = text_or_value(new, "new")?;
    let options = options_of(&[("open", open), ("budget", budget)])?;
    value(py, py.detach(|| contract::diff_tools(&old, &new, &options)))
}

/// Read a launch URI: `mcp+` and a launcher, `://`, and what it starts. Nothing is started. Returns a dict with the
/// `launch`, which `format_launch_uri` takes; its canonical `uri`; the `command` as a list, or None for a URL; the
/// `facts` that count as safety; and the `version` of its package as a dict with `text` and `exact`, or None.
///
/// >>> import toolwire
/// >>> read = toolwire.parse_launch_uri('mcp+uvx://biomcp-python@1.2/biomcp?command=run')
/// >>> read['command']
/// ['uvx', '--from', 'biomcp-python==1.2', 'biomcp', 'run']
/// >>> toolwire.format_launch_uri(read['launch'])
/// 'mcp+uvx://biomcp-python@1.2/biomcp?command=run'
#[pyfunction]
pub fn parse_launch_uri<'py>(uri: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let read = contract::parse_launch_uri(&text_of(uri, "uri", Code::BadArgument)?);
    value(uri.py(), read)
}

/// Write a launch, as `parse_launch_uri` gives it, as a launch URI in canonical form.
///
/// >>> import toolwire
/// >>> launch = toolwire.parse_launch_uri('mcp+npx://@upstash/context7-mcp')['launch']
/// >>> toolwire.format_launch_uri(launch)
/// 'mcp+npx://@upstash/context7-mcp'
#[pyfunction]
pub fn format_launch_uri(launch: &Bound<'_, PyAny>) -> PyResult<String> {
    let (launch, py) = document_text(launch, "launch")?;
    told(py, contract::format_launch_uri(&launch))
}

/// Read a word that names a profile, perhaps with what is wanted of it: a dict with the `word`, which
/// `format_profile_word` takes, and its canonical `text`.
///
/// >>> import toolwire
/// >>> toolwire.parse_profile_word('@biomcp/search?gene=BRAF')['word']['profile']
/// 'biomcp'
#[pyfunction]
pub fn parse_profile_word<'py>(word: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let read = contract::parse_profile_word(&text_of(word, "word", Code::BadArgument)?);
    value(word.py(), read)
}

/// Write a word, as `parse_profile_word` gives it, as text.
///
/// >>> import toolwire
/// >>> toolwire.format_profile_word({'profile': 'biomcp'})
/// '@biomcp'
#[pyfunction]
pub fn format_profile_word(word: &Bound<'_, PyAny>) -> PyResult<String> {
    let (word, py) = document_text(word, "word")?;
    told(py, contract::format_profile_word(&word))
}

/// Find what a text hides from its reader: invisible characters, controls, letters of another script and the like.
/// Returns a list of dicts with `kind`, `offset` and `length` in bytes of UTF-8, `name` and, if what is hidden is
/// text, `says`.
///
/// >>> import toolwire
/// >>> [(found['kind'], found['offset']) for found in toolwire.find_hidden('de\u200blete')]
/// [('invisible', 2)]
#[pyfunction]
pub fn find_hidden<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let found = contract::find_hidden(&text_of(text, "text", Code::BadArgument)?);
    json_to_python(text.py(), &found)
}

/// Make visible what a text hides, as `find_hidden` finds it.
///
/// >>> import toolwire
/// >>> toolwire.show_hidden('de\u200blete')
/// 'de<U+200B ZERO WIDTH SPACE>lete'
#[pyfunction]
pub fn show_hidden(text: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = text_of(text, "text", Code::BadArgument)?;
    Ok(contract::show_hidden(&text))
}

/// Read the text of a lock file. Returns the lock as a dict, and a list of diagnostics about members that are not
/// known. Raises `newer_lock` for a lock of a newer version, and `bad_lock` for what is no lock.
///
/// >>> import toolwire
/// >>> lock, diagnostics = toolwire.read_lock('{"lockVersion": 1, "sources": {}}')
/// >>> lock['sources'], diagnostics
/// ({}, [])
#[pyfunction]
pub fn read_lock<'py>(
    data: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyList>)> {
    let py = data.py();
    let bytes = bytes_of(data, "data", Code::BadArgument)?;
    let (lock, found) = told(py, contract::read_lock(&text_in(py, bytes.as_bytes())?))?;
    let found = found.into_iter().map(PyDiagnostic::new);
    let found = PyList::new(py, found.collect::<Vec<_>>())?;
    Ok((json_to_python(py, &lock)?, found))
}

/// Write a lock as the text of its file. The same lock always has the same text. `lock` is a dict, or the text of a
/// lock file, of which all digits of all numbers are kept.
///
/// >>> import toolwire
/// >>> toolwire.write_lock({'sources': {}, 'lockVersion': 1})
/// '{\n  "lockVersion": 1,\n  "sources": {}\n}\n'
#[pyfunction]
pub fn write_lock(lock: &Bound<'_, PyAny>) -> PyResult<String> {
    let (lock, py) = document_text(lock, "lock")?;
    told(py, py.detach(|| contract::write_lock(&lock)))
}

/// Replace what a lock says of one source by what it is now, and return the text of the lock file. `now` is a dict
/// with any of `launch`, `instructions` and `tools`, the tools as MCP lists them.
///
/// >>> import toolwire
/// >>> now = {'tools': [{'name': 'now', 'inputSchema': {'type': 'object'}}]}
/// >>> text = toolwire.update_lock({'lockVersion': 1, 'sources': {}}, 'clock', now)
/// >>> list(toolwire.read_lock(text)[0]['sources']['clock']['tools'])
/// ['now']
#[pyfunction]
pub fn update_lock(
    lock: &Bound<'_, PyAny>,
    name: &Bound<'_, PyAny>,
    now: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let (lock, py) = document_text(lock, "lock")?;
    let name = text_of(name, "name", Code::BadArgument)?;
    let (now, _) = document_text(now, "now")?;
    told(py, py.detach(|| contract::update_lock(&lock, &name, &now)))
}

/// Compare a lock with what its sources are now: a dict with `sources`, a dict of what `update_lock` takes by their
/// names. Returns a dict with the gravest `verdict`, whether everything could be compared as `verified`, and the
/// `sources`. With `offline`, only how they are started is compared. `open` and `budget` are those of `diff_tools`.
///
/// >>> import toolwire
/// >>> now = {'tools': [{'name': 'now', 'inputSchema': {'type': 'object'}}]}
/// >>> lock = toolwire.update_lock({'lockVersion': 1, 'sources': {}}, 'clock', now)
/// >>> toolwire.check_lock(lock, {'sources': {'clock': now}})['verdict']
/// 'same'
/// >>> toolwire.check_lock(lock, {'sources': {'clock': {'tools': []}}})['verdict']
/// 'breaking'
#[pyfunction]
#[pyo3(signature = (lock, now, *, offline=None, open=None, budget=None),
    text_signature = "(lock, now, *, offline=False, open=False, budget=None)")]
pub fn check_lock<'py>(
    lock: &Bound<'py, PyAny>,
    now: &Bound<'py, PyAny>,
    offline: Keyword<'_, '_>,
    open: Keyword<'_, '_>,
    budget: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (lock, py) = document_text(lock, "lock")?;
    let (now, _) = document_text(now, "now")?;
    let options = options_of(&[("offline", offline), ("open", open), ("budget", budget)])?;
    value(
        py,
        py.detach(|| contract::check_lock(&lock, &now, &options)),
    )
}

/// Read a profile that is one document, in any shape that JN knows, with its comments. Returns a dict: the profile to
/// the letter as `text`; its `launcher`, which says how the server is reached; its `schemaValidation` (`warn`,
/// `error` or `ignore`); its `tools`, each with `name`, the `tool` of the server that it stands for and
/// `inputSchema`, if it is known; and what these were `testedWith`. `launcherText` and `inputSchemaText` are the JSON
/// texts, to the letter.
///
/// >>> import toolwire
/// >>> profile = toolwire.read_profile('{"command": "biomcp", "tools": {"search": {"tool": "find"}}}')
/// >>> profile['launcher'], profile['tools']
/// ({'command': 'biomcp'}, [{'name': 'search', 'tool': 'find'}])
#[pyfunction]
pub fn read_profile<'py>(profile: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (profile, py) = document_text(profile, "profile")?;
    value(py, contract::read_profile(&profile))
}

/// Read a profile that is a folder: a dict of the texts of its files by their names. Returns what `read_profile`
/// does.
///
/// >>> import toolwire
/// >>> files = {'_meta.json': '{"command": "biomcp"}', 'search.json': '{"notes": "prose"}'}
/// >>> [tool['name'] for tool in toolwire.read_profile_files(files)['tools']]
/// ['search']
#[pyfunction]
pub fn read_profile_files<'py>(files: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (files, py) = document_text(files, "files")?;
    value(py, contract::read_profile_files(&files))
}

/// Write a profile as the files of a folder: a dict of their texts by their names. `profile` is one document, as a
/// dict or as its text; `before` is what is in the folder now, so that what did not change stays to the letter.
///
/// >>> import toolwire
/// >>> list(toolwire.write_profile({'command': 'biomcp', 'tools': {'search': {}}}))
/// ['_meta.json', 'search.json']
#[pyfunction]
#[pyo3(signature = (profile, before=None))]
pub fn write_profile<'py>(
    profile: &Bound<'py, PyAny>,
    before: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (profile, py) = document_text(profile, "profile")?;
    let before = before.map(|before| document_text(before, "before"));
    let before = before
        .transpose()?
        .map_or_else(|| "{}".to_owned(), |(text, _)| text);
    value(py, contract::write_profile(&profile, &before))
}

/// Compare the tools of a server, a list as MCP has it, with what a profile expects of them. Returns a list of dicts
/// with the `tool`, if it is about one, `what` has changed, and a `message`. The options are those of `fingerprint`.
///
/// >>> import toolwire
/// >>> profile = {'command': 'biomcp', 'tools': {'search': {}}}
/// >>> [(it['tool'], it['what']) for it in toolwire.compare_profile(profile, [])]
/// [('search', 'gone')]
#[pyfunction]
#[pyo3(signature = (profile, tools, *, launch=None, max_schemas=None))]
pub fn compare_profile<'py>(
    profile: &Bound<'py, PyAny>,
    tools: &Bound<'py, PyAny>,
    launch: Keyword<'_, '_>,
    max_schemas: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (profile, py) = document_text(profile, "profile")?;
    let (tools, _) = text_or_value(tools, "tools")?;
    let options = fingerprint_options(launch, max_schemas)?;
    let changed = py.detach(|| contract::compare_profile(&profile, &tools, &options));
    value(py, changed)
}

/// Convert a server from one form to another: `launch-uri`, `profile`, `manifest`, `mcpServers` or the name of an MCP
/// client, such as `zed`. Values of environment variables and headers do not come along, only names.
///
/// Returns a dict with what was understood as `entry`; the server in the other form as `text`, and as `members`; and
/// a `report`: what became of each member, as dicts with `pointer`, `fate` and `reason`. `name` is how the server is
/// called, `folder` where its relative paths begin.
///
/// >>> import toolwire
/// >>> entry = {'command': 'uvx', 'args': ['biomcp-python']}
/// >>> toolwire.convert_server(entry, 'mcpServers', 'launch-uri')['text']
/// 'mcp+uvx://biomcp-python'
#[pyfunction]
#[pyo3(signature = (server, source, target, *, name=None, folder=None))]
pub fn convert_server<'py>(
    server: &Bound<'py, PyAny>,
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    name: Keyword<'_, '_>,
    folder: Keyword<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (server, py) = document_text(server, "server")?;
    let source = text_of(source, "source", Code::BadArgument)?;
    let target = text_of(target, "target", Code::BadArgument)?;
    let options = options_of(&[("name", name), ("folder", folder)])?;
    value(
        py,
        contract::convert_server(&server, &source, &target, &options),
    )
}

fn fingerprint_options(launch: Keyword<'_, '_>, max_schemas: Keyword<'_, '_>) -> PyResult<String> {
    options_of(&[("launch", launch), ("maxSchemas", max_schemas)])
}

fn options_of(options: &[(&str, Keyword<'_, '_>)]) -> PyResult<String> {
    Ok(options_json(options)?.unwrap_or_else(|| "{}".to_owned()))
}

/// The JSON text of an object that is given as a mapping, or as its text.
fn document_text<'py>(document: &Bound<'py, PyAny>, name: &str) -> PyResult<(String, Python<'py>)> {
    let py = document.py();
    let bytes = document_of(document, name)?;
    Ok((text_in(py, bytes.as_bytes())?.into_owned(), py))
}

/// The JSON text of what can be a list too.
fn text_or_value<'py>(given: &Bound<'py, PyAny>, name: &str) -> PyResult<(String, Python<'py>)> {
    let is_text = given.is_instance_of::<PyString>() || PyMemoryView::from(given).is_ok();
    if is_text || given.cast::<PyMapping>().is_ok() {
        return document_text(given, name);
    }
    let text = alone(given, &format!("/{name}"), Code::BadArgument)?;
    Ok((text, given.py()))
}

fn told<T>(py: Python<'_>, result: Result<T, Error>) -> PyResult<T> {
    result.map_err(|error| raise(py, &error))
}

/// What the core gives as JSON text.
fn value<'py>(py: Python<'py>, json: Result<String, Error>) -> PyResult<Bound<'py, PyAny>> {
    json_to_python(py, &told(py, json)?)
}
