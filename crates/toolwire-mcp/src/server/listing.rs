//! Lists, page by page.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::time::Duration;

use base64::Engine;
use toolwire::json::{ObjectWriter, array};
use toolwire::mcp::Revision;
use toolwire_rpc::{Answer, RpcError};

use super::Refusal;
use super::context::{Params, bad_params, text};
use super::keys::BASE64URL;

/// Maximum number of elements on a page.
const MAX_PAGE: usize = 1000;

/// How a page of a list is written.
pub(super) struct Page<'a> {
    /// The member with the elements.
    pub what: &'a str,
    pub revision: Revision,
    /// Maximum number of elements.
    pub size: usize,
    /// How long it may be kept.
    pub ttl: Duration,
}

impl Page<'_> {
    /// The page behind the name in a cursor, as the result of a request.
    pub(super) fn of<T>(
        &self,
        all: &BTreeMap<String, T>,
        cursor: Option<&str>,
        write: impl Fn(&T) -> String,
    ) -> Answer {
        let after = cursor.map(read).transpose()?;
        let from = match &after {
            Some(name) => Bound::Excluded(name.clone()),
            None => Bound::Unbounded,
        };
        let mut rest = all.range((from, Bound::Unbounded)).peekable();
        let mut elements = Vec::new();
        let mut last = "";
        for (name, one) in rest.by_ref().take(self.size.clamp(1, MAX_PAGE)) {
            elements.push(write(one));
            last = name;
        }
        let mut page = ObjectWriter::new();
        page.json(self.what, array(elements));
        if rest.peek().is_some() {
            page.text("nextCursor", BASE64URL.encode(last));
        }
        if self.revision >= Revision::V2026_07_28 {
            page.text("resultType", "complete");
            let ttl = u64::try_from(self.ttl.as_millis());
            page.number("ttlMs", ttl.unwrap_or(u64::MAX));
            // Whoever may not ask must not find the list in a cache that others share.
            page.text("cacheScope", "private");
        }
        Ok(page.end())
    }
}

/// The cursor in the parameters of a method.
pub(super) fn cursor(method: &str, params: &Params<'_>) -> Result<Option<String>, RpcError> {
    match params.get("cursor") {
        None | Some("null") => Ok(None),
        cursor => text(cursor).map(Some).ok_or_else(|| bad_params(method)),
    }
}

/// The name in a cursor. It need not be there any more: the list goes on behind it.
fn read(cursor: &str) -> Result<String, RpcError> {
    let name = BASE64URL
        .decode(cursor)
        .ok()
        .and_then(|name| String::from_utf8(name).ok());
    name.ok_or_else(|| {
        let message = "the cursor is not one that this server gave; begin without one";
        Refusal::BadCursor.because(message)
    })
}
