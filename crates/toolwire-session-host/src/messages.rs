//! What client and host say to each other, beside the types of `toolwire_host::handles`: the parameters of requests.

use serde::{Deserialize, Serialize};
use toolwire::call::AnswerSource;

/// The longest message.
pub(crate) const MAX_MESSAGE: usize = 64 * 1024 * 1024;

/// The first byte of a connection to the keeper of tasks, which the host repeats. No message begins with it.
pub(crate) const FOR_TASKS: u8 = b't';

/// Codes of errors: what was asked for can't be done; there is no such request, or none with these parameters.
pub(crate) const REFUSED: i32 = -32000;
pub(crate) const NO_METHOD: i32 = -32601;
pub(crate) const INVALID: i32 = -32602;

/// Those of `list`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ids {
    pub ids: Vec<String>,
}

/// Those of `notSpawned`: whoever wanted to spawn this id could not, so what runs under it is not theirs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Named {
    pub id: String,
}

/// Those of `abort`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Abort {
    pub id: String,
    pub by: AnswerSource,
}

/// Those of `attach`: a person takes part in the terminal of this handle, with so many columns and rows of their own.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Attach {
    pub id: String,
    pub columns: u16,
    pub rows: u16,
}

/// Those of `output`, which is answered with what the terminal shows next, in base64, and of `leave`: the number of the
/// request by which a person takes part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Part {
    pub terminal: u64,
}

/// Those of `type`: what a person types, in base64, or the columns and rows that their terminal has now.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Type {
    pub terminal: u64,
    #[serde(default)]
    pub bytes: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<(u16, u16)>,
}

pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
