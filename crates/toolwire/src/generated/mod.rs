//! What `cargo xtask codegen` makes from `schema/`. Only this file is written by hand.

#[rustfmt::skip] // The generator lays it out, so that no installed tool can change it.
pub(crate) mod code;
#[rustfmt::skip]
pub(crate) mod types;
#[rustfmt::skip]
pub(crate) mod mime;
