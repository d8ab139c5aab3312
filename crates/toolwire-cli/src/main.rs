//! The binary of the `toolwire` command, all of which is in the library beside it.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(toolwire_cli::main(&arguments))
}
