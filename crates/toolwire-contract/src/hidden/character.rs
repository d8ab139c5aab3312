//! Which kind of hidden character one is, and its name.

use toolwire::{is_hidden, is_mark};

use super::homoglyph::lookalike_name;
use super::table::{BLANK, NAMES};

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
        Class::Plain => lookalike_name(c).to_owned(),
        _ => "INVISIBLE CHARACTER".to_owned(),
    }
}

/// How many different names a finding has at most.
const MOST_NAMES: usize = 4;

/// The names of characters in the order in which they come first, with how often each comes.
pub(super) fn names(chars: impl Iterator<Item = char>) -> String {
    let mut all: Vec<(String, usize)> = Vec::new();
    let mut others = 0;
    for c in chars {
        let name = name(c);
        let full = all.len() == MOST_NAMES;
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None if full => others += 1,
            None => all.push((name, 1)),
        }
    }
    let told = all.into_iter().map(|(name, count)| match count {
        1 => name,
        _ => format!("{name} ×{count}"),
    });
    let mut told = told.collect::<Vec<_>>().join(", ");
    if others > 0 {
        told.push_str(&format!(", others ×{others}"));
    }
    told
}
