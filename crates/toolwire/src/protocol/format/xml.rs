//! Text inside XML, so that nothing in it can close the element it stands in (FMT-31 to FMT-34).

use super::hidden::is_hidden;
use std::borrow::Cow;

/// What is put between the two brackets of a `]]>` in a CDATA section: it ends the section and
/// begins another.
const SPLIT: &str = "]]]]><![CDATA[>";

/// Replaces what XML 1.0 has no way to write at all by U+FFFD.
pub(super) fn representable(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.chars().all(is_representable) {
        return text;
    }
    let fit = |c: char| {
        if is_representable(c) {
            c
        } else {
            char::REPLACEMENT_CHARACTER
        }
    };
    Cow::Owned(text.chars().map(fit).collect())
}

fn is_representable(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Whether a text has to stand in a CDATA section.
pub(super) fn needs_cdata(text: &str) -> bool {
    text.contains(['<', '&']) || text.contains("]]>")
}

/// Writes an element's content; `cdata` is decided on the whole text before it is cut.
pub(super) fn push_content(out: &mut String, text: &str, cdata: bool) {
    if !cdata {
        out.push_str(text);
        return;
    }
    out.push_str("<![CDATA[");
    out.push_str(&text.replace("]]>", SPLIT));
    out.push_str("]]>");
}

/// Writes the value of an attribute that stands in double quotes.
pub(super) fn push_attribute(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if !is_representable(c) => out.push(char::REPLACEMENT_CHARACTER),
            c if is_hidden(c) => out.push_str(&format!("&#x{:X};", u32::from(c))),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_cannot_close_its_section() {
        let mut out = String::new();
        push_content(&mut out, "a]]>b]]]>", true);
        assert_eq!(out, "<![CDATA[a]]]]><![CDATA[>b]]]]]><![CDATA[>]]>");
    }

    #[test]
    fn attributes() {
        let mut out = String::new();
        push_attribute(&mut out, "a\"<&>\n\0\u{202e}'é");
        assert_eq!(out, "a&quot;&lt;&amp;&gt;&#xA;\u{fffd}&#x202E;'é");
    }
}
