//! What keeps a server from starting, and what a client is told of a request that is refused.

use std::fmt;

use toolwire::Json;
use toolwire::json::ObjectWriter;
use toolwire_host::{HostError, HostErrorKind};
use toolwire_rpc::RpcError;

/// Why nothing can be served, as a sentence for people.
///
/// ```
/// use toolwire_mcp::server::StateKeys;
///
/// let error = StateKeys::parse("").unwrap_err();
/// assert_eq!(error.to_string(), "there is no key");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeError {
    message: String,
    kind: Option<HostErrorKind>,
}

impl ServeError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        ServeError {
            message: message.into(),
            kind: None,
        }
    }

    /// What is wrong with the manifest or a program, if that is why.
    ///
    /// ```
    /// use toolwire_mcp::server::StateKeys;
    ///
    /// assert_eq!(StateKeys::parse("").unwrap_err().kind(), None);
    /// ```
    #[must_use]
    pub fn kind(&self) -> Option<HostErrorKind> {
        self.kind
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ServeError {}

impl From<HostError> for ServeError {
    fn from(error: HostError) -> Self {
        ServeError {
            message: error.to_string(),
            kind: Some(error.kind()),
        }
    }
}

/// Why a request is refused: the member `code` of the error's `data`.
///
/// ```
/// use toolwire_mcp::server::Refusal;
///
/// assert_eq!(Refusal::BadRequestState.as_str(), "bad_request_state");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no tool of that name.
    UnknownTool,
    /// The parameters are not those of the method.
    BadParams,
    /// The cursor is not one of this server's.
    BadCursor,
    /// There is no prompt of that name.
    UnknownPrompt,
    /// There is no resource with that URI.
    UnknownResource,
    /// What stands in `_meta` is no call context.
    BadCallContext,
    /// The `requestState` was not sealed with a key of this server: it is forged, truncated or too old a key's.
    BadRequestState,
    /// The `requestState` belongs to another call: another tool, other arguments or another principal.
    RequestStateMismatch,
    /// The `requestState` is too old.
    RequestStateExpired,
    /// There is no task with this id for whoever asks.
    UnknownTask,
}

impl Refusal {
    /// All codes, in the order of the specification.
    pub const ALL: [Refusal; 10] = [
        Refusal::UnknownTool,
        Refusal::BadParams,
        Refusal::BadCursor,
        Refusal::UnknownPrompt,
        Refusal::UnknownResource,
        Refusal::BadCallContext,
        Refusal::BadRequestState,
        Refusal::RequestStateMismatch,
        Refusal::RequestStateExpired,
        Refusal::UnknownTask,
    ];

    /// The code as a word.
    ///
    /// ```
    /// assert_eq!(toolwire_mcp::server::Refusal::BadCursor.as_str(), "bad_cursor");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Refusal::UnknownTool => "unknown_tool",
            Refusal::BadParams => "bad_params",
            Refusal::BadCursor => "bad_cursor",
            Refusal::UnknownPrompt => "unknown_prompt",
            Refusal::UnknownResource => "unknown_resource",
            Refusal::BadCallContext => "bad_call_context",
            Refusal::BadRequestState => "bad_request_state",
            Refusal::RequestStateMismatch => "request_state_mismatch",
            Refusal::RequestStateExpired => "request_state_expired",
            Refusal::UnknownTask => "unknown_task",
        }
    }

    pub(super) fn because(self, message: impl Into<String>) -> RpcError {
        let data = ObjectWriter::new().text("code", self.as_str()).end();
        RpcError {
            data: Some(data),
            ..RpcError::new(INVALID_PARAMS, message)
        }
    }
}

/// Codes of errors.
pub(super) const INVALID_REQUEST: i32 = -32600;
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
pub(super) const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
const MISSING_CAPABILITY: i32 = -32021;

pub(super) fn internal(message: impl Into<String>) -> RpcError {
    RpcError::new(INTERNAL_ERROR, message)
}

pub(super) fn no_method(method: &str) -> RpcError {
    let method: String = method.chars().take(100).collect();
    RpcError::new(METHOD_NOT_FOUND, format!("there is no method `{method}`"))
}

pub(super) fn no_tools(error: ServeError) -> RpcError {
    internal(error.to_string())
}

/// The error that another server has answered with.
pub(super) fn passed_on(error: &str) -> RpcError {
    let error = Json::new(error).unwrap_or_else(|_| Json::empty_object());
    let code = error.at("/code").and_then(|code| code.to_value().ok());
    let message = error.at("/message").and_then(|message| message.to_text());
    RpcError {
        data: error.at("/data").map(|data| data.to_string()),
        ..RpcError::new(code.unwrap_or(INTERNAL_ERROR), message.unwrap_or_default())
    }
}

/// The client would have to declare these capabilities.
pub(super) fn needs(capabilities: &str, message: impl Into<String>) -> RpcError {
    let data = ObjectWriter::new()
        .json("requiredCapabilities", capabilities)
        .end();
    RpcError {
        data: Some(data),
        ..RpcError::new(MISSING_CAPABILITY, message)
    }
}

/// The client would have to know tasks.
pub(super) fn needs_tasks() -> RpcError {
    let capabilities = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    needs(
        capabilities,
        "this needs a client that knows tasks, and this one does not declare them",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_of_the_reference() {
        let chapter = include_str!("../../../../docs/reference/serving.md");
        let mut lines = chapter
            .lines()
            .skip_while(|line| !line.starts_with("| `code` |"));
        let rows = lines
            .by_ref()
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        let codes: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
        assert_eq!(codes, Refusal::ALL.map(Refusal::as_str));
    }
}
