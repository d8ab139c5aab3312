//! Questions to a client of 2026-07-28: a call ends with what is asked, sealed, and goes on when it comes again
//! with the answers (SRV-16 to SRV-22).

use rmcp::ErrorData;
use rmcp::model::CallToolResponse;
use toolwire::author::Failure;
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::json::{Document, ObjectWriter};
use toolwire::mcp::answer_from_elicit_result;
use toolwire::Json;
use toolwire_host::{CheckError, Settled, check_answer};

use super::call::{Ended, Request};
use super::state::{Open, State};
use super::{input, reply};

/// The most answers to one question that do not fit.
const MAX_TRIES: usize = 3;

/// A call that begins, or that comes again with a state.
pub(super) async fn call(
    request: &Request<'_>,
    state: Option<&str>,
    responses: Option<&Json>,
) -> Result<CallToolResponse, ErrorData> {
    let standing = match state {
        None => None,
        Some(sealed) => {
            let keys = &request.handler.shared.options.keys;
            let mut state = State::open(sealed, keys, &request.bound)?;
            let wrong = take(request, &mut state, responses);
            if !state.questions.is_empty() {
                return ask(request, state, &wrong);
            }
            Some(state.standing)
        }
    };
    match request.drive(standing).await {
        Ok(Ended::Result(outcome)) => request.result(&outcome.parsed),
        Ok(Ended::Unasked(questions)) => request.unasked(&questions),
        Ok(Ended::Suspended(suspended)) => {
            let state = State {
                bound: request.bound.clone(),
                questions: suspended.questions.iter().map(Open::new).collect(),
                standing: suspended.standing,
            };
            ask(request, state, &[])
        }
        Err(error) => request.not_run(&error),
    }
}
