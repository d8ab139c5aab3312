//! Laws of questions and answers on the way to MCP and back.

use std::collections::BTreeSet;

use crate::rng::Rng;
use toolwire::Json;
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource};
use toolwire::json::{Document, Kind, Node, ObjectWriter, pointer};
use toolwire::mcp::{ElicitRequest, Fate, LossReport, Mapped, Revision};
use toolwire_schema::{Allowance, Budget};

use super::schema::VALUES;
use super::told::{about, is_well_told_of};
use crate::calls;

/// What a property of a form may have, by its type and revision.
fn known(kind: &str, revision: Revision) -> &'static [&'static str] {
    let later = revision > Revision::V2025_06_18;
    match kind {
        "string" if later => &[
            "type",
            "title",
            "description",
            "default",
            "minLength",
            "maxLength",
            "format",
            "enum",
            "enumNames",
            "oneOf",
        ],
        "string" => &[
            "type",
            "title",
            "description",
            "minLength",
            "maxLength",
            "format",
            "enum",
            "enumNames",
        ],
        "boolean" => &["type", "title", "description", "default"],
        "integer" | "number" if later => &[
            "type",
            "title",
            "description",
            "default",
            "minimum",
            "maximum",
        ],
        "integer" | "number" => &["type", "title", "description", "minimum", "maximum"],
        "array" if later => &[
            "type",
            "title",
            "description",
            "default",
            "minItems",
            "maxItems",
            "items",
        ],
        _ => &[],
    }
}

fn question(schema: &Json, default: Option<Json>) -> Question {
    Question {
        id: "q".to_owned(),
        text: "?".to_owned(),
        schema: schema.clone(),
        default,
        url: None,
        extra: Default::default(),
    }
}

fn schema_of(input: &[u8]) -> Option<Json> {
    let schema = Json::new(std::str::from_utf8(input).ok()?).ok()?;
    schema.as_str().starts_with('{').then_some(schema)
}

fn revision_of(rng: &mut Rng) -> Revision {
    Revision::ALL[rng.usize(..Revision::ALL.len())]
}

/// A form has nothing that its revision does not know, and what the report calls kept is the same in the
/// question that a client makes of it.
pub(super) fn form(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return hostile(input);
    };
    hostile(input)?;
    let mut rng = Rng::with_seed(salt);
    let revision = revision_of(&mut rng);
    let value = Json::new(VALUES[rng.usize(..VALUES.len())]).map_err(|error| error.to_string())?;
    let asked = question(&schema, rng.bool().then_some(value));
    let Ok(request) = calls::to_elicitation(&asked, revision) else {
        return Ok(());
    };
    let read = toolwire::mcp::from_elicitation(&request.params, "q")
        .map_err(|error| format!("no client reads {}: {error}", request.params))?;
    is_well_told_of(&read.report, request.params.as_str())?;
    is_well_told_of(&request.report, &json(&asked))?;
    let fate = |report: &LossReport, place: &str| about(report, place).map(|entry| entry.fate);
    let says_more = fate(&read.report, "/message") == Some(Fate::Approximated);
    let kept_text = fate(&request.report, "/text") == Some(Fate::Kept) && !says_more;
    let dropped = |entry: &Mapped| entry.fate == Fate::Dropped;
    if read.report.entries.iter().any(dropped)
        || read.question.id != asked.id
        || kept_text != (read.question.text == asked.text)
        || !read.question.text.contains(&asked.text)
    {
        return Err(format!("{} is read as {:?}", request.params, read.question));
    }
    let form = request.params.at("/requestedSchema");
    let form = form.ok_or("a form without a schema")?;
    let form = Document::new(form.as_str()).map_err(|error| error.to_string())?;
    let properties = form.root().get("properties");
    for (name, property) in properties.into_iter().flat_map(|all| all.members()) {
        let kind = property.get("type").and_then(|kind| kind.as_str());
        let known = known(&kind.unwrap_or_default(), revision);
        let odd = property
            .members()
            .find(|(name, _)| !known.contains(&name.as_ref()));
        if known.is_empty() || odd.is_some() {
            return Err(format!(
                "`{name}` is no field of {revision}: {}",
                property.raw()
            ));
        }
    }
    let schema = Document::new(asked.schema.as_str()).map_err(|error| error.to_string())?;
    match is_flat(schema.root(), form.root()) {
        true => kept_object(schema.root(), form.root(), &request.report),
        false => {
            let field = properties.and_then(|all| all.get("answer"));
            let field = field.ok_or("a form without a field for the answer")?;
            kept(schema.root(), field, "/schema", &request.report)?;
            comes_back_as(&asked, &request, &read.question)
        }
    }
}

fn json(question: &Question) -> String {
    let mut out = ObjectWriter::new();
    out.text("id", &question.id).text("text", &question.text);
    out.json("schema", question.schema.as_str());
    out.optional_json("default", question.default.as_ref().map(Json::as_str));
    out.end()
}

/// Whether the fields of a form are the properties of a schema, and not one field for all.
fn is_flat(schema: Node<'_>, form: Node<'_>) -> bool {
    let (Some(properties), Some(fields)) = (schema.get("properties"), form.get("properties"))
    else {
        // What a reference at the root leads to is somewhere else.
        return form
            .get("properties")
            .is_none_or(|all| all.get("answer").is_none());
    };
    let same = properties.len() == fields.len()
        && properties
            .members()
            .all(|(name, _)| fields.get(&name).is_some());
    let is_object = |kind: Node<'_>| {
        kind.is_str("object")
            || kind.kind() == Kind::Array && kind.elements().all(|one| one.is_str("object"))
    };
    same && schema.get("type").is_some_and(is_object)
}

/// What is kept of a flat object stands at its place, and what is required is.
fn kept_object(schema: Node<'_>, form: Node<'_>, report: &LossReport) -> Result<(), String> {
    let names = |node: Node<'_>| -> BTreeSet<String> {
        let names = node.get("required").into_iter();
        let names = names.flat_map(|names| names.elements());
        names
            .filter_map(|name| Some(name.as_str()?.into_owned()))
            .collect()
    };
    let fate = about(report, "/schema/required").map(|entry| entry.fate);
    if schema.get("$ref").is_none() && fate == Some(Fate::Kept) && names(schema) != names(form) {
        return Err(format!("`required` is not kept: {}", form.raw()));
    }
    let properties = schema.get("properties").into_iter();
    for (name, property) in properties.flat_map(|all| all.members()) {
        let place = pointer::join("/schema/properties", &name);
        let field = form.get("properties").and_then(|all| all.get(&name));
        if let Some(field) = field {
            kept(property, field, &place, report)?;
        }
    }
    Ok(())
}

/// The members of a schema that the report is not about. A default can be the question's.
const SILENT: [&str; 4] = ["properties", "$defs", "definitions", "default"];

/// Each keyword that is kept is in the field.
fn kept(schema: Node<'_>, field: Node<'_>, place: &str, report: &LossReport) -> Result<(), String> {
    for (name, before) in schema.members() {
        let place = pointer::join(place, &name);
        let fate = about(report, &place).map(|entry| entry.fate);
        let same = |after: Node<'_>| {
            Json::from(after).sorted().as_str() == Json::from(before).sorted().as_str()
        };
        if fate == Some(Fate::Kept)
            && !SILENT.contains(&name.as_ref())
            && !field.get(&name).is_some_and(same)
        {
            return Err(format!("`{place}` is not kept: {}", field.raw()));
        }
    }
    Ok(())
}

/// A question of one value of which everything is kept is asked by the client as it was by the tool.
fn comes_back_as(asked: &Question, request: &ElicitRequest, read: &Question) -> Result<(), String> {
    let is_kept = |entry: &Mapped| entry.fate == Fate::Kept;
    if !request.report.entries.iter().all(is_kept) {
        return Ok(());
    }
    let default = asked
        .default
        .clone()
        .or_else(|| asked.schema.at("/default"));
    let exact = |json: &Option<Json>| json.as_ref().map(|json| json.sorted().to_string());
    if exact(&default) != exact(&read.default) {
        return Err(format!(
            "the default {default:?} came back as {:?}",
            read.default
        ));
    }
    let schema = Document::new(read.schema.as_str()).map_err(|error| error.to_string())?;
    let added = |name: &str| asked.schema.at(&pointer::join("", name)).is_none();
    let more = schema.root().members().find(|(name, _)| {
        !["type", "default", "description"].contains(&name.as_ref()) && added(name)
    });
    match more {
        Some((name, _)) => Err(format!("`{name}` was added: {}", read.schema)),
        None => Ok(()),
    }
}

/// A form made of anything, and any result of it, are read or refused.
fn hostile(input: &[u8]) -> Result<(), String> {
    let Ok(given) = Json::new(String::from_utf8_lossy(input)) else {
        return Ok(());
    };
    let answer = Answer::accepted(given.clone(), AnswerSource::User);
    for text in [
        given.to_string(),
        format!(r#"{{"message":"?","requestedSchema":{given}}}"#),
        format!(r#"{{"message":"?","requestedSchema":{{"properties":{{"a":{given}}}}}}}"#),
        format!(r#"{{"mode":"url","message":"?","url":{given}}}"#),
    ] {
        let Ok(params) = Json::new(&text) else {
            continue;
        };
        for revision in Revision::ALL {
            let result = toolwire::mcp::answer_to_elicit_result(&params, &answer, *revision);
            Json::new(result.as_str()).map_err(|error| format!("{result} is no JSON: {error}"))?;
        }
        let Ok(asked) = toolwire::mcp::from_elicitation(&params, "q") else {
            continue;
        };
        for revision in Revision::ALL {
            if let Ok(request) = calls::to_elicitation(&asked.question, *revision) {
                Json::new(request.params.as_str()).map_err(|error| error.to_string())?;
            }
            for result in [
                format!(r#"{{"action":"accept","content":{given}}}"#),
                format!(r#"{{"action":"accept","content":{{"a":{given},"answer":{given}}}}}"#),
            ] {
                let Ok(result) = Json::new(&result) else {
                    continue;
                };
                if let Ok(answer) =
                    toolwire::mcp::answer_from_elicit_result(&asked.question, *revision, &result)
                    && let Some(value) = answer.value()
                {
                    Json::new(value.as_str()).map_err(|error| error.to_string())?;
                }
            }
        }
    }
    Ok(())
}

/// A value that fits, and that a form shows as the default, comes back with its digits.
pub(super) fn answer(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return Ok(());
    };
    let mut rng = Rng::with_seed(salt);
    let revision = [Revision::V2025_11_25, Revision::V2026_07_28][rng.usize(..2)];
    for _ in 0..8 {
        let value = VALUES[rng.usize(..VALUES.len())];
        let value = Json::new(value).map_err(|error| error.to_string())?;
        let mut allowance = Allowance::new(Budget {
            steps: 20_000,
            ..Budget::default()
        });
        if toolwire_schema::check_value_within(&schema, &value, &mut allowance).is_ok() {
            comes_back(&schema, &value, revision)?;
        }
    }
    Ok(())
}

fn comes_back(schema: &Json, value: &Json, revision: Revision) -> Result<(), String> {
    let asked = question(schema, Some(value.clone()));
    let Ok(request) = calls::to_elicitation(&asked, revision) else {
        return Ok(());
    };
    let dropped = |entry: &Mapped| entry.fate == Fate::Dropped && entry.pointer == "/default";
    if request.report.entries.iter().any(dropped) {
        return Ok(());
    }
    // What a person sends who changes nothing.
    let properties = request.params.at("/requestedSchema/properties");
    let properties = properties.ok_or("a form without properties")?;
    let properties = Document::new(properties.as_str()).map_err(|error| error.to_string())?;
    let given = Document::new(value.as_str()).map_err(|error| error.to_string())?;
    let wrapped = !is_form(properties.root(), given.root());
    let mut content = ObjectWriter::new();
    for (name, property) in properties.root().members() {
        let sent = wrapped || given.root().get(&name).is_some();
        let default = property.get("default").filter(|_| sent);
        content.optional_json(&name, default.map(|default| default.raw()));
    }
    let result = format!(r#"{{"action":"accept","content":{}}}"#, content.end());
    let result = Json::new(result).map_err(|error| error.to_string())?;
    let answer = toolwire::mcp::answer_from_elicit_result(&asked, revision, &result)
        .map_err(|error| format!("{result} is refused: {error}"))?;
    let after = answer.value().ok_or("an answer without a value")?;
    let back = match wrapped {
        true => after.sorted().as_str() == value.sorted().as_str(),
        false => given.root().members().all(|(name, before)| {
            let place = pointer::join("", &name);
            let after = after.at(&place).map(|after| after.sorted());
            // For null in an optional member there is no place in a form.
            before.kind() == Kind::Null
                || after.is_some_and(|after| after.as_str() == Json::from(before).sorted().as_str())
        }),
    };
    match back {
        true => Ok(()),
        false => Err(format!(
            "{value} came back as {after}, from {}",
            request.params
        )),
    }
}

/// Whether the fields of a form are the members of a value.
fn is_form(properties: Node<'_>, value: Node<'_>) -> bool {
    value.kind() == Kind::Object
        && value
            .members()
            .all(|(name, _)| properties.get(&name).is_some())
        && (properties.get("answer").is_none() || properties.len() != 1)
}
