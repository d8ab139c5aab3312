//! The tests of this crate in one program: each program has to be linked, and is run after the others.

mod containment;
mod languages;
mod limits;
mod published;
mod references;
