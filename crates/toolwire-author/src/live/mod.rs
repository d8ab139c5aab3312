//! A call that came as a line, while it is open.

mod line;
mod mailbox;

pub(crate) use line::LineCall;
pub(crate) use mailbox::Ending;
