//! Questions as the result that asks them in 2026-07-28 (ELI-70, ELI-71).

use std::collections::HashSet;

use super::super::{LossReport, Mapped, Revision};
use super::request::{ElicitOptions, to_elicitation};
use crate::base::json::ObjectWriter;
use crate::block::Question;
use crate::{Code, Error, Json};

/// A result that asks questions, and what became of them.
///
/// ```
/// use toolwire::mcp::{ElicitOptions, to_input_required};
///
/// let asks = to_input_required(&[], None, &ElicitOptions::default())?;
/// assert_eq!(asks.json.as_str(), r#"{"inputRequests":{},"resultType":"input_required"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct InputRequired {
    /// The `InputRequiredResult`.
    pub json: Json,
    /// What became of each member of each question; the pointers begin with its place among them.
    pub report: LossReport,
}

/// The result with which a server of 2026-07-28 asks its client: one request for each question, under its id. The
/// client calls again, with `inputResponses` under the same ids, which
/// [`answer_from_elicit_result`](super::answer_from_elicit_result) reads, and with `requestState` as it was:
/// the server seals it, since a client can send anything.
///
/// # Errors
///
/// Those of [`to_elicitation`], and `bad_argument` at the `id` of a question if one before it has the same. The
/// pointers begin with the place of the question.
///
/// # Examples
///
/// ```
/// use toolwire::mcp::{ElicitOptions, to_input_required};
/// use toolwire::question::read_question;
///
/// let question = read_question(r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}"#)?;
/// let asks = to_input_required(&[question], Some("sealed"), &ElicitOptions::default())?;
/// assert_eq!(asks.json.at("/inputRequests/ok/method").unwrap().as_str(), "\"elicitation/create\"");
/// assert_eq!(asks.json.at("/requestState").unwrap().as_str(), "\"sealed\"");
/// assert_eq!(asks.report.entries[0].pointer, "/0/id");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn to_input_required(
    questions: &[Question],
    state: Option<&str>,
    options: &ElicitOptions<'_>,
) -> Result<InputRequired, Error> {
    let mut requests = ObjectWriter::new();
    let mut report = LossReport::default();
    let mut ids = HashSet::new();
    for (index, question) in questions.iter().enumerate() {
        let at = |place: &str| format!("/{index}{place}");
        if !ids.insert(&question.id) {
            let message = "another question has the same `id`";
            return Err(Error::new(Code::BadArgument, at("/id"), None, message));
        }
        let asked = to_elicitation(question, Revision::V2026_07_28, options);
        let asked = asked.map_err(|error| {
            let place = at(error.pointer());
            Error::new(error.code(), place, error.offset(), error.message())
        })?;
        let mut request = ObjectWriter::new();
        request.text("method", "elicitation/create");
        request.json("params", asked.params.as_str());
        requests.json(&question.id, request.end());
        report
            .entries
            .extend(asked.report.entries.into_iter().map(|entry| Mapped {
                pointer: at(&entry.pointer),
                ..entry
            }));
    }
    let mut out = ObjectWriter::new();
    out.json("inputRequests", requests.end());
    out.optional("requestState", state);
    out.text("resultType", "input_required");
    Ok(InputRequired {
        json: Json::written(out.end()),
        report,
    })
}
