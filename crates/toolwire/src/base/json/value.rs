//! A JSON value that is kept verbatim.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;

use super::finite::not_finite;
use super::{Document, Node};
use crate::{Error, Limits};

/// Any JSON value, kept as the text that it was written as: strict JSON, without white space around
/// it. Numbers keep their spelling and objects their order.
///
/// Two values are equal if their canonical bytes are.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
///
/// let value = Json::new(r#" {"b": 1.0, "a": null} "#)?;
/// assert_eq!(value.as_str(), r#"{"b": 1.0, "a": null}"#);
/// assert_eq!(value, Json::new(r#"{"a":null,"b":1}"#)?);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Json {
    text: Box<str>,
}

impl Json {
    /// Takes a JSON text, after the strict check that every document goes through.
    ///
    /// # Errors
    ///
    /// The code, offset and message of the first place where the text is not strict JSON, or over a
    /// limit of [`Limits::default`].
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Code, Json};
    ///
    /// assert!(Json::new("[1, 2]").is_ok());
    /// assert_eq!(Json::new("[NaN]").unwrap_err().code(), Code::NonFinite);
    /// ```
    pub fn new(text: impl AsRef<str>) -> Result<Self, Error> {
        Document::new(text.as_ref()).map(|document| Json::from(document.root()))
    }

    /// The value of anything that serde can write, such as a `serde_json::Value`. What a `Value` was
    /// read from is not known any more: its numbers are spelt again, and those past 64 bits were
    /// rounded. To keep a text verbatim, use [`Json::new`].
    ///
    /// # Errors
    ///
    /// `bad_argument` if serde_json cannot write it; `non_finite` at the first number that is infinite or none; or as
    /// [`Json::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Json;
    ///
    /// assert_eq!(Json::from_value(&vec![1, 2])?, Json::new("[1,2]")?);
    /// let schema = serde_json::json!({"type": "boolean"});
    /// assert_eq!(Json::from_value(&schema)?.as_str(), r#"{"type":"boolean"}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_value(value: &impl Serialize) -> Result<Self, Error> {
        let text = serde_json::to_string(value).map_err(|error| {
            let message = format!("the value cannot be written as JSON: {error}");
            Error::new(crate::Code::BadArgument, "", None, message)
        })?;
        // serde_json writes null for a number that JSON does not have.
        if text.contains("null")
            && let Some((pointer, number)) = not_finite(value)
        {
            let message = format!("`{number}` is no number that JSON has");
            return Err(Error::new(crate::Code::NonFinite, pointer, None, message));
        }
        Json::new(&text)
    }

    /// Reads the value into a type of one's own.
    ///
    /// # Errors
    ///
    /// `bad_argument` if the value does not fit the type.
    ///
    /// # Examples
    ///
    /// ```
    /// let value = toolwire::Json::new("[1,2]")?;
    /// assert_eq!(value.to_value::<Vec<u8>>()?, [1, 2]);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn to_value<T: de::DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_str(&self.text).map_err(|error| {
            let message = format!("the value does not fit: {error}");
            Error::new(crate::Code::BadArgument, "", None, message)
        })
    }

    /// The JSON text, verbatim.
    ///
    /// ```
    /// assert_eq!(toolwire::Json::new("1e2")?.as_str(), "1e2");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The value at a JSON Pointer (RFC 6901), verbatim; `None` if there is none. The empty
    /// pointer is the whole.
    ///
    /// ```
    /// use toolwire::Json;
    ///
    /// let value = Json::new(r#"{"a/b": [1, {"c": 2.0}]}"#)?;
    /// assert_eq!(value.at("/a~1b/1/c").unwrap().as_str(), "2.0");
    /// assert!(value.at("/a~1b/01").is_none() && value.at("a").is_none());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<Json> {
        // It was checked when it was made, so no limit is left to meet.
        let bytes = Cow::Borrowed(self.text.as_bytes());
        let document = Document::read(bytes, &Limits::WIDEST).ok()?;
        document.root().at(pointer).map(Json::from)
    }

    /// The text that the value stands for, if it is a string.
    ///
    /// ```
    /// use toolwire::Json;
    ///
    /// assert_eq!(Json::new(r#""a\u0062""#)?.to_text().as_deref(), Some("ab"));
    /// assert_eq!(Json::new("1")?.to_text(), None);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        let bytes = Cow::Borrowed(self.text.as_bytes());
        let document = Document::read(bytes, &Limits::WIDEST).ok()?;
        document.root().as_str().map(Cow::into_owned)
    }

    /// JSON text that was put together here.
    pub(crate) fn written(text: String) -> Self {
        Json { text: text.into() }
    }

    /// `{}`.
    ///
    /// ```
    /// assert_eq!(toolwire::Json::empty_object().as_str(), "{}");
    /// ```
    #[must_use]
    pub fn empty_object() -> Self {
        Json { text: "{}".into() }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Json {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Json::new(text)
    }
}

/// `null`.
impl Default for Json {
    fn default() -> Self {
        Json {
            text: "null".into(),
        }
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Json {
            text: if value { "true" } else { "false" }.into(),
        }
    }
}

impl From<&str> for Json {
    /// A JSON string with this value; for a JSON text use [`Json::new`].
    fn from(value: &str) -> Self {
        let mut text = String::with_capacity(value.len() + 2);
        super::write_string(&mut text, value);
        Json { text: text.into() }
    }
}

impl From<Node<'_>> for Json {
    /// A value of a document, verbatim.
    fn from(node: Node<'_>) -> Self {
        Json {
            text: node.raw().into(),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self.text.to_string(), serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Json::new(raw.get()).map_err(de::Error::custom)
    }
}

/// The JSON text of a value whose serialization can't fail.
pub(crate) fn to_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Hands JSON text to serde_json as it is.
pub(crate) fn serialize_text<S: Serializer>(
    text: String,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    RawValue::from_string(text)
        .map_err(ser::Error::custom)?
        .serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[test]
    fn spelling_is_kept_and_equality_looks_through_it() {
        let spelled = Json::new("\n[1.50e0,\"\\u0041\"] ").unwrap();
        assert_eq!(spelled.to_string(), "[1.50e0,\"\\u0041\"]");
        assert_eq!(spelled, Json::new("[1.5,\"A\"]").unwrap());
        assert_ne!(spelled, Json::new("[1.5,\"B\"]").unwrap());
    }

    #[test]
    fn what_is_not_strict_is_refused() {
        for (text, code) in [
            ("{\"a\":1,\"a\":2}", Code::DuplicateName),
            ("1 2", Code::TrailingData),
            ("", Code::EmptyOutput),
            ("\"\\ud800\"", Code::LoneSurrogate),
        ] {
            assert_eq!(Json::new(text).unwrap_err().code(), code, "{text}");
            assert!(serde_json::from_str::<Json>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn serde_passes_the_text_through() {
        let value: Vec<Json> =
            serde_json::from_str("[1.0, {\"b\": 2, \"a\": 1E400000000}]").unwrap_or_default();
        assert!(
            value.is_empty(),
            "a number past the range of a double is refused"
        );
        let value: Vec<Json> = serde_json::from_str("[1.0, {\"b\": 2}]").unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), "[1.0,{\"b\": 2}]");
    }
}
