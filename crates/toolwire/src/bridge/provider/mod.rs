//! Messages of the providers of models: a tool's result, the results of a turn, definitions of tools, and the
//! calls that a model makes, without I/O (companion *messages of providers*).
//!
//! What a provider takes stands in one table; what becomes of an envelope is one engine for all of them.

mod call;
mod form;
mod from_call;
mod media;
mod message;
mod name;
mod options;
mod plan;
mod reply;
mod table;
mod template;
mod tools;
mod turn;
mod write;

pub use call::{ModelCall, to_history};
pub use from_call::{FromCall, FromCallOptions, from_call};
pub use message::{Message, to_message};
pub use options::{MessageOptions, Resources, Structured};
pub use reply::{FromReply, from_reply};
pub use tools::{ToolName, Tools, ToolsOptions, to_tools};
pub use turn::{Turn, to_turn};

/// A provider's or a framework's form of messages.
///
/// ```
/// use toolwire::provider::Provider;
///
/// assert_eq!("openai_chat".parse(), Ok(Provider::OpenAiChat));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Responses.
    OpenAi,
    /// OpenAI Chat Completions, and the many servers that speak it.
    OpenAiChat,
    /// Gemini generateContent.
    Gemini,
    /// Bedrock Converse.
    Bedrock,
    /// Mistral chat.
    Mistral,
    /// The AI SDK.
    AiSdk,
    /// LangChain.
    LangChain,
    /// Pydantic AI.
    PydanticAi,
    /// The OpenAI Agents SDK.
    OpenAiAgents,
}

closed_words!(Provider, "a provider", {
    Anthropic => "anthropic",
    OpenAi => "openai",
    OpenAiChat => "openai_chat",
    Gemini => "gemini",
    Bedrock => "bedrock",
    Mistral => "mistral",
    AiSdk => "ai_sdk",
    LangChain => "langchain",
    PydanticAi => "pydantic_ai",
    OpenAiAgents => "openai_agents",
});

/// The family of models, or the version of a framework, where the rules of a provider depend on it. A family that a
/// provider does not know changes nothing.
///
/// ```
/// use toolwire::provider::Family;
///
/// assert_eq!(Family::Gemini2.as_str(), "gemini_2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Chat Completions: models of Azure, with short descriptions.
    Azure,
    /// Gemini before 3: no media inside of a response.
    Gemini2,
    /// Bedrock: Amazon's Nova.
    Nova,
    /// Bedrock: Meta's Llama.
    Llama,
    /// Bedrock: Mistral's models.
    Mistral,
    /// Bedrock and Mistral: models that take text alone.
    Text,
    /// Bedrock: Writer's models, which take no status.
    Writer,
    /// The AI SDK 6.
    AiSdk6,
}

closed_words!(Family, "a family of models", {
    Azure => "azure",
    Gemini2 => "gemini_2",
    Nova => "nova",
    Llama => "llama",
    Mistral => "mistral",
    Text => "text",
    Writer => "writer",
    AiSdk6 => "ai_sdk_6",
});
