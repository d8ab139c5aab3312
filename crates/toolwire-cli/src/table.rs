//! Columns and paragraphs that fit the terminal.

use std::io::IsTerminal;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width where there is no terminal, and the most where there is one: longer lines are hard to
/// read.
const USUAL: usize = 100;

/// So many columns a stream has.
#[cfg(unix)]
pub fn width(stream: impl IsTerminal + std::os::fd::AsFd) -> usize {
    if !stream.is_terminal() {
        return USUAL;
    }
    let size = terminal_size::terminal_size_of(stream);
    size.map_or(USUAL, |(width, _)| usize::from(width.0).max(20))
}

/// So many columns a stream has.
#[cfg(windows)]
pub fn width(stream: impl IsTerminal + std::os::windows::io::AsHandle) -> usize {
    if !stream.is_terminal() {
        return USUAL;
    }
    let size = terminal_size::terminal_size_of(stream);
    size.map_or(USUAL, |(width, _)| usize::from(width.0).max(20))
}

/// So many columns a text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The beginning of a text that takes no more than so many columns.
pub fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut taken = 1;
    for c in text.chars() {
        taken += c.width().unwrap_or(0);
        if taken > most {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}

/// A text in lines of at most so many columns; only a word that is longer than that is cut up.
pub fn wrap(text: &str, most: usize) -> Vec<String> {
    let most = most.max(10);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word = word;
        if !line.is_empty() && columns(&line) + 1 + columns(word) > most {
            lines.push(std::mem::take(&mut line));
        }
        while columns(word) > most {
            let mut taken = 0;
            let end = word.char_indices().find(|(_, c)| {
                taken += c.width().unwrap_or(0);
                taken > most
            });
            let (part, rest) = word.split_at(end.map_or(word.len(), |(at, _)| at));
            lines.push(part.to_owned());
            word = rest;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Rows with their columns below each other; the last one is wrapped into what is left of the width.
pub fn rows(rows: &[Vec<String>], indent: usize, width: usize) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count.saturating_sub(1))
        .map(|at| {
            let cells = rows.iter().filter_map(|row| row.get(at));
            cells.map(|cell| columns(cell)).max().unwrap_or(0)
        })
        .collect();
    let left: usize = indent + widths.iter().map(|width| width + 2).sum::<usize>();
    let mut lines = Vec::new();
    for row in rows {
        let mut line = " ".repeat(indent);
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width - columns(cell) + 2));
        }
        let last = row.get(count - 1).map_or("", String::as_str);
        // Where nearly nothing is left the last column stands below, not in a strip of a few letters.
        let (hang, below) = if width < left + 24 {
            (indent + 4, true)
        } else {
            (left, false)
        };
        let mut texts = wrap(last, width.saturating_sub(hang)).into_iter();
        if !below {
            line.push_str(&texts.next().unwrap_or_default());
        }
        lines.push(line.trim_end().to_owned());
        lines.extend(texts.map(|text| " ".repeat(hang) + &text));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_the_eye_sees() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        assert_eq!(cut("日本語テキスト", 6), "日本…");
        assert_eq!(wrap("one two three four", 10), ["one two", "three four"]);
        assert_eq!(wrap("abcdefghijklmnop x", 10), ["abcdefghij", "klmnop x"]);
        assert!(wrap("  ", 10).is_empty());
    }

    #[test]
    fn rows_fit_the_width() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let table = [
            row(["a", "string", "the first of the two words"]),
            row(["longer", "int", ""]),
        ];
        assert_eq!(
            rows(&table, 2, 44),
            [
                "  a       string  the first of the two words",
                "  longer  int"
            ]
        );
        for width in [20, 30, 40, 60] {
            for line in rows(&table, 2, width) {
                assert!(columns(&line) <= width, "{width}: {line}");
            }
        }
    }
}
