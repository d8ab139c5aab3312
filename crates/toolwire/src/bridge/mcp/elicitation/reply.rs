//! From the result of `elicitation/create` to an answer, and back (ELI-30 to ELI-33, ELI-50 to ELI-54).

use super::super::Revision;
use super::form::{Form, WRAPPER, unwrapped};
use crate::base::json::{Document, Kind, Node, ObjectWriter, Place};
use crate::block::Question;
use crate::protocol::call::{Answer, AnswerSource, AnswerState};
use crate::{Code, Error, Json};

/// Where a result says who answered, for peers that know Toolwire.
const KEY: &str = "dev.toolwire/answer";

/// The answer to a question that [`to_elicitation`](super::to_elicitation) asked, from what the client
/// returned. The value has the form of the question's schema, but is still to be checked against it (Q-29).
///
/// # Errors
///
/// `bad_elicitation`, with a pointer into the result, if its `action` is none of MCP's, if its `content` is not an
/// object, or lacks the one field of a question that is no flat object (ELI-30).
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::mcp::{Revision, answer_from_elicit_result};
/// use toolwire::question::read_question;
///
/// let question = read_question(r#"{"id":"n","text":"How many?","schema":{"type":"integer"}}"#)?;
/// let result = Json::new(r#"{"action":"accept","content":{"answer":9007199254740993}}"#)?;
/// let answer = answer_from_elicit_result(&question, Revision::LATEST, &result)?;
/// assert_eq!(answer.value().unwrap().as_str(), "9007199254740993");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn answer_from_elicit_result(
    question: &Question,
    revision: Revision,
    result: &Json,
) -> Result<Answer, Error> {
    let document = Document::new(result.as_str())?;
    let place = Place::new(document.root(), "", Code::BadElicitation).object()?;
    let action = place.required("action")?;
    let (source, unavailable) = who(document.root());
    match action.string()?.as_str() {
        "decline" => Ok(Answer::declined(source)),
        "cancel" if unavailable => Ok(Answer::unavailable(source)),
        "cancel" => Ok(Answer::cancelled(source)),
        "accept" if question.url.is_some() => Ok(Answer::opened(source)),
        "accept" => {
            let content = place.member("content");
            let content = content.filter(|content| content.node.kind() != Kind::Null);
            let content = content.map(Place::object).transpose()?;
            let value = value(question, revision, content.as_ref(), &place)?;
            Ok(Answer::accepted(value, source))
        }
        _ => Err(action.expected("`accept`, `decline` or `cancel`")),
    }
}

/// The value in the fields of a form.
fn value(
    question: &Question,
    revision: Revision,
    content: Option<&Place<'_>>,
    result: &Place<'_>,
) -> Result<Json, Error> {
    let schema = Document::new(question.schema.as_str())?;
    let form = Form::new(schema.root(), revision);
    let given = |name: &str| content.and_then(|content| content.node.get(name));
    if form.wrapped {
        let field = form.fields.first();
        let value = field.and_then(|field| field.read(given(&field.name)));
        return match (value, content) {
            (Some(value), _) => Ok(Json::written(value)),
            (None, Some(content)) => Err(missing(content)),
            (None, None) => Err(result
                .required("content")
                .err()
                .unwrap_or_else(|| missing(result))),
        };
    }
    let mut out = ObjectWriter::new();
    for field in &form.fields {
        out.optional_json(&field.name, field.read(given(&field.name)));
    }
    // What no field has is for the schema of the question to judge.
    for (name, node) in content
        .into_iter()
        .flat_map(|content| content.node.members())
    {
        if !form.fields.iter().any(|field| field.name == name) {
            out.json(&name, node.raw());
        }
    }
    Ok(Json::written(out.end()))
}

fn missing(content: &Place<'_>) -> Error {
    match content.required(WRAPPER) {
        Ok(blank) => blank.refuse("`answer` is left blank"),
        Err(missing) => missing,
    }
}

/// Who answered, and whether anybody was asked, as a peer that knows Toolwire says.
fn who(result: Node<'_>) -> (AnswerSource, bool) {
    let record = result.get("_meta").and_then(|meta| meta.get(KEY));
    let word = |name: &str| {
        record
            .and_then(|record| record.get(name))
            .and_then(|word| word.as_str())
    };
    let source = word("source").and_then(|word| word.parse().ok());
    let unavailable = word("state").is_some_and(|word| word == AnswerState::Unavailable.as_str());
    (source.unwrap_or(AnswerSource::User), unavailable)
}

/// The result with which an MCP server is answered. The answer to a form with the one field `answer` is put into that
/// field, as [`from_elicitation`](super::from_elicitation) took it out (ELI-54). Where a field is left out that has a default in
/// `requestedSchema`, the default is filled in (ELI-52).
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::call::{Answer, AnswerSource};
/// use toolwire::mcp::{Revision, answer_to_elicit_result};
///
/// let params = Json::new(
///     r#"{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","default":7}}}}"#,
/// )?;
/// let answer = Answer::accepted(Json::new("{}")?, AnswerSource::User);
/// let result = answer_to_elicit_result(&params, &answer, Revision::LATEST);
/// assert_eq!(result.as_str(), r#"{"action":"accept","content":{"n":7}}"#);
///
/// let params = Json::new(
///     r#"{"message":"?","requestedSchema":{"type":"object","properties":{"answer":{"type":"boolean"}},"required":["answer"]}}"#,
/// )?;
/// let answer = Answer::accepted(Json::from(true), AnswerSource::User);
/// let result = answer_to_elicit_result(&params, &answer, Revision::LATEST);
/// assert_eq!(result.as_str(), r#"{"action":"accept","content":{"answer":true}}"#);
///
/// let nobody = Answer::unavailable(AnswerSource::Policy);
/// let result = answer_to_elicit_result(&params, &nobody, Revision::LATEST);
/// assert!(result.as_str().starts_with(r#"{"action":"cancel""#));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn answer_to_elicit_result(params: &Json, answer: &Answer, revision: Revision) -> Json {
    let params = Document::new(params.as_str());
    let params = params.as_ref().map(|document| document.root()).ok();
    let url =
        params.is_some_and(|params| params.get("mode").is_some_and(|mode| mode.is_str("url")));
    let content = match url {
        true => None,
        false => answer
            .value()
            .and_then(|value| content(params, value, revision)),
    };
    let by_user = answer.source() == Some(AnswerSource::User);
    let action = match answer.state() {
        AnswerState::Accepted if content.is_some() => "accept",
        AnswerState::Opened if url && by_user => "accept",
        AnswerState::Declined => "decline",
        _ => "cancel",
    };
    let mut out = ObjectWriter::new();
    out.text("action", action);
    out.optional_json("content", content);
    let source = answer
        .source()
        .filter(|source| *source != AnswerSource::User);
    let unavailable = answer.state() == AnswerState::Unavailable;
    if source.is_some() || unavailable {
        let mut record = ObjectWriter::new();
        record.text("state", answer.state().as_str());
        record.optional("source", source.map(AnswerSource::as_str));
        out.json("_meta", ObjectWriter::new().json(KEY, record.end()).end());
    }
    Json::written(out.end())
}

/// The members of an answer, with the defaults of those that are left out.
fn content(params: Option<Node<'_>>, value: &Json, revision: Revision) -> Option<String> {
    let requested = params.and_then(|params| params.get("requestedSchema"));
    let wraps = requested.and_then(unwrapped).is_some();
    let value = match wraps {
        true => ObjectWriter::new().json(WRAPPER, value.as_str()).end(),
        false => value.to_string(),
    };
    let value = Document::new(&value).ok()?;
    let value = value.root();
    if value.kind() != Kind::Object {
        return None;
    }
    let mut out = ObjectWriter::new();
    for (name, node) in value.members() {
        if node.kind() != Kind::Null {
            out.json(&name, node.raw());
        }
    }
    let properties = requested.and_then(|requested| requested.get("properties"));
    let given: std::collections::HashSet<_> = value.members().map(|(name, _)| name).collect();
    for (name, property) in properties.into_iter().flat_map(|all| all.members()) {
        let default = property.get("default").filter(|default| {
            !given.contains(&name)
                && match default.kind() {
                    Kind::Null | Kind::Object => false,
                    Kind::Bool => true,
                    _ => revision > Revision::V2025_06_18,
                }
        });
        out.optional_json(&name, default.map(|default| default.raw()));
    }
    Some(out.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_opened_by_a_person_alone() {
        let params = Json::new(r#"{"mode":"url","message":"?","url":"https://example.org/"}"#);
        let answer = Answer::new(AnswerState::Opened, None, None);
        let result = answer_to_elicit_result(&params.unwrap(), &answer.unwrap(), Revision::LATEST);
        assert_eq!(result.as_str(), r#"{"action":"cancel"}"#);
    }
}
