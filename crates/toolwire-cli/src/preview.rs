//! One line about a block, for a list.

use toolwire::{BlockKind, BlockView};

use crate::show::count;
use crate::terminal;

/// The most characters of a text that are shown.
const SHOWN: usize = 60;

/// The most characters of a URI that are shown; it is worth more than the beginning of a text.
const SHOWN_URI: usize = 200;

/// What a block is, in a few words.
pub fn block(block: &BlockView<'_>) -> String {
    let mut parts = Vec::new();
    match block.kind() {
        BlockKind::Text => parts.push(text(&block.text().unwrap_or_default())),
        BlockKind::Question => {
            if let Some(question) = block.question() {
                parts.push(format!("{}: {}", text(&question.id), text(&question.text)));
                if let Some(default) = question.default {
                    parts.push(format!("default {}", text(default.raw())));
                }
            }
        }
        _ => {
            parts.extend(block.uri().map(|uri| beginning(&uri, SHOWN_URI)));
            parts.extend(block.mime_type().map(|mime_type| text(&mime_type)));
            if block.kind() == BlockKind::ResourceLink {
                parts.extend(block.size().map(|size| count(size, "byte")));
            } else {
                let content = block.content_bytes();
                parts.push(count(content.len() as u64, "byte"));
            }
            if block.formatted().is_some() {
                parts.push("formatted".to_owned());
            }
        }
    }
    if let Some(audience) = block.audience() {
        let roles: Vec<&str> = audience.iter().map(|role| role.as_str()).collect();
        parts.push(format!("for {}", roles.join(" and ")));
    }
    parts.join("  ")
}

/// The beginning of raw text, which may be anything.
pub fn bytes(raw: &[u8]) -> String {
    // Enough for what is shown, white space apart; a character that is cut shows as such.
    let beginning = &raw[..raw.len().min(SHOWN * 64)];
    let shown = text(&String::from_utf8_lossy(beginning));
    if beginning.len() < raw.len() && !shown.ends_with('…') {
        shown + "…"
    } else {
        shown
    }
}

/// The first `most` characters, made safe for a terminal.
fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => terminal::safe(&text[..end]) + "…",
        None => terminal::safe(text),
    }
}

/// The beginning of a text on one line, made safe for a terminal.
pub fn text(text: &str) -> String {
    // Only what is shown is looked at; a text may be megabytes.
    let mut words = text.split_whitespace();
    let mut shown = String::new();
    let mut length = 0;
    for word in words.by_ref() {
        if length > 0 {
            shown.push(' ');
        }
        for c in word.chars() {
            if length == SHOWN {
                shown.push('…');
                return terminal::safe(&shown);
            }
            shown.push(c);
            length += 1;
        }
        length += 1;
        if length >= SHOWN {
            break;
        }
    }
    if words.next().is_some() {
        shown.push('…');
    }
    terminal::safe(&shown)
}
