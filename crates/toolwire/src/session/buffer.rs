//! The blocks of a handle that nobody has acknowledged yet: numbered, and bounded.

use std::collections::VecDeque;
use std::ops::Range;

use crate::Json;
use crate::canonical::Digester;
use crate::json::{Document, ObjectWriter};

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
    dropped: Option<Dropped>,
    max_blocks: usize,
    max_bytes: usize,
}

/// What was dropped and not acknowledged.
#[derive(Debug, Clone)]
pub(super) struct Dropped {
    first: u64,
    last: u64,
    bytes: u64,
    digest: Digester,
}

impl Dropped {
    /// For a model, which sees the content alone.
    pub(super) fn note(&self) -> String {
        let (first, last, bytes) = (self.first, self.last, self.bytes);
        let which = match first == last {
            true => format!("block {first} was"),
            false => format!("blocks {first} to {last} were"),
        };
        format!("{which} dropped: {bytes} bytes, {}", self.digest.text())
    }

    pub(super) fn to_json(&self) -> Json {
        let text = ObjectWriter::new()
            .number("first", self.first)
            .number("last", self.last)
            .number("bytes", self.bytes)
            .text("digest", self.digest.text())
            .end();
        Json::written(text)
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
#[derive(Debug, Clone, Copy)]
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

    pub(super) fn to_json(self) -> String {
        ObjectWriter::new()
            .number("blocks", self.blocks as u64)
            .number("bytes", self.bytes as u64)
            .end()
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
        let dropped = self.dropped.get_or_insert_with(|| Dropped {
            first: number,
            last: number,
            bytes: 0,
            digest: Digester::default(),
        });
        dropped.last = number;
        let exact = block.exact();
        dropped.bytes += exact.as_str().len() as u64 + 1;
        dropped.digest.add(exact.as_str().as_bytes());
        dropped.digest.add(b"\n");
    }

    /// Forgets what the reader has.
    fn acknowledge(&mut self, number: u64) {
        while !self.blocks.is_empty() && self.first() <= number {
            self.pop();
        }
        self.dropped.take_if(|dropped| dropped.last <= number);
    }

    /// Hands over what was not acknowledged (SES-40, SES-41).
    pub(super) fn fetch(&mut self, after: Option<u64>, max_bytes: Option<usize>) -> Batch {
        if let Some(number) = after {
            self.acknowledge(number);
        }
        let most = max_bytes.unwrap_or(usize::MAX);
        let (mut count, mut bytes) = (0, 0_usize);
        for block in &self.blocks {
            let with = bytes + block.as_str().len();
            if count > 0 && with > most {
                break;
            }
            (count, bytes) = (count + 1, with);
        }
        let left = self.blocks.len() - count;
        let last = self.last - left as u64;
        let batch = Batch {
            first: self.first(),
            blocks: self.blocks.iter().take(count).cloned().collect(),
            dropped: self.dropped.clone(),
            last,
            left: (left > 0).then(|| Left {
                blocks: left,
                bytes: self.bytes - bytes,
            }),
        };
        self.handed = self.handed.max(last);
        if after.is_none() {
            self.acknowledge(last);
        }
        batch
    }

    /// Forgets all blocks, but not how many there were.
    pub(super) fn release(&mut self) {
        self.acknowledge(self.last);
    }

    /// Drops everything; what of it was never handed over, as `dropped`.
    pub(super) fn clear(&mut self) -> Option<Json> {
        if !self.has_news() {
            return None;
        }
        self.acknowledge(self.handed);
        while !self.blocks.is_empty() {
            self.drop_first();
        }
        self.dropped.as_ref().map(Dropped::to_json)
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
