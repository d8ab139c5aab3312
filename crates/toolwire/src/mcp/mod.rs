//! What MCP peers can read, and the way back: envelopes, questions, answers and calls, mapped to and from
//! each revision of MCP, without I/O.

mod elicitation;
mod report;
mod revision;

pub use elicitation::{
    ElicitOptions, ElicitRequest, FromElicitation, WithoutElicitation, answer_from_elicit_result,
    answer_to_elicit_result, can_elicit, from_elicitation, required_capabilities, to_elicitation,
    without_elicitation,
};
pub use report::{Fate, LossReport, Mapped};
pub use revision::Revision;
