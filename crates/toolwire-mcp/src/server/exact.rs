//! What a request says to the letter, which rmcp's own values do not keep.

use std::sync::{Arc, OnceLock};

use rmcp::ErrorData;
use rmcp::model::Extensions;
use serde::de::DeserializeOwned;
use toolwire::Json;
use toolwire::json::{Document, ObjectWriter};

use super::Refusal;

/// The parameters of a request to the letter, and the place for its result to the letter.
///
/// rmcp reads numbers into types that lose digits. A transport that has the text puts it, in this form, into the
/// extensions of the request, and writes the result from here if there is one. Without it a handler answers
/// from rmcp's values.
///
/// ```
/// use toolwire::Json;
/// use toolwire_mcp::server::Exact;
///
/// let exact = Exact::new(Json::new(r#"{"name":"add","arguments":{"a":12345678901234567890123}}"#)?);
/// assert!(exact.result().is_none());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Exact {
    params: Arc<OnceLock<Json>>,
    result: Arc<OnceLock<String>>,
    /// Whether the transport may have to write rmcp's own value after all.
    lossy: bool,
}

impl Exact {
    /// The parameters of a request.
    #[must_use]
    pub fn new(params: Json) -> Self {
        Exact {
            params: Arc::new(OnceLock::from(params)),
            result: Arc::default(),
            lossy: false,
        }
    }

    /// The parameters of a request that is still being read, for a transport that can lose the place where
    /// the result is to be written.
    pub(super) fn awaited() -> Self {
        Exact {
            params: Arc::default(),
            result: Arc::default(),
            lossy: true,
        }
    }

    /// Gives the parameters that were awaited.
    pub(super) fn fill(&self, params: Json) {
        let _ = self.params.set(params);
    }

    /// The result as JSON text, if the handler has given one. It goes before what rmcp would write.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.result.get().map(String::as_str)
    }
}

/// What belongs to a request: with it, or with the head of the HTTP request that it came in.
fn of(extensions: &Extensions) -> Option<&Exact> {
    let head = || extensions.get::<http::request::Parts>();
    extensions
        .get::<Exact>()
        .or_else(|| head()?.extensions.get::<Exact>())
}

/// A message to the letter. Where it is not strict JSON, rmcp's values have to do.
pub(super) fn message(message: &[u8]) -> Option<Document<'_>> {
    Document::new(std::str::from_utf8(message).ok()?).ok()
}

/// The parameters of a message.
pub(super) fn params(message: &Document<'_>) -> Json {
    let params = message.root().get("params");
    params.map_or_else(Json::empty_object, Json::from)
}

/// The one member of a client's result that holds its text: rmcp's values carry a string to the letter.
const TEXT: &str = "dev.toolwire/text";

/// The response of a client with its result as text, for [`result`]; nothing if the message is no response.
pub(super) fn response(message: &Document<'_>) -> Option<String> {
    let root = message.root();
    let (version, id) = (root.get("jsonrpc")?, root.get("id")?);
    let result = root
        .get("result")
        .filter(|_| root.get("method").is_none())?;
    let mut text = ObjectWriter::new();
    text.text(TEXT, result.raw());
    let mut out = ObjectWriter::new();
    out.json("jsonrpc", version.raw());
    out.json("id", id.raw());
    out.json("result", text.end());
    Some(out.end())
}

/// The result of a client to the letter, if the transport could keep it.
pub(super) fn result(value: Json) -> Option<Json> {
    let document = Document::new(value.as_str()).ok()?;
    let text = document.root().get(TEXT).and_then(|text| text.as_str());
    match text {
        Some(text) => Json::new(text.as_ref()).ok(),
        None => Some(value),
    }
}

/// A member of the parameters, from the text if there is one.
pub(super) fn member(
    extensions: &Extensions,
    pointer: &str,
    value: Option<&impl serde::Serialize>,
) -> Result<Option<Json>, ErrorData> {
    if let Some(params) = of(extensions).and_then(|exact| exact.params.get()) {
        return Ok(params.at(pointer));
    }
    let read = value.map(Json::from_value).transpose();
    read.map_err(|error| Refusal::BadParams.because(error.message().to_owned()))
}

/// Gives the result to the transport to the letter, or else to rmcp as far as it can hold it.
pub(super) fn answer<T: DeserializeOwned>(
    extensions: &Extensions,
    result: String,
    held: impl FnOnce() -> T,
) -> Result<T, ErrorData> {
    if let Some(exact) = of(extensions) {
        let own = exact.lossy.then(|| serde_json::from_str(&result).ok());
        let _ = exact.result.set(result);
        return Ok(own.flatten().unwrap_or_else(held));
    }
    serde_json::from_str(&result).map_err(|error| {
        ErrorData::internal_error(format!("the result can't be written: {error}"), None)
    })
}
