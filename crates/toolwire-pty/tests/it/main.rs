//! The integration tests of this crate as one program, which is linked once and runs them side by side.

#[cfg(unix)]
mod common;
#[cfg(unix)]
mod ending;
#[cfg(unix)]
mod gate;
#[cfg(unix)]
mod manifest;
#[cfg(target_os = "linux")]
mod many;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
mod random;
#[cfg(unix)]
mod sessions;
#[cfg(target_os = "linux")]
mod terminals_leaks;
