//! The Toolwire core for Python: the module `toolwire._toolwire`.
//!
//! It holds no rule of its own. Python values go in and out here; the core reads and judges.

use pyo3::prelude::*;

mod answer;
mod api;
mod ask;
mod batch;
mod block;
mod build;
mod call;
mod calls;
mod command;
mod connection;
mod conversation;
mod diagnostic;
mod document;
mod envelope;
mod error;
mod event;
mod exception;
mod exchange;
mod file;
mod functions;
mod identity;
mod input;
mod invocation;
mod lines;
mod manifest;
mod parsed;
mod program;
mod provider;
mod reading;
mod receive;
mod received;
mod serving;
mod session;
mod sessions;
mod show;
mod task;
mod to_json;
mod to_python;
mod tools;
mod turn;

/// The compiled part of `toolwire`. Import names from `toolwire` instead.
#[pymodule]
fn _toolwire(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::register(module)?;
    module.add_class::<answer::PyAnswer>()?;
    module.add_class::<ask::PyAsk>()?;
    module.add_class::<block::PyBlock>()?;
    module.add_class::<call::PyCall>()?;
    module.add_class::<connection::PyConnection>()?;
    module.add_class::<conversation::PyConversation>()?;
    module.add_class::<diagnostic::PyDiagnostic>()?;
    module.add_class::<envelope::PyEnvelope>()?;
    module.add_class::<event::PyMessage>()?;
    module.add_class::<event::PyProgress>()?;
    module.add_class::<exchange::PyExchange>()?;
    module.add_class::<identity::PyIdentity>()?;
    module.add_class::<invocation::PyInvocation>()?;
    module.add_class::<batch::PyLine>()?;
    module.add_class::<lines::PyLineCall>()?;
    module.add_class::<lines::PyLines>()?;
    module.add_class::<manifest::PyManifest>()?;
    module.add_class::<serving::PyOpenCall>()?;
    module.add_class::<parsed::PyParsed>()?;
    module.add_class::<exchange::PyPendingQuestion>()?;
    module.add_class::<block::PyQuestion>()?;
    module.add_class::<session::PySessionMachine>()?;
    module.add_class::<serving::PyServing>()?;
    module.add_class::<sessions::PyHostSessions>()?;
    module.add_class::<sessions::PyFunctions>()?;
    module.add_class::<batch::PySummary>()?;
    module.add_class::<task::PyTask>()?;
    module.add_class::<turn::PyTurn>()?;
    module.add_function(wrap_pyfunction!(functions::parse, module)?)?;
    module.add_function(wrap_pyfunction!(functions::validate, module)?)?;
    module.add_function(wrap_pyfunction!(functions::canonicalize, module)?)?;
    module.add_function(wrap_pyfunction!(functions::digest, module)?)?;
    module.add_function(wrap_pyfunction!(show::format, module)?)?;
    module.add_function(wrap_pyfunction!(show::explain, module)?)?;
    module.add_function(wrap_pyfunction!(identity::identify, module)?)?;
    module.add_function(wrap_pyfunction!(identity::normalize_uri, module)?)?;
    module.add_function(wrap_pyfunction!(file::file_uri, module)?)?;
    module.add_function(wrap_pyfunction!(build::text, module)?)?;
    module.add_function(wrap_pyfunction!(build::resource, module)?)?;
    module.add_function(wrap_pyfunction!(build::resource_from_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(build::resource_from_file, module)?)?;
    module.add_function(wrap_pyfunction!(build::image, module)?)?;
    module.add_function(wrap_pyfunction!(build::audio, module)?)?;
    module.add_function(wrap_pyfunction!(build::resource_link, module)?)?;
    module.add_function(wrap_pyfunction!(build::question, module)?)?;
    module.add_function(wrap_pyfunction!(build::envelope, module)?)?;
    module.add_function(wrap_pyfunction!(build::error, module)?)?;
    module.add_function(wrap_pyfunction!(receive::receive, module)?)?;
    module.add_function(wrap_pyfunction!(batch::parse_lines, module)?)?;
    module.add_function(wrap_pyfunction!(batch::summarize, module)?)?;
    module.add_function(wrap_pyfunction!(event::progress, module)?)?;
    module.add_function(wrap_pyfunction!(event::log, module)?)?;
    module.add_function(wrap_pyfunction!(invocation::guard, module)?)?;
    module.add_function(wrap_pyfunction!(invocation::hold_stdout, module)?)?;
    module.add_function(wrap_pyfunction!(serving::set_current, module)?)?;
    module.add_function(wrap_pyfunction!(provider::provider_message, module)?)?;
    module.add_function(wrap_pyfunction!(provider::provider_call, module)?)?;
    module.add_function(wrap_pyfunction!(tools::tools_add, module)?)?;
    module.add_function(wrap_pyfunction!(tools::tools_list, module)?)?;
    module.add_function(wrap_pyfunction!(tools::tools_define, module)?)?;
    module.add_function(wrap_pyfunction!(tools::tools_respond, module)?)?;
    module.add_function(wrap_pyfunction!(command::command, module)?)?;
    module.add_function(wrap_pyfunction!(calls::shutdown, module)?)?;
    module.add_function(wrap_pyfunction!(calls::after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(api::call, module)?)
}
