//! Names that an object has twice (READ-10).

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use super::frame::{FEW_NAMES, Frame};
use super::scan::Fault;
use super::string::{decode, inside};
use super::tape::Entry;
use crate::Code;

/// The names of each open object that has more than a few, by their hashes: there may be millions, and
/// the names themselves are on the tape. The standard library's hasher is keyed at random, so a tool
/// can't choose names that collide.
#[derive(Default)]
pub(super) struct Names {
    sets: Vec<HashSet<u64, BuildHasherDefault<AsIs>>>,
    hasher: RandomState,
}

/// The hasher of what is a hash already.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers of 64 bits are hashed")
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Names {
    /// Adds a name to those of the innermost object, which begin at `inside` of the tape; refuses it
    /// if it is there already. `values` says whether the tape has the values between them. Gives
    /// whether the object's names are in a set now.
    #[cold]
    pub(super) fn add(
        &mut self,
        text: &[u8],
        tape: &[Entry],
        inside: usize,
        values: bool,
        frame: Frame,
        name: Entry,
    ) -> Result<bool, Fault> {
        let twice = Fault {
            code: Code::DuplicateName,
            offset: name.start as usize,
        };
        let before = || Before {
            tape,
            at: inside,
            values,
        };
        let Names { sets, hasher } = self;
        let hash = |name: &Entry| hasher.hash_one(decode(text, name));
        if frame.many
            && let Some(names) = sets.last_mut()
            && names.insert(hash(&name))
        {
            return Ok(true);
        }
        // Where the hash of a long object's name is there already, so is the name but for an accident.
        if before().any(|other| same_string(text, other, &name)) {
            return Err(twice);
        }
        if frame.count == FEW_NAMES {
            let mut names: HashSet<_, _> = before().map(&hash).collect();
            names.insert(hash(&name));
            sets.push(names);
            return Ok(true);
        }
        Ok(frame.many)
    }

    /// Forgets the innermost set.
    #[cold]
    pub(super) fn close(&mut self) {
        self.sets.pop();
    }
}

/// The names of an object so far.
struct Before<'t> {
    tape: &'t [Entry],
    at: usize,
    values: bool,
}

impl<'t> Iterator for Before<'t> {
    type Item = &'t Entry;

    fn next(&mut self) -> Option<&'t Entry> {
        let name = self.tape.get(self.at)?;
        self.at += 1;
        if self.values {
            self.at = self.tape.get(self.at)?.next as usize;
        }
        Some(name)
    }
}

/// One bit of 64 for a name without escapes; names that have different bits are different.
#[inline(always)]
pub(super) fn sketch(text: &[u8], name: &Entry) -> u64 {
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

fn same_string(text: &[u8], a: &Entry, b: &Entry) -> bool {
    if a.escaped() || b.escaped() {
        return decode(text, a) == decode(text, b);
    }
    inside(text, a) == inside(text, b)
}
