//! One entry of a tape: where a value stands, and what it is.

use super::Kind;

/// Where a value stands. A container's entry is followed by the entries of its inside; an object's
/// inside is name, value, name, value and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Byte offset of the first byte; for a string that is the opening quote.
    pub start: u32,
    /// Byte offset behind the last byte.
    pub end: u32,
    /// Index of the entry behind this value and all that is inside it.
    pub next: u32,
    /// Number of elements or members; for a string what escapes it has.
    count_and_kind: u32,
}

const KIND_BITS: u32 = 3;

/// Behind the kinds: an object that needs no more reading.
const PLAIN_TEXT_BLOCK: u32 = 6;

/// What escapes a string holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Escapes {
    None = 0,
    /// Only such as RFC 8785 writes too, for example `\n`.
    Canonical = 1,
    /// Others as well.
    Any = 2,
}

impl Entry {
    pub(crate) fn new(kind: Kind, start: usize, end: usize, next: usize) -> Self {
        Entry {
            start: start as u32,
            end: end as u32,
            next: next as u32,
            count_and_kind: kind as u32,
        }
    }

    /// An object that is a text block with the members `type` and `text` and no other.
    pub(crate) fn plain_text_block(start: usize, end: usize, next: usize) -> Self {
        Entry {
            start: start as u32,
            end: end as u32,
            next: next as u32,
            count_and_kind: 2 << KIND_BITS | PLAIN_TEXT_BLOCK,
        }
    }

    #[inline]
    pub(crate) fn is_plain_text_block(&self) -> bool {
        self.count_and_kind & ((1 << KIND_BITS) - 1) == PLAIN_TEXT_BLOCK
    }

    pub(crate) fn string(start: usize, end: usize, next: usize, escapes: Escapes) -> Self {
        let mut entry = Entry::new(Kind::String, start, end, next);
        entry.count_and_kind |= (escapes as u32) << KIND_BITS;
        entry
    }

    #[inline(always)]
    pub(crate) fn with_next(self, next: usize) -> Self {
        Entry {
            next: next as u32,
            ..self
        }
    }

    pub(crate) fn close(&mut self, end: usize, next: usize, count: u32) {
        self.end = end as u32;
        self.next = next as u32;
        self.count_and_kind |= count.min(u32::MAX >> KIND_BITS) << KIND_BITS;
    }

    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        match self.count_and_kind & ((1 << KIND_BITS) - 1) {
            0 => Kind::Null,
            1 => Kind::Bool,
            2 => Kind::Number,
            3 => Kind::String,
            4 => Kind::Array,
            _ => Kind::Object,
        }
    }

    /// Elements of an array, members of an object. It saturates at 2^29 − 1, far over `max_values`
    /// of any document that fits in memory beside its tape.
    pub(crate) fn count(&self) -> usize {
        (self.count_and_kind >> KIND_BITS) as usize
    }

    /// Whether this entry, at an index of the tape, is a container whose inside is not there.
    #[inline]
    pub(crate) fn is_opaque(&self, index: u32) -> bool {
        self.next == index + 1
            && self.count_and_kind >> KIND_BITS != 0
            && matches!(self.kind(), Kind::Array | Kind::Object)
    }

    /// Whether a string holds at least one escape.
    #[inline]
    pub(crate) fn escaped(&self) -> bool {
        self.count_and_kind >> KIND_BITS != 0
    }

    /// Whether a string is written in its canonical form as it stands.
    #[inline]
    pub(crate) fn is_canonical(&self) -> bool {
        self.count_and_kind >> KIND_BITS <= Escapes::Canonical as u32
    }
}
