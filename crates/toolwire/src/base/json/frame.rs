//! The containers that are open while a document is scanned.

use super::entry::Entry;

/// An array or object that is still open.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The sketches of an object's names so far, together.
    pub sketches: u64,
    /// The elements or members so far, without the one that is being read.
    pub count: u32,
    /// The length of the tape before it.
    pub index: u32,
    /// What closes it.
    pub bracket: u8,
    /// Whether its names are in a set.
    pub many: bool,
}

/// How many names of one object are compared one by one, before a set takes over.
pub(super) const FEW_NAMES: u32 = 12;

impl Frame {
    /// What is around a document's value.
    pub(super) const OUTERMOST: Frame = Frame {
        sketches: 0,
        count: 0,
        index: 0,
        bracket: 0,
        many: false,
    };

    #[inline(always)]
    pub(super) fn new(object: bool, index: usize) -> Self {
        Frame {
            index: index as u32,
            bracket: if object { b'}' } else { b']' },
            ..Frame::OUTERMOST
        }
    }

    #[inline(always)]
    pub(super) fn is_object(&self) -> bool {
        self.bracket == b'}'
    }

    #[inline(always)]
    pub(super) fn is_array(&self) -> bool {
        self.bracket == b']'
    }

    /// Takes note of a name. Whether it may be there already: most names differ from all others in
    /// their sketch, and need no comparison.
    #[inline(always)]
    pub(super) fn may_repeat(&mut self, text: &[u8], name: &Entry) -> bool {
        let sketch = if name.escaped() {
            u64::MAX
        } else {
            sketch(text, name)
        };
        let new = self.sketches & sketch == 0;
        self.sketches |= sketch;
        !new || self.count >= FEW_NAMES
    }
}

/// One bit of 64 for a name without escapes; names that have different bits are different.
#[inline(always)]
fn sketch(text: &[u8], name: &Entry) -> u64 {
    let end = name.end as usize - 1;
    // Up to eight bytes, the opening quote and what is behind it or the last ones.
    let (length, last) = match text.get(end.wrapping_sub(8)..end) {
        Some(bytes) => (
            (end - name.start as usize).min(8),
            bytes
                .first_chunk()
                .map_or(0, |word| u64::from_le_bytes(*word)),
        ),
        None => (8, first_bytes(text, name.start as usize, end)),
    };
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    1 << ((last >> (64 - 8 * length)).wrapping_mul(MIX) >> 58)
}

/// The bytes from `start` to `end`, which are fewer than eight, as the highest of a word would be if
/// there were eight and it was shifted.
#[cold]
fn first_bytes(text: &[u8], start: usize, end: usize) -> u64 {
    let bytes = text[start..end].iter().rev();
    bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// How many frames are kept without asking for memory.
const FEW: usize = 8;

/// The frames around the current one, the innermost last.
pub(super) struct Frames {
    few: [Frame; FEW],
    more: Vec<Frame>,
    depth: usize,
    deepest: usize,
}

impl Frames {
    pub(super) fn new() -> Self {
        Frames {
            few: [Frame::OUTERMOST; FEW],
            more: Vec::new(),
            depth: 0,
            deepest: 0,
        }
    }

    #[inline(always)]
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Maximum number of frames that were open at once.
    pub(super) fn deepest(&self) -> usize {
        self.deepest
    }

    /// One more container begins and ends within the current frame, and needs none of its own.
    #[inline(always)]
    pub(super) fn pass(&mut self) {
        self.deepest = self.deepest.max(self.depth + 1);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, frame: Frame) {
        match self.few.get_mut(self.depth) {
            Some(place) => *place = frame,
            None => self.more.push(frame),
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    /// The innermost frame; there is one.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Frame {
        self.depth -= 1;
        match self.few.get(self.depth) {
            Some(frame) => *frame,
            None => self.more.pop().unwrap_or(Frame::OUTERMOST),
        }
    }
}
