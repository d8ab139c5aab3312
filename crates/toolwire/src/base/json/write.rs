//! Writing JSON text. Values that are JSON text already are kept verbatim.

use std::collections::BTreeMap;
use std::mem;

use super::{Json, write_string};

/// An object that is being written. Members stand in the order in which they are added; that no name
/// is added twice is for the caller to see to.
///
/// # Examples
///
/// ```
/// use toolwire::json::{ObjectWriter, array, string};
///
/// let tags = array(["a", "b"].map(string));
/// let text = ObjectWriter::new()
///     .text("name", "line\n1")
///     .json("score", "1.50")
///     .json("tags", tags)
///     .optional("title", None::<&str>)
///     .end();
/// assert_eq!(text, r#"{"name":"line\n1","score":1.50,"tags":["a","b"]}"#);
/// ```
#[derive(Debug, Default)]
pub struct ObjectWriter {
    members: String,
}

impl ObjectWriter {
    /// An object without members.
    ///
    /// ```
    /// assert_eq!(toolwire::json::ObjectWriter::new().end(), "{}");
    /// ```
    #[must_use]
    pub fn new() -> Self {
        ObjectWriter::default()
    }

    /// Adds a member whose value is JSON text.
    ///
    /// ```
    /// use toolwire::json::ObjectWriter;
    ///
    /// assert_eq!(ObjectWriter::new().json("a", "[ 1.0 ]").end(), r#"{"a":[ 1.0 ]}"#);
    /// ```
    pub fn json(&mut self, name: &str, json: impl AsRef<str>) -> &mut Self {
        let json = json.as_ref();
        // Room for the whole member and the braces, so that a long value is copied once.
        self.members.reserve(name.len() + json.len() + 6);
        self.name(name);
        self.members.push_str(json);
        self
    }

    /// Adds a member whose value is a string.
    ///
    /// ```
    /// use toolwire::json::ObjectWriter;
    ///
    /// assert_eq!(ObjectWriter::new().text("a", "\"").end(), r#"{"a":"\""}"#);
    /// ```
    pub fn text(&mut self, name: &str, text: impl AsRef<str>) -> &mut Self {
        self.name(name);
        write_string(&mut self.members, text.as_ref());
        self
    }

    /// Adds a member whose value is true or false.
    ///
    /// ```
    /// use toolwire::json::ObjectWriter;
    ///
    /// assert_eq!(ObjectWriter::new().flag("isError", true).end(), r#"{"isError":true}"#);
    /// ```
    pub fn flag(&mut self, name: &str, flag: bool) -> &mut Self {
        self.json(name, if flag { "true" } else { "false" })
    }

    /// Adds a member whose value is a whole number.
    ///
    /// ```
    /// use toolwire::json::ObjectWriter;
    ///
    /// assert_eq!(ObjectWriter::new().number("size", 3).end(), r#"{"size":3}"#);
    /// ```
    pub fn number(&mut self, name: &str, number: u64) -> &mut Self {
        self.json(name, number.to_string())
    }

    /// Adds a member whose value is a string, if there is one.
    ///
    /// ```
    /// use toolwire::json::ObjectWriter;
    ///
    /// let mut object = ObjectWriter::new();
    /// object.optional("a", Some("x")).optional("b", None::<&str>);
    /// assert_eq!(object.end(), r#"{"a":"x"}"#);
    /// ```
    pub fn optional(&mut self, name: &str, text: Option<impl AsRef<str>>) -> &mut Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    /// Adds a member whose value is JSON text, if there is one.
    ///
    /// ```
    /// use toolwire::json::ObjectWriter;
    ///
    /// let mut object = ObjectWriter::new();
    /// object.optional_json("a", Some("1.0")).optional_json("b", None::<&str>);
    /// assert_eq!(object.end(), r#"{"a":1.0}"#);
    /// ```
    pub fn optional_json(&mut self, name: &str, json: Option<impl AsRef<str>>) -> &mut Self {
        match json {
            Some(json) => self.json(name, json),
            None => self,
        }
    }

    /// Adds members verbatim.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use toolwire::Json;
    /// use toolwire::json::ObjectWriter;
    ///
    /// let extra = BTreeMap::from([("x".to_owned(), Json::new("1.0")?)]);
    /// assert_eq!(ObjectWriter::new().members(&extra).end(), r#"{"x":1.0}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn members(&mut self, members: &BTreeMap<String, Json>) -> &mut Self {
        for (name, value) in members {
            self.json(name, value.as_str());
        }
        self
    }

    /// The text of the object. The writer is empty afterwards.
    ///
    /// ```
    /// use toolwire::json::ObjectWriter;
    ///
    /// assert_eq!(ObjectWriter::new().text("a", "b").end(), r#"{"a":"b"}"#);
    /// ```
    #[must_use]
    pub fn end(&mut self) -> String {
        if self.members.is_empty() {
            return "{}".to_owned();
        }
        self.members.push('}');
        mem::take(&mut self.members)
    }

    fn name(&mut self, name: &str) {
        self.members
            .push(if self.members.is_empty() { '{' } else { ',' });
        write_string(&mut self.members, name);
        self.members.push(':');
    }
}

/// A JSON array of values that are JSON text.
///
/// ```
/// assert_eq!(toolwire::json::array(["1.0", "null"]), "[1.0,null]");
/// assert_eq!(toolwire::json::array([""; 0]), "[]");
/// ```
#[must_use]
pub fn array(values: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut out = String::from("[");
    for value in values {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(value.as_ref());
    }
    out.push(']');
    out
}

/// A string as JSON text, with the escapes of RFC 8785.
///
/// ```
/// assert_eq!(toolwire::json::string("a\u{1}\n"), r#""a\u0001\n""#);
/// ```
#[must_use]
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(&mut out, text);
    out
}
