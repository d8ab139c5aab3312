//! Results that ask with a block `input_text` (LEG-13).

use super::Draft;
use super::draft::KEY;
use crate::json::{Document, Kind, ObjectWriter, Place};
use crate::mcp::Fate;
use crate::{Code, Error};

pub(super) fn read(root: &Place<'_>) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    let content = root.required("content")?.array()?;
    draft.kept(&content);
    for block in content.elements() {
        let asks = block
            .node
            .get("type")
            .is_some_and(|kind| kind.is_str("input_text"));
        if asks {
            question(&block, &mut draft)?;
        } else {
            draft.block(block.node.raw().to_owned());
        }
    }
    for (name, member) in root.members() {
        if name == "isError" {
            member.flag()?;
            draft.beside(&name, member.node);
        }
        if name == "_meta" && member.node.kind() != Kind::Object {
            let reason = "the `_meta` of an envelope is an object";
            draft.report.add(member.pointer(), Fate::Dropped, reason);
            continue;
        }
        draft.kept(&member);
        if let Some(own) = member.member(KEY).filter(|_| name == "_meta") {
            let reason = "another value takes its place";
            draft.report.add(own.pointer(), Fate::Dropped, reason);
        }
    }
    draft.carry_over(root.node);
    Ok(draft)
}

/// The question of a block: its id is the argument that it asks for.
fn question(block: &Place<'_>, draft: &mut Draft) -> Result<(), Error> {
    let metadata = block.required("metadata")?;
    // Some servers wrote it as JSON in a string.
    let told = metadata.node.as_str();
    let document = told.as_deref().map(Document::new).transpose();
    let document = document.map_err(|_| metadata.expected("an object, or JSON of one"))?;
    let node = document.as_ref().map_or(metadata.node, Document::root);
    let members = Place::new(node, metadata.pointer(), Code::BadLegacy).object()?;
    let id = match (members.member("field"), members.member("prompt_id")) {
        (Some(field), _) => field.filled()?,
        (None, Some(prompt)) => prompt.filled()?,
        (None, None) => {
            return Err(metadata.refuse("`metadata` has neither `field` nor `prompt_id`"));
        }
    };
    let text = block.required("text")?;
    text.filled()?;
    let mut question = ObjectWriter::new();
    question
        .text("id", &id)
        .json("schema", r#"{"type":"string"}"#)
        .json("text", text.node.raw());
    let mut meta = ObjectWriter::new();
    meta.json(KEY, node.raw());
    let mut out = ObjectWriter::new();
    out.json("_meta", meta.end())
        .json("question", question.end())
        .text("type", "question");
    for (name, member) in block.members() {
        match name.as_ref() {
            "type" => draft.report.add(
                member.pointer(),
                Fate::Approximated,
                "a question block takes its place",
            ),
            "text" => draft.kept(&member),
            "metadata" if told.is_some() => {
                let reason = "the JSON in it stands in `_meta`";
                draft
                    .report
                    .add(member.pointer(), Fate::Approximated, reason);
            }
            "metadata" => draft.report.add(
                member.pointer(),
                Fate::Moved,
                "a question has no such member",
            ),
            _ => {
                let reason = "a question block has no such member";
                draft.report.add(member.pointer(), Fate::Dropped, reason);
            }
        }
    }
    draft.block(out.end());
    Ok(())
}
