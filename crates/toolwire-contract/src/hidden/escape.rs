//! What a sequence that a terminal carries out does, and the text that it carries.

use toolwire::EscapeKind;

/// No more of a control sequence is named than this.
const MAX_NAMED: usize = 24;

/// The name of a sequence, and the text in it: a title, a link's target, what goes to the clipboard.
pub(super) fn describe(kind: EscapeKind<'_>) -> (String, Option<String>) {
    match kind {
        EscapeKind::Control { parameters, last } => {
            let does = match last {
                None => ", not ended",
                Some('m') if parameters.split([';', ':']).any(|one| one == "8") => {
                    ", conceals the text behind it"
                }
                Some('m') => ", colours",
                Some('@'..='P' | 'S' | 'T' | 'X' | '`'..='b' | 'd'..='f' | 'r' | 's' | 'u') => {
                    ", moves or erases text"
                }
                Some(_) => "",
            };
            let named = |c: &char| c.is_ascii_alphanumeric() || matches!(c, ';' | ':' | '?');
            let shown = parameters.chars().chain(last).filter(named);
            let shown: String = shown.take(MAX_NAMED).collect();
            (format!("CONTROL SEQUENCE [{shown}{does}"), None)
        }
        EscapeKind::String {
            begins,
            text,
            is_ended,
        } => {
            let (number, payload) = text.split_once(';').unwrap_or((text, ""));
            let (name, says) = match (begins, number) {
                (']', "0" | "1" | "2") => ("OPERATING SYSTEM COMMAND, sets the title", payload),
                (']', "8") => {
                    let target = payload.split_once(';').map_or("", |(_, target)| target);
                    ("OPERATING SYSTEM COMMAND, a link", target)
                }
                (']', "52") => ("OPERATING SYSTEM COMMAND, writes to the clipboard", payload),
                (']', _) => ("OPERATING SYSTEM COMMAND", text),
                _ => ("CONTROL STRING", text),
            };
            let ending = if is_ended { "" } else { ", not ended" };
            let says = (!says.is_empty()).then(|| says.to_owned());
            (format!("{name}{ending}"), says)
        }
        EscapeKind::Other { last } => (format!("ESCAPE SEQUENCE {:02X}", u32::from(last)), None),
    }
}
