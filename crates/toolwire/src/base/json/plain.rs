//! The block that tools write most: `type` is `text`, `text` is a string, and there is nothing else.
//!
//! As it is usually spelled it is recognized in a few comparisons, instead of one for each of its
//! brackets, names and colons. Any other spelling is read like everything else.

use super::Kind;
use super::entry::{Entry, Escapes};

/// One way to spell such a block, with the text between two parts that are always the same.
pub(super) struct Form {
    /// Up to and with the opening quote of the text.
    pub before: &'static [u8],
    /// From behind the closing quote of the text.
    pub after: &'static [u8],
    /// Whether `type` stands before `text`.
    type_first: bool,
    /// What is between a colon or comma and what follows.
    space: usize,
}

const FORMS: [Form; 4] = [
    Form {
        before: br#"{"type":"text","text":""#,
        after: b"}",
        type_first: true,
        space: 0,
    },
    Form {
        before: br#"{"text":""#,
        after: br#","type":"text"}"#,
        type_first: false,
        space: 0,
    },
    Form {
        before: br#"{"type": "text", "text": ""#,
        after: b"}",
        type_first: true,
        space: 1,
    },
    Form {
        before: br#"{"text": ""#,
        after: br#", "type": "text"}"#,
        type_first: false,
        space: 1,
    },
];

/// The form in which a block at the beginning of `rest` may be spelled.
#[inline(always)]
pub(super) fn form(rest: &[u8]) -> Option<&'static Form> {
    FORMS.iter().find(|form| rest.starts_with(form.before))
}

/// `"type"` and `"text"` are equally long, with their quotes.
const WORD: usize = 6;

impl Form {
    /// How many values the block has if it ends behind its text.
    pub(super) fn members(&self) -> u32 {
        if self.type_first { 2 } else { 1 }
    }

    /// The entries of a whole block that begins at `start`, with its text in `text`.
    #[inline(always)]
    pub(super) fn whole(&self, start: usize, text: Entry, index: usize) -> [Entry; 5] {
        let end = text.end as usize;
        let block = Entry::plain_text_block(start, end + self.after.len(), index + 5);
        let at = if self.type_first {
            start + 1
        } else {
            end + 1 + self.space
        };
        let (kind, text) = (self.kind(at), self.text(start, text));
        let [a, b, c, d] = match self.type_first {
            true => [kind[0], kind[1], text[0], text[1]],
            false => [text[0], text[1], kind[0], kind[1]],
        };
        let placed = |entry: Entry, place| entry.with_next(index + place + 1);
        [
            block,
            placed(a, 1),
            placed(b, 2),
            placed(c, 3),
            placed(d, 4),
        ]
    }

    /// The entries of a block that goes on behind its text, as far as it was read.
    pub(super) fn begun(&self, start: usize, text: Entry, index: usize) -> Vec<Entry> {
        let mut entries = vec![Entry::new(Kind::Object, start, start, 0)];
        if self.type_first {
            entries.extend(self.kind(start + 1));
        }
        entries.extend(self.text(start, text));
        let all = entries.iter().enumerate();
        all.map(|(place, entry)| entry.with_next(index + place + 1))
            .collect()
    }

    #[inline(always)]
    fn kind(&self, at: usize) -> [Entry; 2] {
        let value = at + WORD + 1 + self.space;
        [word(at), word(value)]
    }

    #[inline(always)]
    fn text(&self, start: usize, text: Entry) -> [Entry; 2] {
        let at = start + self.before.len() - 1 - self.space - 1 - WORD;
        [word(at), text]
    }
}

#[inline(always)]
fn word(at: usize) -> Entry {
    Entry::string(at, at + WORD, 0, Escapes::None)
}
