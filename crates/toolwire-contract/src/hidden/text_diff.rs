//! What changed between two texts, word by word, with the hidden made visible.

use std::fmt;

use serde::Serialize;
use similar::utils::diff_slices;
use similar::{Algorithm, ChangeTag};

use super::show::{OPENS, show};
use crate::json;

/// Texts of more words than this are compared by lines, and of more lines as a whole: the time of a comparison
/// grows with the square.
const MAX_PARTS: usize = 4_000;

/// How many lines stay around what changed.
const CONTEXT: usize = 2;

/// What became of a part of a text.
///
/// ```
/// assert_eq!(toolwire_contract::hidden::PieceKind::Added.as_str(), "added");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// In both texts.
    Same,
    /// In the old text only.
    Removed,
    /// In the new text only.
    Added,
}

toolwire::closed_words!(PieceKind, "a kind of piece", {
    Same => "same",
    Removed => "removed",
    Added => "added",
});

/// A part of a text.
///
/// ```
/// use toolwire_contract::hidden::{PieceKind, diff_text};
///
/// let pieces = diff_text("one two", "one").pieces;
/// assert_eq!((pieces[1].kind, pieces[1].text.as_str()), (PieceKind::Removed, " two"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// What became of it.
    pub kind: PieceKind,
    /// The part, in the form that [`show`](super::show) gives; it can be printed.
    pub text: String,
}

/// What changed between two texts. `Display` writes it in one text, with `[-removed-]` and `{+added+}` in it
/// and without the lines that are far from any change.
///
/// ```
/// assert_eq!(toolwire_contract::hidden::diff_text("a b", "a c").to_string(), "a [-b-]{+c+}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDiff {
    /// The parts in their order; those of one kind are one.
    pub pieces: Vec<Piece>,
}

impl TextDiff {
    /// Whether anything changed.
    ///
    /// ```
    /// use toolwire_contract::hidden::diff_text;
    ///
    /// assert!(!diff_text("a", "a").is_change());
    /// assert!(diff_text("a", "a\u{200b}").is_change());
    /// ```
    #[must_use]
    pub fn is_change(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| piece.kind != PieceKind::Same)
    }

    /// The pieces as a JSON array of objects with `kind` and `text`.
    ///
    /// ```
    /// use toolwire_contract::hidden::diff_text;
    ///
    /// assert_eq!(diff_text("", "b").to_json(), r#"[{"kind":"added","text":"b"}]"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        json(&self.pieces).to_string()
    }
}

impl fmt::Display for TextDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.pieces.len().saturating_sub(1);
        for (index, piece) in self.pieces.iter().enumerate() {
            match piece.kind {
                PieceKind::Removed => write!(f, "[-{}-]", piece.text)?,
                PieceKind::Added => write!(f, "{{+{}+}}", piece.text)?,
                PieceKind::Same => same(f, &piece.text, index == 0, index == last)?,
            }
        }
        Ok(())
    }
}

/// A text that did not change, without the lines that are far from both its ends.
fn same(f: &mut fmt::Formatter<'_>, text: &str, first: bool, last: bool) -> fmt::Result {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let head = if first { 0 } else { CONTEXT + 1 };
    let tail = if last { 0 } else { CONTEXT + 1 };
    if lines.len() <= head + tail + 1 {
        return f.write_str(text);
    }
    let (left, rest) = lines.split_at(head);
    let (out, right) = rest.split_at(rest.len() - tail);
    f.write_str(&left.concat())?;
    writeln!(f, "… {} lines …", out.len())?;
    f.write_str(&right.concat())
}

/// Compares two texts word by word, in the form in which everything hidden can be seen (HID-31). Long texts
/// are compared by lines, and longer ones as a whole, so that the time stays bounded.
///
/// # Examples
///
/// ```
/// use toolwire_contract::hidden::diff_text;
///
/// let diff = diff_text("Adds two numbers.", "Adds three\u{200b} numbers.");
/// assert_eq!(
///     diff.to_string(),
///     "Adds [-two-]{+three<U+200B ZERO WIDTH SPACE>+} numbers.",
/// );
/// ```
#[must_use]
pub fn diff_text(old: &str, new: &str) -> TextDiff {
    let (old, new) = (show(old), show(new));
    let splits: [fn(&str) -> Vec<&str>; 3] = [
        words,
        |text| text.split_inclusive('\n').collect(),
        |text| vec![text],
    ];
    let mut parts = splits.into_iter().map(|split| (split(&old), split(&new)));
    let parts = parts.find(|(old, new)| old.len() + new.len() <= MAX_PARTS);
    let (old, new) = parts.unwrap_or_default();
    let changes = diff_slices(Algorithm::Myers, &old, &new);
    let last = changes.len().saturating_sub(1);
    let mut diff = TextDiff { pieces: Vec::new() };
    let (mut removed, mut added) = (String::new(), String::new());
    for (index, (tag, parts)) in changes.into_iter().enumerate() {
        let text = parts.concat();
        match tag {
            ChangeTag::Delete => removed.push_str(&text),
            ChangeTag::Insert => added.push_str(&text),
            // Spaces between two changes belong to them: otherwise words of two sentences alternate.
            ChangeTag::Equal if text.trim_matches(' ').is_empty() && index > 0 && index < last => {
                removed.push_str(&text);
                added.push_str(&text);
            }
            ChangeTag::Equal => {
                diff.push(PieceKind::Removed, std::mem::take(&mut removed));
                diff.push(PieceKind::Added, std::mem::take(&mut added));
                diff.push(PieceKind::Same, text);
            }
        }
    }
    diff.push(PieceKind::Removed, removed);
    diff.push(PieceKind::Added, added);
    diff
}

impl TextDiff {
    fn push(&mut self, kind: PieceKind, text: String) {
        if !text.is_empty() {
            self.pieces.push(Piece { kind, text });
        }
    }
}

/// Words, spaces, and every other character for itself; what was made visible is one part.
fn words(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let belongs: fn(char) -> bool = match first {
            ' ' => |c| c == ' ',
            c if is_word(c) => is_word,
            _ => |_| false,
        };
        let behind = first.len_utf8();
        let length = match rest.starts_with(OPENS) {
            true => rest.find('>').map(|end| end + 1),
            false => rest[behind..]
                .find(|c| !belongs(c))
                .map(|length| behind + length),
        };
        let (part, tail) = rest.split_at(length.unwrap_or(rest.len()));
        parts.push(part);
        rest = tail;
    }
    parts
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\'' || toolwire::is_mark(c)
}
