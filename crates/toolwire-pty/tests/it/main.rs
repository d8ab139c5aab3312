//! The tests of this crate in one program: each program has to be linked, and is run after the others.

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
