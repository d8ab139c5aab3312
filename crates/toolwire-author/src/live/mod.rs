//! A call that came as a line, while it is open.

mod line;
mod mailbox;
mod room;

pub(crate) use line::LineCall;
pub(crate) use mailbox::Ending;
pub use room::{Lost, Room};
