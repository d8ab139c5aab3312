//! `Outcome` (LEG-10).

use super::draft::ERROR_MEMBERS;
use super::{Draft, question};
use crate::Error;
use crate::base::json::Place;
use crate::bridge::mcp::Fate;

pub(super) fn read(root: &Place<'_>) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    let kind = root.required("type")?;
    draft.note(
        &kind,
        Fate::Approximated,
        "the members of the envelope say it",
    );
    match kind.string()?.as_str() {
        "success" => {
            root.required("content")?.string()?;
            draft.text(root, "content")?;
            draft.keep_rest(root, &["type", "content"]);
        }
        "error" => {
            draft.error(root)?;
            let [message, trace, transient] = ERROR_MEMBERS;
            draft.keep_rest(root, &["type", message, trace, transient]);
        }
        _ => {
            question::read(&root.required("question")?.object()?, &mut draft)?;
            draft.keep_rest(root, &["type", "question"]);
        }
    }
    Ok(draft)
}
