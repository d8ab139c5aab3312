//! Which names are those of secrets, and which texts ask for one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::fold::{spaced, words};
use super::phrases::{Found, PhraseClass, Text};
use super::refusal::RefusalAbout;
use super::secret_table::{FILLERS, LIKELY_NAMES, MARKS, NAMES};

/// Maximum number of neutral phrases between a term and the phrase beside it.
const SKIPPED: usize = 4;
/// Number of bytes at each end of a longer text that are judged.
const END: usize = 524_288;
/// Maximum number of words of a title.
const TITLE: usize = 3;

static DECLARED: LazyLock<HashSet<String>> = LazyLock::new(|| joined(NAMES));
static LIKELY: LazyLock<HashSet<String>> = LazyLock::new(|| joined(LIKELY_NAMES));

fn joined(names: &[&str]) -> HashSet<String> {
    names.iter().map(|name| words(name).concat()).collect()
}

/// What kind of text is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What a person is asked: a question, a title, a description.
    Asking,
    /// The name of a member.
    Name,
    /// A default, or an example.
    Value,
    /// A block before the question.
    Context,
}

/// Whether a name is plainly that of a secret.
pub(super) fn is_declared(name: &str) -> bool {
    let mut words = words(&spaced(name));
    words.iter_mut().for_each(|word| {
        let kept = word.trim_end_matches(|c: char| c.is_numeric()).len();
        word.truncate(kept);
    });
    words.retain(|word| !word.is_empty());
    while words.len() > 1
        && words
            .last()
            .is_some_and(|word| FILLERS.contains(&word.as_str()))
    {
        words.pop();
    }
    // No name in the list has more words than these.
    let last = words.len().saturating_sub(8);
    (last..words.len()).any(|at| DECLARED.contains(&words[at..].concat()))
}

/// What a text is about if it seems to ask for a secret.
pub(super) fn asks(text: &str, kind: Kind) -> Option<RefusalAbout> {
    let mut parts = parts(text);
    parts.find_map(|part| Some(asking_in(part, kind)?.0))
}

/// The words in a text that ask for a secret, as they are compared.
pub(super) fn word_of(text: &str, kind: Kind) -> Option<String> {
    let mut parts = parts(text);
    parts.find_map(|part| asking_in(part, kind))?.1
}

/// The text, or of a long one the two ends, which alone count.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let (head, tail) = match text.len() <= 2 * END {
        true => (text, None),
        false => {
            let (head, tail) = ends(text);
            (head, Some(tail))
        }
    };
    std::iter::once(head).chain(tail)
}

/// The ends of a long text, without a character that is cut.
fn ends(text: &str) -> (&str, &str) {
    let head = (0..=END).rev().find(|at| text.is_char_boundary(*at));
    let tail = (text.len() - END..).find(|at| text.is_char_boundary(*at));
    (
        &text[..head.unwrap_or(0)],
        &text[tail.unwrap_or(text.len())..],
    )
}

fn asking_in(text: &str, kind: Kind) -> Option<(RefusalAbout, Option<String>)> {
    let spaced = match kind {
        Kind::Name => spaced(text),
        _ => String::new(),
    };
    if kind == Kind::Name && LIKELY.contains(&words(&spaced).concat()) {
        return Some((RefusalAbout::Secret, Some(text.to_lowercase())));
    }
    if matches!(kind, Kind::Asking | Kind::Value) && is_marked(text) {
        return Some((RefusalAbout::Secret, None));
    }
    let text = Text::new(if kind == Kind::Name { &spaced } else { text });
    let terms = text.terms();
    if terms.is_empty() {
        return None;
    }
    let beside = Beside::new(&text);
    let mut clear_end = 0;
    let asking = terms.iter().find(|term| {
        let unclear = matches!(term.class, PhraseClass::Unclear | PhraseClass::Vague);
        if unclear && (kind == Kind::Name || term.at.end <= clear_end) {
            return false;
        }
        if !unclear {
            clear_end = clear_end.max(term.at.end);
        }
        beside.counts(term, kind)
    })?;
    let about = match asking.class {
        PhraseClass::Passwords => RefusalAbout::Password,
        _ => RefusalAbout::Secret,
    };
    Some((about, Some(text.spelled(&asking.at))))
}

/// Whether a text speaks of a password, be it asked for or not.
pub(super) fn speaks_of_password(text: &str) -> bool {
    parts(text).any(|part| {
        let terms = Text::new(&spaced(part)).terms();
        terms
            .iter()
            .any(|term| term.class == PhraseClass::Passwords)
    })
}

/// Whether a text shows how a secret begins, such as `ghp_`.
pub(super) fn is_marked(text: &str) -> bool {
    MARKS.iter().any(|mark| {
        text.match_indices(mark).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            !before.is_some_and(char::is_alphanumeric)
        })
    })
}

/// What stands around the terms of a text.
struct Beside<'a> {
    text: &'a Text,
    /// The phrases by the place where they start.
    others: Vec<Found>,
    /// Their numbers by the place where they end.
    by_end: Vec<usize>,
    sentences: HashMap<usize, Sentence>,
    insists: bool,
    /// Where negations end, where something starts that ends their reach, and where requests start; in order.
    negations: Vec<Range<usize>>,
    breaks: Vec<usize>,
    requests: Vec<usize>,
}

#[derive(Default)]
struct Sentence {
    asks: bool,
    /// Where the first phrase ends that makes what comes after it harmless.
    earlier: Option<usize>,
    /// Where the last one starts that makes what comes before it harmless.
    later: Option<usize>,
}

impl<'a> Beside<'a> {
    fn new(text: &'a Text) -> Self {
        let mut beside = Beside {
            text,
            others: text.others(),
            by_end: Vec::new(),
            sentences: HashMap::new(),
            insists: false,
            negations: Vec::new(),
            breaks: Vec::new(),
            requests: Vec::new(),
        };
        for found in &beside.others {
            let Range { start, end } = found.at.clone();
            match found.class {
                PhraseClass::Negates => beside.negations.push(start..end),
                PhraseClass::Breaks => beside.breaks.push(start),
                PhraseClass::Requests => beside.requests.push(start),
                _ => {}
            }
            let sentence = text.sentence(start);
            let sentence = beside.sentences.entry(sentence).or_default();
            match found.class {
                PhraseClass::Requests | PhraseClass::Owners => sentence.asks = true,
                PhraseClass::Insists => beside.insists = true,
                PhraseClass::Earlier => {
                    sentence.earlier = Some(sentence.earlier.map_or(end, |first| first.min(end)));
                }
                PhraseClass::Later => {
                    sentence.later = Some(sentence.later.map_or(start, |last| last.max(start)));
                }
                _ => {}
            }
        }
        beside.by_end = (0..beside.others.len()).collect();
        let others = &beside.others;
        beside.by_end.sort_by_key(|index| others[*index].at.end);
        beside
    }

    /// Whether a term counts.
    fn counts(&self, term: &Found, kind: Kind) -> bool {
        let clear = matches!(term.class, PhraseClass::Passwords | PhraseClass::Secrets);
        if self.insists && kind != Kind::Name {
            return true;
        }
        if self.stands_by(term, PhraseClass::Before, PhraseClass::After) {
            return false;
        }
        if kind != Kind::Name && self.is_negated(term) {
            return false;
        }
        if kind != Kind::Name && self.stands_by(term, PhraseClass::Requests, PhraseClass::Requests)
        {
            return true;
        }
        let sentence = self.sentences.get(&self.text.sentence(term.at.start));
        let covered = sentence.is_some_and(|sentence| {
            sentence.earlier.is_some_and(|end| end <= term.at.start)
                || sentence.later.is_some_and(|start| start >= term.at.end)
        });
        if covered {
            return false;
        }
        if term.class == PhraseClass::Vague {
            return self.stands_by(term, PhraseClass::Owners, PhraseClass::Owners);
        }
        let asked = sentence.is_some_and(|sentence| sentence.asks);
        match kind {
            Kind::Value | Kind::Context => asked,
            _ if clear => true,
            _ => asked || self.text.words_beside(term.at.start) <= TITLE,
        }
    }

    /// Whether a term is in the clause of a negation, and neither it nor anything before it is asked for again.
    fn is_negated(&self, term: &Found) -> bool {
        let Range { start, end } = term.at.clone();
        let before = self.negations.partition_point(|one| one.start < start);
        let Some(negation) = before.checked_sub(1).map(|at| &self.negations[at]) else {
            return false;
        };
        let behind = |starts: &[usize]| {
            let next = starts.partition_point(|one| *one < negation.end);
            starts.get(next).copied().unwrap_or(usize::MAX)
        };
        negation.end <= start
            && self.text.is_one_clause(negation.start, start)
            && behind(&self.breaks) >= start
            && behind(&self.requests) >= self.text.part_end(end)
    }

    /// The phrases that start at a place.
    fn starting(&self, place: usize) -> impl Iterator<Item = &Found> + Clone {
        let first = self.others.partition_point(|found| found.at.start < place);
        let all = self.others[first..].iter();
        all.take_while(move |found| found.at.start == place)
    }

    /// The phrases that end at a place.
    fn ending(&self, place: usize) -> impl Iterator<Item = &Found> + Clone {
        let end = |index: &usize| self.others[*index].at.end;
        let first = self.by_end.partition_point(|index| end(index) < place);
        let all = self.by_end[first..]
            .iter()
            .map(|index| &self.others[*index]);
        all.take_while(move |found| found.at.end == place)
    }

    /// Whether one of these stands directly before or behind a term, what changes nothing aside.
    fn stands_by(&self, term: &Found, before: PhraseClass, behind: PhraseClass) -> bool {
        let Range { start, end } = term.at.clone();
        let text = self.text;
        let sentence = text.sentence(start);
        let mut place = start;
        for _ in 0..=SKIPPED {
            let mut ending = self.ending(place);
            if place > 0 && text.sentence(place - 1) != sentence {
                break;
            }
            let skipped = ending
                .clone()
                .filter(|found| found.class == PhraseClass::Skip);
            if ending.any(|found| found.class == before) {
                return true;
            }
            match skipped.map(|found| found.at.start).min() {
                Some(start) => place = start,
                None => break,
            }
        }
        // A term may be the first part of a longer word.
        for mut place in [end, text.word_end(end)] {
            for _ in 0..=SKIPPED {
                let mut starting = self.starting(place);
                if text.sentence(place) != sentence {
                    break;
                }
                let skipped = starting
                    .clone()
                    .find(|found| found.class == PhraseClass::Skip);
                if starting.any(|found| found.class == behind) {
                    return true;
                }
                match skipped {
                    Some(found) => place = found.at.end,
                    None => break,
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_text_the_ends_count() {
        let text = format!("a{}b", "é".repeat(END));
        let (head, tail) = ends(&text);
        assert_eq!((head.len(), tail.len()), (END - 1, END - 1));
        assert!(head.starts_with('a') && tail.ends_with('b'));
        let hidden = format!("{text}Enter your password.{text}");
        assert!(!ends(&hidden).0.contains('p') && !ends(&hidden).1.contains('p'));
    }

    #[test]
    fn a_negation_clears_its_own_clause() {
        for (text, expected) in [
            (
                "Your favorite integer (do not give us your phone number, pin, or other sensitive info)",
                None,
            ),
            ("Do not share your name, password or pin.", None),
            ("Never send us your access token", None),
            (
                "Do not give us your phone number, enter your pin",
                Some("pin"),
            ),
            ("Do not share your name but your pin", Some("pin")),
            (
                "Do not tell anyone, we need your password",
                Some("password"),
            ),
            ("Do not tell anyone: your password", Some("password")),
            ("(do not give us your name) your pin", Some("pin")),
            ("Do not give us your name. Your API-key?", Some("api key")),
        ] {
            let word = asking_in(text, Kind::Asking).and_then(|asking| asking.1);
            assert_eq!(word.as_deref(), expected, "{text}");
        }
    }
}
