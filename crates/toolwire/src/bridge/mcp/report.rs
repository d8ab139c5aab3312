//! What became of each member on the way to or from an MCP peer.

use crate::base::json::{ObjectWriter, array, pointer};

/// What became of a member.
///
/// ```
/// assert_eq!(toolwire::mcp::Fate::Moved.as_str(), "moved");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// It stands in what was written, verbatim.
    Kept,
    /// It stands elsewhere, such as in `_meta`, and comes back from there verbatim.
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

/// The loss report: what became of each member of a document, and of each value in it that fared otherwise
/// (MCP-3).
///
/// ```
/// use toolwire::mcp::LossReport;
///
/// assert!(LossReport::default().is_lossless());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LossReport {
    /// The entries, sorted by their pointers.
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

    /// Adds what became of a place.
    ///
    /// ```
    /// use toolwire::mcp::{Fate, LossReport};
    ///
    /// let mut report = LossReport::default();
    /// report.add("/cwd", Fate::Dropped, "there is no place for it");
    /// assert!(!report.is_lossless());
    /// ```
    pub fn add(&mut self, pointer: impl Into<String>, fate: Fate, reason: &str) {
        self.entries.push(Mapped {
            pointer: pointer.into(),
            fate,
            reason: reason.to_owned(),
        });
    }

    /// The report as it is given out (MCP-3): sorted, one entry for a pointer, and none for what is kept inside
    /// of what is.
    ///
    /// ```
    /// use toolwire::mcp::{Fate, LossReport};
    ///
    /// let mut report = LossReport::default();
    /// report.add("/args/0", Fate::Kept, "");
    /// report.add("/args", Fate::Kept, "");
    /// assert_eq!(report.finished().entries.len(), 1);
    /// ```
    #[must_use]
    pub fn finished(mut self) -> Self {
        let order = |a: &Mapped, b: &Mapped| {
            // Of two entries for one pointer, the greater loss stands.
            pointer::order(&a.pointer, &b.pointer).then(b.fate.cmp(&a.fate))
        };
        self.entries.sort_by(order);
        self.entries
            .dedup_by(|next, first| next.pointer == first.pointer);
        // The entries of the values around the next one, as places in `entries`.
        let mut around: Vec<usize> = Vec::new();
        let mut entries: Vec<Mapped> = Vec::with_capacity(self.entries.len());
        for entry in self.entries {
            let holds = |outer: &usize| pointer::holds(&entries[*outer].pointer, &entry.pointer);
            around.truncate(around.iter().take_while(|outer| holds(outer)).count());
            let outer = around.last().map(|outer| entries[*outer].fate);
            let says_nothing = entry.fate == Fate::Kept && entry.reason.is_empty();
            if !says_nothing || outer != Some(Fate::Kept) {
                around.push(entries.len());
                entries.push(entry);
            }
        }
        LossReport { entries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_inside_of_what_is_kept_is_not_said_again() {
        let mut report = LossReport::default();
        report.add("/b/10/x", Fate::Dropped, "no place");
        report.add("/b/9", Fate::Kept, "");
        report.add("/b/10/x/y", Fate::Kept, "");
        report.add("/b", Fate::Kept, "");
        report.add("/b/2", Fate::Kept, "it stays");
        report.add("/a", Fate::Kept, "");
        report.add("/a", Fate::Approximated, "as a text");
        report.add("/a", Fate::Moved, "elsewhere");
        let said = report.finished().entries.into_iter();
        let said: Vec<_> = said.map(|entry| (entry.pointer, entry.fate)).collect();
        let said: Vec<_> = said.iter().map(|(place, fate)| (&**place, *fate)).collect();
        let expected = [
            ("/a", Fate::Approximated),
            ("/b", Fate::Kept),
            ("/b/2", Fate::Kept),
            ("/b/10/x", Fate::Dropped),
            ("/b/10/x/y", Fate::Kept),
        ];
        assert_eq!(said, expected);
    }
}
