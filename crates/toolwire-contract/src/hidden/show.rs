//! A text in which everything hidden can be seen.

use toolwire::looks_like;

use super::character::{Class, class, name};
use super::{Hidden, HiddenKind, find_hidden};

/// How everything that was made visible begins. Where a text has it itself, its first character is made
/// visible too, so that nothing can be forged.
pub(super) const OPENS: &str = "<U+";

/// Writes a text so that whatever [`find_hidden`] finds in it can be seen, by name, and by what it says when
/// it is decoded (HID-30). What is ordinary stays as it is. The result can be printed on a terminal.
///
/// # Examples
///
/// ```
/// use toolwire_contract::hidden::show;
///
/// assert_eq!(show("a\u{200b}b"), "a<U+200B ZERO WIDTH SPACE>b");
/// assert_eq!(show("ok\u{e0068}\u{e0069}"), r#"ok<U+E0068 TAG CHARACTER: "hi">"#);
/// assert_eq!(show("pаypal"), "p<U+0430 CYRILLIC LETTER, looks like a>ypal");
/// assert_eq!(show("<U+200B>"), "<U+003C LESS-THAN SIGN>U+200B>");
/// ```
#[must_use]
pub fn show(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for one in find_hidden(text) {
        copy(&mut out, &text[at..one.offset]);
        at = one.offset + one.length;
        write(&mut out, &one, &text[one.offset..at]);
    }
    copy(&mut out, &text[at..]);
    out
}

/// A part of a text in which nothing is hidden.
fn copy(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['<', '\r']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        if tail.starts_with(OPENS) {
            open(out, '<');
            out.push('>');
        } else if tail.starts_with('<') {
            out.push('<');
        }
        // A carriage return that is left belongs to the end of a line.
        rest = &tail[1..];
    }
    out.push_str(rest);
}

fn open(out: &mut String, c: char) {
    out.push_str(&format!("{OPENS}{:04X} {}", u32::from(c), name(c)));
}

fn write(out: &mut String, one: &Hidden, text: &str) {
    if one.kind == HiddenKind::Homoglyph {
        for c in text.chars() {
            open(out, c);
            if let Some(like) = looks_like(c) {
                out.push_str(", looks like ");
                out.push(like);
            }
            out.push('>');
        }
        return;
    }
    let first = text.chars().next().map_or(0, u32::from);
    out.push_str(&format!("{OPENS}{first:04X} {}", one.name));
    if let Some(says) = &one.says {
        out.push_str(": ");
        quote(out, says);
    }
    out.push('>');
}

/// A decoded text in quotes, in which nothing is hidden either.
fn quote(out: &mut String, text: &str) {
    let plain = find_hidden(text)
        .iter()
        .all(|one| one.kind != HiddenKind::Homoglyph);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // So that no opening and no end is forged.
            c if matches!(c, '<' | '>') || class(c) != Class::Plain || !(plain || c.is_ascii()) => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
