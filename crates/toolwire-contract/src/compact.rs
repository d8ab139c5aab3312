//! Values as JSON.

use serde::Serialize;
use toolwire::Json;
use toolwire::json::{Document, Kind, ObjectWriter};

/// Text that was put together of JSON.
pub(crate) fn written(text: String) -> Json {
    Json::new(&text).expect("what was put together of JSON is JSON")
}

/// A value as serde writes it.
pub(crate) fn json(value: &impl Serialize) -> Json {
    // What holds JSON values is JSON; only a value near the limits of depth could fail in another one.
    Json::from_value(value).unwrap_or_else(|_| Json::empty_object())
}

/// An object that serde writes, without its members that are `null` or an empty array.
pub(crate) fn compact(value: &impl Serialize) -> Json {
    let json = Json::from_value(value).expect("it has texts only");
    let document = Document::new(json.as_str()).expect("a `Json` is JSON");
    let mut out = ObjectWriter::new();
    for (name, value) in document.root().members() {
        let is_empty = value.kind() == Kind::Array && value.is_empty();
        if value.kind() != Kind::Null && !is_empty {
            out.json(&name, value.raw());
        }
    }
    written(out.end())
}
