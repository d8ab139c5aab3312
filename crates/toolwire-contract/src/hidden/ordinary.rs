//! What languages and emoji need, and is therefore no finding.

use super::character::{Class, class, is_in};
use super::table::{BLANK, EMOJI, IDEOGRAPHS, JOINING, MONGOLIAN, UNSPACED, VARIED};

/// A character between the ones before and behind it.
pub(super) struct Place<'a> {
    pub(super) chars: &'a [(usize, char)],
    pub(super) at: usize,
}

impl Place<'_> {
    fn before(&self, steps: usize) -> Option<char> {
        let at = self.at.checked_sub(steps)?;
        self.chars.get(at).map(|(_, c)| *c)
    }

    fn after(&self) -> Option<char> {
        self.chars.get(self.at + 1).map(|(_, c)| *c)
    }

    /// Whether an invisible character that stands alone is part of how its language or an emoji is written
    /// (HID-20 to HID-22, HID-26).
    pub(super) fn is_ordinary_invisible(&self, c: char) -> bool {
        if is_in(BLANK, c) {
            let beside = [self.before(1), self.after()];
            return beside
                .iter()
                .flatten()
                .any(|other| block(*other) == block(c));
        }
        let Some(before) = self.before(1) else {
            return false;
        };
        let joins = is_in(JOINING, before);
        match c {
            '\u{200c}' => joins,
            '\u{200d}' => joins || self.joins_emoji(before),
            '\u{200b}' => {
                is_in(UNSPACED, before) && self.after().is_some_and(|after| is_in(UNSPACED, after))
            }
            '\u{180b}'..='\u{180f}' => is_in(MONGOLIAN, before),
            _ => false,
        }
    }

    /// Whether both sides of a joiner are emoji.
    fn joins_emoji(&self, before: char) -> bool {
        let before = match before {
            '\u{fe0f}' => self.before(2),
            before => Some(before),
        };
        before.is_some_and(is_emoji) && self.after().is_some_and(is_emoji)
    }

    /// Whether a variation selector that stands alone chooses a variant of the character before it (HID-23).
    pub(super) fn is_ordinary_selector(&self, c: char) -> bool {
        let Some(before) = self.before(1) else {
            return false;
        };
        match c {
            '\u{fe0e}' | '\u{fe0f}' if before.is_ascii() => {
                matches!(before, '0'..='9' | '#' | '*') && self.is_keycap()
            }
            '\u{fe0e}' | '\u{fe0f}' => is_in(EMOJI, before),
            '\u{fe00}'..='\u{fe02}' => is_in(IDEOGRAPHS, before) || is_in(VARIED, before),
            '\u{e0100}'..='\u{e01ef}' => is_in(IDEOGRAPHS, before),
            _ => false,
        }
    }

    fn is_keycap(&self) -> bool {
        let mark = self.chars.get(self.at + 2).map(|(_, c)| class(*c));
        self.after() == Some('\u{20e3}') && mark != Some(Class::Mark)
    }

    /// Whether tag characters up to `end` are the rest of a flag (HID-24).
    pub(super) fn is_flag(&self, end: usize) -> bool {
        let Some((_, '\u{e007f}')) = self.chars.get(end - 1) else {
            return false;
        };
        let spelt = super::decode::tags(&self.chars[self.at..end]);
        let known = matches!(spelt.as_deref(), Some("gbeng" | "gbsct" | "gbwls"));
        self.before(1) == Some('\u{1f3f4}') && known && end - self.at == 6
    }
}

/// The script in which a blank is a sign among others (HID-26).
fn block(c: char) -> u32 {
    match u32::from(c) {
        0x2800..=0x28FF => 1,
        0x13000..=0x1345F => 2,
        0x1D100..=0x1D1FF => 3,
        _ => 0,
    }
}

fn is_emoji(c: char) -> bool {
    !c.is_ascii() && is_in(EMOJI, c)
}
