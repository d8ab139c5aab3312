//! The envelope of a fetch that shows a screen.

use toolwire::json::{Document, Node, ObjectWriter, array};
use toolwire::session::SessionView;

use super::ScreenView;
use super::state::State;
use crate::transport::stopped::text_block;

pub(super) const KEY: &str = "dev.toolwire/session";

/// What of a screen is shown: what was asked for, if the tool has one; otherwise the screen of a program that draws
/// on all of it.
pub(super) fn chosen(state: &mut State, view: Option<SessionView>) -> SessionView {
    let Some(screen) = state.screen() else {
        return SessionView::New;
    };
    match view {
        Some(view) => view,
        None if screen.is_full() => SessionView::Screen,
        None => SessionView::New,
    }
}

/// The envelope with the screen in place of the blocks that are new. A screen that nobody asked for by its name is
/// shown only if it has changed.
pub(super) fn with_screen(
    envelope: &str,
    view: SessionView,
    is_asked: bool,
    state: &mut State,
) -> String {
    let Some(screen) = state.screen().cloned() else {
        return envelope.to_owned();
    };
    let whole = screen.text();
    let unchanged = state.last.shown.as_ref() == Some(&whole);
    let shown = match view {
        SessionView::Changes if state.last.shown.is_some() => screen.show(ScreenView::Changes).text,
        _ => screen.show(ScreenView::Whole).text,
    };
    state.last.shown = Some(whole);
    let text = match unchanged && (view == SessionView::Changes || !is_asked) || shown.is_empty() {
        true => "screen unchanged".to_owned(),
        false => shown,
    };
    replaced(envelope, &text, view).unwrap_or_else(|| envelope.to_owned())
}

fn replaced(envelope: &str, text: &str, view: SessionView) -> Option<String> {
    let document = Document::new(envelope).ok()?;
    let root = document.root();
    let meta = root.get("_meta")?;
    let session = meta.get(KEY)?;
    let number = |name: &str| session.get(name).and_then(|number| number.as_u64());
    let blocks = match (number("first"), number("last")) {
        (Some(first), Some(last)) => (last + 1).saturating_sub(first) as usize,
        _ => 0,
    };
    let dropped = usize::from(session.get("dropped").is_some());
    let mut content: Vec<String> = root.get("content")?.elements().map(raw).collect();
    let nothing = blocks == 0
        && dropped == 0
        && content.len() == 1
        && session.get("end").is_none()
        && root
            .get("content")?
            .elements()
            .all(|block| block.get("type").is_some_and(|kind| kind.is_str("text")));
    match nothing {
        // The note that there is nothing new.
        true => content = vec![text_block(text)],
        false => {
            let blocks = dropped..(dropped + blocks).min(content.len());
            content.splice(blocks, [text_block(text)]);
        }
    }
    let mut about = ObjectWriter::new();
    for (name, value) in session.members() {
        if name != "first" {
            about.json(&name, value.raw());
        }
    }
    about.text("view", view.as_str());
    Some(rebuilt(root, array(content), about.end()))
}

/// An envelope of a fetch with other content, and with other words about its session.
pub(super) fn rebuilt(root: Node<'_>, content: String, session: String) -> String {
    let mut meta = ObjectWriter::new();
    for (name, value) in root.get("_meta").iter().flat_map(Node::members) {
        match name == KEY {
            true => meta.json(KEY, &session),
            false => meta.json(&name, value.raw()),
        };
    }
    let is_error = root.get("isError").map(|flag| flag.raw().to_owned());
    ObjectWriter::new()
        .json("content", content)
        .json("_meta", meta.end())
        .optional_json("isError", is_error)
        .end()
}

fn raw(node: Node<'_>) -> String {
    node.raw().to_owned()
}
