//! A line that is typed: text and a cursor that moves over characters as they are seen.

use toolwire::terminal_safe;
use unicode_segmentation::UnicodeSegmentation;

use super::frame::width;
use super::keys::Key;

/// The most bytes of a column.
const MOST_BYTES: usize = 64;

/// What is typed. The cursor stands between two characters as they are seen, at a byte of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    text: String,
    cursor: usize,
}

impl Typed {
    /// A text to begin with, the cursor behind it.
    pub fn new(text: &str) -> Typed {
        Typed {
            text: text.to_owned(),
            cursor: text.len(),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes a key; false if it means nothing here.
    pub fn key(&mut self, key: &Key) -> bool {
        match key {
            Key::Char(c) => self.insert(&c.to_string()),
            Key::NewLine => self.insert("\n"),
            Key::Paste(text) => self.insert(&text.replace("\r\n", "\n").replace('\r', "\n")),
            Key::Backspace => self.remove(self.before(), self.cursor),
            Key::Delete => self.remove(self.cursor, self.after()),
            Key::DeleteWord => self.remove(self.word_before(), self.cursor),
            Key::Ctrl('u') => self.remove(0, self.cursor),
            Key::Ctrl('k') => self.remove(self.cursor, self.text.len()),
            Key::Left | Key::Ctrl('b') => self.cursor = self.before(),
            Key::Right | Key::Ctrl('f') => self.cursor = self.after(),
            Key::WordLeft => self.cursor = self.word_before(),
            Key::WordRight => self.cursor = self.word_after(),
            Key::Home | Key::Ctrl('a') => self.cursor = 0,
            Key::End | Key::Ctrl('e') => self.cursor = self.text.len(),
            _ => return false,
        }
        true
    }

    /// Control characters are no text, but for line ends and tabs.
    fn insert(&mut self, text: &str) {
        let text: String = text
            .chars()
            .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
            .collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    fn before(&self) -> usize {
        let mut pieces = self.text[..self.cursor].grapheme_indices(true);
        pieces.next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        let piece = self.text[self.cursor..].graphemes(true).next();
        self.cursor + piece.map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let mut words = self.text[..self.cursor].split_word_bound_indices();
        words
            .rfind(|(_, word)| !word.trim().is_empty())
            .map_or(0, |(at, _)| at)
    }

    fn word_after(&self) -> usize {
        let mut words = self.text[self.cursor..].split_word_bound_indices();
        let word = words.find(|(_, word)| !word.trim().is_empty());
        word.map_or(self.text.len(), |(at, word)| self.cursor + at + word.len())
    }

    /// The part around the cursor that fits, and the column of the cursor in it. `…` stands where
    /// there is more.
    pub fn window(&self, most: usize) -> (String, usize) {
        self.window_of(most, shown)
    }

    /// The same with a dot for each character as it is seen.
    pub fn masked_window(&self, most: usize) -> (String, usize) {
        self.window_of(most, |text| "•".repeat(text.graphemes(true).count()))
    }

    fn window_of(&self, most: usize, shown: impl Fn(&str) -> String) -> (String, usize) {
        // One column is the cursor's own at the end.
        let most = most.max(4) - 1;
        // Of a long text no more is looked at than can be seen.
        let near = most * MOST_BYTES;
        let mut start = self.cursor.saturating_sub(near);
        while !self.text.is_char_boundary(start) {
            start += 1;
        }
        let mut end = self.text.len().min(self.cursor + near);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let head = shown(&self.text[start..self.cursor]);
        let tail = shown(&self.text[self.cursor..end]);
        if width(&head) + width(&tail) <= most {
            return (head.clone() + &tail, width(&head));
        }
        // What is typed stays in view, with a third of the room for what follows.
        let room = most - width(&tail).min(most / 3);
        let head = if width(&head) <= room {
            head
        } else {
            let mut kept = Vec::new();
            let mut taken = 1;
            for piece in head.graphemes(true).rev() {
                if taken + width(piece) > room {
                    break;
                }
                taken += width(piece);
                kept.push(piece);
            }
            kept.push("…");
            kept.into_iter().rev().collect()
        };
        let column = width(&head);
        let tail = super::frame::fit(&tail, most - column);
        (head + &tail, column)
    }
}

/// Typed or pasted text as it is shown: line ends and tabs can be seen, and nothing hides.
fn shown(text: &str) -> String {
    terminal_safe(text, false)
        .replace('\n', "⏎")
        .replace('\t', "⇥")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str, keys: &[Key]) -> (String, usize) {
        let mut line = Typed::new(text);
        for key in keys {
            line.key(key);
        }
        (line.text, line.cursor)
    }

    #[test]
    fn editing_keys() {
        use Key::{Backspace, Char, Ctrl, Delete, DeleteWord, End, Home, Left, Paste, Right};
        let cases: &[(&str, &[Key], &str, usize)] = &[
            ("ab", &[Char('c')], "abc", 3),
            ("ab", &[Left, Char('c')], "acb", 2),
            ("ab", &[Home, Delete], "b", 0),
            ("ab", &[Home, Right, Right, Right, Delete], "ab", 2),
            ("ab", &[Home, Backspace], "ab", 0),
            ("e\u{301}👩‍🚀", &[Backspace, Backspace], "", 0),
            ("e\u{301}x", &[Left, Left, Char('a')], "ae\u{301}x", 1),
            ("one two  ", &[DeleteWord], "one ", 4),
            ("one two", &[Key::WordLeft, Char('x')], "one xtwo", 5),
            ("one two", &[Home, Key::WordRight, Char('x')], "onex two", 4),
            ("one two", &[Left, Ctrl('u')], "o", 0),
            ("one two", &[Home, Right, Ctrl('k')], "o", 1),
            ("", &[Paste("a\r\nb\x1b[2J".into()), End], "a\nb[2J", 6),
            ("a", &[Key::NewLine], "a\n", 2),
        ];
        for (text, keys, after, cursor) in cases {
            assert_eq!(
                typed(text, keys),
                ((*after).to_owned(), *cursor),
                "{keys:?}"
            );
        }
    }

    #[test]
    fn the_window_follows_the_cursor() {
        let mut line = Typed::new("0123456789");
        assert_eq!(line.window(20), ("0123456789".to_owned(), 10));
        assert_eq!(line.window(7), ("…56789".to_owned(), 6));
        line.key(&Key::Home);
        assert_eq!(line.window(7), ("01234…".to_owned(), 0));
        for _ in 0..5 {
            line.key(&Key::Right);
        }
        assert_eq!(line.window(7), ("…2345…".to_owned(), 4));
    }

    #[test]
    fn what_is_masked_shows_its_length_alone() {
        let mut line = Typed::new("pässe\u{301}1");
        assert_eq!(line.masked_window(20), ("••••••".to_owned(), 6));
        line.key(&Key::Left);
        assert_eq!(line.masked_window(5).0, "…•••");
    }

    #[test]
    fn what_is_shown_hides_nothing() {
        assert_eq!(shown("a\nb\tc\u{202e}"), "a⏎b⇥c<U+202E>");
        let line = Typed::new("日本語日本語");
        let (text, column) = line.window(8);
        assert!(width(&text) < 8 && column < 8, "{text} {column}");
    }
}
