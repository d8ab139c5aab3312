//! Writing a lock file (LOCK-7): the same lock has the same bytes.

use toolwire::json::{Document, Kind, Node, ObjectWriter, string};
use toolwire::{Error, Json, terminal_safe_json};

use super::{LOCK_VERSION, Lock, LockedSource, LockedTool, text_digest};

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
    let mut text = String::with_capacity(exact.as_str().len() * 2);
    pretty(&mut text, Document::new(exact.as_str())?.root(), 0);
    text.push('\n');
    let text = terminal_safe_json(&text);
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

/// A value over several lines, as most tools lay JSON out.
fn pretty(out: &mut String, node: Node<'_>, indent: usize) {
    let (open, close) = match node.kind() {
        Kind::Array => ('[', ']'),
        Kind::Object => ('{', '}'),
        _ => return out.push_str(node.raw()),
    };
    out.push(open);
    let mut first = true;
    let mut line = |out: &mut String| {
        out.push_str(if std::mem::take(&mut first) {
            "\n"
        } else {
            ",\n"
        });
        out.extend(std::iter::repeat_n("  ", indent + 1));
    };
    for element in node.elements() {
        line(out);
        pretty(out, element, indent + 1);
    }
    for (name, value) in node.members() {
        line(out);
        out.push_str(&string(&name));
        out.push_str(": ");
        pretty(out, value, indent + 1);
    }
    if !node.is_empty() {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", indent));
    }
    out.push(close);
}
