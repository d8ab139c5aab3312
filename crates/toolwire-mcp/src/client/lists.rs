//! Lists of a server, whose pages are read to the end.

use std::collections::HashSet;
use std::time::Duration;

use tokio::time::timeout;
use toolwire::Json;
use toolwire::json::{Document, string};
use toolwire_rpc::Failure;

use super::request::Request;
use super::shared::Shared;
use super::{ClientError, ClientErrorKind};

/// Maximum bytes of all pages of a list.
const MAX_LIST: usize = 16 * 1024 * 1024;

/// A list from all its pages.
#[derive(Debug, Default)]
pub(super) struct List {
    pub elements: Vec<Json>,
    /// How long it may be used, if its pages say so.
    pub lasts: Option<Duration>,
}

impl Shared {
    /// What the server lists by a method. A refusal for which `ends` holds, with its code, ends the list.
    pub(super) async fn list(
        &self,
        method: &str,
        what: &str,
        kind: ClientErrorKind,
        ends: impl Fn(Option<i64>) -> bool,
    ) -> Result<List, ClientError> {
        let limit = self.options.connect_timeout;
        let read = timeout(limit, self.read_list(method, what, kind, ends)).await;
        read.unwrap_or_else(|_| {
            let (name, seconds) = (&self.name, limit.as_secs_f64());
            let message = format!("the server `{name}` did not list its {what} within {seconds} s");
            Err(ClientError::new(ClientErrorKind::Timeout, message))
        })
    }

    async fn read_list(
        &self,
        method: &str,
        what: &str,
        kind: ClientErrorKind,
        ends: impl Fn(Option<i64>) -> bool,
    ) -> Result<List, ClientError> {
        let name = &self.name;
        let bad = |reason: String| {
            let message =
                format!("the list of {what} of the server `{name}` can't be used: {reason}");
            ClientError::new(kind, message)
        };
        let mut list = List::default();
        let mut bytes = 0;
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        for _ in 0..self.options.max_pages {
            let request = Request {
                method,
                params: cursor
                    .iter()
                    .map(|cursor| ("cursor", string(cursor)))
                    .collect(),
                ..Request::default()
            };
            let text = match self.ask(request).await {
                Ok(text) => text,
                Err(Failure::Refused(error)) => {
                    let error = Json::new(&*error).ok();
                    let get = |pointer: &str| error.as_ref().and_then(|error| error.at(pointer));
                    if ends(get("/code").and_then(|code| code.as_str().parse().ok())) {
                        return Ok(list);
                    }
                    let message = get("/message").and_then(|message| message.to_text());
                    let message = message.unwrap_or_default();
                    return Err(bad(format!("the server refused to give it: {message}")));
                }
                Err(failure) => return Err(self.lost(&failure)),
            };
            bytes += text.len();
            if bytes > MAX_LIST {
                return Err(bad(format!("it has more than {MAX_LIST} bytes")));
            }
            let document = Document::new(&text)
                .map_err(|error| bad(format!("it is not JSON as it should be: {error}")))?;
            let root = document.root();
            let Some(listed) = root.get(what) else {
                return Err(bad(format!("it has no `{what}`")));
            };
            list.elements.extend(listed.elements().map(Json::from));
            let limit = self.options.max_tools;
            if list.elements.len() > limit {
                let what = if what == "tools" { what } else { "elements" };
                return Err(bad(format!("it has more than {limit} {what}")));
            }
            let ttl = root.get("ttlMs").and_then(|ttl| ttl.as_u64());
            let ttl = Duration::from_millis(ttl.unwrap_or_default());
            list.lasts = Some(list.lasts.map_or(ttl, |lasts| lasts.min(ttl)));
            let next = root
                .get("nextCursor")
                .and_then(|next| Some(next.as_str()?.into_owned()));
            let Some(next) = next else {
                return Ok(list);
            };
            if !cursors.insert(next.clone()) {
                self.warn(&format!(
                    "lists its {what} without an end: the cursor `{next}` came before"
                ));
                let mut seen = HashSet::new();
                list.elements.retain(|one| seen.insert(one.to_string()));
                return Ok(list);
            }
            cursor = Some(next);
        }
        Err(bad(format!(
            "it has more than {} pages",
            self.options.max_pages
        )))
    }

    /// Tells the user something about the server.
    fn warn(&self, text: &str) {
        if let Some(observer) = &self.options.on_stderr {
            observer.show(format!("warning: the server `{}` {text}\n", self.name).as_bytes());
        }
    }
}
