//! The mark behind which stands what a tool says. The host writes it at the beginning of each
//! row of a tool's text, so that no text can have a row without it, and none of its own begins so.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The mark.
pub const GUTTER: &str = "│ ";

/// The columns that it takes.
pub const WIDTH: usize = 2;

/// Where tabs end.
const TAB: usize = 8;

/// The most bytes of colours that are taken over to the next row.
const MOST_COLORS: usize = 64;

/// The rows of a text, the mark before each, none wider than `most` columns where there is room for
/// the mark. The text is safe for a terminal already; colours of it stay.
pub fn rows(text: &str, most: usize) -> Vec<String> {
    let room = most.saturating_sub(WIDTH).max(1);
    let mut rows = Vec::new();
    let mut row = Row::default();
    for (nth, line) in text.split('\n').enumerate() {
        if nth > 0 {
            row.end(&mut rows);
        }
        row.line(line, room, &mut rows);
    }
    row.end(&mut rows);
    rows
}

/// How many columns a piece of a text may take: terminals differ in what they make of joined
/// characters, so it is the most that one could.
pub fn width(piece: &str) -> usize {
    if piece.is_ascii() {
        return piece.len();
    }
    let apart = piece.chars().map(|c| c.width().unwrap_or(0)).sum();
    piece.width().max(apart)
}

/// A row that is being filled.
#[derive(Default)]
struct Row {
    text: String,
    width: usize,
    /// The colours that hold at its end.
    colors: String,
    /// Where it can be parted between words, and the colours there.
    space: Option<(usize, usize, String)>,
}

impl Row {
    fn line(&mut self, line: &str, room: usize, rows: &mut Vec<String>) {
        let mut rest = line;
        while !rest.is_empty() {
            // In a safe text ESC begins nothing but colours.
            if rest.starts_with('\x1b') {
                let length = rest.find('m').map_or(rest.len(), |end| end + 1);
                self.color(&rest[..length]);
                rest = &rest[length..];
                continue;
            }
            let plain = rest.find('\x1b').unwrap_or(rest.len());
            for piece in rest[..plain].graphemes(true) {
                // One that is wider than the room is no character that anybody could read.
                if width(piece) <= room {
                    self.piece(piece, room, rows);
                } else {
                    for (at, c) in piece.char_indices() {
                        self.piece(&piece[at..at + c.len_utf8()], room, rows);
                    }
                }
            }
            rest = &rest[plain..];
        }
    }

    fn color(&mut self, sequence: &str) {
        self.text.push_str(sequence);
        if matches!(sequence, "\x1b[m" | "\x1b[0m") {
            self.colors.clear();
        } else if self.colors.len() + sequence.len() <= MOST_COLORS {
            self.colors.push_str(sequence);
        }
    }

    fn piece(&mut self, piece: &str, room: usize, rows: &mut Vec<String>) {
        if piece == "\t" {
            let stop = (self.width / TAB + 1) * TAB;
            for _ in self.width..stop.min(room) {
                self.piece(" ", room, rows);
            }
            return;
        }
        let taken = width(piece);
        // A space at the end of a row is seen by nobody.
        if piece == " " && self.width >= room {
            self.space = None;
            self.part(rows);
            return;
        }
        if self.width + taken > room {
            self.part(rows);
            if self.width + taken > room {
                self.part(rows);
            }
        }
        self.text.push_str(piece);
        self.width += taken;
        if piece == " " {
            self.space = Some((self.text.len(), self.width, self.colors.clone()));
        }
    }

    /// Begins the next row between two words, or where it is full if there is no place between words.
    fn part(&mut self, rows: &mut Vec<String>) {
        let next = match self.space.take() {
            Some((at, width, colors)) if width < self.width => {
                let rest = self.text.split_off(at);
                Row {
                    text: format!("{colors}{rest}"),
                    width: self.width - width,
                    colors: self.colors.clone(),
                    space: None,
                }
            }
            _ => Row {
                text: self.colors.clone(),
                colors: self.colors.clone(),
                ..Row::default()
            },
        };
        let row = std::mem::replace(self, next);
        rows.push(row.marked());
    }

    /// Ends a line of the text.
    fn end(&mut self, rows: &mut Vec<String>) {
        let colors = self.colors.clone();
        let next = Row {
            text: colors.clone(),
            colors,
            ..Row::default()
        };
        rows.push(std::mem::replace(self, next).marked());
    }

    fn marked(self) -> String {
        let reset = if self.text.contains('\x1b') {
            "\x1b[0m"
        } else {
            ""
        };
        format!("{GUTTER}{}{reset}", self.text.trim_end_matches(' '))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    #[test]
    fn each_row_has_the_mark_and_fits() {
        assert_eq!(rows("one two three", 10), ["│ one two", "│ three"]);
        assert_eq!(rows("a\n\nb", 10), ["│ a", "│ ", "│ b"]);
        assert_eq!(rows("", 10), ["│ "]);
        assert_eq!(rows("abcdefghijk", 6), ["│ abcd", "│ efgh", "│ ijk"]);
        assert_eq!(rows("日本語", 6), ["│ 日本", "│ 語"]);
        assert_eq!(rows("ab cd ef", 7), ["│ ab cd", "│ ef"]);
        assert_eq!(rows("  in  it", 20), ["│   in  it"]);
        assert_eq!(rows("a\tb", 20), ["│ a       b"]);
        assert_eq!(rows("ab", 0), ["│ a", "│ b"]);
    }

    #[test]
    fn no_padding_makes_a_row_without_it() {
        for padding in [
            " ",
            "\t",
            "─",
            "日",
            "👩\u{200d}",
            "क\u{94d}",
            "\u{600}",
            "e\u{301}",
        ] {
            for count in [1, 7, 8, 9, 79, 80, 81, 200] {
                for most in [1, 3, 4, 10, 80] {
                    let text = format!("x{}? toolwire asks", padding.repeat(count));
                    for row in rows(&text, most) {
                        let text = row
                            .strip_prefix(GUTTER)
                            .unwrap_or_else(|| panic!("{row:?}"));
                        let least = if padding == "日" || padding.starts_with('👩') {
                            2
                        } else {
                            1
                        };
                        let room = most.saturating_sub(WIDTH).max(least);
                        assert!(width(text) <= room, "{padding:?} {count} {most}: {row:?}");
                    }
                }
            }
        }
    }

    /// On a terminal that begins a new row where one is full, as all do for what a tool logs.
    #[test]
    fn whatever_a_text_is_made_of_each_row_of_a_terminal_has_the_mark() {
        const PARTS: [&str; 24] = [
            "? toolwire asks",
            "❯ ",
            " ",
            "  ",
            "\t",
            "\n",
            "\r\n",
            "\r",
            "x",
            "─",
            "日本",
            "👩\u{200d}👩",
            "❤\u{fe0f}",
            "e\u{301}",
            "\u{301}",
            "क\u{94d}",
            "\u{1161}",
            "\x1b[31m",
            "\x1b[0m",
            "\x1b[2J",
            "\u{202e}",
            "\u{600}",
            "\u{a0}",
            "│ ",
        ];
        let mut seed = 7_u64;
        let mut next = |most: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % most
        };
        for _ in 0..400 {
            let columns = 8 + next(80);
            let text: String = (0..next(60))
                .map(|_| PARTS[next(PARTS.len())].repeat(1 + next(9)))
                .collect();
            let safe = toolwire::terminal_safe(&text, true);
            let rows = rows(&safe, columns - 1);
            let size =
                |number: usize| NonZeroU16::try_from(u16::try_from(number).unwrap()).unwrap();
            let mut terminal = vt100::Parser::new(size(600), size(columns), 0);
            for row in &rows {
                terminal.process(format!("{row}\r\n").as_bytes());
            }
            let screen = terminal.screen().contents();
            assert_eq!(
                screen.trim_end().lines().count(),
                rows.len(),
                "{text:?}\n{screen}"
            );
            assert!(
                screen.lines().all(|row| row.starts_with('│')),
                "{text:?}\n{screen}"
            );
        }
    }

    #[test]
    fn colours_go_on_behind_the_mark_and_end_with_the_row() {
        assert_eq!(
            rows("\x1b[31mone two\x1b[0m three", 7),
            [
                "│ \x1b[31mone\x1b[0m",
                "│ \x1b[31mtwo\x1b[0m\x1b[0m",
                "│ three"
            ]
        );
        assert_eq!(
            rows("\x1b[31ma\nb\x1b[m", 20),
            ["│ \x1b[31ma\x1b[0m", "│ \x1b[31mb\x1b[m\x1b[0m"]
        );
        let many = "\x1b[31m".repeat(1000) + &"x".repeat(1000);
        let total: usize = rows(&many, 12).iter().map(String::len).sum();
        assert!(total < 20_000, "{total}");
    }
}
