//! What the revisions of MCP differ in, as far as results and tools go.

use super::{Revision, v2025_06_18, v2025_11_25, v2026_07_28};

/// What one revision has.
#[derive(Debug)]
pub(super) struct Dialect {
    /// Tools and links have icons.
    pub icons: bool,
    /// Structured content, and the output schema that describes it, may be of any type; of an object
    /// otherwise.
    pub any_structured_content: bool,
    /// A result has the member `resultType`.
    pub result_type: bool,
    /// The members of a tool, `_meta` apart.
    pub tool_members: &'static [&'static str],
}

/// The members of a tool that all revisions have, `_meta` apart.
pub(super) const TOOL_MEMBERS: [&str; 6] = [
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
];

impl Revision {
    pub(super) fn dialect(self) -> &'static Dialect {
        match self {
            Revision::V2025_06_18 => &v2025_06_18::DIALECT,
            Revision::V2025_11_25 => &v2025_11_25::DIALECT,
            Revision::V2026_07_28 => &v2026_07_28::DIALECT,
        }
    }
}
