//! What keeps a server from being used at all.

use std::fmt;

/// Why a server can't be used.
///
/// ```
/// use toolwire_mcp::client::ClientErrorKind;
///
/// assert_eq!(ClientErrorKind::Unauthorized.as_str(), "unauthorized");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClientErrorKind {
    /// Its program can't be started.
    NotStarted,
    /// It can't be reached, it ended, or it does not answer as an MCP server does.
    NotConnected,
    /// It did not answer in time.
    Timeout,
    /// It wants an authorization that it was not given.
    Unauthorized,
    /// It speaks no revision that Toolwire speaks.
    NoCommonRevision,
    /// Its list of tools can't be used.
    BadTools,
    /// Its list of resources or prompts can't be used.
    BadList,
    /// An option can't be meant like that.
    BadOption,
}

impl ClientErrorKind {
    /// The kind as a stable word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ClientErrorKind::NotStarted => "not_started",
            ClientErrorKind::NotConnected => "not_connected",
            ClientErrorKind::Timeout => "timeout",
            ClientErrorKind::Unauthorized => "unauthorized",
            ClientErrorKind::NoCommonRevision => "no_common_revision",
            ClientErrorKind::BadTools => "bad_tools",
            ClientErrorKind::BadList => "bad_list",
            ClientErrorKind::BadOption => "bad_option",
        }
    }
}

/// A server can't be used. Whatever a server says of one call is never an error of this type, but a result.
///
/// ```
/// use toolwire_host::{Command, ProcessOptions};
/// use toolwire_mcp::client::{Client, ClientErrorKind, ClientOptions, Server};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// let server = Server::program(Command::new("./no/such/server"), ProcessOptions::default());
/// let options = ClientOptions::default();
/// let connecting = Client::connect("files", &server, &options);
/// let error = runtime.block_on(connecting).unwrap_err();
/// assert_eq!(error.kind(), ClientErrorKind::NotStarted);
/// ```
#[derive(Debug)]
pub struct ClientError {
    kind: ClientErrorKind,
    message: String,
}

impl ClientError {
    pub(super) fn new(kind: ClientErrorKind, message: impl Into<String>) -> Self {
        ClientError {
            kind,
            message: message.into(),
        }
    }

    /// Why the server can't be used.
    #[must_use]
    pub fn kind(&self) -> ClientErrorKind {
        self.kind
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ClientError {}

/// Why the connection failed, in the words of whatever failed first: those of the libraries in between name
/// types of theirs.
pub(super) fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let says = ["Client error: ", "unexpected server response: "];
    let text = says
        .iter()
        .find_map(|says| text.strip_prefix(says))
        .unwrap_or(text);
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        // A word such as HTTP stays as it is.
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().to_string() + chars.as_str()
        }
        _ => text.to_owned(),
    }
}
