//! From the parameters of `elicitation/create` to a question (ELI-40 to ELI-46).

use super::super::{Fate, LossReport};
use super::form::unwrapped;
use crate::base::json::{Document, Kind, Node, ObjectWriter, Place, pointer};
use crate::block::Question;
use crate::{Code, Error, Json, WebUrl};

/// A question that an MCP server asks.
///
/// ```
/// use toolwire::Json;
/// use toolwire::mcp::from_elicitation;
///
/// let params = Json::new(
///     r#"{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}"#,
/// )?;
/// let asked = from_elicitation(&params, "who")?;
/// assert_eq!((asked.question.id.as_str(), asked.question.text.as_str()), ("who", "Who?"));
/// assert!(asked.report.is_lossless());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FromElicitation {
    /// The question. Its schema is the `requestedSchema`, so its answer is an object, unless the form is what a
    /// question of one value becomes: then it is that of the one field `answer` (ELI-46).
    pub question: Question,
    /// What became of each member of the parameters.
    pub report: LossReport,
}

/// Reads what an MCP server asks. A request without a `mode` is a form. A form with the one required field
/// `answer`, which [`to_elicitation`](super::to_elicitation) makes of a question of one value, becomes such a
/// question again; [`answer_to_elicit_result`](super::answer_to_elicit_result) puts its answer into the field.
///
/// The server is trusted with nothing: whether it asks for a secret is judged like any question's (Q-20, Q-110),
/// and what it writes is shown as a tool's words are.
///
/// # Errors
///
/// `bad_argument` at `/id` if the id is empty; `bad_elicitation`, with a pointer into the parameters, if `message` is
/// not a string, if `mode` is another one, or if `requestedSchema` is no schema of an object, or `url` no
/// page that a host may open (ELI-40, ELI-41, ELI-45).
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Json};
/// use toolwire::mcp::from_elicitation;
///
/// let params = r#"{"message":"Go on?","requestedSchema":{"type":"object","properties":{"answer":{"type":"boolean"}},"required":["answer"]}}"#;
/// let asked = from_elicitation(&Json::new(params)?, "ok")?;
/// assert_eq!(asked.question.schema.as_str(), r#"{"type":"boolean"}"#);
///
/// let params = Json::new(r#"{"mode":"voice","message":"Who?"}"#)?;
/// let error = from_elicitation(&params, "who").unwrap_err();
/// assert_eq!((error.code(), error.pointer()), (Code::BadElicitation, "/mode"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn from_elicitation(params: &Json, id: &str) -> Result<FromElicitation, Error> {
    if id.is_empty() {
        let message = "the id of a question is empty";
        return Err(Error::new(Code::BadArgument, "/id", None, message));
    }
    let document = Document::new(params.as_str())?;
    let place = Place::new(document.root(), "", Code::BadElicitation).object()?;
    match place.member("mode") {
        None => form(&place, id),
        Some(mode) => match mode.string()?.as_str() {
            "form" => form(&place, id),
            "url" => page(&place, id),
            _ => Err(mode.expected("`form` or `url`")),
        },
    }
}

/// Reads the request to open a page.
fn page(place: &Place<'_>, id: &str) -> Result<FromElicitation, Error> {
    let text = place.required("message")?.string()?;
    let url = place.required("url")?;
    let page = url.string()?;
    if WebUrl::new(&page).is_none() {
        return Err(url.expected(WebUrl::EXPECTED));
    }
    if let Some(id) = place.member("elicitationId") {
        id.string()?;
    }
    let question = Question {
        id: id.to_owned(),
        text,
        schema: Json::empty_object(),
        default: None,
        url: Some(page),
        extra: Default::default(),
    };
    let report = members(place, &["mode", "message", "url"]).finished();
    Ok(FromElicitation { question, report })
}

/// What becomes of the members of a request.
fn members(place: &Place<'_>, kept: &[&str]) -> LossReport {
    let mut report = LossReport::default();
    for (name, _) in place.node.members() {
        let (fate, why) = match name.as_ref() {
            name if kept.contains(&name) => (Fate::Kept, ""),
            "elicitationId" => (Fate::Dropped, "the client keeps it beside the question"),
            _ => (Fate::Dropped, "a question has no such member"),
        };
        report.add(pointer::join("", &name), fate, why);
    }
    report
}

/// Reads a form.
fn form(place: &Place<'_>, id: &str) -> Result<FromElicitation, Error> {
    let mut text = place.required("message")?.string()?;
    let requested = place.required("requestedSchema")?.object()?;
    let typed = match requested.member("type") {
        Some(kind) if kind.node.is_str("object") => true,
        Some(kind) => return Err(kind.expected("`object`")),
        None => false,
    };
    if let Some(properties) = requested.member("properties") {
        for (_, property) in properties.object()?.members() {
            property.object()?;
        }
    }

    let mut report = members(place, &["mode", "message", "requestedSchema"]);
    let answer = unwrapped(requested.node);
    let default = match answer {
        Some(answer) => answer.get("default").and_then(given).map(Json::from),
        None => default(requested.node),
    };
    let schema = if let Some(answer) = answer {
        let why = "its one field is the answer itself";
        report.add("/requestedSchema", Fate::Moved, why);
        if let Some(said) = said(answer, &text) {
            text = format!("{text}\n\n{said}");
            let why = "the title and the description of the field follow it";
            report.add("/message", Fate::Approximated, why);
        }
        Json::from(answer)
    } else if typed {
        Json::from(requested.node)
    } else {
        let why = "the type of a form is `object`: it is added";
        report.add("/requestedSchema", Fate::Approximated, why);
        let mut out = ObjectWriter::new();
        out.text("type", "object");
        for (name, node) in requested.node.members() {
            out.json(&name, node.raw());
        }
        Json::written(out.end())
    };
    let question = Question {
        url: None,
        id: id.to_owned(),
        text,
        default,
        schema,
        extra: Default::default(),
    };
    let report = report.finished();
    Ok(FromElicitation { question, report })
}

/// What stands beside a field: the prompt for a single value shows the text of the question alone.
fn said(field: Node<'_>, text: &str) -> Option<String> {
    let said = ["title", "description"].map(|name| field.get(name).and_then(|said| said.as_str()));
    let said = said.into_iter().flatten();
    let said: Vec<_> = said
        .filter(|said| !said.trim().is_empty() && said != text)
        .collect();
    (!said.is_empty()).then(|| said.join("\n"))
}

/// A default, unless it says that there is none.
fn given(default: Node<'_>) -> Option<Node<'_>> {
    (default.kind() != Kind::Null).then_some(default)
}

/// The defaults of all fields as one object, if no required field lacks one.
fn default(schema: Node<'_>) -> Option<Json> {
    let properties = schema.get("properties")?;
    let required = schema.get("required").into_iter();
    let mut required = required.flat_map(|names| names.elements());
    let lacking = |name: Node<'_>| {
        let name = name.as_str().unwrap_or_default();
        let property = properties.get(&name);
        property.is_none_or(|property| property.get("default").is_none())
    };
    if required.any(lacking) {
        return None;
    }
    let mut out = ObjectWriter::new();
    let mut any = false;
    for (name, property) in properties.members() {
        let default = property.get("default").and_then(given);
        any |= default.is_some();
        out.optional_json(&name, default.map(|default| default.raw()));
    }
    any.then(|| Json::written(out.end()))
}
