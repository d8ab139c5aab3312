//! Laws of questions and answers on the way to MCP and back.

use fastrand::Rng;
use toolwire::Json;
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource};
use toolwire::json::{Document, Kind, Node, ObjectWriter};
use toolwire::mcp::{Fate, LossReport, Revision};
use toolwire_schema::{Allowance, Budget};

use super::schema::VALUES;
use crate::subject::Subject;

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
pub(super) fn form(subject: &dyn Subject, input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return hostile(subject, input);
    };
    hostile(subject, input)?;
    let mut rng = Rng::with_seed(salt);
    let revision = revision_of(&mut rng);
    let value = Json::new(VALUES[rng.usize(..VALUES.len())]).map_err(|error| error.to_string())?;
    let asked = question(&schema, rng.bool().then_some(value));
    let Ok(request) = subject.to_elicitation(&asked, revision) else {
        return Ok(());
    };
    let read = toolwire::mcp::from_elicitation(&request.params, "q")
        .map_err(|error| format!("no client reads {}: {error}", request.params))?;
    let kept_text = request
        .report
        .entries
        .iter()
        .any(|entry| entry.pointer == "/text" && entry.fate == Fate::Kept);
    if !read.report.is_lossless()
        || read.question.id != asked.id
        || kept_text != (read.question.text == asked.text)
    {
        return Err(format!("{} is read as {:?}", request.params, read.question));
    }
    let form = Document::new(read.question.schema.as_str()).map_err(|error| error.to_string())?;
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
    kept(&asked, &request.report, &read.question)
}

/// What is kept stands in the same place, or inside of the one field `answer`.
fn kept(asked: &Question, report: &LossReport, read: &Question) -> Result<(), String> {
    let wrapped = read.schema.at("/properties/answer").is_some()
        && !report
            .entries
            .iter()
            .any(|entry| entry.pointer == "/schema/required");
    for entry in &report.entries {
        let Some(place) = entry.pointer.strip_prefix("/schema") else {
            continue;
        };
        let before = asked.schema.at(place);
        if before.is_none() {
            return Err(format!("there is no `{}`", entry.pointer));
        }
        // What stands behind a reference, or in an alternative, is in another place.
        let direct = match wrapped {
            true => place.matches('/').count() == 1,
            false => place.starts_with("/properties/") && place.matches('/').count() == 3,
        };
        if entry.fate != Fate::Kept || !direct {
            continue;
        }
        let inside = format!("/properties/answer{place}");
        let after = read.schema.at(place).filter(|_| !wrapped);
        let after = after.or_else(|| read.schema.at(&inside));
        let same = |after: &Json| {
            before
                .as_ref()
                .is_some_and(|before| before.as_str() == after.as_str())
        };
        if !after.as_ref().is_some_and(same) && !is_reached_by_type(asked, &entry.pointer) {
            return Err(format!("`{}` is not kept: {}", entry.pointer, read.schema));
        }
    }
    Ok(())
}

/// The type of a form itself is its own, whatever the question's schema was.
fn is_reached_by_type(asked: &Question, pointer: &str) -> bool {
    pointer == "/schema/type"
        && asked
            .schema
            .at("/type")
            .is_some_and(|kind| kind == Json::from("object"))
}

/// A form made of anything, and any result of it, are read or refused.
fn hostile(subject: &dyn Subject, input: &[u8]) -> Result<(), String> {
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
            if let Ok(request) = subject.to_elicitation(&asked.question, *revision) {
                Json::new(request.params.as_str()).map_err(|error| error.to_string())?;
            }
            for result in [
                format!(r#"{{"action":"accept","content":{given}}}"#),
                format!(r#"{{"action":"accept","content":{{"a":{given},"answer":{given}}}}}"#),
            ] {
                let Ok(result) = Json::new(&result) else {
                    continue;
                };
                if let Ok(answer) = subject.answer_from(&asked.question, *revision, &result)
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
pub(super) fn answer(subject: &dyn Subject, input: &[u8], salt: u64) -> Result<(), String> {
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
        if subject.check(&schema, &value, &mut allowance).is_ok() {
            comes_back(subject, &schema, &value, revision)?;
        }
    }
    Ok(())
}

fn comes_back(
    subject: &dyn Subject,
    schema: &Json,
    value: &Json,
    revision: Revision,
) -> Result<(), String> {
    let asked = question(schema, Some(value.clone()));
    let Ok(request) = subject.to_elicitation(&asked, revision) else {
        return Ok(());
    };
    let dropped = |entry: &toolwire::mcp::Mapped| {
        entry.fate == Fate::Dropped && entry.pointer.starts_with("/default")
    };
    if request.report.entries.iter().any(dropped) {
        return Ok(());
    }
    // What a person sends who changes nothing.
    let properties = request.params.at("/requestedSchema/properties");
    let properties = properties.ok_or("a form without properties")?;
    let properties = Document::new(properties.as_str()).map_err(|error| error.to_string())?;
    let given = Document::new(value.as_str()).map_err(|error| error.to_string())?;
    let wrapped = !request
        .report
        .entries
        .iter()
        .any(|entry| entry.pointer.starts_with("/default/"))
        && !is_form(properties.root(), given.root());
    let mut content = ObjectWriter::new();
    for (name, property) in properties.root().members() {
        let sent = wrapped || given.root().get(&name).is_some();
        let default = property.get("default").filter(|_| sent);
        content.optional_json(&name, default.map(|default| default.raw()));
    }
    let result = format!(r#"{{"action":"accept","content":{}}}"#, content.end());
    let result = Json::new(result).map_err(|error| error.to_string())?;
    let answer = subject
        .answer_from(&asked, revision, &result)
        .map_err(|error| format!("{result} is refused: {error}"))?;
    let after = answer.value().ok_or("an answer without a value")?;
    let back = match wrapped {
        true => after.exact().as_str() == value.exact().as_str(),
        false => given.root().members().all(|(name, before)| {
            let place = toolwire::json::pointer::join("", &name);
            let after = after.at(&place).map(|after| after.exact());
            // For null in an optional member there is no place in a form.
            before.kind() == Kind::Null
                || after.is_some_and(|after| after.as_str() == Json::from(before).exact().as_str())
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
