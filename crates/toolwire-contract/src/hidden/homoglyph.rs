//! Letters that pass for Latin ones within a word (HID-14).

use std::ops::Range;

use toolwire::{is_hidden, is_mark, looks_like};

use super::character::{names, script};
use super::{Hidden, HiddenKind};

/// The reading of a longer word is not written out for each finding in it.
const MAX_READING: usize = 64;

/// A shorter word of a single script is not taken for one of Latin letters.
const MIN_WORD: usize = 3;

/// Adjacent letters of one script.
struct Run {
    script: &'static str,
    letters: Range<usize>,
}

/// Finds them outside of what was found already, in the order of the text.
pub(super) fn find(text: &str, chars: &[(usize, char)], others: &[Hidden]) -> Vec<Hidden> {
    if !chars.iter().any(|(_, c)| looks_like(*c).is_some()) {
        return Vec::new();
    }
    let is_latin = |(_, c): &(usize, char)| script(*c) == Some("LATIN");
    // Scripts that are what they seem: words of them alone are not found.
    let mut honest = vec!["LATIN", "FULLWIDTH LATIN", "MATHEMATICAL"];
    for (_, c) in chars {
        let script = script(*c).filter(|script| !honest.contains(script));
        honest.extend(script.filter(|_| looks_like(*c).is_none()));
    }
    let has_latin = chars.iter().any(is_latin);
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let ends =
            |(offset, c): &(usize, char)| !belongs_to_word(*c) || is_in_sequence(others, *offset);
        let end = chars[at..].iter().position(ends);
        let end = end.map_or(chars.len(), |length| at + length);
        let mut passing = runs(chars, at..end);
        let letters: usize = passing.iter().map(|run| run.letters.len()).sum();
        let is_single = passing.windows(2).all(|two| two[0].script == two[1].script);
        let is_word = has_latin && letters >= MIN_WORD;
        passing.retain(|run| {
            run.script != "LATIN"
                && (!is_single || (is_word && !honest.contains(&run.script)))
                && run
                    .letters
                    .clone()
                    .all(|at| looks_like(chars[at].1).is_some())
        });
        push(text, chars, at..end, &passing, &mut found);
        at = end + 1;
    }
    found
}

/// Adds a finding for each run of letters in a word.
fn push(
    text: &str,
    chars: &[(usize, char)],
    word: Range<usize>,
    passing: &[Run],
    found: &mut Vec<Hidden>,
) {
    let read = |range: Range<usize>| -> String {
        let letter = |at: usize| {
            let c = chars[at].1;
            let passes = passing.iter().any(|run| run.letters.contains(&at));
            if passes {
                looks_like(c).unwrap_or(c)
            } else {
                c
            }
        };
        range.map(letter).filter(|c| !is_hidden(*c)).collect()
    };
    let reading = (word.len() <= MAX_READING && !passing.is_empty()).then(|| read(word));
    for run in passing {
        let Range { start, end } = run.letters;
        let offset = chars[start].0;
        let says = reading.clone().unwrap_or_else(|| {
            let letters = chars[start..end].iter().take(MAX_READING);
            letters.filter_map(|(_, c)| looks_like(*c)).collect()
        });
        found.push(Hidden {
            kind: HiddenKind::Homoglyph,
            offset,
            length: chars.get(end).map_or(text.len(), |(end, _)| *end) - offset,
            name: names(chars[start..end].iter().map(|(_, c)| *c)),
            says: Some(says),
        });
    }
}

/// Whether a byte belongs to a sequence, whose letters a terminal does not show.
fn is_in_sequence(found: &[Hidden], offset: usize) -> bool {
    let behind = found.partition_point(|one| one.offset <= offset);
    let last = found[..behind].last();
    last.is_some_and(|one| one.kind == HiddenKind::Escape && one.offset + one.length > offset)
}

fn runs(chars: &[(usize, char)], word: Range<usize>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for at in word {
        let Some(script) = script(chars[at].1) else {
            continue;
        };
        match runs.last_mut() {
            Some(run) if run.script == script && run.letters.end == at => run.letters.end += 1,
            _ => runs.push(Run {
                script,
                letters: at..at + 1,
            }),
        }
    }
    runs
}

/// Whether a character is a part of a word: letters of the scripts, digits, `_`, and what stands on or hides
/// between them.
fn belongs_to_word(c: char) -> bool {
    let hides = |c: char| is_hidden(c) && !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}');
    c == '_' || c.is_ascii_digit() || script(c).is_some() || is_mark(c) || hides(c)
}
