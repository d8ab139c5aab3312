//! How results become messages.

use super::Family;
use crate::{Code, Error, MIN_BUDGET};

/// Which of content and structured content a model sees.
///
/// ```
/// use toolwire::provider::Structured;
///
/// assert_eq!(Structured::default(), Structured::WhenEmpty);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Structured {
    /// Content, and structured content if there is none.
    #[default]
    WhenEmpty,
    /// Structured content instead of texts, if there is any. Media stay.
    Preferred,
}

closed_words!(Structured, "a policy", {
    WhenEmpty => "when_empty",
    Preferred => "preferred",
});

/// How resources with text are written.
///
/// ```
/// assert_eq!(toolwire::provider::Resources::default().as_str(), "text");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Resources {
    /// As text below a line with the URI.
    #[default]
    Text,
    /// As a document, where the provider has one.
    Document,
    /// As a search result, where the provider has one.
    SearchResult,
}

closed_words!(Resources, "a form of resources", {
    Text => "text",
    Document => "document",
    SearchResult => "search_result",
});

/// How a result becomes a message.
///
/// ```
/// use toolwire::provider::MessageOptions;
///
/// assert!(MessageOptions::default().companion);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageOptions {
    /// The family of models.
    pub family: Option<Family>,
    /// Content or structured content.
    pub structured: Structured,
    /// Resources with text.
    pub resources: Resources,
    /// The most bytes of text in a result, at least [`MIN_BUDGET`]; no limit by default.
    pub max_bytes: Option<usize>,
    /// Whether media that have no room in a result follow in a message of the user; true by default.
    pub companion: bool,
    /// Whether the end of the result is a place to cache up to.
    pub cache: bool,
    /// Whether the definition has an output schema, so that the result has to be JSON (OpenAI Responses).
    pub output_schema: bool,
}

impl Default for MessageOptions {
    fn default() -> Self {
        MessageOptions {
            family: None,
            structured: Structured::default(),
            resources: Resources::default(),
            max_bytes: None,
            companion: true,
            cache: false,
            output_schema: false,
        }
    }
}

impl MessageOptions {
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.max_bytes {
            Some(budget) if budget < MIN_BUDGET => {
                let message = format!("`maxBytes` is at least {MIN_BUDGET}, not `{budget}`");
                Err(Error::new(Code::BadOption, "/maxBytes", None, message))
            }
            _ => Ok(()),
        }
    }
}
