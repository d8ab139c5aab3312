//! A line of text, or a number.

use toolwire::Json;
use toolwire::question::{NumberRange, TextRange};

use super::frame::{Frame, Line, Size, Style, fit, one_line, width, wrap};
use super::gutter;
use super::keys::Key;
use super::line::Typed;
use super::{Machine, Reaction};

/// The most columns of a pattern that are shown.
const MOST_PATTERN: usize = 60;

enum Kind {
    Text(TextRange),
    Number {
        integer: bool,
    },
    /// Anything, as JSON.
    Json,
}

pub struct Field {
    kind: Kind,
    typed: Typed,
    /// What the tool suggests, if it does.
    default: String,
    /// What it should be, apart from its length.
    wanted: String,
    /// Whether that quotes the tool.
    quotes: bool,
    masked: bool,
}

impl Field {
    pub fn text(range: &TextRange, default: Option<&Json>) -> Field {
        let default: Option<String> = default.and_then(|default| default.to_value().ok());
        let format = range.format.as_deref().map(about_format);
        let pattern = range
            .pattern
            .as_deref()
            .map(|pattern| format!("matching `{}`", fit(&one_line(pattern), MOST_PATTERN)));
        let wanted: Vec<String> = [format, pattern].into_iter().flatten().collect();
        let default = default.unwrap_or_default();
        Field {
            typed: Typed::new(&default),
            default,
            quotes: wanted.iter().any(|wanted| wanted.contains('`')),
            wanted: wanted.join(", "),
            kind: Kind::Text(range.clone()),
            masked: false,
        }
    }

    pub fn number(range: &NumberRange, default: Option<&Json>) -> Field {
        let default = default.map_or("", |default| default.as_str());
        Field {
            typed: Typed::new(default),
            default: default.to_owned(),
            wanted: about_range(range),
            quotes: false,
            kind: Kind::Number {
                integer: range.integer,
            },
            masked: false,
        }
    }

    /// For what else would be typed in an editor.
    pub fn json() -> Field {
        Field {
            kind: Kind::Json,
            typed: Typed::default(),
            default: String::new(),
            wanted: "JSON, such as {\"name\": \"value\"}".to_owned(),
            quotes: false,
            masked: false,
        }
    }

    /// Whether what is typed is to be seen. What the tool suggests is no secret, and not taken for one.
    pub fn masked(mut self, masked: bool) -> Field {
        self.masked = masked;
        if masked {
            self.typed = Typed::default();
            self.default.clear();
        }
        self
    }

    /// What is wanted, and how far it is with the length.
    fn wanted(&self) -> String {
        let Kind::Text(range) = &self.kind else {
            return self.wanted.clone();
        };
        let bounds = match (range.min_length, range.max_length) {
            (None | Some(0), None) => return self.wanted.clone(),
            (None | Some(0), Some(max)) => format!("at most {max}"),
            (Some(min), None) => format!("at least {min}"),
            (Some(min), Some(max)) => format!("{min} to {max}"),
        };
        let count = self.typed.text().chars().count();
        let length = format!("{bounds} characters ({count} so far)");
        match self.wanted.as_str() {
            "" => length,
            wanted => format!("{wanted}, {length}"),
        }
    }

    fn enter(&self) -> Reaction {
        let text = self.typed.text();
        let integer = match self.kind {
            Kind::Text(_) => return Reaction::Answer(Json::from(text), one_line(text)),
            Kind::Json => {
                return match Json::new(text) {
                    Ok(value) => Reaction::Answer(value, one_line(text)),
                    Err(_) => Reaction::Refuse("type JSON, such as \"text\" or {}".to_owned()),
                };
            }
            Kind::Number { integer } => integer,
        };
        match read_number(text) {
            Some(value) => {
                let told = value.as_str().to_owned();
                Reaction::Answer(value, told)
            }
            None if integer => Reaction::Refuse("type a whole number, such as 12 or -3".to_owned()),
            None => Reaction::Refuse("type a number, such as 12, -0.5 or 1e6".to_owned()),
        }
    }
}

impl Machine for Field {
    fn key(&mut self, key: &Key) -> Reaction {
        match (key, &self.kind) {
            (Key::Enter, _) => return self.enter(),
            (Key::NewLine, Kind::Number { .. }) => {}
            _ => {
                self.typed.key(key);
            }
        }
        Reaction::Stay
    }

    fn frame(&self, who: &str, size: Size) -> Frame {
        let room = size.columns.saturating_sub(width(who));
        let (text, column) = match self.masked {
            true => self.typed.masked_window(room),
            false => self.typed.window(room),
        };
        let mut lines = vec![Line::new(Style::Chosen, who).with(Style::Plain, text)];
        let wanted = self.wanted();
        if !wanted.is_empty() {
            let wrapped = match self.quotes {
                true => gutter::rows(&wanted, size.columns),
                false => wrap(&wanted, size.columns.saturating_sub(2))
                    .iter()
                    .map(|line| format!("  {line}"))
                    .collect(),
            };
            lines.extend(wrapped.into_iter().map(|line| Line::new(Style::Dim, line)));
        }
        lines.truncate(size.rows.max(1));
        Frame {
            lines,
            cursor: Some((0, width(who) + column)),
        }
    }

    fn is_empty(&self) -> bool {
        self.typed.text().is_empty()
    }

    fn hint(&self) -> Vec<String> {
        let mut keys = vec!["Enter answers".to_owned()];
        if !self.default.is_empty() && self.typed.text() == self.default {
            keys.insert(0, "suggested by the tool".to_owned());
        }
        if !self.typed.text().is_empty() {
            keys.push("Ctrl-U clears".to_owned());
        }
        keys
    }
}

/// A format in words, with an example where that says more.
fn about_format(format: &str) -> String {
    let text = match format {
        "email" | "idn-email" => "an e-mail address, such as ada@example.org",
        "uri" | "iri" => "a URI, such as https://example.org/",
        "date" => "a date, such as 2026-01-31",
        "time" => "a time, such as 08:30:00Z",
        "date-time" => "a date and time, such as 2026-01-31T08:30:00Z",
        "duration" => "a duration, such as PT1H30M",
        "uuid" => "a UUID",
        "hostname" | "idn-hostname" => "the name of a host, such as example.org",
        "ipv4" => "an IPv4 address, such as 192.0.2.1",
        "ipv6" => "an IPv6 address, such as 2001:db8::1",
        "regex" => "a regular expression",
        "json-pointer" => "a JSON Pointer, such as /a/0",
        other => return format!("in the format `{}`", fit(&one_line(other), MOST_PATTERN)),
    };
    text.to_owned()
}

fn about_range(range: &NumberRange) -> String {
    let bounds = [
        ("at least", &range.minimum),
        ("more than", &range.exclusive_minimum),
        ("at most", &range.maximum),
        ("less than", &range.exclusive_maximum),
    ];
    let mut parts: Vec<String> = bounds
        .iter()
        .filter_map(|(word, bound)| Some(format!("{word} {}", bound.as_ref()?.as_str())))
        .collect();
    if range.integer {
        parts.insert(0, "a whole number".to_owned());
    }
    parts.join(", ")
}

/// A number as people write it: JSON's, or with a plus sign, or without a digit before or behind the
/// point, or with zeros in front.
fn read_number(text: &str) -> Option<Json> {
    let text = text.trim();
    let text = text.strip_prefix('+').unwrap_or(text);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let (whole, rest) = digits.split_at(digits.find(['.', 'e', 'E']).unwrap_or(digits.len()));
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let rest = match rest.strip_prefix('.') {
        Some("") if digits.len() > 1 => "",
        _ => rest,
    };
    Json::new(format!("{sign}{whole}{rest}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        columns: 60,
        rows: 10,
    };

    fn typed(mut field: Field, text: &str) -> Reaction {
        for c in text.chars() {
            field.key(&Key::Char(c));
        }
        field.key(&Key::Enter)
    }

    #[test]
    fn numbers_as_people_write_them() {
        for (text, expected) in [
            ("12", Some("12")),
            (" -3 ", Some("-3")),
            ("+4", Some("4")),
            (".5", Some("0.5")),
            ("-.5", Some("-0.5")),
            ("5.", Some("5")),
            ("007", Some("7")),
            ("000", Some("0")),
            ("1e6", Some("1e6")),
            (
                "123456789012345678901234567890",
                Some("123456789012345678901234567890"),
            ),
            ("", None),
            (".", None),
            ("-", None),
            ("1,5", None),
            ("0x10", None),
            ("1e999", None),
            ("NaN", None),
            ("--1", None),
            ("+-1", Some("-1")),
            ("\"1\"", None),
        ] {
            let number = read_number(text);
            assert_eq!(number.as_ref().map(Json::as_str), expected, "{text:?}");
        }
    }

    #[test]
    fn a_default_is_there_to_be_taken_or_changed() {
        let text = |default: &str| Field::text(&TextRange::default(), Some(&Json::from(default)));
        let answer = |text: &str| Reaction::Answer(Json::from(text), text.to_owned());
        assert_eq!(typed(text("a.txt"), ""), answer("a.txt"));
        assert_eq!(typed(text("a.txt"), "2"), answer("a.txt2"));
        let mut cleared = text("a.txt");
        cleared.key(&Key::Ctrl('u'));
        assert_eq!(typed(cleared, "b"), answer("b"));
        let number = Field::number(&NumberRange::default(), Some(&Json::new("7").unwrap()));
        let answer = Reaction::Answer(Json::new("72").unwrap(), "72".to_owned());
        assert_eq!(typed(number, "2"), answer);
    }

    #[test]
    fn what_is_wanted_is_told() {
        let range = TextRange {
            min_length: Some(2),
            max_length: Some(9),
            pattern: Some("^a\x1b[2J".to_owned()),
            format: Some("email".to_owned()),
        };
        let mut field = Field::text(&range, None);
        field.key(&Key::Char('x'));
        assert_eq!(
            field.wanted(),
            "an e-mail address, such as ada@example.org, matching `^a␛[2J`, \
             2 to 9 characters (1 so far)"
        );
        let range = NumberRange {
            integer: true,
            minimum: Json::new("1").ok(),
            exclusive_maximum: Json::new("5").ok(),
            ..NumberRange::default()
        };
        let field = Field::number(&range, None);
        assert_eq!(field.wanted(), "a whole number, at least 1, less than 5");
        let lines = field
            .frame(
                "› ",
                Size {
                    columns: 20,
                    rows: 10,
                },
            )
            .lines;
        assert_eq!(lines.len(), 4, "{lines:?}");
    }

    #[test]
    fn what_is_masked_is_neither_shown_nor_suggested() {
        let default = Json::from("of the tool");
        let mut field = Field::text(&TextRange::default(), Some(&default)).masked(true);
        for c in "s3cret".chars() {
            field.key(&Key::Char(c));
        }
        assert_eq!(
            field.frame("t asks › ", SIZE).lines[0].text(),
            "t asks › ••••••"
        );
        assert!(
            matches!(field.enter(), Reaction::Answer(value, _) if value == Json::from("s3cret"))
        );
        assert_eq!(
            typed(Field::json().masked(true), "[1]"),
            Reaction::Answer(Json::new("[1]").unwrap(), "[1]".into())
        );
        assert!(matches!(typed(Field::json(), "{"), Reaction::Refuse(_)));
    }

    #[test]
    fn what_quotes_the_tool_stands_behind_its_mark() {
        let range = TextRange {
            pattern: Some("^[a-z]+$".to_owned()),
            ..TextRange::default()
        };
        let lines = Field::text(&range, None).frame("› ", SIZE).lines;
        assert_eq!(lines[1].text(), "│ matching `^[a-z]+$`");
    }

    #[test]
    fn line_ends_are_typed_into_texts_only() {
        let mut text = Field::text(&TextRange::default(), None);
        let mut number = Field::number(&NumberRange::default(), None);
        for field in [&mut text, &mut number] {
            field.key(&Key::Char('1'));
            field.key(&Key::NewLine);
            field.key(&Key::Char('2'));
        }
        assert_eq!(
            text.enter(),
            Reaction::Answer(Json::from("1\n2"), "1 2".to_owned())
        );
        let answer = Reaction::Answer(Json::new("12").unwrap(), "12".to_owned());
        assert_eq!(number.enter(), answer);
        assert_eq!(
            text.frame("t asks › ", SIZE).lines[0].text(),
            "t asks › 1⏎2"
        );
    }
}
