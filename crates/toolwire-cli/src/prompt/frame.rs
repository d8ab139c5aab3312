//! What a prompt shows: lines of styled text that fit the terminal, made safe before they come here
//! or here.

use toolwire::terminal_safe;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How a piece of text looks. Without colour nothing depends on it: each has its sign too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Bold,
    Dim,
    /// What the keys act on.
    Chosen,
    Good,
    Bad,
}

impl Style {
    /// The parameters of SGR.
    pub fn sgr(self) -> Option<&'static str> {
        match self {
            Style::Plain => None,
            Style::Bold => Some("1"),
            Style::Dim => Some("2"),
            Style::Chosen => Some("1;36"),
            Style::Good => Some("32"),
            Style::Bad => Some("31"),
        }
    }
}

/// A line: pieces of text with their styles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(pub Vec<(Style, String)>);

impl Line {
    pub fn new(style: Style, text: impl Into<String>) -> Line {
        Line(vec![(style, text.into())])
    }

    pub fn with(mut self, style: Style, text: impl Into<String>) -> Line {
        self.0.push((style, text.into()));
        self
    }

    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| width(text)).sum()
    }

    /// The line cut to a width, with `…` where it was cut.
    pub fn fit(self, most: usize) -> Line {
        let mut left = most;
        let mut fitted = Line::default();
        let whole = self.width() <= most;
        for (style, text) in self.0 {
            let taken = if whole { text } else { fit(&text, left) };
            left -= width(&taken).min(left);
            let cut = taken.ends_with('…');
            fitted.0.push((style, taken));
            if !whole && (cut || left == 0) {
                break;
            }
        }
        fitted
    }

    /// The characters alone.
    #[cfg(test)]
    pub fn text(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// What is drawn, and where the cursor stands in it, if it is to be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub lines: Vec<Line>,
    /// Line and column, both from 0.
    pub cursor: Option<(usize, usize)>,
}

/// The room for a frame, in columns and lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub columns: usize,
    pub rows: usize,
}

/// How many columns a text takes, colours apart.
pub fn width(text: &str) -> usize {
    let mut rest = text;
    let mut width = 0;
    while let Some(start) = rest.find('\x1b') {
        width += rest[..start].width();
        let end = rest[start..].find('m');
        rest = end.map_or("", |end| &rest[start + end + 1..]);
    }
    width + rest.width()
}

/// A text of somebody else on one line: nothing in it steers the terminal or hides, and line ends and
/// tabs are spaces.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    terminal_safe(&words.join(" "), false)
}

/// The beginning of a safe text that fits, with `…` if there is more.
pub fn fit(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut fitted = String::new();
    let mut taken = 0;
    for piece in text.graphemes(true) {
        // The last column is for the `…`.
        if taken + width(piece) >= most {
            break;
        }
        taken += width(piece);
        fitted.push_str(piece);
    }
    if most > 0 {
        fitted.push('…');
    }
    fitted
}

/// A safe text over as many lines as it needs, parted between words where it can be.
pub fn wrap(text: &str, most: usize) -> Vec<String> {
    let most = most.max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_inclusive(' ') {
            if width(&line) + width(word.trim_end()) > most && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            if width(word.trim_end()) <= most {
                line.push_str(word);
                continue;
            }
            for piece in word.graphemes(true) {
                if width(&line) + width(piece) > most && !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                }
                line.push_str(piece);
            }
        }
        lines.push(line);
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters_as_they_are_seen() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(fit("abc", 0), "");
    }

    #[test]
    fn lines_are_cut_over_their_pieces() {
        let line = Line::new(Style::Bold, "ab").with(Style::Dim, "cdef");
        assert_eq!(line.clone().fit(6).text(), "abcdef");
        assert_eq!(line.clone().fit(4).text(), "abc…");
        assert_eq!(line.clone().fit(2).text(), "ab");
        assert_eq!(line.fit(1).text(), "…");
    }

    #[test]
    fn texts_are_wrapped_between_words_and_long_words_inside() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("a\n\nb", 8), ["a", "", "b"]);
        assert_eq!(wrap("x abcdefgh", 4), ["x", "abcd", "efgh"]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
        assert_eq!(wrap("ab", 0), ["a", "b"]);
    }

    #[test]
    fn a_line_of_somebody_else_is_one_line_and_safe() {
        assert_eq!(one_line("a\n\n  b\tc"), "a b c");
        assert_eq!(one_line("a\x1b[2J\u{202e}b"), "a␛[2J<U+202E>b");
    }
}
