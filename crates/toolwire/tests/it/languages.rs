//! Each name that the tables of docs/reference/libraries.md have for Rust exists, or this does not compile.
// Generated from docs/reference/libraries.md. Do not edit: run `cargo xtask codegen`.
#![allow(unused_imports)] // To be importable is all that is asked of them.

use toolwire::Block as _;
use toolwire::Diagnostic as _;
use toolwire::Envelope as _;
use toolwire::Error as _;
use toolwire::Identity as _;
use toolwire::Parsed as _;
use toolwire::Summary as _;
use toolwire::build::audio as _;
use toolwire::build::envelope as _;
use toolwire::build::error as _;
use toolwire::build::error_from as _;
use toolwire::build::image as _;
use toolwire::build::question as _;
use toolwire::build::resource as _;
use toolwire::build::resource_from_bytes as _;
use toolwire::build::resource_link as _;
use toolwire::build::text as _;
use toolwire::call::Answer as _;
use toolwire::call::Call as _;
use toolwire::call::Call as _;
use toolwire::call::describe as _;
use toolwire::call::find_marker as _;
use toolwire::call::read_description as _;
use toolwire::canonicalize as _;
use toolwire::digest as _;
use toolwire::event::Message as _;
use toolwire::event::Progress as _;
use toolwire::event::read_event as _;
use toolwire::explain as _;
use toolwire::file_uri as _;
use toolwire::format as _;
use toolwire::identify as _;
use toolwire::legacy::Legacy as _;
use toolwire::legacy::read_legacy as _;
use toolwire::legacy::unwrap_outcome as _;
use toolwire::lines::HostLine as _;
use toolwire::mcp::answer_from_elicit_result as _;
use toolwire::mcp::answer_to_elicit_result as _;
use toolwire::mcp::call_from_meta as _;
use toolwire::mcp::call_to_meta as _;
use toolwire::mcp::can_elicit as _;
use toolwire::mcp::from_elicitation as _;
use toolwire::mcp::from_result as _;
use toolwire::mcp::from_tool as _;
use toolwire::mcp::required_capabilities as _;
use toolwire::mcp::to_elicitation as _;
use toolwire::mcp::to_input_required as _;
use toolwire::mcp::to_result as _;
use toolwire::mcp::to_tool as _;
use toolwire::mcp::without_elicitation as _;
use toolwire::normalize_uri as _;
use toolwire::parse as _;
use toolwire::parse_arguments as _;
use toolwire::parse_lines as _;
use toolwire::question::find_secret as _;
use toolwire::question::prompt as _;
use toolwire::question::read_question as _;
use toolwire::question::read_template as _;
use toolwire::question::refusal as _;
use toolwire::question::template as _;
use toolwire::receive as _;
use toolwire::schema::Projection as _;
use toolwire::schema::lint_schema as _;
use toolwire::schema::project as _;
use toolwire::session::SessionMachine as _;
use toolwire::session::TerminalInput as _;
use toolwire::session::action_schema as _;
use toolwire::session::read_command as _;
use toolwire::summarize as _;
use toolwire::validate as _;

#[test]
fn every_name_of_the_tables_exists() {
    // The imports above are the test: without one of the names it would not compile.
}
