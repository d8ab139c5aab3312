//! Names that an object has twice (READ-10).

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use super::entry::Entry;
use super::fault::Fault;
use super::frame::{FEW_NAMES, Frame};
use super::string::{decode, inside};
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

fn same_string(text: &[u8], a: &Entry, b: &Entry) -> bool {
    if a.escaped() || b.escaped() {
        return decode(text, a) == decode(text, b);
    }
    inside(text, a) == inside(text, b)
}
