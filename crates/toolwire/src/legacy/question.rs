//! The question of an `Outcome` or a `ToolState` (LEG-11).

use super::Draft;
use crate::Error;
use crate::json::{Kind, ObjectWriter, Place, array};
use crate::mcp::Fate;

const BY_SCHEMA: &str = "a JSON Schema says it";

pub(super) fn read(place: &Place<'_>, draft: &mut Draft) -> Result<(), Error> {
    draft.kept(place);
    let mut question = ObjectWriter::new();
    for name in ["id", "text"] {
        let member = place.required(name)?;
        member.filled()?;
        question.json(name, member.node.raw());
    }
    let answer = place.required("answer_type")?;
    question.json("schema", schema(&answer)?);
    draft
        .report
        .add(answer.pointer(), Fate::Approximated, BY_SCHEMA);
    if let Some(default) = place.member("default") {
        if default.node.kind() == Kind::Null {
            let reason = "`null` says that there is none";
            draft.report.add(default.pointer(), Fate::Dropped, reason);
        } else {
            question.json("default", default.node.raw());
        }
    }
    for (name, member) in place.members() {
        match name.as_ref() {
            "id" | "text" | "answer_type" | "default" => {}
            "schema" | "url" => {
                let reason = "it would mean something else in a question block";
                draft.report.add(member.pointer(), Fate::Dropped, reason);
            }
            name => {
                question.json(name, member.node.raw());
            }
        }
    }
    let mut block = ObjectWriter::new();
    block
        .json("question", question.end())
        .text("type", "question");
    draft.block(block.end());
    Ok(())
}

/// The schema that a type of answer means. The enum of the old library is written as
/// `"Boolean"`, `"Text"` or `{"Select":{"options":[…]}}`; shell tools wrote them in lower case.
fn schema(answer: &Place<'_>) -> Result<String, Error> {
    if let Some(word) = answer.node.as_str() {
        return match word.as_ref() {
            "Boolean" | "boolean" => Ok(r#"{"type":"boolean"}"#.to_owned()),
            "Text" | "text" => Ok(r#"{"type":"string"}"#.to_owned()),
            _ => Err(answer.expected("`Boolean`, `Text` or `Select` with its `options`")),
        };
    }
    let select = answer.clone().object()?;
    let select = select
        .member("Select")
        .or_else(|| select.member("select"))
        .ok_or_else(|| answer.refuse("`answer_type` is `Boolean`, `Text` or `Select`"))?;
    let mut options = Vec::new();
    for option in select.object()?.required("options")?.array()?.elements() {
        option.string()?;
        options.push(option.node.raw().to_owned());
    }
    let mut schema = ObjectWriter::new();
    schema.json("enum", array(options)).text("type", "string");
    Ok(schema.end())
}
