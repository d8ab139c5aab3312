//! What the formatter says itself: marker lines such as `[image type=image/png bytes=68]` (FMT-4),
//! which are empty elements in style xml.

use super::Style;
use super::hidden::{is_hidden, push_json_escape};
use super::xml;
use crate::base::json::Node;

/// A word and its attributes, in the order in which they are written.
pub(crate) struct Marker {
    word: &'static str,
    attributes: Vec<(&'static str, Value)>,
}

enum Value {
    /// Written bare where nothing in it can be mistaken, and else quoted.
    Text(String),
    /// JSON text, written as it is.
    Json(String),
}

impl Marker {
    pub(crate) fn new(word: &'static str) -> Self {
        Marker {
            word,
            attributes: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, Value::Text(value.into())));
        self
    }

    pub(crate) fn with_some(self, name: &'static str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(super) fn with_json(mut self, name: &'static str, value: Option<Node<'_>>) -> Self {
        if let Some(value) = value {
            self.attributes
                .push((name, Value::Json(inline_json(value.raw()))));
        }
        self
    }

    /// The whole line, or the empty element.
    pub(crate) fn line(&self, style: Style) -> String {
        match style {
            Style::Fence => {
                let mut out = format!("[{}", self.word);
                for (name, value) in &self.attributes {
                    out.push(' ');
                    out.push_str(name);
                    out.push('=');
                    match value {
                        Value::Text(text) => push_value(&mut out, text),
                        Value::Json(text) => out.push_str(text),
                    }
                }
                out.push(']');
                out
            }
            Style::Xml => self.element("/>"),
        }
    }

    /// The start tag, for an element with content.
    pub(super) fn start_tag(&self) -> String {
        self.element(">")
    }

    /// The end tag that belongs to it.
    pub(super) fn end_tag(&self) -> String {
        format!("</{}>", self.word)
    }

    fn element(&self, end: &str) -> String {
        let mut out = format!("<{}", self.word);
        for (name, Value::Text(value) | Value::Json(value)) in &self.attributes {
            out.push_str(&format!(" {name}=\""));
            xml::push_attribute(&mut out, value);
            out.push('"');
        }
        out.push_str(end);
        out
    }
}

/// FMT-4: bare if it is printable ASCII without space, quotes, brackets and backslash; else a JSON
/// string in which hidden characters are escaped.
fn push_value(out: &mut String, text: &str) {
    let bare = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '[' | ']' | '\\');
    if !text.is_empty() && text.chars().all(bare) {
        out.push_str(text);
        return;
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if is_hidden(c) => push_json_escape(out, c),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// FMT-4: a JSON text without white space between its tokens, and with hidden characters escaped;
/// spelling of numbers and strings, and the order of members, stay.
pub(super) fn inline_json(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in raw.chars() {
        if !in_string && matches!(c, ' ' | '\t' | '\n' | '\r') {
            continue;
        }
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_string = !in_string,
            _ => {}
        }
        if is_hidden(c) {
            push_json_escape(&mut out, c);
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_bare_or_quoted() {
        for (value, line) in [
            ("file:///a.rs#L1", "[x v=file:///a.rs#L1]"),
            ("", r#"[x v=""]"#),
            ("a b", r#"[x v="a b"]"#),
            ("http://[::1]/", r#"[x v="http://[::1]/"]"#),
            ("a\"]\n[error]", r#"[x v="a\"]\n[error]"]"#),
            (
                "ü\u{202e}\u{e0041}\u{1b}",
                "[x v=\"ü\\u202e\\udb40\\udc41\\u001b\"]",
            ),
        ] {
            assert_eq!(Marker::new("x").with("v", value).line(Style::Fence), line);
        }
    }

    #[test]
    fn json_is_made_one_line() {
        let raw = "{ \"b\" :\n 1.0e2 ,\t\"a\\\" \\\\\" : [ \" x \" , \"\u{2028}\" ] }";
        assert_eq!(
            inline_json(raw),
            "{\"b\":1.0e2,\"a\\\" \\\\\":[\" x \",\"\\u2028\"]}"
        );
    }
}
