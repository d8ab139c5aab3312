//! Toolwire in a server of rmcp: an envelope as rmcp's result, and questions that are asked through it. Take this file
//! into a server of your own.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResult, CustomRequest, ErrorData, InputRequest,
    InputRequiredResult, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, RoleServer, ServiceError};
use serde_json::Value;
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource};
use toolwire::mcp::{
    ElicitOptions, ResultOptions, Revision, answer_from_elicit_result, can_elicit, to_elicitation,
    to_result,
};
use toolwire::question::RefusalOptions;
use toolwire::{Code, Envelope, Json, Limits, parse};
use toolwire_host::{CheckError, check_answer};

/// What became of questions.
#[derive(Debug, Clone)]
pub enum Asked {
    /// The answers, by the ids of their questions: each is accepted with a value that fits, opened, declined,
    /// cancelled, or unavailable where the client can't ask its user.
    Answered(BTreeMap<String, Answer>),
    /// The client has to ask and to call again: return this as the tool's response. Only clients of
    /// 2026-07-28 get it.
    Open(InputRequiredResult),
}

/// The envelope as a result for the revision that the client speaks. What MCP has no member for
/// travels in `_meta`.
///
/// # Errors
///
/// An internal error of MCP, if rmcp can't hold the result.
pub fn result(
    envelope: &Envelope,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let parsed = parse(envelope.to_json().into_bytes(), &Limits::WIDEST);
    let result = to_result(&parsed, &ResultOptions::new(revision(context)));
    serde_json::from_str(result.json.as_str()).map_err(internal)
}

/// Asks the client's user: with a request for each question in older revisions, with one `input_required` in
/// 2026-07-28, for which `request` may bring the answers. Answers are checked against their
/// questions' schemas; one that does not fit is asked for again in 2026-07-28.
///
/// All that is asked for in one call of this function is answered in one round. To ask again later in the same
/// call of a tool, keep the first answers in rmcp's `request_state`, sealed.
///
/// # Errors
///
/// `-32602` for an answer that is malformed or, in older revisions, does not fit; an internal error if a
/// question declares a secret or is malformed; whatever ends the connection.
pub async fn ask(
    questions: &[Question],
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Asked, ErrorData> {
    let revision = revision(context);
    let capability = context
        .client_capabilities()
        .and_then(|all| all.elicitation);
    let capability = capability.and_then(|declared| Json::from_value(&declared).ok());
    let mut answers = BTreeMap::new();
    let mut asked = BTreeMap::new();
    let mut open = false;
    for question in questions {
        let params = params(question, context, revision)?;
        let can = can_elicit(question, revision, capability.as_ref());
        let Some(params) = params.filter(|_| can) else {
            let nobody = Answer::unavailable(AnswerSource::Policy);
            answers.insert(question.id.clone(), nobody);
            continue;
        };
        asked.insert(question.id.clone(), params.clone());
        if revision < Revision::V2026_07_28 {
            let answer = read(question, revision, &send(params, context).await?)?;
            answers.insert(question.id.clone(), answer);
        } else {
            let given = request.input_responses.as_ref();
            let given = given.and_then(|given| given.get(&question.id));
            match given.map(|given| read(question, revision, given)) {
                Some(Ok(answer)) => {
                    answers.insert(question.id.clone(), answer);
                }
                Some(Err(_)) | None => {
                    open = true;
                }
            }
        }
    }
    if !open {
        return Ok(Asked::Answered(answers));
    }
    // All again: whoever answers the rest has to bring these answers too.
    let mut requests = BTreeMap::new();
    for (id, params) in asked {
        requests.insert(id, elicitation(params)?);
    }
    let required = InputRequiredResult::from_input_requests(requests);
    Ok(Asked::Open(required))
}

fn revision(context: &RequestContext<RoleServer>) -> Revision {
    let spoken = context.protocol_version();
    let spoken = spoken.and_then(|version| version.as_str().parse().ok());
    spoken.unwrap_or(Revision::V2025_06_18)
}

/// The parameters of `elicitation/create`; none for a page, if the revision knows nothing of pages (ELI-2).
fn params(
    question: &Question,
    context: &RequestContext<RoleServer>,
    revision: Revision,
) -> Result<Option<Value>, ErrorData> {
    let client = context.client_info();
    let options = ElicitOptions {
        about: RefusalOptions {
            host: client
                .map(|client| client.title.unwrap_or(client.name))
                .unwrap_or_default(),
            ..RefusalOptions::default()
        },
        elicitation_id: question.url.is_some().then(unused_id),
        ..ElicitOptions::default()
    };
    let request = match to_elicitation(question, revision, &options) {
        Ok(request) => request,
        Err(error) if error.code() == Code::CannotElicit => return Ok(None),
        Err(error) => return Err(internal(error)),
    };
    let params = serde_json::from_str(request.params.as_str());
    params.map(Some).map_err(internal)
}

fn elicitation(params: Value) -> Result<InputRequest, ErrorData> {
    let request = serde_json::json!({"method": "elicitation/create", "params": params});
    serde_json::from_value(request).map_err(internal)
}

async fn send(params: Value, context: &RequestContext<RoleServer>) -> Result<Value, ErrorData> {
    let custom = CustomRequest::new("elicitation/create", Some(params));
    let request = ServerRequest::CustomRequest(custom);
    let options = PeerRequestOptions::no_options();
    let handle = context.peer.send_cancellable_request(request, options);
    let answered = async { handle.await?.await_response().await };
    match answered.await {
        Ok(result) => serde_json::to_value(&result).map_err(internal),
        Err(ServiceError::McpError(error)) => Err(error),
        Err(error) => Err(internal(error)),
    }
}

/// The answer in a result of `elicitation/create`, which has to fit its question.
fn read(question: &Question, revision: Revision, given: &Value) -> Result<Answer, ErrorData> {
    let refuse = |why: String| Err(ErrorData::invalid_params(why, None));
    let given = Json::from_value(given).map_err(internal)?;
    let answer = match answer_from_elicit_result(question, revision, &given) {
        Ok(answer) => answer,
        Err(error) => return refuse(error.to_string()),
    };
    match answer.value().map(|value| check_answer(question, value)) {
        None | Some(Ok(())) => Ok(answer),
        Some(Err(CheckError::Mismatches(found))) => {
            let found: Vec<String> = found.into_iter().map(|one| one.message).collect();
            refuse(format!(
                "the answer to `{}` does not fit: {}",
                question.id,
                found.join("; ")
            ))
        }
        Some(Err(CheckError::BadSchema(error) | CheckError::OverBudget(error))) => {
            Err(internal(error))
        }
    }
}

/// An id that no other elicitation of this program has.
fn unused_id() -> String {
    static USED: AtomicU64 = AtomicU64::new(0);
    let number = USED.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}", std::process::id())
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
