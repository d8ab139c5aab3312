//! The return value of a tool's function.

use crate::base::json::{Document, Kind, ObjectWriter, Place};
use crate::{Block, Code, Envelope, Error, Json};

/// The return value of a tool's function, before it is an answer (AUTH-11).
///
/// ```
/// use toolwire::author::Returned;
///
/// let returned = Returned::from_json("text", r#""done""#)?;
/// assert_eq!(returned, Returned::Text("done".into()));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Returned {
    /// Nothing: the answer is what was emitted.
    Nothing,
    /// A text, which becomes one block.
    Text(String),
    /// Blocks.
    Blocks(Vec<Block>),
    /// A whole envelope; what was emitted comes before its blocks.
    Envelope(Box<Envelope>),
    /// A value: an object is the `structuredContent`, anything else is its member `result`.
    Value(Json),
    /// A value that is the member `result` whatever it is, since the output schema was wrapped so.
    Wrapped(Json),
}

impl Returned {
    /// Reads what was returned, for a binding: one of the kinds `nothing`, `text`, `blocks`,
    /// `envelope`, `value` and `wrapped`, and the JSON text of it (for `text` a JSON string, for
    /// `nothing` it is not read).
    ///
    /// # Errors
    ///
    /// `bad_argument` for another kind, and where the value is not what the kind says; the code of the
    /// first place where the text is not strict JSON; as [`Envelope::from_json`].
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::{Json, author::Returned};
    ///
    /// assert_eq!(Returned::from_json("nothing", "")?, Returned::Nothing);
    /// let value = Returned::from_json("value", r#"{"lines":3}"#)?;
    /// assert_eq!(value, Returned::Value(Json::new(r#"{"lines":3}"#)?));
    /// assert!(Returned::from_json("blocks", "{}").is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(kind: &str, json: &str) -> Result<Self, Error> {
        Returned::of_kind(kind, json).map_err(Error::placeless)
    }

    fn of_kind(kind: &str, json: &str) -> Result<Self, Error> {
        Ok(match kind {
            "nothing" => Returned::Nothing,
            "value" => Returned::Value(Json::new(json)?),
            "wrapped" => Returned::Wrapped(Json::new(json)?),
            "envelope" => Returned::Envelope(Box::new(Envelope::from_json(json)?)),
            "text" | "blocks" => {
                let document = Document::new(json)?;
                let place = Place::new(document.root(), "", Code::BadArgument);
                match kind {
                    "text" => Returned::Text(place.string()?),
                    _ => {
                        let blocks = place.array()?;
                        Returned::Blocks(blocks.elements().map(|b| Block::from(b.node)).collect())
                    }
                }
            }
            _ => {
                let message = format!("a tool returns no `{kind}`");
                return Err(Error::new(Code::BadArgument, "", None, message));
            }
        })
    }

    /// The value as `structuredContent`.
    pub(super) fn structured(self) -> Option<Json> {
        match self {
            Returned::Value(value) if is_object(&value) => Some(value),
            Returned::Value(value) | Returned::Wrapped(value) => {
                let mut out = ObjectWriter::new();
                out.json("result", value.as_str());
                Json::new(out.end()).ok()
            }
            _ => None,
        }
    }
}

fn is_object(value: &Json) -> bool {
    Document::new(value.as_str()).is_ok_and(|document| document.root().kind() == Kind::Object)
}
