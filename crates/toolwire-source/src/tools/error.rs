//! Why a host can't use its tools.

use std::fmt;

use toolwire_host::HostError;
use toolwire_mcp::client::ClientError;

use crate::SourceError;

/// Why tools can't be added, defined or used: a mistake of the host or a source that can't be reached, never what a
/// model or a tool wrote.
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{MessageOptions, Provider};
/// use toolwire_source::Tools;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let tools = Tools::new(Default::default());
/// let reply = Json::new(r#"{"choices":[]}"#)?;
/// let error = tools.respond(Provider::Anthropic, &reply, &MessageOptions::default()).await.unwrap_err();
/// assert_eq!(error.code, "bad_argument");
/// # Ok::<(), toolwire::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolsError {
    /// A stable word.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: String,
}

impl ToolsError {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        ToolsError {
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for ToolsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolsError {}

impl From<SourceError> for ToolsError {
    fn from(error: SourceError) -> Self {
        ToolsError::new(error.kind().as_str(), error.to_string())
    }
}

impl From<HostError> for ToolsError {
    fn from(error: HostError) -> Self {
        ToolsError::new(error.kind().as_str(), error.to_string())
    }
}

impl From<ClientError> for ToolsError {
    fn from(error: ClientError) -> Self {
        ToolsError::new(error.kind().as_str(), error.to_string())
    }
}

impl From<toolwire::Error> for ToolsError {
    fn from(error: toolwire::Error) -> Self {
        ToolsError::new(error.code().as_str(), error.to_string())
    }
}
