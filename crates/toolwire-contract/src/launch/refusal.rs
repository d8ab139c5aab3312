//! What is said of a text that is no launch URI or profile word.

use toolwire::json::brief;
use toolwire::{is_hidden, terminal_safe};

/// The text, if it has no character that a reader can't see (LAUNCH-7).
pub(super) fn visible(text: String) -> Result<String, String> {
    match text.chars().find(|c| is_hidden(*c)) {
        None => Ok(text),
        Some(c) => Err(format!(
            "{} can't stand here, not even percent-encoded: leave it out",
            named(c)
        )),
    }
}

/// A text in a message: short, and safe on a terminal.
pub(super) fn show(text: &str) -> String {
    terminal_safe(&brief(text, 60).replace(['\n', '\t'], " "), false)
}

/// A hidden character by its number.
pub(super) fn named(c: char) -> String {
    let kind = if c.is_control() {
        "control"
    } else {
        "invisible"
    };
    format!("the {kind} character U+{:04X}", u32::from(c))
}
