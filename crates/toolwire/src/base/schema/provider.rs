//! What the providers of models take as the schema of a tool's arguments (Q-78).

use super::tree::Tree;

/// A provider of models, with the way in which it is called.
///
/// What each takes was read in its documentation and in its error messages; it changes with time.
///
/// ```
/// use toolwire::schema::Provider;
///
/// assert_eq!("openai_strict".parse(), Ok(Provider::OpenAiStrict));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Provider {
    /// What OpenAI and Anthropic take, strict or not, and all that take the schemas of these.
    #[default]
    Common,
    /// OpenAI's function calling, without `strict`.
    OpenAi,
    /// OpenAI's function calling with `strict`, and its structured outputs.
    OpenAiStrict,
    /// Anthropic's tools, without `strict`.
    Anthropic,
    /// Anthropic's tools with `strict`, and its structured outputs.
    AnthropicStrict,
    /// `parameters` of a function declaration for Google's Gemini.
    Google,
}

closed_words!(Provider, "a provider", {
    Common => "common",
    OpenAi => "openai",
    OpenAiStrict => "openai_strict",
    Anthropic => "anthropic",
    AnthropicStrict => "anthropic_strict",
    Google => "google",
});

/// Values of `format` that all strict providers take.
const FORMATS: [&str; 9] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Values of `format` that Google takes.
const GOOGLE_FORMATS: [&str; 6] = ["date-time", "enum", "float", "double", "int32", "int64"];

/// Keywords that every provider takes anywhere, whatever their values.
const PLAIN: [&str; 4] = ["title", "description", "properties", "required"];

/// Keywords that only Google takes, whatever their values.
const GOOGLE: [&str; 8] = [
    "minLength",
    "maxLength",
    "minProperties",
    "maxProperties",
    "nullable",
    "propertyOrdering",
    "example",
    "default",
];

/// Maximum depth of nested objects, for OpenAI with `strict`.
pub(super) const MAX_OBJECTS: usize = 10;

impl Provider {
    /// Whether a schema can be as it likes, but for its root.
    pub(super) fn is_free(self) -> bool {
        matches!(self, Provider::OpenAi | Provider::Anthropic)
    }

    /// Whether objects must forbid further members.
    pub(super) fn closes(self) -> bool {
        !self.is_free() && self != Provider::Google
    }

    /// Whether all properties must be required, so that null stands for those that can be left out.
    pub(super) fn requires_all(self) -> bool {
        matches!(self, Provider::Common | Provider::OpenAiStrict)
    }

    /// Whether a schema may refer back to itself.
    pub(super) fn recurses(self) -> bool {
        !matches!(self, Provider::AnthropicStrict | Provider::Google)
    }

    /// Whether OpenAI's rules for the root hold.
    pub(super) fn is_openai(self) -> bool {
        matches!(
            self,
            Provider::Common | Provider::OpenAi | Provider::OpenAiStrict
        )
    }

    /// The keywords that can't stand at the root.
    pub(super) fn refused_at_root(self) -> &'static [&'static str] {
        let refused = &["oneOf", "anyOf", "allOf", "enum", "const", "not"];
        if self.is_openai() {
            refused
        } else {
            &refused[..3]
        }
    }

    /// Whether a property at the root can have this name.
    pub(super) fn takes_name(self, name: &str) -> bool {
        let sized = (1..=64).contains(&name.len());
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        match self {
            Provider::OpenAi | Provider::OpenAiStrict => true,
            Provider::Google => {
                sized && name.bytes().all(word) && !name.as_bytes()[0].is_ascii_digit()
            }
            _ => sized && name.bytes().all(|byte| word(byte) || b"-.".contains(&byte)),
        }
    }

    /// Whether a keyword can stand in a schema, with this value.
    pub(super) fn takes(self, keyword: &str, value: &Tree) -> bool {
        if self.is_free() || PLAIN.contains(&keyword) {
            return true;
        }
        let is_one_of = |words: &[&str]| {
            let word = value.as_text();
            word.is_some_and(|word| words.contains(&word.as_str()))
        };
        let bounds = ["minimum", "maximum", "minItems", "maxItems"];
        match (self, keyword) {
            (Provider::Google, keyword) if GOOGLE.contains(&keyword) => true,
            (Provider::Google, "type") => value.as_text().is_some_and(|kind| kind != "null"),
            (Provider::Google, "format") => is_one_of(&GOOGLE_FORMATS),
            (_, "type" | "items" | "enum" | "anyOf") => true,
            (Provider::Google | Provider::OpenAiStrict, keyword) if bounds.contains(&keyword) => {
                true
            }
            (Provider::Common, "pattern") => false,
            (_, "pattern") => is_plain(value),
            (Provider::Google, _) => false,
            (_, "additionalProperties" | "$ref" | "$defs") => true,
            (Provider::OpenAiStrict, "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf") => {
                true
            }
            (Provider::OpenAiStrict | Provider::AnthropicStrict, "const" | "definitions")
            | (Provider::OpenAiStrict | Provider::AnthropicStrict, "$schema")
            | (Provider::AnthropicStrict, "allOf" | "default") => true,
            (Provider::AnthropicStrict, "format") if value.is("\"uri\"") => true,
            (_, "format") => is_one_of(&FORMATS),
            (_, "minItems") => value.is("0") || value.is("1"),
            _ => false,
        }
    }
}

/// Whether a pattern has nothing that looks around, refers back or is about words.
fn is_plain(pattern: &Tree) -> bool {
    let Some(pattern) = pattern.as_text() else {
        return false;
    };
    let mut bytes = pattern.bytes();
    while let Some(byte) = bytes.next() {
        let refused = match byte {
            b'\\' => matches!(bytes.next(), Some(b'1'..=b'9' | b'b' | b'B' | b'k')),
            b'(' => bytes.clone().next() == Some(b'?'),
            _ => false,
        };
        if refused {
            return false;
        }
    }
    true
}
