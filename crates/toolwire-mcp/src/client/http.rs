//! A server on Streamable HTTP, as a connection: each message is a request of its own, to one origin alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};
use toolwire::json::ObjectWriter;
use toolwire::mcp::Revision;
use toolwire_rpc::{Came, Closed, Connection, Damage, Kind, Message, Outgoing, Sink, Source};

use super::error::innermost;
use super::events::Events;
use super::router::Router;
use super::{ClientError, ClientErrorKind, Header};
use crate::local_token::loopback;

const STREAM: &str = "text/event-stream";
const JSON: &str = "application/json";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const REVISION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// The least time after which the rest of a stream is asked for, however soon the server wants it, and the usual one.
const SOONEST: Duration = Duration::from_millis(100);
const USUAL: Duration = Duration::from_millis(250);

/// The maximum number of times in a row that the rest of a stream is asked for in vain.
const RESUMES: u32 = 5;

/// The maximum bytes of a body that says why a request failed.
const REASON: usize = 64 * 1024;

/// The maximum number of redirects that are followed.
const HOPS: usize = 10;

/// How long it may take to reach the server's machine.
const REACH: Duration = Duration::from_secs(30);

/// How long the server may take to accept what needs no answer.
const ACCEPTS: Duration = Duration::from_secs(10);

/// How long the rest of a stream is read behind the answer, so that its connection can be used again.
const REST: Duration = Duration::from_secs(1);

/// A way to one server.
#[derive(Debug)]
pub(super) struct Http {
    client: Client,
    url: String,
    headers: HeaderMap,
    router: Arc<Router>,
    max_message: usize,
    session: Mutex<Option<Session>>,
    /// Held while a session is opened again.
    opening: tokio::sync::Mutex<()>,
}

/// A session of an older revision, and the request that opened it.
#[derive(Debug, Clone)]
struct Session {
    id: HeaderValue,
    opened_by: String,
}

/// TLS of this client's own: what the rest of the process uses is not for a library to choose.
fn tls() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_platform_verifier()?.with_no_client_auth())
}

impl Http {
    /// A way to the server of this URL, which must be one of `http` or `https`.
    pub(super) fn new(
        url: &str,
        headers: &[Header],
        router: Arc<Router>,
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
        let mut builder = Client::builder();
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
            url: url.to_owned(),
            headers: all,
            router,
            max_message,
            session: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
        })
    }

    fn session(&self) -> MutexGuard<'_, Option<Session>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The headers of the user, those of the protocol, and these.
    fn headers(&self, labels: &[(String, String)]) -> HeaderMap {
        let mut headers = self.headers.clone();
        let mut set = |name: &str, value: &str| {
            if let (Ok(name), Ok(value)) =
                (HeaderName::try_from(name), HeaderValue::from_str(value))
            {
                headers.insert(name, value);
            }
        };
        if let Some(version) = self.router.version() {
            set(REVISION.as_str(), version);
        }
        for (name, value) in labels {
            set(name, value);
        }
        if let Some(session) = &*self.session() {
            headers.insert(SESSION, session.id.clone());
        }
        headers
    }

    async fn post_once(&self, text: &str, labels: &[(String, String)]) -> Result<Response, Damage> {
        let request = self.client.post(&self.url).headers(self.headers(labels));
        let request = request
            .header(ACCEPT, format!("{STREAM}, {JSON}"))
            .header(CONTENT_TYPE, JSON);
        request.body(text.to_owned()).send().await.map_err(failed)
    }

    /// Sends a message. A session that is over is opened again, once.
    async fn post(&self, text: &str, labels: &[(String, String)]) -> Result<Response, Damage> {
        let session = self.session().clone();
        let response = self.post_once(text, labels).await?;
        let Some(session) = session else {
            let opened_by = text.to_owned();
            let opened = session_of(&response).map(|id| Session { id, opened_by });
            if opened.is_some() {
                *self.session() = opened;
            }
            return Ok(response);
        };
        if response.status() != StatusCode::NOT_FOUND {
            return Ok(response);
        }
        let opening = self.opening.lock().await;
        if self
            .session()
            .as_ref()
            .is_none_or(|now| now.id == session.id)
        {
            *self.session() = None;
            let opened = self.post_once(&session.opened_by, &[]).await?;
            let Some(id) = session_of(&opened) else {
                *self.session() = Some(session);
                return Ok(response);
            };
            let _ = body(opened, self.max_message).await;
            *self.session() = Some(Session { id, ..session });
            let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            self.post_once(initialized, &[]).await?;
        }
        drop(opening);
        self.post_once(text, labels).await
    }

    /// Sends a request, and what comes for it.
    async fn request(
        self: Arc<Self>,
        id: u64,
        text: String,
        labels: Vec<(String, String)>,
        came: mpsc::Sender<Came>,
    ) {
        let damage = match self.answer(id, &text, &labels, &came).await {
            Ok(()) => Damage::new("its answer ended without a result", "", 200),
            Err(damage) => damage,
        };
        // An answer that has come makes it nobody's.
        let _ = came.send(Came::StreamEnded(id, damage)).await;
    }

    async fn answer(
        &self,
        id: u64,
        text: &str,
        labels: &[(String, String)],
        came: &mpsc::Sender<Came>,
    ) -> Result<(), Damage> {
        let response = self.post(text, labels).await?;
        let status = response.status();
        let code = i32::from(status.as_u16());
        if !status.is_success() {
            let answer = self.refused(id, response).await?;
            let _ = came.send(Came::Message(answer, Some(id))).await;
            return Ok(());
        }
        match media_type(&response).as_deref() {
            Some(STREAM) => {
                let version = labels.iter().find(|(name, _)| name == REVISION.as_str());
                let is_modern =
                    version.is_some_and(|(_, version)| version == Revision::V2026_07_28.as_str());
                self.follow(response, Some(id), !is_modern, came).await
            }
            Some(JSON) => {
                let body = body(response, self.max_message).await?;
                let message = Message::read(body)?;
                let damage = (!is_answer(&message, id)).then(|| {
                    Damage::new("its answer is none to the request", message.text(), code)
                });
                let _ = came.send(Came::Message(message, Some(id))).await;
                damage.map_or(Ok(()), Err)
            }
            kind => {
                let why = match kind {
                    Some(kind) => format!(
                        "its answer (HTTP {status}) is of the type `{kind}`, not JSON or events"
                    ),
                    None => format!("it answered with HTTP {status} and without a result"),
                };
                let body = body(response, REASON).await.unwrap_or_default();
                Err(Damage::new(why, &String::from_utf8_lossy(&body), code))
            }
        }
    }

    /// The answer of a server that does not accept a request: an error of JSON-RPC in the body.
    async fn refused(&self, id: u64, response: Response) -> Result<Message, Damage> {
        let status = response.status();
        let damage =
            |why: String, quote: &str| Err(Damage::new(why, quote, status.as_u16().into()));
        if status.is_redirection() {
            let to = response.headers().get(LOCATION);
            let to = to.and_then(|to| to.to_str().ok()).unwrap_or_default();
            let to: String = to.chars().take(200).collect();
            let why = format!(
                "it redirects to `{to}`, which is not followed; give that URL if you trust it"
            );
            return damage(why, "");
        }
        let body = body(response, REASON).await.unwrap_or_default();
        let said = String::from_utf8_lossy(&body).into_owned();
        // Whoever refuses it may not have read its id.
        let error = Message::read(body)
            .ok()
            .filter(|message| message.kind() == Kind::Error);
        match error
            .filter(|_| status != StatusCode::UNAUTHORIZED)
            .and_then(|error| error.body())
        {
            Some(error) if error.starts_with('{') => {
                let text = ObjectWriter::new()
                    .number("id", id)
                    .json("error", &*error)
                    .end();
                Message::read(text.into_bytes())
            }
            _ => damage(format!("HTTP {status}"), &said),
        }
    }

    /// Passes on the messages of a stream of events, which may be that of a request, to its end. The rest of one that
    /// ends before the answer is asked for in older revisions.
    async fn follow(
        &self,
        mut response: Response,
        id: Option<u64>,
        resumes: bool,
        came: &mpsc::Sender<Came>,
    ) -> Result<(), Damage> {
        let mut in_vain = 0;
        let mut last_id = None;
        loop {
            let mut events = Events::new(self.max_message);
            while let Ok(Some(piece)) = response.chunk().await {
                in_vain = 0;
                let Some(all) = events.feed(&piece) else {
                    let why = format!("it sent a message of more than {} bytes", self.max_message);
                    return Err(Damage::new(why, "", 200));
                };
                for event in all {
                    let answered = match Message::read(event.data) {
                        Ok(message) => {
                            let answered = id.is_some_and(|id| is_answer(&message, id));
                            let _ = came.send(Came::Message(message, id)).await;
                            answered
                        }
                        Err(damage) => {
                            if event.is_message {
                                let _ = came.send(Came::Damage(damage, id)).await;
                            }
                            false
                        }
                    };
                    if answered {
                        let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
                        let _ = timeout(REST, rest).await;
                        return Ok(());
                    }
                }
            }
            last_id = events.last_id.or(last_id);
            let Some(last_id) = last_id.as_ref().filter(|_| resumes) else {
                return Ok(());
            };
            let first = events
                .retry
                .map_or(USUAL, |retry| Duration::from_millis(retry).max(SOONEST));
            response = loop {
                if in_vain == RESUMES {
                    return Ok(());
                }
                sleep(if in_vain == 0 {
                    first
                } else {
                    USUAL * 2_u32.pow(in_vain)
                })
                .await;
                in_vain += 1;
                if let Ok(response) = self.get(Some(last_id)).await {
                    break response;
                }
            };
        }
    }

    /// A stream of events that is asked for: the rest of one after an event, or that of the session.
    async fn get(&self, last_id: Option<&str>) -> Result<Response, Damage> {
        let mut headers = self.headers(&[]);
        if let Some(last_id) = last_id.and_then(|id| HeaderValue::from_str(id).ok()) {
            headers.insert(LAST_EVENT, last_id);
        }
        let request = self
            .client
            .get(&self.url)
            .headers(headers)
            .header(ACCEPT, STREAM);
        let response = request.send().await.map_err(failed)?;
        let is_stream = media_type(&response).as_deref() == Some(STREAM);
        match response.status().is_success() && is_stream {
            true => Ok(response),
            false => Err(Damage::new(
                "it has no such stream",
                "",
                response.status().as_u16().into(),
            )),
        }
    }
}

/// The session that a response opens.
fn session_of(response: &Response) -> Option<HeaderValue> {
    let id = response.headers().get(SESSION);
    id.filter(|_| response.status().is_success()).cloned()
}

/// Whether a message answers a request.
fn is_answer(message: &Message, id: u64) -> bool {
    let is_answer = matches!(message.kind(), Kind::Result | Kind::Error);
    is_answer && message.id().is_none_or(|other| other.own() == Some(id))
}

/// A body of at most so many bytes.
async fn body(mut response: Response, limit: usize) -> Result<Vec<u8>, Damage> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(failed)? {
        if body.len() + piece.len() > limit {
            let why = format!("it sent a message of more than {limit} bytes");
            return Err(Damage::new(why, "", 200));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// A request that failed. Its URL, which may hold a secret, is left out.
fn failed(error: reqwest::Error) -> Damage {
    Damage::new(innermost(&error.without_url()), "", 0)
}

fn media_type(response: &Response) -> Option<String> {
    let value = response.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let kind = value.split(';').next().unwrap_or_default();
    Some(kind.trim().to_ascii_lowercase())
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

impl Connection for Http {
    type Source = HttpSource;
    type Sink = HttpSink;

    fn split(self) -> (HttpSource, HttpSink) {
        let (sender, receiver) = mpsc::channel(1);
        let sink = HttpSink {
            http: Arc::new(self),
            came: sender,
            requests: JoinSet::new(),
            streams: HashMap::new(),
            listens: false,
        };
        (HttpSource(receiver), sink)
    }
}

/// Where what has come on any stream is taken. A stream that is not taken from waits.
#[derive(Debug)]
pub(super) struct HttpSource(mpsc::Receiver<Came>);

impl Source for HttpSource {
    async fn next(&mut self) -> Came {
        self.0.recv().await.unwrap_or(Came::Closed(Closed::Local))
    }

    async fn drain(&mut self) {}
}

/// Sends messages, and holds the streams of the requests among them.
#[derive(Debug)]
pub(super) struct HttpSink {
    http: Arc<Http>,
    came: mpsc::Sender<Came>,
    requests: JoinSet<()>,
    streams: HashMap<u64, AbortHandle>,
    /// Whether the stream of the session was asked for.
    listens: bool,
}

impl Sink for HttpSink {
    async fn send(&mut self, out: Outgoing, written: &AtomicU64) -> Result<(), Closed> {
        while self.requests.try_join_next().is_some() {}
        self.streams.retain(|_, stream| !stream.is_finished());
        let http = Arc::clone(&self.http);
        match out {
            Outgoing::Message {
                text,
                id: Some(id),
                labels,
                ..
            } => {
                let request = http.request(id, text, labels, self.came.clone());
                self.streams.insert(id, self.requests.spawn(request));
            }
            Outgoing::Message { text, .. } | Outgoing::Answer { text, .. } => {
                let _ = timeout(ACCEPTS, http.post(&text, &[])).await;
                if !self.listens && !http.router.is_modern() && http.session().is_some() {
                    self.listens = true;
                    let came = self.came.clone();
                    self.requests.spawn(async move {
                        if let Ok(response) = http.get(None).await {
                            let _ = http.follow(response, None, true, &came).await;
                        }
                    });
                }
            }
            Outgoing::Cancel { text, id } => {
                let stream = self.streams.remove(&id);
                if !http.router.is_modern() {
                    let _ = timeout(ACCEPTS, http.post(&text, &[])).await;
                }
                if let Some(stream) = stream {
                    stream.abort();
                }
            }
        }
        written.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    async fn close(&mut self) {
        self.requests.abort_all();
        if self.http.session().is_some() {
            let request = self.http.client.delete(&self.http.url);
            let _ = request.headers(self.http.headers(&[])).send().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
