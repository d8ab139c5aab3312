// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
//! Each name that the reference has for Rust exists, or this does not compile.
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
use toolwire::canonicalize as _;
use toolwire::digest as _;
use toolwire::event::Message as _;
use toolwire::event::Progress as _;
use toolwire::explain as _;
use toolwire::file_uri as _;
use toolwire::format as _;
use toolwire::identify as _;
use toolwire::normalize_uri as _;
use toolwire::parse as _;
use toolwire::parse_lines as _;
use toolwire::receive as _;
use toolwire::session::SessionMachine as _;
use toolwire::summarize as _;
use toolwire::validate as _;
use toolwire_host::CallOutcome as _;
use toolwire_host::Exchange as _;
use toolwire_host::PendingQuestion as _;
use toolwire_host::Sessions as _;
use toolwire_host::ToolList as _;
use toolwire_host::call as _;
use toolwire_host::list_tools as _;
use toolwire_host::manifest::Manifest as _;
use toolwire_mcp::client::Client as _;
use toolwire_mcp::server::Server as _;
