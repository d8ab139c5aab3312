//! `ToolState` in the spellings of RFD 009 (LEG-12).

use super::{Draft, question};
use crate::base::json::Place;
use crate::bridge::mcp::Fate;
use crate::{Error, Status};

pub(super) fn read(root: &Place<'_>) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    let kind = root.node.get("type").and_then(|kind| kind.as_str());
    let tag = if kind.is_some() { "type" } else { "state" };
    let state = root.required(tag)?;
    draft.note(&state, Fate::Approximated, "`computer.jp/status` says it");
    match state.string()?.as_str() {
        "stopped" => {
            draft.status(Status::Stopped);
            stopped(root, tag, &mut draft)?;
        }
        "waiting" => {
            draft.status(Status::Waiting);
            draft.text(root, "content")?;
            question::read(&root.required("question")?.object()?, &mut draft)?;
            draft.keep_rest(root, &[tag, "content", "question"]);
        }
        _ => {
            draft.status(Status::Running);
            draft.text(root, "content")?;
            draft.keep_rest(root, &[tag, "content"]);
        }
    }
    Ok(draft)
}

/// The end: `result` with `Ok` or `Err`, a `result` that is a text, or `content` with an `error`.
fn stopped(root: &Place<'_>, tag: &str, draft: &mut Draft) -> Result<(), Error> {
    let Some(result) = root.member("result") else {
        if root.member("content").is_none() && root.member("error").is_none() {
            // Says what is missing.
            root.required("result")?;
        }
        draft.text(root, "content")?;
        if let Some(error) = draft.given(root, "error") {
            draft.kept(&error);
            draft.inner_error(&error.object()?)?;
        }
        draft.keep_rest(root, &[tag, "content", "error"]);
        return Ok(());
    };
    if result.node.as_str().is_some() {
        draft.text(root, "result")?;
    } else {
        let result = result.object()?;
        draft.kept(&result);
        match (result.member("Ok"), result.member("Err")) {
            (Some(_), None) => {
                result.required("Ok")?.string()?;
                draft.text(&result, "Ok")?;
            }
            (None, Some(error)) => draft.inner_error(&error.object()?)?,
            _ => return Err(result.refuse("`result` has one of `Ok` and `Err`")),
        }
        draft.drop_rest(&result, &["Ok", "Err"], "a result has no such member");
    }
    // Beside a result, these are nobody's.
    draft.keep_rest(root, &[tag, "result"]);
    Ok(())
}
