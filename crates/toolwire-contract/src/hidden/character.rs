//! Which kind of hidden character one is, and its name.

use toolwire::{is_hidden, is_mark};

use super::table::{BLANK, NAMES, SCRIPTS};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Whatever can be seen, and line feed and tab.
    Plain,
    Control,
    Tag,
    Selector,
    Bidi,
    Invisible,
    Mark,
}

pub(super) fn class(c: char) -> Class {
    match c {
        ' '..='~' | '\n' | '\t' => Class::Plain,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => Class::Bidi,
        '\u{2066}'..='\u{2069}' => Class::Bidi,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Class::Selector,
        '\u{e0001}' | '\u{e0020}'..='\u{e007f}' => Class::Tag,
        c if c.is_control() => Class::Control,
        c if is_hidden(c) || is_in(BLANK, c) => Class::Invisible,
        c if is_mark(c) => Class::Mark,
        _ => Class::Plain,
    }
}

/// Whether a character stands in sorted ranges; both ends belong to a range.
pub(super) fn is_in(ranges: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let index = ranges.partition_point(|(_, last)| *last < code);
    ranges.get(index).is_some_and(|(first, _)| *first <= code)
}

/// The script of a letter, or how it repeats Latin.
pub(super) fn script(c: char) -> Option<&'static str> {
    match u32::from(c) {
        0x41..=0x5A | 0x61..=0x7A => Some("LATIN"),
        0..0xAA => None,
        0xFF21..=0xFF3A | 0xFF41..=0xFF5A => Some("FULLWIDTH LATIN"),
        0x1D400..=0x1D6A3 => Some("MATHEMATICAL"),
        _ => {
            let mut scripts = SCRIPTS.iter();
            let found = scripts.find(|(_, letters)| is_in(letters, c));
            found.map(|(name, _)| *name)
        }
    }
}

/// The name of a character that is hidden, or that looks like another.
pub(super) fn name(c: char) -> String {
    let code = u32::from(c);
    if let Ok(index) = NAMES.binary_search_by_key(&code, |(code, _)| *code) {
        return NAMES[index].1.to_owned();
    }
    match class(c) {
        Class::Selector => {
            let number = 1 + super::decode::selector_byte(c).map_or(0, u32::from);
            format!("VARIATION SELECTOR-{number}")
        }
        Class::Tag => "TAG CHARACTER".to_owned(),
        Class::Mark => "COMBINING MARK".to_owned(),
        Class::Plain => format!("{} LETTER", script(c).unwrap_or("UNKNOWN")),
        _ => "INVISIBLE CHARACTER".to_owned(),
    }
}

/// A finding has no more names than this.
const MAX_NAMES: usize = 4;

/// The names of characters in the order in which they come first.
pub(super) fn names(chars: impl Iterator<Item = char>) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in chars.map(name) {
        if names.contains(&name) {
            continue;
        }
        if names.len() == MAX_NAMES {
            names.push("others".to_owned());
            break;
        }
        names.push(name);
    }
    names.join(", ")
}
