//! The envelope of a fetch that shows a screen (HOST-14).

use toolwire::Json;
use toolwire::json::{Document, Node, ObjectWriter, array};
use toolwire::session::SessionView;

use super::ScreenView;
use super::handle::State;
use crate::transport::stopped::text_block;

const KEY: &str = "dev.toolwire/session";

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
    let unchanged = state.shown.as_ref() == Some(&whole);
    let shown = match view {
        SessionView::Changes if state.shown.is_some() => screen.show(ScreenView::Changes).text,
        _ => screen.show(ScreenView::Whole).text,
    };
    state.shown = Some(whole);
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
    let mut out = ObjectWriter::new();
    out.json("content", array(content));
    let mut outer = ObjectWriter::new();
    for (name, value) in meta.members() {
        match name == KEY {
            true => outer.json(KEY, about.end()),
            false => outer.json(&name, value.raw()),
        };
    }
    out.json("_meta", outer.end());
    out.optional_json(
        "isError",
        root.get("isError")
            .map(|flag| Json::from(flag).as_str().to_owned()),
    );
    Some(out.end())
}

fn raw(node: Node<'_>) -> String {
    node.raw().to_owned()
}
