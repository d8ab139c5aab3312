//! The integration tests of this crate as one program, which is linked once and runs them side by side.

#[cfg(unix)]
mod assistant;
#[cfg(unix)]
mod call;
#[cfg(unix)]
mod call_https;
#[cfg(unix)]
mod check;
#[cfg(unix)]
mod client_files;
mod commands;
mod common;
#[cfg(unix)]
mod completions;
#[cfg(unix)]
mod convert;
#[cfg(unix)]
mod describe;
#[cfg(unix)]
mod descriptors;
#[cfg(unix)]
mod diff;
#[cfg(unix)]
mod each;
mod exit_codes;
#[cfg(unix)]
mod help;
#[cfg(unix)]
mod hidden;
#[cfg(unix)]
mod init;
#[cfg(unix)]
mod launcher;
#[cfg(unix)]
mod lock;
#[cfg(unix)]
mod locked;
mod logs;
#[cfg(unix)]
mod manifest;
#[cfg(target_os = "linux")]
mod memory;
mod names;
#[cfg(unix)]
mod profiles;
#[cfg(unix)]
mod prompt_form;
#[cfg(unix)]
mod prompt_keys;
#[cfg(unix)]
mod prompt_url;
#[cfg(unix)]
mod prompt_window;
#[cfg(unix)]
mod prompts;
mod readme;
#[cfg(unix)]
mod refreshing;
#[cfg(unix)]
mod result;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod run_events;
#[cfg(target_os = "linux")]
mod run_ignored;
#[cfg(unix)]
mod run_modes;
#[cfg(unix)]
mod run_process;
#[cfg(unix)]
mod run_questions;
#[cfg(unix)]
mod run_signals;
#[cfg(unix)]
mod run_terminal;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod serve_handles;
#[cfg(unix)]
mod serve_http;
#[cfg(unix)]
mod serve_servers;
#[cfg(unix)]
mod serve_tasks;
#[cfg(unix)]
mod session;
#[cfg(unix)]
mod session_attach;
#[cfg(unix)]
mod session_host;
#[cfg(unix)]
mod sources;
#[cfg(unix)]
mod started;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod trust;
#[cfg(unix)]
mod words;
