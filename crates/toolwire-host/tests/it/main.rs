//! The integration tests of this crate as one program, which is linked once and runs them side by side.

#[cfg(unix)]
mod assistant;
#[cfg(unix)]
mod calling;
#[cfg(unix)]
mod cancelling;
#[cfg(target_os = "linux")]
mod channel_race;
#[cfg(unix)]
mod children;
mod common;
#[cfg(unix)]
mod conversing;
#[cfg(unix)]
mod descriptors;
mod endings;
#[cfg(unix)]
mod events;
#[cfg(unix)]
mod handles;
mod judging;
#[cfg(target_os = "linux")]
mod leaks;
#[cfg(unix)]
mod line_examples;
#[cfg(unix)]
mod line_sessions;
#[cfg(unix)]
mod line_workers;
#[cfg(unix)]
mod manifest;
mod result_channel;
#[cfg(unix)]
mod sessions;
#[cfg(target_os = "linux")]
mod sessions_leaks;
#[cfg(unix)]
mod sessions_notices;
#[cfg(unix)]
mod sessions_suspended;
#[cfg(unix)]
mod sessions_until;
#[cfg(target_os = "linux")]
mod shutdown;
mod starting;
#[cfg(unix)]
mod store;
