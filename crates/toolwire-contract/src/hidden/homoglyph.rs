//! Letters that pass for those of another script within a word (HID-14).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use toolwire::{is_hidden, is_mark};

use super::character::{is_in, names};
use super::table::{LOOKALIKES, SCRIPTS};
use super::{Hidden, HiddenKind};

/// Scripts by their index in `SCRIPTS`; Latin is the first. Behind them stand the two that repeat Latin in
/// another style.
const LATIN: usize = 0;
const FULLWIDTH: usize = 100;
const MATHEMATICAL: usize = 101;

/// The reading of a longer word is not written out for each finding in it.
const MOST_READ: usize = 64;

/// A shorter word of another script is not taken for one of Latin letters.
const SHORTEST_WORD: usize = 3;

/// The letter of a script that looks like a Latin one.
static BY_SCRIPT: LazyLock<HashMap<(usize, char), char>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for (c, like, _) in LOOKALIKES {
        if let Some(script) = script(*c) {
            all.entry((script, *like)).or_insert(*c);
        }
    }
    all
});

/// Adjacent letters of one script.
struct Run {
    script: usize,
    letters: Range<usize>,
}

/// Finds them outside of what was found already, in the order of the text.
pub(super) fn find(text: &str, chars: &[(usize, char)], others: &[Hidden]) -> Vec<Hidden> {
    if !chars
        .iter()
        .any(|(_, c)| !c.is_ascii() && looks_like(*c).is_some())
    {
        return Vec::new();
    }
    let whole = Whole::read(chars);
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let ends =
            |(offset, c): &(usize, char)| !belongs_to_word(*c) || is_in_sequence(others, *offset);
        let end = chars[at..].iter().position(ends);
        let end = end.map_or(chars.len(), |length| at + length);
        word(text, chars, at..end, &whole, &mut found);
        at = end + 1;
    }
    found
}

fn word(
    text: &str,
    chars: &[(usize, char)],
    word: Range<usize>,
    whole: &Whole,
    found: &mut Vec<Hidden>,
) {
    let runs = runs(chars, word.clone());
    let mut scripts: Vec<usize> = runs.iter().map(|run| run.script).collect();
    scripts.sort_unstable();
    scripts.dedup();
    let mut passing: Vec<(&Run, usize)> = match scripts[..] {
        [] => return,
        [script] => {
            let letters: usize = runs.iter().map(|run| run.letters.len()).sum();
            match letters >= SHORTEST_WORD && whole.is_taken_for_latin(script) {
                true => runs.iter().map(|run| (run, LATIN)).collect(),
                false => return,
            }
        }
        _ => runs
            .iter()
            .filter_map(|run| Some((run, passes_for(chars, run, &scripts)?)))
            .collect(),
    };
    // Where every letter passes for one of another script, Latin is what is meant.
    let all_pass = passing.len() == runs.len();
    passing.retain(|(run, _)| {
        run.script != LATIN || (!all_pass && slips_in(&chars[run.letters.clone()], &runs))
    });
    let reads = |range: Range<usize>| -> String {
        let replaced = |at: usize| {
            let within = |(run, _): &&(&Run, usize)| run.letters.contains(&at);
            let c = chars[at].1;
            match passing.iter().find(within) {
                Some((_, script)) => letter_of(*script, c),
                None => c,
            }
        };
        let seen = |c: &char| !is_hidden(*c);
        range.map(replaced).filter(seen).collect()
    };
    let reading = (word.len() <= MOST_READ).then(|| reads(word));
    for (run, _) in &passing {
        let offset = chars[run.letters.start].0;
        let end = chars
            .get(run.letters.end)
            .map_or(text.len(), |(offset, _)| *offset);
        let letters = chars[run.letters.clone()].iter().map(|(_, c)| *c);
        let says = match &reading {
            Some(word) => word.clone(),
            None => letters
                .clone()
                .map(|c| letter_of(LATIN, c))
                .take(MOST_READ)
                .collect(),
        };
        found.push(Hidden {
            kind: HiddenKind::Homoglyph,
            offset,
            length: end - offset,
            name: names(letters),
            says: Some(says),
        });
    }
}

/// Whether Latin letters slip into a word of another script: most that stand in one are meant, such as the `T` in `ΔT`
/// or an acronym with an ending.
fn slips_in(letters: &[(usize, char)], runs: &[Run]) -> bool {
    let others = runs.iter().filter(|run| run.script != LATIN);
    let others: usize = others.map(|run| run.letters.len()).sum();
    let acronym = letters.iter().all(|(_, c)| c.is_uppercase());
    others >= SHORTEST_WORD && (letters.len() == 1 || (letters.len() == 2 && !acronym))
}

/// What words of a single script depend on: what else stands in the text.
struct Whole {
    has_latin: bool,
    /// The scripts that have a letter which looks like no Latin one.
    honest: Vec<usize>,
}

impl Whole {
    fn read(chars: &[(usize, char)]) -> Self {
        let mut whole = Whole {
            has_latin: false,
            honest: Vec::new(),
        };
        for (_, c) in chars {
            match script(*c) {
                Some(LATIN) => whole.has_latin = true,
                Some(script) if looks_like(*c).is_none() && !whole.honest.contains(&script) => {
                    whole.honest.push(script);
                }
                _ => {}
            }
        }
        whole
    }

    /// Whether a word of this script stands among Latin ones, and nothing else is written in it.
    fn is_taken_for_latin(&self, script: usize) -> bool {
        let styled = matches!(script, LATIN | FULLWIDTH | MATHEMATICAL);
        self.has_latin && !styled && !self.honest.contains(&script)
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

/// The script of the word whose letters all letters of the run look like.
fn passes_for(chars: &[(usize, char)], run: &Run, scripts: &[usize]) -> Option<usize> {
    let letters = &chars[run.letters.clone()];
    let others = scripts.iter().filter(|script| **script != run.script);
    others.copied().find(|script| {
        let like =
            |(_, c): &(usize, char)| looks_like(*c).is_some_and(|latin| has_like(*script, latin));
        letters.iter().all(like)
    })
}

/// Whether a script has a letter that looks like a Latin one.
fn has_like(script: usize, latin: char) -> bool {
    match script {
        LATIN => true,
        FULLWIDTH | MATHEMATICAL => latin.is_ascii(),
        _ => BY_SCRIPT.contains_key(&(script, latin)),
    }
}

/// The letter of a script that looks like this one; the Latin one for the scripts that only repeat Latin.
fn letter_of(script: usize, c: char) -> char {
    let latin = looks_like(c).unwrap_or(c);
    BY_SCRIPT.get(&(script, latin)).copied().unwrap_or(latin)
}

/// The Latin letter that a letter looks like; a Latin one looks like itself.
pub(super) fn looks_like(c: char) -> Option<char> {
    let code = u32::from(c);
    let ascii = match code {
        0xFF21..=0xFF3A | 0xFF41..=0xFF5A => code - 0xFF21 + 0x41,
        0x1D400..=0x1D6A3 => match (code - 0x1D400) % 52 {
            capital @ 0..26 => 0x41 + capital,
            small => 0x61 + small - 26,
        },
        _ => {
            let found = LOOKALIKES.binary_search_by_key(&c, |(c, _, _)| *c);
            return match found {
                Ok(index) => Some(LOOKALIKES[index].1),
                Err(_) => (script(c) == Some(LATIN)).then_some(c),
            };
        }
    };
    char::from_u32(ascii)
}

pub(super) fn lookalike_name(c: char) -> &'static str {
    match LOOKALIKES.binary_search_by_key(&c, |(c, _, _)| *c) {
        Ok(index) => LOOKALIKES[index].2,
        Err(_) => match script(c) {
            Some(LATIN) => "LATIN LETTER",
            Some(FULLWIDTH) => "FULLWIDTH LATIN LETTER",
            Some(MATHEMATICAL) => "MATHEMATICAL LETTER",
            _ => "CHARACTER",
        },
    }
}

fn script(c: char) -> Option<usize> {
    match u32::from(c) {
        0x41..=0x5A | 0x61..=0x7A => Some(LATIN),
        0..0xAA => None,
        0xFF21..=0xFF3A | 0xFF41..=0xFF5A => Some(FULLWIDTH),
        0x1D400..=0x1D6A3 => Some(MATHEMATICAL),
        _ => SCRIPTS.iter().position(|ranges| is_in(ranges, c)),
    }
}

/// Whether a character is a part of a word: letters of the scripts, digits, `_`, and what stands on or hides
/// between them.
fn belongs_to_word(c: char) -> bool {
    let hides = |c: char| is_hidden(c) && !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}');
    c == '_' || c.is_ascii_digit() || script(c).is_some() || is_mark(c) || hides(c)
}
