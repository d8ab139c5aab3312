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

/// Keywords that every provider takes anywhere, whatever their values.
const PLAIN: [&str; 5] = ["type", "title", "description", "properties", "required"];

/// How deep objects may stand in one another, for OpenAI with `strict`.
pub(super) const MOST_OBJECTS: usize = 10;

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
        let format = |formats: &[&str]| {
            let format = value.as_text();
            format.is_some_and(|format| formats.contains(&format.as_str()))
        };
        let few = value.is("0") || value.is("1");
        let bounds = ["minimum", "maximum", "minItems", "maxItems"];
        match (self, keyword) {
            (_, "items" | "enum" | "anyOf") => true,
            (Provider::Google, "minLength" | "maxLength" | "minProperties" | "maxProperties") => {
                true
            }
            (Provider::Google, "nullable" | "propertyOrdering" | "example" | "default") => true,
            (Provider::Google, "format") => {
                format(&["date-time", "enum", "float", "double", "int32", "int64"])
            }
            (Provider::Google | Provider::OpenAiStrict, "pattern") => is_plain(value),
            (Provider::Google | Provider::OpenAiStrict, keyword) if bounds.contains(&keyword) => {
                true
            }
            (Provider::Google, _) => false,
            (_, "additionalProperties" | "$ref" | "$defs") => true,
            (Provider::OpenAiStrict, "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf") => {
                true
            }
            (Provider::OpenAiStrict, "const" | "definitions" | "$schema") => true,
            (Provider::AnthropicStrict, "const" | "definitions" | "$schema" | "allOf") => true,
            (Provider::AnthropicStrict, "default") => true,
            (Provider::AnthropicStrict, "pattern") => is_plain(value),
            (Provider::AnthropicStrict, "format") => format(&FORMATS) || format(&["uri"]),
            (_, "format") => format(&FORMATS),
            (_, "minItems") => few,
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
        let next = match byte {
            b'\\' => bytes.next(),
            b'(' => bytes.clone().next(),
            _ => None,
        };
        match (byte, next) {
            (b'\\', Some(b'1'..=b'9' | b'b' | b'B' | b'k')) | (b'(', Some(b'?')) => return false,
            _ => {}
        }
    }
    true
}
