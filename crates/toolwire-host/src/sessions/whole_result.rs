//! What a tool's result has beside its blocks.

use toolwire::Json;
use toolwire::json::{Document, Node, ObjectWriter};

/// The members of `_meta` that are the host's own.
const OWN: [&str; 2] = ["computer.jp/status", "dev.toolwire/session"];

/// What the result of a tool that keeps running has beside its blocks: structured content and `_meta`.
///
/// ```
/// use toolwire::json::Document;
/// use toolwire_host::{ResultParts, ToolUpdate};
///
/// let envelope = Document::new(r#"{"content":[],"structuredContent":{"files":3}}"#)?;
/// let parts = ResultParts::of(envelope.root()).expect("it has structured content");
/// let update = ToolUpdate::Result(Box::new(parts)); // before `ToolUpdate::Exit`
/// # drop(update);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultParts {
    structured: Option<Json>,
    meta: Option<Json>,
}

impl ResultParts {
    /// Those of an envelope; nothing if it has none.
    #[must_use]
    pub fn of(envelope: Node<'_>) -> Option<Self> {
        let structured = envelope.get("structuredContent").map(Json::from);
        let meta = envelope.get("_meta").filter(|meta| {
            let mut members = meta.members();
            members.any(|(name, _)| !OWN.contains(&&*name))
        });
        let parts = ResultParts {
            structured,
            meta: meta.map(Json::from),
        };
        (parts.structured.is_some() || parts.meta.is_some()).then_some(parts)
    }

    pub(super) fn len(&self) -> usize {
        let parts = self.structured.iter().chain(&self.meta);
        parts.map(|part| part.as_str().len()).sum()
    }

    /// The envelope of a fetch with them.
    pub(super) fn add_to(&self, envelope: &str) -> Option<String> {
        let document = Document::new(envelope).ok()?;
        let mut out = ObjectWriter::new();
        for (name, value) in document.root().members() {
            match &*name {
                "_meta" => out.json("_meta", self.meta(value)),
                name => out.json(name, value.raw()),
            };
        }
        out.optional_json(
            "structuredContent",
            self.structured.as_ref().map(Json::as_str),
        );
        Some(out.end())
    }

    fn meta(&self, own: Node<'_>) -> String {
        let mut out = ObjectWriter::new();
        for (name, value) in own.members() {
            out.json(&name, value.raw());
        }
        let text = self.meta.as_ref().map_or("{}", Json::as_str);
        let document = Document::new(text).ok();
        let members = document.iter().flat_map(|meta| meta.root().members());
        for (name, value) in members.filter(|(name, _)| !OWN.contains(&&**name)) {
            out.json(&name, value.raw());
        }
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_does_not_change_what_the_host_says() {
        let result = r#"{"content":[],"structuredContent":{"n":1.50},"_meta":{"x/y":2,"computer.jp/status":"running"}}"#;
        let document = Document::new(result).unwrap();
        let parts = ResultParts::of(document.root()).unwrap();
        let own = r#"{"content":[],"_meta":{"computer.jp/status":"stopped"}}"#;
        assert_eq!(
            parts.add_to(own).unwrap(),
            r#"{"content":[],"_meta":{"computer.jp/status":"stopped","x/y":2},"structuredContent":{"n":1.50}}"#
        );
        let without = Document::new(own).unwrap();
        assert_eq!(ResultParts::of(without.root()), None);
    }
}
