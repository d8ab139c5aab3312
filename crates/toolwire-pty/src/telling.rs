//! What waits to be told to the host.

use std::collections::VecDeque;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use toolwire::{Json, terminal_safe};
use toolwire_host::ToolUpdate;

/// A block of text has at most so many bytes.
const BLOCK: usize = 16 * 1024;

/// If so much waits, the program is not read on.
const FULL: usize = 64 * 1024;

/// Which output of a program a block is from.
pub(crate) const STREAM: &str = "dev.toolwire/stream";

#[derive(Debug, Default)]
pub(crate) struct Telling {
    ready: VecDeque<ToolUpdate>,
    text: String,
    /// Whether the screen has changed, and nothing was told since.
    changed: bool,
}

impl Telling {
    /// Text that was printed.
    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The screen has changed.
    pub(crate) fn changed(&mut self) {
        self.changed = true;
    }

    /// Something that is told after what was printed before.
    pub(crate) fn tell(&mut self, told: ToolUpdate) {
        self.flush();
        self.ready.push_back(told);
    }

    /// Whether the program is to be read on.
    pub(crate) fn has_room(&self) -> bool {
        self.text.len() < FULL
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.text.is_empty() && !self.changed
    }

    /// What is told next.
    pub(crate) fn next(&mut self) -> Option<ToolUpdate> {
        if self.ready.is_empty() {
            self.flush();
        }
        self.ready.pop_front()
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let changed = std::mem::take(&mut self.changed);
        if !text.is_empty() {
            let safe = terminal_safe(&text, false);
            self.ready
                .push_back(ToolUpdate::Output(blocks(&safe, None)));
        } else if changed {
            self.ready.push_back(ToolUpdate::Output(Vec::new()));
        }
    }
}

/// A text as blocks.
pub(crate) fn blocks(text: &str, stream: Option<&str>) -> Vec<Json> {
    let mut rest = text;
    let mut blocks = Vec::new();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(cut(rest));
        let text = Json::from(piece);
        blocks.push(block(
            &format!(r#"{{"type":"text","text":{}"#, text.as_str()),
            stream,
        ));
        rest = after;
    }
    blocks
}

/// Bytes that are no text, as a block.
pub(crate) fn binary(bytes: &[u8], stream: &str) -> Json {
    let blob = STANDARD.encode(bytes);
    let resource = format!(
        r#"{{"uri":"toolwire:{stream}","mimeType":"application/octet-stream","blob":"{blob}"}}"#
    );
    block(
        &format!(r#"{{"type":"resource","resource":{resource}"#),
        Some(stream),
    )
}

fn block(members: &str, stream: Option<&str>) -> Json {
    let meta = stream.map(|stream| format!(r#","_meta":{{"{STREAM}":"{stream}"}}"#));
    let text = format!("{members}{}}}", meta.unwrap_or_default());
    // It was written as JSON, and is below all limits.
    Json::new(text).unwrap_or_else(|_| Json::from(""))
}

/// Where the first block of a text ends: behind a line, if there is one, and never within a character.
fn cut(text: &str) -> usize {
    if text.len() <= BLOCK {
        return text.len();
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let end = (0..=BLOCK).rev().find(is_boundary).unwrap_or(BLOCK);
    text[..end].rfind('\n').map_or(end, |line| line + 1)
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, blocks};

    #[test]
    fn a_long_text_is_cut_behind_lines_and_characters() {
        let cut = |text: &str| blocks(text, None).len();
        assert_eq!(cut(&"a".repeat(BLOCK)), 1);
        assert_eq!(cut(&"a".repeat(BLOCK + 1)), 2);
        assert_eq!(cut(&"日".repeat(BLOCK / 3 + 1)), 2);
        let lines = format!("{}\n{}", "a".repeat(BLOCK - 100), "b".repeat(1000));
        assert!(blocks(&lines, None)[1].as_str().contains(r#""text":"b"#));
        assert_eq!(
            blocks("a", Some("stderr"))[0].as_str(),
            r#"{"type":"text","text":"a","_meta":{"dev.toolwire/stream":"stderr"}}"#
        );
    }
}
