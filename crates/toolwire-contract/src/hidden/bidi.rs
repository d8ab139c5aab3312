//! Controls of the bidirectional algorithm: which are ordinary on their line, and what an override shows.

use toolwire::read_escape;

use super::character::{Class, class, is_in};
use super::table::RIGHT_TO_LEFT;

/// An overridden text that is longer is not written out reversed.
const MOST_REVERSED: usize = 200;

/// What is known of the line that was looked at last. Every line is looked at once.
#[derive(Default)]
pub(super) struct Line {
    /// The index of the character behind it.
    end: usize,
    has_right_to_left: bool,
    isolates_are_plain: bool,
}

impl Line {
    /// Whether the control at an index is what a language that is written from right to left needs
    /// (HID-25). Asked for ascending indexes.
    pub(super) fn is_ordinary(&mut self, text: &str, chars: &[(usize, char)], at: usize) -> bool {
        if at >= self.end {
            self.read(text, chars, at);
        }
        let is_mark = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}');
        let c = chars[at].1;
        let repeats = at > 0 && is_mark(chars[at - 1].1);
        match c {
            c if is_mark(c) => self.has_right_to_left && !repeats,
            '\u{2066}'..='\u{2069}' => self.has_right_to_left && self.isolates_are_plain,
            _ => false,
        }
    }

    /// Looks at the line that the character at an index stands on.
    fn read(&mut self, text: &str, chars: &[(usize, char)], at: usize) {
        let ends = |(_, c): &(usize, char)| is_line_end(*c);
        let start = self.end.max(
            chars[..at]
                .iter()
                .rposition(ends)
                .map_or(0, |last| last + 1),
        );
        self.end = chars[at..]
            .iter()
            .position(ends)
            .map_or(chars.len(), |length| at + length);
        let line = &chars[start..self.end];
        // What a sequence holds is not written on the line.
        let mut behind = 0;
        self.has_right_to_left = line.iter().any(|(offset, c)| {
            if let Some(sequence) = read_escape(&text[*offset..]) {
                behind = behind.max(offset + sequence.length);
            }
            *offset >= behind
                && is_in(RIGHT_TO_LEFT, *c)
                && !matches!(class(*c), Class::Mark | Class::Bidi)
        });
        let mut open = false;
        let mut plain = true;
        for (_, c) in line {
            match c {
                '\u{2066}'..='\u{2068}' => plain &= !std::mem::replace(&mut open, true),
                '\u{2069}' => plain &= std::mem::replace(&mut open, false),
                '\u{202a}'..='\u{202e}' => plain = false,
                _ => {}
            }
        }
        self.isolates_are_plain = plain && !open;
    }
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What a reader sees of the text behind a right-to-left override: its characters in reverse order, up to
/// the end of the override or the line.
pub(super) fn overridden(chars: &[(usize, char)]) -> Option<String> {
    let text = chars.iter().map(|(_, c)| *c);
    let text = text.take_while(|c| !is_line_end(*c) && *c != '\u{202c}');
    let mut shown: Vec<char> = text
        .filter(|c| matches!(class(*c), Class::Plain | Class::Mark))
        .take(MOST_REVERSED + 1)
        .collect();
    shown.reverse();
    (1..=MOST_REVERSED)
        .contains(&shown.len())
        .then(|| shown.into_iter().collect())
}
