//! What MCP peers can read, and the way back: envelopes, questions, answers and calls, mapped to and from
//! each revision of MCP, without I/O.

mod block;
mod context;
mod elicitation;
mod from_result;
mod from_tool;
mod patch;
mod report;
mod result;
mod revision;
mod tool;

pub use context::{call_from_meta, call_to_meta};
pub use elicitation::{
    ElicitOptions, ElicitRequest, FromElicitation, InputRequired, WithoutElicitation,
    answer_from_elicit_result, answer_to_elicit_result, can_elicit, from_elicitation,
    required_capabilities, to_elicitation, to_input_required, without_elicitation,
};
pub use from_result::{FromResult, from_result};
pub use from_tool::{FromTool, from_tool};
pub use report::{Fate, LossReport, Mapped};
pub use result::{McpResult, ResultOptions, to_result};
pub use revision::Revision;
pub use tool::{McpTool, to_tool};
