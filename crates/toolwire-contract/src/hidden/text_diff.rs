//! What changed between two texts, word by word, with the hidden made visible.

use std::fmt;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use toolwire::json::{ObjectWriter, array};

use super::show::{OPENS, show};

/// Texts of more parts than this are compared by lines, and of more lines as a whole: the time of a comparison
/// grows with the square.
const MOST_PARTS: usize = 4_000;

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

impl PieceKind {
    /// The word that stands in JSON.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::hidden::PieceKind::Same.as_str(), "same");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            PieceKind::Same => "same",
            PieceKind::Removed => "removed",
            PieceKind::Added => "added",
        }
    }
}

/// A part of a text.
///
/// ```
/// use toolwire_contract::hidden::{PieceKind, diff_text};
///
/// let pieces = diff_text("one two", "one").pieces;
/// assert_eq!((pieces[1].kind, pieces[1].text.as_str()), (PieceKind::Removed, " two"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
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
        array(self.pieces.iter().map(|piece| {
            ObjectWriter::new()
                .text("kind", piece.kind.as_str())
                .text("text", &piece.text)
                .end()
        }))
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
    let mut diff = TextDiff { pieces: Vec::new() };
    for split in [words as fn(&str) -> Vec<&str>, lines] {
        let (left, right) = (split(&old), split(&new));
        let (head, tail) = common(&left, &right);
        let (changed_left, changed_right) = (head..left.len() - tail, head..right.len() - tail);
        if changed_left.len() + changed_right.len() > MOST_PARTS {
            continue;
        }
        diff.push(PieceKind::Same, &left[..head]);
        diff.compare(&left[changed_left], &right[changed_right]);
        diff.push(PieceKind::Same, &left[left.len() - tail..]);
        return diff;
    }
    diff.push(PieceKind::Removed, &[&old]);
    diff.push(PieceKind::Added, &[&new]);
    diff
}

impl TextDiff {
    fn compare(&mut self, old: &[&str], new: &[&str]) {
        let ops = capture_diff_slices(Algorithm::Myers, old, new);
        let mut at = 0;
        while at < ops.len() {
            let changes = |op: &DiffOp| !matches!(op, DiffOp::Equal { .. });
            if !changes(&ops[at]) {
                self.push(PieceKind::Same, &old[ops[at].old_range()]);
                at += 1;
                continue;
            }
            // White space between two changes belongs to them: otherwise words of two sentences alternate.
            let mut end = at + 1;
            while end < ops.len()
                && (changes(&ops[end])
                    || (end + 1 < ops.len() && is_blank(&old[ops[end].old_range()])))
            {
                end += 1;
            }
            let span = |range: fn(&DiffOp) -> Range<usize>| {
                range(&ops[at]).start..range(&ops[end - 1]).end
            };
            self.push(PieceKind::Removed, &old[span(DiffOp::old_range)]);
            self.push(PieceKind::Added, &new[span(DiffOp::new_range)]);
            at = end;
        }
    }

    fn push(&mut self, kind: PieceKind, parts: &[&str]) {
        if parts.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(piece) if piece.kind == kind => piece.text.extend(parts.iter().copied()),
            _ => self.pieces.push(Piece {
                kind,
                text: parts.concat(),
            }),
        }
    }
}

fn is_blank(parts: &[&str]) -> bool {
    parts.iter().all(|part| part.chars().all(|c| c == ' '))
}

/// How many parts both begin and end with.
fn common(left: &[&str], right: &[&str]) -> (usize, usize) {
    let pairs = left.iter().zip(right);
    let head = pairs.take_while(|(one, other)| one == other).count();
    let pairs = left[head..].iter().rev().zip(right[head..].iter().rev());
    (head, pairs.take_while(|(one, other)| one == other).count())
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Words, white space, and every other character for itself; what was made visible is one part.
fn words(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '<' if rest.starts_with(OPENS) => visible(rest),
            ' ' => run(rest, |c| c == ' '),
            c if is_word(c) => run(rest, is_word),
            c => c.len_utf8(),
        };
        let (part, tail) = rest.split_at(length);
        parts.push(part);
        rest = tail;
    }
    parts
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\'' || toolwire::is_mark(c)
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The length of what `show` wrote for something hidden: to the `>` that is not in quotes.
fn visible(text: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            '>' if !quoted => return at + 1,
            _ => {}
        }
    }
    text.len()
}
