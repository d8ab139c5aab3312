//! Requests of Streamable HTTP, for rmcp.
//!
//! rmcp's own client reads answers into its types before anybody sees them, and adds no limit to where headers
//! go but reqwest's. This one keeps the text (see [`wire`](super::wire)), and speaks to one origin alone.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use reqwest::header::{
    ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, WWW_AUTHENTICATE,
};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, StatusCode, Url};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse,
};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt as _;
use sse_stream::{Sse, SseStream};
use toolwire::json::ObjectWriter;
use toolwire::mcp::Revision;

use super::error::innermost;
use super::queue::Said;
use super::wire::{Passed, Wire, member, spelt};
use super::{ClientError, ClientErrorKind, Header};
use crate::local_token::loopback;

type Failure = StreamableHttpError<Unreached>;

/// Why a request did not reach the server, or its answer not this client.
#[derive(Debug)]
pub(super) struct Unreached(String);

impl std::fmt::Display for Unreached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreached {}

const STREAM: &str = "text/event-stream";
const JSON: &str = "application/json";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const REVISION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// The least time, in milliseconds, after which a stream is asked for again, however soon the server wants it.
const SOONEST: u64 = 100;

/// The most bytes of a body that says why a request failed.
const REASON: usize = 64 * 1024;

/// The most characters of it that are told.
const TOLD: usize = 200;

/// The most redirects that are followed.
const HOPS: usize = 10;

/// How long it may take to reach the server's machine.
const REACH: Duration = Duration::from_secs(30);

/// What speaks to one server.
#[derive(Clone)]
pub(super) struct Http {
    client: reqwest::Client,
    headers: HeaderMap,
    wire: Arc<Wire>,
    max_message: usize,
}

/// TLS of this client's own: what the rest of the process uses is not for a library to choose.
fn tls() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_platform_verifier()?.with_no_client_auth())
}

impl Http {
    /// A client for the server of this URL, which must be one of `http` or `https`.
    pub(super) fn new(
        url: &str,
        headers: &[Header],
        wire: Arc<Wire>,
        max_message: usize,
    ) -> Result<Http, ClientError> {
        let wrong = |message: String| ClientError::new(ClientErrorKind::BadOption, message);
        let parsed =
            Url::parse(url).map_err(|error| wrong(format!("`{url}` is no URL: {error}")))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            let message = "a server is reached by a URL that begins with `http://` or `https://`";
            return Err(wrong(message.to_owned()));
        }
        if !parsed.username().is_empty() || parsed.password().is_some() {
            let message = "a URL with a name or a password in it is not used; put them into a header, with \
                           `--header-env`";
            return Err(wrong(message.to_owned()));
        }
        let mut all = HeaderMap::new();
        for header in headers {
            let (name, value) = checked(header).map_err(wrong)?;
            all.append(name, value);
        }
        let policy = Policy::custom(|attempt| {
            let here = attempt.previous().first();
            let same = here.is_some_and(|here| here.origin() == attempt.url().origin());
            let keeps = matches!(attempt.status().as_u16(), 307 | 308);
            match same && keeps && attempt.previous().len() <= HOPS {
                true => attempt.follow(),
                false => attempt.stop(),
            }
        });
        let tls = tls().map_err(|error| wrong(format!("no TLS can be had: {error}")))?;
        let mut builder = reqwest::Client::builder();
        if parsed
            .host_str()
            .is_some_and(|host| !loopback(host).is_empty())
        {
            // A proxy has a loopback of its own, and would see the token of this one.
            builder = builder.no_proxy();
        }
        let client = builder
            .tls_backend_preconfigured(tls)
            .redirect(policy)
            .referer(false)
            .connect_timeout(REACH)
            .user_agent(concat!("toolwire/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| wrong(format!("no HTTP client can be made: {error}")))?;
        Ok(Http {
            client,
            headers: all,
            wire,
            max_message,
        })
    }

    /// A request with the headers of the user and those of the protocol.
    fn with_headers(
        &self,
        request: RequestBuilder,
        session: Option<Arc<str>>,
        custom: HashMap<HeaderName, HeaderValue>,
    ) -> RequestBuilder {
        let mut headers = self.headers.clone();
        headers.extend(custom);
        if let Some(session) = session.and_then(|id| HeaderValue::from_str(&id).ok()) {
            headers.insert(SESSION, session);
        }
        request.headers(headers)
    }

    /// The messages of a stream of events, which may be that of a request. Only the ids of one that may be
    /// resumed reach rmcp, which asks for the rest of it after the last of them.
    fn events(
        &self,
        response: Response,
        from: Option<String>,
        resumable: bool,
    ) -> BoxStream<'static, Result<Sse, SseError>> {
        let mut size = EventSize::new(self.max_message);
        let (wire, failing) = (Arc::clone(&self.wire), Arc::clone(&self.wire));
        let bytes = response.bytes_stream().map(move |chunk| match chunk {
            Ok(chunk) if size.fits(&chunk) => Ok(chunk),
            Ok(_) => {
                let most = size.most;
                let reason = format!("the server sent a message of more than {most} bytes");
                failing.fail(reason.clone());
                Err(std::io::Error::other(reason))
            }
            Err(error) => Err(std::io::Error::other(error)),
        });
        // A stream that breaks off ends: rmcp asks for the rest of one that fails at once, and without end.
        let bytes = bytes.take_while(|chunk| std::future::ready(chunk.is_ok()));
        let events = SseStream::from_bytes_stream(bytes);
        let read = move |event: Result<Sse, SseError>| {
            let mut event = event?;
            match (resumable, &event.id, &from) {
                (false, ..) => event.id = None,
                (true, Some(id), Some(from)) => wire.saw_event(from, id),
                (true, ..) => {}
            }
            event.retry = event.retry.map(|retry| retry.max(SOONEST));
            if let Some(data) = event.data.take() {
                event.data = pass(&wire, data, from.as_deref());
            }
            Ok(event)
        };
        events.map(read).boxed()
    }

    /// A body of at most so many bytes.
    async fn body(response: Response, most: usize) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(failed)?;
            if body.len() + chunk.len() > most {
                return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: most });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// What an answer without success says. An error of JSON-RPC in it is the answer to the request.
    async fn refused(
        &self,
        message: &ClientJsonRpcMessage,
        response: Response,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let status = response.status();
        if status.is_redirection() {
            let to = response.headers().get(LOCATION);
            let to = to.and_then(|to| to.to_str().ok()).unwrap_or_default();
            let text = format!(
                "it redirects to `{}`, which is not followed; give that URL if you trust it",
                to.chars().take(TOLD).collect::<String>()
            );
            return Err(StreamableHttpError::UnexpectedServerResponse(text.into()));
        }
        let body = Http::body(response, REASON).await.unwrap_or_default();
        let body = String::from_utf8_lossy(&body);
        if let ClientJsonRpcMessage::Request(request) = message {
            let discovers = matches!(request.request, ClientRequest::DiscoverRequest(_));
            let error = member(&body, "error").filter(|error| member(error, "code").is_some());
            // What stands between may refuse a discovery without knowing what it is.
            let unknown = r#"{"code":-32600,"message":"refused"}"#.to_owned();
            let error = error.or((discovers && status.is_client_error()).then_some(unknown));
            if let Some(error) = error {
                let id = serde_json::to_string(&request.id)?;
                let text = ObjectWriter::new()
                    .text("jsonrpc", "2.0")
                    .json("id", id)
                    .json("error", error)
                    .end();
                return self.read(&text, None, None);
            }
        }
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            return Err(HttpStatusError::new(status.as_u16(), None).into());
        }
        let said: String = body.trim().chars().take(TOLD).collect();
        let text = format!("HTTP {status}: {said}");
        Err(StreamableHttpError::UnexpectedServerResponse(text.into()))
    }

    fn read(
        &self,
        text: &str,
        session: Option<String>,
        from: Option<&str>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let read = pass(&self.wire, text.to_owned(), from).map(|text| serde_json::from_str(&text));
        match read.transpose()? {
            Some(message) => Ok(StreamableHttpPostResponse::Json(message, session)),
            None => Ok(StreamableHttpPostResponse::Accepted),
        }
    }
}

/// The text that rmcp reads for a message; nothing if it has been dealt with.
fn pass(wire: &Wire, text: String, from: Option<&str>) -> Option<String> {
    match wire.pass(&text, from) {
        Passed::Whole => Some(text),
        Passed::Instead(text) => Some(text),
        // The list of tools makes headers of calls; one that can't be read makes none.
        Passed::Both(instead) => match serde_json::from_str::<ServerJsonRpcMessage>(&text) {
            Ok(_) => Some(text),
            Err(_) => Some(instead),
        },
        Passed::Taken => None,
        Passed::Noise => {
            if !text.trim().is_empty() {
                wire.tell(Said::Noise(text.chars().take(TOLD).collect()), from);
            }
            None
        }
    }
}

/// Whether a stream that ends may be asked for again: 2026-07-28 has done away with that.
fn may_resume(headers: &HashMap<HeaderName, HeaderValue>) -> bool {
    let revision = headers.get(&REVISION);
    revision.is_none_or(|revision| revision != Revision::V2026_07_28.as_str())
}

/// Counts the bytes of an event, which ends with an empty line. Lines end with LF, CR or both.
struct EventSize {
    most: usize,
    count: usize,
    at_start_of_line: bool,
    /// Whether the last byte was a CR, which may be the first half of a line end.
    after_return: bool,
}

impl EventSize {
    fn new(most: usize) -> Self {
        EventSize {
            most,
            count: 0,
            at_start_of_line: true,
            after_return: false,
        }
    }

    /// Whether the event is not too long yet.
    fn fits(&mut self, chunk: &[u8]) -> bool {
        for byte in chunk {
            let second_half = *byte == b'\n' && self.after_return;
            self.after_return = *byte == b'\r';
            if second_half {
                continue;
            }
            self.count += 1;
            match byte {
                b'\n' | b'\r' if self.at_start_of_line => self.count = 0,
                b'\n' | b'\r' => self.at_start_of_line = true,
                _ => self.at_start_of_line = false,
            }
            if self.count > self.most {
                return false;
            }
        }
        true
    }
}

/// A header that a user may set.
fn checked(header: &Header) -> Result<(HeaderName, HeaderValue), String> {
    let Header { name, value } = header;
    let read = HeaderName::try_from(name.as_str())
        .map_err(|_| format!("`{name}` is no name of a header"))?;
    let own = [
        "accept",
        "connection",
        "content-length",
        "content-type",
        "host",
        "last-event-id",
        "transfer-encoding",
    ];
    if own.contains(&read.as_str()) || read.as_str().starts_with("mcp-") {
        return Err(format!("the header `{name}` is set by the protocol"));
    }
    let mut value = HeaderValue::try_from(value.as_str())
        .map_err(|_| format!("the value of the header `{name}` holds what no header may hold"))?;
    value.set_sensitive(true);
    Ok((read, value))
}

/// A request that failed. Its URL, which may hold a secret, is not told.
fn failed(error: reqwest::Error) -> Failure {
    StreamableHttpError::Client(Unreached(innermost(&error.without_url())))
}

fn unauthorized(response: &Response) -> Option<Failure> {
    if response.status() != StatusCode::UNAUTHORIZED {
        return None;
    }
    let challenge = response.headers().get(WWW_AUTHENTICATE);
    let challenge = challenge.and_then(|value| value.to_str().ok());
    let error = AuthRequiredError::new(challenge.unwrap_or_default().to_owned());
    Some(StreamableHttpError::AuthRequired(error))
}

fn media_type(response: &Response) -> Option<String> {
    let value = response.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let kind = value.split(';').next().unwrap_or_default();
    Some(kind.trim().to_ascii_lowercase())
}

impl StreamableHttpClient for Http {
    type Error = Unreached;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let text = self.wire.write(&message)?;
        let from = match &message {
            ClientJsonRpcMessage::Request(request) => Some(spelt(&request.id)),
            _ => None,
        };
        let resumable = may_resume(&custom_headers);
        let has_session = session_id.is_some();
        let request = self.client.post(uri.as_ref());
        let response = self
            .with_headers(request, session_id, custom_headers)
            .header(ACCEPT, format!("{STREAM}, {JSON}"))
            .header(CONTENT_TYPE, JSON)
            .body(text)
            .send()
            .await
            .map_err(failed)?;
        if let Some(error) = unauthorized(&response) {
            return Err(error);
        }
        let status = response.status();
        if status == StatusCode::NOT_FOUND && has_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.refused(&message, response).await;
        }
        let awaits = matches!(message, ClientJsonRpcMessage::Request(_));
        if !awaits || matches!(status.as_u16(), 202 | 204) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        let session = response.headers().get(SESSION);
        let session = session.and_then(|id| Some(id.to_str().ok()?.to_owned()));
        match media_type(&response).as_deref() {
            Some(STREAM) => Ok(StreamableHttpPostResponse::Sse(
                self.events(response, from, resumable),
                session,
            )),
            Some(JSON) => {
                let body = Http::body(response, self.max_message).await?;
                match self.read(&String::from_utf8_lossy(&body), session, from.as_deref())? {
                    StreamableHttpPostResponse::Accepted => {
                        let text = "its answer is no message of JSON-RPC";
                        Err(StreamableHttpError::UnexpectedServerResponse(text.into()))
                    }
                    read => Ok(read),
                }
            }
            other => Err(StreamableHttpError::UnexpectedContentType(
                other.map(str::to_owned),
            )),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let request = self.client.delete(uri.as_ref());
        self.with_headers(request, Some(session_id), custom_headers)
            .send()
            .await
            .map_err(failed)?;
        Ok(())
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let request = self.client.get(uri.as_ref()).header(ACCEPT, STREAM);
        if self.wire.failure().is_some() {
            // Nothing more is read, so nothing more is asked for.
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        let resumable = may_resume(&custom_headers);
        let from = last_event_id
            .as_deref()
            .and_then(|id| self.wire.resumed(id));
        let mut request = self.with_headers(request, session_id, custom_headers);
        if let Some(id) = last_event_id {
            request = request.header(LAST_EVENT, id);
        }
        let response = request.send().await.map_err(failed)?;
        if let Some(error) = unauthorized(&response) {
            return Err(error);
        }
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        if !response.status().is_success() {
            let status = response.status();
            return Err(StreamableHttpError::UnexpectedServerResponse(
                format!("HTTP {status}").into(),
            ));
        }
        match media_type(&response).as_deref() {
            Some(STREAM) => Ok(self.events(response, from, resumable)),
            other => Err(StreamableHttpError::UnexpectedContentType(
                other.map(str::to_owned),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_may_be_as_long_as_the_limit_and_no_longer() {
        for (most, fits) in [(8, true), (7, false)] {
            for line_end in ["\n", "\r\n", "\r"] {
                let event = format!("data: 1{line_end}{line_end}");
                let mut size = EventSize::new(most);
                let whole = size.fits(event.as_bytes());
                assert_eq!(whole && size.fits(event.as_bytes()), fits, "{most}");
            }
        }
    }

    #[test]
    fn headers_of_the_protocol_are_not_for_the_user() {
        for name in [
            "Host",
            "accept",
            "Mcp-Session-Id",
            "MCP-Protocol-Version",
            "a b",
        ] {
            assert!(checked(&Header::new(name, "x")).is_err(), "{name}");
        }
        assert!(checked(&Header::new("Authorization", "Bearer x\r\ny: z")).is_err());
        assert!(checked(&Header::new("Authorization", "Bearer x")).is_ok());
    }
}
