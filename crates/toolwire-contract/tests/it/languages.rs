//! Each name that the tables of docs/reference/libraries.md have for Rust exists, or this does not compile.
// Generated from docs/reference/libraries.md. Do not edit: run `cargo xtask codegen`.
#![allow(unused_imports)] // To be importable is all that is asked of them.

use toolwire_contract::convert::convert_server as _;
use toolwire_contract::diff::diff_tools as _;
use toolwire_contract::fingerprint::fingerprint as _;
use toolwire_contract::fingerprint::jn_hash as _;
use toolwire_contract::fingerprint::project as _;
use toolwire_contract::hidden::find_hidden as _;
use toolwire_contract::hidden::show as _;
use toolwire_contract::launch::format_launch_uri as _;
use toolwire_contract::launch::format_profile_word as _;
use toolwire_contract::launch::parse_launch_uri as _;
use toolwire_contract::launch::parse_profile_word as _;
use toolwire_contract::lock::check_lock as _;
use toolwire_contract::lock::read_lock as _;
use toolwire_contract::lock::update_lock as _;
use toolwire_contract::lock::write_lock as _;
use toolwire_contract::profile::Profile as _;
use toolwire_contract::profile::read_profile as _;
use toolwire_contract::profile::read_profile_files as _;
use toolwire_contract::profile::write_profile as _;

#[test]
fn every_name_of_the_tables_exists() {
    // The imports above are the test: without one of the names it would not compile.
}
