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
#[rustfmt::skip] // Laid out by the generator.
mod members;
mod parsed;
mod program;
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
mod view;

/// The compiled part of `toolwire`. Import names from `toolwire` instead.
#[pymodule]
fn _toolwire(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::register(module)?;
    members::register(module)?;
    module.add_class::<connection::PyConnection>()?;
    module.add_class::<conversation::PyConversation>()?;
    module.add_class::<exchange::PyExchange>()?;
    module.add_class::<invocation::PyInvocation>()?;
    module.add_class::<lines::PyLineCall>()?;
    module.add_class::<lines::PyLines>()?;
    module.add_class::<manifest::PyManifest>()?;
    module.add_class::<serving::PyOpenCall>()?;
    module.add_class::<session::PySessionMachine>()?;
    module.add_class::<serving::PyServing>()?;
    module.add_class::<sessions::PyHostSessions>()?;
    module.add_class::<sessions::PyFunctions>()?;
    module.add_class::<task::PyTask>()?;
    module.add_class::<turn::PyTurn>()?;
    module.add_function(wrap_pyfunction!(event::progress, module)?)?;
    module.add_function(wrap_pyfunction!(event::log, module)?)?;
    module.add_function(wrap_pyfunction!(invocation::guard, module)?)?;
    module.add_function(wrap_pyfunction!(invocation::hold_stdout, module)?)?;
    module.add_function(wrap_pyfunction!(serving::set_current, module)?)?;
    module.add_function(wrap_pyfunction!(tools::tools_add, module)?)?;
    module.add_function(wrap_pyfunction!(tools::tools_list, module)?)?;
    module.add_function(wrap_pyfunction!(tools::tools_define, module)?)?;
    module.add_function(wrap_pyfunction!(tools::tools_respond, module)?)?;
    module.add_function(wrap_pyfunction!(command::command, module)?)?;
    module.add_function(wrap_pyfunction!(calls::shutdown, module)?)?;
    module.add_function(wrap_pyfunction!(calls::after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(api::call, module)?)
}
