//! Columns and paragraphs that fit the terminal.

use crate::exit::Result;
use crate::output::{BOLD, Out};
use crate::prompt::{columns, wrap};
use crate::terminal;

/// Writes rows with their columns below each other.
pub fn write(all: &[Vec<String>], indent: usize, out: &mut Out) -> Result<()> {
    let lines = rows(all, indent, terminal::width());
    lines.iter().try_for_each(|line| out.line(line))
}

/// The same with the first column in bold.
pub fn write_named(all: &[Vec<String>], out: &mut Out) -> Result<()> {
    let mut names = all.iter().map(|row| row[0].as_str()).peekable();
    for line in rows(all, 0, terminal::width()) {
        // What is indented goes on with the row before.
        match names.next_if(|name| !line.starts_with(' ') && line.starts_with(name)) {
            Some(name) => out.line(&(out.paint(BOLD, name) + &line[name.len()..]))?,
            None => out.line(&line)?,
        }
    }
    Ok(())
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
        // Where only the last column says something, that stands below the row before.
        if !(below && line.trim().is_empty()) {
            lines.push(line.trim_end().to_owned());
        }
        // What is below has nothing to say where the last column is empty.
        let texts = texts.filter(|_| !last.is_empty());
        lines.extend(texts.map(|text| " ".repeat(hang) + &text));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let more = row(["", "", "what it is for"]);
        let mut longer = table.to_vec();
        longer.push(more);
        assert_eq!(
            rows(&longer, 2, 30).last().map(|line| line.trim_start()),
            Some("what it is for")
        );
        assert!(!rows(&longer, 2, 30).contains(&String::new()));
        for width in [20, 30, 40, 60] {
            for line in rows(&table, 2, width) {
                assert!(columns(&line) <= width, "{width}: {line}");
            }
        }
    }
}
