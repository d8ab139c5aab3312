//! The last texts of a tool: what stands before its questions, and what a reader waits for.

use std::collections::VecDeque;

use toolwire::Json;

/// So many bytes of text are kept, and so much of one block.
const KEPT: usize = 65_536;

#[derive(Debug, Default)]
pub(super) struct RecentText {
    /// The numbers of the blocks and their texts.
    texts: VecDeque<(u64, String)>,
    bytes: usize,
    /// The number of the last block.
    last: u64,
    /// The last block before something was applied.
    applied: u64,
}

impl RecentText {
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    pub(super) fn push(&mut self, blocks: &[Json]) {
        for block in blocks {
            self.last += 1;
            let is_text = block
                .at("/type")
                .is_some_and(|kind| kind.as_str() == "\"text\"");
            let Some(text) = block
                .at("/text")
                .filter(|_| is_text)
                .and_then(|text| text.to_text())
            else {
                continue;
            };
            let text = tail(text);
            self.bytes += text.len();
            self.texts.push_back((self.last, text));
            while self.bytes > KEPT {
                let Some((_, text)) = self.texts.pop_front() else {
                    break;
                };
                self.bytes -= text.len();
            }
        }
    }

    /// From now on, texts are context of what was applied.
    pub(super) fn applied(&mut self) {
        self.applied = self.last;
    }

    /// The texts since something was applied (SES-6).
    pub(super) fn context(&self) -> Vec<String> {
        self.after(self.applied).map(str::to_owned).collect()
    }

    fn after(&self, number: u64) -> impl Iterator<Item = &str> {
        self.texts
            .iter()
            .filter(move |(of, _)| *of > number)
            .map(|(_, text)| text.as_str())
    }

    /// Whether a text stands in the blocks after this one.
    pub(super) fn contains(&self, after: u64, text: &str) -> bool {
        self.after(after).collect::<String>().contains(text)
    }
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
