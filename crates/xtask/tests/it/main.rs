//! The integration tests of this crate as one program, which is linked once and runs them side by side.

mod links;
mod promises;
mod rings;
mod terminals;
