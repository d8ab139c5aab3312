//! A tool's result as a provider's message (PROV-1 to PROV-25).

use super::Provider;
use super::call::ModelCall;
use super::options::MessageOptions;
use super::plan::{Counts, Plan};
use super::table::form;
use super::write::write_alone;
use crate::base::json::ObjectWriter;
use crate::bridge::mcp::LossReport;
use crate::{Error, Json, Parsed};

/// The message for a result.
///
/// ```
/// use toolwire::provider::{MessageOptions, ModelCall, Provider, to_message};
/// use toolwire::{Limits, parse};
///
/// let parsed = parse(&b"12:00"[..], &Limits::default());
/// let call = ModelCall::new("call_1", "now");
/// let message = to_message(&parsed, &call, Provider::OpenAi, &MessageOptions::default())?;
/// assert!(message.companion.is_none());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The message, item or value that answers the call.
    pub message: Json,
    /// A message of the user with what has no room in it. It goes behind the results of all calls of the turn, as
    /// [`to_turn`](super::to_turn) places it.
    pub companion: Option<Json>,
    /// What became of each block.
    pub report: LossReport,
}

impl Message {
    /// The whole as a JSON object: `{"message","companion","report"}`.
    ///
    /// ```
    /// use toolwire::provider::{MessageOptions, ModelCall, Provider, to_message};
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&b"12:00"[..], &Limits::default());
    /// let call = ModelCall::new("call_1", "now");
    /// let message = to_message(&parsed, &call, Provider::OpenAi, &MessageOptions::default())?;
    /// assert!(message.to_json().contains(r#""companion":null"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let companion = self.companion.as_ref();
        ObjectWriter::new()
            .json("message", self.message.as_str())
            .json("companion", companion.map_or("null", Json::as_str))
            .json("report", self.report.to_json())
            .end()
    }
}

/// A tool's result as the message that answers a call, and what became of each block.
///
/// # Errors
///
/// `bad_option` if the budget is too small.
///
/// # Examples
///
/// ```
/// use toolwire::provider::{MessageOptions, ModelCall, Provider, to_message};
/// use toolwire::{Limits, parse};
///
/// let output = br#"{"content":[{"type":"text","text":"no such file"}],"isError":true}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// let call = ModelCall::new("toolu_1", "list_files");
/// let options = MessageOptions::default();
///
/// let message = to_message(&parsed, &call, Provider::Anthropic, &options)?;
/// assert_eq!(
///     message.message.as_str(),
///     r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"no such file","is_error":true}]}"#,
/// );
/// let message = to_message(&parsed, &call, Provider::OpenAiChat, &options)?;
/// assert_eq!(
///     message.message.as_str(),
///     r#"{"role":"tool","tool_call_id":"toolu_1","content":"[error]\n\nno such file"}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn to_message(
    parsed: &Parsed<'_>,
    call: &ModelCall,
    provider: Provider,
    options: &MessageOptions,
) -> Result<Message, Error> {
    options.check()?;
    let line = form(provider, options.family);
    let plan = Plan::new(parsed, call, line, options, &mut Counts::default());
    let (message, companion) = write_alone(&plan);
    Ok(Message {
        message: Json::written(message),
        companion: companion.map(Json::written),
        report: plan.report.finished(),
    })
}
