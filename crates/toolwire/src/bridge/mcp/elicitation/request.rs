//! From a question to the parameters of `elicitation/create` (ELI-1 to ELI-20).

use super::super::{Fate, LossReport, Revision};
use super::form::Form;
use super::property::{Target, property};
use super::wording::warned;
use crate::base::json::{Document, Kind, Node, ObjectWriter, array, pointer, string};
use crate::block::Question;
use crate::protocol::question::{
    RefusalAbout, RefusalOptions, SecretContext, SecretTier, find_secret, refuse_declared,
};
use crate::{Code, Error, Json, WebUrl};

/// What a server knows about a question.
///
/// ```
/// use toolwire::mcp::ElicitOptions;
///
/// assert!(ElicitOptions::default().context.is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ElicitOptions<'a> {
    /// The texts before the question, by which it may be suspected of asking for a secret (Q-120).
    pub context: Option<&'a SecretContext<'a>>,
    /// What the question seems to ask for, if an earlier check of other texts has found that.
    pub suspected: Option<RefusalAbout>,
    /// The id of a page that is asked to be opened, unique among those of the server. 2025-11-25 needs it.
    pub elicitation_id: Option<String>,
    /// Who asks and what is better than to type a secret, for the warning of ELI-4. `host` is the name of
    /// the client, and may be empty; `reason` and `about` are ignored.
    pub about: RefusalOptions,
}

/// A question as an MCP client can be asked it.
///
/// ```
/// use toolwire::mcp::{ElicitOptions, Revision, to_elicitation};
/// use toolwire::question::read_question;
///
/// let question = read_question(r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}"#)?;
/// let request = to_elicitation(&question, Revision::V2025_06_18, &ElicitOptions::default())?;
/// assert_eq!(
///     request.params.as_str(),
///     concat!(
///         r#"{"message":"Go on?","requestedSchema":{"type":"object","#,
///         r#""properties":{"answer":{"type":"boolean"}},"required":["answer"]}}"#,
///     ),
/// );
/// assert!(request.report.is_lossless());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ElicitRequest {
    /// The `params` of `elicitation/create`.
    pub params: Json,
    /// What became of each member of the question.
    pub report: LossReport,
}

/// Asks a question of an MCP client: a page if it has a `url` (ELI-20); else a form, of one field for each member
/// of a flat object or else of one field `answer` (ELI-10 to ELI-18). What a form cannot say is widened, never narrowed, so
/// [`answer_from_elicit_result`](super::answer_from_elicit_result) gives a value that is still to be checked
/// against the question's schema (Q-29).
///
/// # Errors
///
/// `secret_question`, with a pointer into the question, if it declares a secret (ELI-3); `cannot_elicit` at `/url` if
/// it has a page and the revision knows none (ELI-2); `bad_option` at `/elicitationId` if the revision needs it, and
/// `bad_argument` at `/url` if that is no page; the code of the first
/// place of its schema or default that is not strict JSON.
///
/// # Examples
///
/// ```
/// use toolwire::Code;
/// use toolwire::mcp::{ElicitOptions, Fate, Revision, to_elicitation};
/// use toolwire::question::read_question;
///
/// let question = read_question(
///     r#"{"id":"slug","text":"Which slug?","schema":{"type":"string","pattern":"^[a-z]+$"}}"#,
/// )?;
/// let request = to_elicitation(&question, Revision::LATEST, &ElicitOptions::default())?;
/// assert!(request.params.as_str().contains(r#""description":"pattern ^[a-z]+$""#));
/// let entry = &request.report.entries[1];
/// assert_eq!((entry.pointer.as_str(), entry.fate), ("/schema", Fate::Approximated));
///
/// let secret = read_question(r#"{"id":"password","text":"?","schema":{"type":"string"}}"#)?;
/// let error = to_elicitation(&secret, Revision::LATEST, &ElicitOptions::default()).unwrap_err();
/// assert_eq!(error.code(), Code::SecretQuestion);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn to_elicitation(
    question: &Question,
    revision: Revision,
    options: &ElicitOptions<'_>,
) -> Result<ElicitRequest, Error> {
    if let Some(url) = &question.url {
        return page(question, url, revision, options);
    }
    refuse_declared(question)?;
    let schema = Document::new(question.schema.as_str())?;
    let root = schema.root();
    let default = question.default.as_ref();
    let default = default
        .map(|json| Document::new(json.as_str()))
        .transpose()?;
    let default = default.as_ref().map(Document::root);
    let form = Form::new(root, revision);
    let none = SecretContext::default();
    let secret = find_secret(question, options.context.unwrap_or(&none));
    let secret = secret.filter(|secret| secret.tier == SecretTier::Suspected);
    let secret = secret.map(|secret| secret.about).or(options.suspected);
    let target = Target {
        revision,
        defaults: secret.is_none(),
    };

    let mut report = LossReport::default();
    report.add("/id", Fate::Kept, "");
    unknown(question, &mut report);
    let mut message = question.text.clone();
    if let Some(about) = secret {
        message = warned(&message, &options.about, about);
    }
    let description = form
        .schema
        .get("description")
        .and_then(|text| text.as_str());
    if let Some(text) = description.filter(|text| !form.wrapped && !text.is_empty()) {
        message = format!("{message}\n\n{text}");
    }
    match message == question.text {
        true => report.add("/text", Fate::Kept, ""),
        false => report.add("/text", Fate::Approximated, "the message says more"),
    }

    let is_said =
        |name: &str| ["type", "properties", "required", "$defs", "definitions"].contains(&name);
    let widens = form
        .fields
        .iter()
        .any(|field| field.nullable && field.required);
    let is_whole = form.wrapped || !widens && root.members().all(|(name, _)| is_said(&name));
    report_schema(&mut report, "/schema".to_owned(), is_whole);
    let mut properties = ObjectWriter::new();
    let mut fates = Vec::new();
    for field in &form.fields {
        let given = match form.wrapped {
            true => default,
            false => default.and_then(|default| default.get(&field.name)),
        };
        let (property, fate) = property(field, given, target);
        let own = match form.wrapped || root.get("properties").is_none() {
            true => "/schema".to_owned(),
            false => pointer::join("/schema/properties", &field.name),
        };
        report_schema(
            &mut report,
            own,
            says_all(&property, field.own, given.is_some()),
        );
        properties.json(&field.name, property);
        fates.extend(fate);
    }
    if let Some(default) = default {
        let is_known =
            form.wrapped || default.kind() == Kind::Object && fates.len() == default.len();
        let fate = match is_known {
            true => fates.into_iter().max().unwrap_or(Fate::Kept),
            false => Fate::Dropped,
        };
        let why = match fate {
            Fate::Kept => "",
            _ => "the form cannot have all of it",
        };
        report.add("/default", fate, why);
    }
    let mut requested = ObjectWriter::new();
    requested.text("type", "object");
    requested.json("properties", properties.end());
    let required: Vec<String> = form.required().map(string).collect();
    if !required.is_empty() {
        requested.json("required", array(required));
    }
    let mut params = ObjectWriter::new();
    if revision > Revision::V2025_06_18 {
        params.text("mode", "form");
    }
    params.text("message", message);
    params.json("requestedSchema", requested.end());
    Ok(ElicitRequest {
        params: Json::written(params.end()),
        report: report.finished(),
    })
}

/// Reports whether a form has all of a schema.
fn report_schema(report: &mut LossReport, at: String, is_whole: bool) {
    match is_whole {
        true => report.add(at, Fate::Kept, ""),
        false => report.add(
            at,
            Fate::Approximated,
            "the form accepts more, and the answer is checked against the schema",
        ),
    }
}

/// Whether a property has every keyword of a schema, definitions aside, and its default if the question has none.
fn says_all(property: &str, schema: Node<'_>, has_default: bool) -> bool {
    let Ok(property) = Document::new(property) else {
        return false;
    };
    schema.members().all(|(name, value)| {
        let same = |own: Node<'_>| Json::from(own).is_exactly(&Json::from(value));
        ["$defs", "definitions"].contains(&name.as_ref())
            || name == "default" && has_default
            || property.root().get(&name).is_some_and(same)
    })
}

/// Asks to open a page (ELI-20).
fn page(
    question: &Question,
    url: &str,
    revision: Revision,
    options: &ElicitOptions<'_>,
) -> Result<ElicitRequest, Error> {
    if WebUrl::new(url).is_none() {
        let message = format!("`url` is {}", WebUrl::EXPECTED);
        return Err(Error::new(Code::BadArgument, "/url", None, message));
    }
    let id = match (revision, &options.elicitation_id) {
        (Revision::V2025_06_18, _) => {
            let message = "MCP 2025-06-18 cannot ask to open a page: offer the URL in a text";
            return Err(Error::new(Code::CannotElicit, "/url", None, message));
        }
        (Revision::V2025_11_25, Some(id)) if !id.is_empty() => Some(id),
        (Revision::V2025_11_25, _) => {
            let message = "MCP 2025-11-25 needs an `elicitationId` to ask to open a page";
            return Err(Error::new(Code::BadOption, "/elicitationId", None, message));
        }
        (Revision::V2026_07_28, _) => None,
    };
    let mut report = LossReport::default();
    for place in ["/id", "/text", "/url"] {
        report.add(place, Fate::Kept, "");
    }
    let why = "no value answers a page";
    report.add("/schema", Fate::Dropped, why);
    if question.default.is_some() {
        report.add("/default", Fate::Dropped, why);
    }
    unknown(question, &mut report);
    let mut params = ObjectWriter::new();
    params.text("mode", "url").text("message", &question.text);
    params.optional("elicitationId", id).text("url", url);
    Ok(ElicitRequest {
        params: Json::written(params.end()),
        report: report.finished(),
    })
}

/// Reports the unknown members of a question.
fn unknown(question: &Question, report: &mut LossReport) {
    for name in question.extra.keys() {
        let why = "MCP has no such member";
        report.add(pointer::join("", name), Fate::Dropped, why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::question::read_question;

    #[test]
    fn fields_keep_their_order_and_numbers_their_spelling() {
        let question = read_question(
            r#"{"id":"q","text":"?","schema":{"type":"object","properties":{"b":{"type":"number","maximum":1.50},"a":{"type":"boolean"}}},"default":{"b":1e0}}"#,
        );
        let request = to_elicitation(
            &question.unwrap(),
            Revision::LATEST,
            &ElicitOptions::default(),
        );
        let expected = r#""properties":{"b":{"type":"number","maximum":1.50,"default":1e0},"a":{"type":"boolean"}}"#;
        assert!(request.unwrap().params.as_str().contains(expected));
    }
}
