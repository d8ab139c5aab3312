//! What the members of a schema are, in all dialects at once (FP-20).

use toolwire::json::{Kind, Node};

/// What a member of a schema is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeywordKind {
    /// For readers only.
    Annotation,
    /// A schema.
    Schema,
    /// An array of schemas.
    Schemas,
    /// An object of schemas; an array in it is a set.
    Named,
    /// An object of schemas that count only if a reference leads to them.
    Definitions,
    /// The text of a reference.
    Reference,
    /// A name for references.
    Anchor,
    /// An array whose order does not matter.
    Set,
    /// Anything else.
    Value,
}

/// What stands in a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Schema,
    List,
    Map,
}

/// What the value of a keyword is, if it is made of schemas.
pub(crate) fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "items"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::List,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => {
            Holds::Map
        }
        _ => return None,
    })
}

/// What the member `name` of a schema is. A value of another kind than its keyword has is a
/// [`KeywordKind::Value`].
pub(super) fn keyword_kind(name: &str, value: Node<'_>) -> KeywordKind {
    match (name, value.kind(), holds(name)) {
        ("title" | "description" | "examples" | "$comment" | "deprecated", ..) => {
            KeywordKind::Annotation
        }
        ("$defs" | "definitions", Kind::Object, _) => KeywordKind::Definitions,
        ("dependencies" | "dependentRequired", Kind::Object, _) => KeywordKind::Named,
        ("$ref", Kind::String, _) => KeywordKind::Reference,
        ("$anchor", Kind::String, _) => KeywordKind::Anchor,
        ("enum" | "required" | "type", Kind::Array, _) => KeywordKind::Set,
        ("items", Kind::Array, _) | (_, Kind::Array, Some(Holds::List)) => KeywordKind::Schemas,
        ("additionalItems", ..) | (_, _, Some(Holds::Schema)) => KeywordKind::Schema,
        (_, Kind::Object, Some(Holds::Map)) => KeywordKind::Named,
        _ => KeywordKind::Value,
    }
}

/// The short name of a dialect by its URI (FP-21).
pub(crate) fn dialect(uri: &str) -> Option<&'static str> {
    let uri = uri.strip_suffix('#').unwrap_or(uri);
    let path = uri
        .strip_prefix("https://json-schema.org/")
        .or_else(|| uri.strip_prefix("http://json-schema.org/"))?;
    match path {
        "draft/2020-12/schema" => Some("2020-12"),
        "draft/2019-09/schema" => Some("2019-09"),
        "draft-07/schema" => Some("draft-07"),
        "draft-06/schema" => Some("draft-06"),
        _ => None,
    }
}
