//! The JSON that `--json` writes: one object a result, on one line.

use toolwire::{Error, Position};

/// Where a result comes from, when there may be several.
#[derive(Clone, Copy, Default)]
pub struct Origin<'a> {
    /// The file's name, if there are several files.
    pub file: Option<&'a str>,
    /// Number and offset of the line in a log.
    pub line: Option<(u64, u64)>,
}

impl Origin<'_> {
    /// The object `body` with the origin as its first members.
    pub fn put_before(&self, body: &str) -> String {
        let mut head = self.head();
        head.push_str(&body[1..]);
        head
    }

    /// How such an object begins.
    pub fn head(&self) -> String {
        let mut head = String::from("{");
        if let Some(file) = self.file {
            head.push_str(&format!("\"file\":{},", quote(file)));
        }
        if let Some((number, offset)) = self.line {
            head.push_str(&format!("\"line\":{number},\"offset\":{offset},"));
        }
        head
    }

    /// The origin before a line of text, as compilers write it: `file:12: `, or nothing.
    pub fn prefix(&self) -> String {
        let mut prefix = String::new();
        if let Some(file) = self.file {
            prefix.push_str(&format!("{file}:"));
        }
        if let Some((number, _)) = self.line {
            prefix.push_str(&format!("{number}:"));
        }
        if !prefix.is_empty() {
            prefix.push(' ');
        }
        prefix
    }

    /// A place in the form that editors and CI jump to: `file:line:column: `. In a log the line is
    /// that of the log.
    pub fn place(&self, at: Option<Position>) -> String {
        let mut place = self
            .file
            .map_or_else(String::new, |file| format!("{file}:"));
        let line = self.line.map(|(number, _)| number).or(at.map(|at| at.line));
        for number in [line, at.map(|at| at.column)].into_iter().flatten() {
            place.push_str(&format!("{number}:"));
        }
        if !place.is_empty() {
            place.push(' ');
        }
        place
    }
}

/// A text as a JSON string.
pub fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A refusal: `{"error": {code, pointer, offset, message}}`.
pub fn error(error: &Error) -> String {
    let offset = error
        .offset()
        .map_or_else(String::new, |offset| format!(",\"offset\":{offset}"));
    format!(
        "{{\"error\":{{\"code\":\"{}\",\"pointer\":{}{offset},\"message\":{}}}}}",
        error.code().as_str(),
        quote(error.pointer()),
        quote(error.message()),
    )
}
