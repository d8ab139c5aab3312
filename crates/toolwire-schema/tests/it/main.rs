//! The integration tests of this crate as one program, which is linked once and runs them side by side.

mod foreign;
