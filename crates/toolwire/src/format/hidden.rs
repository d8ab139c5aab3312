//! Characters that a reader can't see as what they are: controls, and characters without a shape
//! of their own, which reorder or hide text (FMT-5).

use unicode_width::UnicodeWidthChar;

/// Unicode's `Default_Ignorable_Code_Point`, which holds the bidi controls, the zero-width
/// characters, variation selectors and tags, and besides it the line and paragraph separators and
/// the interlinear annotation characters. Sorted.
const INVISIBLE: &[(u32, u32)] = &[
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
];

/// Whether a character is a control or invisible.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

pub(super) fn is_invisible(c: char) -> bool {
    let code = u32::from(c);
    if code < 0xAD {
        return false;
    }
    let index = INVISIBLE.partition_point(|(_, last)| *last < code);
    INVISIBLE
        .get(index)
        .is_some_and(|(first, _)| *first <= code)
}

/// Whether a character is drawn in the column of the one before it (FMT-48).
pub(super) fn is_mark(c: char) -> bool {
    u32::from(c) >= 0x300 && c.width() == Some(0) && !is_hidden(c)
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
    fn the_ranges_are_sorted_and_apart() {
        assert!(INVISIBLE.iter().all(|(first, last)| first <= last));
        assert!(INVISIBLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
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
