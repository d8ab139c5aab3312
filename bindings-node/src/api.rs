//! The functions of the API by their names. Arguments are text or bytes; a reply is JSON text with tags, in which
//! `lib/call.cjs` finds the values, and the bytes of what was read.

use std::borrow::Cow;
use std::sync::Arc;

use napi::Either;
use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use toolwire::block::Question;
use toolwire::call::{Answer, Call};
use toolwire::event::ToolEvent;
use toolwire::{Diagnostic, Json, Parsed};
use toolwire_ffi::reports::call_json;
use toolwire_ffi::{Arg, Args, Reply};

use crate::event::{message_json, progress_json};
use crate::facts;
use crate::fault::{Result, told};
use crate::json::{Object, array, string};
use crate::source::{How, Reading, read};

/// What a function returned.
#[napi]
pub struct FunctionReply {
    json: String,
    parsed: Option<Arc<Parsed<'static>>>,
}

#[napi]
impl FunctionReply {
    /// The reply: an array of a tag and a value.
    #[napi(catch_unwind)]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The short answer about what was read.
    #[napi(catch_unwind)]
    pub fn facts(&self) -> Option<u32> {
        self.parsed.as_ref().map(|parsed| facts(parsed))
    }

    /// The bytes of what was read.
    #[napi(catch_unwind)]
    pub fn raw(&self) -> Option<Buffer> {
        let parsed = self.parsed.as_ref();
        parsed.map(|parsed| parsed.raw().to_vec().into())
    }

    /// How these bytes were read.
    #[napi(catch_unwind)]
    pub fn reading(&self) -> Option<Reading> {
        self.parsed.clone().map(Reading::new)
    }
}

/// Calls a function; `how` is for the argument that was read before.
#[napi(catch_unwind)]
pub fn call(
    name: String,
    args: Vec<Option<Either<String, Buffer>>>,
    options: String,
    how: How<'_>,
) -> Result<FunctionReply> {
    let mut source = None;
    let mut given = Vec::new();
    for arg in &args {
        given.push(match arg {
            None => Arg::Absent,
            Some(Either::A(text)) => Arg::Text(Cow::Borrowed(text)),
            Some(Either::B(bytes)) => {
                source = source.or(Some((given.len(), &bytes[..])));
                Arg::Bytes(bytes)
            }
        });
    }
    // Only one argument is read; it is the first that comes as bytes.
    let parsed = match (source, &how) {
        (Some((_, bytes)), Some(_)) => Some(read(bytes, &how)?),
        _ => None,
    };
    if let (Some((index, _)), Some(parsed)) = (source, &parsed) {
        given[index] = Arg::Parsed(parsed);
    }
    let reply = toolwire_ffi::call(&name, &Args(given), &options).map_err(told)?;
    let mut kept = None;
    let json = tree(reply, &mut kept);
    Ok(FunctionReply {
        json,
        parsed: kept.map(Arc::new),
    })
}

fn tree(reply: Reply, kept: &mut Option<Parsed<'static>>) -> String {
    let tagged = |tag: &str, json: &str| format!("[\"{tag}\",{json}]");
    match reply {
        Reply::Null => "[\"nothing\"]".to_owned(),
        Reply::Flag(flag) => tagged("value", if flag { "true" } else { "false" }),
        Reply::Text(text) => tagged("value", &string(&text)),
        Reply::Json(json) => tagged("value", &json),
        Reply::Diagnostics(found) => {
            let found = array(found.iter().map(Diagnostic::to_json));
            tagged("value", &found)
        }
        Reply::Event(ToolEvent::Progress(event)) => {
            tagged("event", &string(&progress_json(&event)))
        }
        Reply::Event(ToolEvent::Message(event)) => tagged("event", &string(&message_json(&event))),
        Reply::Event(_) => "[\"nothing\"]".to_owned(),
        Reply::Answer(answer) => tagged("answer", &answer_json(&answer)),
        Reply::Question(question) => tagged("question", &question_json(&question)),
        Reply::Envelope(text) => tagged("envelope", &string(&text)),
        Reply::Call(call) => tagged("call", &call_texts(&call)),
        Reply::Parsed(parsed) => {
            *kept = Some(*parsed);
            "[\"parsed\"]".to_owned()
        }
        Reply::Record(members) => {
            let members = members
                .into_iter()
                .map(|(name, member)| format!("[\"{name}\",{}]", tree(member, kept)));
            let members = array(members);
            tagged("record", &members)
        }
    }
}

fn answer_json(answer: &Answer) -> String {
    let value = answer.value().map(Json::as_str);
    Object::new()
        .raw("answer", &answer.to_json())
        .optional("text", value)
        .end()
}

/// A question with its schema and default as texts.
pub fn question_json(question: &Question) -> String {
    let default = question.default.as_ref().map(Json::as_str);
    Object::new()
        .text("id", &question.id)
        .text("text", &question.text)
        .text("schemaText", question.schema.as_str())
        .optional("defaultText", default)
        .optional("url", question.url.as_deref())
        .end()
}

/// A call, and its texts: the document, and the members of a `_meta`.
fn call_texts(call: &Call) -> String {
    Object::new()
        .raw("call", &call_json(call))
        .text("text", &call.to_json())
        .text("metaText", &call.to_meta())
        .end()
}
