//! A soak of `toolwire serve`: thousands of calls at 32 in flight over stdio and over HTTP, in
//! all revisions, every tenth of which asks a question. Nothing is lost or mixed up, and the server holds no
//! more memory, descriptors, processes and files at the end than when it was warm.
//!
//! The tool is this program too, since thousands of starts of an interpreter would take too long; so it has a
//! `main` of its own. `TOOLWIRE_SOAK_CALLS` says how many calls each transport gets; `cargo xtask soak` makes
//! 10,000.

#[cfg(target_os = "linux")]
mod http;
#[cfg(target_os = "linux")]
mod message;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
mod stdio;
mod tool;

use std::process::ExitCode;

/// Number of calls over each transport, unless another one is asked for.
#[cfg(target_os = "linux")]
const CALLS: u64 = 1000;

/// Number of calls in flight.
#[cfg(target_os = "linux")]
const IN_FLIGHT: usize = 32;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    if std::env::var_os("TOOLWIRE_CALL").is_some() {
        return tool::main();
    }
    let calls = std::env::var("TOOLWIRE_SOAK_CALLS").map_or(CALLS, |text| {
        text.parse()
            .expect("TOOLWIRE_SOAK_CALLS is a number of calls")
    });
    let soaks = [
        ("soak_stdio", stdio::soak as fn(u64)),
        ("soak_http", http::soak),
    ];
    // The words of `cargo test` choose tests by their names.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    for (name, soak) in soaks {
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            soak(calls);
        }
    }
    ExitCode::SUCCESS
}

/// The system tells what the server holds only on Linux.
#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    tool::main()
}
