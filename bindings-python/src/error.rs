//! `ToolwireError`, the one exception that this package raises on purpose.

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use toolwire::{Code, Error};

use crate::diagnostic::PyDiagnostic;

create_exception!(
    toolwire,
    ToolwireError,
    PyValueError,
    "A call was refused. `code` says why and is contract; the wording of the message is not.

`pointer` is a JSON Pointer to the place, `offset` the byte in the input (or None), `message` the
plain sentence, and `diagnostics` is everything that was found.

>>> import toolwire
>>> try:
...     toolwire.canonicalize(b'{\"a\": 1, \"a\": 2}')
... except toolwire.ToolwireError as error:
...     print(error.code, error.pointer or '/', error.offset)
duplicate_name / 9
"
);

create_exception!(
    toolwire,
    HostError,
    PyOSError,
    "A tool could not be run at all, or a program failed when it was asked for its tools. What else a tool
does by itself, however it ends, is a result.

`code` says why and is contract: `tool_not_found`, `tool_is_directory`, `tool_not_executable`,
`interpreter_not_found`, `bad_directory`, `bad_argument`, `bad_description`, `describe_failed` or
`system_error`; for a manifest, `manifest_not_found`, `bad_manifest`, `untrusted_manifest` or `unknown_tool`;
for an MCP server, `not_started`, `not_connected`, `timeout`, `unauthorized`, `no_common_revision`, `bad_tools`,
`unknown_server`, `untrusted_server`, `bad_config`, `unresolved_config` or `unexpected_tools`; for `serve`,
`not_served`.
With `describe_failed`, `result` is the `RunResult` of the program, which has its exit status and stderr.

>>> import toolwire
>>> try:
...     toolwire.run_sync('./no/such/tool.py')
... except toolwire.HostError as error:
...     print(error.code)
tool_not_found
"
);

/// Adds the classes to the module, with values for instances that were not raised by this package.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let (refused, host) = (py.get_type::<ToolwireError>(), py.get_type::<HostError>());
    for (class, code) in [
        (&refused, Code::BadArgument.as_str()),
        (&host, "system_error"),
    ] {
        class.setattr("code", code)?;
        class.setattr("pointer", "")?;
        class.setattr("offset", py.None())?;
        class.setattr("message", "")?;
    }
    refused.setattr("diagnostics", PyTuple::empty(py))?;
    host.setattr("result", py.None())?;
    module.add("ToolwireError", refused)?;
    module.add("HostError", host)
}

/// The exception for a tool that the host could not run.
pub fn raise_host(py: Python<'_>, error: &toolwire_host::HostError) -> PyErr {
    host_error(py, error.kind().as_str(), &error.to_string())
}

/// The exception for a server that can't be used, or can't be one.
pub fn raise_server(py: Python<'_>, error: &toolwire_ffi::servers::ServerError) -> PyErr {
    host_error(py, error.code, &error.message)
}

fn host_error(py: Python<'_>, code: &str, message: &str) -> PyErr {
    let exception = HostError::new_err(message.to_owned());
    let value = exception.value(py);
    let set = value
        .setattr("code", code)
        .and_then(|()| value.setattr("message", message));
    set.map_or_else(|failure| failure, |()| exception)
}

/// The exception for an error of the core.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    build(py, error).unwrap_or_else(|failure| failure)
}

/// The exception for an argument that never reached the core.
pub fn refuse(py: Python<'_>, code: Code, pointer: &str, message: &str) -> PyErr {
    raise(py, &Error::new(code, pointer, None, message))
}

fn build(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let code = error.code().as_str();
    // A traceback shows nothing but this text, so it names the code and the place too.
    let mut text = format!("{} ({code}", error.message());
    if let Some(offset) = error.offset() {
        text.push_str(&format!(" at byte {offset}"));
    }
    if !error.pointer().is_empty() {
        text.push_str(&format!(" at {}", error.pointer()));
    }
    text.push(')');
    let exception = ToolwireError::new_err(text);
    let value = exception.value(py);
    value.setattr("code", code)?;
    value.setattr("pointer", error.pointer())?;
    value.setattr("offset", error.offset())?;
    value.setattr("message", error.message())?;
    let all = error.diagnostics().iter().cloned().map(PyDiagnostic::new);
    value.setattr("diagnostics", PyList::new(py, all.collect::<Vec<_>>())?)?;
    Ok(exception)
}
