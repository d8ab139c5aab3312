//! What a server offers beside its tools: resources, their templates, and prompts.

use rmcp::model::{
    ClientRequest, ListPromptsRequest, ListResourceTemplatesRequest, ListResourcesRequest,
    PaginatedRequestParams, ReadResourceRequest, ReadResourceRequestParams,
};
use tokio::time::timeout;
use toolwire::json::{Document, Kind, ObjectWriter, array};
use toolwire::{Json, Parsed};

use super::connect::Shared;
use super::replies;
use super::wire::{Answered, member};
use super::{Client, ClientError, ClientErrorKind};

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

    fn request(self, cursor: Option<String>) -> ClientRequest {
        let params =
            cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        match (self, params) {
            (Offer::Resources, Some(params)) => {
                ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(params))
            }
            (Offer::Resources, None) => {
                ClientRequest::ListResourcesRequest(ListResourcesRequest::default())
            }
            (Offer::ResourceTemplates, Some(params)) => {
                let request = ListResourceTemplatesRequest::with_param(params);
                ClientRequest::ListResourceTemplatesRequest(request)
            }
            (Offer::ResourceTemplates, None) => {
                let request = ListResourceTemplatesRequest::default();
                ClientRequest::ListResourceTemplatesRequest(request)
            }
            (Offer::Prompts, Some(params)) => {
                ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(params))
            }
            (Offer::Prompts, None) => {
                ClientRequest::ListPromptsRequest(ListPromptsRequest::default())
            }
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
        let most = shared.options.connect_timeout;
        let read = timeout(most, shared.read_offers(what)).await;
        read.unwrap_or_else(|_| {
            let (name, seconds) = (&shared.name, most.as_secs_f64());
            let what = what.as_str();
            let message = format!("the server `{name}` did not list its {what} within {seconds} s");
            Err(ClientError::new(ClientErrorKind::Timeout, message))
        })
    }

    /// The resource with this URI, as an envelope with a block for each of its contents, to the letter.
    /// If the server refuses, it is an error envelope.
    ///
    /// # Errors
    ///
    /// `not_connected`; `timeout` if it takes longer than a call may be silent.
    pub async fn read_resource(&self, uri: &str) -> Result<Parsed<'static>, ClientError> {
        let shared = &self.shared;
        let params = ReadResourceRequestParams::new(uri);
        let request = ClientRequest::ReadResourceRequest(ReadResourceRequest::new(params));
        let reading = shared.ask(request);
        let answered = match shared.options.timeout {
            None => reading.await?,
            Some(most) => timeout(most, reading).await.unwrap_or_else(|_| {
                let (name, seconds) = (&shared.name, most.as_secs_f64());
                let message = format!("the server `{name}` did not answer within {seconds} s");
                Err(ClientError::new(ClientErrorKind::Timeout, message))
            })?,
        };
        Ok(match answered {
            Answered::Result(text) => match envelope(&text) {
                Some(document) => toolwire::parse(document.into_bytes(), &shared.options.limits),
                None => {
                    replies::failed(&format!(
                        "the server `{}` answered with no contents of the resource",
                        shared.name
                    ))
                    .parsed
                }
            },
            Answered::Error(error) => replies::refused(&shared.name, &error).parsed,
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
        let info = self.peer.peer_info();
        info.is_some_and(|info| match what {
            Offer::Resources | Offer::ResourceTemplates => info.capabilities.resources.is_some(),
            Offer::Prompts => info.capabilities.prompts.is_some(),
        })
    }

    async fn read_offers(&self, what: Offer) -> Result<Vec<Json>, ClientError> {
        let mut all = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..self.options.max_pages {
            let text = match self.ask(what.request(cursor.take())).await? {
                Answered::Result(text) => text,
                // One that has resources need not know templates.
                Answered::Error(error) if is_unknown_method(&error) => return Ok(all),
                Answered::Error(error) => {
                    let message = member(&error, "message");
                    let message = message.and_then(|text| Json::new(text).ok()?.to_text());
                    let message = message.unwrap_or_default();
                    return Err(
                        self.bad_list(what, &format!("the server refused to give it: {message}"))
                    );
                }
            };
            let document = Document::new(&text).map_err(|error| {
                self.bad_list(what, &format!("it is not JSON as it should be: {error}"))
            })?;
            let root = document.root();
            let Some(listed) = root.get(what.as_str()) else {
                return Err(self.bad_list(what, &format!("it has no `{}`", what.as_str())));
            };
            let objects = listed.elements().filter(|one| one.kind() == Kind::Object);
            all.extend(objects.map(Json::from));
            if all.len() > self.options.max_tools {
                let most = self.options.max_tools;
                return Err(self.bad_list(what, &format!("it has more than {most} elements")));
            }
            cursor = root
                .get("nextCursor")
                .and_then(|next| Some(next.as_str()?.into_owned()));
            if cursor.is_none() {
                return Ok(all);
            }
        }
        let most = self.options.max_pages;
        Err(self.bad_list(what, &format!("it has more than {most} pages")))
    }

    /// What the server answers to a request, to the letter.
    async fn ask(&self, request: ClientRequest) -> Result<Answered, ClientError> {
        let sent = self
            .peer
            .send_request_with_option(request, Default::default());
        let handle = sent.await.map_err(|error| self.lost(&error))?;
        let id = handle.id.clone();
        let read = handle.await_response().await;
        match (self.wire.take_answer(&id), read) {
            (Some(answered), _) => Ok(answered),
            (None, Err(error)) => Err(self.lost(&error)),
            (None, Ok(_)) => {
                let message = format!("the server `{}` gave no answer", self.name);
                Err(ClientError::new(ClientErrorKind::NotConnected, message))
            }
        }
    }

    fn bad_list(&self, what: Offer, reason: &str) -> ClientError {
        let (name, what) = (&self.name, what.as_str());
        let message = format!("the list of {what} of the server `{name}` can't be used: {reason}");
        ClientError::new(ClientErrorKind::BadList, message)
    }
}

/// Whether an error says that the server does not know the method.
fn is_unknown_method(error: &str) -> bool {
    member(error, "code").as_deref() == Some("-32601")
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
