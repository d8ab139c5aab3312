//! The user's session host: a small process that keeps the handles of one workspace between commands.
//!
//! A tool that keeps running needs somebody who keeps it, and a command in a shell ends. The host is that
//! somebody: it is started when it is needed, listens on a socket that only the same user can use, and ends when
//! no handle has been left for a while. `docs/reference/sessions.md` describes it.
//!
//! ```no_run
//! # async fn look() -> Result<(), Box<dyn std::error::Error>> {
//! use std::path::Path;
//! use std::time::Duration;
//! use toolwire::call::AnswerSource;
//! use toolwire_host::handles::{Fetch, Handles as _};
//! use toolwire_session_host::{Place, SessionHostClient};
//!
//! // The command that starts a host, if none runs: one that calls `toolwire_session_host::run`.
//! let program = vec!["toolwire".into(), "__session-host".into()];
//! let host = SessionHostClient::new(Place::of(Path::new("."))?, program, Duration::from_secs(60));
//! let handles = host.find_or_start().await?;
//! let fetch = Fetch::new("staging", AnswerSource::Assistant);
//! println!("{}", handles.fetch(fetch).await?.envelope);
//! # Ok(())
//! # }
//! ```
//!
//! [`SessionHostClient`] finds the host of a workspace or starts it, and [`RemoteHandles`] is what it offers: the
//! interface [`Handles`](toolwire_host::handles::Handles), over the socket. [`host`] is the host itself, and [`run`] its process.

#![forbid(unsafe_code)]

mod client;
mod daemon;
mod error;
mod lock;
mod messages;
mod net;
mod place;
mod remote;
mod server;
mod serving;
mod tasks;
#[cfg(test)]
mod testing;

pub use client::SessionHostClient;
pub use daemon::{HostArguments, run};
pub use place::Place;
pub use remote::{RemoteHandles, RemoteTerminal};
pub use server::{HostOptions, host};
pub use tasks::{KeepTasks, TaskReader, TaskWriter};
