//! The integration tests of this crate as one program.

mod floods;
mod messages;
mod requests;
