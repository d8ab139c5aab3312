//! The integration tests of this crate as one program, which is linked once and runs them side by side.

#[cfg(unix)]
mod client;
#[cfg(unix)]
mod client_at_once;
#[cfg(unix)]
mod client_http;
#[cfg(unix)]
mod client_offers;
#[cfg(unix)]
mod client_tasks;
#[cfg(unix)]
mod common;
#[cfg(unix)]
mod hostile_servers;
#[cfg(unix)]
mod http;
#[cfg(unix)]
mod serving;
