//! The last texts of a tool: those before its questions, and those that a reader waits for.

use std::collections::VecDeque;

use toolwire::Json;

/// Maximum bytes of text that are kept, in all and of one block.
const KEPT: usize = 65_536;

#[derive(Debug, Default)]
pub(super) struct RecentText {
    /// The numbers of the blocks and their texts.
    texts: VecDeque<(u64, String)>,
    bytes: usize,
    /// The last block before something was applied.
    applied: u64,
}

impl RecentText {
    /// Notes a text that stands in the block of this number.
    pub(super) fn push(&mut self, number: u64, text: String) {
        let text = tail(text);
        self.bytes += text.len();
        self.texts.push_back((number, text));
        while self.bytes > KEPT {
            let Some((_, text)) = self.texts.pop_front() else {
                break;
            };
            self.bytes -= text.len();
        }
    }

    /// The texts after this block are context of what was applied.
    pub(super) fn applied(&mut self, last: u64) {
        self.applied = last;
    }

    /// The texts since something was applied (SES-6).
    pub(super) fn context(&self) -> Vec<String> {
        self.after(self.applied).map(str::to_owned).collect()
    }

    /// The texts in the blocks after this one.
    pub(super) fn after(&self, number: u64) -> impl Iterator<Item = &str> {
        self.texts
            .iter()
            .filter(move |(of, _)| *of > number)
            .map(|(_, text)| text.as_str())
    }
}

/// The text of a block, if it is one of text.
pub(super) fn text_of(block: &Json) -> Option<String> {
    let kind = block.at("/type")?;
    let text = block.at("/text").filter(|_| kind.as_str() == "\"text\"")?;
    text.to_text()
}

/// The end of a text.
fn tail(mut text: String) -> String {
    let mut start = text.len().saturating_sub(KEPT);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.drain(..start);
    text
}
