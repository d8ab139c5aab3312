//! The keywords of a schema, and their values (2020-12).

/// What stands in a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A schema.
    One,
    /// An array of schemas, with at least one.
    Many,
    /// Schemas by names.
    Named,
    /// The same, or lists of names: what older drafts had.
    Dependencies,
    /// Lists of names by names.
    NamesByName,
    /// What refers to a schema.
    Reference,
    /// What only the root has.
    Id,
    Anchor,
    Pattern,
    Text,
    Flag,
    /// An object of flags.
    Flags,
    List,
    /// Different strings.
    Names,
    Type,
    Number,
    /// A number above 0.
    Positive,
    /// A whole number that is not negative.
    Limit,
}

impl Form {
    /// What a value in this form is.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Form::One => "a schema",
            Form::Many => "a list of at least one schema",
            Form::Named | Form::Dependencies | Form::NamesByName => "an object",
            Form::Reference | Form::Pattern | Form::Text => "a string",
            Form::Id | Form::Anchor => "a name",
            Form::Flag => "true or false",
            Form::Flags => "an object of true and false",
            Form::List => "an array",
            Form::Names => "a list of names",
            Form::Type => "a type or a list of different types",
            Form::Number => "a number",
            Form::Positive => "a number above 0",
            Form::Limit => "a whole number that is not negative",
        }
    }
}

/// The form of a keyword; nothing for a name that has no meaning, or takes any value.
pub(crate) fn form(name: &str) -> Option<Form> {
    Some(match name {
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
        | "unevaluatedProperties" => Form::One,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Form::Many,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => {
            Form::Named
        }
        "dependencies" => Form::Dependencies,
        "dependentRequired" => Form::NamesByName,
        "$ref" | "$dynamicRef" => Form::Reference,
        "$id" => Form::Id,
        "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" => Form::Anchor,
        "pattern" => Form::Pattern,
        "$comment" | "$schema" | "$recursiveRef" | "contentEncoding" | "contentMediaType"
        | "description" | "format" | "title" => Form::Text,
        "deprecated" | "readOnly" | "uniqueItems" | "writeOnly" => Form::Flag,
        "$vocabulary" => Form::Flags,
        "enum" | "examples" => Form::List,
        "required" => Form::Names,
        "type" => Form::Type,
        "exclusiveMaximum" | "exclusiveMinimum" | "maximum" | "minimum" => Form::Number,
        "multipleOf" => Form::Positive,
        "maxContains" | "maxItems" | "maxLength" | "maxProperties" | "minContains" | "minItems"
        | "minLength" | "minProperties" => Form::Limit,
        _ => return None,
    })
}

pub(crate) fn is_type(name: &str) -> bool {
    matches!(
        name,
        "array" | "boolean" | "integer" | "null" | "number" | "object" | "string"
    )
}

pub(crate) fn is_anchor(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    name.bytes().all(is_word)
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Whether a text can be the fragment of a URI (RFC 3986, 3.5).
pub(crate) fn is_fragment(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => is_hex(at + 1) && is_hex(at + 2),
        byte => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(byte),
    })
}
