//! Questions and answers as elicitation, in both directions (ELI rules).

mod asked;
mod field;
mod form;
mod property;
mod reply;
mod request;
mod required;
mod without;
mod wording;

pub use asked::{FromElicitation, from_elicitation};
pub use reply::{answer_from_elicit_result, answer_to_elicit_result};
pub use request::{ElicitOptions, ElicitRequest, to_elicitation};
pub use required::{InputRequired, to_input_required};
pub use without::{WithoutElicitation, can_elicit, required_capabilities, without_elicitation};
