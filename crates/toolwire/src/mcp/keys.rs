//! The names in `_meta` under which stands what MCP has no member for (MCP-20).

use crate::json::{MAX_DEPTH, Node, ObjectWriter};

/// On a result, a block or a tool: members that MCP does not have, at their places.
pub(super) const MEMBERS: &str = "dev.toolwire/members";
/// On a text block: the block that it stands for.
pub(super) const BLOCK: &str = "dev.toolwire/block";
/// On a result: elements of `content` that are no blocks of MCP, with their places.
pub(super) const BLOCKS: &str = "dev.toolwire/blocks";
/// On a block: annotations that stand inside of its resource.
pub(super) const LIFTED: &str = "dev.toolwire/lifted";
/// On a text block: it repeats the structured content.
pub(super) const MIRROR: &str = "dev.toolwire/mirror";
/// On a result or a tool: the structured content, or its schema, is wrapped in an object.
pub(super) const WRAPPED: &str = "dev.toolwire/wrapped";

/// The member of the object that structured content is wrapped in.
pub(super) const WRAP: &str = "result";

/// All of them.
pub(super) const ALL: [&str; 6] = [MEMBERS, BLOCK, BLOCKS, LIFTED, MIRROR, WRAPPED];

/// Whether a name in `_meta` is one of this mapping's own.
pub(super) fn is_own(name: &str) -> bool {
    ALL.contains(&name)
}

/// How much deeper a value can stand in a result than it stood in its envelope.
pub(super) const DEEPER: usize = 4;

/// Why something was dropped that could have been moved.
pub(super) const TOO_DEEP: &str = "it is nested too deep to be moved";

/// Whether a value can be moved without being nested too deep for every reader.
pub(super) fn can_move(value: Node<'_>) -> bool {
    // Its own place in the envelope is at most four deep.
    depth(value) + 4 + DEEPER <= MAX_DEPTH
}

/// The arrays and objects that are open at the deepest place of a value.
fn depth(value: Node<'_>) -> usize {
    let members = value.members().map(|(_, value)| value);
    match value.len() {
        0 if value.raw().starts_with(['[', '{']) => 1,
        0 => 0,
        _ => {
            1 + members
                .chain(value.elements())
                .map(depth)
                .max()
                .unwrap_or_default()
        }
    }
}

/// An object in the making that may turn out to have no members.
#[derive(Default)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn json(&mut self, name: &str, json: impl Into<String>) {
        self.0.push((name.to_owned(), json.into()));
    }

    pub(super) fn append(&mut self, mut others: Fields) {
        self.0.append(&mut others.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(own, _)| own == name)
    }

    pub(super) fn end(self) -> String {
        let mut out = ObjectWriter::new();
        for (name, json) in &self.0 {
            out.json(name, json);
        }
        out.end()
    }

    /// The object, where it has a member.
    pub(super) fn some(self) -> Option<String> {
        (!self.is_empty()).then(|| self.end())
    }
}
