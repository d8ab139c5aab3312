//! The blocks of a handle that were not acknowledged yet: numbered, and bounded (SES-40 to SES-43).

use std::collections::VecDeque;

use serde::Serialize;

use crate::base::json::to_text;
use crate::{Block, Json};

/// Maximum size of a block that is joined from pieces, in bytes.
const MAX_JOINED: usize = 8192;

#[derive(Debug, Clone)]
pub(super) struct Buffer {
    blocks: VecDeque<Json>,
    /// The number of the last block, which is also the number of all blocks so far.
    pub last: u64,
    /// The bytes of the blocks that are kept.
    bytes: usize,
    /// The number of the last block that was ever handed over.
    pub handed: u64,
    /// Whether the last block is a piece to which the next may be added.
    open: bool,
    /// The number of the last block that counts as delivered: a fetch without `after` begins behind it.
    pub delivered: u64,
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
            open: false,
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

    /// Whether there is anything that was never handed over.
    pub(super) fn has_news(&self) -> bool {
        self.last > self.handed
    }

    pub(super) fn push(&mut self, block: Json) {
        self.open = false;
        self.last += 1;
        self.bytes += block.as_str().len();
        self.blocks.push_back(block);
        self.keep_bounds();
    }

    /// Adds a piece of what a program prints to the last block, if that is such a piece, too, and was never handed
    /// over (SES-44).
    pub(super) fn push_piece(&mut self, block: Json) {
        let last = self.blocks.back().filter(|_| self.open && self.has_news());
        let joined = last.and_then(|last| joined(last, &block));
        let (Some(whole), Some(last)) = (joined, self.blocks.back_mut()) else {
            self.push(block);
            self.open = true;
            return;
        };
        self.bytes = self.bytes - last.as_str().len() + whole.as_str().len();
        *last = whole;
        self.keep_bounds();
    }

    /// What comes from now on is no continuation of what was said before.
    pub(super) fn close(&mut self) {
        self.open = false;
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
            // Its reader has it.
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
        let limit = max_bytes.unwrap_or(usize::MAX);
        let news: Vec<&Json> = self.blocks.iter().skip(known).collect();
        let bytes = |blocks: &[&Json]| -> usize { blocks.iter().map(|b| b.as_str().len()).sum() };
        let mut sum = 0;
        let fits = news.iter().take_while(|block| {
            sum += block.as_str().len();
            sum <= limit
        });
        let fitting = fits.count().max(1).min(news.len());
        let (now, later) = news.split_at(fitting);
        let left = (!later.is_empty()).then(|| Left {
            blocks: later.len(),
            bytes: bytes(later),
        });
        let blocks = now.iter().map(|block| (*block).clone()).collect();
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

    /// Restarts with number 1; what was never handed over, as `dropped`.
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

/// Two text blocks as one, if nothing but their texts differs and they are not too long together.
fn joined(last: &Json, piece: &Json) -> Option<Json> {
    let read = |block: &Json| match Block::from_json(block.as_str()) {
        Ok(Block::Text(mut block)) => Some((std::mem::take(&mut block.text), block)),
        _ => None,
    };
    let ((before, mut block), (after, like)) = (read(last)?, read(piece)?);
    if block != like {
        return None;
    }
    block.text = before + &after;
    let whole = Json::from(&Block::Text(block));
    (whole.as_str().len() <= MAX_JOINED).then_some(whole)
}
