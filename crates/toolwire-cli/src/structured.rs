//! Structured data for a person at a terminal: keys below each other, tables, or JSON.

use toolwire::json::{Document, Kind, Node};
use toolwire::{Json, terminal_safe, terminal_safe_json};

use crate::exit::{Failure, Result};
use crate::output::{BOLD, CYAN, DIM, Out};
use crate::prompt::{columns, fit, wrap};
use crate::terminal;

/// Objects in one another that are unfolded; what is deeper is JSON.
const DEEP: usize = 4;
/// The most columns of a table, and those that each has at least when there are too few for all.
const COLUMNS: usize = 20;
const NARROW: usize = 8;
/// The most columns of a key beside its value.
const KEY: usize = 30;
/// A value that has fewer columns beside its key stands below it.
const STRIP: usize = 20;

/// The value as lines, safe for a terminal and within `width`, but for JSON, whose lines are not parted.
pub fn lines(value: Node<'_>, width: usize, color: bool) -> Vec<String> {
    let mut page = Page {
        lines: Vec::new(),
        width,
        color,
    };
    page.value(unwrapped(value), 0, DEEP);
    page.lines
}

/// A JSON text without the white space between its values.
pub fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in json.chars() {
        if in_string {
            in_string = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            in_string = c == '"';
        }
        out.push(c);
    }
    out
}

/// Writes a JSON text with its members in lines of their own, in their order and each digit kept.
pub fn write_over_lines(json: &Json, out: &mut Out) -> Result<()> {
    let lines = over_lines(json).map_err(|error| Failure::refused(&error))?;
    lines.iter().try_for_each(|line| out.line(line))
}

fn over_lines(json: &Json) -> std::result::Result<Vec<String>, toolwire::Error> {
    let document = Document::new(json.as_str())?;
    let mut page = Page {
        lines: Vec::new(),
        width: 0,
        color: false,
    };
    page.json(document.root(), 0);
    Ok(page.lines)
}

/// A value that is no object travels as the member `result` of one (chapter 13).
fn unwrapped(value: Node<'_>) -> Node<'_> {
    let mut members = value.members();
    match (members.next(), members.next()) {
        (Some((name, inner)), None) if name == "result" => inner,
        _ => value,
    }
}

/// Lines as they are made.
struct Page {
    lines: Vec<String>,
    width: usize,
    color: bool,
}

/// A value in a column.
struct Cell {
    text: String,
    style: &'static str,
    right: bool,
}

impl Page {
    fn value(&mut self, value: Node<'_>, indent: usize, deep: usize) {
        if let Some(table) = Table::of(value) {
            self.table(&table, indent);
        } else if value.kind() == Kind::Object && !value.is_empty() && deep > 0 {
            self.object(value, indent, deep);
        } else if is_scalar(value) {
            self.scalar(String::new(), value, indent);
        } else {
            self.json(value, indent);
        }
    }

    /// A member a row, the values in a column.
    fn object(&mut self, object: Node<'_>, indent: usize, deep: usize) {
        let members = object.members().map(|(name, value)| (key(&name), value));
        let members: Vec<(String, Node<'_>)> = members.collect();
        let beside = members.iter().filter(|(key, value)| {
            is_scalar(*value) || self.short(*value, indent + columns(key) + 2).is_some()
        });
        let widest = beside.map(|(key, _)| columns(key)).max().unwrap_or(0);
        let at = indent + widest + 2;
        for (key, value) in members {
            let label = self.paint(BOLD, &key);
            let head = format!("{}{label}", " ".repeat(indent));
            let padding = " ".repeat((widest + 2).saturating_sub(columns(&key)));
            if is_scalar(value) {
                self.scalar(format!("{head}{padding}"), value, at);
            } else if let Some(short) = self.short(value, at) {
                self.lines.push(format!("{head}{padding}{short}"));
            } else {
                self.lines.push(head);
                self.value(value, indent + 2, deep - 1);
            }
        }
    }

    /// An array on one line with a space behind each comma, or what is empty, if it fits there.
    fn short(&self, value: Node<'_>, indent: usize) -> Option<String> {
        if value.kind() == Kind::Object && !value.is_empty() || is_of_objects(value) {
            return None;
        }
        let elements = value.elements().map(|element| compact(element.raw()));
        let elements: Vec<String> = elements.collect();
        let short = match value.kind() {
            Kind::Object => "{}".to_owned(),
            _ => format!("[{}]", elements.join(", ")),
        };
        let short = terminal_safe_json(&short);
        (indent + columns(&short) <= self.width).then_some(short)
    }

    /// A value that is one text, behind what stands before it. `indent` is where it begins.
    fn scalar(&mut self, head: String, value: Node<'_>, indent: usize) {
        let Cell { text, style, .. } = cell(value, true);
        let room = self.width.saturating_sub(indent);
        let strip = room < STRIP && columns(&text) > room;
        let (head, indent) = if strip && !head.is_empty() {
            self.lines.push(head.trim_end().to_owned());
            (" ".repeat(4), 4)
        } else if head.is_empty() {
            (" ".repeat(indent), indent)
        } else {
            (head, indent)
        };
        let parts = wrap(&text, self.width.saturating_sub(indent));
        for (nth, part) in parts.iter().enumerate() {
            let part = self.paint(style, part);
            let before = match nth {
                0 => head.clone(),
                _ => " ".repeat(indent),
            };
            self.lines
                .push(format!("{before}{part}").trim_end().to_owned());
        }
    }

    fn table(&mut self, table: &Table, indent: usize) {
        let Some(widths) = table.widths(self.width.saturating_sub(indent)) else {
            for (nth, row) in table.objects.iter().enumerate() {
                if nth > 0 {
                    self.lines.push(String::new());
                }
                self.object(*row, indent, 1);
            }
            return;
        };
        let head = table.names.iter().enumerate().map(|(at, name)| Cell {
            text: name.clone(),
            style: BOLD,
            right: table.is_right(at),
        });
        let head: Vec<Cell> = head.collect();
        self.row(&head, &widths, indent);
        for row in &table.rows {
            self.row(row, &widths, indent);
        }
    }

    fn row(&mut self, cells: &[Cell], widths: &[usize], indent: usize) {
        let mut line = " ".repeat(indent);
        for (nth, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let text = fit(&cell.text, *width);
            let padding = " ".repeat(width - columns(&text).min(*width));
            let text = self.paint(cell.style, &text);
            let between = if nth == 0 { "" } else { "  " };
            line.push_str(&match cell.right {
                true => format!("{between}{padding}{text}"),
                false => format!("{between}{text}{padding}"),
            });
        }
        self.lines.push(line.trim_end().to_owned());
    }

    /// JSON with a value a line.
    fn json(&mut self, value: Node<'_>, indent: usize) {
        let start = " ".repeat(indent);
        self.json_value(start, value, indent, "");
    }

    fn json_value(&mut self, head: String, value: Node<'_>, indent: usize, comma: &str) {
        let (open, close) = match value.kind() {
            _ if value.is_empty() || is_scalar(value) => {
                let Cell { style, .. } = cell(value, true);
                let text = terminal_safe_json(&compact(value.raw()));
                let text = self.paint(style, &text);
                self.lines.push(format!("{head}{text}{comma}"));
                return;
            }
            Kind::Array => ("[", "]"),
            _ => ("{", "}"),
        };
        self.lines.push(format!("{head}{open}"));
        let inside = " ".repeat(indent + 2);
        let count = value.len();
        let comma_behind = |nth: usize| if nth + 1 < count { "," } else { "" };
        for (nth, element) in value.elements().enumerate() {
            self.json_value(inside.clone(), element, indent + 2, comma_behind(nth));
        }
        for (nth, (name, member)) in value.members().enumerate() {
            let name = terminal_safe_json(&crate::record::quote(&name));
            let name = self.paint(BOLD, &name);
            let head = format!("{inside}{name}: ");
            self.json_value(head, member, indent + 2, comma_behind(nth));
        }
        self.lines
            .push(format!("{}{close}{comma}", " ".repeat(indent)));
    }

    fn paint(&self, style: &str, text: &str) -> String {
        match self.color && !style.is_empty() && !text.is_empty() {
            true => format!("\x1b[{style}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

/// An array of objects that hold no others.
struct Table<'a> {
    names: Vec<String>,
    rows: Vec<Vec<Cell>>,
    objects: Vec<Node<'a>>,
}

impl<'a> Table<'a> {
    fn of(value: Node<'a>) -> Option<Table<'a>> {
        if value.kind() != Kind::Array || !is_of_objects(value) {
            return None;
        }
        let mut names: Vec<String> = Vec::new();
        for object in value.elements() {
            for (name, member) in object.members() {
                if !is_scalar(member) {
                    return None;
                }
                if !names.iter().any(|known| *known == name) {
                    names.push(name.into_owned());
                }
                if names.len() > COLUMNS {
                    return None;
                }
            }
        }
        let objects: Vec<Node<'a>> = value.elements().collect();
        let rows = objects.iter().map(|object| {
            let cells = names.iter().map(|name| match object.get(name) {
                Some(member) => cell(member, false),
                None => Cell {
                    text: String::new(),
                    style: "",
                    right: false,
                },
            });
            cells.collect()
        });
        let rows = rows.collect();
        let names: Vec<String> = names.iter().map(|name| key(name)).collect();
        (!names.is_empty()).then_some(Table {
            names,
            rows,
            objects,
        })
    }

    /// Whether a column holds numbers alone, so that their digits stand below each other.
    fn is_right(&self, at: usize) -> bool {
        let mut cells = self.rows.iter().map(|row| &row[at]);
        cells.all(|cell| cell.right || cell.text.is_empty())
            && self.rows.iter().any(|row| row[at].right)
    }

    /// The widths of the columns, the widest cut until all fit; nothing if they would be too narrow.
    fn widths(&self, width: usize) -> Option<Vec<usize>> {
        let mut widths: Vec<usize> = self.names.iter().map(|name| columns(name)).collect();
        for row in &self.rows {
            for (at, cell) in row.iter().enumerate() {
                widths[at] = widths[at].max(columns(&cell.text).min(width));
            }
        }
        let room = width.checked_sub(2 * (widths.len() - 1))?;
        while widths.iter().sum::<usize>() > room {
            let widest = widths.iter_mut().max()?;
            if *widest <= NARROW {
                return None;
            }
            *widest -= 1;
        }
        Some(widths)
    }
}

fn is_of_objects(value: Node<'_>) -> bool {
    !value.is_empty() && value.elements().all(|one| one.kind() == Kind::Object)
}

fn is_scalar(value: Node<'_>) -> bool {
    !matches!(value.kind(), Kind::Array | Kind::Object)
}

/// A member's name, safe for a terminal and not longer than a row has room for.
fn key(name: &str) -> String {
    fit(&terminal::safe(name), KEY)
}

/// A value that is neither an array with elements nor an object with members, safe for a terminal.
fn cell(value: Node<'_>, several_lines: bool) -> Cell {
    let (text, style, right) = match value.kind() {
        Kind::String => {
            let text = value.as_str().unwrap_or_default();
            let safe = match (text.is_empty(), several_lines) {
                (true, _) => "\"\"".to_owned(),
                (false, true) => terminal_safe(&text, false).replace('\t', "    "),
                (false, false) => terminal::safe(&text),
            };
            (safe, if text.is_empty() { DIM } else { "" }, false)
        }
        Kind::Number => (value.raw().to_owned(), CYAN, true),
        Kind::Bool => (value.raw().to_owned(), CYAN, false),
        Kind::Null => ("null".to_owned(), DIM, false),
        Kind::Array => ("[]".to_owned(), DIM, false),
        Kind::Object => ("{}".to_owned(), DIM, false),
    };
    Cell { text, style, right }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(json: &str, width: usize) -> String {
        let document = Document::new(json).unwrap();
        let lines = lines(document.root(), width, false);
        for line in &lines {
            assert!(columns(line) <= width, "{width}: {line}");
        }
        lines.join("\n")
    }

    #[test]
    fn keys_are_aligned_and_objects_unfolded() {
        let json = r#"{"name":"web","replicas":3,"ready":true,"note":null,"empty":"","tags":["a","b"],
            "none":[],"owner":{"name":"Ada","mail":{"work":"ada@example.org"}},
            "ports":[{"name":"http","port":80},{"name":"metrics","port":9100}]}"#;
        let expected = "\
name      web
replicas  3
ready     true
note      null
empty     \"\"
tags      [\"a\", \"b\"]
none      []
owner
  name  Ada
  mail
    work  ada@example.org
ports
  name     port
  http       80
  metrics  9100";
        assert_eq!(shown(json, 60), expected);
    }

    #[test]
    fn arrays_of_flat_objects_are_tables_that_fit() {
        let json = r#"{"result":[{"id":1,"title":"short"},{"id":20,"title":"日本語の長い題名です","done":false}]}"#;
        assert_eq!(
            shown(json, 60),
            "id  title                 done\n 1  short\n20  日本語の長い題名です  false"
        );
        assert_eq!(
            shown(json, 24),
            "id  title          done\n 1  short\n20  日本語の長い…  false"
        );
        // Where the columns would be too narrow, each object stands by itself.
        assert_eq!(
            shown(json, 18),
            "id     1\ntitle  short\n\nid     20\ntitle\n    日本語の長い題\n    名です\ndone   false"
        );
    }

    #[test]
    fn all_else_is_json() {
        assert_eq!(
            shown("[1,[2,{}],\"a\"]", 40),
            "[\n  1,\n  [\n    2,\n    {}\n  ],\n  \"a\"\n]"
        );
        assert_eq!(
            shown(r#"[{"a":1,"b":[2]}]"#, 40),
            "[\n  {\n    \"a\": 1,\n    \"b\": [\n      2\n    ]\n  }\n]"
        );
        assert_eq!(shown(r#"{"result":4}"#, 40), "4");
        assert_eq!(shown(r#""a b""#, 40), "a b");
        assert_eq!(shown("{}", 40), "{}");
        assert_eq!(shown("[]", 40), "[]");
    }

    #[test]
    fn nothing_steers_the_terminal() {
        let json = r#"{"a\u001b[2J":"x\u001b]0;t\u0007\ny\tz\u202e","l":[{"k\n":"v\n\u001b[1A"}],"j":[["\u001b\u202e"]]}"#;
        let shown = shown(json, 60);
        let bad = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!shown.contains(bad), "{shown:?}");
    }

    #[test]
    fn deep_data_ends_in_json() {
        let json = format!("{}1{}", "{\"a\":".repeat(60), "}".repeat(60));
        let document = Document::new(&json).unwrap();
        let lines = lines(document.root(), 80, false);
        assert_eq!(lines[3], "      a");
        assert!(lines[4].trim().starts_with('{'), "{lines:?}");
    }

    #[test]
    fn members_keep_their_order_and_numbers_their_digits() {
        let json = r#"{"z":[1.10,{"a":"\u2028"}],"a":{},"b":[ ],"n":12345678901234567890}"#;
        assert_eq!(
            over_lines(&Json::new(json).unwrap()).unwrap().join("\n"),
            "{\n  \"z\": [\n    1.10,\n    {\n      \"a\": \"\\u2028\"\n    }\n  ],\n  \"a\": {},\n  \
             \"b\": [],\n  \"n\": 12345678901234567890\n}"
        );
    }

    #[test]
    fn compact_json_keeps_its_strings() {
        let json = "{ \"a b\" : \"c \\\" d\\\\\" ,\n \"e\" : [ 1 , 2.50 ] }";
        assert_eq!(compact(json), r#"{"a b":"c \" d\\","e":[1,2.50]}"#);
    }
}
