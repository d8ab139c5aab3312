//! The revisions of MCP that are spoken.

/// A revision of MCP.
///
/// ```
/// use toolwire::mcp::Revision;
///
/// assert_eq!("2025-11-25".parse(), Ok(Revision::V2025_11_25));
/// assert!(Revision::V2025_06_18 < Revision::LATEST);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Revision {
    /// 2025-06-18: server requests for input, structured content as an object.
    V2025_06_18,
    /// 2025-11-25: titled choices, several choices, input by URL.
    V2025_11_25,
    /// 2026-07-28: stateless, input required as a result, structured content of any kind.
    V2026_07_28,
}

closed_words!(Revision, "a revision of MCP", {
    V2025_06_18 => "2025-06-18",
    V2025_11_25 => "2025-11-25",
    V2026_07_28 => "2026-07-28",
});

impl Revision {
    /// The newest one.
    ///
    /// ```
    /// use toolwire::mcp::Revision;
    ///
    /// assert_eq!(Revision::ALL.last(), Some(&Revision::LATEST));
    /// ```
    pub const LATEST: Revision = Revision::V2026_07_28;

    /// Whether links and tools have icons.
    pub(super) fn has_icons(self) -> bool {
        self >= Revision::V2025_11_25
    }

    /// Whether a tool says how it is to be executed.
    pub(super) fn has_execution(self) -> bool {
        self == Revision::V2025_11_25
    }

    /// Whether structured content, and the schema that describes it, may be of any type; of an object otherwise.
    pub(super) fn has_any_structured_content(self) -> bool {
        self >= Revision::V2026_07_28
    }

    /// Whether a result says that it is complete.
    pub(super) fn has_result_type(self) -> bool {
        self >= Revision::V2026_07_28
    }
}
