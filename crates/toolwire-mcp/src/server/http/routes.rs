//! Where a request goes: the checks that each passes, sessions, and what is a connection of its own.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{
    ALLOW, AUTHORIZATION, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName,
    HeaderValue, WWW_AUTHENTICATE,
};
use hyper::{Method, Request, Response, StatusCode};
use tokio::sync::watch;
use tokio::time::timeout;
use toolwire::Json;
use toolwire::json::ObjectWriter;
use toolwire::mcp::Revision;
use toolwire_rpc::{Kind, Message, RpcError};

use super::HttpOptions;
use super::checks::{
    Allowed, JSON, STREAM, VERSION, differs, is_modern, is_older, misses, only, same,
};
use super::once;
use super::sessions::Sessions;
use super::stream::Events;
use super::tokens::Tokens;
use crate::server::context::{lacking, unsupported, version};
use crate::server::error::INVALID_REQUEST;
use crate::server::{Server, tasks};

/// The one path that is served.
pub const PATH: &str = "/mcp";

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: &str = "last-event-id";

/// All that requests are answered with.
pub struct Routes {
    server: Server,
    tokens: Tokens,
    allowed: Allowed,
    sessions: Sessions,
    /// How many requests are answered just now, but for those whose streams stay open.
    busy: watch::Sender<usize>,
    ended: watch::Sender<bool>,
    max_body: usize,
    body_time: Duration,
}

/// Counts as busy until it is dropped.
struct Busy(watch::Sender<usize>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// The body of an answer: a text, or a stream.
#[derive(Default)]
pub struct Reply {
    text: Bytes,
    events: Option<Events>,
    busy: Option<Busy>,
}

impl Body for Reply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(events) = &mut self.events {
            return Pin::new(events).poll_frame(context);
        }
        let text = std::mem::take(&mut self.text);
        Poll::Ready((!text.is_empty()).then(|| Ok(Frame::data(text))))
    }

    fn is_end_stream(&self) -> bool {
        self.events.is_none() && self.text.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        match self.events {
            Some(_) => SizeHint::default(),
            None => SizeHint::with_exact(self.text.len() as u64),
        }
    }
}

type Answer = Response<Reply>;

fn refuse(status: StatusCode, why: impl Into<Bytes>) -> Answer {
    let mut response = Response::new(Reply {
        text: why.into(),
        ..Reply::default()
    });
    *response.status_mut() = status;
    response
}

fn with(mut answer: Answer, name: HeaderName, value: &'static str) -> Answer {
    let value = HeaderValue::from_static(value);
    answer.headers_mut().insert(name, value);
    answer
}

fn json(status: StatusCode, text: String) -> Answer {
    with(refuse(status, text), CONTENT_TYPE, JSON)
}

fn stream(events: Events) -> Answer {
    let events = Some(events);
    let answer = Response::new(Reply {
        events,
        ..Reply::default()
    });
    let answer = with(answer, CONTENT_TYPE, STREAM);
    let answer = with(answer, CACHE_CONTROL, "no-cache");
    with(answer, HeaderName::from_static("x-accel-buffering"), "no")
}

/// An error that answers a message.
fn error(status: StatusCode, message: Option<&Message>, error: &RpcError) -> Answer {
    let id = message.and_then(|message| message.id());
    let text = ObjectWriter::new()
        .text("jsonrpc", "2.0")
        .json("id", id.map_or("null", |id| id.as_json()))
        .json("error", error.to_json())
        .end();
    json(status, text)
}

/// The status of an answer that is an error.
fn status_of(code: i32) -> StatusCode {
    match code {
        -32022..=-32020 => StatusCode::BAD_REQUEST,
        -32601 => StatusCode::NOT_FOUND,
        -32000 => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::OK,
    }
}

/// An answer that is given already.
type Refused = Box<Answer>;

impl Routes {
    pub fn new(server: &Server, options: &HttpOptions, address: SocketAddr) -> Self {
        let port = address.port();
        let loopback = ["localhost", "127.0.0.1", "[::1]"];
        let mut hosts: Vec<String> = loopback.map(str::to_owned).to_vec();
        let mut origins: Vec<String> = loopback
            .map(|host| format!("http://{host}:{port}"))
            .to_vec();
        if !address.ip().is_unspecified() && !address.ip().is_loopback() {
            hosts.push(address.to_string());
        }
        hosts.extend(options.hosts.iter().cloned());
        origins.extend(options.origins.iter().cloned());
        Routes {
            server: server.clone(),
            tokens: options.tokens.clone(),
            allowed: Allowed { hosts, origins },
            sessions: Sessions::new(options.max_sessions, options.session_idle),
            busy: watch::Sender::new(0),
            ended: watch::Sender::new(false),
            max_body: options.max_body,
            body_time: options.body_time,
        }
    }

    /// Waits until all requests are answered but those whose streams stay open.
    pub async fn idle(&self) {
        let _ = self.busy.subscribe().wait_for(|count| *count == 0).await;
    }

    /// Ends all sessions and streams.
    pub fn end(&self) {
        self.ended.send_replace(true);
        self.sessions.end_all();
    }

    pub async fn answer(&self, request: Request<Incoming>) -> Result<Response<Reply>, Infallible> {
        let mut busy = (request.method() == Method::POST).then(|| {
            self.busy.send_modify(|count| *count += 1);
            Busy(self.busy.clone())
        });
        let routed = self.route(request, &mut busy).await;
        let mut answer = routed.unwrap_or_else(|answer| *answer);
        answer.body_mut().busy = busy;
        Ok(answer)
    }

    async fn route(
        &self,
        request: Request<Incoming>,
        busy: &mut Option<Busy>,
    ) -> Result<Answer, Refused> {
        let headers = request.headers();
        if request.uri().path() != PATH {
            return Ok(refuse(StatusCode::NOT_FOUND, "the path is `/mcp`"));
        }
        let Some(principal) = self.who(headers) else {
            let refused = refuse(StatusCode::UNAUTHORIZED, "a valid token is needed");
            return Ok(with(refused, WWW_AUTHENTICATE, "Bearer"));
        };
        if let Err(why) = self.allowed.check(request.uri(), headers) {
            return Ok(refuse(StatusCode::FORBIDDEN, why));
        }
        match *request.method() {
            Method::POST => self.post(request, principal, busy).await,
            Method::GET => self.get(headers, principal),
            Method::DELETE => self.delete(headers, principal),
            _ => {
                let refused = refuse(StatusCode::METHOD_NOT_ALLOWED, "the method is not served");
                Ok(with(refused, ALLOW, "GET, POST, DELETE"))
            }
        }
    }

    fn get(&self, headers: &HeaderMap, principal: &str) -> Result<Answer, Refused> {
        if let Some((status, why)) = misses(headers, false) {
            return Ok(refuse(status, why));
        }
        let (_, session) = self.session(headers, principal)?;
        let last = headers.get(LAST_EVENT).and_then(|id| id.to_str().ok());
        Ok(stream(match last {
            Some(last) => session.resume(last),
            None => session.listen(),
        }))
    }

    fn delete(&self, headers: &HeaderMap, principal: &str) -> Result<Answer, Refused> {
        let (id, _) = self.session(headers, principal)?;
        self.sessions.end(id);
        Ok(refuse(StatusCode::ACCEPTED, ""))
    }

    /// The session of a request that has no body, or whose body is of an older revision.
    fn session<'a>(
        &self,
        headers: &'a HeaderMap,
        principal: &str,
    ) -> Result<(&'a str, std::sync::Arc<super::sessions::Session>), Refused> {
        let bad = |why: String| Box::new(refuse(StatusCode::BAD_REQUEST, why));
        let version = only(headers, VERSION).map_err(bad)?;
        if is_modern(version) {
            let why = "in 2026-07-28 there is no session";
            let refused = refuse(StatusCode::METHOD_NOT_ALLOWED, why);
            return Err(Box::new(with(refused, ALLOW, "POST")));
        }
        let id = only(headers, SESSION.as_str()).map_err(bad)?;
        let id = id.ok_or_else(|| bad("the id of a session is needed".to_owned()))?;
        if !is_older(version) {
            return Err(bad("the version in the head is not spoken here".to_owned()));
        }
        let unknown = || Box::new(refuse(StatusCode::NOT_FOUND, "there is no such session"));
        let session = self.sessions.find(id, principal).ok_or_else(unknown)?;
        Ok((id, session))
    }

    async fn post(
        &self,
        request: Request<Incoming>,
        principal: &str,
        busy: &mut Option<Busy>,
    ) -> Result<Answer, Refused> {
        if let Some((status, why)) = misses(request.headers(), true) {
            return Ok(refuse(status, why));
        }
        let (head, body) = request.into_parts();
        let headers = &head.headers;
        let body = self.read(body).await?;
        let bad = |message: Option<&Message>, why: &RpcError| {
            Box::new(error(StatusCode::BAD_REQUEST, message, why))
        };
        let message = Message::read(body).map_err(|damage| {
            let why = RpcError::new(damage.code, format!("what was sent {damage}"));
            bad(None, &why)
        })?;
        let invalid = |why: &str| bad(Some(&message), &RpcError::new(INVALID_REQUEST, why));
        if !message.is_2_0() {
            return Err(invalid(
                "the message does not say that it is one of JSON-RPC 2.0",
            ));
        }
        let named = only(headers, VERSION).map_err(|why| invalid(&why))?;
        let is_request = message.kind() == Kind::Request;
        if matches!(message.kind(), Kind::Result | Kind::Error) && is_modern(named) {
            return Err(invalid("in 2026-07-28 a client answers by calling again"));
        }
        let meta = message
            .member("_meta")
            .and_then(|meta| Json::new(meta).ok());
        let own = version(meta.as_ref()).filter(|_| is_request);
        let is_first = is_request && message.method() == "initialize" && own.is_none();
        if own.is_some() {
            same(headers, VERSION, own.as_deref()).map_err(|why| bad(Some(&message), &why))?;
        }
        if is_modern(named)
            && !is_first
            && matches!(message.kind(), Kind::Request | Kind::Notification)
        {
            differs(headers, &message, &self.server).map_err(|why| bad(Some(&message), &why))?;
        }
        let says_all = is_request && (is_modern(named) || message.method() == "server/discover");
        if let Some(why) = lacking(meta.as_ref()).filter(|_| says_all && !is_first) {
            return Err(bad(Some(&message), &why));
        }
        if is_first && headers.get(SESSION).is_none() {
            return self.begin(message, named, principal).await;
        }
        if own.is_some() && (is_modern(own.as_deref()) || headers.get(SESSION).is_none()) {
            let own = own.unwrap_or_default();
            if own != Revision::V2026_07_28.as_str() {
                let mut why = unsupported(&own);
                if !is_modern(Some(&own)) {
                    why.message = "without a session, only 2026-07-28 is spoken".to_owned();
                }
                return Err(bad(Some(&message), &why));
            }
            return self.once(message, principal, busy).await;
        }
        if is_modern(named) {
            // A notification of 2026-07-28 belongs to nothing.
            return Ok(refuse(StatusCode::ACCEPTED, ""));
        }
        let (_, session) = self.session(headers, principal)?;
        if !is_request {
            session.take(message).await;
            return Ok(refuse(StatusCode::ACCEPTED, ""));
        }
        let events = session.ask(message.clone()).await;
        events
            .map(stream)
            .ok_or_else(|| invalid("a request with this id is open"))
    }

    /// Begins a session of an older revision.
    async fn begin(
        &self,
        message: Message,
        named: Option<&str>,
        principal: &str,
    ) -> Result<Answer, Refused> {
        let version = message.text_of("protocolVersion");
        if named.is_some() && named != version.as_deref() {
            let why = RpcError::new(
                INVALID_REQUEST,
                "the version in the head is not that in the body",
            );
            return Err(Box::new(error(
                StatusCode::BAD_REQUEST,
                Some(&message),
                &why,
            )));
        }
        let full = || {
            let why = "there are too many sessions; try again later";
            Box::new(refuse(StatusCode::SERVICE_UNAVAILABLE, why))
        };
        let (id, session) = self
            .sessions
            .begin(&self.server, principal)
            .ok_or_else(full)?;
        let id = HeaderValue::try_from(id).map_err(|_| full())?;
        let events = session.ask(message).await.ok_or_else(full)?;
        let mut answer = stream(events);
        answer.headers_mut().insert(SESSION, id);
        Ok(answer)
    }

    /// Answers a request of 2026-07-28.
    async fn once(
        &self,
        message: Message,
        principal: &str,
        busy: &mut Option<Busy>,
    ) -> Result<Answer, Refused> {
        if message.method() == tasks::LISTEN {
            // Its stream stays open for as long as the client likes, so that nobody waits for it to end.
            drop(busy.take());
        }
        let ended = self.ended.subscribe();
        Ok(
            match once::answer(&self.server, principal, message, ended).await {
                Some((Some((text, code)), _)) => json(code.map_or(StatusCode::OK, status_of), text),
                Some((None, events)) => stream(events),
                None => refuse(StatusCode::SERVICE_UNAVAILABLE, "the server is ending"),
            },
        )
    }

    /// The body of a request, within its limits.
    async fn read(&self, mut body: Incoming) -> Result<Vec<u8>, Refused> {
        let closed = |status, why: String| {
            // The rest of the body may still come.
            Box::new(with(refuse(status, why), CONNECTION, "close"))
        };
        let reading = async {
            let mut text = Vec::new();
            while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
                let frame = frame.map_err(|error| {
                    let why = format!("the body can't be read: {error}");
                    closed(StatusCode::BAD_REQUEST, why)
                })?;
                let piece = frame.into_data().unwrap_or_default();
                if piece.len() > self.max_body.saturating_sub(text.len()) {
                    let why = format!("the body is longer than {} bytes", self.max_body);
                    return Err(closed(StatusCode::PAYLOAD_TOO_LARGE, why));
                }
                text.extend_from_slice(&piece);
            }
            Ok(text)
        };
        timeout(self.body_time, reading).await.unwrap_or_else(|_| {
            let why = "the body took too long".to_owned();
            Err(closed(StatusCode::REQUEST_TIMEOUT, why))
        })
    }

    /// The principal of a request; nothing if its token is wrong or missing.
    fn who(&self, headers: &HeaderMap) -> Option<&str> {
        if self.tokens.is_empty() {
            return Some("");
        }
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let (only, None) = (given.next()?, given.next()) else {
            return None;
        };
        let (scheme, token) = only.to_str().ok()?.split_once(' ')?;
        let is_bearer = scheme.eq_ignore_ascii_case("bearer");
        self.tokens.principal(token.trim()).filter(|_| is_bearer)
    }
}
