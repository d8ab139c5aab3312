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

/// What the member `name` of a schema is. A value of another kind than its keyword has is a
/// [`KeywordKind::Value`].
pub(super) fn keyword_kind(name: &str, value: Node<'_>) -> KeywordKind {
    match (name, value.kind()) {
        ("title" | "description" | "examples" | "$comment" | "deprecated", _) => {
            KeywordKind::Annotation
        }
        ("allOf" | "anyOf" | "items" | "oneOf" | "prefixItems", Kind::Array) => {
            KeywordKind::Schemas
        }
        (
            "additionalItems"
            | "additionalProperties"
            | "contains"
            | "contentSchema"
            | "else"
            | "if"
            | "items"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties",
            _,
        ) => KeywordKind::Schema,
        (
            "dependencies" | "dependentRequired" | "dependentSchemas" | "patternProperties"
            | "properties",
            Kind::Object,
        ) => KeywordKind::Named,
        ("$defs" | "definitions", Kind::Object) => KeywordKind::Definitions,
        ("$ref", Kind::String) => KeywordKind::Reference,
        ("$anchor", Kind::String) => KeywordKind::Anchor,
        ("enum" | "required" | "type", Kind::Array) => KeywordKind::Set,
        _ => KeywordKind::Value,
    }
}

/// The short name of a dialect by its URI (FP-21).
pub(super) fn dialect(uri: &str) -> Option<&'static str> {
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
