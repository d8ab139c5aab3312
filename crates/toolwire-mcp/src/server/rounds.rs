//! Questions to a client of 2026-07-28: a call ends with what is asked, sealed, and goes on when it comes again
//! with the answers.

use std::sync::Arc;

use tokio::sync::oneshot;
use toolwire::Json;
use toolwire::author::Failure;
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::json::{Document, Node, ObjectWriter};
use toolwire::mcp::{Revision, answer_from_elicit_result};
use toolwire_host::{CheckError, End, Settled, check_answer};
use toolwire_rpc::RpcError;

use super::drive::{Ended, required};
use super::elicit::last_answer;
use super::error::internal;
use super::reply::{self, Response};
use super::request::{Came, Request};
use super::served::Way;
use super::state::{Open, State, expiry};
use super::tasks::task::{Still, Task};

/// The most answers to one question that do not fit.
const MAX_TRIES: usize = 3;

/// Why a client of 2026-07-28 is not asked what a server asks on its own connection.
const NOT_PARKED: &str = "its server waits for an answer on its connection, which a client of 2026-07-28 has no part \
                          in; a client of an older revision can be asked";

/// What a request comes to.
pub(super) async fn answer(request: &Arc<Request>, came: Came) -> Result<Response, RpcError> {
    if request.context.revision >= Revision::V2026_07_28 {
        return call(request, came).await;
    }
    match request.drive(None).await {
        Ok(Ended::Result(outcome)) => Ok(request.result(&outcome.parsed)),
        Ok(Ended::Unasked(question)) => request.unasked(&[*question]),
        Ok(Ended::Unopened(error)) => Err(*error),
        Ok(Ended::Suspended(_)) => Err(internal("the call has no result")),
        Err(error) => Ok(request.not_run(&error)),
    }
}

/// A call that begins, or that comes again with a state. Responses without a state are to the questions that the
/// tool asks first.
async fn call(request: &Arc<Request>, came: Came) -> Result<Response, RpcError> {
    let Came {
        state,
        mut responses,
    } = came;
    let options = &request.handler.shared.options;
    let mut standing = None;
    let (mut unasked, mut misfits) = (Vec::new(), Vec::new());
    if let Some(sealed) = state {
        let mut state = State::open(&sealed, &options.keys, &request.bound)?;
        let wrong = take(request, &mut state, responses.take().as_ref());
        if !state.questions.is_empty() {
            return ask(request, &state, &wrong);
        }
        misfits = wrong;
        request.parked.set(state.parked);
        standing = Some(state.standing);
    }
    loop {
        let suspended = match request.drive(standing).await {
            Ok(Ended::Result(outcome)) => {
                let misfit = |(id, _): &&(String, String)| matches!(&outcome.end, End::AnswerRequired(end) if end == id);
                if let Some((id, why)) = misfits.iter().find(misfit) {
                    let why = format!("the answer to `{id}` does not fit: {why}");
                    return Ok(unanswerable(request, &why));
                }
                return match required(&outcome.end, unasked) {
                    Some(question) => request.unasked(&[question]),
                    None => Ok(request.result(&outcome.parsed)),
                };
            }
            Ok(Ended::Unasked(question)) => return request.unasked(&[*question]),
            Ok(Ended::Unopened(error)) => return Err(*error),
            Ok(Ended::Suspended(suspended)) => suspended,
            Err(error) => return Ok(request.not_run(&error)),
        };
        let parked = request.parked.get();
        if parked.is_none() && matches!(request.tool.way, Way::Server(_)) {
            return Ok(unanswerable(request, NOT_PARKED));
        }
        let mut state = State {
            parked,
            bound: request.bound.clone(),
            questions: Vec::new(),
            standing: suspended.standing,
            expires: expiry(options.state_lifetime),
        };
        for asking in &suspended.questions {
            let open = Open::new(asking);
            let Some(answer) = request.unattended(asking) else {
                state.questions.push(open);
                continue;
            };
            if answer.state() == AnswerState::Unavailable {
                unasked.push(asking.question.clone());
            }
            settle(&mut state, open, answer);
        }
        let wrong = take(request, &mut state, responses.take().as_ref());
        if !state.questions.is_empty() {
            // The client has gone on; it finds the questions with the task.
            let Some(task) = request.lead.task() else {
                return ask(request, &state, &wrong);
            };
            match ask_with(&task, request, state, &wrong).await {
                Ok(settled) => state = settled,
                Err(why) => return Ok(unanswerable(request, &why)),
            }
        }
        standing = Some(state.standing);
    }
}

/// Asks the open questions of a state by a task, and waits for the answers to all of them.
async fn ask_with(
    task: &Task,
    request: &Arc<Request>,
    state: State,
    wrong: &[(String, String)],
) -> Result<State, String> {
    let open = state.questions.iter();
    let requests = open.map(|open| {
        Ok((
            open.question.id.clone(),
            input_request(request, open, wrong)?,
        ))
    });
    let requests = requests.collect::<Result<Vec<_>, String>>()?;
    let (answered, answer) = oneshot::channel();
    let mut waiting = Some((state, answered));
    // What drives the call keeps it.
    let request = Arc::downgrade(request);
    let take = move |responses: Option<&Json>| {
        let request = request.upgrade()?;
        let (state, _) = waiting.as_mut()?;
        let wrong = take(&request, state, responses);
        if state.questions.is_empty() {
            let (settled, answered) = waiting.take()?;
            // Who drives the call may have ended.
            let _ = answered.send(settled);
            return Some(Vec::new());
        }
        let is_wrong = |open: &Open| wrong.iter().any(|(id, _)| *id == open.question.id);
        let open = state.questions.iter().map(|open| Still {
            id: open.question.id.clone(),
            // It was written before, so it can be.
            again: is_wrong(open)
                .then(|| input_request(&request, open, &wrong).ok())
                .flatten(),
        });
        Some(open.collect())
    };
    task.ask(requests, Box::new(take), answer).await
}

/// Takes the responses to the open questions, each held against the question that was sealed. Those that have
/// none stay open, and so do those whose answer does not fit, up to some tries: what is wrong with it is returned,
/// by the id.
pub(super) fn take(
    request: &Request,
    state: &mut State,
    responses: Option<&Json>,
) -> Vec<(String, String)> {
    let document = responses.and_then(|responses| Document::new(responses.as_str()).ok());
    let given = |id: &str| document.as_ref()?.root().get(id);
    let (mut wrong, mut left) = (Vec::new(), false);
    for mut open in std::mem::take(&mut state.questions) {
        let Some(response) = given(&open.question.id) else {
            state.questions.push(open);
            continue;
        };
        let answer = match read(request, &open, response) {
            Ok(answer) => answer,
            Err(why) => {
                open.tries += 1;
                wrong.push((open.question.id.clone(), why));
                if open.tries < MAX_TRIES {
                    state.questions.push(open);
                    continue;
                }
                Answer::unavailable(AnswerSource::User)
            }
        };
        left |= answer.state() == AnswerState::Cancelled;
        settle(state, open, answer);
    }
    if left {
        // Whoever leaves is not asked again.
        for open in std::mem::take(&mut state.questions) {
            settle(state, open, Answer::cancelled(AnswerSource::User));
        }
    }
    wrong
}

fn settle(state: &mut State, open: Open, answer: Answer) {
    let settled = Settled {
        answer,
        schema: open.question.url.is_none().then_some(open.question.schema),
        suspected: open.suspected.is_some(),
    };
    state.standing.answers.insert(open.question.id, settled);
}

/// The answer in a response, if it fits the question.
fn read(request: &Request, open: &Open, response: Node<'_>) -> Result<Answer, String> {
    let question = &open.question;
    let given =
        answer_from_elicit_result(question, request.context.revision, &Json::from(response));
    let answer = given.map_err(|error| error.message().to_owned())?;
    // Secrets and pages are for a person alone.
    let for_person = open.suspected.is_some() || question.url.is_some();
    let counts = matches!(answer.state(), AnswerState::Accepted | AnswerState::Opened);
    if for_person && counts && answer.source() != Some(AnswerSource::User) {
        return Ok(Answer::unavailable(AnswerSource::Policy));
    }
    let Some(value) = answer.value() else {
        return Ok(answer);
    };
    match check_answer(question, value) {
        Ok(()) => Ok(answer),
        // What people are told of a value quotes it.
        Err(_) if open.suspected.is_some() => Err("the answer does not fit the schema".to_owned()),
        Err(CheckError::Mismatches(found)) => {
            let told = found.iter().map(|one| match one.pointer.as_str() {
                "" => one.message.clone(),
                pointer => format!("`{pointer}`: {}", one.message),
            });
            Err(told.collect::<Vec<_>>().join("; "))
        }
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
            Err(error.message().to_owned())
        }
    }
}

/// The result that asks all open questions.
pub(super) fn ask(
    request: &Request,
    state: &State,
    wrong: &[(String, String)],
) -> Result<Response, RpcError> {
    let questions = state.questions.iter().map(|open| &open.question);
    let unasked: Vec<_> = questions
        .filter(|question| !request.asked.can(question))
        .cloned()
        .collect();
    if !unasked.is_empty() {
        return request.unasked(&unasked);
    }
    match input_required(request, state, wrong) {
        Ok(result) => Ok(Response::InputRequired(result)),
        Err(why) => Ok(unanswerable(request, &why)),
    }
}

fn unanswerable(request: &Request, why: &str) -> Response {
    let name = &request.tool.description.name;
    let failure = Failure::new(format!("`{name}` can't be answered: {why}"));
    request.complete(&reply::failed(&request.call, failure))
}

fn input_required(
    request: &Request,
    state: &State,
    wrong: &[(String, String)],
) -> Result<String, String> {
    let mut requests = ObjectWriter::new();
    for open in &state.questions {
        requests.json(&open.question.id, input_request(request, open, wrong)?);
    }
    let options = &request.handler.shared.options;
    let sealed = state.seal(&options.keys);
    let mut out = ObjectWriter::new();
    out.json("inputRequests", requests.end());
    out.text("requestState", sealed.map_err(|error| error.to_string())?);
    out.text("resultType", "input_required");
    Ok(out.end())
}

/// The request that asks an open question, with what was wrong with the last answer, by its id.
pub(super) fn input_request(
    request: &Request,
    open: &Open,
    wrong: &[(String, String)],
) -> Result<String, String> {
    let mine = wrong.iter().filter(|(of, _)| *of == open.question.id);
    let wrong: Vec<String> = mine.map(|(_, why)| last_answer(why)).collect();
    let params = request.asked.params(open, &wrong, None);
    let params = params.map_err(|error| error.message().to_owned())?;
    let mut entry = ObjectWriter::new();
    entry.text("method", "elicitation/create");
    entry.json("params", params);
    Ok(entry.end())
}
