//! Results that ask with a block `input_text` (LEG-13).

use super::Draft;
use super::draft::KEY;
use crate::base::json::{Document, Kind, ObjectWriter, Place};
use crate::bridge::mcp::Fate;
use crate::{Code, Error};

pub(super) fn read(root: &Place<'_>) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    let content = root.required("content")?.array()?;
    draft.kept(&content);
    for block in content.elements() {
        match block.node.get("type") {
            Some(kind) if kind.is_str("input_text") => question(&block, &mut draft)?,
            _ => draft.blocks.push(block.node.raw().to_owned()),
        }
    }
    for (name, member) in root.members() {
        if name == "isError" {
            member.flag()?;
            draft.beside(&name, member.node);
        }
        let is_meta = name == "_meta";
        if is_meta && member.node.kind() != Kind::Object {
            draft.note(
                &member,
                Fate::Dropped,
                "the `_meta` of an envelope is an object",
            );
            continue;
        }
        draft.kept(&member);
        if let Some(own) = member.member(KEY).filter(|_| is_meta) {
            draft.note(&own, Fate::Dropped, "another value takes its place");
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
    let field = members
        .member("field")
        .or_else(|| members.member("prompt_id"));
    let missing = || metadata.refuse("`metadata` has neither `field` nor `prompt_id`");
    let id = field.ok_or_else(missing)?.filled()?;
    let text = block.required("text")?;
    text.filled()?;
    let question = ObjectWriter::new()
        .text("id", &id)
        .json("schema", r#"{"type":"string"}"#)
        .json("text", text.node.raw())
        .end();
    draft.block(
        ObjectWriter::new()
            .json("_meta", ObjectWriter::new().json(KEY, node.raw()).end())
            .json("question", question)
            .text("type", "question"),
    );
    for (name, member) in block.members() {
        let (fate, reason) = match name.as_ref() {
            "type" => (Fate::Approximated, "a question block takes its place"),
            "text" => (Fate::Kept, ""),
            "metadata" if told.is_some() => {
                (Fate::Approximated, "the JSON in it stands in `_meta`")
            }
            "metadata" => (Fate::Moved, "a question has no such member"),
            _ => (Fate::Dropped, "a question block has no such member"),
        };
        draft.note(&member, fate, reason);
    }
    Ok(())
}
