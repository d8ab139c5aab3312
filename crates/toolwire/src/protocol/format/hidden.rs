//! Characters that a reader can't see as what they are: controls, and characters without a shape
//! of their own, which reorder or hide text (FMT-5).

use super::text_table::{INVISIBLE, LOOKALIKES, MARKS, WIDE};

/// Whether a character is a control or invisible (FMT-5): line feed and tab are, a space is not.
///
/// ```
/// assert!(toolwire::is_hidden('\u{200b}') && toolwire::is_hidden('\n'));
/// assert!(!toolwire::is_hidden(' '));
/// ```
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

pub(super) fn is_invisible(c: char) -> bool {
    u32::from(c) >= 0xAD && is_in(INVISIBLE, c)
}

/// Whether a character is drawn in the column of the one before it (FMT-48), such as an accent.
///
/// ```
/// assert!(toolwire::is_mark('\u{301}') && !toolwire::is_mark('é'));
/// ```
#[must_use]
pub fn is_mark(c: char) -> bool {
    u32::from(c) >= 0x300 && is_in(MARKS, c)
}

/// The Latin letter that a letter of another script is drawn like, or that a fullwidth or mathematical one
/// repeats (HID-14).
///
/// ```
/// // The first one is Cyrillic.
/// assert_eq!(toolwire::looks_like('а'), Some('a'));
/// assert_eq!(toolwire::looks_like('ｂ'), Some('b'));
/// assert_eq!(toolwire::looks_like('c'), None);
/// ```
#[must_use]
pub fn looks_like(c: char) -> Option<char> {
    let ascii = match u32::from(c) {
        0..0x80 => return None,
        code @ (0xFF21..=0xFF3A | 0xFF41..=0xFF5A) => code - 0xFEE0,
        code @ 0x1D400..=0x1D6A3 => match (code - 0x1D400) % 52 {
            capital @ 0..26 => 0x41 + capital,
            small => 0x61 + small - 26,
        },
        _ => {
            let index = LOOKALIKES.binary_search_by_key(&c, |(c, _)| *c).ok()?;
            return Some(LOOKALIKES[index].1);
        }
    };
    char::from_u32(ascii)
}

/// Whether a character takes two columns of a terminal.
pub(crate) fn is_wide(c: char) -> bool {
    u32::from(c) >= 0x1100 && is_in(WIDE, c)
}

fn is_in(ranges: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let index = ranges.partition_point(|(_, last)| *last < code);
    ranges.get(index).is_some_and(|(first, _)| *first <= code)
}

/// Writes `\uXXXX`, as two of them where JSON needs a surrogate pair.
pub(super) fn push_json_escape(out: &mut String, c: char) {
    let mut units = [0; 2];
    for unit in c.encode_utf16(&mut units) {
        out.push_str(&format!("\\u{unit:04x}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ranges_are_not_passed_over() {
        assert_eq!(INVISIBLE[0].0, 0xAD);
        assert_eq!((MARKS[0].0, WIDE[0].0), (0x300, 0x1100));
    }

    #[test]
    fn hidden_and_visible() {
        for c in "\0\t\n\x1b\x7f\u{80}\u{9b}\u{ad}\u{200b}\u{202e}\u{2066}\u{feff}\u{e0041}".chars()
        {
            assert!(is_hidden(c), "{c:?}");
        }
        for c in " a~\u{a0}ä漢\u{2027}\u{202f}\u{2065}😀\u{e1000}\u{fffd}".chars() {
            assert_eq!(is_hidden(c), c == '\u{2065}', "{c:?}");
        }
    }
}
