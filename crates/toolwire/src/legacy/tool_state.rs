//! `ToolState` in the spellings of RFD 009 (LEG-12).

use super::{Draft, question};
use crate::json::{Kind, Place};
use crate::mcp::Fate;
use crate::{Error, Status};

pub(super) fn read(root: &Place<'_>) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    let typed = root
        .node
        .get("type")
        .is_some_and(|kind| kind.as_str().is_some());
    let tag = if typed { "type" } else { "state" };
    let state = root.required(tag)?;
    draft.report.add(
        state.pointer(),
        Fate::Approximated,
        "`computer.jp/status` says it",
    );
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
        match root.member("error") {
            Some(error) if error.node.kind() == Kind::Null => {
                let reason = "`null` says that there is none";
                draft.report.add(error.pointer(), Fate::Dropped, reason);
            }
            Some(error) => {
                draft.kept(&error);
                draft.inner_error(&error.object()?)?;
            }
            None => {}
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
        for (name, member) in result.members() {
            if name != "Ok" && name != "Err" {
                let reason = "a result has no such member";
                draft.report.add(member.pointer(), Fate::Dropped, reason);
            }
        }
    }
    // Beside a result, these are nobody's.
    draft.keep_rest(root, &[tag, "result"]);
    Ok(())
}
