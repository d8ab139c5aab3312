//! What the members of a schema hold, in all dialects at once (FP-20).

/// What the value of a keyword is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Something for readers alone.
    Words,
    /// A schema.
    Schema,
    /// An array of schemas; `items` may also be one schema.
    Schemas,
    /// An object of schemas by names; an array in it is a set of names.
    Named,
    /// Definitions, which count only where something refers to them.
    Definitions,
    /// A reference.
    Reference,
    /// What stands where a reference should.
    NoReference,
    /// The name of a schema for references.
    Anchor,
    /// An array whose order does not matter.
    Set,
    /// An object of such arrays.
    Sets,
    /// What makes the schema one that is taken to the letter (FP-23).
    Letter,
    /// The URI of the schema.
    Id,
    /// Anything else.
    Value,
}

/// What the member of this name holds.
pub(super) fn holds(keyword: &str) -> Holds {
    match keyword {
        "title" | "description" | "examples" | "$comment" | "deprecated" => Holds::Words,
        "additionalItems"
        | "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::Schema,
        "allOf" | "anyOf" | "items" | "oneOf" | "prefixItems" => Holds::Schemas,
        "dependencies" | "dependentSchemas" | "patternProperties" | "properties" => Holds::Named,
        "$defs" | "definitions" => Holds::Definitions,
        "$ref" => Holds::Reference,
        "$anchor" => Holds::Anchor,
        "enum" | "required" | "type" => Holds::Set,
        "dependentRequired" => Holds::Sets,
        "$dynamicRef" | "$recursiveRef" => Holds::Letter,
        "$id" => Holds::Id,
        _ => Holds::Value,
    }
}

/// The words for the dialects whose keywords the table has (FP-21).
pub(super) fn dialect(uri: &str) -> Option<&'static str> {
    let uri = uri.strip_suffix('#').unwrap_or(uri);
    let place = uri
        .strip_prefix("https://json-schema.org/")
        .or_else(|| uri.strip_prefix("http://json-schema.org/"))?;
    match place {
        "draft/2020-12/schema" => Some("2020-12"),
        "draft/2019-09/schema" => Some("2019-09"),
        "draft-07/schema" => Some("draft-07"),
        "draft-06/schema" => Some("draft-06"),
        _ => None,
    }
}
