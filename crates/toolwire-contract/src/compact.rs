//! JSON without members that say nothing.

use serde::Serialize;
use toolwire::Json;
use toolwire::json::{Document, Kind, ObjectWriter};

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
    Json::new(out.end()).expect("what was written is JSON")
}
