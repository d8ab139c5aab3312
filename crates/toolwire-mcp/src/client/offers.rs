//! What a server offers beside its tools: resources, their templates, and prompts.

use std::time::Duration;

use tokio::time::timeout;
use toolwire::json::{Document, Kind, ObjectWriter, array, string};
use toolwire::lines::Trace;
use toolwire::{Json, Parsed};
use toolwire_rpc::{Failure, Part};

use super::replies;
use super::request::Request;
use super::shared::Shared;
use super::{Client, ClientError, ClientErrorKind, ToolCall};
use crate::trace;

/// The code of an error: the server does not know the method.
const METHOD_NOT_FOUND: i64 = -32601;

/// What a server can list beside its tools.
///
/// ```
/// use toolwire_mcp::client::Offer;
///
/// assert_eq!(Offer::ResourceTemplates.as_str(), "resourceTemplates");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Offer {
    /// Its resources.
    Resources,
    /// Templates of the URIs of further resources.
    ResourceTemplates,
    /// Its prompts.
    Prompts,
}

impl Offer {
    /// The member of MCP's list.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Offer::Resources => "resources",
            Offer::ResourceTemplates => "resourceTemplates",
            Offer::Prompts => "prompts",
        }
    }

    pub(crate) fn method(self) -> &'static str {
        match self {
            Offer::Resources => "resources/list",
            Offer::ResourceTemplates => "resources/templates/list",
            Offer::Prompts => "prompts/list",
        }
    }
}

impl Client {
    /// What the server lists of this, in its order, from all pages, each as the server wrote it. A server
    /// that does not declare that it has any is not asked. What is no object is left out.
    ///
    /// # Errors
    ///
    /// `bad_list` if the list can't be used or is too long, `not_connected` and `timeout`.
    pub async fn list(&self, what: Offer) -> Result<Vec<Json>, ClientError> {
        self.shared.list_offer(what).await
    }

    /// Whether the server declares that it has resources or prompts.
    pub(crate) fn offers_more(&self) -> bool {
        self.shared.offers(Offer::Resources) || self.shared.offers(Offer::Prompts)
    }

    /// The resource with this URI, as an envelope with a block for each of its contents, verbatim.
    /// If the server refuses, it is an error envelope.
    ///
    /// # Errors
    ///
    /// `not_connected`; `timeout` if it takes longer than a call may be silent.
    pub async fn read_resource(&self, uri: &str) -> Result<Parsed<'static>, ClientError> {
        let shared = &self.shared;
        let request = Request {
            method: "resources/read",
            about: Some(("uri", uri)),
            ..Request::default()
        };
        let answered = timeout(shared.silence(), shared.ask(request)).await;
        let answered = answered.map_err(|_| shared.too_slow())?;
        Ok(match answered {
            Ok(text) => match envelope(&text) {
                Some(document) => toolwire::parse(document.into_bytes(), &shared.options.limits),
                None => {
                    replies::failed(&format!(
                        "the server `{}` answered with no contents of the resource",
                        shared.name
                    ))
                    .parsed
                }
            },
            Err(Failure::Refused(error)) => replies::refused(&shared.name, &error).parsed,
            Err(failure) => return Err(shared.lost(&failure)),
        })
    }
}

/// Why a request that was passed on has no result.
pub(crate) enum NotPassed {
    /// The error of the server, as JSON text.
    Refused(Part),
    /// The server can't be asked, as a sentence says.
    Lost(String),
}

impl ToolCall {
    /// What [`Client::list`] gives, on this connection.
    pub(crate) async fn list(&self, what: Offer) -> Result<Vec<Json>, ClientError> {
        self.shared.list_offer(what).await
    }

    /// Whether the server declares that it has any.
    pub(crate) fn offers(&self, what: Offer) -> bool {
        self.shared.offers(what)
    }

    /// Passes on a request about something that the server offers, with further parameters as JSON text.
    pub(crate) async fn pass(
        &self,
        method: &str,
        about: (&str, &str),
        params: Vec<(&str, String)>,
        trace: Trace,
    ) -> Result<Part, NotPassed> {
        let shared = &self.shared;
        let trace = trace::members(trace);
        let request = Request {
            method,
            about: Some(about),
            params,
            meta: trace
                .map(|(name, value)| (name.to_owned(), string(&value)))
                .collect(),
            ..Request::default()
        };
        let answered = timeout(shared.silence(), shared.ask(request)).await;
        let answered = answered.map_err(|_| NotPassed::Lost(shared.too_slow().to_string()))?;
        answered.map_err(|failure| shared.not_passed(failure))
    }
}

/// The envelope of a result with contents; nothing if it has none.
fn envelope(result: &str) -> Option<String> {
    let document = Document::new(result).ok()?;
    let contents = document.root().get("contents")?;
    (contents.kind() == Kind::Array).then_some(())?;
    let blocks = contents.elements().map(|content| {
        ObjectWriter::new()
            .json("resource", content.raw())
            .text("type", "resource")
            .end()
    });
    let mut envelope = ObjectWriter::new();
    if let Some(meta) = document.root().get("_meta") {
        envelope.json("_meta", meta.raw());
    }
    envelope.json("content", array(blocks));
    Some(envelope.end())
}

impl Shared {
    /// Whether the server declares that it has any.
    fn offers(&self, what: Offer) -> bool {
        match what {
            Offer::Resources | Offer::ResourceTemplates => self.about.resources.is_there,
            Offer::Prompts => self.about.prompts.is_there,
        }
    }

    async fn list_offer(&self, what: Offer) -> Result<Vec<Json>, ClientError> {
        if !self.offers(what) {
            return Ok(Vec::new());
        }
        // One that has resources need not know templates.
        let ends = |code| code == Some(METHOD_NOT_FOUND);
        let kind = ClientErrorKind::BadList;
        let list = self.list(what.method(), what.as_str(), kind, ends).await?;
        let is_object = |one: &Json| one.as_str().starts_with('{');
        Ok(list.elements.into_iter().filter(is_object).collect())
    }

    pub(super) fn not_passed(&self, failure: Failure) -> NotPassed {
        match failure {
            Failure::Refused(error) => NotPassed::Refused(error),
            failure => NotPassed::Lost(self.lost(&failure).to_string()),
        }
    }

    /// How long a request may take that is no call.
    fn silence(&self) -> Duration {
        self.options.timeout.unwrap_or(Duration::MAX)
    }

    fn too_slow(&self) -> ClientError {
        let (name, seconds) = (&self.name, self.silence().as_secs_f64());
        let message = format!("the server `{name}` did not answer within {seconds} s");
        ClientError::new(ClientErrorKind::Timeout, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_blocks_to_the_letter() {
        let result = r#"{"contents":[{"uri":"a:b","text":"x","n":1.10}],"_meta":{"k":2.0}}"#;
        assert_eq!(
            envelope(result).as_deref(),
            Some(
                r#"{"_meta":{"k":2.0},"content":[{"resource":{"uri":"a:b","text":"x","n":1.10},"type":"resource"}]}"#
            )
        );
        for none in ["{}", r#"{"contents":{}}"#, "[]", "null", "x"] {
            assert_eq!(envelope(none), None, "{none}");
        }
    }
}
