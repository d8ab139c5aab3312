//! The list of tools, page by page.

use std::ops::Bound;

use base64::Engine;
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array};
use toolwire::mcp::{Revision, to_tool};
use toolwire_rpc::RpcError;

use super::catalog::Catalog;
use super::keys::BASE64URL;
use super::{Refusal, ServeOptions};

/// The most tools on a page.
const MAX_PAGE: usize = 1000;

/// A page of the list, behind the tool that a cursor names, as the result of `tools/list`.
pub(super) fn page(
    catalog: &Catalog,
    cursor: Option<&str>,
    revision: Revision,
    options: &ServeOptions,
) -> Result<String, RpcError> {
    let after = cursor.map(read).transpose()?;
    let from = match &after {
        Some(name) => Bound::Excluded(name.clone()),
        None => Bound::Unbounded,
    };
    let behind = (from, Bound::Unbounded);
    let rest: Box<dyn Iterator<Item = &ToolDescription> + '_> = match &catalog.1 {
        Some(listed) => Box::new(listed.range(behind).map(|(_, tool)| tool)),
        None => Box::new(catalog.0.range(behind).map(|(_, tool)| &tool.description)),
    };
    let mut rest = rest.peekable();
    let size = options.page_size.clamp(1, MAX_PAGE);
    let mut tools = Vec::new();
    let mut last = "";
    for tool in rest.by_ref().take(size) {
        tools.push(to_tool(tool, revision).json.as_str().to_owned());
        last = &tool.name;
    }
    let mut page = ObjectWriter::new();
    page.json("tools", array(tools));
    if rest.peek().is_some() {
        page.text("nextCursor", BASE64URL.encode(last));
    }
    if revision >= Revision::V2026_07_28 {
        page.text("resultType", "complete");
        page.number(
            "ttlMs",
            u64::try_from(options.ttl.as_millis()).unwrap_or(u64::MAX),
        );
        // Whoever may not ask must not find the list in a cache that others share.
        page.text("cacheScope", "private");
    }
    Ok(page.end())
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
