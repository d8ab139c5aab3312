//! What every request passes: the path, the token, and then rmcp's service of its principal.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use rmcp::transport::streamable_http_server::session::local::SessionConfig;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::watch;

use super::HttpOptions;
use super::answer::Answer;
use super::heard::Heard;
use super::sessions::{Sessions, within_limit};
use super::tokens::Tokens;
use crate::server::{Exact, Handler, Server};

/// The one path that is served.
pub const PATH: &str = "/mcp";

/// What is served to one principal. Nobody sees the sessions of another.
type Service = StreamableHttpService<Handler, Sessions>;

/// Stands before rmcp's service.
pub struct Guard {
    tokens: Tokens,
    principals: BTreeMap<String, Service>,
    config: StreamableHttpServerConfig,
    busy: watch::Sender<usize>,
    max_body: usize,
    body_time: std::time::Duration,
}

/// A request that is being answered.
#[derive(Clone)]
pub struct Call {
    pub exact: Exact,
    busy: Arc<Busy>,
    /// What is answered instead, if rmcp does not get the body.
    refused: Arc<OnceLock<(StatusCode, String)>>,
}

/// Counts as busy until it is dropped or done.
struct Busy {
    count: watch::Sender<usize>,
    counts: AtomicBool,
}

impl Call {
    fn new(count: &watch::Sender<usize>, counts: bool) -> Call {
        if counts {
            count.send_modify(|count| *count += 1);
        }
        Call {
            exact: Exact::awaited(),
            busy: Arc::new(Busy {
                count: count.clone(),
                counts: AtomicBool::new(counts),
            }),
            refused: Arc::default(),
        }
    }

    /// It is refused for what stands in its body.
    pub fn refuse(&self, status: StatusCode, message: String) {
        let _ = self.refused.set((status, message));
    }

    /// Its stream stays open for as long as the client likes, so that nobody waits for it to end.
    pub fn listens(&self) {
        self.busy.end();
    }

    /// It is answered.
    pub fn done(&self) {
        self.busy.end();
    }
}

impl Busy {
    fn end(&self) {
        if self.counts.swap(false, Ordering::AcqRel) {
            self.count.send_modify(|count| *count -= 1);
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.end();
    }
}

impl Guard {
    pub fn new(server: &Server, options: &HttpOptions, address: SocketAddr) -> Self {
        let config = config(options, address);
        let principals = options.tokens.principals().into_iter().map(|name| {
            let sessions = Arc::new(Sessions::new(session_config(options), options.max_sessions));
            let (server, owned) = (server.clone(), name.to_owned());
            let handler = move || Ok(server.handler(&owned));
            let service = Service::new(handler, sessions, config.clone());
            (name.to_owned(), service)
        });
        Guard {
            principals: principals.collect(),
            tokens: options.tokens.clone(),
            config,
            busy: watch::Sender::new(0),
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
        self.config.cancellation_token.cancel();
    }

    pub async fn answer(&self, request: Request<Incoming>) -> Result<Response<Answer>, Infallible> {
        let call = Call::new(&self.busy, request.method() == Method::POST);
        let plain = |response| Ok(respond(response, call.clone()));
        if request.uri().path() != PATH {
            let message = "the path is `/mcp`";
            return plain(refusal(StatusCode::NOT_FOUND, message));
        }
        let Some(name) = self.who(request.headers()) else {
            let mut refused = refusal(StatusCode::UNAUTHORIZED, "a valid token is needed");
            let scheme = HeaderValue::from_static("Bearer");
            refused.headers_mut().insert(WWW_AUTHENTICATE, scheme);
            return plain(refused);
        };
        let Some(principal) = self.principals.get(name) else {
            return plain(refusal(StatusCode::UNAUTHORIZED, "nobody has this token"));
        };
        let mut request =
            request.map(|body| Heard::new(body, self.max_body, self.body_time, call.clone()));
        request.extensions_mut().insert(call.exact.clone());
        let Some(answer) = within_limit(principal.handle(request)).await else {
            let message = "there are too many sessions; try again later";
            return plain(refusal(StatusCode::SERVICE_UNAVAILABLE, message));
        };
        if let Some((status, message)) = call.refused.get() {
            return plain(refusal(*status, message.clone()));
        }
        Ok(respond(answer, call))
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

fn config(options: &HttpOptions, address: SocketAddr) -> StreamableHttpServerConfig {
    let port = address.port();
    let loopback = ["localhost", "127.0.0.1", "[::1]"];
    let mut hosts: Vec<String> = loopback.map(str::to_owned).to_vec();
    let mut origins: Vec<String> = loopback
        .map(|host| format!("http://{host}:{port}"))
        .to_vec();
    if !address.ip().is_unspecified() && !address.ip().is_loopback() {
        let host = SocketAddr::new(address.ip(), port).to_string();
        hosts.push(host);
    }
    hosts.extend(options.hosts.iter().cloned());
    origins.extend(options.origins.iter().cloned());
    StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        // The body is held against its limit before, and may have grown since.
        .with_max_request_body_bytes(usize::MAX)
}

fn session_config(options: &HttpOptions) -> SessionConfig {
    let mut config = SessionConfig::default();
    config.keep_alive = Some(options.session_idle);
    config
}

type Whole = Response<http_body_util::combinators::BoxBody<Bytes, Infallible>>;

fn refusal(status: StatusCode, message: impl Into<Bytes>) -> Whole {
    let message: Bytes = message.into();
    let is_json = message.starts_with(b"{");
    let mut response = Response::new(Full::new(message).boxed());
    *response.status_mut() = status;
    if is_json {
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
    }
    response
}

fn respond(response: Whole, call: Call) -> Response<Answer> {
    let kind = response.headers().get(CONTENT_TYPE);
    let is_stream = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    response.map(|body| Answer::new(body, is_stream, call))
}
