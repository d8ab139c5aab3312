//! Contracts of tools: fingerprints, differences, locks, launch URIs, profiles, and what a text hides. Everything
//! goes in and comes out as text.

use napi_derive::napi;
use toolwire::Diagnostic;
use toolwire_ffi::contract;

use crate::fault::{Result, told};
use crate::json::{Object, array};

/// The digests of a tool, as a JSON object.
#[napi(catch_unwind)]
pub fn fingerprint(tool: String, options: String) -> Result<String> {
    contract::fingerprint(&tool, &options).map_err(told)
}

/// The texts that they are the digests of, as a JSON object.
#[napi(catch_unwind)]
pub fn project_tool(tool: String, options: String) -> Result<String> {
    contract::project_tool(&tool, &options).map_err(told)
}

/// The MD5 that JN keeps of a list of tools.
#[napi(catch_unwind)]
pub fn jn_hash(tools: String) -> Result<String> {
    contract::jn_hash(&tools).map_err(told)
}

/// What has changed, as a JSON object.
#[napi(catch_unwind)]
pub fn diff_tools(old: String, new: String, options: String) -> Result<String> {
    contract::diff_tools(&old, &new, &options).map_err(told)
}

/// What a launch URI says, as a JSON object.
#[napi(catch_unwind)]
pub fn parse_launch_uri(uri: String) -> Result<String> {
    contract::parse_launch_uri(&uri).map_err(told)
}

/// A launch as a URI.
#[napi(catch_unwind)]
pub fn format_launch_uri(launch: String) -> Result<String> {
    contract::format_launch_uri(&launch).map_err(told)
}

/// What a word says that names a profile, as a JSON object.
#[napi(catch_unwind)]
pub fn parse_profile_word(word: String) -> Result<String> {
    contract::parse_profile_word(&word).map_err(told)
}

/// Such a word as text.
#[napi(catch_unwind)]
pub fn format_profile_word(word: String) -> Result<String> {
    contract::format_profile_word(&word).map_err(told)
}

/// What a text hides, as a JSON array.
#[napi(catch_unwind)]
pub fn find_hidden(text: String) -> String {
    contract::find_hidden(&text)
}

/// The text with that made visible.
#[napi(catch_unwind)]
pub fn show_hidden(text: String) -> String {
    contract::show_hidden(&text)
}

/// A lock and the warnings, as a JSON object.
#[napi(catch_unwind)]
pub fn read_lock(text: String) -> Result<String> {
    let (lock, found) = contract::read_lock(&text).map_err(told)?;
    Ok(Object::new()
        .raw("lock", &lock)
        .raw("diagnostics", &array(found.iter().map(Diagnostic::to_json)))
        .end())
}

/// The text of a lock file.
#[napi(catch_unwind)]
pub fn write_lock(lock: String) -> Result<String> {
    contract::write_lock(&lock).map_err(told)
}

/// The text of a lock file in which one source is as it is now.
#[napi(catch_unwind)]
pub fn update_lock(lock: String, name: String, now: String) -> Result<String> {
    contract::update_lock(&lock, &name, &now).map_err(told)
}

/// How the sources of a lock are now, as a JSON object.
#[napi(catch_unwind)]
pub fn check_lock(lock: String, now: String, options: String) -> Result<String> {
    contract::check_lock(&lock, &now, &options).map_err(told)
}

/// What a profile says that is one document, as a JSON object.
#[napi(catch_unwind)]
pub fn read_profile(profile: String) -> Result<String> {
    contract::read_profile(&profile).map_err(told)
}

/// The same of the files of a folder.
#[napi(catch_unwind)]
pub fn read_profile_files(files: String) -> Result<String> {
    contract::read_profile_files(&files).map_err(told)
}

/// The files of a profile, as a JSON object.
#[napi(catch_unwind)]
pub fn write_profile(profile: String, before: String) -> Result<String> {
    contract::write_profile(&profile, &before).map_err(told)
}

/// How tools differ from what a profile expects, as a JSON array.
#[napi(catch_unwind)]
pub fn compare_profile(profile: String, tools: String, options: String) -> Result<String> {
    contract::compare_profile(&profile, &tools, &options).map_err(told)
}

/// A server in another form, as a JSON object.
#[napi(catch_unwind)]
pub fn convert_server(server: String, from: String, to: String, options: String) -> Result<String> {
    contract::convert_server(&server, &from, &to, &options).map_err(told)
}
