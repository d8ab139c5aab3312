//! Finding quotes, backslashes and control characters: the bytes that say where a string ends.

use wide::u8x16;

/// The specials of a text in order, each looked for once: a block of 64 bytes becomes a mask with a
/// bit for each byte that is special, and a bit is cleared when its byte is passed.
///
/// It is small and passed by value, so that it stays in registers.
#[derive(Clone, Copy)]
pub(super) struct Specials {
    /// Where the current block begins. It may be any place: a block begins where it is needed.
    block: usize,
    /// The specials of the block that were not passed yet.
    mask: u64,
}

impl Specials {
    pub(super) const NONE: Specials = Specials { block: 0, mask: 0 };

    /// Passes the special at `at`, which is not before any that was passed; specials before it were
    /// white space, and are passed too.
    #[inline(always)]
    pub(super) fn pass(self, text: &[u8], at: usize) -> Specials {
        let found = if self.place() == at && self.mask != 0 {
            self
        } else {
            self.from(text, at)
        };
        Specials {
            mask: found.mask & found.mask.wrapping_sub(1),
            ..found
        }
    }

    /// The first special at or behind `at`, as a block that begins there or before.
    #[inline(never)]
    pub(super) fn from(self, text: &[u8], at: usize) -> Specials {
        let inside = at.wrapping_sub(self.block);
        if inside < 64 && self.mask >> inside != 0 {
            return Specials {
                block: self.block,
                mask: self.mask & (u64::MAX << inside),
            };
        }
        Specials {
            block: at,
            mask: mask_at(text, at),
        }
    }

    /// The same, moved on to the next special if the block has none left.
    #[inline(always)]
    pub(super) fn filled(self, text: &[u8]) -> Specials {
        if self.mask == 0 {
            next_block(text, self.block.wrapping_add(64))
        } else {
            self
        }
    }

    /// The place of the next special, after [`Specials::filled`]; the length of the text where there is
    /// none.
    #[inline(always)]
    pub(super) fn place(self) -> usize {
        self.block.wrapping_add(self.mask.trailing_zeros() as usize)
    }

    /// Passes the next special, after [`Specials::filled`].
    #[inline(always)]
    pub(super) fn passed(self) -> Specials {
        Specials {
            mask: self.mask & self.mask.wrapping_sub(1),
            ..self
        }
    }

    /// Passes a backslash, the next special, and the letter behind it.
    #[inline(always)]
    pub(super) fn passed_pair(self, text: &[u8]) -> Specials {
        let bit = self.mask & self.mask.wrapping_neg();
        if bit == 1 << 63 {
            return Specials {
                block: self.block + 65,
                mask: mask_at(text, self.block + 65),
            };
        }
        Specials {
            mask: self.mask & !(bit | bit << 1),
            ..self
        }
    }
}

/// The first block at or behind `block` with a special.
#[inline(never)]
fn next_block(text: &[u8], mut block: usize) -> Specials {
    block = skip_plain(text, block);
    let mask = mask_at(text, block);
    if mask == 0 {
        // Beyond its last block the text ends; 64 bits further on is its end.
        block = text.len().wrapping_sub(64);
    }
    Specials { block, mask }
}

/// The place of the first block at or behind `at`, in steps of 64 bytes, that has a special or is
/// not whole.
#[inline]
pub(super) fn skip_plain(text: &[u8], mut at: usize) -> usize {
    let (blocks, _) = text.get(at..).unwrap_or_default().as_chunks();
    for block in blocks {
        if any(block) {
            return at;
        }
        at += 64;
    }
    at
}

/// The mask of the block that begins at `at`; what is behind the end is not special.
#[inline]
fn mask_at(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(<[u8]>::first_chunk) {
        Some(block) => mask(block),
        None => mask_of_rest(text.get(at..).unwrap_or_default()),
    }
}

fn mask_of_rest(rest: &[u8]) -> u64 {
    let mut block = [b' '; 64];
    for (byte, &given) in block.iter_mut().zip(rest) {
        *byte = given;
    }
    mask(&block)
}

/// For 16 bytes each, all bits where a byte is special, and none elsewhere.
#[inline(always)]
fn special(block: &[u8; 64]) -> [u8x16; 4] {
    let (parts, _) = block.as_chunks::<16>();
    [0, 1, 2, 3].map(|part| {
        let bytes = u8x16::new(parts[part]);
        let quote = bytes.cmp_eq(u8x16::splat(b'"'));
        let backslash = bytes.cmp_eq(u8x16::splat(b'\\'));
        let control = bytes.min(u8x16::splat(0x1F)).cmp_eq(bytes);
        quote | backslash | control
    })
}

#[inline(always)]
fn mask(block: &[u8; 64]) -> u64 {
    let [a, b, c, d] = special(block).map(|part| u64::from(part.move_mask() as u16));
    a | b << 16 | c << 32 | d << 48
}

#[inline(always)]
fn any(block: &[u8; 64]) -> bool {
    let [a, b, c, d] = special(block);
    (a | b | c | d).any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &[u8]) -> Vec<usize> {
        let mut places = Vec::new();
        let mut specials = Specials::NONE.from(text, 0);
        loop {
            specials = specials.filled(text);
            let place = specials.place();
            if place == text.len() {
                return places;
            }
            places.push(place);
            specials = specials.passed();
        }
    }

    #[test]
    fn specials_are_found_in_order_across_blocks() {
        // Distances that fall on, before and behind the ends of blocks.
        for distance in [1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200, 1000] {
            for (at, special) in [(0, b'"'), (1, b'\\'), (63, 0x1F), (64, 0), (70, b'\n')] {
                let mut text = vec![0xE9; at + 3 * distance];
                let places = [at, at + distance, at + 2 * distance];
                for place in places {
                    text[place] = special;
                }
                assert_eq!(found(&text), places);
                let specials = Specials::NONE.pass(&text, places[1]).filled(&text);
                assert_eq!(specials.place(), places[2]);
            }
        }
        for plain in 0..200 {
            assert!(found(&vec![b' '; plain]).is_empty());
        }
    }

    #[test]
    fn a_pair_is_passed_wherever_a_block_ends() {
        for before in 0..200 {
            for letter in [b'n', b'"', b'\\'] {
                let mut text = vec![b'"'];
                text.extend(vec![b'x'; before]);
                text.extend([b'\\', letter, b'"']);
                let specials = Specials::NONE.pass(&text, 0).filled(&text);
                assert_eq!(specials.place(), before + 1);
                let specials = specials.passed_pair(&text).filled(&text);
                assert_eq!(specials.place(), before + 3);
                let specials = specials.passed().filled(&text);
                assert_eq!(specials.place(), text.len());
            }
        }
    }

    #[test]
    fn every_byte_is_judged_at_every_place() {
        for first in 0..=255u8 {
            for place in 0..64 {
                let mut block = [b'a'; 64];
                block[place] = first;
                let special = matches!(first, b'"' | b'\\' | 0..=0x1F);
                assert_eq!(mask(&block), u64::from(special) << place);
                assert_eq!(any(&block), special);
            }
        }
    }
}
