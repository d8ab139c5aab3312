//! What a request says to the letter, which rmcp's own values do not keep (SRV-9).

use std::sync::{Arc, OnceLock};

use rmcp::ErrorData;
use rmcp::model::Extensions;
use serde::de::DeserializeOwned;
use toolwire::Json;

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
    params: Arc<Json>,
    result: Arc<OnceLock<String>>,
}

impl Exact {
    /// The parameters of a request.
    #[must_use]
    pub fn new(params: Json) -> Self {
        Exact {
            params: Arc::new(params),
            result: Arc::default(),
        }
    }

    /// The result as JSON text, if the handler has given one. It goes before what rmcp would write.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.result.get().map(String::as_str)
    }
}

/// A member of the parameters, from the text if there is one.
pub(super) fn member(
    extensions: &Extensions,
    pointer: &str,
    value: Option<&impl serde::Serialize>,
) -> Result<Option<Json>, ErrorData> {
    if let Some(exact) = extensions.get::<Exact>() {
        return Ok(exact.params.at(pointer));
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
    if let Some(exact) = extensions.get::<Exact>() {
        let _ = exact.result.set(result);
        return Ok(held());
    }
    serde_json::from_str(&result).map_err(|error| {
        ErrorData::internal_error(format!("the result can't be written: {error}"), None)
    })
}
