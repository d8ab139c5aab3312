//! Questions to a client of an older revision, each a request of the server while the call goes on.

use toolwire::Json;
use toolwire::call::{Answer, AnswerSource, AnswerState};
use toolwire::mcp::answer_from_elicit_result;
use toolwire_host::PendingQuestion;

use super::elicit::last_answer;
use super::pages;
use super::request::Request;
use super::state::Open;
use super::visit::Visit;

/// Asks the client. One that can't be asked after all gives an answer that is unavailable; nothing is said
/// where the client cancels the call, or leaves.
pub(super) async fn ask(
    request: &Request,
    asking: &PendingQuestion,
    visit: &mut Visit<'_>,
) -> Option<Answer> {
    let unavailable = || Answer::unavailable(AnswerSource::Policy);
    let wrong: Vec<String> = asking
        .mismatches
        .iter()
        .map(|found| match found.pointer.as_str() {
            "" => last_answer(&found.message),
            pointer => last_answer(&format!("`{pointer}`: {}", found.message)),
        })
        .collect();
    let page = asking.question.url.is_some().then(pages::unused_id);
    let open = Open::new(asking);
    let Ok(params) = request.asked.params(&open, &wrong, page.as_deref()) else {
        return Some(unavailable());
    };
    let result = send(request, &params).await;
    let caller = &request.context.caller;
    if caller.is_cancelled() || caller.has_left() {
        return None;
    }
    let answer = result.and_then(|result| {
        answer_from_elicit_result(&asking.question, request.context.revision, &result).ok()
    });
    let answer = answer.unwrap_or_else(unavailable);
    if let Some(id) = page.filter(|_| answer.state() == AnswerState::Opened) {
        visit.opened(asking, id);
    }
    Some(answer)
}

/// Asks what has no conversation, once, with what was wrong with the last answer; nothing is said where the client
/// has no answer.
pub(super) async fn ask_once(
    request: &Request,
    open: &Open,
    wrong: &[(String, String)],
) -> Option<Json> {
    let page = open.question.url.is_some().then(pages::unused_id);
    let wrong: Vec<String> = wrong.iter().map(|(_, why)| last_answer(why)).collect();
    let params = request.asked.params(open, &wrong, page.as_deref()).ok()?;
    send(request, &params).await
}

/// The result of `elicitation/create`; nothing if the client has none.
async fn send(request: &Request, params: &str) -> Option<Json> {
    let caller = &request.context.caller;
    let mut asked = caller.ask("elicitation/create", params).await.ok()?;
    tokio::select! {
        result = asked.answer() => Json::new(&*result.ok()?).ok(),
        () = caller.cancelled() => None,
    }
}
