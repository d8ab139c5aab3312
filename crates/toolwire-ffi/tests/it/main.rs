//! The integration tests of this crate as one program, which is linked once and runs them side by side.

mod actions;
mod format_cases;
mod names;
#[cfg(unix)]
mod profiles;
mod words;
