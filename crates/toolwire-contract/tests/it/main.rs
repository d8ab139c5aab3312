//! The integration tests of this crate as one program, which is linked once and runs them side by side.

mod containment;
mod convert;
mod launch_laws;
mod limits;
mod order;
mod published;
mod references;
