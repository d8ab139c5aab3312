//! The core's mapping, for the client.

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerState, Call};
use toolwire::json::ObjectWriter;
use toolwire::mcp::Revision;
use toolwire::{Code, Error, Json, Limits, Parsed};

pub(super) fn call_to_meta(call: &Call) -> Option<Json> {
    Json::new(call.to_meta()).ok()
}

pub(super) fn from_result(result: &[u8], limits: &Limits) -> Parsed<'static> {
    toolwire::parse(result.to_vec(), limits)
}

pub(super) fn from_elicitation(params: &Json, id: &str) -> Result<Question, Error> {
    let bad = |message| Error::new(Code::BadSchema, "", None, message);
    Ok(Question {
        default: None,
        url: None,
        id: id.to_owned(),
        schema: params
            .at("/requestedSchema")
            .ok_or_else(|| bad("the elicitation has no schema"))?,
        text: params
            .at("/message")
            .and_then(|text| text.to_text())
            .ok_or_else(|| bad("the elicitation has no message"))?,
        extra: Default::default(),
    })
}

pub(super) fn answer_to_elicit_result(_params: &Json, answer: &Answer, _: Revision) -> Json {
    let mut out = ObjectWriter::new();
    let action = match answer.state() {
        AnswerState::Accepted => "accept",
        AnswerState::Declined => "decline",
        _ => "cancel",
    };
    out.text("action", action);
    out.optional_json("content", answer.value().map(|value| value.as_str()));
    Json::new(out.end()).unwrap_or_else(|_| Json::from(""))
}
