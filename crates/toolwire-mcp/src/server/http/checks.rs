//! What the head of a request has to say: whom it is for, where it comes from, and the same as its body.

use hyper::header::{ACCEPT, CONTENT_TYPE, HOST, HeaderMap, ORIGIN};
use hyper::{StatusCode, Uri};
use toolwire::Json;
use toolwire::mcp::Revision;
use toolwire_rpc::{Message, RpcError};

use crate::headers;
use crate::server::Server;
use crate::server::context::{Params, text};

pub const JSON: &str = "application/json";
pub const STREAM: &str = "text/event-stream";
pub const VERSION: &str = "mcp-protocol-version";

/// Code of an error: a header says something else than the body.
const HEADER_MISMATCH: i32 = -32020;

/// Versions that a request may name in its head without one in its body.
const OLDER: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The only value of a header; an error if there are several, or it is no text.
pub fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, String> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value
            .to_str()
            .map(Some)
            .map_err(|_| format!("the header `{name}` has characters that it can't have")),
        (Some(_), Some(_)) => Err(format!("the header `{name}` is given twice")),
    }
}

/// A name of a host in lower case, and its port.
fn host_of(host: &str) -> Option<(String, Option<u16>)> {
    let (name, port) = match host.rsplit_once(':') {
        // The colons of an IPv6 address stand in brackets.
        Some((name, port)) if !port.contains(']') => (name, Some(port.parse().ok()?)),
        _ => (host, None),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
    let is_name = !name.is_empty() && name.chars().all(is_plain);
    is_name.then(|| (name.to_ascii_lowercase(), port))
}

/// An origin in lower case, with its port.
fn origin_of(origin: &str) -> Option<(String, String, u16)> {
    let (scheme, host) = origin.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let usual = match &*scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    };
    let (name, port) = host_of(host)?;
    Some((scheme, name, port.or(usual)?))
}

/// Who may be meant by a request, and where it may come from.
#[derive(Debug)]
pub struct Allowed {
    pub hosts: Vec<String>,
    pub origins: Vec<String>,
}

impl Allowed {
    /// # Errors
    ///
    /// Why a request is not for this server, or may not come from where it does.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), String> {
        if uri.authority().is_some() {
            return Err("the target of the request is a whole URL; give the path alone".to_owned());
        }
        let host = only(headers, HOST.as_str())?.and_then(host_of);
        let is_allowed = host.is_some_and(|(name, port)| {
            let mut hosts = self.hosts.iter().filter_map(|host| host_of(host));
            hosts.any(|(host, only)| host == name && (only.is_none() || only == port))
        });
        if !is_allowed {
            return Err("the header `Host` names another server".to_owned());
        }
        let Some(origin) = only(headers, ORIGIN.as_str())? else {
            return Ok(());
        };
        let same = |allowed: &String| match origin_of(origin) {
            Some(origin) => origin_of(allowed) == Some(origin),
            None => allowed == origin,
        };
        match self.origins.iter().any(same) {
            true => Ok(()),
            false => Err("the pages of this `Origin` may not call".to_owned()),
        }
    }
}

/// The types that a client accepts.
fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    let all = values.filter_map(|value| value.to_str().ok());
    let mut kinds = all
        .flat_map(|value| value.split(','))
        .map(|one| one.split(';').next());
    kinds.any(|one| one.is_some_and(|one| one.trim().eq_ignore_ascii_case(kind)))
}

/// Why a request can't be answered in a form that its client takes.
pub fn misses(headers: &HeaderMap, is_post: bool) -> Option<(StatusCode, &'static str)> {
    let needed = [STREAM, JSON];
    let needed = &needed[..1 + usize::from(is_post)];
    if !needed.iter().all(|kind| accepts(headers, kind)) {
        let message =
            "the client has to accept `text/event-stream`, and `application/json` of a POST";
        return Some((StatusCode::NOT_ACCEPTABLE, message));
    }
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    let is_json = kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case(JSON));
    let message = "the `Content-Type` has to be `application/json`";
    (is_post && !is_json).then_some((StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
}

/// Whether a version is 2026-07-28, or one that may come after it.
pub fn is_modern(version: Option<&str>) -> bool {
    version.is_some_and(|version| version >= Revision::V2026_07_28.as_str())
}

/// Whether a head may name this version for a session.
pub fn is_older(version: Option<&str>) -> bool {
    version.is_none_or(|version| OLDER.contains(&version))
}

fn mismatch(message: impl Into<String>) -> RpcError {
    RpcError::new(HEADER_MISMATCH, message)
}

/// Whether a header says the same as the body.
pub fn same(headers: &HeaderMap, name: &str, body: Option<&str>) -> Result<(), RpcError> {
    let why = match (only(headers, name).map_err(mismatch)?, body) {
        (None, None) => return Ok(()),
        (Some(header), Some(body)) if headers::decoded(header).as_deref() == Some(body) => {
            return Ok(());
        }
        (None, Some(_)) => format!("the header `{name}` is missing"),
        (Some(header), _) => {
            format!("the header `{name}` is `{header}`, and the body says something else")
        }
    };
    Err(mismatch(why))
}

/// Why the head of a message of 2026-07-28 says something else than its body.
pub fn differs(headers: &HeaderMap, message: &Message, server: &Server) -> Result<(), RpcError> {
    same(headers, "mcp-method", Some(message.method()))?;
    let params = Params::of(message)?;
    let named = match message.method() {
        "tools/call" | "prompts/get" => text(params.get("name")),
        "tasks/get" | "tasks/update" | "tasks/cancel" => text(params.get("taskId")),
        "resources/read" => text(params.get("uri")),
        _ => return Ok(()),
    };
    let Some(name) = named else {
        return Ok(());
    };
    same(headers, "mcp-name", Some(&name))?;
    let schema = server.0.listed_schema(&name);
    let Some(schema) = schema.filter(|_| message.method() == "tools/call") else {
        return Ok(());
    };
    if !schema.as_str().contains("x-mcp-header") {
        return Ok(());
    }
    let arguments = params
        .get("arguments")
        .and_then(|text| Json::new(text).ok());
    let arguments = arguments.unwrap_or_else(Json::empty_object);
    for (name, value) in headers::of_call(&schema, &arguments) {
        same(headers, &name, value.as_deref())?;
    }
    Ok(())
}
