//! The blocks of a handle that nobody has acknowledged yet: numbered, and bounded (SES-40 to SES-43).

use std::collections::VecDeque;

use crate::Json;
use crate::canonical::Digester;
use crate::json::ObjectWriter;

#[derive(Debug, Clone)]
pub(super) struct Buffer {
    blocks: VecDeque<Json>,
    /// How many blocks there were in all, which is the number of the last one.
    last: u64,
    /// The bytes of the blocks that are kept.
    bytes: usize,
    /// The last block that was ever handed over.
    handed: u64,
    /// The last block that counts as delivered: a fetch without `after` begins behind it.
    delivered: u64,
    dropped: Option<Dropped>,
    max_blocks: usize,
    max_bytes: usize,
}

/// What was dropped before it was delivered, and not acknowledged since.
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
}

impl Buffer {
    pub(super) fn new(max_blocks: usize, max_bytes: usize) -> Self {
        Buffer {
            blocks: VecDeque::new(),
            last: 0,
            bytes: 0,
            handed: 0,
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

    /// Whether there is anything that was never handed over.
    pub(super) fn has_news(&self) -> bool {
        self.last > self.handed
    }

    pub(super) fn push(&mut self, block: Json) {
        self.last += 1;
        self.bytes += block.as_str().len();
        self.blocks.push_back(block);
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
        if number <= self.delivered {
            // Its reader has it, and nobody misses it.
            return;
        }
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
        self.deliver(number);
    }

    /// Counts the blocks up to this one as delivered.
    fn deliver(&mut self, number: u64) {
        self.delivered = self.delivered.max(number);
        self.dropped.take_if(|dropped| dropped.last <= number);
    }

    /// Hands over what comes after a number, or what was not delivered yet (SES-40, SES-41).
    pub(super) fn fetch(&mut self, after: Option<u64>) -> Batch {
        if let Some(number) = after {
            self.acknowledge(number);
        }
        let from = after.unwrap_or(self.delivered) + 1;
        let first = self.first().max(from);
        let known = (first - self.first()) as usize;
        let batch = Batch {
            first,
            blocks: self.blocks.iter().skip(known).cloned().collect(),
            dropped: self.dropped.clone(),
        };
        self.handed = self.last;
        if after.is_none() {
            self.deliver(self.last);
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
        dropped.as_ref().map(Dropped::to_json)
    }
}
