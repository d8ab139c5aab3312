//! The blocks of a handle that nobody has acknowledged yet: numbered, and bounded (SES-40 to SES-43).

use std::collections::VecDeque;
use std::ops::Range;

use serde::Serialize;

use crate::Json;
use crate::base::json::{Document, to_text};

/// Pieces are joined to blocks of at most so many bytes.
const JOINED: usize = 8192;

#[derive(Debug, Clone)]
pub(super) struct Buffer {
    blocks: VecDeque<Json>,
    /// How many blocks there were in all, which is the number of the last one.
    last: u64,
    /// The bytes of the blocks that are kept.
    bytes: usize,
    /// The last block that was ever handed over.
    handed: u64,
    /// Where the text of the last block stands in it, if that is a piece to which the next may be added.
    open: Option<Range<usize>>,
    /// The last block that counts as delivered: a fetch without `after` begins behind it.
    delivered: u64,
    dropped: Option<Dropped>,
    max_blocks: usize,
    max_bytes: usize,
}

/// What was dropped before it was delivered, and not acknowledged since.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Dropped {
    first: u64,
    last: u64,
    bytes: u64,
}

impl Dropped {
    /// For a model, which sees the content alone.
    pub(super) fn note(&self) -> String {
        let (first, last, bytes) = (self.first, self.last, self.bytes);
        let which = match first == last {
            true => format!("block {first} was"),
            false => format!("blocks {first} to {last} were"),
        };
        format!("{which} dropped: {bytes} bytes")
    }
}

/// What a fetch gives.
pub(super) struct Batch {
    /// The number of the first of the blocks.
    pub first: u64,
    pub blocks: Vec<Json>,
    /// What is missing before them.
    pub dropped: Option<Dropped>,
    /// The number of the last block that is handed over, or was before.
    pub last: u64,
    /// What did not fit.
    pub left: Option<Left>,
}

/// The blocks that were not handed over, because they are too many for one fetch.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Left {
    blocks: usize,
    bytes: usize,
}

impl Left {
    /// For a model, which sees the content alone.
    pub(super) fn note(self) -> String {
        let Left { blocks, bytes } = self;
        let which = match blocks {
            1 => "1 more block is".to_owned(),
            _ => format!("{blocks} more blocks are"),
        };
        format!("{which} left, {bytes} bytes: fetch again")
    }
}

impl Buffer {
    pub(super) fn new(max_blocks: usize, max_bytes: usize) -> Self {
        Buffer {
            blocks: VecDeque::new(),
            last: 0,
            bytes: 0,
            handed: 0,
            open: None,
            delivered: 0,
            dropped: None,
            max_blocks,
            max_bytes,
        }
    }

    /// Sets how much is kept. It counts from the next block on.
    pub(super) fn bound(&mut self, max_blocks: usize, max_bytes: usize) {
        (self.max_blocks, self.max_bytes) = (max_blocks, max_bytes);
    }

    /// The number of the last block so far.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// The number of the last block that was ever handed over.
    pub(super) fn handed(&self) -> u64 {
        self.handed
    }

    /// The number of the last block that counts as delivered.
    pub(super) fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Whether there is anything that was never handed over.
    pub(super) fn has_news(&self) -> bool {
        self.last > self.handed
    }

    pub(super) fn push(&mut self, block: Json) {
        self.open = None;
        self.last += 1;
        self.bytes += block.as_str().len();
        self.blocks.push_back(block);
        self.keep_bounds();
    }

    /// Adds a piece of what a program prints to the last block, if that is such a piece, too, and was never handed
    /// over (SES-44).
    pub(super) fn push_piece(&mut self, block: Json) {
        let text = text_within(block.as_str());
        let joined = match (&self.open, &text) {
            (Some(open), Some(text)) if self.has_news() => self
                .blocks
                .back()
                .and_then(|last| joined(last.as_str(), open, block.as_str(), text)),
            _ => None,
        };
        let (Some((whole, open)), Some(last)) = (joined, self.blocks.back_mut()) else {
            self.push(block);
            self.open = text;
            return;
        };
        self.bytes = self.bytes - last.as_str().len() + whole.len();
        *last = Json::written(whole);
        self.open = Some(open);
        self.keep_bounds();
    }

    /// What comes from now on is no continuation of what was said before.
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    fn keep_bounds(&mut self) {
        while self.blocks.len() > self.max_blocks || self.bytes > self.max_bytes {
            self.drop_first();
        }
    }

    /// Drops all but the last blocks, which have at most so many bytes; the last one stays.
    pub(super) fn drop_but(&mut self, bytes: usize) {
        while self.bytes > bytes && self.blocks.len() > 1 {
            self.drop_first();
        }
    }

    /// The number of the first block that is kept.
    fn first(&self) -> u64 {
        self.last + 1 - self.blocks.len() as u64
    }

    fn pop(&mut self) -> Option<Json> {
        let block = self.blocks.pop_front()?;
        self.bytes -= block.as_str().len();
        Some(block)
    }

    fn drop_first(&mut self) {
        let number = self.first();
        let Some(block) = self.pop() else { return };
        if number <= self.delivered {
            // Its reader has it, and nobody misses it.
            return;
        }
        let dropped = self.dropped.get_or_insert(Dropped {
            first: number,
            last: number,
            bytes: 0,
        });
        dropped.last = number;
        dropped.bytes += block.as_str().len() as u64;
    }

    /// Forgets what the reader has.
    fn acknowledge(&mut self, number: u64) {
        while !self.blocks.is_empty() && self.first() <= number {
            self.pop();
        }
        self.deliver(number);
    }

    /// Counts the blocks up to this one as delivered.
    fn deliver(&mut self, number: u64) {
        self.delivered = self.delivered.max(number);
        self.dropped.take_if(|dropped| dropped.last <= number);
    }

    /// Hands over what comes after a number, or what was not delivered yet (SES-40, SES-41), and of it no more than
    /// so many bytes (SES-45).
    pub(super) fn fetch(&mut self, after: Option<u64>, max_bytes: Option<usize>) -> Batch {
        if let Some(number) = after {
            self.acknowledge(number);
        }
        let from = after.unwrap_or(self.delivered) + 1;
        let first = self.first().max(from);
        let known = (first - self.first()) as usize;
        let most = max_bytes.unwrap_or(usize::MAX);
        let (mut blocks, mut bytes) = (Vec::new(), 0_usize);
        let mut rest = self.blocks.iter().skip(known);
        let mut left = None;
        for block in rest.by_ref() {
            let length = block.as_str().len();
            if !blocks.is_empty() && bytes + length > most {
                left = Some(Left {
                    blocks: 1,
                    bytes: length,
                });
                break;
            }
            bytes += length;
            blocks.push(block.clone());
        }
        if let Some(left) = &mut left {
            for block in rest {
                left.blocks += 1;
                left.bytes += block.as_str().len();
            }
        }
        let last = self.last - left.as_ref().map_or(0, |left| left.blocks as u64);
        self.handed = self.handed.max(last);
        let batch = Batch {
            first,
            blocks,
            dropped: self.dropped.clone(),
            last,
            left,
        };
        if after.is_none() {
            self.deliver(last);
        }
        batch
    }

    /// Forgets all blocks, but not how many there were.
    pub(super) fn release(&mut self) {
        self.acknowledge(self.last);
    }

    /// Begins anew, with number 1; what was never handed over, as `dropped`.
    pub(super) fn clear(&mut self) -> Option<Json> {
        self.acknowledge(self.handed);
        while !self.blocks.is_empty() {
            self.drop_first();
        }
        let dropped = self.dropped.take();
        *self = Buffer::new(self.max_blocks, self.max_bytes);
        dropped.map(|dropped| Json::written(to_text(&dropped)))
    }
}

/// Where the characters of a text block's text stand in its JSON text.
fn text_within(block: &str) -> Option<Range<usize>> {
    let document = Document::new(block).ok()?;
    let root = document.root();
    let text = root.get("text").filter(|text| text.as_str().is_some())?;
    if !root.get("type").is_some_and(|kind| kind.is_str("text")) {
        return None;
    }
    let begin = text.start() + 1;
    Some(begin..text.start() + text.raw().len() - 1)
}

/// A block and a piece that follows it as one, if nothing but their texts differs, and they are not too long; and
/// where its text stands.
fn joined(
    last: &str,
    open: &Range<usize>,
    piece: &str,
    text: &Range<usize>,
) -> Option<(String, Range<usize>)> {
    let more = piece.get(text.clone())?;
    let is_like = last.get(..open.start) == piece.get(..text.start)
        && last.get(open.end..) == piece.get(text.end..);
    if !is_like || last.len() + more.len() > JOINED {
        return None;
    }
    let (head, tail) = last.split_at(open.end);
    let whole = [head, more, tail].concat();
    Some((whole, open.start..open.end + more.len()))
}
