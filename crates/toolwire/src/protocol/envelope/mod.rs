//! The envelope as plain data.

pub mod block;
pub(crate) mod typed;
// The generator lays it out, so that no installed tool can change it.
#[rustfmt::skip]
pub(crate) mod types;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::base::json::{Node, serialize_text};
use crate::{Code, Error, Json, Limits, Parsed, parse};
pub use block::Block;
use typed::Typed;
pub use types::{Envelope, EnvelopeMeta, ErrorMeta};

impl Envelope {
    /// Reads an envelope. Warnings are no obstacle: what is malformed is kept as it is.
    ///
    /// # Errors
    ///
    /// `not_an_envelope` if the text is JSON or plain text but no envelope (API-5); if it is not
    /// strict JSON, the code and offset of the place.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Code, Envelope};
    ///
    /// let envelope = Envelope::from_json(r#"{"content":[{"type":"text","text":"ok"}]}"#)?;
    /// assert_eq!(envelope.content.len(), 1);
    /// assert_eq!(Envelope::from_json("{}").unwrap_err().code(), Code::NotAnEnvelope);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let parsed = parse(text.as_bytes(), &Limits::default());
        match parsed.diagnostics().first() {
            Some(first) if parsed.is_raw() => {
                let code = match first.code {
                    Code::EmptyOutput
                    | Code::PlainText
                    | Code::NoContent
                    | Code::ContentNotArray
                    | Code::UntypedContent => Code::NotAnEnvelope,
                    code => code,
                };
                Err(Error::new(
                    code,
                    &*first.pointer,
                    first.offset,
                    &*first.message,
                ))
            }
            _ => Ok(Envelope::of(parsed.root())),
        }
    }

    /// The JSON text in exact form, which is what a tool prints as its answer.
    ///
    /// ```
    /// let envelope = toolwire::Envelope::from_json(r#"{"isError": true, "content": []}"#)?;
    /// assert_eq!(envelope.to_json(), r#"{"content":[],"isError":true}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        typed::exact(self)
    }

    /// The envelope of a document that was read as one.
    pub(crate) fn of(node: Node<'_>) -> Self {
        Envelope::read(node).unwrap_or_default()
    }
}

impl Parsed<'_> {
    /// The envelope as plain data of its own; for raw text the envelope that stands for it.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&b"plain words"[..], &Limits::default());
    /// assert_eq!(
    ///     parsed.to_envelope().to_json(),
    ///     r#"{"content":[{"text":"plain words","type":"text"}]}"#,
    /// );
    /// ```
    #[must_use]
    pub fn to_envelope(&self) -> Envelope {
        Envelope::of(self.root())
    }
}

impl fmt::Display for Envelope {
    /// The JSON text in exact form, so that a tool can print its answer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

impl From<&Envelope> for Json {
    fn from(value: &Envelope) -> Self {
        Json::written(value.to_json())
    }
}

impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self.to_json(), serializer)
    }
}

impl<'de> Deserialize<'de> for Envelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Envelope::from_json(json.as_str()).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;

    #[test]
    fn reading_and_writing_loses_nothing() {
        for text in [
            r#"{"content":[]}"#,
            r#"{"content":[],"structuredContent":null,"isError":false,"z":[1.50,{"a":1E2}]}"#,
            r#"{"content":[],"isError":"yes","_meta":[],"structuredContent":{"b":1,"a":-0}}"#,
            r#"{"_meta":{"computer.jp/status":"odd","computer.jp/error":{"trace":["a",1],"transient":1},"o":null},"content":[{"type":"text","text":"a","x":9007199254740993},{"type":"t"},7]}"#,
            r#"{"content":[{"type":"resource_link","uri":"a:b","name":"","size":1e2}]}"#,
            r#"{"content":[{"type":"resource_link","uri":"a:b","name":"","size":-1}]}"#,
            r#"{"content":[{"type":"audio","data":"YQ","mimeType":"a/b","annotations":{"priority":1e-7}}]}"#,
        ] {
            let envelope = Envelope::from_json(text).unwrap();
            let exact = crate::base::canonical::exact_text(text.to_owned());
            assert_eq!(envelope.to_json(), exact);
            let through_serde: Envelope = serde_json::from_str(text).unwrap();
            assert_eq!(through_serde, envelope);
            assert_eq!(serde_json::to_string(&envelope).unwrap(), exact);
        }
    }

    #[test]
    fn members_are_typed() {
        let envelope = Envelope::from_json(
            r#"{"content":[],"_meta":{"computer.jp/status":"running","computer.jp/error":{"transient":true}},"isError":true}"#,
        )
        .unwrap();
        let meta = envelope.meta.unwrap();
        assert_eq!(meta.status, Some(Status::Running));
        assert_eq!(meta.error.unwrap().transient, Some(true));
        assert_eq!(envelope.is_error, Some(true));
    }

    #[test]
    fn what_is_no_envelope_is_refused() {
        for (text, code) in [
            ("", Code::NotAnEnvelope),
            ("words", Code::NotAnEnvelope),
            ("[]", Code::NotAnEnvelope),
            (r#"{"content":1}"#, Code::NotAnEnvelope),
            (r#"{"content":[{"id":1}]}"#, Code::NotAnEnvelope),
            (r#"{"content":[NaN]}"#, Code::NonFinite),
            (r#"{"content":["#, Code::JsonTruncated),
        ] {
            assert_eq!(
                Envelope::from_json(text).unwrap_err().code(),
                code,
                "{text}"
            );
        }
    }

    #[test]
    fn a_field_goes_before_another_member_of_its_name() {
        let mut envelope = Envelope {
            is_error: Some(true),
            ..Envelope::default()
        };
        envelope
            .extra
            .insert("isError".to_owned(), Json::from("odd"));
        assert_eq!(envelope.to_json(), r#"{"content":[],"isError":true}"#);
    }
}
