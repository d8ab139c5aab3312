//! What became of each member on the way to or from an MCP peer.

use crate::json::{Node, ObjectWriter, array};

/// What became of a member.
///
/// ```
/// assert_eq!(toolwire::mcp::Fate::Moved.as_str(), "moved");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// It stands where it stood, to the letter.
    Kept,
    /// It stands in `_meta`, to the letter, and comes back from there.
    Moved,
    /// Something that says nearly the same stands in its place.
    Approximated,
    /// The peer does not get it.
    Dropped,
}

closed_words!(Fate, "a fate", {
    Kept => "kept",
    Moved => "moved",
    Approximated => "approximated",
    Dropped => "dropped",
});

/// What became of one member, and why.
///
/// ```
/// use toolwire::mcp::{Fate, Mapped};
///
/// let entry = Mapped {
///     pointer: "/content/0/formatted".to_owned(),
///     fate: Fate::Moved,
///     reason: "MCP has no such member".to_owned(),
/// };
/// assert_eq!(
///     entry.to_json(),
///     r#"{"pointer":"/content/0/formatted","fate":"moved","reason":"MCP has no such member"}"#,
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// The place in the document that was mapped, as a JSON Pointer.
    pub pointer: String,
    /// What became of it.
    pub fate: Fate,
    /// Why; empty for what is kept.
    pub reason: String,
}

impl Mapped {
    /// The entry as a JSON object: `{"pointer","fate","reason"}`.
    ///
    /// ```
    /// use toolwire::mcp::{Fate, Mapped};
    ///
    /// let entry = Mapped { pointer: String::new(), fate: Fate::Kept, reason: String::new() };
    /// assert_eq!(entry.to_json(), r#"{"pointer":"","fate":"kept","reason":""}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        out.text("pointer", &self.pointer);
        out.text("fate", self.fate.as_str());
        out.text("reason", &self.reason);
        out.end()
    }
}

/// The loss report: what became of each member, in the order of the document.
///
/// ```
/// use toolwire::mcp::LossReport;
///
/// assert!(LossReport::default().is_lossless());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LossReport {
    /// One entry for each member that has a place of its own in the mapping.
    pub entries: Vec<Mapped>,
}

impl LossReport {
    /// Whether everything was kept, or moved to where it comes back from.
    ///
    /// ```
    /// assert!(toolwire::mcp::LossReport::default().is_lossless());
    /// ```
    #[must_use]
    pub fn is_lossless(&self) -> bool {
        let lossless = |entry: &Mapped| matches!(entry.fate, Fate::Kept | Fate::Moved);
        self.entries.iter().all(lossless)
    }

    /// The report as a JSON array.
    ///
    /// ```
    /// assert_eq!(toolwire::mcp::LossReport::default().to_json(), "[]");
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        array(self.entries.iter().map(Mapped::to_json))
    }

    pub(crate) fn add(&mut self, pointer: impl Into<String>, fate: Fate, reason: &str) {
        self.entries.push(Mapped {
            pointer: pointer.into(),
            fate,
            reason: reason.to_owned(),
        });
    }
}

/// Entries in the making, with the place of each in the text: they are not found in that order.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<(usize, Mapped)>);

impl Notes {
    pub(super) fn add(&mut self, at: Node<'_>, pointer: impl Into<String>, fate: Fate, why: &str) {
        let entry = Mapped {
            pointer: pointer.into(),
            fate,
            reason: why.to_owned(),
        };
        self.0.push((at.start(), entry));
    }

    pub(super) fn report(mut self) -> LossReport {
        self.0.sort_by_key(|(start, _)| *start);
        let entries = self.0.into_iter().map(|(_, entry)| entry).collect();
        LossReport { entries }
    }
}
