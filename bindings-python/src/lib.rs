//! The Toolwire core for Python: the module `toolwire._toolwire`.
//!
//! It holds no rule of its own. Python values go in and out here; the core reads and judges.

use pyo3::prelude::*;

mod action;
mod answer;
mod ask;
mod batch;
mod block;
mod build;
mod call;
mod calls;
mod command;
mod connection;
mod contract;
mod conversation;
mod describe;
mod diagnostic;
mod document;
mod elicitation;
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
mod legacy;
mod lines;
mod manifest;
mod mcp;
mod parsed;
mod program;
mod provider;
mod question;
mod reading;
mod receive;
mod received;
mod schema;
mod serving;
mod session;
mod sessions;
mod show;
mod task;
mod to_json;
mod to_python;
mod turn;
mod wire;

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
    module.add_class::<schema::PyProjection>()?;
    module.add_class::<legacy::PyLegacy>()?;
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
    module.add_function(wrap_pyfunction!(event::read_event, module)?)?;
    module.add_function(wrap_pyfunction!(event::progress, module)?)?;
    module.add_function(wrap_pyfunction!(event::log, module)?)?;
    module.add_function(wrap_pyfunction!(invocation::guard, module)?)?;
    module.add_function(wrap_pyfunction!(invocation::hold_stdout, module)?)?;
    module.add_function(wrap_pyfunction!(serving::set_current, module)?)?;
    module.add_function(wrap_pyfunction!(schema::close_schema, module)?)?;
    module.add_function(wrap_pyfunction!(schema::tidy_schema, module)?)?;
    module.add_function(wrap_pyfunction!(schema::tidy_input, module)?)?;
    module.add_function(wrap_pyfunction!(schema::tidy_output, module)?)?;
    module.add_function(wrap_pyfunction!(schema::check_value, module)?)?;
    module.add_function(wrap_pyfunction!(schema::check_question, module)?)?;
    module.add_function(wrap_pyfunction!(schema::project_schema, module)?)?;
    module.add_function(wrap_pyfunction!(schema::lint_schema, module)?)?;
    module.add_function(wrap_pyfunction!(action::read_command, module)?)?;
    module.add_function(wrap_pyfunction!(action::action_schema, module)?)?;
    module.add_function(wrap_pyfunction!(provider::provider_message, module)?)?;
    module.add_function(wrap_pyfunction!(provider::provider_call, module)?)?;
    module.add_function(wrap_pyfunction!(contract::fingerprint, module)?)?;
    module.add_function(wrap_pyfunction!(contract::project_tool, module)?)?;
    module.add_function(wrap_pyfunction!(contract::jn_hash, module)?)?;
    module.add_function(wrap_pyfunction!(contract::diff_tools, module)?)?;
    module.add_function(wrap_pyfunction!(contract::parse_launch_uri, module)?)?;
    module.add_function(wrap_pyfunction!(contract::format_launch_uri, module)?)?;
    module.add_function(wrap_pyfunction!(contract::parse_profile_word, module)?)?;
    module.add_function(wrap_pyfunction!(contract::format_profile_word, module)?)?;
    module.add_function(wrap_pyfunction!(contract::read_lock, module)?)?;
    module.add_function(wrap_pyfunction!(contract::write_lock, module)?)?;
    module.add_function(wrap_pyfunction!(contract::update_lock, module)?)?;
    module.add_function(wrap_pyfunction!(contract::check_lock, module)?)?;
    module.add_function(wrap_pyfunction!(contract::read_profile, module)?)?;
    module.add_function(wrap_pyfunction!(contract::read_profile_files, module)?)?;
    module.add_function(wrap_pyfunction!(contract::write_profile, module)?)?;
    module.add_function(wrap_pyfunction!(contract::compare_profile, module)?)?;
    module.add_function(wrap_pyfunction!(contract::convert_server, module)?)?;
    module.add_function(wrap_pyfunction!(contract::find_hidden, module)?)?;
    module.add_function(wrap_pyfunction!(contract::show_hidden, module)?)?;
    module.add_function(wrap_pyfunction!(wire::find_marker, module)?)?;
    module.add_function(wrap_pyfunction!(wire::read_line, module)?)?;
    module.add_function(wrap_pyfunction!(wire::terminal_input, module)?)?;
    module.add_function(wrap_pyfunction!(elicitation::to_elicitation, module)?)?;
    module.add_function(wrap_pyfunction!(
        elicitation::answer_from_elicit_result,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(elicitation::from_elicitation, module)?)?;
    module.add_function(wrap_pyfunction!(
        elicitation::answer_to_elicit_result,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(elicitation::to_input_required, module)?)?;
    module.add_function(wrap_pyfunction!(elicitation::without_elicitation, module)?)?;
    module.add_function(wrap_pyfunction!(elicitation::can_elicit, module)?)?;
    module.add_function(wrap_pyfunction!(
        elicitation::required_capabilities,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(legacy::read_legacy, module)?)?;
    module.add_function(wrap_pyfunction!(legacy::unwrap_outcome, module)?)?;
    module.add_function(wrap_pyfunction!(mcp::to_mcp_result, module)?)?;
    module.add_function(wrap_pyfunction!(mcp::from_mcp_result, module)?)?;
    module.add_function(wrap_pyfunction!(mcp::to_mcp_tool, module)?)?;
    module.add_function(wrap_pyfunction!(mcp::from_mcp_tool, module)?)?;
    module.add_function(wrap_pyfunction!(mcp::call_to_meta, module)?)?;
    module.add_function(wrap_pyfunction!(mcp::call_from_meta, module)?)?;
    module.add_function(wrap_pyfunction!(schema::check_answer, module)?)?;
    module.add_function(wrap_pyfunction!(call::read_call, module)?)?;
    module.add_function(wrap_pyfunction!(call::parse_arguments, module)?)?;
    module.add_function(wrap_pyfunction!(command::command, module)?)?;
    module.add_function(wrap_pyfunction!(describe::describe, module)?)?;
    module.add_function(wrap_pyfunction!(describe::read_description, module)?)?;
    module.add_function(wrap_pyfunction!(calls::shutdown, module)?)?;
    module.add_function(wrap_pyfunction!(calls::after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(question::read_question, module)?)?;
    module.add_function(wrap_pyfunction!(question::find_secret, module)?)?;
    module.add_function(wrap_pyfunction!(question::prompt, module)?)?;
    module.add_function(wrap_pyfunction!(question::template, module)?)?;
    module.add_function(wrap_pyfunction!(question::read_template, module)?)?;
    module.add_function(wrap_pyfunction!(question::refusal, module)?)
}
