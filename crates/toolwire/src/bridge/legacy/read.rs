//! The three formats, member by member (LEG-10 to LEG-13).

use super::draft::{Draft, KEY};
use super::tag;
use crate::base::json::{Document, ObjectWriter, Place};
use crate::{Code, Error, Json, Status};

/// A draft, and the members of the root that it uses.
type Read = Result<(Draft, &'static [&'static str]), Error>;

/// `Outcome` (LEG-10).
pub(super) fn outcome(root: &Place<'_>) -> Read {
    let mut draft = Draft::default();
    let used: &[&str] = match root.required("type")?.string()?.as_str() {
        "success" => {
            draft.text(&root.required("content")?)?;
            &["content"]
        }
        "error" => {
            draft.error(root)?;
            &["message", "trace", "transient"]
        }
        _ => {
            draft.blocks.push(question(root)?);
            &["question"]
        }
    };
    Ok((draft, used))
}

/// `ToolState` in the spellings of RFD 009 (LEG-12).
pub(super) fn tool_state(root: &Place<'_>) -> Read {
    let mut draft = Draft::default();
    let state = root.required(tag(root))?.string()?;
    let content = root.given("content");
    let error = root.given("error");
    let result = root.member("result").filter(|_| state == "stopped");
    if let Some(text) = content.as_ref().filter(|_| result.is_none()) {
        draft.text(text)?;
    }
    let used: &[&str] = match (state.as_str(), result) {
        ("stopped", Some(result)) => {
            if result.node.as_str().is_some() {
                draft.text(&result)?;
            } else {
                match result.clone().object()?.member("Err") {
                    Some(error) if result.node.get("Ok").is_none() => {
                        draft.error(&error.object()?)?
                    }
                    Some(_) => return Err(result.refuse("`result` has one of `Ok` and `Err`")),
                    None => draft.text(&result.required("Ok")?)?,
                }
            }
            &["result"]
        }
        ("stopped", None) => {
            if let Some(error) = error {
                draft.error(&error.object()?)?;
            } else if root.member("content").is_none() && root.member("error").is_none() {
                return Err(root.lacks("result", "`result` is missing"));
            }
            &["content", "error"]
        }
        ("waiting", _) => {
            draft.blocks.push(question(root)?);
            &["content", "question"]
        }
        _ => &["content"],
    };
    draft.status = Some(match state.as_str() {
        "stopped" => Status::Stopped,
        "waiting" => Status::Waiting,
        _ => Status::Running,
    });
    Ok((draft, used))
}

/// The block of the question of an `Outcome` or a `ToolState` (LEG-11).
fn question(root: &Place<'_>) -> Result<String, Error> {
    let place = root.required("question")?.object()?;
    let mut question = ObjectWriter::new();
    for name in ["id", "text"] {
        let member = place.required(name)?;
        member.filled()?;
        question.json(name, member.node.raw());
    }
    question.json("schema", schema(&place.required("answer_type")?)?);
    let default = place.given("default");
    question.optional_json("default", default.map(|default| default.node.raw()));
    let known = ["id", "text", "answer_type", "default", "schema", "url"];
    question.members(&place.rest(&known));
    let mut block = ObjectWriter::new();
    block
        .json("question", question.end())
        .text("type", "question");
    Ok(block.end())
}

fn schema(answer: &Place<'_>) -> Result<String, Error> {
    let expected = || answer.expected("`Boolean`, `Text` or `Select` with its `options`");
    if let Some(word) = answer.node.as_str() {
        return match word.as_ref() {
            "Boolean" | "boolean" => Ok(r#"{"type":"boolean"}"#.to_owned()),
            "Text" | "text" => Ok(r#"{"type":"string"}"#.to_owned()),
            _ => Err(expected()),
        };
    }
    let select = answer.member("Select").or_else(|| answer.member("select"));
    let options = select.ok_or_else(expected)?.object()?.required("options")?;
    options.clone().strings()?;
    let mut schema = ObjectWriter::new();
    schema
        .json("enum", options.node.raw())
        .text("type", "string");
    Ok(schema.end())
}

/// A result that asks with blocks `input_text` (LEG-13).
pub(super) fn input_text(root: &Place<'_>) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    for block in root.required("content")?.array()?.elements() {
        draft.blocks.push(match block.node.get("type") {
            Some(kind) if kind.is_str("input_text") => input_question(&block)?,
            _ => block.node.raw().to_owned(),
        });
    }
    draft.carry_over(root.node);
    if let Some(flag) = root.member("isError") {
        draft.keep("isError", Json::from(flag.flag()?));
    }
    Ok(draft)
}

fn input_question(block: &Place<'_>) -> Result<String, Error> {
    let metadata = block.required("metadata")?;
    // Some servers wrote it as JSON in a string.
    let text = metadata.node.as_str();
    let document = text.as_deref().map(Document::new).transpose();
    let document = document.map_err(|_| metadata.expected("an object, or JSON of one"))?;
    let node = document.as_ref().map_or(metadata.node, Document::root);
    let members = Place::new(node, metadata.pointer(), Code::BadLegacy).object()?;
    let field = members.member("field");
    let field = field.or_else(|| members.member("prompt_id"));
    let missing = || metadata.refuse("`metadata` has neither `field` nor `prompt_id`");
    let id = field.ok_or_else(missing)?.filled()?;
    let text = block.required("text")?;
    text.filled()?;
    let question = ObjectWriter::new()
        .text("id", &id)
        .json("schema", r#"{"type":"string"}"#)
        .json("text", text.node.raw())
        .end();
    Ok(ObjectWriter::new()
        .json("_meta", ObjectWriter::new().json(KEY, node.raw()).end())
        .json("question", question)
        .text("type", "question")
        .end())
}
