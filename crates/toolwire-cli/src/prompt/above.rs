//! What stands above the input: what the tool says and who says it. All of
//! it can be read, and none of it takes the place of the rest.

use toolwire::{
    Block, Envelope, FormatOptions, Limits, Role, Target, format, parse, terminal_safe,
};

use super::Asked;
use super::frame::{Frame, Line, Size, Style, fit, one_line, wrap};
use super::gutter;
use super::keys::Key;

/// The most bytes of a question's text, and of its context, that are shown at all.
const MOST_BYTES: usize = 256 * 1024;
/// The most rows of a question's text, and of its context, that stay on the terminal when there is an
/// answer.
const MOST_KEPT: usize = 60;
/// The most columns of a tool's name.
const MOST_NAME: usize = 40;

pub struct Above {
    name: String,
    context: String,
    question: String,
    /// Bytes of the question that are not shown.
    beyond: usize,
    warning: Option<String>,
    rows: Rows,
}

/// The tool's words in rows, for a terminal of this width.
#[derive(Default)]
struct Rows {
    columns: usize,
    context: Vec<String>,
    question: Vec<String>,
}

impl Above {
    pub fn new(asked: &Asked<'_>, color: bool) -> Above {
        let text = asked.question.text.trim();
        let mut ends = (0..=MOST_BYTES.min(text.len())).rev();
        let end = ends.find(|end| text.is_char_boundary(*end));
        let shown = &text[..end.unwrap_or(0)];
        Above {
            name: match asked.own {
                true => "toolwire".to_owned(),
                false => asked.tool.map_or("a tool".to_owned(), name),
            },
            context: context(asked.context, color),
            question: terminal_safe(shown, false),
            beyond: text.len() - shown.len(),
            warning: asked.warning.clone(),
            rows: Rows::default(),
        }
    }

    #[cfg(test)]
    pub fn warn(&mut self, warning: &str) {
        self.warning = Some(warning.to_owned());
    }

    /// What stands before the input, in a part of the row.
    pub fn who(&self, columns: usize) -> String {
        match columns / 3 {
            0..=2 => "› ".to_owned(),
            most => format!("{} asks › ", fit(&self.name, most)),
        }
    }

    fn head(&self) -> Line {
        Line::new(Style::Chosen, "? ").with(Style::Dim, format!("{} asks", self.name))
    }

    fn lay(&mut self, columns: usize) -> &Rows {
        if self.rows.columns != columns {
            let context = match self.context.as_str() {
                "" => Vec::new(),
                text => gutter::rows(text, columns),
            };
            self.rows = Rows {
                columns,
                context,
                question: gutter::rows(&self.question, columns),
            };
        }
        &self.rows
    }

    /// The rows that all of the tool's words take.
    pub fn count(&mut self, columns: usize) -> usize {
        let rows = self.lay(columns);
        rows.context.len() + rows.question.len()
    }

    /// As much of it as there is room for, from the beginning of each part. Who asks comes first, then
    /// the question, then what stands before it.
    pub fn lines(&mut self, size: Size) -> Vec<Line> {
        let head = self.head().fit(size.columns);
        let rows = self.lay(size.columns);
        let Some(room) = size.rows.checked_sub(1) else {
            return Vec::new();
        };
        let asked = rows.question.len();
        let (context, question) = match room.checked_sub(asked) {
            Some(left) => (left, asked),
            None => (0, room),
        };
        let mut lines = part(&rows.context, context, Style::Plain, size.columns);
        lines.push(head);
        lines.extend(part(&rows.question, question, Style::Bold, size.columns));
        lines
    }

    /// Why to think before an answer is typed: the host's words.
    pub fn warning(&self, columns: usize, most: usize) -> Vec<Line> {
        let Some(warning) = &self.warning else {
            return Vec::new();
        };
        let mut lines: Vec<Line> = wrap(warning, columns.saturating_sub(2))
            .into_iter()
            .map(|line| Line::new(Style::Bad, format!("! {line}")))
            .collect();
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                *last = std::mem::take(last).with(Style::Bad, " …").fit(columns);
            }
        }
        lines
    }

    /// What stays on the terminal when the question is over.
    pub fn kept(&mut self, columns: usize) -> Vec<Line> {
        let head = self.head().fit(columns);
        let rows = self.lay(columns);
        let mut lines = part(&rows.context, MOST_KEPT, Style::Plain, columns);
        lines.push(head);
        lines.extend(part(&rows.question, MOST_KEPT, Style::Bold, columns));
        lines
    }

    /// A window on all of it, from a row on.
    pub fn view(&mut self, view: &mut View, size: Size) -> Frame {
        let (name, beyond) = (self.name.clone(), self.beyond);
        let rows = self.lay(size.columns);
        let all = rows.context.len() + rows.question.len();
        let room = size.rows.saturating_sub(2).max(1);
        view.page = room;
        view.top = view.top.min(all.saturating_sub(room));
        let end = (view.top + room).min(all);
        let mut title = format!("? {name} says, {} to {end} of {all} lines", view.top + 1);
        if beyond > 0 {
            title.push_str(&format!("; {beyond} more bytes are not shown"));
        }
        let mut lines = vec![Line::new(Style::Chosen, title).fit(size.columns)];
        let shown = rows.context.iter().chain(&rows.question);
        let shown = shown.skip(view.top).take(room);
        lines.extend(shown.map(|row| Line::new(Style::Plain, row.as_str())));
        let keys = "  Esc goes back · ↑/↓, PgUp/PgDn, Home/End move";
        lines.push(Line::new(Style::Dim, keys).fit(size.columns));
        lines.truncate(size.rows.max(1));
        Frame {
            lines,
            cursor: None,
        }
    }
}

/// The beginning of some rows, with how many more there are.
fn part(rows: &[String], most: usize, style: Style, columns: usize) -> Vec<Line> {
    let shown = match rows.len() <= most {
        true => rows.len(),
        false => most.saturating_sub(1),
    };
    let plain = |row: &String| match style {
        // Colours of the tool's own have the word.
        _ if row.contains('\x1b') => Line::new(Style::Plain, row.as_str()),
        style => {
            let text = row.strip_prefix(gutter::GUTTER).unwrap_or(row);
            Line::new(Style::Plain, gutter::GUTTER).with(style, text)
        }
    };
    let mut lines: Vec<Line> = rows[..shown].iter().map(plain).collect();
    // Of a question its beginning is worth more than the number of its rows.
    if most == 1 && rows.len() > 1 && style == Style::Bold {
        let row = Line::new(Style::Plain, format!("{} …", rows[0]));
        lines.push(row.fit(columns));
    } else if shown < rows.len() && most > 0 {
        let more = rows.len() - shown;
        let noun = if more == 1 { "line" } else { "lines" };
        let text = format!("  ⋯ {more} more {noun}");
        lines.push(Line::new(Style::Dim, text).fit(columns));
    }
    lines
}

/// Where somebody reads who reads all of it.
#[derive(Default)]
pub struct View {
    top: usize,
    page: usize,
}

impl View {
    /// Moves; false if this key goes back to the question.
    pub fn key(&mut self, key: &Key) -> bool {
        match key {
            Key::Up | Key::Char('k') => self.top = self.top.saturating_sub(1),
            Key::Down | Key::Char('j') => self.top += 1,
            Key::PageUp => self.top = self.top.saturating_sub(self.page),
            Key::PageDown | Key::Char(' ') => self.top += self.page,
            Key::Home => self.top = 0,
            Key::End => self.top = usize::MAX / 2,
            Key::Cancel | Key::Enter | Key::Ctrl('o') | Key::Char('q') => return false,
            _ => {}
        }
        true
    }
}

/// The name of a tool within a sentence of the host. One that is no word, or that could be taken for
/// the host's own, is told to be a tool's.
fn name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let own = letters.collect::<String>().to_ascii_lowercase();
    if !name.is_empty() && name.chars().all(plain) && own != "toolwire" {
        return fit(name, MOST_NAME);
    }
    format!("the tool `{}`", fit(&one_line(name), MOST_NAME))
}

/// Blocks as the core shows them on a terminal.
fn context(blocks: &[Block], color: bool) -> String {
    if blocks.is_empty() {
        return String::new();
    }
    let envelope = Envelope {
        content: blocks.to_vec(),
        ..Envelope::default()
    };
    let parsed = parse(envelope.to_json().into_bytes(), &Limits::WIDEST);
    let options = FormatOptions {
        target: Target::Terminal,
        max_bytes: Some(MOST_BYTES),
        audience: Some(Role::User),
        color,
        ..FormatOptions::default()
    };
    let text = format(&parsed, &options).unwrap_or_default();
    text.trim_end_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word_or_told_to_be_a_tools() {
        assert_eq!(name("rename"), "rename");
        assert_eq!(name("ToolWire"), "the tool `ToolWire`");
        assert_eq!(name("tool-wire"), "the tool `tool-wire`");
        assert_eq!(name("your bank\n\x1b[2J"), "the tool `your bank ␛[2J`");
        assert_eq!(name(&"a".repeat(99)).chars().count(), MOST_NAME);
        assert_eq!(name(""), "the tool ``");
    }
}
