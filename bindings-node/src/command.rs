//! The command `toolwire`, as the package brings it.

use std::ffi::OsString;

use napi_derive::napi;

/// Runs the command with the arguments behind its name, and gives the exit code. It uses the stdin,
/// stdout and stderr of this process, and handles its signals.
#[napi(catch_unwind)]
pub fn command(arguments: Vec<String>) -> u32 {
    let mut all = vec![OsString::from("toolwire")];
    all.extend(as_given(&arguments).unwrap_or_else(|| as_text(arguments)));
    u32::from(toolwire_cli::main(&all))
}

/// The last arguments of this process, if they are these. Node has made text of them, in which a file
/// name that is not UTF-8 is lost.
fn as_given(arguments: &[String]) -> Option<Vec<OsString>> {
    let mut given: Vec<OsString> = std::env::args_os().collect();
    let first = given.len().checked_sub(arguments.len())?;
    let given = given.split_off(first);
    let same = |(given, text): (&OsString, &String)| given.to_string_lossy() == **text;
    given.iter().zip(arguments).all(same).then_some(given)
}

fn as_text(arguments: Vec<String>) -> Vec<OsString> {
    arguments.into_iter().map(OsString::from).collect()
}
