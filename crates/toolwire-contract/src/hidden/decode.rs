//! What invisible characters say to whoever decodes them.

use toolwire::{is_hidden, is_mark};

/// The ASCII that tag characters spell.
pub(super) fn tags(chars: &[(usize, char)]) -> Option<String> {
    let spelt: String = chars
        .iter()
        .filter_map(|(_, c)| match c {
            '\u{e0020}'..='\u{e007e}' => char::from_u32(u32::from(*c) - 0xE_0000),
            _ => None,
        })
        .collect();
    (!spelt.is_empty()).then_some(spelt)
}

/// The byte that a variation selector stands for: 0 for the first, 255 for the last.
pub(super) fn selector_byte(c: char) -> Option<u8> {
    let code = u32::from(c);
    let byte = match c {
        '\u{fe00}'..='\u{fe0f}' => code - 0xFE00,
        '\u{e0100}'..='\u{e01ef}' => code - 0xE_0100 + 16,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

/// The text whose bytes a run of variation selectors holds; without the first selector, which may belong
/// to the character before it, if there is none with it.
pub(super) fn selectors(chars: &[(usize, char)]) -> Option<String> {
    let bytes: Vec<u8> = chars
        .iter()
        .filter_map(|(_, c)| selector_byte(*c))
        .collect();
    let rest = bytes.get(1..)?.to_vec();
    readable(bytes).or_else(|| readable(rest))
}

/// The bytes as a text, if all of it can be seen.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let seen = |c: char| matches!(c, '\n' | '\t') || !(is_hidden(c) || is_mark(c));
    (!text.is_empty() && text.chars().all(seen)).then_some(text)
}
