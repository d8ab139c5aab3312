//! The call document in the `_meta` of a request (CALL-12, MCP-40 to MCP-43).

use crate::base::json::{Document, Kind, Node, ObjectWriter};
use crate::protocol::call::{Action, Call};
use crate::{Code, Error, Json, Limits};

const TOOL: &str = "computer.jp/tool";
const CONTEXT: &str = "computer.jp/context";

/// What of a call travels in the `_meta` of the request, as an object with the members
/// `computer.jp/tool` and `computer.jp/context`; absent where there is nothing in it that the request
/// itself does not say (MCP-40).
///
/// # Examples
///
/// ```
/// use toolwire::{Json, call::{Answer, AnswerSource, Call}, mcp::call_to_meta};
///
/// let mut call = Call::new("rename", Json::new(r#"{"to":"b"}"#)?);
/// assert_eq!(call_to_meta(&call), None);
/// call.answers.insert("confirm".into(), Answer::accepted(Json::from(true), AnswerSource::User));
/// let meta = call_to_meta(&call).unwrap();
/// assert_eq!(meta.at("/computer.jp~1tool/answers/confirm"), Some(Json::from(true)));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn call_to_meta(call: &Call) -> Option<Json> {
    let says_no_more = call.action == Action::Run
        && call.answers.is_empty()
        && is_empty(&call.options)
        && call.extra.tool.is_empty()
        && call.extra.context.is_empty();
    (!says_no_more).then(|| Json::written(call.to_meta()))
}

fn is_empty(object: &Json) -> bool {
    Document::new(object.as_str()).is_ok_and(|object| object.root().is_empty())
}

/// The call that a request makes. The name and the arguments are the request's own: what `_meta` says of
/// them is not read (MCP-42). Without a call in `_meta` it is a plain run.
///
/// # Errors
///
/// `bad_call` where `arguments` is no object, the name is empty, or `_meta` holds something else than a
/// call under the two names (CALL-2); `unknown_action`. The pointers lead into `_meta`; that of the
/// arguments is `/arguments`.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, mcp::call_from_meta};
///
/// let meta = Json::new(r#"{"computer.jp/tool":{"name":"other","answers":{"confirm":true}}}"#)?;
/// let call = call_from_meta("rename", &Json::new(r#"{"to":"b"}"#)?, Some(&meta))?;
/// assert_eq!(call.name.as_deref(), Some("rename"));
/// assert_eq!(call.arguments.as_str(), r#"{"to":"b"}"#);
/// assert_eq!(call.answers["confirm"].value(), Some(&Json::from(true)));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn call_from_meta(name: &str, arguments: &Json, meta: Option<&Json>) -> Result<Call, Error> {
    if !arguments.as_str().starts_with('{') {
        let message = "the arguments of a tool are an object";
        return Err(Error::new(Code::BadCall, "/arguments", None, message));
    }
    let document = Document::new(meta.map_or("{}", Json::as_str))?;
    let root = document.root();
    let mut tool = ObjectWriter::new();
    tool.text("name", name)
        .json("arguments", arguments.as_str());
    let mut context = ObjectWriter::new();
    let has_action = root
        .get(CONTEXT)
        .is_some_and(|context| context.get("action").is_some());
    if !has_action {
        context.text("action", Action::Run.as_str());
    }
    let mut out = ObjectWriter::new();
    out.json(
        TOOL,
        completed(root.get(TOOL), &["name", "arguments"], tool),
    );
    out.json(CONTEXT, completed(root.get(CONTEXT), &[], context));
    Call::from_meta(out.end().as_bytes(), &Limits::WIDEST).map_err(Error::placeless)
}

/// An object with other values for some of its members; anything else as it is, to be refused.
fn completed(node: Option<Node<'_>>, without: &[&str], mut with: ObjectWriter) -> String {
    match node {
        Some(node) if node.kind() != Kind::Object => node.raw().to_owned(),
        node => {
            for (name, value) in node.into_iter().flat_map(|node| node.members()) {
                if !without.contains(&name.as_ref()) {
                    with.json(&name, value.raw());
                }
            }
            with.end()
        }
    }
}
