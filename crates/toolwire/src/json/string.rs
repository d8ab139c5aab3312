//! Strings: finding their end, decoding and writing them.

use std::borrow::Cow;

use super::tape::Entry;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The position of the first `"`, `\` or control character at or behind `at`; the length of `text`
/// where there is none.
#[inline]
pub(super) fn end_of_plain(text: &[u8], mut at: usize) -> usize {
    // Short strings end within the first words, long ones are walked in blocks that vectorize.
    let mut words = 0;
    while let Some(word) = word_at(text, at) {
        let mask = special(word);
        if mask != 0 {
            return at + (mask.trailing_zeros() / 8) as usize;
        }
        at += 8;
        words += 1;
        if words == 4 {
            at = skip_blocks(text, at);
        }
    }
    while at < text.len() && !matches!(text[at], b'"' | b'\\' | 0..=0x1F) {
        at += 1;
    }
    at
}

fn skip_blocks(text: &[u8], mut at: usize) -> usize {
    while let Some(block) = text.get(at..at + 64) {
        let hit = block.iter().fold(false, |hit, &b| {
            hit | (b == b'"') | (b == b'\\') | (b < 0x20)
        });
        if hit {
            break;
        }
        at += 64;
    }
    at
}

#[inline]
fn word_at(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..at + 8)?
        .try_into()
        .ok()
        .map(u64::from_le_bytes)
}

/// A mask whose lowest set bit is in the first byte that is `"`, `\` or a control character.
#[inline]
fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * u64::from(b'"'));
    let backslash = word ^ (ONES * u64::from(b'\\'));
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (quote.wrapping_sub(ONES) & !quote | backslash.wrapping_sub(ONES) & !backslash | control) & HIGH
}

/// Finds specials one after another, in text that is walked from its beginning to its end: a block
/// of 64 bytes is looked at once, however many strings begin and end in it.
pub(super) struct Specials {
    /// Where the current block begins.
    block: usize,
    /// A bit for each byte of it that is special.
    mask: u64,
}

impl Specials {
    pub(super) fn new(text: &[u8]) -> Self {
        Specials {
            block: 0,
            mask: mask_at(text, 0),
        }
    }

    /// As [`end_of_plain`]; `at` is not before the last answer.
    #[inline]
    pub(super) fn next(&mut self, text: &[u8], at: usize) -> usize {
        let inside = at.wrapping_sub(self.block);
        if inside < 64 {
            let rest = self.mask >> inside;
            if rest != 0 {
                return at + rest.trailing_zeros() as usize;
            }
        }
        self.next_block(text, at)
    }

    fn next_block(&mut self, text: &[u8], at: usize) -> usize {
        let mut from = at;
        if at < self.block + 64 {
            from = self.block + 64;
        }
        self.block = from & !63;
        self.mask = mask_at(text, self.block);
        let rest = self.mask >> (from - self.block);
        if rest != 0 {
            return from + rest.trailing_zeros() as usize;
        }
        self.block = skip_blocks(text, self.block + 64);
        self.mask = mask_at(text, self.block);
        if self.mask != 0 {
            return self.block + self.mask.trailing_zeros() as usize;
        }
        text.len()
    }
}

/// The mask of the block that begins at `at`; what is behind the end is not special.
#[inline]
fn mask_at(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(<[u8]>::first_chunk) {
        Some(block) => mask(block),
        None => {
            let mut block = [b' '; 64];
            let rest = text.get(at..).unwrap_or_default();
            block[..rest.len()].copy_from_slice(rest);
            mask(&block)
        }
    }
}

#[inline]
fn mask(block: &[u8; 64]) -> u64 {
    let mut hits = [0u8; 64];
    for (hit, &byte) in hits.iter_mut().zip(block) {
        let special = (byte == b'"') | (byte == b'\\') | (byte < 0x20);
        *hit = u8::from(special);
    }
    // The low bits of eight bytes are gathered in the highest byte of a product.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut mask = 0;
    for (index, eight) in hits.as_chunks::<8>().0.iter().enumerate() {
        mask |= (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56) << (8 * index);
    }
    mask
}

/// The bytes between the quotes.
#[inline]
pub(crate) fn inside<'a>(text: &'a [u8], entry: &Entry) -> &'a [u8] {
    &text[entry.start as usize + 1..entry.end as usize - 1]
}

/// The document was checked as a whole, and its values begin and end at quotes, brackets and digits,
/// so this check of a part can't fail; it costs little and keeps the crate free of unsafe code.
pub(super) fn str_of(bytes: &[u8]) -> &str {
    simdutf8::basic::from_utf8(bytes).unwrap_or_default()
}

/// The value of a string that was scanned before.
pub(crate) fn decode<'a>(text: &'a [u8], entry: &Entry) -> Cow<'a, str> {
    let bytes = inside(text, entry);
    if entry.escaped() {
        Cow::Owned(unescape(str_of(bytes)))
    } else {
        Cow::Borrowed(str_of(bytes))
    }
}

/// Resolves the escapes of a string's inside. They were checked by the scan.
fn unescape(mut rest: &str) -> String {
    let mut out = String::with_capacity(rest.len());
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let kind = rest.as_bytes().get(at + 1).copied().unwrap_or(b'\\');
        rest = &rest[(at + 2).min(rest.len())..];
        match kind {
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{C}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'u' => {
                let mut unit = hex4(rest.as_bytes());
                rest = &rest[4.min(rest.len())..];
                if (0xD800..0xDC00).contains(&unit) && rest.len() >= 6 {
                    let low = hex4(&rest.as_bytes()[2..]);
                    rest = &rest[6..];
                    unit = 0x1_0000 + ((unit - 0xD800) << 10) + (low.wrapping_sub(0xDC00) & 0x3FF);
                }
                out.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            other => out.push(char::from(other)),
        }
    }
    out.push_str(rest);
    out
}

/// The value of four hexadecimal digits that were checked before.
pub(super) fn hex4(digits: &[u8]) -> u32 {
    digits.iter().take(4).fold(0, |unit, &digit| {
        unit * 16 + char::from(digit).to_digit(16).unwrap_or(0)
    })
}

/// Appends a string in the form that RFC 8785 prescribes: only `"`, `\` and control characters are
/// escaped, with the short escape where there is one.
pub(crate) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut from = 0;
    loop {
        let at = end_of_plain(text.as_bytes(), from);
        out.push_str(&text[from..at]);
        let Some(&byte) = text.as_bytes().get(at) else {
            break;
        };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            0x08 => out.push_str("\\b"),
            0x09 => out.push_str("\\t"),
            0x0A => out.push_str("\\n"),
            0x0C => out.push_str("\\f"),
            0x0D => out.push_str("\\r"),
            other => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.push_str("\\u00");
                out.push(char::from(HEX[usize::from(other >> 4)]));
                out.push(char::from(HEX[usize::from(other & 15)]));
            }
        }
        from = at + 1;
    }
    out.push('"');
}

/// The first characters of a text, with `…` where it goes on; for messages.
pub(crate) fn brief(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_plain_run_is_found_at_every_position() {
        for special in [b'"', b'\\', 0x00, 0x1F, b'\n'] {
            for length in 0..200 {
                for plain in [b'a', 0x20, 0x7F, 0x80, 0xFF, b'#', b'!', b']', b'['] {
                    let mut text = vec![plain; length];
                    assert_eq!(end_of_plain(&text, 0), length);
                    text.push(special);
                    text.extend([plain; 70]);
                    assert_eq!(end_of_plain(&text, 0), length, "{special} behind {plain}");
                }
            }
        }
    }

    #[test]
    fn specials_are_found_in_order_across_blocks() {
        // Distances that fall on, before and behind the ends of blocks.
        for distance in [1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200, 1000] {
            for (at, special) in [(0, b'"'), (1, b'\\'), (63, 0x1F), (64, 0), (70, b'\n')] {
                let mut text = vec![0xE9; at + 3 * distance];
                for place in [at, at + distance, at + 2 * distance] {
                    text[place] = special;
                }
                let mut specials = Specials::new(&text);
                let found = [
                    specials.next(&text, 0),
                    specials.next(&text, at + 1),
                    specials.next(&text, at + distance + 1),
                    specials.next(&text, at + 2 * distance + 1),
                ];
                let end = text.len();
                assert_eq!(found, [at, at + distance, at + 2 * distance, end]);
            }
        }
        assert_eq!(Specials::new(b"").next(b"", 0), 0);
    }

    #[test]
    fn every_escape_is_resolved() {
        assert_eq!(
            unescape(r#"a\"\\\/\b\f\n\r\té😀z"#),
            "a\"\\/\u{8}\u{c}\n\r\té😀z"
        );
    }

    #[test]
    fn strings_are_written_with_the_short_escapes() {
        let mut out = String::new();
        write_string(&mut out, "\u{1}\u{8}\t\n\u{c}\r\"\\/é\u{7f}\u{2028}");
        assert_eq!(out, "\"\\u0001\\b\\t\\n\\f\\r\\\"\\\\/é\u{7f}\u{2028}\"");
    }
}
