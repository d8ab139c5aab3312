//! Each name that the tables of docs/reference/libraries.md have for Rust exists, or this does not compile.
// Generated from docs/reference/libraries.md. Do not edit: run `cargo xtask codegen`.
#![allow(unused_imports)] // To be importable is all that is asked of them.

use toolwire_schema::check_answer as _;
use toolwire_schema::check_question as _;
use toolwire_schema::check_value as _;

#[test]
fn every_name_of_the_tables_exists() {
    // The imports above are the test: without one of the names it would not compile.
}
