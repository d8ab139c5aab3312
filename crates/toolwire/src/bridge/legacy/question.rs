//! The question of an `Outcome` or a `ToolState` (LEG-11).

use super::Draft;
use crate::Error;
use crate::base::json::{ObjectWriter, Place, array};
use crate::bridge::mcp::Fate;

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
    draft.note(&answer, Fate::Approximated, "a JSON Schema says it");
    let default = draft.given(place, "default");
    question.optional_json("default", default.map(|default| default.node.raw()));
    for (name, member) in place.members() {
        match name.as_ref() {
            "id" | "text" | "answer_type" | "default" => {}
            "schema" | "url" => {
                let reason = "it would mean something else in a question block";
                draft.note(&member, Fate::Dropped, reason);
            }
            name => drop(question.json(name, member.node.raw())),
        }
    }
    let mut block = ObjectWriter::new();
    draft.block(
        block
            .json("question", question.end())
            .text("type", "question"),
    );
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
    let select = select.member("Select").or_else(|| select.member("select"));
    let missing = || answer.refuse("`answer_type` is `Boolean`, `Text` or `Select`");
    let options = select
        .ok_or_else(missing)?
        .object()?
        .required("options")?
        .array()?;
    let options = options.elements().map(|option| {
        option.string()?;
        Ok(option.node.raw().to_owned())
    });
    let options: Vec<String> = options.collect::<Result<_, Error>>()?;
    let mut schema = ObjectWriter::new();
    Ok(schema
        .json("enum", array(options))
        .text("type", "string")
        .end())
}
