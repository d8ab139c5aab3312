//! The tests of this crate in one program: each program has to be linked, and is run after the others.

mod agreement;
