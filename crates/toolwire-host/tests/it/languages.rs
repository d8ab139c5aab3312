//! Each name that the tables of docs/reference/libraries.md have for Rust exists, or this does not compile.
// Generated from docs/reference/libraries.md. Do not edit: run `cargo xtask codegen`.
#![allow(unused_imports)] // To be importable is all that is asked of them.

use toolwire_host::CallOutcome as _;
use toolwire_host::Exchange as _;
use toolwire_host::PendingQuestion as _;
use toolwire_host::Sessions as _;
use toolwire_host::ToolList as _;
use toolwire_host::call as _;
use toolwire_host::list_tools as _;
use toolwire_host::manifest::Manifest as _;

#[test]
fn every_name_of_the_tables_exists() {
    // The imports above are the test: without one of the names it would not compile.
}
