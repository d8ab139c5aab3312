//! A tool's result as a provider's message (PROV-1 to PROV-25).

use super::call::ModelCall;
use super::plan::{Counts, Plan};
use super::table::form;
use super::write::write_alone;
use super::{Family, Provider};
use crate::base::json::ObjectWriter;
use crate::bridge::mcp::LossReport;
use crate::{Code, Error, Json, MIN_BUDGET, Parsed};

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

/// The message for a result.
///
/// ```
/// use toolwire::provider::{MessageOptions, ModelCall, Provider, to_message};
/// use toolwire::{Limits, parse};
///
/// let parsed = parse(&b"12:00"[..], &Limits::default());
/// let call = ModelCall::new("call_1", "now");
/// let message = to_message(&parsed, &call, Provider::OpenAi, &MessageOptions::default())?;
/// assert!(message.companion.is_none());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The message, item or value that answers the call.
    pub message: Json,
    /// A message of the user with what has no room in it. It goes behind the results of all calls of the turn, as
    /// [`to_turn`](super::to_turn) places it.
    pub companion: Option<Json>,
    /// What became of each block.
    pub report: LossReport,
}

impl Message {
    /// The whole as a JSON object: `{"message","companion","report"}`.
    ///
    /// ```
    /// use toolwire::provider::{MessageOptions, ModelCall, Provider, to_message};
    /// use toolwire::{Limits, parse};
    ///
    /// let parsed = parse(&b"12:00"[..], &Limits::default());
    /// let call = ModelCall::new("call_1", "now");
    /// let message = to_message(&parsed, &call, Provider::OpenAi, &MessageOptions::default())?;
    /// assert!(message.to_json().contains(r#""companion":null"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let companion = self.companion.as_ref();
        ObjectWriter::new()
            .json("message", self.message.as_str())
            .json("companion", companion.map_or("null", Json::as_str))
            .json("report", self.report.to_json())
            .end()
    }
}

/// A tool's result as the message that answers a call, and what became of each block.
///
/// # Errors
///
/// `bad_option` if the budget is too small.
///
/// # Examples
///
/// ```
/// use toolwire::provider::{MessageOptions, ModelCall, Provider, to_message};
/// use toolwire::{Limits, parse};
///
/// let output = br#"{"content":[{"type":"text","text":"no such file"}],"isError":true}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// let call = ModelCall::new("toolu_1", "list_files");
/// let options = MessageOptions::default();
///
/// let message = to_message(&parsed, &call, Provider::Anthropic, &options)?;
/// assert_eq!(
///     message.message.as_str(),
///     r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"no such file","is_error":true}]}"#,
/// );
/// let message = to_message(&parsed, &call, Provider::OpenAiChat, &options)?;
/// assert_eq!(
///     message.message.as_str(),
///     r#"{"role":"tool","tool_call_id":"toolu_1","content":"[error]\n\nno such file"}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn to_message(
    parsed: &Parsed<'_>,
    call: &ModelCall,
    provider: Provider,
    options: &MessageOptions,
) -> Result<Message, Error> {
    options.check()?;
    let line = form(provider, options.family);
    let plan = Plan::new(parsed, call, line, options, &mut Counts::default());
    let (message, companion) = write_alone(&plan);
    Ok(Message {
        message: Json::written(message),
        companion: companion.map(Json::written),
        report: plan.report.finished(),
    })
}
