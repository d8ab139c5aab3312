//! The tape: one entry for each value and each member name, in document order.

use std::sync::OnceLock;

use super::entry::Entry;
use super::scan::scan_insides;

/// The tape of a document. Of containers that the scan has only checked it has one entry each; what is
/// inside them is written on a tape of its own on first access.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tape {
    entries: Vec<Entry>,
    /// The containers that were only checked, with their insides, in document order.
    insides: OnceLock<Vec<Entry>>,
}

impl Tape {
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        Tape {
            entries,
            insides: OnceLock::new(),
        }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries that have the inside of a container, and its index there, if that is not the tape
    /// itself.
    #[cold]
    pub(crate) fn inside(&self, text: &[u8], container: &Entry) -> (&[Entry], u32) {
        let insides = self.insides.get_or_init(|| {
            let entries = self.entries.iter().enumerate();
            let opaque = entries.filter(|(index, entry)| entry.is_opaque(*index as u32));
            scan_insides(text, opaque.map(|(_, entry)| entry.start))
        });
        let index = insides.partition_point(|entry| entry.start < container.start);
        (insides, index as u32)
    }
}
