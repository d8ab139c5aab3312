//! What holds of every report of a mapping (MCP-3, MCP-50).

use toolwire::json::{Document, Kind, Node, pointer};
use toolwire::mcp::{Fate, LossReport, Mapped};

/// A step of a pointer, to compare: the places of elements come first.
type Step = (bool, u64, Vec<u16>);

fn steps(pointer: &str) -> Vec<Step> {
    let step = |step: &str| match step.parse::<u64>() {
        Ok(place) if place.to_string() == step => (false, place, Vec::new()),
        _ => (true, 0, pointer::unescape(step).encode_utf16().collect()),
    };
    pointer.split('/').skip(1).map(step).collect()
}

/// The entries are sorted, of different places, tell of each member, and none says what another has said.
pub(super) fn is_well_told(report: &LossReport, root: Node<'_>) -> Result<(), String> {
    let entries = &report.entries;
    if let Some(pair) = entries
        .windows(2)
        .find(|pair| steps(&pair[0].pointer) >= steps(&pair[1].pointer))
    {
        return Err(format!(
            "`{}` stands before `{}`",
            pair[0].pointer, pair[1].pointer
        ));
    }
    let has = |place: &str| entries.iter().any(|entry| entry.pointer == place);
    if root.kind() == Kind::Object && !has("") {
        for (name, _) in root.members().take(50) {
            let place = pointer::join("", &name);
            if !has(&place) {
                return Err(format!("nothing is told of `{place}`"));
            }
        }
    }
    for entry in entries.iter().take(50) {
        let around = around(report, &entry.pointer);
        if is_plain(entry) && around.is_some_and(|around| around.fate == Fate::Kept) {
            return Err(format!("`{}` is told twice", entry.pointer));
        }
    }
    Ok(())
}

fn is_plain(entry: &Mapped) -> bool {
    entry.fate == Fate::Kept && entry.reason.is_empty()
}

/// The entry of the nearest value around a place.
fn around<'r>(report: &'r LossReport, place: &str) -> Option<&'r Mapped> {
    let (outer, _) = place.rsplit_once('/')?;
    about(report, outer)
}

/// The entry that a place has, or else the nearest value around it.
pub(super) fn about<'r>(report: &'r LossReport, place: &str) -> Option<&'r Mapped> {
    let own = report.entries.iter().find(|entry| entry.pointer == place);
    own.or_else(|| around(report, place))
}

/// As [`is_well_told`], of a document that is given as text; one that is nested too deep is not looked at.
pub(super) fn is_well_told_of(report: &LossReport, text: &str) -> Result<(), String> {
    match Document::new(text) {
        Ok(document) => is_well_told(report, document.root()),
        Err(_) => Ok(()),
    }
}
