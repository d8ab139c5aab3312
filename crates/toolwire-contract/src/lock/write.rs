//! Writing a lock file (LOCK-7): the same lock has the same bytes.

use toolwire::json::{Document, ObjectWriter};
use toolwire::{Error, Json, terminal_safe_json};

use super::{LOCK_VERSION, Lock, LockedSource, LockedTool, text_digest};
use crate::pretty::indented;

/// Writes a lock as the text of its file (LOCK-7): two spaces a level, members sorted by name, numbers to the last
/// digit, and what a reader would not see as escapes. It ends with a line feed.
///
/// # Errors
///
/// `limit_bytes`, `limit_depth` or `limit_values` for a lock that could not be read again.
///
/// # Examples
///
/// ```
/// use toolwire_contract::lock::{Lock, write_lock};
///
/// assert_eq!(write_lock(&Lock::default())?, "{\n  \"lockVersion\": 1,\n  \"sources\": {}\n}\n");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn write_lock(lock: &Lock) -> Result<String, Error> {
    let sources = lock.sources.iter().map(|(name, one)| (name, source(one)));
    let text = ObjectWriter::new()
        .number("lockVersion", LOCK_VERSION)
        .json("sources", object(sources))
        .members(&lock.extra)
        .end();
    let exact = Json::new(text)?.sorted();
    let text = terminal_safe_json(&indented(&exact));
    // Indents and escapes make it longer than what was held to the limits.
    Document::new(&text)?;
    Ok(text)
}

fn source(source: &LockedSource) -> String {
    let mut out = ObjectWriter::new();
    out.json("launch", source.launch.to_json().as_str());
    if let Some(text) = &source.instructions {
        let digest = text_digest(text);
        out.json(
            "instructions",
            ObjectWriter::new()
                .text("digest", digest)
                .text("text", text)
                .end(),
        );
    }
    let tools = source.tools.iter().map(|(name, one)| (name, tool(one)));
    out.json("tools", object(tools))
        .members(&source.extra)
        .end()
}

fn tool(tool: &LockedTool) -> String {
    ObjectWriter::new()
        .json("fingerprints", tool.fingerprints.to_json().as_str())
        .json("tool", tool.tool.as_str())
        .members(&tool.extra)
        .end()
}

fn object<'a>(members: impl Iterator<Item = (&'a String, String)>) -> String {
    let mut out = ObjectWriter::new();
    for (name, value) in members {
        out.json(name, value);
    }
    out.end()
}
