//! What a server offers beside its tools: resources, their templates, and prompts.

use std::time::Duration;

use tokio::time::timeout;
use toolwire::json::{Document, Kind, ObjectWriter, array};
use toolwire::{Json, Parsed};
use toolwire_rpc::Failure;

use super::connect::Shared;
use super::replies;
use super::request::Request;
use super::{Client, ClientError, ClientErrorKind};

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

    fn method(self) -> &'static str {
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
        let shared = &self.shared;
        if !shared.offers(what) {
            return Ok(Vec::new());
        }
        // One that has resources need not know templates.
        let ends = |code| code == Some(METHOD_NOT_FOUND);
        let kind = ClientErrorKind::BadList;
        let list = shared
            .list(what.method(), what.as_str(), kind, ends)
            .await?;
        let is_object = |one: &Json| one.as_str().starts_with('{');
        Ok(list.elements.into_iter().filter(is_object).collect())
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
        let most = shared.options.timeout.unwrap_or(Duration::MAX);
        let answered = timeout(most, shared.ask(request)).await.map_err(|_| {
            let (name, seconds) = (&shared.name, most.as_secs_f64());
            let message = format!("the server `{name}` did not answer within {seconds} s");
            ClientError::new(ClientErrorKind::Timeout, message)
        })?;
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
            Offer::Resources | Offer::ResourceTemplates => self.about.has_resources,
            Offer::Prompts => self.about.has_prompts,
        }
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
