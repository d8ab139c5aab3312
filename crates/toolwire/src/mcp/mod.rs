//! What MCP peers can read, and the way back: envelopes, questions, answers and calls, mapped to and from
//! each revision of MCP, without I/O.

mod report;
mod revision;

pub use report::{Fate, LossReport, Mapped};
pub use revision::Revision;
