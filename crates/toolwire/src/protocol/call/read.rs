//! Reading a call, from a document of its own or from the `_meta` of a request.

use super::{Action, Call, Extra, answer};
use crate::base::json::{Document, Place};
use crate::{Code, Error, Json, Limits, UnknownWord};

pub(super) const TOOL_KEY: &str = "computer.jp/tool";
pub(super) const CONTEXT_KEY: &str = "computer.jp/context";

/// What a call travels in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    Document,
    Meta,
}

pub(super) fn read(text: &[u8], limits: &Limits, carrier: Carrier) -> Result<Call, Error> {
    let document = Document::of_bytes(text, limits)?;
    call_at(Place::new(document.root(), "", Code::BadCall), carrier)
}

/// The call at a place of a document.
pub(super) fn call_at(place: Place<'_>, carrier: Carrier) -> Result<Call, Error> {
    let (tool_name, context_name) = match carrier {
        Carrier::Document => ("tool", "context"),
        Carrier::Meta => (TOOL_KEY, CONTEXT_KEY),
    };
    let root = place.object()?;
    let tool = root.required(tool_name)?.object()?;
    let context = root.required(context_name)?.object()?;
    let action = action(&context.required("action")?)?;
    let name = match (tool.member("name"), action) {
        (None, Action::Describe) => None,
        _ => Some(tool.required("name")?.filled()?),
    };
    Ok(Call {
        name,
        action,
        arguments: object(&tool, "arguments")?,
        answers: answer::read(&tool)?,
        options: object(&tool, "options")?,
        root: context.optional("root", |root| root.filled())?,
        extra: Extra {
            document: match carrier {
                Carrier::Document => root.rest(&["tool", "context"]),
                // The rest of a request's `_meta` is not the call's.
                Carrier::Meta => Extra::default().document,
            },
            tool: tool.rest(&["name", "arguments", "answers", "options", answer::KEY]),
            context: context.rest(&["action", "root"]),
        },
    })
}

fn action(place: &Place<'_>) -> Result<Action, Error> {
    let word = place.string()?;
    match word.as_str() {
        // Earlier hosts wrote it so (CALL-5).
        "Run" => Ok(Action::Run),
        word => word
            .parse()
            .map_err(|error: UnknownWord| place.refuse_as(Code::UnknownAction, error.to_string())),
    }
}

/// A member that is an object, or else an empty one.
fn object(tool: &Place<'_>, name: &str) -> Result<Json, Error> {
    let object = tool.optional(name, Place::object)?;
    Ok(object.map_or_else(Json::empty_object, |place| Json::from(place.node)))
}
