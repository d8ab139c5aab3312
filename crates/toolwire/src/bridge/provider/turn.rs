//! The messages that answer all calls of a turn (PROV-30 to PROV-33).

use super::Provider;
use super::call::ModelCall;
use super::from_call::NOT_RUN;
use super::options::MessageOptions;
use super::plan::{Counts, Plan};
use super::table::form;
use super::write::write_turn;
use crate::base::json::{ObjectWriter, array};
use crate::bridge::mcp::LossReport;
use crate::{Error, Json, Limits, Parsed, parse};

/// The messages of a turn, in the order in which they are sent.
///
/// ```
/// use toolwire::provider::{MessageOptions, ModelCall, Provider, to_turn};
///
/// let calls = [ModelCall::new("1", "now")];
/// let turn = to_turn(&calls, &[None], Provider::OpenAiChat, &MessageOptions::default())?;
/// assert_eq!(turn.messages.len(), 1);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The messages or items.
    pub messages: Vec<Json>,
    /// What became of each result, in the order of the calls.
    pub reports: Vec<LossReport>,
}

impl Turn {
    /// The whole as a JSON object: `{"messages","reports"}`.
    ///
    /// ```
    /// use toolwire::provider::{MessageOptions, Provider, to_turn};
    ///
    /// let turn = to_turn(&[], &[], Provider::OpenAi, &MessageOptions::default())?;
    /// assert_eq!(turn.to_json(), r#"{"messages":[],"reports":[]}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        ObjectWriter::new()
            .json("messages", array(self.messages.iter().map(Json::as_str)))
            .json(
                "reports",
                array(self.reports.iter().map(LossReport::to_json)),
            )
            .end()
    }
}

/// The messages that answer the calls of a turn: each call has a result, one that was not run an error, and what has
/// no room in the results follows them where the provider takes it.
///
/// `results` are in the order of `calls`; a missing one is as `None`.
///
/// # Errors
///
/// `bad_option` if the budget is too small.
///
/// # Examples
///
/// ```
/// use toolwire::provider::{MessageOptions, ModelCall, Provider, to_turn};
/// use toolwire::{Limits, parse};
///
/// let calls = [ModelCall::new("a", "now"), ModelCall::new("b", "now")];
/// let noon = parse(&b"12:00"[..], &Limits::default());
/// let turn = to_turn(&calls, &[Some(&noon), None], Provider::Anthropic, &MessageOptions::default())?;
/// assert_eq!(
///     turn.messages[0].as_str(),
///     r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"12:00"},{"type":"tool_result","tool_use_id":"b","content":"the call was not run","is_error":true}]}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn to_turn(
    calls: &[ModelCall],
    results: &[Option<&Parsed<'_>>],
    provider: Provider,
    options: &MessageOptions,
) -> Result<Turn, Error> {
    options.check()?;
    let line = form(provider, options.family);
    let not_run = parse(NOT_RUN, &Limits::default());
    let mut counts = Counts::default();
    let last = calls.len().saturating_sub(1);
    let each = calls.iter().enumerate().map(|(index, call)| {
        let parsed = results.get(index).copied().flatten().unwrap_or(&not_run);
        // A cache hint behind the last result covers those before it.
        let cache = options.cache && index == last;
        let options = MessageOptions {
            cache,
            ..options.clone()
        };
        Plan::new(parsed, call, line, &options, &mut counts)
    });
    let plans: Vec<Plan<'_>> = each.collect();
    let messages = write_turn(&plans, line);
    Ok(Turn {
        messages: messages.into_iter().map(Json::written).collect(),
        reports: plans
            .into_iter()
            .map(|plan| plan.report.finished())
            .collect(),
    })
}
