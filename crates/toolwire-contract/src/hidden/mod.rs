//! What a text holds that its reader would not see (chapter 33): invisible characters, bidi controls, text in
//! tag characters or variation selectors, letters that pass for those of another script, escape sequences.
//!
//! A model reads all of it. What languages and emoji need is no finding.

mod bidi;
mod character;
mod decode;
mod escape;
mod homoglyph;
mod in_json;
mod ordinary;
mod say;
mod scan;
mod show;
// The generator lays it out, so that no installed tool can change it.
#[rustfmt::skip]
mod table;
mod text_diff;

use serde::Serialize;

pub(crate) use in_json::count_hidden_in;
pub use in_json::{HiddenAt, find_hidden_in};
pub use say::say_hidden;
pub use show::show;
pub use text_diff::{Piece, PieceKind, TextDiff, diff_text};

use crate::json;

/// What a finding is.
///
/// ```
/// use toolwire_contract::hidden::HiddenKind;
///
/// assert_eq!(HiddenKind::Tag.as_str(), "tag");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum HiddenKind {
    /// Characters without a shape, such as a zero width space (HID-10).
    Invisible,
    /// Characters that change the order in which others are shown (HID-11).
    Bidi,
    /// Tag characters, which spell ASCII that nobody sees (HID-12).
    Tag,
    /// Variation selectors that choose no variant, and can carry any bytes (HID-13).
    Variation,
    /// Letters that pass for those of another script (HID-14).
    Homoglyph,
    /// A sequence that a terminal carries out (HID-15).
    Escape,
    /// Control characters (HID-16).
    Control,
    /// More combining marks than any writing piles up (HID-17).
    Marks,
}

toolwire::closed_words!(HiddenKind, "a kind of finding", {
    Invisible => "invisible",
    Bidi => "bidi",
    Tag => "tag",
    Variation => "variation",
    Homoglyph => "homoglyph",
    Escape => "escape",
    Control => "control",
    Marks => "marks",
});

/// A place in a text that its reader does not see, or not as what it is.
///
/// ```
/// use toolwire_contract::hidden::find_hidden;
///
/// let found = &find_hidden("é\u{feff}")[0];
/// assert_eq!((found.offset, found.length, found.says.as_deref()), (2, 3, None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Hidden {
    /// What it is.
    pub kind: HiddenKind,
    /// The byte at which it begins.
    pub offset: usize,
    /// How many bytes it takes.
    pub length: usize,
    /// The names of its characters, such as `ZERO WIDTH SPACE, WORD JOINER`; printable ASCII.
    pub name: String,
    /// What it says when it is decoded, or how what it stands in is read; untrusted text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
}

impl Hidden {
    /// The finding as a JSON object: `kind`, `offset`, `length`, `name` and, where there is one, `says`.
    ///
    /// ```
    /// use toolwire_contract::hidden::find_hidden;
    ///
    /// assert_eq!(
    ///     find_hidden("a\u{200b}b")[0].to_json(),
    ///     r#"{"kind":"invisible","offset":1,"length":3,"name":"ZERO WIDTH SPACE"}"#,
    /// );
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        json(self).to_string()
    }
}

/// Finds what a reader of a text would not see (HID-1), in the order of the text. Nothing that is found
/// overlaps. The time is linear in the length of the text, and so is the number of findings.
///
/// # Examples
///
/// ```
/// use toolwire_contract::hidden::{HiddenKind, find_hidden};
///
/// // Tag characters spell a word that no font shows.
/// let found = find_hidden("Adds two numbers.\u{e0068}\u{e0069}");
/// assert_eq!((found[0].kind, found[0].says.as_deref()), (HiddenKind::Tag, Some("hi")));
///
/// // The second letter is Cyrillic.
/// let found = find_hidden("pаypal");
/// assert_eq!(found[0].name, "CYRILLIC LETTER");
/// assert_eq!(found[0].says.as_deref(), Some("paypal"));
///
/// // What languages and emoji need is no finding.
/// assert!(find_hidden("می‌خواهم 👩‍🚀 crème brûlée").is_empty());
/// ```
#[must_use]
pub fn find_hidden(text: &str) -> Vec<Hidden> {
    if text
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
    {
        return Vec::new();
    }
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut found = scan::scan(text, &chars);
    let homoglyphs = homoglyph::find(text, &chars, &found);
    if !homoglyphs.is_empty() {
        found.extend(homoglyphs);
        found.sort_by_key(|one| one.offset);
    }
    found
}

#[cfg(test)]
mod tests;
